//! Estimates with their intervals.

/// A share of all reports with its interval: of one category or profile, or of several together where the reports say
/// no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The categories or profiles whose total share this is, ascending.
    pub members: Vec<u32>,
    /// The unbiased estimate, which noise may push below 0 or above 1.
    pub unbiased: f64,
    /// The maximum-likelihood estimate, between 0 and 1.
    pub likelihood: f64,
    /// The interval, cut to 0 to 1.
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// Whether the interval was cut: it went below 0 or above 1.
    pub cut: bool,
}

/// What privatized reports tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// How many reports there were.
    pub reports: u64,
    /// The share of each category among the true values.
    pub histogram: Vec<Figure>,
    /// The covariance of the unbiased estimates in the histogram, row by row.
    pub covariance: Vec<f64>,
    /// The share of each profile; empty unless every profile has its own channel.
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
    /// For each figure of the histogram its members and the standard deviation of its estimate.
    pub histogram: Vec<(Vec<u32>, f64)>,
    /// The same for the mix of profiles.
    pub mix: Vec<(Vec<u32>, f64)>,
}

impl Prediction {
    /// The root of the mean squared error over the histogram's figures.
    pub fn root_mean_square(&self) -> f64 {
        let sum: f64 = self.histogram.iter().map(|(_, deviation)| deviation * deviation).sum();
        (sum / self.histogram.len() as f64).sqrt()
    }
}
