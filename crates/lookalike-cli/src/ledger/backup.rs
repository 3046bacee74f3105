//! `lookalike ledger backup`.

use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike_engine::ledger::Ledger;
use lookalike_formats::Result;
use serde_json::json;
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
        let whole = Ledger::open(&self.ledger, self.key.as_deref())?.backup(&self.copy)?;
        let (copy, head) = (self.copy.display().to_string(), whole.head.to_string());
        let object = json!({ "copy": copy, "entries": whole.entries, "charges": whole.charges, "head": head });
        terminal.answer(object, || {
            format!(
                "Wrote {copy}: {}, {}.\nLedger head: {head}\n",
                super::entries(whole.entries),
                count(whole.charges, "charge")
            )
        })?;
        Ok(Answer::Yes)
    }
}
