//! The Newton system as the method sees it, whichever way it is solved.

use super::newton::Newton;
use super::precise::Precise;
use super::program::Rows;

/// The Newton system, factored for one step and solved twice.
pub(super) trait System {
    fn factorize(&mut self, diagonal: &[f64], weights: &[f64]) -> bool;
    fn solve(&mut self, diagonal: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>);
}

pub(super) struct Regularized<'a, 'b> {
    pub(super) newton: &'a mut Newton<'b>,
    pub(super) regularization: f64,
}

impl System for Regularized<'_, '_> {
    fn factorize(&mut self, diagonal: &[f64], weights: &[f64]) -> bool {
        self.newton.factorize(diagonal, weights, self.regularization)
    }

    fn solve(&mut self, diagonal: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.newton.solve(diagonal, weights, g, h)
    }
}

pub(super) struct Unhurried<'a> {
    pub(super) precise: Precise,
    pub(super) rows: &'a Rows,
}

impl System for Unhurried<'_> {
    fn factorize(&mut self, diagonal: &[f64], weights: &[f64]) -> bool {
        self.precise.factorize(self.rows, diagonal, weights);
        true
    }

    fn solve(&mut self, _: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.precise.solve(self.rows, weights, g, h)
    }
}
