//! `lookalike ledger record`.

use super::entries::entries_in;
use crate::Answer;
use crate::certify::is_proved;
use crate::formats::InputFormat;
use crate::terminal::{Terminal, count};
use lookalike_engine::ledger::LedgerRelease;
use lookalike_engine::records::{RecordFile, Records};
use lookalike_engine::{Facts, LedgerAt, ReadFile, RecordOrder};
use lookalike_formats::{AnyMechanism, Result};
use std::path::PathBuf;

/// Enter a release that another program makes or has made
#[derive(clap::Args)]
#[command(after_help = "\
All rows are entered, or none. Without --made, a row that no theorem covers or that is over the budget refuses all. With
--made the release has happened: it is entered whatever the budget, and a subject for whom no theorem covers it gets no
release any more.")]
pub struct Record {
    /// The ledger
    ledger: PathBuf,
    /// The mechanism file
    mechanism: PathBuf,
    /// The subjects, a row for each release: CSV, Parquet or Arrow
    subjects: PathBuf,
    /// The column that says whom a row is about
    #[arg(long, value_name = "COLUMN")]
    subject: String,
    /// The column that names the observation; by default the file and the row do
    #[arg(long, value_name = "COLUMN")]
    observation: Option<String>,
    /// The private columns that were released, as privatize names them
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    value: Vec<String>,
    /// Declare that observations of a subject are independent draws from its law
    #[arg(long)]
    independent_observations: bool,
    /// The release has been made already
    #[arg(long)]
    made: bool,
    /// A text for those who read the ledger
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    format: InputFormat,
}

impl Record {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        self.format.check(&self.subjects)?;
        let mechanism = AnyMechanism::read(&self.mechanism)?;
        let release = LedgerRelease::of(&mechanism, &self.value)?;
        // What a file claims is counted only once it is proved.
        if !is_proved(mechanism, "nothing recorded", terminal)? {
            return Ok(Answer::No);
        }
        let csv = self.format.csv_options(&self.subjects);
        let file = RecordFile { path: &self.subjects, format: self.format.format(&self.subjects), csv: &csv };
        let facts = LedgerAt { path: self.ledger, key: self.key }.record(RecordOrder {
            release,
            records: Records::File(file),
            subject: self.subject,
            observation: self.observation,
            independent_observations: self.independent_observations,
            is_made: self.made,
            note: self.note,
        })?;
        terminal.answer(facts.json(), || {
            let known = match facts.known {
                0 => String::new(),
                known => format!(", {known} known already"),
            };
            let (recorded, entries) = (count(facts.recorded, "release"), entries_in(&facts.entries));
            format!("Recorded {recorded}{entries}{known}.\nLedger head: {}\n", facts.head)
        })?;
        Ok(Answer::Yes)
    }
}
