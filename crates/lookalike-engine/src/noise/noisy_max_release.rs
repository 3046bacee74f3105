//! Which of several counts is the largest, after noise on each.

use super::level::Level;
use crate::facts::up;
use crate::release::{key_of, seed_warning};
use lookalike::Sentence;
use lookalike::certify::{Certified, certify};
use lookalike::estimate::most_behind;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Movement, NoisyMax};
use lookalike::sample::NoisyMaxSampler;
use lookalike_formats::{Error, Result};
use serde::Serialize;

/// The counts, and how their largest is to be chosen.
pub struct NoisyMaxRelease {
    /// The counts.
    pub counts: Vec<i64>,
    /// Their names; without any they stand in an order that says nothing of them.
    pub names: Option<Vec<String>>,
    /// How alike neighbours must look.
    pub epsilon: Epsilon,
    /// The most by which one person changes each count.
    pub sensitivity: u64,
    /// Whether one person changes all counts upward or all downward.
    pub together: bool,
    /// How often the statement about the chosen count is to hold.
    pub confidence: Level,
    /// For tests and experiments only.
    pub seed: Option<u64>,
}

/// The choice.
pub struct NoisyMaxReleased {
    /// The chosen count's place among the counts.
    pub place: usize,
    /// Its name, where they have names.
    pub name: Option<String>,
    /// How many counts there were.
    pub counts: usize,
    /// The law of the choice.
    pub certified: Certified<NoisyMax>,
    /// The chosen count is at most so much below the largest.
    pub behind: Rational,
    /// How often that holds.
    pub confidence: Level,
    seed: Option<u64>,
}

/// What is said of a choice.
#[derive(Debug, Clone, Serialize)]
pub struct NoisyMaxFacts {
    /// The name of the chosen count.
    pub chosen: Option<String>,
    /// How many names there are.
    pub names: usize,
    /// ε.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// The most by which one person changes each count.
    pub sensitivity: u64,
    /// Whether one person changes all counts upward or all downward.
    pub together: bool,
    /// The decay of the noise.
    pub decay: String,
    /// How many steps of it neighbours are apart.
    pub steps: String,
    /// How it is proved.
    pub proof: &'static str,
    /// How often the statement about the count holds.
    pub confidence: f64,
    /// The chosen count is at most so much below the largest.
    pub at_most_below: f64,
    /// Whether it can be drawn again, and so is not private.
    pub seeded: bool,
}

impl NoisyMaxRelease {
    /// The choice.
    ///
    /// # Errors
    /// Those of the library.
    pub fn run(self) -> Result<NoisyMaxReleased> {
        // Equals go to the first: in an order that may come from the counts, that would tell of them.
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        if let Some(names) = &self.names {
            order.sort_by(|&one, &other| names[one].cmp(&names[other]));
        }
        let movement = if self.together { Movement::Together } else { Movement::Anyhow };
        let max = NoisyMax::for_epsilon(self.epsilon, self.sensitivity, movement)?;
        let behind = most_behind(&max, self.counts.len(), self.confidence.rational())?;
        let certified = certify(max).map_err(|violation| {
            Error::input(format!("the noise does not certify, which is a bug to report: {violation}"))
        })?;
        let key = key_of(self.seed, "nothing is released")?;
        let numbers: Vec<i64> = order.iter().map(|&place| self.counts[place]).collect();
        let place = order[NoisyMaxSampler::new(&certified).select(&key, 0, &numbers)?];
        Ok(NoisyMaxReleased {
            place,
            name: self.names.map(|mut names| names.swap_remove(place)),
            counts: self.counts.len(),
            certified,
            behind: Rational::from_integer(behind.into()),
            confidence: self.confidence,
            seed: self.seed,
        })
    }
}

impl NoisyMaxReleased {
    /// What whoever releases should know.
    pub fn warnings(&self) -> Vec<Sentence> {
        seed_warning(self.seed).into_iter().collect()
    }

    /// What is said of it.
    pub fn facts(&self) -> NoisyMaxFacts {
        let (max, proof) = (self.certified.mechanism(), self.certified.certificate());
        NoisyMaxFacts {
            chosen: self.name.clone(),
            names: self.counts,
            epsilon: max.epsilon().to_f64(),
            epsilon_text: max.epsilon().to_string(),
            sensitivity: max.sensitivity(),
            together: max.movement() == Movement::Together,
            decay: proof.decay().to_string(),
            steps: proof.steps().to_string(),
            proof: "closed form",
            confidence: self.confidence.to_f64(),
            at_most_below: up(&self.behind),
            seeded: self.seed.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(counts: &[i64], names: Option<&[&str]>, seed: u64) -> NoisyMaxReleased {
        let request = NoisyMaxRelease {
            counts: counts.to_vec(),
            names: names.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
            epsilon: "1/100".parse().unwrap(),
            sensitivity: 1,
            together: false,
            confidence: Level::usual(),
            seed: Some(seed),
        };
        request.run().unwrap()
    }

    #[test]
    fn the_order_of_named_counts_tells_nothing() {
        for seed in 0..20 {
            let one = chosen(&[3, 5, 4], Some(&["a", "b", "c"]), seed);
            let other = chosen(&[4, 3, 5], Some(&["c", "a", "b"]), seed);
            assert_eq!(one.name, other.name);
            // Without names the order is the caller's.
            assert_eq!(chosen(&[3, 5, 4], None, seed).place, one.place);
        }
    }

    #[test]
    fn the_place_is_that_of_the_name() {
        let names = ["c", "a", "b"];
        for seed in 0..20 {
            let done = chosen(&[10, 0, 3], Some(&names), seed);
            assert_eq!(done.name.as_deref(), Some(names[done.place]));
        }
    }
}
