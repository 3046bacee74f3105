//! `lookalike ledger withdraw`.

use super::entries::{Entries, entries_text};
use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike_engine::{Facts, LedgerAt};
use lookalike_formats::Result;
use std::path::PathBuf;

/// Note that a release was wrong and is withdrawn; its charges stay
#[derive(clap::Args)]
#[command(after_help = "\
Epsilon does not come back: whoever has seen the release knows what it told. What stays for the same observation is also its
answer, for a second draw would tell more. A run says which entries it wrote, and ledger export lists all.")]
pub struct Withdraw {
    /// The ledger
    ledger: PathBuf,
    /// The entries of the release: 3, 3..5, or 3,7..9
    #[arg(long, value_name = "NUMBERS")]
    entries: Entries,
    /// Why, for those who read the ledger
    #[arg(long, value_name = "TEXT")]
    note: String,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl Withdraw {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let facts = LedgerAt { path: self.ledger, key: self.key }.withdraw(&self.entries.0, &self.note)?;
        terminal.answer(facts.json(), || {
            let (entries, charges) = (entries_text(&facts.entries), count(facts.charges, "charge"));
            let stay = if facts.charges == 1 { "stays" } else { "stay" };
            format!("Withdrawn: {entries}, with {charges} that {stay}.\nLedger head: {}\n", facts.head)
        })?;
        Ok(Answer::Yes)
    }
}
