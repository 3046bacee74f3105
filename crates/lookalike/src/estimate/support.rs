//! Reads shares back from how many reports support each category.

use super::figure::{Confidence, Estimate, Figure, PredictedInterval, Prediction};
use super::misfit::{Misfit, RARE};
use super::reported::Reported;
use super::trust::Trust;
use super::upper_reading::upper_share;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::Oracle;
use crate::{Error, Result};
use rayon::prelude::*;

/// Reads shares back from the reports of an oracle: `f̂ = (C/n − q)/(p − q)` for a category that C of n reports support,
/// with p and q of [`Oracle::support`].
///
/// # Guarantee
/// A report supports its own category with probability p and any other with q, exactly, and intervals are the limits of Clopper
/// and Pearson for the support: each misses the share with probability at most 1 − confidence however few reports there
/// are, that among those who reported and that in a population they were drawn from.
///
/// # Example
/// ```
/// use lookalike::estimate::{Confidence, SupportEstimator};
/// use lookalike::{local::{Protocol, oracle}, model::Categories};
/// let oue = oracle(Protocol::Oue, Categories::new(["a", "b", "c"])?, "ln(3)".parse()?)?;
/// // p = 1/2 and q = 1/4: a share of 0.4 is supported by 0.35 of the reports.
/// let estimator = SupportEstimator::new(&oue);
/// let estimate = estimator.estimate(&[3_500, 3_250, 3_250], 10_000, 0, Confidence::default())?;
/// let figure = &estimate.histogram[0];
/// assert!((figure.share - 0.4).abs() < 1e-12 && figure.lower < 0.4 && 0.4 < figure.upper);
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

    /// The estimate from the number of reports that support each category, and the number of all reports, of which some may
    /// [stand in](Reported::with_stand_ins) for others: those are reports of a category that is drawn evenly.
    ///
    /// # Errors
    /// No reports, another number of counts than categories, a count above the number of reports, only stand-ins, or a
    /// confidence that is not between 0 and 1.
    pub fn estimate(&self, counts: &[u64], rows: u64, stand_ins: u64, confidence: Confidence) -> Result<Estimate> {
        let mut all = self.estimate_cohorts(&[(counts.to_vec(), rows)], stand_ins, confidence)?;
        Ok(all.remove(0))
    }

    /// An estimate for each of several cohorts: of each the support of the categories and the number of reports, of which so many
    /// stand in for others. Simultaneous intervals are so over all of them.
    ///
    /// # Errors
    /// As [`SupportEstimator::estimate`].
    pub fn estimate_cohorts(
        &self,
        cohorts: &[(Vec<u64>, u64)],
        stand_ins: u64,
        confidence: Confidence,
    ) -> Result<Vec<Estimate>> {
        confidence.check()?;
        for (counts, rows) in cohorts {
            self.check(counts, *rows)?;
            Reported::new(vec![*rows]).with_stand_ins(stand_ins)?;
        }
        let error = confidence.error(self.categories * cohorts.len());
        let rare = RARE / cohorts.len() as f64;
        let estimate =
            |(counts, rows): &(Vec<u64>, u64)| self.from(counts, *rows, stand_ins, confidence, [error, rare]);
        Ok(cohorts.par_iter().map(estimate).collect())
    }

    /// The estimate whose ends may miss with this probability, and which may say that reports do not fit that do with that.
    fn from(
        &self,
        counts: &[u64],
        rows: u64,
        stand_ins: u64,
        confidence: Confidence,
        [error, rare]: [f64; 2],
    ) -> Estimate {
        let estimated = Support { of: self, fixed: stand_ins as f64 / rows as f64 };
        let figure = |(x, &count): (u32, &u64)| {
            let upper = estimated.share(upper_share(count, rows, error));
            let lower = estimated.share(1.0 - upper_share(rows - count, rows, error));
            let unbiased = estimated.share(count as f64 / rows as f64);
            Figure { unbiased: Some(unbiased), ..Figure::new(vec![x], unbiased, [lower, upper]) }
        };
        Estimate {
            reports: rows - stand_ins,
            stand_ins,
            trust: Trust::Nothing,
            histogram: (0..).zip(counts).map(figure).collect(),
            covariance: Vec::new(),
            mix: Vec::new(),
            confidence: confidence.level,
            simultaneous: confidence.simultaneous,
            misfit: self.misfit(counts, rows, &estimated, rare),
        }
    }

    /// A category that more or fewer reports support than any share explains, or shares that sum to more or less than 1 whatever
    /// they are within limits that all hold at once.
    fn misfit(&self, counts: &[u64], rows: u64, estimated: &Support<'_>, rare: f64) -> Option<Misfit> {
        let error = rare / (2 * self.categories) as f64;
        let limits = |&count: &u64| {
            let most = estimated.share(upper_share(count, rows, error));
            let least = estimated.share(1.0 - upper_share(rows - count, rows, error));
            [least, most]
        };
        let limits: Vec<[f64; 2]> = counts.iter().map(limits).collect();
        let misfit = |x: usize, share: f64| {
            let (reported, fitted) = (counts[x] as f64 / rows as f64, estimated.support(share));
            Some(Misfit { output: x as u32, reported, fitted, probability: rare })
        };
        if let Some(x) = limits.iter().position(|[least, most]| *most < 0.0 || *least > 1.0) {
            return misfit(x, if limits[x][1] < 0.0 { 0.0 } else { 1.0 });
        }
        let sum = |end: usize| limits.iter().map(|limits| limits[end].clamp(0.0, 1.0)).sum::<f64>();
        let (least, most) = (sum(0), sum(1));
        if least <= 1.0 && most >= 1.0 {
            return None;
        }
        // The largest share, in proportion to the others.
        let shares = counts.iter().map(|&count| estimated.share(count as f64 / rows as f64).max(0.0));
        let total: f64 = shares.clone().sum();
        let (x, largest) = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        misfit(x, if total > 0.0 { largest / total } else { 1.0 / self.categories as f64 })
    }

    /// The intervals to expect from so many reports on values drawn from this law; by default from an even one.
    ///
    /// # Errors
    /// No reports, a law of another length, or a confidence that is not between 0 and 1.
    pub fn predict(&self, reports: u64, law: Option<&[f64]>, confidence: Confidence) -> Result<Prediction> {
        if reports == 0 {
            return Err(Error::input("0 reports, expected at least 1"));
        }
        let even = vec![1.0 / self.categories as f64; self.categories];
        let law = law.unwrap_or(&even);
        if law.len() != self.categories {
            return Err(Error::input(format!("a law of {} shares, expected {}", law.len(), self.categories)));
        }
        let support = Support { of: self, fixed: 0.0 };
        let count = |share: &f64| ((support.support(*share) * reports as f64).round() as u64).min(reports);
        let counts: Vec<u64> = law.iter().map(count).collect();
        let found = self.estimate(&counts, reports, 0, confidence)?;
        let interval = |(figure, &share): (&Figure, &f64)| PredictedInterval {
            members: figure.members.clone(),
            share,
            width: figure.width(),
            determined: true,
        };
        let histogram = found.histogram.iter().zip(law).map(interval).collect();
        Ok(Prediction { reports, confidence: confidence.level, trust: Trust::Nothing, histogram, mix: Vec::new() })
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

/// How often a category is supported among reports of which a part is fixed.
struct Support<'a> {
    of: &'a SupportEstimator,
    /// The part that stands in for others.
    fixed: f64,
}

impl Support<'_> {
    /// The share of a category that is supported so often; below 0 or above 1 where none is.
    fn share(&self, support: f64) -> f64 {
        let even = self.fixed / self.of.categories as f64;
        ((support - self.of.other) / self.of.gap - even) / (1.0 - self.fixed)
    }

    /// How often a category with this share is supported.
    fn support(&self, share: f64) -> f64 {
        let even = self.fixed / self.of.categories as f64;
        self.of.other + self.of.gap * ((1.0 - self.fixed) * share + even)
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
            estimator().estimate(counts, reports, 0, confidence).unwrap_err().to_string()
        };
        assert_eq!(refused(&[0, 0], 0, 0.95), "no reports, expected at least one");
        assert_eq!(refused(&[1], 2, 0.95), "support of 1 categories, expected 2");
        assert_eq!(refused(&[1, 3], 2, 0.95), "a category is supported by 3 of 2 reports");
        assert!(refused(&[1, 1], 2, 95.0).starts_with("a confidence of 95, expected one strictly between 0 and 1"));
        let error = |reports, law: &[f64]| {
            estimator().predict(reports, Some(law), Confidence::default()).unwrap_err().to_string()
        };
        assert_eq!(error(0, &[0.5; 2]), "0 reports, expected at least 1");
        assert_eq!(error(9, &[0.5]), "a law of 1 shares, expected 2");
    }

    #[test]
    fn the_estimate_inverts_the_support_and_lies_in_its_interval() {
        let estimate = estimator().estimate(&[450, 100], 1_000, 0, Confidence::default()).unwrap();
        let [sure, none] = &estimate.histogram[..] else { panic!("two categories") };
        assert!((sure.share - 0.8).abs() < 1e-12 && sure.unbiased == Some(sure.share));
        assert!((none.unbiased.unwrap() + 0.6).abs() < 1e-12 && none.share == 0.0 && none.lower == 0.0);
        let wider =
            estimator().estimate(&[450, 100], 1_000, 0, Confidence { level: 0.95, simultaneous: true }).unwrap();
        assert!(wider.histogram[0].lower < sure.lower && wider.histogram[0].upper > sure.upper);
        // Over all categories of all cohorts, as single ones of a smaller error.
        let all = Confidence { level: 0.92, simultaneous: true };
        let cohorts = estimator().estimate_cohorts(&vec![(vec![450, 100], 1_000); 4], 0, all).unwrap();
        let one = estimator().estimate(&[450, 100], 1_000, 0, Confidence { level: 0.99, simultaneous: false }).unwrap();
        assert!((cohorts[3].histogram[0].width() - one.histogram[0].width()).abs() < 1e-12);
        assert_eq!((cohorts[3].confidence, cohorts[0].misfit.clone().unwrap().probability), (0.92, RARE / 4.0));
        // 100 of 1,000 where nobody has it and 250 are expected: another mechanism's.
        let misfit = estimate.misfit.unwrap();
        assert_eq!((misfit.output, misfit.reported, misfit.fitted), (1, 0.1, 0.25));
        // Shares of 1 and 0.8: each is one, and both are not.
        let misfit = estimator().estimate(&[500, 450], 1_000, 0, Confidence::default()).unwrap().misfit.unwrap();
        assert_eq!((misfit.output, misfit.reported), (0, 0.5));
        assert!((misfit.fitted - (0.25 + 0.25 / 1.8)).abs() < 1e-12, "{misfit:?}");
        // And of 0.2 and 0.1.
        assert!(estimator().estimate(&[300, 275], 1_000, 0, Confidence::default()).unwrap().misfit.is_some());
        assert_eq!(estimator().estimate(&[450, 300], 1_000, 0, Confidence::default()).unwrap().misfit, None);
    }

    #[test]
    fn stand_ins_are_taken_out() {
        // Half of the rows are reports of an even draw, supported by 3/8; the others have a share of 0.8: 0.45.
        let estimate = estimator().estimate(&[825, 675], 2_000, 1_000, Confidence::default()).unwrap();
        assert!((estimate.histogram[0].share - 0.8).abs() < 1e-9, "{estimate:?}");
        assert_eq!((estimate.reports, estimate.stand_ins), (1_000, 1_000));
        let error = estimator().estimate(&[1, 1], 2, 2, Confidence::default()).unwrap_err().to_string();
        assert_eq!(error, "2 of 2 reports stand in for others, expected fewer");
    }

    #[test]
    fn the_variance_is_that_of_the_support_counts() {
        // n·Var(C/n) = f·p(1−p) + (1−f)·q(1−q) with p = 1/2, q = 1/4, over (p − q)².
        for share in [0.0, 0.3, 1.0] {
            let expected = (share * 0.25 + (1.0 - share) * 0.1875) * 16.0;
            assert!((estimator().variance(share) - expected).abs() < 1e-12);
        }
        // An interval of many reports is 1.96 deviations to each side, of a coin with q + f(p − q) = 5/16.
        let prediction = estimator().predict(1_000_000, Some(&[0.25, 0.75]), Confidence::default()).unwrap();
        let expected = 2.0 * 1.96 * (5.0 / 16.0 * 11.0 / 16.0 * 16.0 / 1e6f64).sqrt();
        assert!((prediction.histogram[0].width / expected - 1.0).abs() < 0.01);
    }
}
