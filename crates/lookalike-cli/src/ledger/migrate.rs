//! `lookalike ledger migrate`.

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_engine::ledger::Head;
use lookalike_engine::{Facts, LedgerAt, MigrateFacts};
use lookalike_formats::Result;
use std::path::PathBuf;

/// Write a ledger anew in the format of today, and keep the old file beside it
#[derive(clap::Args)]
#[command(after_help = "\
Every entry is checked first. The chain goes on, so that heads of before are still found, and names are compared as before.
Also mends a ledger of today's format whose pages another program has written, if its entries and charges are whole.")]
pub struct Migrate {
    /// The ledger, which no other process may use meanwhile
    ledger: PathBuf,
    /// The head that an earlier run printed: an entry must have it
    #[arg(long, value_name = "HASH")]
    head: Option<Head>,
}

impl Migrate {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let facts = LedgerAt::migrate(&self.ledger, self.head.as_ref())?;
        terminal.answer(facts.json(), || {
            let (ledger, MigrateFacts { from, to, kept, head }) = (self.ledger.display(), &facts);
            format!(
                "Wrote {ledger} anew, from version {from} to version {to}. The old file is {kept}: charge it no more.\n\
                 Ledger head: {head}\n"
            )
        })?;
        Ok(Answer::Yes)
    }
}
