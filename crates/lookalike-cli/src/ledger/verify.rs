//! `lookalike ledger verify`.

use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike_io::Result;
use lookalike_io::ledger::{Head, verify};
use serde_json::json;
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
        match verify(&self.ledger, self.head.as_ref())? {
            Ok(whole) => {
                let object = json!({
                    "whole": true,
                    "entries": whole.entries,
                    "charges": whole.charges,
                    "head": whole.head.to_string(),
                });
                terminal.answer(object, || {
                    let entries = count(whole.entries, "entry").replace("entrys", "entries");
                    format!("Whole: {entries}, {}.\nLedger head: {}\n", count(whole.charges, "charge"), whole.head)
                })?;
                Ok(Answer::Yes)
            }
            Err(fault) => {
                let object = json!({ "whole": false, "entry": fault.entry, "fault": fault.what });
                terminal.answer(object, || format!("NOT WHOLE: {fault}\n"))?;
                Ok(Answer::No)
            }
        }
    }
}
