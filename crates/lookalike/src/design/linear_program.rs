//! Linear programs whose rows another module builds: one channel with demands beyond privacy.

use super::Watch;
use crate::error::{Error, Result};
use crate::lp::{self, Failure, Program};

/// How much less accurate further attempts may be: whoever asks has a bound of its own to judge an answer by.
const TOLERANCES: [f64; 3] = [10.0, 100.0, 1000.0];

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

    /// The answer; where the solver makes no more progress, a less accurate one.
    ///
    /// # Errors
    /// A solver that makes no progress at all, or the caller's wish to stop.
    pub(crate) fn solve(&self, watch: &Watch<'_>) -> Result<LinearAnswer> {
        let stop = |step: u32| watch.step("solving", u64::from(step), None).is_err();
        let mut program = self.0.clone();
        let mut answer = lp::solve(&program, &stop);
        for tolerance in TOLERANCES {
            if let Err(Failure::Stalled { .. }) = answer {
                program.tolerate(tolerance);
                answer = lp::solve(&program, &stop);
            }
        }
        let answer = answer.map_err(|failure| match failure {
            Failure::Stopped => Error::stopped(),
            Failure::Stalled { .. } | Failure::TooLarge => Error::inapplicable(format!(
                "{failure} ({} columns, {} rows); fewer demands or a smaller domain may be solved",
                self.0.columns(),
                self.0.rows()
            )),
        })?;
        Ok(LinearAnswer { columns: answer.x, multipliers: answer.multipliers })
    }
}
