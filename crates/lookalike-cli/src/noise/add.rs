//! `lookalike noise add`.

use super::claim::Claim;
use super::width::{bounds_text, decimals, short};
use crate::Answer;
use crate::certify::refuted;
use crate::outcome::warn;
use crate::terminal::{Terminal, whole_table};
use lookalike::exact::{Direction, Epsilon, Rational, decimal, parse_rational};
use lookalike::model::Noise;
use lookalike_engine::noise::{NoiseClaim, NumbersRelease, NumbersReleased};
use lookalike_engine::{Facts, Level, ReadFile};
use lookalike_formats::{AnyMechanism, Error, Result};
use std::path::{Path, PathBuf};

/// Release numbers with noise, each with an interval
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike noise add 1207 --epsilon 1/2 --sensitivity 1 --on-grid      # a count
  lookalike noise add 3.4 2.9 --mechanism m.json
  lookalike noise add 0.37 --epsilon 1 --sensitivity 1/64 --grid 2^-10 --clamp 0,1
  lookalike privatize m.json records.csv --value income -o private.csv  # a column

Each value costs epsilon; they add up where they are about the same people. The true values are
not printed, but the command line keeps them: a shell writes it down, and others on the machine
may see it. A column in a file is not seen.
The sensitivity and the bounds of the clamp are arguments: taken from the data they would tell
of it.")]
pub struct Add {
    /// The values, exact as they are written: 12, -0.5, 1e3, 1/3
    #[arg(value_name = "VALUE", required = true, allow_negative_numbers = true)]
    values: Vec<String>,
    /// The noise of a mechanism file, as `noise design` writes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["epsilon", "sensitivity", "grid", "clamp"])]
    mechanism: Option<PathBuf>,
    #[command(flatten)]
    claim: Claim,
    /// The values are multiples of the grid, such as counts: intervals are a grid step narrower, and another value is an
    /// error
    #[arg(long)]
    on_grid: bool,
    /// How often an interval is to hold its value
    #[arg(long, value_name = "P", default_value = "0.95")]
    confidence: Level,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

const NO_NOISE: &str = "no noise, expected --mechanism FILE, or --epsilon E and --sensitivity D";

impl Add {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let noise = match (&self.mechanism, self.claim.request()) {
            (Some(path), _) => from_file(path)?,
            (None, Some(claim)) => {
                let noise = claim.noise()?;
                warn(&NoiseClaim::warnings(&noise), terminal);
                noise
            }
            (None, None) => return Err(Error::input(NO_NOISE)),
        };
        let request = NumbersRelease {
            noise,
            values: self.parsed()?,
            on_grid: self.on_grid,
            confidence: self.confidence.clone(),
            seed: self.seed,
        };
        let released = match request.run()? {
            Ok(released) => released,
            Err(found) => return refuted(&found, "nothing released", terminal),
        };
        warn(&released.warnings(), terminal);
        terminal.answer(released.facts().json(), || self.text(&released))?;
        Ok(Answer::Yes)
    }

    /// The values; errors name their places and not them.
    fn parsed(&self) -> Result<Vec<Rational>> {
        let value = |(at, text): (usize, &String)| {
            parse_rational(text).map_err(|_| {
                Error::input("not a number, expected one like 12, -0.5, 1e3 or 1/3")
                    .at(format_args!("value {}", at + 1))
            })
        };
        self.values.iter().enumerate().map(value).collect()
    }

    fn text(&self, done: &NumbersReleased) -> String {
        let (noise, width) = (done.certified.mechanism(), &done.width);
        let decimals = decimals(&width.rounded);
        let end = |value: &Rational, direction| short(decimal(value, decimals, direction));
        let rows = done.released.iter().map(|one| {
            let number = done.number(one.steps).to_string();
            vec![number, end(&one.at_least, Direction::Down), end(&one.at_most, Direction::Up)]
        });
        let mut text = whole_table(&["released", "at least", "at most"], rows);
        text += &format!("{} intervals, each taken separately{}.\n", self.confidence, bounds_text(width));
        let together = together(noise.epsilon(), done.released.len());
        text += &format!("Released at epsilon {} for {}{together}.\n", noise.epsilon(), noise.secrets());
        text
    }
}

/// The noise of a file.
fn from_file(path: &Path) -> Result<Noise> {
    match AnyMechanism::read(path)? {
        AnyMechanism::Noise(file) => Ok(file.mechanism),
        other => Err(Error::input(format!(
            "kind: {:?}, expected \"noise\" (noise design writes it; privatize takes every kind)",
            other.kind_name()
        ))
        .in_file(path)),
    }
}

/// What several values about the same people cost.
fn together(epsilon: &Epsilon, count: usize) -> String {
    match epsilon.scale(&Rational::from_integer(count.into())) {
        _ if count < 2 => String::new(),
        Ok(sum) => format!(", each; {sum} together where they are about the same people"),
        Err(_) => ", each; they add up where they are about the same people".to_owned(),
    }
}
