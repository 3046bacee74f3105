//! Answers about sequences of states, with noise that hides every moment.

use super::calibrated::Calibrated;
use super::calibration_facts::CalibrationFacts;
use super::calibration_problem::CalibrationProblem;
use super::linear_query::{LinearQuery, Query};
use super::method::Method;
use crate::facts::{down, nearest, up};
use crate::mechanism::{Attempt, prove_claim as proved};
use crate::noise::{Level, Width};
use crate::release::GridSteps;
use crate::release::{key_of, seed_warning};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Noise, Secrets};
use lookalike::sample::{NoiseSampler, RandomKey};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};
use lookalike_records::at_input;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// A question about sequences, and how it is to be answered.
pub struct SequenceRelease<'a> {
    /// Where the sequences may have come from.
    pub chains: &'a ChainFile,
    /// The file that the chains are from, where there is one: errors about them name it.
    pub chains_at: Option<&'a Path>,
    /// The file that the sequences are from, likewise.
    pub sequences_at: Option<&'a Path>,
    /// What is asked.
    pub query: Query,
    /// How alike two states of a moment must look.
    pub epsilon: Epsilon,
    /// How the noise is found.
    pub method: Method,
    /// How often an interval is to hold its answer.
    pub confidence: Level,
    /// For tests and experiments only.
    pub seed: Option<u64>,
}

/// What is public of the sequences.
#[derive(Debug, Clone)]
pub struct SequencesPublic {
    /// How long each is.
    pub lengths: Vec<u64>,
    /// How many moments there are in all.
    pub moments: u64,
    /// How many the longest has.
    pub longest: u64,
}

/// A noisy answer.
#[derive(Debug, Clone)]
pub struct ReleasedAnswer {
    /// Its name: that of a state, or of the query.
    pub name: String,
    /// With noise.
    pub value: Rational,
    /// The true answer is no less, at the level asked for.
    pub at_least: Rational,
    /// And no more.
    pub at_most: Rational,
}

/// The answers, and what they cost.
pub struct SequenceReleased {
    /// The answers.
    pub answers: Vec<ReleasedAnswer>,
    /// What was asked.
    pub query: Query,
    /// The same as sums over moments.
    pub linear: LinearQuery,
    /// How often an interval holds its answer.
    pub confidence: Level,
    /// The promise.
    pub epsilon: Epsilon,
    /// What is public of the sequences.
    pub public: SequencesPublic,
    /// How much noise, and why.
    pub calibrated: Calibrated,
    /// How much group privacy would have needed.
    pub group: Calibrated,
    seed: Option<u64>,
}

/// What is said of the answers.
#[derive(Debug, Clone, Serialize)]
pub struct SequenceReleaseFacts {
    /// The answers.
    pub answers: Vec<ReleasedAnswerFacts>,
    /// What was asked, as it is written.
    pub query: String,
    /// How often an interval holds its answer, each by itself.
    pub confidence: f64,
    /// ε.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// What ε is about.
    pub secrets: &'static str,
    /// How many moments there are in all sequences.
    pub moments: u64,
    /// How many sequences there are.
    pub sequences: usize,
    /// How many moments the longest has.
    pub longest: u64,
    /// L: by how much one moment changes all answers together, before a mean is divided.
    pub lipschitz: String,
    /// How much noise, and why.
    pub noise: CalibrationFacts,
    /// The scale of the noise on each answer, rounded up.
    pub noise_scale: f64,
    /// What group privacy would have needed, rounded up.
    pub group_noise_scale: f64,
    /// Whether it can be drawn again, and so is not private.
    pub seeded: bool,
}

/// What is said of one answer.
#[derive(Debug, Clone, Serialize)]
pub struct ReleasedAnswerFacts {
    /// Its name.
    pub name: String,
    /// With noise.
    pub released: f64,
    /// The true answer is no less.
    pub at_least: f64,
    /// And no more.
    pub at_most: f64,
}

impl SequencesPublic {
    fn of(sequences: &[Vec<u32>]) -> Self {
        let lengths: Vec<u64> = sequences.iter().map(|sequence| sequence.len() as u64).collect();
        let (moments, longest) = (lengths.iter().sum(), lengths.iter().copied().max().unwrap_or(0));
        SequencesPublic { lengths, moments, longest }
    }
}

impl SequenceRelease<'_> {
    /// The question as sums over moments, before anything is read.
    ///
    /// # Errors
    /// What would protect no moment; a question that the chains have no states for.
    pub fn linear_query(&self) -> Result<LinearQuery> {
        match (self.method, &self.query) {
            (Method::Entry, _) => Err(Error::input(
                Sentence::new()
                    .option("method")
                    .word("entry")
                    .text(" does not protect a moment of a chain; ")
                    .verb("pufferfish design")
                    .text(" shows it for comparison"),
            )),
            (_, Query::Count(None)) => Err(Error::input(
                Sentence::new().option("query").word("count").text(": no state, expected count:STATE"),
            )),
            _ => LinearQuery::new(&self.query, self.chains).map_err(|error| self.of_chains(error)),
        }
    }

    /// The answers, or the witness that the noise does not keep its promise: then nothing is drawn.
    ///
    /// # Errors
    /// Those of [`SequenceRelease::linear_query`]; sequences that no chain makes; what the search refuses.
    pub fn run(self, sequences: &[Vec<u32>], watch: Watch<'_>) -> Attempt<SequenceReleased> {
        let linear = self.linear_query()?;
        self.chains.check_possible(sequences).map_err(|error| self.of_sequences(error))?;
        let public = SequencesPublic::of(sequences);
        if public.moments == 0 {
            return Err(self.of_sequences(Error::input("no sequence, expected at least one moment")));
        }
        linear.check(public.moments).map_err(|error| self.of_chains(error))?;
        let problem = CalibrationProblem { file: self.chains, length: public.longest, epsilon: &self.epsilon, watch };
        let calibrated = self.calibrated(&problem, &linear, &public).map_err(|error| self.of_chains(error))?;
        let group = problem.group().map_err(|error| self.of_chains(error))?;
        let noise = problem.provable(&calibrated, &linear).map_err(|error| self.of_chains(error))?;
        let width = Width::of(&noise, &self.confidence)?;
        let certified = match proved(noise) {
            Ok(certified) => certified,
            Err(refuted) => return Ok(Err(refuted)),
        };
        let key = key_of(self.seed, "nothing is released")?;
        let truth = linear.answers(&tally(sequences, self.chains.states.len()));
        let answers = answers(&certified, &linear, &truth, &public, &width, &key)?;
        let SequenceRelease { query, confidence, epsilon, seed, .. } = self;
        Ok(Ok(SequenceReleased { answers, query, linear, confidence, epsilon, public, calibrated, group, seed }))
    }

    /// The noise that hides every moment of every sequence.
    ///
    /// A sequence that ends early is the beginning of a longer one, and an answer that leaves later moments out changes
    /// with each moment by no more: so what hides the longest hides all. How far one state moves a sum is another
    /// matter, since later moments may make up for it; there every length is looked at.
    fn calibrated(
        &self,
        longest: &CalibrationProblem<'_>,
        linear: &LinearQuery,
        public: &SequencesPublic,
    ) -> Result<Calibrated> {
        if self.method != Method::Wasserstein {
            return longest.find(self.method, linear);
        }
        let lengths: BTreeSet<u64> = public.lengths.iter().copied().filter(|&length| length > 0).collect();
        let mut worst: Option<Calibrated> = None;
        for length in lengths {
            let found = CalibrationProblem { length, ..*longest }.find(self.method, linear)?;
            if worst.as_ref().is_none_or(|worst| found.scale > worst.scale) {
                worst = Some(found);
            }
        }
        Ok(worst.expect("a sequence with a moment"))
    }

    fn of_chains(&self, error: Error) -> Error {
        match self.chains_at {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    fn of_sequences(&self, error: Error) -> Error {
        match self.sequences_at {
            Some(path) => at_input(error, path),
            None => error,
        }
    }
}

impl SequenceReleased {
    /// Whether the answers are whole numbers, before and after noise.
    pub fn is_whole(&self) -> bool {
        self.linear.exponent == 0 && !self.linear.mean
    }

    /// What the answers' names are names of.
    pub fn names(&self) -> &'static str {
        if matches!(self.query, Query::Sum | Query::Mean) { "query" } else { "state" }
    }

    /// The scale of the noise on each answer.
    pub fn noise_scale(&self) -> Rational {
        self.linear.noise_scale(&self.calibrated, self.public.moments)
    }

    /// What group privacy would have needed.
    pub fn group_noise_scale(&self) -> Rational {
        self.linear.noise_scale(&self.group, self.public.moments)
    }

    /// What whoever releases should know.
    pub fn warnings(&self) -> Vec<Sentence> {
        seed_warning(self.seed).into_iter().collect()
    }

    /// What is said of it.
    pub fn facts(&self) -> SequenceReleaseFacts {
        let answer = |one: &ReleasedAnswer| ReleasedAnswerFacts {
            name: one.name.clone(),
            released: nearest(&one.value),
            at_least: down(&one.at_least),
            at_most: up(&one.at_most),
        };
        SequenceReleaseFacts {
            answers: self.answers.iter().map(answer).collect(),
            query: self.query.to_string(),
            confidence: self.confidence.to_f64(),
            epsilon: self.epsilon.to_f64(),
            epsilon_text: self.epsilon.to_string(),
            secrets: Secrets::Moments { length: self.public.longest }.word(),
            moments: self.public.moments,
            sequences: self.public.lengths.len(),
            longest: self.public.longest,
            lipschitz: self.linear.lipschitz.to_string(),
            noise: self.calibrated.facts(),
            noise_scale: up(&self.noise_scale()),
            group_noise_scale: up(&self.group_noise_scale()),
            seeded: self.seed.is_some(),
        }
    }
}

/// How many moments have each state.
fn tally(sequences: &[Vec<u32>], states: usize) -> Vec<u64> {
    let mut counts = vec![0; states];
    sequences.iter().flatten().for_each(|&state| counts[state as usize] += 1);
    counts
}

/// The answers with noise. Intervals are cut at what an answer can be, which is public.
fn answers(
    certified: &Certified<Noise>,
    linear: &LinearQuery,
    truth: &[Rational],
    public: &SequencesPublic,
    width: &Width,
    key: &RandomKey,
) -> Result<Vec<ReleasedAnswer>> {
    let noise = certified.mechanism();
    let (steps, grid) = (GridSteps::new(noise), noise.grid());
    let rounded: Vec<i64> = truth.iter().map(|answer| steps.of(answer)).collect();
    let mut outputs = vec![0; rounded.len()];
    NoiseSampler::new(certified).add_steps(key, 0, &rounded, &mut outputs)?;
    // Whole numbers lie on the grid.
    let width = if linear.exponent == 0 { &width.on_grid } else { &width.rounded };
    let release = |(place, output): (usize, i64)| {
        let value = Rational::from_integer(steps.kept(output).into()) * &grid;
        let [least, most] = linear.range(place, public.moments);
        let into = |number: Rational| number.max(least.clone()).min(most.clone());
        let [at_least, at_most] = [into(&value - width), into(&value + width)];
        let divided = |number| linear.divided(number, public.moments);
        let name = linear.names[place].clone();
        ReleasedAnswer { name, value: divided(value), at_least: divided(at_least), at_most: divided(at_most) }
    };
    Ok(outputs.into_iter().enumerate().map(release).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_formats::CommandLine;

    fn chains() -> ChainFile {
        let text = "states = ['0', '1']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]";
        ChainFile::from_toml(text).unwrap()
    }

    fn request<'a>(chains: &'a ChainFile, query: &str, method: Method) -> SequenceRelease<'a> {
        SequenceRelease {
            chains,
            chains_at: None,
            sequences_at: None,
            query: query.parse().unwrap(),
            epsilon: "1".parse().unwrap(),
            method,
            confidence: Level::usual(),
            seed: Some(1),
        }
    }

    fn released(query: &str, method: Method, sequences: &[Vec<u32>]) -> SequenceReleased {
        let chains = chains();
        request(&chains, query, method).run(sequences, Watch::default()).unwrap().expect("the noise is proved")
    }

    /// σ for one sequence of this length.
    fn alone(length: u64, query: &str, method: Method) -> Rational {
        let (chains, epsilon) = (chains(), "1".parse().unwrap());
        let linear = LinearQuery::new(&query.parse().unwrap(), &chains).unwrap();
        let problem = CalibrationProblem { file: &chains, length, epsilon: &epsilon, watch: Watch::default() };
        problem.find(method, &linear).unwrap().scale
    }

    #[test]
    fn the_longest_sequence_sets_the_noise() {
        let sequences = [vec![0; 3], vec![0, 1, 0, 1, 0, 0, 1], vec![1; 2]];
        for method in [Method::Group, Method::Exact, Method::Contraction] {
            let found = released("histogram", method, &sequences).calibrated.scale;
            assert_eq!(found, alone(7, "histogram", method), "{method:?}");
            assert!(found >= alone(3, "histogram", method), "{method:?}");
        }
        let facts = released("histogram", Method::Group, &sequences).facts();
        assert_eq!((facts.moments, facts.sequences, facts.longest), (12, 3, 7));
    }

    #[test]
    fn by_distance_the_worst_of_all_lengths_sets_the_noise() {
        let sequences = [vec![0; 5], vec![1; 2], vec![0, 1, 1]];
        let found = released("count:1", Method::Wasserstein, &sequences).calibrated.scale;
        assert_eq!(
            Some(found),
            [2, 3, 5].map(|length| alone(length, "count:1", Method::Wasserstein)).into_iter().max()
        );
    }

    #[test]
    fn intervals_are_cut_at_what_an_answer_can_be() {
        let done = released("count:1", Method::Group, &[vec![0; 4]]);
        let [least, most] = [0, 4].map(|end: i64| Rational::from_integer(end.into()));
        let answer = &done.answers[0];
        // Noise of scale 4 at 95 % reaches far beyond both ends.
        assert_eq!((&answer.at_least, &answer.at_most), (&least, &most));
        let mean = released("mean", Method::Group, &[vec![0; 4]]);
        assert_eq!(mean.answers[0].at_most, Rational::from_integer(1.into()));
        let long = released("count:1", Method::Contraction, &[vec![0; 400], vec![1; 400]]);
        assert!(long.answers[0].at_least > least && long.answers[0].at_most < Rational::from_integer(800.into()));
    }

    #[test]
    fn what_hides_no_moment_is_refused() {
        let chains = chains();
        let error = request(&chains, "histogram", Method::Entry).linear_query().unwrap_err().spelled(&CommandLine);
        assert_eq!(
            error,
            "--method entry does not protect a moment of a chain; pufferfish design shows it for comparison"
        );
        let error = request(&chains, "count", Method::Auto).linear_query().unwrap_err().spelled(&CommandLine);
        assert_eq!(error, "--query count: no state, expected count:STATE");
        let none = request(&chains, "histogram", Method::Auto).run(&[], Watch::default());
        assert_eq!(none.err().unwrap().to_string(), "no sequence, expected at least one moment");
    }

    #[test]
    fn the_same_seed_gives_the_same_answers_and_a_warning() {
        let once = || released("histogram", Method::Contraction, &[vec![0, 1, 0, 0]]);
        let values = |done: &SequenceReleased| done.answers.iter().map(|one| one.value.clone()).collect::<Vec<_>>();
        assert_eq!(values(&once()), values(&once()));
        assert_eq!(once().warnings().len(), 1);
    }
}
