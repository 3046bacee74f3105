//! `lookalike ledger backup`.

use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike_engine::{Facts, LedgerAt};
use lookalike_formats::Result;
use std::path::PathBuf;

/// Write a whole copy of a ledger, also while others charge it
#[derive(clap::Args)]
#[command(after_help = "\
The copy is checked. The key is not copied. A copy knows nothing of what is charged after it was made: put in the place of the
ledger, it would let that be spent again. ledger verify --head, with the head of the last run, tells an old copy.")]
pub struct Backup {
    /// The ledger
    ledger: PathBuf,
    /// The file to write, which must not be there
    copy: PathBuf,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl Backup {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let facts = LedgerAt { path: self.ledger, key: self.key }.backup(&self.copy)?;
        terminal.answer(facts.json(), || {
            let (entries, charges) = (super::entries(facts.entries), count(facts.charges, "charge"));
            format!("Wrote {}: {entries}, {charges}.\nLedger head: {}\n", facts.copy, facts.head)
        })?;
        Ok(Answer::Yes)
    }
}
