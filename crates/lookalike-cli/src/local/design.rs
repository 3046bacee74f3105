//! `lookalike local design`.

use super::candidates;
use super::domain::Domain;
use crate::Answer;
use crate::design::{check_output, write};
use crate::outcome::{answer, kept_text};
use crate::terminal::Terminal;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lookalike::exact::Epsilon;
use lookalike::local::Protocol;
use lookalike_engine::local::{OracleDesign, OracleDesigned, OracleFound, OracleMechanism};
use lookalike_engine::{Facts, ProofInWords};
use lookalike_formats::Result;
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

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let designed = self.request()?.run()?;
        let found = match &designed {
            OracleDesigned::Found(found) => found,
            OracleDesigned::Impossible { reason } => {
                terminal.answer(designed.facts().json(), || format!("NOT POSSIBLE: {reason}\n"))?;
                return Ok(Answer::No);
            }
        };
        if let Some(path) = &self.output {
            match &found.mechanism {
                OracleMechanism::Channel(design, certified) => {
                    write(&OracleFound::channel_file(design, certified), path, terminal)?;
                }
                OracleMechanism::Oracle(certified) => write(&found.oracle_file(certified), path, terminal)?,
            }
        }
        answer(&designed.facts(), self.output.as_deref(), || self.text(found), terminal)?;
        Ok(Answer::Yes)
    }

    fn request(&self) -> Result<OracleDesign> {
        Ok(OracleDesign {
            categories: self.domain.categories()?,
            epsilon: self.epsilon.clone(),
            protocol: self.oracle.0,
            most_bits: self.most_bits,
            compare: true,
        })
    }

    /// What was chosen, why, and how it was proved.
    fn text(&self, found: &OracleFound) -> String {
        let protocol = found.protocol;
        let proof = match &found.mechanism {
            OracleMechanism::Channel(_, certified) => {
                certified.mechanism().proof_text(certified.certificate())
                    + "Proved by the whole law, every report compared for every two categories.\n"
            }
            OracleMechanism::Oracle(certified) => certified.mechanism().proof_text(certified.certificate()),
        };
        let start = format!("{protocol} for {} categories at epsilon {}.\n", found.categories, self.epsilon);
        let compared = found.auto.as_ref().map_or_else(String::new, |auto| {
            candidates::table(auto, "chosen", protocol, None) + &candidates::shorter(auto, protocol)
        });
        start + &compared + &proof + &kept_text(self.output.as_deref())
    }
}
