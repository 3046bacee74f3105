//! `lookalike pufferfish fit`.

use super::sequences::Sequences;
use crate::Answer;
use crate::design::check_output;
use crate::noise::Level;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, print, say, table};
use lookalike::exact::{Direction, Rational, decimal, parse_rational, to_f64};
use lookalike::model::{Categories, Names};
use lookalike::pufferfish::{BinaryBox, Chain, ConfidenceBox, Initial, Transitions};
use lookalike_engine::pufferfish::{ChainClass, StateEncoder};
use lookalike_engine::records::GrowingLabels;
use lookalike_engine::write_atomically;
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Fit a Markov chain to sequences of states and write a chain file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish fit other-days.csv --state activity --states sit,stand,walk -o chain.toml
  lookalike pufferfish fit days.parquet --state watts --bins 0,100,1000 --sequence day --smoothing 1/2 -o chain.toml
  lookalike pufferfish fit days.csv --state on --states no,yes --confidence 0.95 -o chain.toml

A chain becomes public with its file, and epsilon does not cover what it tells about the sequences that it was fitted
from: fit from other sequences of the same kind than those that you release from.")]
pub struct Fit {
    #[command(flatten)]
    sequences: Sequences,
    /// What a state can be
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["bins", "public_states"])]
    states: Option<Vec<String>>,
    /// The lower edges of bins, for a column of numbers
    #[arg(long, value_name = "EDGES", value_delimiter = ',', allow_hyphen_values = true, value_parser = parse_rational)]
    bins: Option<Vec<Rational>>,
    /// Take the states found in the data, sorted: this makes them public
    #[arg(long, conflicts_with = "bins")]
    public_states: bool,
    /// Add this to every count, so that no step is impossible
    #[arg(long, value_name = "C", default_value = "0", value_parser = parse_rational, allow_hyphen_values = true)]
    smoothing: Rational,
    /// What is known of the first state: stationary (the sequence began long before), arbitrary (nothing), or first (as
    /// the sequences of the data begin)
    #[arg(long, value_name = "START", value_enum, default_value_t = Start::Stationary)]
    initial: Start,
    /// Limits that hold for all probabilities together with this confidence; for two states the file then has all chains
    /// within them
    #[arg(long, value_name = "P")]
    confidence: Option<Level>,
    /// The chain file to write; standard output by default
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Start {
    Stationary,
    Arbitrary,
    First,
}

/// What was fitted.
struct Fitted {
    seen: Transitions,
    moments: u64,
    sequences: u64,
    chain: Chain,
    limits: Option<ConfidenceBox>,
    file: ChainFile,
}

/// Limits are written with so many decimals, rounded outward.
const DECIMALS: u32 = 6;

impl Fit {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let fitted = self.fitted(terminal)?;
        let toml = HEAD.to_owned() + &fitted.file.to_toml();
        let file = self.output.as_deref().filter(|path| !is_stdout(path));
        if let Some(path) = file {
            write_atomically(path, terminal.force(), toml.as_bytes())?;
        }
        if terminal.json() {
            let mut object = fitted.json();
            object["file"] = file.map(|path| path.display().to_string()).into();
            if file.is_none() {
                object["chain"] = toml.into();
            }
            terminal.answer(object, String::new)?;
        } else if let Some(path) = file {
            say(&(fitted.text(self.confidence.as_ref()) + &format!("Wrote {}.\n", path.display())))?;
        } else {
            print(&toml)?;
            terminal.note(fitted.text(self.confidence.as_ref()).trim_end());
        }
        Ok(Answer::Yes)
    }

    fn fitted(&self, terminal: &Terminal) -> Result<Fitted> {
        let (states, sequences) = self.read(terminal)?;
        let seen = Transitions::count(states.len(), &sequences)?;
        self.check_rows(&seen, states.names())?;
        let initial = match self.initial {
            Start::Stationary => Initial::Stationary,
            Start::Arbitrary => Initial::Arbitrary,
            Start::First => seen.initial(&self.smoothing)?,
        };
        let chain = seen.chain(initial.clone(), &self.smoothing)?;
        if self.initial == Start::Stationary {
            let way_out =
                "(--initial arbitrary needs no stationary law; --smoothing lets every state follow every other)";
            chain.stationary().map_err(|error| Error::input(format!("{error} {way_out}")))?;
        }
        let limits = self.confidence.as_ref().map(|level| seen.limits(level.rational())).transpose()?;
        let class = match &limits {
            Some(limits) if states.len() == 2 => {
                let leave = |state: usize| outward(limits.limits(state, 1 - state));
                let class = BinaryBox::new(initial, leave(0), leave(1))
                    .map_err(|error| Error::input(format!("--confidence and --initial: {error}")))?;
                ChainClass::Box(class)
            }
            _ => ChainClass::Chains(vec![chain.clone()]),
        };
        let mut file = ChainFile::new(states.names().clone(), class);
        file.bins = states.bins().map(<[Rational]>::to_vec);
        let moments = sequences.iter().map(|sequence| sequence.len() as u64).sum();
        Ok(Fitted { seen, moments, sequences: sequences.len() as u64, chain, limits, file })
    }

    /// The states and the sequences by their codes.
    fn read(&self, terminal: &Terminal) -> Result<(Categories, Vec<Vec<u32>>)> {
        let known = match (&self.states, &self.bins) {
            (Some(names), _) => Some(Categories::new(names)?),
            (None, Some(edges)) => Some(Categories::from_bins(edges.clone())?),
            (None, None) => None,
        };
        if let Some(states) = known {
            let sequences = self.sequences.read(Box::new(StateEncoder::new(&states)?), terminal)?;
            return Ok((states, sequences));
        }
        if !self.public_states {
            return Err(Error::input(
                "no states, expected --states NAMES, --bins EDGES, or --public-states to take those of the data, which \
                 makes them public",
            ));
        }
        let found = GrowingLabels::default();
        let mut sequences = self.sequences.read(Box::new(found.clone()), terminal)?;
        let names = found.names();
        // Names that no row has can come from the dictionary of a Parquet file.
        let mut used: Vec<u32> = sequences.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        used.sort_by_key(|&code| &names[code as usize]);
        let mut places = vec![0; names.len()];
        used.iter().zip(0..).for_each(|(&code, place)| places[code as usize] = place);
        sequences.iter_mut().flatten().for_each(|state| *state = places[*state as usize]);
        Ok((Categories::new(used.iter().map(|&code| &names[code as usize]))?, sequences))
    }

    /// Every state must be left at least once, or smoothed.
    fn check_rows(&self, seen: &Transitions, names: &Names) -> Result<()> {
        let leaves = |state: usize| (0..seen.states()).any(|next| seen.seen(state, next) > 0);
        match (0..seen.states()).find(|&state| !leaves(state)) {
            Some(state) if self.smoothing == Rational::from_integer(0.into()) => Err(Error::input(format!(
                "nothing follows state {:?} in the sequences, so that its transition probabilities are not known \
                 (--smoothing 1/2 takes every step for possible; or leave the state out)",
                names.name(state as u32)
            ))),
            _ => Ok(()),
        }
    }
}

const HEAD: &str = "\
# A fitted chain. It is public: whoever has this file can read it, and epsilon does not cover what it tells about the
# sequences that it was fitted from.
";

/// Limits with few digits, never narrower.
fn outward([lower, upper]: &[Rational; 2]) -> [Rational; 2] {
    let rounded = |limit: &Rational, direction| {
        parse_rational(&decimal(limit, DECIMALS, direction)).expect("a decimal is a number")
    };
    let one = Rational::from_integer(1.into());
    [rounded(lower, Direction::Down), rounded(upper, Direction::Up).min(one)]
}

impl Fitted {
    fn text(&self, level: Option<&Level>) -> String {
        let states = &self.file.states;
        let shown = |number: Rational, direction| decimal(&number, 4, direction);
        let places = 0..states.len() as u32;
        let row = |(from, to): (u32, u32)| {
            let (x, y) = (from as usize, to as usize);
            let mut row = vec![
                states.name(from).to_owned(),
                states.name(to).to_owned(),
                self.seen.seen(x, y).to_string(),
                shown(self.chain.transition()[x].probability(y), Direction::Nearest),
            ];
            if let Some(limits) = &self.limits {
                let [lower, upper] = outward(limits.limits(x, y));
                row.extend([shown(lower, Direction::Down), shown(upper, Direction::Up)]);
            }
            row
        };
        let pairs: Vec<(u32, u32)> = places.clone().flat_map(|from| places.clone().map(move |to| (from, to))).collect();
        let limited = if self.limits.is_some() { &["at least", "at most"][..] } else { &[] };
        let header: Vec<&str> = ["from", "to", "seen", "probability"].iter().chain(limited).copied().collect();
        let mut text = format!("{} in {}.\n", count(self.moments, "moment"), count(self.sequences, "sequence"));
        text += &table(&header, pairs.into_iter().map(row).collect::<Vec<_>>().into_iter());
        if let Ok(law) = self.chain.stationary() {
            let share = |state: u32| {
                format!(
                    "{} {}",
                    lookalike_formats::shown(states.name(state)),
                    shown(law.probability(state as usize), Direction::Nearest)
                )
            };
            text += &format!("In the long run: {}.\n", places.take(12).map(share).collect::<Vec<_>>().join(", "));
        }
        let impossible =
            self.chain.transition().iter().flat_map(|row| row.numerators()).filter(|w| w.is_zero()).count();
        if impossible > 0 {
            text += &format!(
                "{} never seen and {} probability 0: sequences that have them cannot be released (--smoothing).\n",
                if impossible == 1 { "1 step was".to_owned() } else { format!("{impossible} steps were") },
                if impossible == 1 { "has" } else { "have" },
            );
        }
        match (level, &self.file.class) {
            (Some(level), ChainClass::Box(_)) => {
                text += &format!("The file has all chains within the limits, which hold together at {level}.\n");
            }
            (Some(level), ChainClass::Chains(_)) => {
                text += &format!(
                    "The limits hold together at {level}. The file has the fitted chain alone: only chains of two states are \
                     covered\nby their limits. List other chains within the limits as [[chain]] to cover them too.\n"
                );
            }
            (None, _) => {}
        }
        text + "The chain is public. Epsilon does not cover what it tells about these sequences: release from others.\n"
    }

    fn json(&self) -> Value {
        let places = || 0..self.seen.states();
        let grid = |number: &dyn Fn(usize, usize) -> Value| -> Value {
            places().map(|from| places().map(|to| number(from, to)).collect::<Value>()).collect()
        };
        let nearest = |number: &Rational| to_f64(number, Direction::Nearest);
        json!({
            "moments": self.moments,
            "sequences": self.sequences,
            "states": self.file.states.iter().collect::<Vec<_>>(),
            "seen": grid(&|from, to| self.seen.seen(from, to).into()),
            "transition": grid(&|from, to| nearest(&self.chain.transition()[from].probability(to)).into()),
            "stationary": self.chain.stationary().ok().map(|law| {
                law.probabilities().map(|share| nearest(&share)).collect::<Vec<_>>()
            }),
            "limits": self.limits.as_ref().map(|limits| {
                grid(&|from, to| json!(outward(limits.limits(from, to)).each_ref().map(nearest)))
            }),
            "class": if matches!(self.file.class, ChainClass::Box(_)) { "limits" } else { "chain" },
        })
    }
}
