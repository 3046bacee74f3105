//! Estimates with their intervals.

use super::normal::upper_quantile;
use crate::error::{Error, Result};

/// A share of all reports with its interval: of one category or profile, or of several together where the reports say
/// no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The categories or profiles whose total share this is, ascending.
    pub members: Vec<u32>,
    /// The unbiased estimate, which noise may push below 0 or above 1.
    pub unbiased: f64,
    /// How far from the truth that is on average at most: 0 where the law of the reports determines the share, more
    /// where it leaves a range open.
    pub bias: f64,
    /// The maximum-likelihood estimate, between 0 and 1; one of several where the share is not determined.
    pub likelihood: f64,
    /// The interval, cut to 0 to 1; it has room for the bias.
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// Whether the interval was cut: it went below 0 or above 1.
    pub cut: bool,
}

impl Figure {
    /// The figure of an unbiased estimate and its interval before it is cut.
    pub(super) fn new(members: Vec<u32>, unbiased: f64, bias: f64, likelihood: f64, [below, above]: [f64; 2]) -> Self {
        let cut = |value: f64| value.clamp(0.0, 1.0);
        // The truth is a share, so an estimate beyond 0 or 1 is nearer to it after a move to the end.
        let (lower, upper) = (below + cut(unbiased) - unbiased, above + cut(unbiased) - unbiased);
        let is_cut = lower < 0.0 || upper > 1.0;
        let (likelihood, lower, upper) = (cut(likelihood), cut(lower), cut(upper));
        Figure { members, unbiased, bias, likelihood, lower, upper, cut: is_cut }
    }
}

/// What privatized reports tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// How many reports there were.
    pub reports: u64,
    /// The share of each category among the true values, then the totals of those that cannot be told apart.
    pub histogram: Vec<Figure>,
    /// The covariance of the unbiased estimates in the histogram, row by row; empty for the reports of an oracle, of
    /// which only the support of each category is counted.
    pub covariance: Vec<f64>,
    /// The shares of profiles, as far as they are determined; empty unless every profile has its own channel.
    pub mix: Vec<Figure>,
    /// The probability with which each interval covers the truth, or all of them do when they are simultaneous.
    pub confidence: f64,
    /// Whether the confidence is that of all intervals together.
    pub simultaneous: bool,
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

    /// How many standard deviations an interval reaches to each side, when there are so many of them.
    pub(super) fn deviations(self, figures: usize) -> f64 {
        let error = (1.0 - self.level) / if self.simultaneous { figures as f64 } else { 1.0 };
        upper_quantile(0.5 * error)
    }
}

impl Default for Confidence {
    /// 95 % each.
    fn default() -> Self {
        Confidence { level: 0.95, simultaneous: false }
    }
}

/// The error of the unbiased estimates to expect from a number of reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// How many reports.
    pub reports: u64,
    /// Those of the histogram.
    pub histogram: Vec<PredictedError>,
    /// Those of the mix of profiles.
    pub mix: Vec<PredictedError>,
}

/// The error of one figure.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedError {
    /// The members of the figure.
    pub members: Vec<u32>,
    /// The standard deviation of its estimate, which falls with the number of reports.
    pub deviation: f64,
    /// Its bias at most, which does not; 0 where the share is determined.
    pub bias: f64,
}

impl PredictedError {
    /// The root of the mean squared error, at most.
    pub fn total(&self) -> f64 {
        self.deviation.hypot(self.bias)
    }
}

impl Prediction {
    /// The root of the mean squared error over the categories, at most.
    pub fn root_mean_square(&self) -> f64 {
        let single = || self.histogram.iter().filter(|error| error.members.len() == 1);
        let sum: f64 = single().map(|error| error.total().powi(2)).sum();
        (sum / single().count() as f64).sqrt()
    }
}
