//! A Markov chain from sequences of states.

use super::ChainClass;
use super::sequences::StateEncoder;
use crate::facts::nearest;
use crate::noise::Level;
use lookalike::Sentence;
use lookalike::exact::{Direction, Rational, decimal, parse_rational};
use lookalike::model::{Categories, Distribution, Names};
use lookalike::pufferfish::{BinaryBox, Chain, ConfidenceBox, Initial, Transitions};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};
use lookalike_records::{Encoder, GrowingLabels};
use serde::Serialize;

/// What is to be fitted.
pub struct ChainFit {
    /// The names of the states.
    pub states: Option<Vec<String>>,
    /// The lower edges of bins, for numbers.
    pub bins: Option<Vec<Rational>>,
    /// Whether the states are those of the data, which makes them public.
    pub public_states: bool,
    /// This is added to every count.
    pub smoothing: Rational,
    /// What is known of the first state.
    pub initial: FirstState,
    /// Limits are to hold for all probabilities together with this confidence.
    pub confidence: Option<Level>,
}

/// What is known of the first state of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstState {
    /// The sequence began long before.
    Stationary,
    /// Nothing.
    Arbitrary,
    /// It has the law with which the sequences of the data begin.
    First,
    /// It has this law.
    Given(Distribution),
}

/// The states of the sequences, while these are read.
pub enum StateNames {
    /// They were said.
    Known(Categories),
    /// They are found.
    Found(GrowingLabels),
}

/// What was fitted.
pub struct FittedChain {
    /// What was counted.
    pub seen: Transitions,
    /// How long each sequence is.
    pub lengths: Vec<u64>,
    /// The chain.
    pub chain: Chain,
    /// Limits of its probabilities, where they were asked for.
    pub limits: Option<ConfidenceBox>,
    /// The chain file.
    pub file: ChainFile,
}

/// What is said of a fit.
#[derive(Debug, Clone, Serialize)]
pub struct FittedChainFacts {
    /// How many moments there are in all sequences.
    pub moments: u64,
    /// How many sequences there are.
    pub sequences: usize,
    /// The states.
    pub states: Vec<String>,
    /// How often each state (columns) came after each state (rows).
    pub seen: Vec<Vec<u64>>,
    /// The probabilities of the next state (columns) after each state (rows).
    pub transition: Vec<Vec<f64>>,
    /// The law in the long run, where there is one.
    pub stationary: Option<Vec<f64>>,
    /// A lower and an upper limit of each probability.
    pub limits: Option<Vec<Vec<[f64; 2]>>>,
    /// `chain`, or `limits` where the file has all chains within them.
    pub class: &'static str,
}

/// What is said of a fit, with the file that was written.
#[derive(Debug, Clone, Serialize)]
pub struct WrittenChainFacts {
    /// The fit.
    #[serde(flatten)]
    pub fit: FittedChainFacts,
    /// The chain file.
    pub file: Option<String>,
    /// Its text, where there is no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain: Option<String>,
}

/// Limits are written with so many decimals, rounded outward.
const DECIMALS: u32 = 6;

impl StateNames {
    /// What gives the states of a column their codes. Several columns have one each, which share what was found.
    ///
    /// # Errors
    /// None for categories.
    pub fn encoder(&self) -> Result<Encoder> {
        Ok(match self {
            StateNames::Known(states) => Box::new(StateEncoder::new(states)?),
            StateNames::Found(found) => Box::new(found.clone()),
        })
    }

    /// The states; those that were found are sorted by name, and the sequences are coded anew.
    fn resolved(self, sequences: &mut [Vec<u32>]) -> Result<Categories> {
        let found = match self {
            StateNames::Known(states) => return Ok(states),
            StateNames::Found(found) => found,
        };
        let names = found.names();
        // Names that no row has can come from the dictionary of a Parquet file.
        let mut used: Vec<u32> = sequences.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        used.sort_by_key(|&code| &names[code as usize]);
        let mut places = vec![0; names.len()];
        used.iter().zip(0..).for_each(|(&code, place)| places[code as usize] = place);
        sequences.iter_mut().flatten().for_each(|state| *state = places[*state as usize]);
        Ok(Categories::new(used.iter().map(|&code| &names[code as usize]))?)
    }
}

impl ChainFit {
    /// The states, by which sequences are read.
    ///
    /// # Errors
    /// No states, and none to be taken from the data.
    pub fn state_names(&self) -> Result<StateNames> {
        match (&self.states, &self.bins) {
            (Some(names), _) => Ok(StateNames::Known(Categories::new(names)?)),
            (None, Some(edges)) => Ok(StateNames::Known(Categories::from_bins(edges.clone())?)),
            (None, None) if self.public_states => Ok(StateNames::Found(GrowingLabels::default())),
            (None, None) => Err(Error::input(
                Sentence::from("no states, expected ")
                    .option("states")
                    .taking("NAMES")
                    .text(", ")
                    .option("bins")
                    .taking("EDGES")
                    .text(", or ")
                    .flag("public-states")
                    .text(" to take those of the data, which makes them public"),
            )),
        }
    }

    /// The chain of these sequences.
    ///
    /// # Errors
    /// A state that nothing follows; a chain without a stationary law where it has to begin with it; no sequence.
    pub fn run(&self, states: StateNames, mut sequences: Vec<Vec<u32>>) -> Result<FittedChain> {
        let states = states.resolved(&mut sequences)?;
        let seen = Transitions::count(states.len(), &sequences)?;
        self.check_rows(&seen, states.names())?;
        let initial = match &self.initial {
            FirstState::Stationary => Initial::Stationary,
            FirstState::Arbitrary => Initial::Arbitrary,
            FirstState::First => seen.initial(&self.smoothing)?,
            FirstState::Given(law) => Initial::Given(law.clone()),
        };
        let chain = seen.chain(initial.clone(), &self.smoothing)?;
        if self.initial == FirstState::Stationary {
            chain.stationary().map_err(|error| {
                Error::from(error).hint(
                    Sentence::new()
                        .option("initial")
                        .word("arbitrary")
                        .text(" needs no stationary law; ")
                        .option("smoothing")
                        .text(" lets every state follow every other"),
                )
            })?;
        }
        let limits = self.confidence.as_ref().map(|level| seen.limits(level.rational())).transpose()?;
        let class = match &limits {
            Some(limits) if states.len() == 2 => {
                let leave = |state: usize| outward(limits.limits(state, 1 - state));
                let class = BinaryBox::new(initial, leave(0), leave(1)).map_err(|error| {
                    Error::from(error).at_option(Sentence::new().option("confidence").text(" and ").option("initial"))
                })?;
                ChainClass::Box(class)
            }
            _ => ChainClass::Chains(vec![chain.clone()]),
        };
        let mut file = ChainFile::new(states.names().clone(), class);
        file.bins = states.bins().map(<[Rational]>::to_vec);
        let lengths = sequences.iter().map(|sequence| sequence.len() as u64).collect();
        Ok(FittedChain { seen, lengths, chain, limits, file })
    }

    /// Every state must be left at least once, or smoothed.
    fn check_rows(&self, seen: &Transitions, names: &Names) -> Result<()> {
        let leaves = |state: usize| (0..seen.states()).any(|next| seen.seen(state, next) > 0);
        match (0..seen.states()).find(|&state| !leaves(state)) {
            Some(state) if self.smoothing == Rational::from_integer(0.into()) => Err(Error::input(format!(
                "nothing follows state {:?} in the sequences, so that its transition probabilities are not known",
                names.name(state as u32)
            ))
            .hint(
                Sentence::new()
                    .option("smoothing")
                    .word("1/2")
                    .text(" takes every step for possible; or leave the state out"),
            )),
            _ => Ok(()),
        }
    }
}

/// Limits with few digits, never narrower.
pub fn outward([lower, upper]: &[Rational; 2]) -> [Rational; 2] {
    let rounded = |limit: &Rational, direction| {
        parse_rational(&decimal(limit, DECIMALS, direction)).expect("a decimal is a number")
    };
    let one = Rational::from_integer(1.into());
    [rounded(lower, Direction::Down), rounded(upper, Direction::Up).min(one)]
}

impl FittedChain {
    /// How many moments there are in all sequences.
    pub fn moments(&self) -> u64 {
        self.lengths.iter().sum()
    }

    /// What is said of it.
    pub fn facts(&self) -> FittedChainFacts {
        let places = || 0..self.seen.states();
        FittedChainFacts {
            moments: self.moments(),
            sequences: self.lengths.len(),
            states: self.file.states.iter().map(str::to_owned).collect(),
            seen: places().map(|from| places().map(|to| self.seen.seen(from, to)).collect()).collect(),
            transition: self
                .chain
                .transition()
                .iter()
                .map(|row| row.probabilities().map(|share| nearest(&share)).collect())
                .collect(),
            stationary: self
                .chain
                .stationary()
                .ok()
                .map(|law| law.probabilities().map(|share| nearest(&share)).collect()),
            limits: self.limits.as_ref().map(|limits| {
                let ends = |from: usize, to: usize| outward(limits.limits(from, to)).each_ref().map(nearest);
                places().map(|from| places().map(|to| ends(from, to)).collect()).collect()
            }),
            class: if matches!(self.file.class, ChainClass::Box(_)) { "limits" } else { "chain" },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_formats::CommandLine;

    fn fit(public_states: bool) -> ChainFit {
        ChainFit {
            states: (!public_states).then(|| vec!["b".to_owned(), "a".to_owned()]),
            bins: None,
            public_states,
            smoothing: Rational::from_integer(0.into()),
            initial: FirstState::Arbitrary,
            confidence: None,
        }
    }

    #[test]
    fn states_that_are_found_are_sorted_and_known_ones_are_not() {
        let names = fit(true).state_names().unwrap();
        let encoder = names.encoder().unwrap();
        let codes: Vec<u32> = ["b", "a", "b", "b", "a"].iter().map(|name| encoder.encode(name).unwrap()).collect();
        let done = fit(true).run(names, vec![codes]).unwrap();
        assert_eq!(
            (done.facts().states, done.facts().seen),
            (vec!["a".into(), "b".into()], vec![vec![0, 1], vec![2, 1]])
        );
        let known = fit(false);
        let done = known.run(known.state_names().unwrap(), vec![vec![0, 1, 0, 0, 1]]).unwrap();
        assert_eq!(
            (done.facts().states, done.facts().seen),
            (vec!["b".into(), "a".into()], vec![vec![1, 2], vec![1, 0]])
        );
    }

    #[test]
    fn limits_are_rounded_outward_and_stay_probabilities() {
        let number = |text| parse_rational(text).unwrap();
        let [lower, upper] = outward(&[number("1/3"), number("2/3")]);
        assert_eq!((lower, upper), (number("0.333333"), number("0.666667")));
        assert_eq!(outward(&[number("0"), number("0.99999999")])[1], number("1"));
    }

    #[test]
    fn a_state_that_nothing_follows_needs_smoothing() {
        let mut request = fit(false);
        let run = |request: &ChainFit| request.run(request.state_names().unwrap(), vec![vec![0, 0, 1]]);
        let error = run(&request).err().unwrap().spelled(&CommandLine);
        assert!(
            error.starts_with("nothing follows state \"a\"") && error.contains("(--smoothing 1/2 takes"),
            "{error}"
        );
        request.smoothing = Rational::from_integer(1.into());
        assert!(run(&request).is_ok());
    }
}
