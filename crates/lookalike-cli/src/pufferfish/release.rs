//! `lookalike pufferfish release`.

use super::calibrated_text::{calibrated_text, figure};
use super::method::MethodOption;
use super::sequences::Sequences;
use crate::Answer;
use crate::certify::refuted;
use crate::design::check_output;
use crate::formats::Formulas;
use crate::interrupt::Interrupt;
use crate::noise::{decimals, short};
use crate::outcome::{answer, warn};
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, print, whole_table};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, decimal, to_f64};
use lookalike_engine::pufferfish::{Method, Query, ReleasedAnswer, SequenceRelease, SequenceReleased, StateEncoder};
use lookalike_engine::{Level, ReadFile, note_input, releases_csv, write_atomically};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};
use std::path::PathBuf;

/// Answer a question about sequences of states with noise that hides every moment
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish release chain.toml day.csv --state activity --query histogram --epsilon 1
  lookalike pufferfish release chain.toml days.csv --state activity --sequence person --query count:walk --epsilon 1
  lookalike pufferfish release chain.toml day.csv --state watts --query mean --epsilon 1/2 -o mean.csv

Protected: the state at each moment, at epsilon. Public: the chain, how many sequences there are, and how long each is.
Sequences must have nothing to do with one another; then each is hidden by itself, and the noise is that of the longest.
Each answer from the same sequences costs: `pufferfish design --releases K` says what K of them lose together.")]
pub struct Release {
    /// The chain file, as `pufferfish fit` writes it
    chain: PathBuf,
    #[command(flatten)]
    sequences: Sequences,
    /// What is asked: count:STATE, histogram, sum, mean
    #[arg(long, value_name = "QUERY")]
    query: Query,
    /// How alike two states of a moment must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E")]
    epsilon: Epsilon,
    /// How the noise is found
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = MethodOption(Method::Auto))]
    method: MethodOption,
    /// How often an interval is to hold its answer
    #[arg(long, value_name = "P", default_value = "0.95")]
    confidence: Level,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Also write the noisy answers, as CSV; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    formulas: Formulas,
}

impl Release {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.chain);
        if self.formulas.escape && self.output.is_none() {
            return Err(Error::input("--escape-formulas is about the CSV of -o FILE, and there is none"));
        }
        check_output(self.output.as_deref(), terminal)?;
        let file = ChainFile::read(&self.chain)?;
        let request = self.request(&file);
        request.linear_query()?;
        let sequences = self.sequences.read(Box::new(StateEncoder::new(&file.categories())?), terminal)?;
        let bar = terminal.spinner("searching quilts");
        let interrupt = Interrupt::new(&bar);
        let released = request.run(&sequences, Watch::default())?;
        bar.finish_and_clear();
        interrupt.writing();
        let released = match released {
            Ok(released) => released,
            Err(found) => return refuted(&found, "nothing released", terminal),
        };
        self.write(&released, terminal)?;
        warn(&released.warnings(), terminal);
        answer(&released.facts(), self.output.as_deref(), || self.text(&file, &released), terminal)?;
        Ok(Answer::Yes)
    }

    fn request<'a>(&'a self, file: &'a ChainFile) -> SequenceRelease<'a> {
        SequenceRelease {
            chains: file,
            chains_at: Some(&self.chain),
            sequences_at: Some(self.sequences.path()),
            query: self.query.clone(),
            epsilon: self.epsilon.clone(),
            method: self.method.0,
            confidence: self.confidence.clone(),
            seed: self.seed,
        }
    }

    fn write(&self, released: &SequenceReleased, terminal: &Terminal) -> Result<()> {
        let Some(path) = &self.output else { return Ok(()) };
        let values: Vec<String> =
            released.answers.iter().map(|one| to_f64(&one.value, Direction::Nearest).to_string()).collect();
        let rows: Vec<(String, &str)> =
            released.answers.iter().zip(&values).map(|(one, value)| (one.name.clone(), value.as_str())).collect();
        let csv = releases_csv([released.names(), "released"], &rows, self.formulas.escape)?;
        if is_stdout(path) { print(&csv) } else { write_atomically(path, terminal.force(), csv.as_bytes()) }
    }

    fn text(&self, file: &ChainFile, released: &SequenceReleased) -> String {
        let reach = released.answers.iter().map(|one| &one.at_most - &one.at_least).max().expect("an answer");
        let places = decimals(&reach);
        let row = |one: &ReleasedAnswer| {
            vec![
                one.name.clone(),
                short(decimal(&one.value, places, Direction::Nearest)),
                short(decimal(&one.at_least, places, Direction::Down)),
                short(decimal(&one.at_most, places, Direction::Up)),
            ]
        };
        let header = [released.names(), "released", "at least", "at most"];
        let mut text = whole_table(&header, released.answers.iter().map(row));
        text += &format!("{} intervals, each taken separately.\n", released.confidence);
        let (public, found) = (&released.public, &released.calibrated);
        let many = match public.lengths.len() {
            1 => count(public.moments, "moment"),
            sequences => format!("{} moments in {sequences} sequences of at most {}", public.moments, public.longest),
        };
        text += &format!(
            "Released at epsilon {}. Protected: the state at each moment; public: that there are {many}.\n",
            released.epsilon,
        );
        text += &format!(
            "By {}: sigma {}, noise of scale {}; group privacy would need {}.\n",
            found.method.name(),
            figure(&found.scale),
            figure(&released.noise_scale()),
            figure(&released.group_noise_scale()),
        );
        text += &calibrated_text(found, file, public.longest);
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text,
        }
    }
}
