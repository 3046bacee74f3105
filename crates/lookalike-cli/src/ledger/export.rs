//! `lookalike ledger export`.

use crate::Answer;
use crate::streams::{Stdout, is_stdout};
use crate::terminal::Terminal;
use lookalike_engine::{Facts, LedgerAt};
use lookalike_formats::{Error, Result};
use std::path::PathBuf;

/// Write the entries as lines of JSON
#[derive(clap::Args)]
pub struct Export {
    /// The ledger
    ledger: PathBuf,
    /// Where to write; standard output if not given, or -
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With the charges of each entry: hashes of subject and record, number of the release, and the answer
    #[arg(long)]
    charges: bool,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl Export {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let ledger = LedgerAt { path: self.ledger, key: self.key };
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            None if terminal.json() => {
                return Err(Error::input("--json and no -o FILE: both would go to standard output"));
            }
            None => match ledger.export_to(&mut Stdout::new(), self.charges) {
                Err(error) if crate::streams::is_closed_pipe(&error) => {}
                written => {
                    written?;
                }
            },
            Some(path) => {
                let facts = ledger.export(path, self.charges, terminal.force())?;
                let entries = super::entries(facts.entries);
                terminal.answer(facts.json(), || format!("Wrote {entries} to {}.\n", facts.file))?;
            }
        }
        Ok(Answer::Yes)
    }
}
