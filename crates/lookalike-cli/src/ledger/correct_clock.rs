//! `lookalike ledger correct-clock`.

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_engine::ledger::{Ledger, time_text};
use lookalike_formats::Result;
use serde_json::json;
use std::path::PathBuf;

/// Go on by the clock of this machine after a run was dated ahead
#[derive(clap::Args)]
#[command(after_help = "\
A ledger never goes back in time by itself, or a clock that is set back would open a period twice; so after a run that was dated
ahead no further period opens until then. This adds an entry that says so, and time goes on from now. What was charged
with a wrong date counts in the period of now, and again in that of its date when it comes: no period gets its budget twice.")]
pub struct CorrectClock {
    /// The ledger
    ledger: PathBuf,
    /// Why, for those who read the ledger
    #[arg(long, value_name = "TEXT")]
    note: String,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl CorrectClock {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mut ledger = Ledger::open(&self.ledger, self.key.as_deref())?;
        let correction = ledger.correct_clock(&self.note)?;
        let head = ledger.head()?.to_string();
        let (from, to) = (time_text(correction.from), time_text(correction.to));
        let entries = (correction.first..=correction.last).collect();
        let object = json!({
            "first_entry": correction.first,
            "last_entry": correction.last,
            "from": from,
            "to": to,
            "head": head,
        });
        terminal.answer(object, || {
            format!(
                "Noted that {} dated ahead, up to {from}. The ledger goes on from {to}.\nLedger head: {head}\n",
                super::entries::entries_were(&entries)
            )
        })?;
        Ok(Answer::Yes)
    }
}
