//! `lookalike audit`.

mod answer;

use crate::Answer;
use crate::certify::proved;
use crate::formats::InputFormat;
use crate::interrupt::Interrupt;
use crate::streams::length;
use crate::terminal::{Terminal, spelled};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike_engine::audit::{
    Attacked, AuditOutcome, AuditRequest, AuditSource, AuditWatch, Program, Question, Subject, WrittenInput,
};
use lookalike_engine::{Facts, ReadFile};
use lookalike_formats::{AnyMechanism, Result, of_kind};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Attack a mechanism by its draws: a lower bound on its epsilon, or evidence against its claim
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike audit m.json                # drawn by its own sampler
  lookalike audit m.json --draws 1e8 --pair ana,bo
  lookalike audit --secrets no,yes --epsilon 'ln(3)' -- python3 noise.py
  lookalike audit m.json --records draws.parquet --secret user --value load
  lookalike audit --secrets no,yes --delta-at 1 --delta 0.01 -- ./noise

A program reads one secret per line and prints one output per line, until its input ends. See docs/audit.md.
Exit code 1 with evidence against the claim. Without it nothing is proved: another event might tell more.")]
pub struct Audit {
    /// The mechanism file: what is claimed and, without a program or records, what is drawn from
    #[arg(required_unless_present_any = ["records", "program"])]
    mechanism: Option<PathBuf>,
    /// A program to audit, with its arguments
    #[arg(last = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
    /// A file of draws to audit, one a row: CSV, Parquet or Arrow; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    records: Option<PathBuf>,
    /// Records: the column with the secret
    #[arg(long, value_name = "COLUMN", default_value = "secret", requires = "records", conflicts_with = "program")]
    secret: String,
    /// Records: the column with what was released for it
    #[arg(long, value_name = "COLUMN", default_value = "value", requires = "records", conflicts_with = "program")]
    value: String,
    /// Without a mechanism file: the secrets, every two of which must look alike
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        conflicts_with = "mechanism",
        required_unless_present_any = ["mechanism", "secret_name"]
    )]
    secrets: Vec<String>,
    /// One secret more, whose name may have commas; may be given several times
    #[arg(long, value_name = "NAME", conflicts_with = "mechanism")]
    secret_name: Vec<String>,
    /// Without a mechanism file: the epsilon that is claimed; nothing is claimed by default
    #[arg(long, value_name = "E", conflicts_with_all = ["mechanism", "delta_at"])]
    epsilon: Option<Epsilon>,
    /// Bound delta at this epsilon, and not epsilon
    #[arg(long, value_name = "E")]
    delta_at: Option<Epsilon>,
    /// Without a mechanism file: the delta that is claimed at that epsilon
    #[arg(long, value_name = "D", requires = "delta_at", conflicts_with = "mechanism", value_parser = probability)]
    delta: Option<Rational>,
    /// Attack only this pair of secrets; may be given several times
    #[arg(long, value_name = "A,B")]
    pair: Vec<String>,
    /// Draws in all, half to choose the tests and half to make them; by default 1000000
    #[arg(long, value_name = "N", conflicts_with = "records", value_parser = whole)]
    draws: Option<u64>,
    /// The probability with which all bounds hold together
    #[arg(long, value_name = "P", default_value_t = 0.999)]
    confidence: f64,
    /// Seconds that a program may neither read nor print
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 30,
        requires = "program",
        conflicts_with = "records",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    timeout: u32,
    /// Draw reproducibly from the mechanism, for tests and experiments only
    #[arg(long, value_name = "N", conflicts_with_all = ["records", "program"])]
    seed: Option<u64>,
    #[command(flatten)]
    format: InputFormat,
}

const DRAWS: u64 = 1_000_000;

impl Audit {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let subject = match &self.mechanism {
            None => None,
            Some(path) => match subject(path, terminal)? {
                None => return Ok(Answer::No),
                subject => subject,
            },
        };
        let outcome = self.attack(subject.as_ref(), terminal)?;
        outcome.warnings().iter().for_each(|warning| terminal.warn(&spelled(warning)));
        terminal.answer(outcome.facts().json(), || answer::text(&outcome))?;
        Ok(if outcome.is_evidence() { Answer::No } else { Answer::Yes })
    }

    fn question(&self, subject: Option<&Subject>) -> Result<Question> {
        let delta_at = self.delta_at.as_ref();
        if let Some(subject) = subject {
            return Question::of_subject(subject, delta_at, &self.pair);
        }
        let secrets = [&self.secrets[..], &self.secret_name].concat();
        Question::of_secrets(&secrets, self.epsilon.as_ref(), delta_at, self.delta.as_ref(), &self.pair)
    }

    /// Draws and tests.
    fn attack(&self, subject: Option<&Subject>, terminal: &Terminal) -> Result<AuditOutcome> {
        let question = self.question(subject)?;
        let request = AuditRequest { draws: self.draws.unwrap_or(DRAWS), confidence: self.confidence, seed: self.seed };
        if let Some(path) = &self.records {
            self.format.check(path)?;
            let csv = self.format.csv_options(path);
            let (secret, output) = (self.secret.as_str(), self.value.as_str());
            let input = WrittenInput { path, format: self.format.format(path), csv: &csv, secret, output };
            let bar = terminal.bytes(length(path));
            let _interrupt = Interrupt::new(&bar);
            let outcome = request.of_records(question, &input, subject, &mut |bytes| bar.set_position(bytes));
            bar.finish_and_clear();
            return outcome;
        }
        self.format.check_unused()?;
        let bar = terminal.draws(request.draws);
        let watch = AuditWatch { progress: &|draws| bar.inc(draws), stop: &|| false };
        let outcome = if self.program.is_empty() {
            let subject = subject.expect("clap asks for a mechanism, records or a program");
            let _interrupt = Interrupt::then(&bar, || {});
            request.of_subject(question, subject, watch)
        } else {
            let program = self.asked(&question, subject)?;
            let stopper = program.stopper();
            let _interrupt = Interrupt::then(&bar, move || stopper.stop_for_good());
            request.of_source(question, &program, AuditSource::Program, watch)
        };
        bar.finish_and_clear();
        outcome
    }

    /// The program that is audited.
    fn asked(&self, question: &Question, subject: Option<&Subject>) -> Result<Program> {
        let timeout = Duration::from_secs(self.timeout.into());
        let program = Program::new(self.program.clone(), question.names().clone(), timeout)?;
        Ok(match subject.and_then(Subject::outputs) {
            Some(outputs) => program.with_outputs(outputs),
            None => program,
        })
    }
}

/// The mechanism of a file; `None` with a warning when it is not private.
fn subject(path: &Path, terminal: &Terminal) -> Result<Option<Subject>> {
    const REFUSAL: &str = "nothing audited";
    let subject = of_kind!(AnyMechanism::read(path)?, file => {
        proved(file.mechanism, REFUSAL, terminal)?.map(Attacked::subject)
    });
    subject.transpose().map_err(|error| error.in_file(path))
}

/// A number of draws: `1000000`, `1_000_000` or `1e6`.
fn whole(text: &str) -> std::result::Result<u64, String> {
    let number = parse_rational(&text.replace('_', "")).map_err(|error| error.to_string())?;
    let wrong = || format!("{text:?} is no number of draws, expected a whole one like 1000000 or 1e6");
    if number.is_integer() { u64::try_from(number.to_integer()).map_err(|_| wrong()) } else { Err(wrong()) }
}

fn probability(text: &str) -> std::result::Result<Rational, String> {
    let number = parse_rational(text).map_err(|error| error.to_string())?;
    let [zero, one] = [0, 1].map(|bound: i32| Rational::from_integer(bound.into()));
    if (zero..one).contains(&number) { Ok(number) } else { Err("expected at least 0 and less than 1".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_whole_numbers_in_any_form() {
        assert_eq!(
            ["1000000", "1_000_000", "1e6", "2.5e3"].map(|text| whole(text).unwrap()),
            [1_000_000, 1_000_000, 1_000_000, 2_500]
        );
        for text in ["", "-1", "0.5", "many", "1e30"] {
            assert!(whole(text).is_err(), "{text}");
        }
        assert!(probability("1/100").is_ok() && probability("1").is_err() && probability("-0.1").is_err());
    }
}
