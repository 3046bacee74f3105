//! Is a symmetric matrix positive semidefinite? Shown in whole numbers, or not at all.

/// Entries are whole numbers of 2^−56: products of two of them, and sums of thousands of those, fit 128 bits.
pub(super) const FRACTION: u32 = 56;

/// One, in units of 2^−56.
pub(super) const ONE: i128 = 1 << FRACTION;

/// Whether every symmetric matrix is positive semidefinite whose entries are within `error` units of those of `matrix`,
/// whose lower triangle alone is read and whose diagonal is at most 2. `false` says that it was not shown.
///
/// A matrix that is `A = L·Lᵀ + E` is semidefinite where E is, and E is where in each row the diagonal outweighs the
/// rest. So L may be any matrix: it is Cholesky's of A − δ, rounded as it comes, and E is computed exactly.
pub(super) fn is_shown_semidefinite(matrix: &[Vec<i128>], error: i128) -> bool {
    let size = matrix.len() as i128;
    // Rounding leaves at most two units beside the diagonal of E and three on it.
    let slack = size * (error + 3) + 4;
    match cholesky(matrix, slack) {
        Some(root) => is_diagonally_dominant(&remainder(matrix, &root), (size * error) << FRACTION),
        None => false,
    }
}

/// The lower triangle L with L·Lᵀ near the matrix less `slack` on its diagonal, or `None` where a pivot is missing.
fn cholesky(matrix: &[Vec<i128>], slack: i128) -> Option<Vec<Vec<i128>>> {
    let mut root: Vec<Vec<i128>> = Vec::with_capacity(matrix.len());
    for (i, entries) in matrix.iter().enumerate() {
        let mut row = Vec::with_capacity(i + 1);
        for (j, entry) in entries[..i].iter().enumerate() {
            let entry = ((entry << FRACTION) - dot(&row, &root[j][..j])) / root[j][j];
            // Of a semidefinite matrix with a diagonal up to 2 no entry of the root is larger than √2.
            if entry.abs() >= 2 * ONE {
                return None;
            }
            row.push(entry);
        }
        let square = ((entries[i] - slack) << FRACTION) - dot(&row, &row);
        let pivot = u128::try_from(square).ok()?.isqrt() as i128;
        if pivot == 0 {
            return None;
        }
        row.push(pivot);
        root.push(row);
    }
    Some(root)
}

/// The lower triangle of A − L·Lᵀ, exactly, in units of 2^−112.
fn remainder(matrix: &[Vec<i128>], root: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let entry = |i: usize, j: usize| (matrix[i][j] << FRACTION) - dot(&root[i][..=j], &root[j]);
    (0..matrix.len()).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect()
}

/// Whether in each row the diagonal outweighs the rest by `room`.
fn is_diagonally_dominant(lower: &[Vec<i128>], room: i128) -> bool {
    let mut beside = vec![0i128; lower.len()];
    for (i, row) in lower.iter().enumerate() {
        for (j, entry) in row[..i].iter().enumerate() {
            beside[i] = beside[i].saturating_add(entry.abs());
            beside[j] = beside[j].saturating_add(entry.abs());
        }
    }
    beside.iter().zip(lower).all(|(beside, row)| row[row.len() - 1] >= beside.saturating_add(room))
}

fn dot(a: &[i128], b: &[i128]) -> i128 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_singular_matrix_is_shown_only_with_room() {
        let matrix = |diagonal: i128| vec![vec![diagonal], vec![ONE / 2, diagonal]];
        assert!(!is_shown_semidefinite(&matrix(ONE / 2 - 1), 0));
        assert!(is_shown_semidefinite(&matrix(ONE / 2 + 20), 0));
        assert!(!is_shown_semidefinite(&matrix(ONE / 2 + 20), 100), "entries may be wrong by more");
        assert!(!is_shown_semidefinite(&[vec![0], vec![ONE, 2 * ONE]], 0));
    }

    proptest! {
        /// A matrix vᵀv + shift·I is semidefinite for a shift ≥ 0, and vᵀv has an eigenvalue 0 that a shift < 0 shows.
        #[test]
        fn shown_is_true_and_little_is_missed(v in prop::collection::vec(prop::collection::vec(-(1i128 << 20)..(1 << 20), 3), 5), shift in -2000i128..2000) {
            // Entries of v are at most 2^−2, products of three at most 3·2^−4.
            let entry = |i: usize, j: usize| -> i128 {
                dot(&v[i], &v[j]) << (FRACTION - 44)
            };
            let matrix: Vec<Vec<i128>> =
                (0..5).map(|i| (0..=i).map(|j| entry(i, j) + if i == j { shift } else { 0 }).collect()).collect();
            let shown = is_shown_semidefinite(&matrix, 0);
            prop_assert!(!shown || shift >= 0);
            prop_assert!(shown || shift < 100);
        }
    }
}
