//! `lookalike tupling`.

use crate::Answer;
use crate::certify::delta_at_most;
use crate::terminal::{Terminal, spelled, whole_table};
use lookalike::exact::Epsilon;
use lookalike::local::{MOST_DUMMIES, Tupled};
use lookalike_engine::{ReadFile, TuplingOutcome, TuplingRequest, read_dummy_law, uniform_dummies};
use lookalike_formats::{AnyMechanism, Error, Result, json_of};
use std::path::{Path, PathBuf};

/// Say how much alike secrets become when every report is released among dummies
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike tupling m.json --epsilon 0.5
  lookalike tupling m.json --epsilon 0.5 --dummies 0,16,32 --dummy-law law.csv

Each report is put at a random place among k dummies, which are drawn from a public law, and all k + 1 are released. Two
secrets that must look alike are then (E, delta)-indistinguishable, with an exact delta that never rises with k. With few
outputs more dummies can be asked for: what would take too long is refused.")]
pub struct Tupling {
    /// The mechanism file
    mechanism: PathBuf,
    /// How many dummies a report has; several with commas between
    #[arg(long, value_name = "K", value_delimiter = ',', default_value = "0,1,2,4,8",
          value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_DUMMIES)))]
    dummies: Vec<u32>,
    /// The epsilon at which to say delta, above 0, like 0.5 or ln(2)
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Epsilon,
    /// The law of the dummies: uniform, or a table with the columns output and probability
    #[arg(long, value_name = "LAW", default_value = UNIFORM)]
    dummy_law: PathBuf,
}

/// A file of that name is ./uniform.
const UNIFORM: &str = "uniform";

impl Tupling {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let read = AnyMechanism::read(&self.mechanism)?;
        let kind = read.kind_name();
        let mechanism = read.finite().map(|file| file.mechanism).map_err(|_| {
            let message = "tupling is about channels between categories, and this file is of the kind";
            Error::input(format!("{message} {kind}")).in_file(&self.mechanism)
        })?;
        let law = match self.is_uniform() {
            true => uniform_dummies(mechanism.outputs()),
            false => read_dummy_law(&self.dummy_law, mechanism.outputs())?,
        };
        let (dummies, epsilon) = (self.dummies.clone(), self.epsilon.clone());
        let request = TuplingRequest { mechanism, law, dummies, epsilon };
        if let Some(warning) = request.warning() {
            terminal.warn(&spelled(&warning));
        }
        let bar = terminal.spinner("adding up tuples");
        let outcome = request.run().map_err(|error| error.in_file(&self.mechanism))?;
        bar.finish_and_clear();
        terminal.answer(json_of(&outcome.facts()), || self.text(&outcome))?;
        Ok(Answer::Yes)
    }

    fn is_uniform(&self) -> bool {
        self.dummy_law == Path::new(UNIFORM)
    }

    fn text(&self, outcome: &TuplingOutcome) -> String {
        let law = if self.is_uniform() { "the uniform law".to_owned() } else { self.dummy_law.display().to_string() };
        let names = outcome.mechanism.graph().names();
        let row = |row: &Tupled| {
            let [more, less] = row.secrets().map(|secret| names.name(secret));
            let pair = if row.delta().is_zero() { "–".to_owned() } else { format!("{more}, {less}") };
            vec![row.dummies().to_string(), delta_at_most(row.delta()), pair]
        };
        let epsilon = &self.epsilon;
        format!(
            "Each report at a random place among dummies from {law}: delta at epsilon {epsilon}, rounded up.\n{}The \
             probability of any set of tuples is at most e^({epsilon}) times that under a neighbour, plus delta.\n",
            whole_table(&["dummies", "delta", "worst pair"], outcome.rows.iter().map(row))
        )
    }
}
