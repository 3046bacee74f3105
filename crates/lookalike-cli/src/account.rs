//! `lookalike account`.

use crate::Answer;
use crate::certify::proved;
use crate::terminal::{Terminal, whole_table};
use lookalike::account::loss::{
    Composition, EpsilonAtDelta, Statement, check_delta, compose, compose_noise, compose_oracle,
};
use lookalike::exact::{Direction, EpsilonSum, Rational, decimal, parse_rational, to_f64};
use lookalike::model::{Moments, Noise};
use lookalike::pufferfish::{ExactOptions, moments_lost};
use lookalike_engine::ReadFile;
use lookalike_formats::{AnyMechanism, Error, Result};
use serde_json::json;
use std::path::PathBuf;

/// Say what repeated releases add up to, and beyond the sum: epsilon at a chosen delta
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  lookalike account m.json --releases 1,10,100 --delta 1e-6

Of profiles the releases are of independent observations of one subject; of values, counts and numbers they are any; of
moments of a chain they are from one sequence. Epsilon at delta is never below the truth.")]
pub struct AccountVerb {
    /// The mechanism file
    mechanism: PathBuf,
    /// How many releases; several with commas between
    #[arg(long, value_name = "K", value_delimiter = ',', required = true)]
    releases: Vec<u64>,
    /// How likely it may be that more is told, from 0 to 1
    #[arg(long, value_name = "DELTA", default_value = "1e-6", value_parser = delta)]
    delta: Rational,
}

fn delta(text: &str) -> std::result::Result<Rational, String> {
    let delta = parse_rational(text).map_err(|error| error.to_string())?;
    check_delta(&delta).map_err(|error| error.to_string())?;
    Ok(delta)
}

/// What a number of releases comes to.
struct Line {
    releases: u64,
    sum: EpsilonSum,
    statement: Statement,
    found: EpsilonAtDelta,
}

impl AccountVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mechanism = AnyMechanism::read(&self.mechanism)?;
        if let AnyMechanism::Noise(file) = &mechanism
            && let Some(moments) = file.mechanism.moments()
        {
            return self.of_moments(&file.mechanism, moments, terminal);
        }
        let Some(names) = self.proved_names(&mechanism, terminal)? else { return Ok(Answer::No) };
        let bar = terminal.spinner("composing");
        let lines = self.releases.iter().map(|&releases| {
            let mut composed = self.composed(&mechanism, releases)?;
            let mut sum = EpsilonSum::zero();
            sum.add(mechanism.epsilon(), releases);
            Ok(Line { releases, sum, statement: composed.statement(), found: composed.epsilon_at(&self.delta)? })
        });
        let lines = lines.collect::<Result<Vec<_>>>()?;
        bar.finish_and_clear();
        let pair = |line: &Line| line.found.pair.map(|pair| pair.map(|secret| names[secret as usize].clone()));
        let object = json!({
            "secrets": mechanism.secrets().word(),
            "delta": self.delta.to_string(),
            "releases": lines.iter().map(|line| json!({
                "releases": line.releases,
                "sum": line.sum.to_f64(Direction::Up),
                "sum_text": line.sum.to_string(),
                "epsilon_at_delta": line.found.epsilon.as_ref().map(|epsilon| to_f64(epsilon, Direction::Up)),
                "pair": pair(line),
                "method": line.found.method.name(),
            })).collect::<Vec<_>>(),
        });
        terminal.answer(object, || {
            let row = |line: &Line| {
                let epsilon = line.found.epsilon.as_ref();
                vec![
                    line.releases.to_string(),
                    line.sum.to_string(),
                    format!("{:.5}", line.sum.to_f64(Direction::Up)),
                    epsilon.map_or_else(|| "none".to_owned(), |epsilon| decimal(epsilon, 5, Direction::Up)),
                    line.found.method.name().to_owned(),
                ]
            };
            let what = match lines.first().map(|line| line.statement) {
                Some(Statement::OnePair) => "independent observations of one subject, each released once",
                _ => "any values, each told from a neighbour of its own",
            };
            let header = ["releases", "sum of epsilon", "", "epsilon at delta", "by"];
            let table = whole_table(&header, lines.iter().map(row));
            format!("Releases of {what}; epsilon for {}; delta {}.\n{table}", mechanism.secrets(), self.delta)
        })?;
        Ok(Answer::Yes)
    }

    /// Releases from one sequence, about any one of its moments: they add up, and together they lose what one quilt, or one
    /// contraction, shows for all of them. At a delta no theorem says more.
    fn of_moments(&self, noise: &Noise, moments: &Moments, terminal: &Terminal) -> Result<Answer> {
        let Some(certified) = proved(noise.clone(), "no account", terminal)? else { return Ok(Answer::No) };
        let rate = certified.certificate().rate_at_most().expect("a proved rate is below 100,000");
        let bar = terminal.spinner("composing");
        let lines = self.releases.iter().map(|&releases| {
            if releases == 0 {
                return Err(Error::input("0 releases, expected at least 1").at("--releases"));
            }
            let mut sum = EpsilonSum::zero();
            sum.add(noise.epsilon(), releases);
            let lost =
                moments_lost(moments, &(&rate * Rational::from_integer(releases.into())), &ExactOptions::default())?;
            let most = noise.epsilon().enclose(96).upper().to_rational() * Rational::from_integer(releases.into());
            Ok((releases, sum, lost.min(most)))
        });
        let lines = lines.collect::<Result<Vec<_>>>()?;
        bar.finish_and_clear();
        let object = json!({
            "secrets": noise.secrets().word(),
            "releases": lines.iter().map(|(releases, sum, together)| json!({
                "releases": releases,
                "sum": sum.to_f64(Direction::Up),
                "sum_text": sum.to_string(),
                "together": to_f64(together, Direction::Up),
                "method": "moments",
            })).collect::<Vec<_>>(),
        });
        terminal.answer(object, || {
            let row = |(releases, sum, together): &(u64, EpsilonSum, Rational)| {
                let sum = format!("{:.5}", sum.to_f64(Direction::Up));
                vec![releases.to_string(), sum, decimal(together, 5, Direction::Up)]
            };
            let table = whole_table(&["releases", "sum of epsilon", "together at most"], lines.iter().map(row));
            format!(
                "Releases from one sequence; epsilon for {}.\n{table}They depend on each other through the sequence, so no \
                 theorem says more at a delta.\n",
                noise.secrets()
            )
        })?;
        Ok(Answer::Yes)
    }

    /// The names of the secrets, where they have a list; `None` with a warning when the mechanism is not private.
    fn proved_names(&self, mechanism: &AnyMechanism, terminal: &Terminal) -> Result<Option<Vec<String>>> {
        const REFUSAL: &str = "no account";
        Ok(match mechanism {
            AnyMechanism::Finite(file) => proved(file.mechanism.clone(), REFUSAL, terminal)?
                .map(|certified| certified.mechanism().graph().names().iter().map(str::to_owned).collect()),
            AnyMechanism::Oracle(file) => proved(file.mechanism.clone(), REFUSAL, terminal)?.map(|_| Vec::new()),
            AnyMechanism::Noise(file) => proved(file.mechanism.clone(), REFUSAL, terminal)?.map(|_| Vec::new()),
            AnyMechanism::Planar(_) => return Err(self.places()),
        })
    }

    fn composed(&self, mechanism: &AnyMechanism, releases: u64) -> Result<Composition> {
        let composed = match mechanism {
            AnyMechanism::Finite(file) => compose(&file.mechanism, releases),
            AnyMechanism::Oracle(file) => compose_oracle(&file.mechanism, releases),
            AnyMechanism::Noise(file) => compose_noise(&file.mechanism, releases),
            AnyMechanism::Planar(_) => return Err(self.places()),
        };
        composed.map_err(|error| Error::from(error).at("--releases"))
    }

    fn places(&self) -> Error {
        Error::input("noise on places, whose epsilon is for each metre: this counts categories, values and numbers")
            .in_file(&self.mechanism)
    }
}
