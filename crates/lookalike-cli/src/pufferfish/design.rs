//! `lookalike pufferfish design`.

use super::found::{self, figure};
use super::method::MethodOption;
use super::query_noise::{expected_error, scale};
use crate::Answer;
use crate::certify::proved;
use crate::design::{check_output, write};
use crate::interrupt::Interrupt;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, whole_table};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::model::{Noise, Secrets};
use lookalike_engine::pufferfish::{Asked, ChainClass, Found, Method, Query, Question, better};
use lookalike_engine::{ReadFile, note_input};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, MechanismFile, Result};
use serde_json::{Value, json};
use std::path::PathBuf;

/// How much noise hides every moment of a sequence, and what other ways would cost
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish design chain.toml --length 1000 --epsilon 1 --query histogram
  lookalike pufferfish design chain.toml --length 1000 --epsilon 1 --query mean --releases 12
  lookalike pufferfish design chain.toml --length 100 --epsilon 1 --query count -o m.json

The guarantee holds for the chains of the file, so they must not be fitted from the sequence itself. The length is
public. The mechanism file carries the chains and what proves the promise, so that anybody can certify it again.")]
pub struct Design {
    /// The chain file, as `pufferfish fit` writes it
    chain: PathBuf,
    /// How many moments a sequence has
    #[arg(long, value_name = "T")]
    length: u64,
    /// How alike two states of a moment must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E")]
    epsilon: Epsilon,
    /// What is asked: count or count:STATE, histogram, sum, mean
    #[arg(long, value_name = "QUERY")]
    query: Query,
    /// How the noise is found
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = MethodOption(Method::Auto))]
    method: MethodOption,
    /// Also say what so many such releases from one sequence lose together
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    releases: Option<u64>,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A line of the comparison.
struct Row {
    method: Method,
    /// Or why the method does not apply.
    found: std::result::Result<(Found, Noise), String>,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.chain);
        check_output(self.output.as_deref(), terminal)?;
        let file = ChainFile::read(&self.chain)?;
        let asked = Asked::new(&self.query, &file).map_err(|error| error.in_file(&self.chain))?;
        asked.check(self.length).map_err(|error| error.in_file(&self.chain))?;
        let bar = terminal.spinner("searching quilts");
        let interrupt = Interrupt::new(&bar);
        let question = Question { file: &file, length: self.length, epsilon: &self.epsilon, watch: Watch::default() };
        let named = |error: Error| error.in_file(&self.chain);
        let rows = self.compared(&question, &asked).map_err(named)?;
        let found = self.chosen(&question, &asked, &rows).map_err(named)?;
        let chosen = match &self.output {
            Some(_) => question.claimed(&found, &asked).map_err(|error| error.at("-o").in_file(&self.chain))?,
            None => question.provable(&found, &asked).map_err(named)?,
        };
        let together = self.releases.map(|releases| question.together(&found, releases)).transpose().map_err(named)?;
        bar.finish_and_clear();
        interrupt.writing();
        let Some(certified) = proved(chosen, "nothing written", terminal)? else {
            return Ok(Answer::No);
        };
        let mechanism = MechanismFile::of_certified(&format!("pufferfish {}", found.method.word()), &certified);
        if let Some(path) = &self.output {
            write(&mechanism, path, terminal)?;
        }
        let noise = certified.mechanism();
        let text = || self.text(&question, &asked, &found, noise, &rows, together.as_ref());
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(text().trim_end());
        } else {
            terminal.answer(self.json(&asked, &found, noise, &rows, together.as_ref()), text)?;
        }
        Ok(Answer::Yes)
    }

    /// Every method beside the chosen one; one that does not apply says why. The exact search may take long, so it is not
    /// made for somebody who asked for another method.
    fn compared(&self, question: &Question<'_>, asked: &Asked) -> Result<Vec<Row>> {
        let row = |method: Method| {
            let found = match question.find(method, asked) {
                Ok(found) => {
                    let noise = question.noise(&found, asked)?;
                    Ok((found, noise))
                }
                Err(error) if error.is_inapplicable() => Err(error.to_string()),
                Err(error) => return Err(error),
            };
            Ok(Row { method, found })
        };
        let wanted =
            |method: &Method| *method != Method::Exact || matches!(self.method.0, Method::Auto | Method::Exact);
        Method::COMPARED.into_iter().filter(wanted).map(row).collect()
    }

    fn chosen(&self, question: &Question<'_>, asked: &Asked, rows: &[Row]) -> Result<Found> {
        let of = |method: Method| {
            let row = rows.iter().find(|row| row.method == method);
            row.and_then(|row| row.found.as_ref().ok()).map(|(found, _)| found.clone())
        };
        match self.method.0 {
            Method::Auto => Ok(match [Method::Exact, Method::Contraction].map(of) {
                [Some(exact), Some(contraction)] => better([exact, contraction]),
                _ => question.find(Method::Auto, asked)?,
            }),
            method => of(method).map_or_else(|| question.find(method, asked), Ok),
        }
    }

    fn text(
        &self,
        question: &Question<'_>,
        asked: &Asked,
        found: &Found,
        noise: &Noise,
        rows: &[Row],
        together: Option<&Rational>,
    ) -> String {
        let class = match &question.file.class {
            ChainClass::Chains(chains) => count(chains.len() as u64, "chain"),
            ChainClass::Box(_) => "all chains within limits".to_owned(),
        };
        let states = count(question.file.states.len() as u64, "state");
        let mut text = format!(
            "{} of {states}, {class}, {} start; protected: the state at each moment, at epsilon {}.\n",
            count(self.length, "moment"),
            question.file.class.start(),
            self.epsilon
        );
        let line = |row: &Row| {
            let name = row.method.name().to_owned();
            match &row.found {
                Ok((found, noise)) => vec![
                    name,
                    figure(&found.scale),
                    figure(&scale(found, asked, self.length)),
                    size(expected_error(noise, asked, self.length)),
                    if row.method == Method::Entry { "NOT PRIVATE" } else { "" }.to_owned(),
                ],
                Err(_) => vec![name, "-".into(), "-".into(), "-".into(), "does not apply".into()],
            }
        };
        let header = ["method", "sigma", "noise scale", "expected error", ""];
        text += &whole_table(&header, rows.iter().map(line));
        let (answers, each) = match asked.names.len() {
            1 => ("the answer", "it".to_owned()),
            many => ("the answers", format!("each of the {many}")),
        };
        text += &format!(
            "{} {}, sigma {}. One moment changes {answers} by at most {} in all: noise of scale {} on {each}.\n",
            if self.method.0 == Method::Auto { "Chosen:" } else { "As asked:" },
            found.method.name(),
            figure(&found.scale),
            per_moment(asked, self.length),
            figure(&scale(found, asked, self.length)),
        );
        if !rows.iter().any(|row| row.method == found.method) {
            text += &format!("Expected error {}.\n", size(expected_error(noise, asked, self.length)));
        }
        text += &found::text(found, question.file, self.length);
        for row in rows {
            if let Err(reason) = &row.found {
                text += &format!("{reason}.\n");
            }
        }
        if let (Some(total), Some(releases)) = (together, self.releases) {
            text += &format!(
                "{} from one sequence lose epsilon {} together; one by one they would add up to {}.\n",
                count(releases, "such release"),
                figure(total),
                self.sum(releases),
            );
        }
        match &self.output {
            Some(path) if is_stdout(path) => text,
            Some(path) => {
                let promise = format!("epsilon {} for {}", noise.epsilon(), noise.secrets());
                text + &format!("Wrote {}, which promises {promise}.\n", path.display())
            }
            None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
        }
    }

    fn sum(&self, releases: u64) -> String {
        let sum = self.epsilon.scale(&Rational::from_integer(releases.into()));
        sum.map_or_else(|_| format!("{releases} times {}", self.epsilon), |sum| sum.to_string())
    }

    fn json(&self, asked: &Asked, found: &Found, noise: &Noise, rows: &[Row], together: Option<&Rational>) -> Value {
        let figures = |found: &Found, noise: &Noise| {
            let mut object = found::json(found);
            object["noise_scale"] = to_f64(&scale(found, asked, self.length), Direction::Up).into();
            object["expected_error"] = expected_error(noise, asked, self.length).into();
            object
        };
        let row = |row: &Row| match &row.found {
            Ok((found, noise)) => figures(found, noise),
            Err(reason) => json!({ "method": row.method.name(), "does_not_apply": reason }),
        };
        json!({
            "length": self.length,
            "epsilon": self.epsilon.to_f64(),
            "epsilon_text": self.epsilon.to_string(),
            "query": self.query.to_string(),
            "lipschitz": asked.lipschitz.to_string(),
            "chosen": figures(found, noise),
            "compared": rows.iter().map(row).collect::<Vec<_>>(),
            "releases": self.releases,
            "secrets": Secrets::Moments { length: self.length }.word(),
            "epsilon_together": together.map(|total| to_f64(total, Direction::Up)),
            "output": self.output,
        })
    }
}

/// By how much one moment changes the answers.
fn per_moment(asked: &Asked, moments: u64) -> String {
    match asked.mean {
        true => format!("{}/{moments}", asked.lipschitz),
        false => asked.lipschitz.to_string(),
    }
}

/// Four digits of a float, for people.
fn size(value: f64) -> String {
    match Rational::from_float(value) {
        Some(value) => crate::noise::significant(&value, Direction::Nearest),
        None => value.to_string(),
    }
}
