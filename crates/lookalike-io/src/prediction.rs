//! The error to expect, before anything is collected.

use crate::{EstimateNames, Readback, Result, largest_epsilon};
use lookalike::design::{Problem, randomized_response};
use lookalike::estimate::{Estimator, PredictedError, Prediction, SupportEstimator};
use lookalike::exact::{Direction, to_f64};
use lookalike::local::{Protocol, oracle};
use lookalike::model::{Kind, Mechanism, Oracle, SecretGraph};
use serde_json::{Value, json};

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
    pub fn new(readback: &Readback<'_>, reports: u64, shares: Option<&[f64]>) -> Result<Self> {
        match readback {
            Readback::Channels(mechanism, estimator) => Comparison::of_channels(mechanism, estimator, reports, shares),
            Readback::Support(oracle, estimator) => Comparison::of_support(oracle, estimator, reports, shares),
        }
    }

    fn of_channels(mechanism: &Mechanism, estimator: &Estimator, reports: u64, given: Option<&[f64]>) -> Result<Self> {
        let inputs = mechanism.inputs();
        let mut builder = SecretGraph::builder(inputs.names().clone());
        builder.complete(largest_epsilon(mechanism));
        let local = randomized_response(&Problem::values(inputs.clone(), builder.build()?)?)?.mechanism;
        let even = even(mechanism.graph().names().len());
        let is_aware = mechanism.kind() == Kind::Aware;
        let shares = match given {
            Some(shares) if !is_aware => shares.to_vec(),
            mix => input_shares(mechanism, mix.unwrap_or(&even)),
        };
        let mix = if is_aware { given.unwrap_or(&even) } else { &shares };
        Ok(Comparison {
            ours: estimator.predict(reports, mix)?,
            local: Estimator::new(&local)?.predict(reports, &shares)?,
            local_name: "local DP",
        })
    }

    fn of_support(ours: &Oracle, estimator: &SupportEstimator, reports: u64, given: Option<&[f64]>) -> Result<Self> {
        let local = oracle(Protocol::KRr, ours.categories().clone(), ours.epsilon().clone())?;
        let even = even(ours.size() as usize);
        let shares = given.unwrap_or(&even);
        Ok(Comparison {
            ours: estimator.predict(reports, shares)?,
            local: SupportEstimator::new(&local).predict(reports, shares)?,
            local_name: Protocol::KRr.name(),
        })
    }

    /// How many times as many reports local DP takes for the same mean squared error; `None` where no number of them does.
    pub fn times_as_many(&self) -> Option<f64> {
        let (ours, local) = (self.ours.root_mean_square(), self.local.root_mean_square());
        (self.bias() == 0.0 && ours > 0.0).then(|| (local / ours).powi(2))
    }

    /// By how much a share stays open at most, however many reports there are.
    pub fn bias(&self) -> f64 {
        self.ours.histogram.iter().map(|error| error.bias).fold(0.0, f64::max)
    }

    /// `reports`, and for the `mechanism` and `local_dp` the `root_mean_square` error and the `histogram` of errors.
    pub fn json(&self, names: EstimateNames<'_>) -> Value {
        let named = |error: &PredictedError| {
            let names: Vec<&str> = error.members.iter().map(|&member| names.categories.name(member)).collect();
            json!({ "categories": names, "standard_error": error.deviation, "bias": error.bias })
        };
        let one = |prediction: &Prediction| {
            json!({
                "root_mean_square": prediction.root_mean_square(),
                "histogram": prediction.histogram.iter().map(named).collect::<Vec<_>>(),
            })
        };
        json!({ "reports": self.ours.reports, "mechanism": one(&self.ours), "local_dp": one(&self.local) })
    }
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
