//! A dense symmetric system, solved by Cholesky's factorization.

/// The lower triangle of a symmetric positive semidefinite matrix, row by row; after [`Symmetric::factor`] its factor.
pub(super) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    /// The zero matrix.
    pub(super) fn zero(size: usize) -> Self {
        Symmetric { size, entries: vec![0.0; size * size] }
    }

    /// Adds to the entry (row, column) with column ≤ row, or to its mirror image.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row.max(column) * self.size + row.min(column)] += value;
    }

    /// Replaces the matrix by its factor L, with L Lᵀ the matrix.
    ///
    /// A pivot that rounding has eaten is replaced by a huge one, which keeps its unknown where it is: near the end of
    /// an interior point method that unknown has settled.
    pub(super) fn factor(&mut self) {
        let size = self.size;
        let largest = (0..size).map(|at| self.entries[at * size + at]).fold(0.0, f64::max);
        for row in 0..size {
            let (above, rest) = self.entries.split_at_mut(row * size);
            let current = &mut rest[..size];
            for column in 0..row {
                let other = &above[column * size..column * size + column + 1];
                let sum = current[column] - dot(&current[..column], &other[..column]);
                current[column] = sum / other[column];
            }
            let pivot = current[row] - dot(&current[..row], &current[..row]);
            current[row] = if pivot > largest * 1e-30 { pivot.sqrt() } else { 1e64 };
        }
    }

    /// The entry (row, column) with column ≤ row.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// All entries, row by row.
    pub(super) fn rows(&self) -> Vec<f64> {
        let places =
            (0..self.size).flat_map(|row| (0..self.size).map(move |column| (row.max(column), row.min(column))));
        places.map(|(row, column)| self.entry(row, column)).collect()
    }

    /// Multiplies each row and column by its number.
    pub(super) fn scale(&mut self, scale: &[f64]) {
        for (row, entries) in self.entries.chunks_exact_mut(self.size).enumerate() {
            entries.iter_mut().zip(scale).for_each(|(entry, other)| *entry *= scale[row] * other);
        }
    }

    /// Solves L x = b in place.
    pub(super) fn solve_half(&self, x: &mut [f64]) {
        let size = self.size;
        for row in 0..size {
            let factors = &self.entries[row * size..row * size + row + 1];
            x[row] = (x[row] - dot(&factors[..row], &x[..row])) / factors[row];
        }
    }

    /// Solves L Lᵀ x = b in place.
    pub(super) fn solve(&self, x: &mut [f64]) {
        self.solve_half(x);
        let size = self.size;
        for row in (0..size).rev() {
            let factors = &self.entries[row * size..row * size + row + 1];
            let value = x[row] / factors[row];
            x[row] = value;
            x[..row].iter_mut().zip(factors).for_each(|(x, factor)| *x -= factor * value);
        }
    }
}

/// Σ a·b in four running sums, so that the processor can add them side by side.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a.zip(b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_solves(size in 1usize..12, numbers in prop::collection::vec(-1.0f64..1.0, 144 + 12)) {
            // A = B Bᵀ + I is positive definite.
            let entry = |i: usize, j: usize| {
                let product: f64 = (0..size).map(|l| numbers[i * 12 + l] * numbers[j * 12 + l]).sum();
                product + f64::from(u8::from(i == j))
            };
            let mut matrix = Symmetric::zero(size);
            (0..size).for_each(|i| (0..=i).for_each(|j| matrix.add(j, i, entry(i, j))));
            matrix.factor();
            let mut x = numbers[144..144 + size].to_vec();
            matrix.solve(&mut x);
            for i in 0..size {
                let product: f64 = (0..size).map(|j| entry(i, j) * x[j]).sum();
                prop_assert!((product - numbers[144 + i]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn an_unknown_without_a_pivot_stays() {
        let mut matrix = Symmetric::zero(2);
        matrix.add(0, 0, 4.0);
        matrix.factor();
        let mut x = [2.0, 1.0];
        matrix.solve(&mut x);
        assert_eq!(x[0], 0.5);
        assert!(x[1].abs() < 1e-100);
    }
}
