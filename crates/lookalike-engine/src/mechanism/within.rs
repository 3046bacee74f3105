//! What if the profiles are not quite right.

use crate::fit::read_limits;
use lookalike::certify::{Worst, within};
use lookalike::model::Mechanism;
use lookalike_formats::{EpsilonFacts, Error, Result, WorstFacts};
use serde::Serialize;
use std::path::Path;

/// The worst that profiles within limits can do.
#[derive(Debug, Clone)]
pub struct Within {
    /// The pair, the output and ε.
    pub worst: Worst,
    /// What the file says of its confidence: `95 % each`.
    pub confidence: Option<String>,
}

/// What is said of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WithinFacts {
    /// The claim, and ε if the profiles are within their limits.
    pub epsilon: EpsilonFacts,
    /// The pair and the output.
    pub worst: WorstFacts,
    /// What the file says of its confidence.
    pub confidence: Option<String>,
}

impl Within {
    /// The worst within the limits of a file.
    ///
    /// # Errors
    /// A file that cannot be read, or that is about other profiles.
    pub fn of(mechanism: &Mechanism, path: &Path) -> Result<Self> {
        let file = read_limits(path, mechanism)?;
        let worst = within(mechanism, &file.limits).map_err(|error| Error::from(error).in_file(path))?;
        Ok(Within { worst, confidence: file.confidence })
    }

    /// With the names that the mechanism has.
    pub fn facts(&self, mechanism: &Mechanism) -> WithinFacts {
        let worst = &self.worst;
        WithinFacts {
            epsilon: EpsilonFacts::of_worst(worst.claimed(), &worst.achieved()),
            worst: WorstFacts::new(mechanism, worst.secrets(), worst.output()),
            confidence: self.confidence.clone(),
        }
    }
}
