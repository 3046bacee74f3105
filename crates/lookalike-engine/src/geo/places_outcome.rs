//! What a release of places did, and what its owner should know of it.

use super::geojson::ReleasedFeatures;
use crate::figures::count;
use crate::release::{Privatized, seed_warning};
use lookalike::Sentence;
use lookalike::exact::Epsilon;
use serde::Serialize;

/// What a release of places did.
#[derive(Debug, Clone)]
pub struct PlacesOutcome {
    /// What went through.
    pub done: ReleasedPlaces,
    /// ε for each metre, where the promise is for each metre.
    pub epsilon_per_metre: Option<Epsilon>,
    /// The columns or properties that were released in clear.
    pub in_clear: Vec<String>,
    /// The seed, where there was one.
    pub seed: Option<u64>,
    /// Whether rows or features were put in a random order.
    pub shuffle: bool,
}

/// How places lay where they were read.
#[derive(Debug, Clone)]
pub enum ReleasedPlaces {
    /// In the rows of a table.
    Rows(Privatized),
    /// In the features of GeoJSON.
    Features(ReleasedFeatures),
}

/// What may be published of a release of places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlacesReleaseFacts {
    /// Whether the draws are those of a seed, and so not private.
    pub seeded: bool,
    /// The columns or properties that were released as they are, outside ε.
    pub released_in_clear: Vec<String>,
    /// Of a table: how many rows were released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Of GeoJSON: how many features were released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<u64>,
    /// How many positions they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The most positions of one feature: so many times ε is what a track of one person costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// ε for each metre; `None` where only cells within a radius are protected.
    pub epsilon_per_metre: Option<f64>,
    /// The same as exact text.
    pub epsilon_text: Option<String>,
}

impl PlacesOutcome {
    /// What the owner of the places should know.
    pub fn warnings(&self) -> Vec<Sentence> {
        match &self.done {
            ReleasedPlaces::Rows(done) => {
                rows_together(done.rows).into_iter().chain(done.warnings("place", self.shuffle, self.seed)).collect()
            }
            ReleasedPlaces::Features(done) => track_together(done).into_iter().chain(seed_warning(self.seed)).collect(),
        }
    }

    /// What may be published.
    pub fn facts(&self) -> PlacesReleaseFacts {
        let (rows, features) = match &self.done {
            ReleasedPlaces::Rows(done) => (Some(done.rows), None),
            ReleasedPlaces::Features(done) => (None, Some(done)),
        };
        PlacesReleaseFacts {
            seeded: self.seed.is_some(),
            released_in_clear: self.in_clear.clone(),
            rows,
            features: features.map(|done| done.features),
            positions: features.map(|done| done.positions),
            longest: features.map(|done| done.longest),
            epsilon_per_metre: self.epsilon_per_metre.as_ref().map(Epsilon::to_f64),
            epsilon_text: self.epsilon_per_metre.as_ref().map(Epsilon::to_string),
        }
    }
}

/// What rows of one person cost.
fn rows_together(rows: u64) -> Option<Sentence> {
    (rows > 1).then(|| {
        Sentence::from(format!(
            "each row is a release of its own, and rows of one person add up: n of them cost n times epsilon, all {rows} \
             together {rows} times; no ledger keeps this account yet"
        ))
    })
}

/// What a track of one person costs.
fn track_together(done: &ReleasedFeatures) -> Option<Sentence> {
    (done.positions > 1).then(|| {
        Sentence::from(format!(
            "each position is a release of its own, and those of one person add up: the longest feature has {}, which cost \
             {} times epsilon if they are one person's; no ledger keeps this account yet",
            count(done.longest, "position"),
            done.longest
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;

    fn outcome(features: u64, longest: u64) -> PlacesOutcome {
        PlacesOutcome {
            done: ReleasedPlaces::Features(ReleasedFeatures { features, positions: features * longest, longest }),
            epsilon_per_metre: Some("ln(4)/200".parse().unwrap()),
            in_clear: vec!["boat".to_owned()],
            seed: None,
            shuffle: false,
        }
    }

    #[test]
    fn positions_of_one_person_add_up_and_one_alone_does_not() {
        assert!(outcome(1, 1).warnings().is_empty());
        let told = outcome(2, 7).warnings();
        assert_eq!(told.len(), 1);
        assert!(told[0].to_string().contains("7 positions, which cost 7 times epsilon"), "{}", told[0]);
        let seeded = PlacesOutcome { seed: Some(3), ..outcome(1, 1) };
        assert!(seeded.warnings()[0].to_string().contains("not private"));
    }

    #[test]
    fn facts_have_rows_or_features_and_not_both() {
        let facts = outcome(2, 7).facts().json();
        assert_eq!(facts["positions"], 14);
        assert_eq!((facts.get("rows"), facts["epsilon_text"].as_str()), (None, Some("1/100*ln(2)")));
        let nothing = PlacesOutcome { epsilon_per_metre: None, ..outcome(2, 7) }.facts().json();
        assert!(nothing["epsilon_per_metre"].is_null() && nothing["epsilon_text"].is_null());
    }
}
