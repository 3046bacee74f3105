//! The noise for a question about sequences of one length, and what other ways would cost.

use super::calibrated::Calibrated;
use super::calibration_facts::NoiseOnAnswersFacts;
use super::calibration_problem::{CalibrationProblem, better};
use super::linear_query::{LinearQuery, Query};
use super::method::Method;
use crate::facts::up;
use crate::mechanism::{Attempt, prove_claim as proved};
use lookalike::certify::Certified;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Noise, Secrets};
use lookalike::{Sentence, Spelling};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{MechanismFile, Result};
use serde::Serialize;
use std::path::Path;

/// What the noise is for.
pub struct SequenceDesign<'a> {
    /// Where the sequence may have come from.
    pub chains: &'a ChainFile,
    /// The file that the chains are from, where there is one: errors about them name it.
    pub chains_at: Option<&'a Path>,
    /// How many moments a sequence has.
    pub length: u64,
    /// How alike two states of a moment must look.
    pub epsilon: Epsilon,
    /// What is asked.
    pub query: Query,
    /// How the noise is found.
    pub method: Method,
    /// So many releases from one sequence are added up.
    pub releases: Option<u64>,
    /// Whether the mechanism is kept in a file, which must carry what proves its promise.
    pub to_keep: bool,
}

/// A method beside the chosen one: what it finds, or why it does not apply.
pub type Compared = (Method, Result<(Calibrated, Noise)>);

/// The noise with its proof.
pub struct SequenceDesigned {
    /// How many moments a sequence has.
    pub length: u64,
    /// The promise.
    pub epsilon: Epsilon,
    /// What is asked.
    pub query: Query,
    /// The same as sums over moments.
    pub linear: LinearQuery,
    /// How much noise, and why.
    pub chosen: Calibrated,
    /// The noise.
    pub certified: Certified<Noise>,
    /// Every method; the exact search, which may take long, only where it may be chosen.
    pub compared: Vec<Compared>,
    /// How many releases were added up.
    pub releases: Option<u64>,
    /// What they lose together.
    pub together: Option<Rational>,
}

/// What is said of a design.
#[derive(Debug, Clone, Serialize)]
pub struct SequenceDesignFacts {
    /// How many moments a sequence has.
    pub length: u64,
    /// ε.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// What is asked, as it is written.
    pub query: String,
    /// L: by how much one moment changes all answers together, before a mean is divided.
    pub lipschitz: String,
    /// The noise.
    pub chosen: NoiseOnAnswersFacts,
    /// What other methods would cost.
    pub compared: Vec<ComparedFacts>,
    /// How many releases were added up.
    pub releases: Option<u64>,
    /// What ε is about.
    pub secrets: &'static str,
    /// What the releases lose together, rounded up.
    pub epsilon_together: Option<f64>,
}

/// What is said of one method.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum ComparedFacts {
    /// What it would cost.
    Applies(NoiseOnAnswersFacts),
    /// Why it does not apply.
    DoesNot {
        /// The method, as it is asked for.
        method: &'static str,
        /// Why.
        does_not_apply: String,
    },
}

impl SequenceDesign<'_> {
    /// The noise with its proof, or the witness against it.
    ///
    /// # Errors
    /// A question that the chains have no states for; what the search refuses; where it is kept, noise whose promise no file
    /// can carry.
    pub fn run(self, watch: Watch<'_>) -> Attempt<SequenceDesigned> {
        self.design(watch).map_err(|error| match self.chains_at {
            Some(path) => error.in_file(path),
            None => error,
        })
    }

    fn design(&self, watch: Watch<'_>) -> Attempt<SequenceDesigned> {
        let linear = LinearQuery::new(&self.query, self.chains)?;
        linear.check(self.length)?;
        let problem = CalibrationProblem { file: self.chains, length: self.length, epsilon: &self.epsilon, watch };
        let compared = self.compared(&problem, &linear)?;
        let chosen = self.chosen(&problem, &linear, &compared)?;
        let noise = match self.to_keep {
            true => {
                problem.claimed(&chosen, &linear).map_err(|error| error.at_option(Sentence::new().option("output")))?
            }
            false => problem.provable(&chosen, &linear)?,
        };
        let together = self.releases.map(|releases| problem.together(&chosen, releases)).transpose()?;
        Ok(proved(noise).map(|certified| SequenceDesigned {
            length: self.length,
            epsilon: self.epsilon.clone(),
            query: self.query.clone(),
            linear,
            chosen,
            certified,
            compared,
            releases: self.releases,
            together,
        }))
    }

    /// Every method beside the chosen one. The exact search may take long, so it is not made for somebody who asked for another
    /// method.
    fn compared(&self, problem: &CalibrationProblem<'_>, linear: &LinearQuery) -> Result<Vec<Compared>> {
        let wanted = |method: &Method| *method != Method::Exact || matches!(self.method, Method::Auto | Method::Exact);
        let with_noise = |(method, found): (Method, Result<Calibrated>)| -> Result<Compared> {
            let found = match found {
                Ok(found) => {
                    let noise = problem.noise(&found, linear)?;
                    Ok((found, noise))
                }
                Err(error) => Err(error),
            };
            Ok((method, found))
        };
        let found = problem.compare(Method::COMPARED.into_iter().filter(wanted), linear)?;
        found.into_iter().map(with_noise).collect()
    }

    /// The noise by the method that was asked for, which may have been found for the comparison.
    fn chosen(
        &self,
        problem: &CalibrationProblem<'_>,
        linear: &LinearQuery,
        compared: &[Compared],
    ) -> Result<Calibrated> {
        let of = |method: Method| {
            let row = compared.iter().find(|row| row.0 == method);
            row.and_then(|row| row.1.as_ref().ok()).map(|(found, _)| found.clone())
        };
        match self.method {
            Method::Auto => Ok(match [Method::Exact, Method::Contraction].map(of) {
                [Some(exact), Some(contraction)] => better([exact, contraction]),
                _ => problem.find(Method::Auto, linear)?,
            }),
            method => of(method).map_or_else(|| problem.find(method, linear), Ok),
        }
    }
}

impl SequenceDesigned {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile<Noise> {
        MechanismFile::of_certified(&format!("pufferfish {}", self.chosen.method.word()), &self.certified)
    }

    /// What the releases would lose if each were counted by itself.
    ///
    /// # Errors
    /// An ε that is too large.
    pub fn one_by_one(&self, releases: u64) -> lookalike::Result<Epsilon> {
        self.epsilon.scale(&Rational::from_integer(releases.into()))
    }

    /// What is said of it; errors as this shell spells them.
    pub fn facts(&self, spelling: &dyn Spelling) -> SequenceDesignFacts {
        let figures = |found: &Calibrated, noise: &Noise| found.facts_for(&self.linear, noise, self.length);
        let row = |(method, found): &Compared| match found {
            Ok((found, noise)) => ComparedFacts::Applies(figures(found, noise)),
            Err(error) => ComparedFacts::DoesNot { method: method.word(), does_not_apply: error.spelled(spelling) },
        };
        SequenceDesignFacts {
            length: self.length,
            epsilon: self.epsilon.to_f64(),
            epsilon_text: self.epsilon.to_string(),
            query: self.query.to_string(),
            lipschitz: self.linear.lipschitz.to_string(),
            chosen: figures(&self.chosen, self.certified.mechanism()),
            compared: self.compared.iter().map(row).collect(),
            releases: self.releases,
            secrets: Secrets::Moments { length: self.length }.word(),
            epsilon_together: self.together.as_ref().map(up),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_formats::CommandLine;

    fn designed(method: Method, to_keep: bool) -> Attempt<SequenceDesigned> {
        let text = "states = ['a', 'b']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]";
        let request = SequenceDesign {
            chains: &ChainFile::from_toml(text).unwrap(),
            chains_at: Some(Path::new("chain.toml")),
            length: 20,
            epsilon: "1".parse().unwrap(),
            query: Query::Histogram,
            method,
            releases: Some(2),
            to_keep,
        };
        request.run(Watch::default())
    }

    #[test]
    fn auto_is_the_better_of_the_two_and_all_are_compared() {
        let done = designed(Method::Auto, false).unwrap().ok().unwrap();
        let scale = |method: Method| {
            done.compared.iter().find(|row| row.0 == method).unwrap().1.as_ref().unwrap().0.scale.clone()
        };
        assert_eq!(done.chosen.scale, scale(Method::Exact).min(scale(Method::Contraction)));
        assert_eq!(done.compared.len(), Method::COMPARED.len());
        let facts = done.facts(&CommandLine);
        let reasons = facts.compared.iter().filter(|row| matches!(row, ComparedFacts::DoesNot { .. }));
        assert_eq!(reasons.count(), done.compared.iter().filter(|row| row.1.is_err()).count());
        // Two releases lose no more than twice what one does.
        assert!(facts.epsilon_together.is_some_and(|together| 1.0 < together && together <= 2.0));
    }

    #[test]
    fn what_promises_nothing_about_a_moment_is_shown_and_not_kept() {
        assert!(designed(Method::Entry, false).is_ok());
        let error = designed(Method::Entry, true).err().unwrap().to_string();
        assert!(error.starts_with("chain.toml: ") && error.contains("entry privacy does not hide"), "{error}");
    }

    #[test]
    fn the_exact_search_is_not_made_for_another_method() {
        let done = designed(Method::Group, false).unwrap().ok().unwrap();
        assert!(done.compared.iter().all(|row| row.0 != Method::Exact));
    }
}
