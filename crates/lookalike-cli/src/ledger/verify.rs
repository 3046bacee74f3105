//! `lookalike ledger verify`.

use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike_io::Result;
use lookalike_io::ledger::{Head, verified_json, verify};
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
        terminal.answer(verified_json(&answer), || match &answer {
            Ok(whole) => {
                let entries = super::entries(whole.entries);
                format!("Whole: {entries}, {}.\nLedger head: {}\n", count(whole.charges, "charge"), whole.head)
            }
            Err(fault) => format!("NOT WHOLE: {fault}\n"),
        })?;
        Ok(if answer.is_ok() { Answer::Yes } else { Answer::No })
    }
}
