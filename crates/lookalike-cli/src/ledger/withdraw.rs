//! `lookalike ledger withdraw`.

use super::entries::{Entries, entries_text};
use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike_engine::ledger::Ledger;
use lookalike_formats::Result;
use serde_json::json;
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
        let mut ledger = Ledger::open(&self.ledger, self.key.as_deref())?;
        let charges = ledger.withdraw(&self.entries.0, &self.note)?;
        let head = ledger.head()?.to_string();
        let object = json!({ "entries": self.entries.0, "charges": charges, "head": head });
        terminal.answer(object, || {
            format!(
                "Withdrawn: {}, with {} that stay.\nLedger head: {head}\n",
                entries_text(&self.entries.0),
                count(charges, "charge")
            )
        })?;
        Ok(Answer::Yes)
    }
}
