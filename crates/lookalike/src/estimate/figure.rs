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
}

/// What privatized reports tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// How many reports there were.
    pub reports: u64,
    /// The share of each category among the true values.
    pub histogram: Vec<Figure>,
    /// The share of each profile; empty unless every profile has its own channel.
    pub mix: Vec<Figure>,
    /// The probability with which each interval covers the truth, or all of them do when they are simultaneous.
    pub confidence: f64,
    /// Whether the confidence is that of all intervals together.
    pub simultaneous: bool,
}
