//! Linear programs whose rows another module builds: one channel with demands beyond privacy.

use super::Watch;
use super::proposal::solved;
use crate::Result;
use crate::lp::Program;

/// The least cost over columns between bounds, under rows that the caller adds. Floats in, floats out: an answer is a
/// proposal, and whoever asks rounds and checks it.
pub(crate) struct LinearProgram(Program);

/// The answer to a [`LinearProgram`].
pub(crate) struct LinearAnswer {
    /// The columns.
    pub(crate) columns: Vec<f64>,
    /// How much the optimum rises with the bound of each row.
    pub(crate) multipliers: Vec<f64>,
}

impl LinearProgram {
    /// A program without rows or columns.
    pub(crate) fn new() -> Self {
        LinearProgram(Program::new())
    }

    /// A column of this cost between `lower` and 1, and where to start from, if that is known.
    pub(crate) fn column(&mut self, cost: f64, lower: f64, start: Option<f64>) {
        let column = self.0.column(cost, lower, 1.0);
        if let Some(start) = start {
            self.0.start(column, start);
        }
    }

    /// `Σ value·column = total`.
    pub(crate) fn equation(&mut self, terms: impl IntoIterator<Item = (u32, f64)>, total: f64) {
        self.0.row(terms, total, total);
    }

    /// `Σ value·column ≥ 0`.
    pub(crate) fn at_least(&mut self, terms: impl IntoIterator<Item = (u32, f64)>) {
        self.0.row(terms, 0.0, f64::INFINITY);
    }

    /// The answer, as good as the solver could make it: whoever asks has a bound of its own to judge it by.
    ///
    /// # Errors
    /// A program that does not fit the memory, or cancellation by the caller.
    pub(crate) fn solve(&self, watch: &Watch<'_>) -> Result<LinearAnswer> {
        let answer = solved(&self.0, "solving", watch)?;
        Ok(LinearAnswer { columns: answer.x, multipliers: answer.multipliers })
    }
}
