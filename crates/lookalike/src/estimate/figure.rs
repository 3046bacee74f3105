//! Estimates with their intervals.

use super::misfit::Misfit;
use super::trust::Trust;
use crate::{Error, Result};

/// A share of all respondents with its interval: of one category or profile, or of several together where the reports say
/// no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The categories or profiles whose total share this is, ascending.
    pub members: Vec<u32>,
    /// The estimate: the share in the mix that makes the reports the likeliest, taken into the interval.
    pub share: f64,
    /// The interval.
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// The share of the released column that has these very labels, counted without a correction; `None` where the mechanism
    /// releases other labels, and for profiles.
    pub counted: Option<f64>,
    /// An estimate that is right on average, for adding up many: noise may push it below 0 or above 1. `None` where the reports do
    /// not determine the share.
    pub unbiased: Option<f64>,
}

impl Figure {
    /// The figure of an estimate that may lie beyond its interval.
    pub(super) fn new(members: Vec<u32>, share: f64, [lower, upper]: [f64; 2]) -> Self {
        let (lower, upper) = (lower.clamp(0.0, 1.0), upper.clamp(0.0, 1.0));
        let (lower, upper) = (lower.min(upper), upper.max(lower));
        Figure { members, share: share.clamp(lower, upper), lower, upper, counted: None, unbiased: None }
    }

    /// How wide the interval is.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

/// What privatized reports tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// How many reports there were, without those that stand in for others.
    pub reports: u64,
    /// How many more rows were released without a look at their value.
    pub stand_ins: u64,
    /// What the figures rest on.
    pub trust: Trust,
    /// The share of each category among the true values, then the totals of those that cannot be told apart.
    pub histogram: Vec<Figure>,
    /// The covariance of the unbiased estimates of the categories, row by row; empty where some have none, and for the reports of
    /// an oracle, of which only the support of each category is counted.
    pub covariance: Vec<f64>,
    /// The shares of profiles, as far as they are determined; empty unless profiles are trusted.
    pub mix: Vec<Figure>,
    /// The probability with which each interval covers the truth, or all of them do when they are simultaneous.
    pub confidence: f64,
    /// Whether the confidence is that of all intervals together.
    pub simultaneous: bool,
    /// What does not fit, where no mix explains the reports: then the figures are about nothing.
    pub misfit: Option<Misfit>,
}

/// How often intervals are to cover the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// A probability strictly between 0 and 1.
    pub level: f64,
    /// Whether all intervals are to cover at once (Bonferroni), rather than each by itself.
    pub simultaneous: bool,
}

impl Confidence {
    /// Whether the level is one.
    pub fn is_valid(self) -> bool {
        self.level > 0.0 && self.level < 1.0
    }

    pub(super) fn check(self) -> Result<()> {
        if self.is_valid() {
            return Ok(());
        }
        Err(Error::input(format!("a confidence of {}, expected one strictly between 0 and 1 such as 0.95", self.level)))
    }

    /// How often each end of an interval may miss, when there are so many intervals.
    pub(super) fn error(self, figures: usize) -> f64 {
        0.5 * (1.0 - self.level) / if self.simultaneous { figures as f64 } else { 1.0 }
    }
}

impl Default for Confidence {
    /// 95 % each.
    fn default() -> Self {
        Confidence { level: 0.95, simultaneous: false }
    }
}

/// The intervals to expect from a number of reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// How many reports.
    pub reports: u64,
    /// How often an interval is to cover the truth.
    pub confidence: f64,
    /// What they will rest on.
    pub trust: Trust,
    /// Those of the categories, and of the totals of those that cannot be told apart.
    pub histogram: Vec<PredictedInterval>,
    /// Those of the mix of profiles.
    pub mix: Vec<PredictedInterval>,
}

/// The interval of one figure, when the reports come out as expected.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedInterval {
    /// The members of the figure.
    pub members: Vec<u32>,
    /// The true share.
    pub share: f64,
    /// How wide the interval will be.
    pub width: f64,
    /// Whether it gets as narrow as one likes with more reports.
    pub determined: bool,
}

impl Prediction {
    /// Whether enough reports tell the share of every category.
    pub fn is_determined(&self) -> bool {
        self.histogram.iter().all(|interval| interval.determined || interval.members.len() > 1)
    }

    /// The width of the widest interval of a category.
    pub fn widest(&self) -> f64 {
        let single = self.histogram.iter().filter(|interval| interval.members.len() == 1);
        single.map(|interval| interval.width).fold(0.0, f64::max)
    }

    /// The root of the mean squared width over the categories.
    pub fn root_mean_square(&self) -> f64 {
        let single = || self.histogram.iter().filter(|interval| interval.members.len() == 1);
        let sum: f64 = single().map(|interval| interval.width.powi(2)).sum();
        (sum / single().count() as f64).sqrt()
    }
}
