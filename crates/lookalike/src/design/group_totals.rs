//! Directions of bounds in totals and differences.
//!
//! At a small ε all bounds move together only as far as Σ_y u_y may: the normal equations of u are then a huge multiple
//! of (1, …, 1) times itself plus what matters, and Cholesky's factorization would lose it. So the first unknown of each
//! group is the total Σ_y du_y, the others stay du_1, …: du_0 is the total less the others. A factorization is exact to
//! the last bits under any scaling of the unknowns, so one huge diagonal entry does no harm.

/// A linear form over du, Σ_y form_y du_y, as one over the total and the others.
pub(super) fn to_totals(form: &mut [f64]) {
    let first = form[0];
    form[1..].iter_mut().for_each(|entry| *entry -= first);
}

/// The same for the form 1 − apart, without the rounding of that difference.
pub(super) fn totals_of_apart(apart: &[f64], form: &mut [f64]) {
    form[0] = 1.0 - apart[0];
    (1..apart.len()).for_each(|y| form[y] = apart[0] - apart[y]);
}

/// Adds the quadratic form `value·du^g_y du^h_y` to a matrix `wide` numbers wide; `at` says where g and h begin.
pub(super) fn add_between(matrix: &mut [f64], wide: usize, at: [usize; 2], size: usize, y: usize, value: f64) {
    if y > 0 {
        matrix[(at[0] + y) * wide + at[1] + y] += value;
        return;
    }
    for i in 0..size {
        for j in 0..size {
            let sign = if (i == 0) == (j == 0) { 1.0 } else { -1.0 };
            matrix[(at[0] + i) * wide + at[1] + j] += sign * value;
        }
    }
}

/// From the total and the others to du.
pub(super) fn from_totals(change: &mut [f64]) {
    change[0] -= change[1..].iter().sum::<f64>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_keep_their_values() {
        let (mut form, mut other) = ([0.5, 0.25, 0.75], [0.0; 3]);
        totals_of_apart(&[0.5, 0.75, 0.25], &mut other);
        to_totals(&mut form);
        assert_eq!(form, other);
        let totals = [3.0, 1.0, -2.0];
        let mut du = totals;
        from_totals(&mut du);
        assert_eq!(du, [4.0, 1.0, -2.0]);
        let value = |form: &[f64], at: &[f64]| form.iter().zip(at).map(|(form, at)| form * at).sum::<f64>();
        assert_eq!(value(&form, &totals), value(&[0.5, 0.25, 0.75], &du));
        // Two groups of three outputs: g begins at 3 and h at 0.
        let mut matrix = [0.0; 36];
        (0..3).for_each(|y| add_between(&mut matrix, 6, [3, 0], 3, y, [1.0, 2.0, 4.0][y]));
        let rows = |i: usize| value(&matrix[(3 + i) * 6..(3 + i) * 6 + 3], &totals);
        assert_eq!((0..3).map(|i| totals[i] * rows(i)).sum::<f64>(), 16.0 + 2.0 + 16.0);
    }
}
