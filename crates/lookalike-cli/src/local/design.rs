//! `lookalike local design`.

use super::candidates;
use super::domain::Domain;
use crate::Answer;
use crate::certify::{certified_text, oracle_text};
use crate::design::{check_output, prove, write};
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lookalike::design::{Problem, randomized_response};
use lookalike::exact::Epsilon;
use lookalike::local::{Auto, Protocol, auto, oracle};
use lookalike::model::{Categories, SecretGraph};
use lookalike_formats::{Error, MechanismFile, Result, Stored};
use serde_json::json;
use std::path::PathBuf;

/// Choose an oracle, prove it, and write it to a mechanism file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike local design --categories red,green,blue --epsilon 'ln(3)' -o m.json
  lookalike local design --size 1000 --epsilon 1 --most-bits 64 -o m.json
  lookalike local design --categories-file towns.txt --epsilon 2 --oracle olh -o m.json

Exit code 1 when every report is longer than --most-bits: then nothing is written.")]
pub struct Design {
    #[command(flatten)]
    domain: Domain,
    /// The budget of a report, like 1 or ln(3)
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Epsilon,
    /// The oracle; auto has the least variance for so many categories and this epsilon
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choices())]
    oracle: Choice,
    /// For auto: only oracles whose reports take at most so many bits
    #[arg(long, value_name = "BITS")]
    most_bits: Option<u64>,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A protocol, or `None` for the best.
#[derive(Debug, Clone, Copy)]
struct Choice(Option<Protocol>);

fn choices() -> impl TypedValueParser<Value = Choice> {
    let names = std::iter::once("auto").chain(Protocol::ALL.map(Protocol::name));
    PossibleValuesParser::new(names).map(|name| Choice(name.parse().ok()))
}

/// Up to so many categories k-ary randomized response is a channel between them, so that reports are categories. Beyond,
/// reading shares back through a channel takes long, and reports are numbers of categories.
const MOST_CHANNEL: usize = 512;

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let categories = self.domain.categories()?;
        let auto = auto(&categories, &self.epsilon)?;
        let Some(protocol) = self.protocol(&auto)? else { return self.refusal(&auto, terminal) };
        let oracle = oracle(protocol, categories.clone(), self.epsilon.clone())?;
        if protocol == Protocol::KRr && categories.len() <= MOST_CHANNEL {
            let design = randomized_response(&complete(categories, &self.epsilon)?)?;
            let certified = prove(design.mechanism.clone())?;
            let proof = certified_text(certified.mechanism(), certified.certificate())
                + "Proved by the whole law, every report compared for every two categories.\n";
            self.finish(&auto, protocol, &MechanismFile::new(design, &certified), &proof, terminal)
        } else {
            let certified = prove(oracle)?;
            let proof = oracle_text(certified.certificate());
            let file = MechanismFile::of_certified(protocol.name(), &certified);
            self.finish(&auto, protocol, &file, &proof, terminal)
        }
    }

    /// What was asked for; `None` when every report is too long.
    fn protocol(&self, auto: &Auto) -> Result<Option<Protocol>> {
        match (self.oracle.0, self.most_bits) {
            (Some(protocol), Some(_)) => {
                Err(Error::input(format!("--most-bits is for --oracle auto, and {protocol} was asked for")))
            }
            (Some(protocol), None) => Ok(Some(protocol)),
            (None, bits) => Ok(auto.within(bits.unwrap_or(u64::MAX))),
        }
    }

    fn refusal(&self, auto: &Auto, terminal: &Terminal) -> Result<Answer> {
        let shortest = auto.candidates.iter().min_by_key(|candidate| candidate.bits).expect("auto compares some");
        let reason = format!(
            "the shortest report, of {}, takes {} bits, and at most {} were asked for",
            shortest.protocol,
            shortest.bits,
            self.most_bits.unwrap_or(u64::MAX)
        );
        let object = json!({ "possible": false, "reason": reason });
        terminal.answer(object, || format!("NOT POSSIBLE: {reason}\n"))?;
        Ok(Answer::No)
    }

    /// Writes the file and says what was chosen, why, and how it was proved.
    fn finish<M: Stored>(
        &self,
        auto: &Auto,
        protocol: Protocol,
        file: &MechanismFile<M>,
        proof: &str,
        terminal: &Terminal,
    ) -> Result<Answer> {
        if let Some(path) = &self.output {
            write(file, path, terminal)?;
        }
        let object = json!({
            "possible": true,
            "oracle": protocol.name(),
            "kind": file.mechanism.kind_name(),
            "categories": auto.oracle.size(),
            "epsilon": self.epsilon.to_f64(),
            "epsilon_text": self.epsilon.to_string(),
            "candidates": candidates::json(auto, None),
            "certificate": file.certificate,
            "output": self.output,
        });
        let start = format!("{protocol} for {} categories at epsilon {}.\n", auto.oracle.size(), self.epsilon);
        let table = candidates::table(auto, "chosen", protocol, None);
        let text = start + &table + &candidates::shorter(auto, protocol) + proof;
        match &self.output {
            Some(path) if is_stdout(path) => terminal.note(text.trim_end()),
            Some(path) => terminal.answer(object, || text + &format!("Wrote {}.\n", path.display()))?,
            None => {
                terminal.answer(object, || text + "Nothing written: give -o FILE to keep the mechanism.\n")?;
            }
        }
        Ok(Answer::Yes)
    }
}

/// The problem to make any two categories look alike.
fn complete(categories: Categories, epsilon: &Epsilon) -> Result<Problem> {
    let mut builder = SecretGraph::builder(categories.names().clone());
    builder.complete(epsilon);
    Ok(Problem::values(categories, builder.build()?)?)
}
