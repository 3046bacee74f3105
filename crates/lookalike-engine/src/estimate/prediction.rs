//! The error to expect, before anything is collected.

use super::report_reader::ReportReader;
use super::reports::EstimateNames;
use lookalike::design::{Problem, randomized_response};
use lookalike::estimate::{Confidence, Estimator, PredictedInterval, Prediction, SupportEstimator, Trust};
use lookalike::exact::{Direction, to_f64};
use lookalike::local::{Protocol, oracle};
use lookalike::model::{Kind, Mechanism, Oracle, SecretGraph};
use lookalike_formats::{Result, largest_epsilon};
use serde::Serialize;

/// A prediction beside that of local DP for the same true shares.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Through the mechanism.
    pub ours: Prediction,
    /// k-ary randomized response at the largest ε of the mechanism, which favours it.
    pub local: Prediction,
    /// What the latter is called: an oracle is local DP itself.
    pub local_name: &'static str,
}

impl Comparison {
    /// For true shares of the profiles, or of the categories where there is one channel for all; by default all secrets
    /// are equally frequent.
    ///
    /// # Errors
    /// No reports, or shares that are not one for each and sum to 1.
    pub fn new(
        readback: &ReportReader<'_>,
        reports: u64,
        shares: Option<&[f64]>,
        confidence: Confidence,
    ) -> Result<Self> {
        let asked = Asked { reports, shares, confidence };
        match readback {
            ReportReader::Channels(mechanism, estimator) => Comparison::of_channels(mechanism, estimator, &asked),
            ReportReader::Support(oracle, estimator) => Comparison::of_support(oracle, estimator, &asked),
        }
    }

    fn of_channels(mechanism: &Mechanism, estimator: &Estimator, asked: &Asked<'_>) -> Result<Self> {
        let inputs = mechanism.inputs();
        let mut builder = SecretGraph::builder(inputs.names().clone());
        builder.complete(largest_epsilon(mechanism));
        let local = randomized_response(&Problem::values(inputs.clone(), builder.build()?)?)?.mechanism;
        let are_of_profiles = mechanism.kind() == Kind::Aware || estimator.trust().is_about_population();
        let even = even(mechanism.graph().names().len());
        let shares = match asked.shares {
            Some(shares) if !are_of_profiles => shares.to_vec(),
            mix => input_shares(mechanism, mix.unwrap_or(&even)),
        };
        let mix = match are_of_profiles {
            true => estimator.mix_of_profiles(mechanism, asked.shares.unwrap_or(&even))?,
            false => shares.clone(),
        };
        Ok(Comparison {
            ours: estimator.predict(asked.reports, Some(&mix), asked.confidence)?,
            local: Estimator::new(&local, Trust::Nothing)?.predict(asked.reports, Some(&shares), asked.confidence)?,
            local_name: "local DP",
        })
    }

    fn of_support(ours: &Oracle, estimator: &SupportEstimator, asked: &Asked<'_>) -> Result<Self> {
        let local = oracle(Protocol::KRr, ours.categories().clone(), ours.epsilon().clone())?;
        let predict = |estimator: &SupportEstimator| estimator.predict(asked.reports, asked.shares, asked.confidence);
        Ok(Comparison {
            ours: predict(estimator)?,
            local: predict(&SupportEstimator::new(&local))?,
            local_name: Protocol::KRr.name(),
        })
    }

    /// How many times as many reports local DP takes for intervals that are as narrow; `None` where no number of them makes
    /// ours as narrow as one likes.
    pub fn times_as_many(&self) -> Option<f64> {
        let (ours, local) = (self.ours.root_mean_square(), self.local.root_mean_square());
        (self.ours.is_determined() && ours > 0.0).then(|| (local / ours).powi(2))
    }

    /// What is said of it.
    pub fn facts<'n>(&self, names: EstimateNames<'n>) -> PredictionFacts<'n> {
        let width = |interval: &PredictedInterval| PredictedShareFacts {
            categories: interval.members.iter().map(|&member| names.categories.name(member)).collect(),
            share: interval.share,
            width: interval.width,
            determined: interval.determined,
        };
        let one = |prediction: &Prediction| PredictedWidthsFacts {
            widest: prediction.widest(),
            root_mean_square: prediction.root_mean_square(),
            histogram: prediction.histogram.iter().map(width).collect(),
        };
        PredictionFacts {
            reports: self.ours.reports,
            confidence: self.ours.confidence,
            trust: self.ours.trust.name(),
            mechanism: one(&self.ours),
            local_dp: one(&self.local),
            times_as_many: self.times_as_many(),
        }
    }
}

/// The intervals to expect, before anything is collected.
#[derive(Debug, Clone, Serialize)]
pub struct PredictionFacts<'n> {
    /// How many reports there will be.
    pub reports: u64,
    /// How often an interval covers the truth.
    pub confidence: f64,
    /// What the figures rest on: `nothing`, `limits` or `profiles`.
    pub trust: &'static str,
    /// Through the mechanism.
    pub mechanism: PredictedWidthsFacts<'n>,
    /// Through k-ary randomized response at the largest ε.
    pub local_dp: PredictedWidthsFacts<'n>,
    /// How many times as many reports local DP takes for intervals that are as narrow; null where no number of them makes
    /// those of the mechanism as narrow as one likes.
    pub times_as_many: Option<f64>,
}

/// The widths of intervals.
#[derive(Debug, Clone, Serialize)]
pub struct PredictedWidthsFacts<'n> {
    /// The largest.
    pub widest: f64,
    /// The root of the mean of their squares.
    pub root_mean_square: f64,
    /// That of each share.
    pub histogram: Vec<PredictedShareFacts<'n>>,
}

/// The width of an interval.
#[derive(Debug, Clone, Serialize)]
pub struct PredictedShareFacts<'n> {
    /// What it is the share of.
    pub categories: Vec<&'n str>,
    /// The true share.
    pub share: f64,
    /// The width.
    pub width: f64,
    /// Whether more reports make it as narrow as one likes.
    pub determined: bool,
}

/// What is to be predicted.
struct Asked<'a> {
    reports: u64,
    shares: Option<&'a [f64]>,
    confidence: Confidence,
}

/// Every one of so many equally frequent.
fn even(count: usize) -> Vec<f64> {
    vec![1.0 / count as f64; count]
}

/// The share of each input value when secrets have these shares.
fn input_shares(mechanism: &Mechanism, mix: &[f64]) -> Vec<f64> {
    let mut shares = vec![0.0; mechanism.inputs().len()];
    // Shares for another number of secrets are refused by the estimator.
    for (secret, weight) in mix.iter().enumerate().take(mechanism.graph().names().len()) {
        for (share, p) in shares.iter_mut().zip(mechanism.input_law(secret as u32).probabilities()) {
            *share += weight * to_f64(&p, Direction::Nearest);
        }
    }
    shares
}
