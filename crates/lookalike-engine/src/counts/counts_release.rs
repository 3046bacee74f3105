//! The counts of groups in records, released.

use crate::mechanism::{Attempt, prove_claim as proved};
use crate::release::{Matches, count_groups, protected_counts, release_counts};
use crate::release::{key_of, seed_warning};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::model::Mechanism;
use lookalike_formats::{Result, largest_epsilon};
use lookalike_records::{Encoder, GrowingLabels, RecordSource, at_input};
use serde::Serialize;
use std::path::Path;

/// What is counted, and how counts are released.
pub struct CountsRelease<'a> {
    /// A mechanism over the counts 0 to n, which is proved before anything is read.
    pub mechanism: Mechanism,
    /// Its file, where there is one: errors about it name it.
    pub mechanism_at: Option<&'a Path>,
    /// The file that the records are from, likewise.
    pub records_at: Option<&'a Path>,
    /// The rows with one of these values are counted.
    pub matching: Vec<String>,
    /// The name of the public column that says which group a row belongs to.
    pub group: String,
    /// For tests and experiments only.
    pub seed: Option<u64>,
}

/// The released counts.
pub struct CountsReleased {
    /// The groups by name, and what was released for each.
    pub released: Vec<(String, String)>,
    /// The mechanism.
    pub certified: Certified<Mechanism>,
    group: String,
    seed: Option<u64>,
}

/// What is said of them.
#[derive(Debug, Clone, Serialize)]
pub struct CountsReleaseFacts {
    /// How many groups there are.
    pub groups: usize,
    /// Whether it can be drawn again, and so is not private.
    pub seeded: bool,
    /// ε of all counts together, of one row.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// What ε is about.
    pub secrets: &'static str,
    /// The columns that are public.
    pub released_in_clear: [String; 1],
}

impl CountsRelease<'_> {
    /// The counts, or the witness that the mechanism does not keep its promise: then nothing is read. `open` opens the records
    /// with groups as profiles and what is counted as values; `progress` is told of what was read.
    ///
    /// # Errors
    /// A mechanism that is not over counts; those of the records; a group of more than n rows.
    pub fn run<'s>(
        self,
        open: impl FnOnce(Encoder, Encoder) -> Result<Box<dyn RecordSource + 's>>,
        progress: &mut dyn FnMut(u64),
    ) -> Attempt<CountsReleased> {
        let n = protected_counts(&self.mechanism).map_err(|error| match self.mechanism_at {
            Some(path) => error.in_file(path),
            None => error,
        })?;
        let certified = match proved(self.mechanism) {
            Ok(certified) => certified,
            Err(refuted) => return Ok(Err(refuted)),
        };
        let of_records = |error| match self.records_at {
            Some(path) => at_input(error, path),
            None => error,
        };
        let groups = GrowingLabels::default();
        let mut source =
            open(Box::new(groups.clone()), Box::new(Matches::any_of(self.matching))).map_err(of_records)?;
        let counted = count_groups(&mut *source, || groups.names(), n, progress).map_err(of_records)?;
        let key = key_of(self.seed, "nothing is released")?;
        let released = release_counts(&certified, &counted, &key)?;
        let released = released.into_iter().map(|(group, count)| (group, count.to_owned())).collect();
        Ok(Ok(CountsReleased { released, certified, group: self.group, seed: self.seed }))
    }
}

impl CountsReleased {
    /// What whoever releases should know.
    pub fn warnings(&self) -> Vec<Sentence> {
        seed_warning(self.seed).into_iter().collect()
    }

    /// What is said of it.
    pub fn facts(&self) -> CountsReleaseFacts {
        let mechanism = self.certified.mechanism();
        let epsilon = largest_epsilon(mechanism);
        CountsReleaseFacts {
            groups: self.released.len(),
            seeded: self.seed.is_some(),
            epsilon: epsilon.to_f64(),
            epsilon_text: epsilon.to_string(),
            secrets: mechanism.secrets().word(),
            released_in_clear: [self.group.clone()],
        }
    }
}
