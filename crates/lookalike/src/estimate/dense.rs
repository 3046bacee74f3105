//! Small dense symmetric matrices.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

/// A symmetric matrix; only its lower triangle is kept up.
pub(super) struct Symmetric {
    values: Mat<f64>,
}

impl Symmetric {
    pub(super) fn zero(size: usize) -> Self {
        Symmetric { values: Mat::zeros(size, size) }
    }

    pub(super) fn identity(size: usize) -> Self {
        Symmetric { values: Mat::identity(size, size) }
    }

    /// Adds `weight · v vᵀ`.
    pub(super) fn add_outer(&mut self, weight: f64, v: &[f64]) {
        for (column, &at) in v.iter().enumerate() {
            let factor = weight * at;
            let entries = self.values.col_mut(column).try_as_col_major_mut().expect("whole columns").as_slice_mut();
            entries[column..].iter_mut().zip(&v[column..]).for_each(|(entry, v)| *entry += factor * v);
        }
    }

    /// Adds to an entry of the diagonal.
    pub(super) fn add_diagonal(&mut self, at: usize, value: f64) {
        self.values[(at, at)] += value;
    }

    /// `A x = b` for a positive definite matrix.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let right = Mat::from_fn(b.len(), 1, |row, _| b[row]);
        let solved = match self.values.llt(Side::Lower) {
            Ok(factor) => factor.solve(&right),
            // Not definite by a rounding: the pivoted factorization of any symmetric matrix will do.
            Err(_) => self.values.lblt(Side::Lower).solve(&right),
        };
        (0..b.len()).map(|row| solved[(row, 0)]).collect()
    }

    /// Eigenvalues, ascending, each with its eigenvector.
    pub(super) fn eigen(&self) -> Vec<(f64, Vec<f64>)> {
        let size = self.values.nrows();
        if size == 0 {
            return Vec::new();
        }
        let found = self.values.self_adjoint_eigen(Side::Lower).expect("finite entries converge");
        let vector = |at: usize| (0..size).map(|row| found.U()[(row, at)]).collect();
        (0..size).map(|at| (found.S()[at], vector(at))).collect()
    }
}
