//! `lookalike ledger verify`.

use crate::Answer;
use crate::terminal::{Terminal, count, spelled};
use lookalike_engine::Facts;
use lookalike_engine::ledger::{Head, verified_facts, verify};
use lookalike_formats::{CommandLine, Result};
use std::path::PathBuf;

/// Check that a ledger is what was written; exit code 1 if not
#[derive(clap::Args)]
pub struct Verify {
    /// The ledger
    ledger: PathBuf,
    /// The head that an earlier run printed: it must be that of an entry, so that none up to it was cut off
    #[arg(long, value_name = "HASH")]
    head: Option<Head>,
}

impl Verify {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let answer = verify(&self.ledger, self.head.as_ref())?;
        terminal.answer(verified_facts(&answer, &CommandLine).json(), || match &answer {
            Ok(whole) => {
                let entries = super::entries(whole.entries);
                format!("Whole: {entries}, {}.\nLedger head: {}\n", count(whole.charges, "charge"), whole.head)
            }
            Err(fault) => format!("NOT WHOLE: {}\n", spelled(&fault.sentence())),
        })?;
        Ok(if answer.is_ok() { Answer::Yes } else { Answer::No })
    }
}
