//! `lookalike pufferfish release`.

use super::found::{self, figure};
use super::method::MethodOption;
use super::query_noise::{divided, scale};
use super::sequences::Sequences;
use crate::Answer;
use crate::certify::proved;
use crate::design::check_output;
use crate::formats::Formulas;
use crate::interrupt::Interrupt;
use crate::noise::{Level, Width, decimals, short};
use crate::privatize::fresh_key;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, print, whole_table};
use lookalike::certify::Certified;
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, to_f64};
use lookalike::model::{Noise, Secrets};
use lookalike::sample::{NoiseSampler, RandomKey};
use lookalike_engine::pufferfish::{Asked, Found, Method, Query, Question, StateEncoder};
use lookalike_engine::{GridSteps, ReadFile, note_input, releases_csv, write_atomically};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;
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

/// A noisy answer.
struct Released {
    name: String,
    value: Rational,
    /// Where the true answer lies.
    at_least: Rational,
    at_most: Rational,
}

/// What is public of the sequences.
struct Public {
    moments: u64,
    sequences: u64,
    longest: u64,
}

impl Release {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.chain);
        if self.formulas.escape && self.output.is_none() {
            return Err(Error::input("--escape-formulas is about the CSV of -o FILE, and there is none"));
        }
        check_output(self.output.as_deref(), terminal)?;
        let file = ChainFile::read(&self.chain)?;
        self.check()?;
        let asked = Asked::new(&self.query, &file).map_err(|error| error.in_file(&self.chain))?;
        let sequences = self.sequences.read(Box::new(StateEncoder::new(&file.categories())?), terminal)?;
        file.check_possible(&sequences).map_err(|error| self.sequences.named(error))?;
        let lengths = sequences.iter().map(|sequence| sequence.len() as u64);
        let longest = lengths.clone().max().unwrap_or(0);
        let public = Public { moments: lengths.sum(), sequences: sequences.len() as u64, longest };
        asked.check(public.moments).map_err(|error| error.in_file(&self.chain))?;
        let bar = terminal.spinner("searching quilts");
        let interrupt = Interrupt::new(&bar);
        let question = Question { file: &file, length: longest, epsilon: &self.epsilon, watch: Watch::default() };
        let named = |error: Error| error.in_file(&self.chain);
        let found = self.found(&question, &asked, &sequences).map_err(named)?;
        let group = question.group().map_err(named)?;
        let noise = question.provable(&found, &asked).map_err(named)?;
        let width = Width::of(&noise, &self.confidence)?;
        bar.finish_and_clear();
        interrupt.writing();
        let Some(certified) = proved(noise, "nothing released", terminal)? else {
            return Ok(Answer::No);
        };
        let key = self.seed.map_or_else(|| fresh_key("nothing is released"), |seed| Ok(RandomKey::from_seed(seed)))?;
        let answers = asked.answers(&tally(&sequences, file.states.len()));
        let released = released(&certified, &asked, &answers, &public, &width, &key)?;
        self.write(&released, terminal)?;
        if let Some(seed) = self.seed {
            terminal.warn(&format!("seeded with {seed}: reproducible, hence not private"));
        }
        let text = || self.text(&question, &asked, &found, &group, &public, &released);
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(text().trim_end());
        } else {
            terminal.answer(self.json(&asked, &found, &group, &public, &released), text)?;
        }
        Ok(Answer::Yes)
    }

    /// Refuses a question without a state, and one that would not be protected.
    fn check(&self) -> Result<()> {
        match (self.method.0, &self.query) {
            (Method::Entry, _) => Err(Error::input(
                "--method entry does not protect a moment of a chain; pufferfish design shows it for comparison",
            )),
            (_, Query::Count(None)) => Err(Error::input("--query count: no state, expected count:STATE")),
            _ => Ok(()),
        }
    }

    /// The noise that hides every moment of every sequence.
    ///
    /// A sequence that ends early is the beginning of a longer one, and an answer that leaves later moments out changes
    /// with each moment by no more: so what hides the longest hides all. How far one state moves a sum is another
    /// matter, since later moments may make up for it; there every length is looked at.
    fn found(&self, longest: &Question<'_>, asked: &Asked, sequences: &[Vec<u32>]) -> Result<Found> {
        if self.method.0 != Method::Wasserstein {
            return longest.find(self.method.0, asked);
        }
        let lengths: BTreeSet<u64> = sequences.iter().map(|sequence| sequence.len() as u64).collect();
        let mut worst: Option<Found> = None;
        for length in lengths {
            let found = Question { length, ..*longest }.find(self.method.0, asked)?;
            if worst.as_ref().is_none_or(|worst| found.scale > worst.scale) {
                worst = Some(found);
            }
        }
        worst.ok_or_else(|| Error::input("no sequence, expected at least one"))
    }

    fn write(&self, released: &[Released], terminal: &Terminal) -> Result<()> {
        let Some(path) = &self.output else { return Ok(()) };
        let values: Vec<String> =
            released.iter().map(|one| to_f64(&one.value, Direction::Nearest).to_string()).collect();
        let rows: Vec<(String, &str)> =
            released.iter().zip(&values).map(|(one, value)| (one.name.clone(), value.as_str())).collect();
        let header = if matches!(self.query, Query::Sum | Query::Mean) { "query" } else { "state" };
        let csv = releases_csv([header, "released"], &rows, self.formulas.escape)?;
        if is_stdout(path) { print(&csv) } else { write_atomically(path, terminal.force(), csv.as_bytes()) }
    }

    fn text(
        &self,
        question: &Question<'_>,
        asked: &Asked,
        found: &Found,
        group: &Found,
        public: &Public,
        released: &[Released],
    ) -> String {
        let reach = released.iter().map(|one| &one.at_most - &one.at_least).max().expect("an answer");
        let places = decimals(&reach);
        let row = |one: &Released| {
            vec![
                one.name.clone(),
                short(decimal(&one.value, places, Direction::Nearest)),
                short(decimal(&one.at_least, places, Direction::Down)),
                short(decimal(&one.at_most, places, Direction::Up)),
            ]
        };
        let first = if matches!(self.query, Query::Sum | Query::Mean) { "query" } else { "state" };
        let mut text = whole_table(&[first, "released", "at least", "at most"], released.iter().map(row));
        text += &format!("{} intervals, each by itself.\n", self.confidence);
        let many = match public.sequences {
            1 => count(public.moments, "moment"),
            sequences => format!("{} moments in {sequences} sequences of at most {}", public.moments, public.longest),
        };
        text += &format!(
            "Released at epsilon {}. Protected: the state at each moment; public: that there are {many}.\n",
            self.epsilon,
        );
        text += &format!(
            "By {}: sigma {}, noise of scale {}; group privacy would need {}.\n",
            found.method.name(),
            figure(&found.scale),
            figure(&scale(found, asked, public.moments)),
            figure(&scale(group, asked, public.moments)),
        );
        text += &found::text(found, question.file, public.longest);
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text,
        }
    }

    fn json(&self, asked: &Asked, found: &Found, group: &Found, public: &Public, released: &[Released]) -> Value {
        let one = |one: &Released| {
            json!({
                "name": one.name,
                "released": to_f64(&one.value, Direction::Nearest),
                "at_least": to_f64(&one.at_least, Direction::Down),
                "at_most": to_f64(&one.at_most, Direction::Up),
            })
        };
        let up = |number: Rational| to_f64(&number, Direction::Up);
        json!({
            "answers": released.iter().map(one).collect::<Vec<_>>(),
            "query": self.query.to_string(),
            "confidence": self.confidence.to_f64(),
            "epsilon": self.epsilon.to_f64(),
            "epsilon_text": self.epsilon.to_string(),
            "secrets": Secrets::Moments { length: public.longest }.word(),
            "moments": public.moments,
            "sequences": public.sequences,
            "longest": public.longest,
            "lipschitz": asked.lipschitz.to_string(),
            "noise": found::json(found),
            "noise_scale": up(scale(found, asked, public.moments)),
            "group_noise_scale": up(scale(group, asked, public.moments)),
            "seeded": self.seed.is_some(),
            "output": self.output,
        })
    }
}

/// How many moments have each state.
fn tally(sequences: &[Vec<u32>], states: usize) -> Vec<u64> {
    let mut counts = vec![0; states];
    sequences.iter().flatten().for_each(|&state| counts[state as usize] += 1);
    counts
}

/// The answers with noise. Intervals are cut at what an answer can be, which is public.
fn released(
    certified: &Certified<Noise>,
    asked: &Asked,
    answers: &[Rational],
    public: &Public,
    width: &Width,
    key: &RandomKey,
) -> Result<Vec<Released>> {
    let noise = certified.mechanism();
    let (steps, grid) = (GridSteps::new(noise), noise.grid());
    let rounded: Vec<i64> = answers.iter().map(|answer| steps.of(answer)).collect();
    let mut outputs = vec![0; rounded.len()];
    NoiseSampler::new(certified).add_steps(key, 0, &rounded, &mut outputs)?;
    // Whole numbers lie on the grid.
    let width = if asked.exponent == 0 { &width.on_grid } else { &width.rounded };
    let release = |(place, output): (usize, i64)| {
        let value = Rational::from_integer(steps.kept(output).into()) * &grid;
        let [least, most] = asked.range(place, public.moments);
        let into = |number: Rational| number.max(least.clone()).min(most.clone());
        let [at_least, at_most] = [into(&value - width), into(&value + width)];
        let divided = |number| divided(number, asked, public.moments);
        let name = asked.names[place].clone();
        Released { name, value: divided(value), at_least: divided(at_least), at_most: divided(at_most) }
    };
    Ok(outputs.into_iter().enumerate().map(release).collect())
}
