//! `lookalike noise add`.

use super::claim::Claim;
use super::width::{Level, Width, decimals, short};
use crate::Answer;
use crate::certify::proved;
use crate::privatize::fresh_key;
use crate::terminal::{Terminal, whole_table};
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, parse_rational, to_f64};
use lookalike::model::Noise;
use lookalike::sample::{NoiseSampler, RandomKey};
use lookalike_engine::{GridSteps, ReadFile};
use lookalike_formats::{AnyMechanism, Error, Result};
use serde_json::{Value, json};
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

/// A number that may be seen, and where its value lies.
struct Released {
    /// In grid steps.
    steps: i64,
    at_least: Rational,
    at_most: Rational,
}

impl Add {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let noise = match &self.mechanism {
            Some(path) => from_file(path)?,
            None => self.claim.noise(terminal)?.ok_or_else(|| Error::input(NO_NOISE))?,
        };
        let values = self.parsed(&noise)?;
        let width = Width::of(&noise, &self.confidence)?;
        let Some(certified) = proved(noise, "nothing released", terminal)? else {
            return Ok(Answer::No);
        };
        let key = self.seed.map_or_else(|| fresh_key("nothing is released"), |seed| Ok(RandomKey::from_seed(seed)))?;
        let released = self.released(&certified, &values, &width, &key)?;
        if let Some(seed) = self.seed {
            terminal.warn(&format!("seeded with {seed}: reproducible, hence not private"));
        }
        let noise = certified.mechanism();
        terminal.answer(self.json(noise, &width, &released), || self.text(noise, &width, &released))?;
        Ok(Answer::Yes)
    }

    /// The values; errors name their places and not them.
    fn parsed(&self, noise: &Noise) -> Result<Vec<Rational>> {
        let grid = noise.grid();
        let is_off = |number: &Rational| self.on_grid && !(number / &grid).is_integer();
        if let Some(bound) = noise.clamp().into_iter().flatten().find(|bound| is_off(bound)) {
            return Err(Error::input(format!("--on-grid: the bound {bound} is not a multiple of the grid, {grid}")));
        }
        let value =
            |(at, text): (usize, &String)| {
                let place = format!("value {}", at + 1);
                let value = parse_rational(text)
                    .map_err(|_| Error::input("not a number, expected one like 12, -0.5, 1e3 or 1/3").at(&place))?;
                match is_off(&value) {
                    true => Err(Error::input(format!("not a multiple of the grid, {grid}, though --on-grid says so"))
                        .at(&place)),
                    false => Ok(value),
                }
            };
        self.values.iter().enumerate().map(value).collect()
    }

    fn released(
        &self,
        certified: &Certified<Noise>,
        values: &[Rational],
        width: &Width,
        key: &RandomKey,
    ) -> Result<Vec<Released>> {
        let (steps, grid) = (GridSteps::new(certified.mechanism()), certified.mechanism().grid());
        let rounded: Vec<i64> = values.iter().map(|value| steps.of(value)).collect();
        let mut outputs = vec![0; rounded.len()];
        NoiseSampler::new(certified).add_steps(key, 0, &rounded, &mut outputs)?;
        let width = if self.on_grid { &width.on_grid } else { &width.rounded };
        let release = |output| {
            let steps = steps.kept(output);
            let value = Rational::from_integer(steps.into()) * &grid;
            Released { steps, at_least: &value - width, at_most: value + width }
        };
        Ok(outputs.into_iter().map(release).collect())
    }

    fn text(&self, noise: &Noise, width: &Width, released: &[Released]) -> String {
        let reals = GridSteps::new(noise);
        let number = |steps: i64| if noise.exponent() == 0 { steps.to_string() } else { reals.real(steps).to_string() };
        let decimals = decimals(&width.rounded);
        let end = |value: &Rational, direction| short(decimal(value, decimals, direction));
        let rows = released
            .iter()
            .map(|one| vec![number(one.steps), end(&one.at_least, Direction::Down), end(&one.at_most, Direction::Up)]);
        let mut text = whole_table(&["released", "at least", "at most"], rows);
        text += &format!("{} intervals, each by itself{}.\n", self.confidence, width.bounds_text());
        let together = together(noise.epsilon(), released.len());
        text += &format!("Released at epsilon {} for {}{together}.\n", noise.epsilon(), noise.secrets());
        text
    }

    fn json(&self, noise: &Noise, width: &Width, released: &[Released]) -> Value {
        let reals = GridSteps::new(noise);
        let object = |one: &Released| {
            let number = if noise.exponent() == 0 { json!(one.steps) } else { json!(reals.real(one.steps)) };
            json!({
                "released": number,
                "at_least": to_f64(&one.at_least, Direction::Down),
                "at_most": to_f64(&one.at_most, Direction::Up),
            })
        };
        json!({
            "values": released.iter().map(object).collect::<Vec<_>>(),
            "epsilon": noise.epsilon().to_f64(),
            "epsilon_text": noise.epsilon().to_string(),
            "secrets": noise.secrets().word(),
            "interval": width.json(),
            "seeded": self.seed.is_some(),
        })
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
