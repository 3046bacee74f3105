//! `lookalike pufferfish fit`.

use super::sequences::Sequences;
use crate::Answer;
use crate::design::check_output;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, print, say, table};
use lookalike::exact::{Direction, Rational, decimal, parse_rational};
use lookalike_engine::pufferfish::{ChainClass, ChainFit, FirstState, FittedChain, WrittenChainFacts, outward};
use lookalike_engine::{Facts, Level, write_atomically};
use lookalike_formats::Result;
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

impl Fit {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let request = self.request();
        let states = request.state_names()?;
        let sequences = self.sequences.read(states.encoder()?, terminal)?;
        let fitted = request.run(states, sequences)?;
        let toml = HEAD.to_owned() + &fitted.file.to_toml();
        let file = self.output.as_deref().filter(|path| !is_stdout(path));
        if let Some(path) = file {
            write_atomically(path, terminal.force(), toml.as_bytes())?;
        }
        let text = || fitted_text(&fitted, self.confidence.as_ref());
        if terminal.json() {
            let chain = file.is_none().then_some(toml);
            let file = file.map(|path| path.display().to_string());
            terminal.answer(WrittenChainFacts { fit: fitted.facts(), file, chain }.json(), String::new)?;
        } else if let Some(path) = file {
            say(&(text() + &format!("Wrote {}.\n", path.display())))?;
        } else {
            print(&toml)?;
            terminal.note(text().trim_end());
        }
        Ok(Answer::Yes)
    }

    fn request(&self) -> ChainFit {
        ChainFit {
            states: self.states.clone(),
            bins: self.bins.clone(),
            public_states: self.public_states,
            smoothing: self.smoothing.clone(),
            initial: match self.initial {
                Start::Stationary => FirstState::Stationary,
                Start::Arbitrary => FirstState::Arbitrary,
                Start::First => FirstState::First,
            },
            confidence: self.confidence.clone(),
        }
    }
}

const HEAD: &str = "\
# A fitted chain. It is public: whoever has this file can read it, and epsilon does not cover what it tells about the
# sequences that it was fitted from.
";

fn fitted_text(fitted: &FittedChain, level: Option<&Level>) -> String {
    let states = &fitted.file.states;
    let shown = |number: Rational, direction| decimal(&number, 4, direction);
    let places = 0..states.len() as u32;
    let row = |(from, to): (u32, u32)| {
        let (x, y) = (from as usize, to as usize);
        let mut row = vec![
            states.name(from).to_owned(),
            states.name(to).to_owned(),
            fitted.seen.seen(x, y).to_string(),
            shown(fitted.chain.transition()[x].probability(y), Direction::Nearest),
        ];
        if let Some(limits) = &fitted.limits {
            let [lower, upper] = outward(limits.limits(x, y));
            row.extend([shown(lower, Direction::Down), shown(upper, Direction::Up)]);
        }
        row
    };
    let pairs: Vec<(u32, u32)> = places.clone().flat_map(|from| places.clone().map(move |to| (from, to))).collect();
    let limited = if fitted.limits.is_some() { &["at least", "at most"][..] } else { &[] };
    let header: Vec<&str> = ["from", "to", "seen", "probability"].iter().chain(limited).copied().collect();
    let mut text =
        format!("{} in {}.\n", count(fitted.moments(), "moment"), count(fitted.lengths.len() as u64, "sequence"));
    text += &table(&header, pairs.into_iter().map(row).collect::<Vec<_>>().into_iter());
    if let Ok(law) = fitted.chain.stationary() {
        let share = |state: u32| {
            format!(
                "{} {}",
                lookalike_formats::shown(states.name(state)),
                shown(law.probability(state as usize), Direction::Nearest)
            )
        };
        text += &format!("In the long run: {}.\n", places.take(12).map(share).collect::<Vec<_>>().join(", "));
    }
    let impossible = fitted.chain.transition().iter().flat_map(|row| row.numerators()).filter(|w| w.is_zero()).count();
    if impossible > 0 {
        text += &format!(
            "{} never seen and {} probability 0: sequences that have them cannot be released (--smoothing).\n",
            if impossible == 1 { "1 step was".to_owned() } else { format!("{impossible} steps were") },
            if impossible == 1 { "has" } else { "have" },
        );
    }
    match (level, &fitted.file.class) {
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
