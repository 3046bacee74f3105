//! What every solver gives back, and what it is asked on its way.

use std::fmt;

/// The answer to a [`super::Program`].
#[derive(Debug, Clone)]
pub struct Answer {
    /// The columns.
    pub x: Vec<f64>,
    /// The multipliers of the rows: how much the optimum rises with a row's binding bound.
    pub multipliers: Vec<f64>,
    /// Cost of the columns, without the pull.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub cost: f64,
    /// Steps taken.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub steps: u32,
    /// The largest miss of a row.
    pub miss: f64,
    /// How far the cost is above the bound that the multipliers prove, pull included.
    pub gap: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The caller asked to stop.
    Stopped,
    /// The factorization does not fit the memory.
    TooLarge,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped => f.write_str("stopped"),
            Failure::TooLarge => f.write_str("the solver's factorization does not fit the memory"),
        }
    }
}

/// What the caller says when a solver asks before a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Another step.
    GoOn,
    /// The best point so far will do.
    Enough,
    /// No answer is wanted any more.
    Stop,
}

/// Where a solver came to, in the terms of the reduced program.
pub(super) struct Found {
    /// The columns, within their bounds.
    pub(super) x: Vec<f64>,
    /// The multipliers of the rows.
    pub(super) y: Vec<f64>,
    /// Steps taken.
    pub(super) steps: u32,
    /// Whether the caller had enough before the solver had.
    pub(super) cut_short: bool,
}
