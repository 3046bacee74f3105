//! `lookalike pufferfish design`.

use super::calibrated_text::{calibrated_text, figure};
use super::method::MethodOption;
use crate::Answer;
use crate::certify::refuted;
use crate::design::{check_output, write};
use crate::interrupt::Interrupt;
use crate::outcome::{answer, kept_text};
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, whole_table};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Rational};
use lookalike_engine::pufferfish::{
    ChainClass, Compared, LinearQuery, Method, Query, SequenceDesign, SequenceDesigned,
};
use lookalike_engine::{ReadFile, note_input};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{CommandLine, Result};
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

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.chain);
        check_output(self.output.as_deref(), terminal)?;
        let file = ChainFile::read(&self.chain)?;
        let bar = terminal.spinner("searching quilts");
        let interrupt = Interrupt::new(&bar);
        let designed = self.request(&file).run(Watch::default())?;
        bar.finish_and_clear();
        interrupt.writing();
        let designed = match designed {
            Ok(designed) => designed,
            Err(found) => return refuted(&found, "nothing written", terminal),
        };
        if let Some(path) = &self.output {
            write(&designed.file(), path, terminal)?;
        }
        let text = || self.text(&file, &designed);
        answer(&designed.facts(&CommandLine), self.output.as_deref(), text, terminal)?;
        Ok(Answer::Yes)
    }

    fn request<'a>(&'a self, file: &'a ChainFile) -> SequenceDesign<'a> {
        SequenceDesign {
            chains: file,
            chains_at: Some(&self.chain),
            length: self.length,
            epsilon: self.epsilon.clone(),
            query: self.query.clone(),
            method: self.method.0,
            releases: self.releases,
            to_keep: self.output.is_some(),
        }
    }

    fn text(&self, file: &ChainFile, designed: &SequenceDesigned) -> String {
        let (linear, found) = (&designed.linear, &designed.chosen);
        let class = match &file.class {
            ChainClass::Chains(chains) => count(chains.len() as u64, "chain"),
            ChainClass::Box(_) => "all chains within limits".to_owned(),
        };
        let states = count(file.states.len() as u64, "state");
        let mut text = format!(
            "{} of {states}, {class}, {} start; protected: the state at each moment, at epsilon {}.\n",
            count(self.length, "moment"),
            file.class.start(),
            self.epsilon
        );
        let line = |(method, found): &Compared| {
            let name = method.name().to_owned();
            match found {
                Ok((found, noise)) => vec![
                    name,
                    figure(&found.scale),
                    figure(&linear.noise_scale(found, self.length)),
                    size(linear.expected_error(noise, self.length)),
                    if *method == Method::Entry { "NOT PRIVATE" } else { "" }.to_owned(),
                ],
                Err(_) => vec![name, "-".into(), "-".into(), "-".into(), "does not apply".into()],
            }
        };
        let header = ["method", "sigma", "noise scale", "expected error", ""];
        text += &whole_table(&header, designed.compared.iter().map(line));
        let (answers, each) = match linear.names.len() {
            1 => ("the answer", "it".to_owned()),
            many => ("the answers", format!("each of the {many}")),
        };
        text += &format!(
            "{} {}, sigma {}. One moment changes {answers} by at most {} in all: noise of scale {} on {each}.\n",
            if self.method.0 == Method::Auto { "Chosen:" } else { "As asked:" },
            found.method.name(),
            figure(&found.scale),
            per_moment(linear, self.length),
            figure(&linear.noise_scale(found, self.length)),
        );
        let noise = designed.certified.mechanism();
        if !designed.compared.iter().any(|(method, _)| *method == found.method) {
            text += &format!("Expected error {}.\n", size(linear.expected_error(noise, self.length)));
        }
        text += &calibrated_text(found, file, self.length);
        for (_, found) in &designed.compared {
            if let Err(reason) = found {
                text += &format!("{}.\n", reason.spelled(&CommandLine));
            }
        }
        if let (Some(total), Some(releases)) = (&designed.together, self.releases) {
            let sum = designed.one_by_one(releases);
            text += &format!(
                "{} from one sequence lose epsilon {} together; one by one they would add up to {}.\n",
                count(releases, "such release"),
                figure(total),
                sum.map_or_else(|_| format!("{releases} times {}", self.epsilon), |sum| sum.to_string()),
            );
        }
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            Some(path) => {
                let promise = format!("epsilon {} for {}", noise.epsilon(), noise.secrets());
                text + &format!("Wrote {}, which promises {promise}.\n", path.display())
            }
            None => text + &kept_text(self.output.as_deref()),
        }
    }
}

/// By how much one moment changes the answers.
fn per_moment(linear: &LinearQuery, moments: u64) -> String {
    match linear.mean {
        true => format!("{}/{moments}", linear.lipschitz),
        false => linear.lipschitz.to_string(),
    }
}

/// Four digits of a float, for people.
fn size(value: f64) -> String {
    match Rational::from_float(value) {
        Some(value) => crate::noise::significant(&value, Direction::Nearest),
        None => value.to_string(),
    }
}
