//! What is said of a run.

use super::Ran;
use crate::design::{DesignFacts, Trusting, TrustingFacts};
use crate::estimate::EstimateFacts;
use crate::mechanism::WithinFacts;
use crate::release::{no_value_changed, repeated_reports};
use lookalike::model::Mechanism;
use lookalike_formats::{MechanismKind, largest_epsilon};
use serde::Serialize;

/// What a run did: the facts of its steps.
#[derive(Debug, Clone, Serialize)]
pub struct RunFacts<'a> {
    /// What was designed.
    pub design: DesignFacts,
    /// What it would cost to trust the profiles; only where they have limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusting: Option<TrustingFacts>,
    /// What the limits would allow; only where profiles were fitted and are trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<WithinFacts>,
    /// What was released.
    pub privatize: RunReleaseFacts<'a>,
    /// What was learnt.
    pub estimate: EstimateFacts<'a>,
    /// Everything that was written.
    pub files: Vec<String>,
}

/// What a run released, of which the design says the promise.
#[derive(Debug, Clone, Serialize)]
pub struct RunReleaseFacts<'a> {
    /// How many rows.
    pub rows: u64,
    /// Whether the draws are those of a seed, and so not private.
    pub seeded: bool,
    /// The columns that were released as they are, outside ε.
    pub released_in_clear: &'a [String],
}

impl Ran {
    /// What is said of it.
    pub fn facts(&self) -> RunFacts<'_> {
        RunFacts {
            design: self.designed.facts(None),
            trusting: self.trusting.as_ref().map(Trusting::facts),
            within: self.within.as_ref().map(|within| within.facts(self.mechanism())),
            privatize: RunReleaseFacts {
                rows: self.done.rows,
                seeded: self.plan.seed.is_some(),
                released_in_clear: &self.plan.data.keep,
            },
            estimate: EstimateFacts::of(self.mechanism(), &self.cohorts),
            files: self.files.iter().map(|path| path.display().to_string()).collect(),
        }
    }

    /// The mechanism, proved.
    pub fn mechanism(&self) -> &Mechanism {
        self.designed.certified.mechanism()
    }

    /// That no value was changed, and why the promise holds: it is about the private records, and not for publication.
    pub fn unchanged(&self) -> Option<String> {
        no_value_changed(&self.done, self.mechanism())
    }

    /// What the reports of one profile or person add up to: not for publication either.
    pub fn repeated(&self) -> Option<String> {
        let mechanism = self.mechanism();
        repeated_reports(&self.done, mechanism.adds_up(), largest_epsilon(mechanism))
    }
}
