//! Reads shares back from how many reports support each category.

use super::figure::{Confidence, Estimate, Figure, PredictedError, Prediction};
use super::interval::interval;
use crate::error::{Error, Result};
use crate::exact::{Direction, Rational, to_f64};
use crate::model::Oracle;

/// Reads shares back from the reports of an oracle: `f̂ = (C/n − q)/(p − q)` for a category that C of n reports support,
/// with p and q of [`Oracle::support`].
///
/// # Guarantee
/// Unbiased: a report supports its own category with probability p and any other with q, exactly. Intervals are of
/// Wilson's kind on the probability of support, and are for the share in the population that values are drawn from.
///
/// # Example
/// ```
/// use lookalike::estimate::{Confidence, SupportEstimator};
/// use lookalike::{local::{Protocol, oracle}, model::Categories};
/// let oue = oracle(Protocol::Oue, Categories::new(["a", "b", "c"])?, "ln(3)".parse()?)?;
/// // p = 1/2 and q = 1/4: a share of 0.4 is supported by 0.35 of the reports.
/// let estimate = SupportEstimator::new(&oue).estimate(&[3_500, 3_250, 3_250], 10_000, Confidence::default())?;
/// let share = &estimate.histogram[0];
/// assert!((share.unbiased - 0.4).abs() < 1e-12 && share.lower < 0.4 && 0.4 < share.upper);
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SupportEstimator {
    categories: usize,
    own: f64,
    other: f64,
    /// p − q, which may be far smaller than the rounding of p and q.
    gap: f64,
}

impl SupportEstimator {
    /// The estimator of an oracle.
    pub fn new(oracle: &Oracle) -> Self {
        let [own, other] = oracle.support();
        let float = |value: &Rational| to_f64(value, Direction::Nearest);
        let gap = float(&(&own - &other));
        SupportEstimator { categories: oracle.size() as usize, own: float(&own), other: float(&other), gap }
    }

    /// n·Var of the estimate when the given share f of n values are of the category: what the oracle's noise adds to them.
    ///
    /// `q(1−q)/(p−q)² + f(1−p−q)/(p−q)`. For values that are themselves drawn from a population, f(1−f) is to be added.
    pub fn variance(&self, share: f64) -> f64 {
        let SupportEstimator { own, other, gap, .. } = self;
        other * (1.0 - other) / (gap * gap) + share * (1.0 - own - other) / gap
    }

    /// The estimate from the number of reports that support each category, and the number of all reports.
    ///
    /// The maximum-likelihood estimate of a figure is that of its own support alone.
    ///
    /// # Errors
    /// No reports, another number of counts than categories, a count above the number of reports, or a confidence that is
    /// not between 0 and 1.
    pub fn estimate(&self, counts: &[u64], reports: u64, confidence: Confidence) -> Result<Estimate> {
        self.check(counts, reports)?;
        confidence.check()?;
        let z = confidence.deviations(self.categories);
        // What a report says of a category that it does not support, and of one that it does.
        let readings = [-self.other / self.gap, (1.0 - self.other) / self.gap];
        let figure = |(x, &count): (u32, &u64)| {
            let share = count as f64 / reports as f64;
            let (below, above) = interval(&readings, &[1.0 - share, share], &[true; 2], reports as f64, z);
            let unbiased = (share - self.other) / self.gap;
            Figure::new(vec![x], unbiased, 0.0, unbiased, [below, above])
        };
        Ok(Estimate {
            reports,
            histogram: (0..).zip(counts).map(figure).collect(),
            covariance: Vec::new(),
            mix: Vec::new(),
            confidence: confidence.level,
            simultaneous: confidence.simultaneous,
        })
    }

    /// The error to expect from so many reports on values drawn from this law.
    ///
    /// # Errors
    /// No reports, or a law of another length.
    pub fn predict(&self, reports: u64, law: &[f64]) -> Result<Prediction> {
        if reports == 0 {
            return Err(Error::input("0 reports, expected at least 1"));
        }
        if law.len() != self.categories {
            return Err(Error::input(format!("a law of {} shares, expected {}", law.len(), self.categories)));
        }
        let error = |(x, &share): (u32, &f64)| {
            let variance = self.variance(share) + share * (1.0 - share);
            PredictedError { members: vec![x], deviation: (variance / reports as f64).sqrt(), bias: 0.0 }
        };
        Ok(Prediction { reports, histogram: (0..).zip(law).map(error).collect(), mix: Vec::new() })
    }

    fn check(&self, counts: &[u64], reports: u64) -> Result<()> {
        if reports == 0 {
            return Err(Error::input("no reports, expected at least one"));
        }
        if counts.len() != self.categories {
            return Err(Error::input(format!("support of {} categories, expected {}", counts.len(), self.categories)));
        }
        match counts.iter().find(|count| **count > reports) {
            None => Ok(()),
            Some(count) => Err(Error::input(format!("a category is supported by {count} of {reports} reports"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Categories, Encoding, TOTAL};

    fn estimator() -> SupportEstimator {
        let categories = Categories::new(["a", "b"]).unwrap();
        let encoding = Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 };
        SupportEstimator::new(&Oracle::new(categories, "ln(3)".parse().unwrap(), encoding).unwrap())
    }

    #[test]
    fn wrong_counts_are_refused() {
        let refused = |counts: &[u64], reports, level| {
            let confidence = Confidence { level, simultaneous: false };
            estimator().estimate(counts, reports, confidence).unwrap_err().to_string()
        };
        assert_eq!(refused(&[0, 0], 0, 0.95), "no reports, expected at least one");
        assert_eq!(refused(&[1], 2, 0.95), "support of 1 categories, expected 2");
        assert_eq!(refused(&[1, 3], 2, 0.95), "a category is supported by 3 of 2 reports");
        assert!(refused(&[1, 1], 2, 95.0).starts_with("a confidence of 95, expected one strictly between 0 and 1"));
        assert_eq!(estimator().predict(0, &[0.5; 2]).unwrap_err().to_string(), "0 reports, expected at least 1");
        assert_eq!(estimator().predict(9, &[0.5]).unwrap_err().to_string(), "a law of 1 shares, expected 2");
    }

    #[test]
    fn the_estimate_inverts_the_support_and_is_cut_to_a_share() {
        let estimate = estimator().estimate(&[450, 100], 1_000, Confidence::default()).unwrap();
        let [sure, none] = &estimate.histogram[..] else { panic!("two categories") };
        assert!((sure.unbiased - 0.8).abs() < 1e-12 && sure.likelihood == sure.unbiased);
        assert!((none.unbiased + 0.6).abs() < 1e-12 && none.likelihood == 0.0 && none.lower == 0.0 && none.cut);
        let wider = estimator().estimate(&[450, 100], 1_000, Confidence { level: 0.95, simultaneous: true }).unwrap();
        assert!(wider.histogram[0].lower < sure.lower && wider.histogram[0].upper > sure.upper);
    }

    #[test]
    fn the_variance_is_that_of_the_support_counts() {
        // n·Var(C/n) = f·p(1−p) + (1−f)·q(1−q) with p = 1/2, q = 1/4, over (p − q)².
        for share in [0.0, 0.3, 1.0] {
            let expected = (share * 0.25 + (1.0 - share) * 0.1875) * 16.0;
            assert!((estimator().variance(share) - expected).abs() < 1e-12);
        }
        let prediction = estimator().predict(100, &[0.25, 0.75]).unwrap();
        // With values drawn as well, the support of a report is a coin with q + f(p − q) = 5/16.
        let expected = (5.0 / 16.0 * 11.0 / 16.0 * 16.0 / 100.0f64).sqrt();
        assert!((prediction.histogram[0].deviation - expected).abs() < 1e-12);
    }
}
