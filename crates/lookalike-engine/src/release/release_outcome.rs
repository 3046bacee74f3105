//! What a release did, and what its owner should know of it.

use super::noise_interval::NoiseInterval;
use super::privatize::Privatized;
use super::promise::ReleasePromise;
use super::repeated::repeated_reports;
use super::unchanged::no_value_changed;
use super::{ChargeFacts, ChargeOutcome};
use lookalike::Sentence;
use lookalike_formats::Result;
use serde::Serialize;

/// What a release did.
#[derive(Debug, Clone)]
pub struct ReleaseOutcome<'a> {
    /// What went through.
    pub done: Privatized,
    /// What is promised of each row; see [`Releasable::promise`](super::Releasable::promise).
    pub promise: Option<ReleasePromise<'a>>,
    /// The columns that were released in clear.
    pub in_clear: Vec<String>,
    /// The seed, where there was one.
    pub seed: Option<u64>,
    /// Whether the rows were put in a random order.
    pub shuffle: bool,
    /// What was charged, where there is a ledger.
    pub charged: Option<ChargeOutcome>,
}

/// What may be published of a release.
#[derive(Debug, Clone, Serialize)]
pub struct ReleaseFacts {
    /// How many rows were released.
    pub rows: u64,
    /// Whether the draws are those of a seed, and so not private.
    pub seeded: bool,
    /// What is promised.
    #[serde(flatten)]
    pub promise: Option<PromiseFacts>,
    /// The columns that were released as they are, outside ε.
    pub released_in_clear: Vec<String>,
    /// Where numbers were released: how far they are from the truth, at 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<NoiseInterval>,
    /// Where there is a ledger: what was charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<ChargeFacts>,
}

/// What is promised of each row.
#[derive(Debug, Clone, Serialize)]
pub struct PromiseFacts {
    /// The ε of a row, the largest if edges have their own.
    pub epsilon: f64,
    /// The same, exactly.
    pub epsilon_text: String,
    /// What it is about.
    pub secrets: &'static str,
}

impl ReleaseOutcome<'_> {
    /// What the owner of the records should know.
    pub fn warnings(&self) -> Vec<Sentence> {
        let charged = self.charged.iter().flat_map(|charged| charged.warnings.iter().cloned());
        self.done.warnings("value", self.shuffle, self.seed).into_iter().chain(charged).collect()
    }

    /// That no value was changed, and why the promise holds: for the terminal alone, since it is about the private records.
    pub fn unchanged(&self) -> Option<String> {
        let mechanism = self.promise.as_ref().and_then(ReleasePromise::channels)?;
        no_value_changed(&self.done, mechanism)
    }

    /// What the reports of one profile, person or subject add up to: for the terminal alone as well.
    pub fn repeated(&self) -> Option<String> {
        match (&self.charged, &self.promise) {
            (Some(charged), _) => charged.repeated.clone(),
            (None, Some(promise)) => repeated_reports(&self.done, promise.rule(), promise.epsilon()),
            (None, None) => None,
        }
    }

    /// What may be published.
    ///
    /// # Errors
    /// Noise whose interval has 2^64 steps of its grid or more.
    pub fn facts(&self) -> Result<ReleaseFacts> {
        let promise = self.promise.as_ref().map(|promise| PromiseFacts {
            epsilon: promise.epsilon().to_f64(),
            epsilon_text: promise.epsilon().to_string(),
            secrets: promise.secrets().word(),
        });
        let interval = self.promise.as_ref().map(ReleasePromise::interval).transpose()?.flatten();
        Ok(ReleaseFacts {
            rows: self.done.rows,
            seeded: self.seed.is_some(),
            promise,
            released_in_clear: self.in_clear.clone(),
            interval,
            ledger: self.charged.as_ref().map(|charged| charged.facts.clone()),
        })
    }
}
