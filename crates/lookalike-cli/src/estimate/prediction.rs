//! The error to expect, before anything is collected.

use super::Readback;
use crate::terminal::{figure, table};
use lookalike::design::{Problem, randomized_response};
use lookalike::estimate::{Estimator, PredictedError, Prediction, SupportEstimator};
use lookalike::exact::{Direction, to_f64};
use lookalike::local::{Protocol, oracle};
use lookalike::model::{Kind, Mechanism, Oracle, SecretGraph};
use lookalike_io::{EstimateNames, Result, largest_epsilon};
use serde_json::{Value, json};

/// A prediction beside that of local DP for the same true shares.
pub struct Comparison {
    ours: Prediction,
    /// k-ary randomized response at the largest ε of the mechanism, which favours it.
    local: Prediction,
    /// What the latter is called: an oracle is local DP itself.
    local_name: &'static str,
}

impl Comparison {
    /// When every profile, or every value where values are the secrets, is equally frequent.
    pub fn new(readback: &Readback<'_>, reports: u64) -> Result<Self> {
        match readback {
            Readback::Channels(mechanism, estimator) => Comparison::of_channels(mechanism, estimator, reports),
            Readback::Support(oracle, estimator) => Comparison::of_support(oracle, estimator, reports),
        }
    }

    fn of_channels(mechanism: &Mechanism, estimator: &Estimator, reports: u64) -> Result<Self> {
        let inputs = mechanism.inputs();
        let mut builder = SecretGraph::builder(inputs.names().clone());
        builder.complete(largest_epsilon(mechanism));
        let local = randomized_response(&Problem::values(inputs.clone(), builder.build()?)?)?.mechanism;
        let secrets = mechanism.graph().names().len();
        let even = vec![1.0 / secrets as f64; secrets];
        let shares = input_shares(mechanism);
        let mix = if mechanism.kind() == Kind::Aware { &even } else { &shares };
        Ok(Comparison {
            ours: estimator.predict(reports, mix)?,
            local: Estimator::new(&local)?.predict(reports, &shares)?,
            local_name: "local DP",
        })
    }

    fn of_support(ours: &Oracle, estimator: &SupportEstimator, reports: u64) -> Result<Self> {
        let local = oracle(Protocol::KRr, ours.categories().clone(), ours.epsilon().clone())?;
        let even = vec![1.0 / f64::from(ours.size()); ours.size() as usize];
        Ok(Comparison {
            ours: estimator.predict(reports, &even)?,
            local: SupportEstimator::new(&local).predict(reports, &even)?,
            local_name: Protocol::KRr.name(),
        })
    }

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

    pub fn text(&self, names: EstimateNames<'_>) -> String {
        let row = |error: &PredictedError| {
            let local = match error.members[..] {
                [member] => figure(self.local.histogram[member as usize].deviation),
                _ => String::new(),
            };
            let members: Vec<&str> = error.members.iter().map(|&member| names.categories.name(member)).collect();
            vec![members.join(" + "), figure(error.deviation), local]
        };
        let (ours, local) = (self.ours.root_mean_square(), self.local.root_mean_square());
        let mut text = format!(
            "With {} reports, every secret equally frequent, the standard errors of the shares will be:\n",
            self.ours.reports
        );
        let local_error = format!("error of {}", self.local_name);
        text += &table(&["category", "error", &local_error], self.ours.histogram.iter().map(row));
        let bias = self.ours.histogram.iter().map(|error| error.bias).fold(0.0, f64::max);
        if bias > 0.0 {
            text += &format!(
                "Beside this, shares stay open by up to {}, which no number of reports can tell.\n",
                figure(bias)
            );
        } else if ours > 0.0 {
            let times = (local / ours).powi(2);
            let name = self.local_name;
            text +=
                &format!("With {name} it takes {times:.1} times as many reports for the same mean squared error.\n");
        }
        text
    }
}

/// The share of each input value when every secret is equally frequent.
fn input_shares(mechanism: &Mechanism) -> Vec<f64> {
    let secrets = mechanism.graph().names().len();
    let mut shares = vec![0.0; mechanism.inputs().len()];
    for secret in 0..secrets as u32 {
        for (share, p) in shares.iter_mut().zip(mechanism.input_law(secret).probabilities()) {
            *share += to_f64(&p, Direction::Nearest) / secrets as f64;
        }
    }
    shares
}
