//! `lookalike account`.

use crate::Answer;
use crate::certify::{accepted, in_file_if_nowhere};
use crate::terminal::{Terminal, whole_table};
use lookalike::account::loss::{Statement, check_delta};
use lookalike::exact::{Direction, Rational, decimal, parse_rational};
use lookalike_engine::{AccountOutcome, AccountRequest, AccountRows, Composed, ReadFile, Together};
use lookalike_formats::{AnyMechanism, Result, json_of};
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

impl AccountVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mechanism = AnyMechanism::read(&self.mechanism)?;
        let bar = terminal.spinner("composing");
        let request = AccountRequest { mechanism, releases: self.releases, delta: self.delta };
        let done = request.run().map_err(|error| in_file_if_nowhere(error, &self.mechanism))?;
        bar.finish_and_clear();
        let Some(outcome) = accepted(done, "no account", terminal)? else { return Ok(Answer::No) };
        terminal.answer(json_of(&outcome.facts()), || match &outcome.rows {
            AccountRows::Composed { rows, .. } => composed_text(&outcome, rows),
            AccountRows::Moments(rows) => moments_text(&outcome, rows),
        })?;
        Ok(Answer::Yes)
    }
}

fn composed_text(outcome: &AccountOutcome, rows: &[Composed]) -> String {
    let row = |row: &Composed| {
        let epsilon = row.found.epsilon.as_ref();
        vec![
            row.releases.to_string(),
            row.sum.to_string(),
            format!("{:.5}", row.sum.to_f64(Direction::Up)),
            epsilon.map_or_else(|| "none".to_owned(), |epsilon| decimal(epsilon, 5, Direction::Up)),
            row.found.method.name().to_owned(),
        ]
    };
    let what = match rows.first().map(|row| row.statement) {
        Some(Statement::OnePair) => "independent observations of one subject, each released once",
        _ => "any values, each told from a neighbour of its own",
    };
    let header = ["releases", "sum of epsilon", "", "epsilon at delta", "by"];
    let table = whole_table(&header, rows.iter().map(row));
    format!("Releases of {what}; epsilon for {}; delta {}.\n{table}", outcome.secrets, outcome.delta)
}

fn moments_text(outcome: &AccountOutcome, rows: &[Together]) -> String {
    let row = |row: &Together| {
        let sum = format!("{:.5}", row.sum.to_f64(Direction::Up));
        vec![row.releases.to_string(), sum, decimal(&row.together, 5, Direction::Up)]
    };
    let table = whole_table(&["releases", "sum of epsilon", "together at most"], rows.iter().map(row));
    format!(
        "Releases from one sequence; epsilon for {}.\n{table}They depend on each other through the sequence, so no \
         theorem says more at a delta.\n",
        outcome.secrets
    )
}
