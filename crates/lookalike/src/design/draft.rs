//! A solver's floats, before they become integers.

use super::rounding::in_proportion;
use super::{Problem, Repaired, repair};
use crate::model::Channel;
use crate::{Error, Result};
use rayon::prelude::*;

/// Channels as a solver returns them: rows of floats that sum to about 1, with the odd −1e-12 among them.
///
/// A draft is never sampled and never certified; [`Draft::into_mechanism`] rounds and repairs it first.
#[derive(Debug, Clone)]
pub struct Draft {
    /// One matrix for each part of the secrets that shares a channel.
    channels: Vec<Vec<Vec<f64>>>,
}

/// A row further from 1 than this is a solver's failure, not its noise.
const LARGEST_MISS: f64 = 1e-3;

impl Draft {
    /// The draft with these matrices: one for each component of the graph (kind aware), or one for all.
    ///
    /// # Errors
    /// An entry that is not a finite number, or a row that does not sum to about 1.
    pub fn new(channels: Vec<Vec<Vec<f64>>>) -> Result<Self> {
        for row in channels.iter().flatten() {
            let sum: f64 = row.iter().map(|entry| entry.max(0.0)).sum();
            if row.iter().any(|entry| !entry.is_finite()) || (sum - 1.0).abs() > LARGEST_MISS {
                return Err(Error::inapplicable(format!(
                    "the solver returned a row that sums to {sum}, expected about 1: it did not converge"
                )));
            }
        }
        Ok(Draft { channels })
    }

    /// The mechanism: negative entries dropped, rows scaled and rounded to whole weights, then repaired.
    ///
    /// # Errors
    /// Matrices that do not fit the problem.
    pub fn into_mechanism(self, problem: &Problem) -> Result<Repaired> {
        let parts = problem.parts();
        if self.channels.len() != parts.count {
            return Err(Error::input(format!("{} matrices for {} parts", self.channels.len(), parts.count)));
        }
        let round = |rows: &Vec<Vec<f64>>| Channel::rows(rows.iter().map(|row| round_row(row)).collect());
        let channels = self.channels.par_iter().map(round).collect::<Result<Vec<_>>>()?;
        repair(problem.mechanism(parts, channels)?)
    }
}

/// The row of floats, each to 2^−64 below, scaled to sum to 2^53.
fn round_row(row: &[f64]) -> Vec<u64> {
    let unit = (1u128 << 64) as f64;
    in_proportion(&row.iter().map(|entry| (entry.max(0.0) * unit) as u128).collect::<Vec<_>>())
}
