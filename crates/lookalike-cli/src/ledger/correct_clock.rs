//! `lookalike ledger correct-clock`.

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_engine::{ClockFacts, Facts, LedgerAt};
use lookalike_formats::Result;
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
        let facts = LedgerAt { path: self.ledger, key: self.key }.correct_clock(&self.note)?;
        terminal.answer(facts.json(), || {
            let entries = super::entries::entries_were(&(facts.first_entry..=facts.last_entry).collect());
            let ClockFacts { from, to, head, .. } = &facts;
            format!(
                "Noted that {entries} dated ahead, up to {from}. The ledger goes on from {to}.\nLedger head: {head}\n"
            )
        })?;
        Ok(Answer::Yes)
    }
}
