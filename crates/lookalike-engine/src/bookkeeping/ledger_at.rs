//! A ledger by its path, and what is done with it.

use super::ledger_facts::{BackupFacts, ClockFacts, ExportFacts, InitFacts, MigrateFacts, RecordFacts, WithdrawFacts};
use lookalike::Sentence;
use lookalike::account::Declared;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_ledger::{
    ChargeRequest, Head, IdColumns, LEDGER_VERSION, Ledger, LedgerBudgets, LedgerKey, LedgerRelease, OverBudget,
    SubjectNames, check_apart, time_text,
};
use lookalike_records::{AtomicFile, MemorySource, RecordSource, Records, open_columns};
use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A ledger, opened anew for each thing that is done with it.
#[derive(Debug, Clone)]
pub struct LedgerAt {
    /// Its file.
    pub path: PathBuf,
    /// The file of its key, where that is not beside it.
    pub key: Option<PathBuf>,
}

/// A release that another program makes, or has made.
pub struct RecordOrder<'a> {
    /// What is released.
    pub release: LedgerRelease,
    /// Whom each row is about.
    pub records: Records<'a>,
    /// The column that says so.
    pub subject: String,
    /// The column that names the observation; in a file without one the file and the row do.
    pub observation: Option<String>,
    /// Whether observations of a subject are declared to be independent draws from its law.
    pub independent_observations: bool,
    /// Whether it has been made.
    pub is_made: bool,
    /// A text for those who read the ledger.
    pub note: Option<String>,
}

impl LedgerAt {
    /// The ledger itself.
    ///
    /// # Errors
    /// One that cannot be opened with this key.
    pub fn open(&self) -> Result<Ledger> {
        Ledger::open(&self.path, self.key.as_deref())
    }

    /// Makes it with its key.
    ///
    /// # Errors
    /// No budget, and files that are there already or cannot be made.
    pub fn init(&self, budgets: &LedgerBudgets, names: SubjectNames) -> Result<InitFacts> {
        if *budgets == LedgerBudgets::default() {
            let total = Sentence::from("no budget: expected ").option("budget").taking("EPSILON");
            let periodic = total.text(", or ").option("period-budget").taking("EPSILON");
            return Err(Error::input(periodic.text(" with ").option("period").text(", or both")));
        }
        let key = self.key.clone().unwrap_or_else(|| LedgerKey::path_beside(&self.path));
        let head = Ledger::create(&self.path, &key, budgets, names)?;
        Ok(InitFacts { ledger: shown(&self.path), key: shown(&key), head: head.to_string() })
    }

    /// Enters a release: all of its rows, or none.
    ///
    /// # Errors
    /// Those of the records, and, unless it has been made, a row that no theorem covers or that is over the budget.
    pub fn record(&self, order: RecordOrder<'_>) -> Result<RecordFacts> {
        let RecordOrder { release, records, subject, observation, independent_observations, is_made, note } = order;
        let mut ledger = self.open()?;
        let declared = Declared { independent_observations, ..Declared::default() };
        let request = ChargeRequest { release, declared, budget: None, over: OverBudget::Constant };
        let totals = match records {
            Records::File(file) => {
                let ids = IdColumns::of_file(subject, observation, &ledger, file.path)?;
                ledger.record(&file.input(&Columns::default()), &ids, &request, is_made, note)?
            }
            records => {
                let expected = || Error::input("records in memory are known by their observations, expected a column");
                let ids = IdColumns::of_memory(subject, observation.ok_or_else(expected)?, &ledger);
                let columns = Columns { keep: ids.beside(&[]), ..Columns::default() };
                let source = opened_in_memory(records, &columns)?;
                ledger.record_rows(source, &ids, &request, is_made, note)?
            }
        };
        let head = ledger.head()?.to_string();
        Ok(RecordFacts { recorded: totals.charged, known: totals.earlier, entries: totals.entries, head })
    }

    /// Writes its entries to a file as lines of JSON, with their charges where these are wanted.
    ///
    /// # Errors
    /// A file in the place of the ledger, and those of both.
    pub fn export(&self, output: &Path, with_charges: bool, replace: bool) -> Result<ExportFacts> {
        check_apart(&self.path, self.key.as_deref(), output)?;
        let mut ledger = self.open()?;
        let mut file = AtomicFile::create(output, replace)?;
        let entries = ledger.export(&mut BufWriter::new(&mut file), with_charges)?;
        file.commit()?;
        Ok(ExportFacts { file: shown(output), entries })
    }

    /// The same to a stream.
    ///
    /// # Errors
    /// Those of both.
    pub fn export_to(&self, output: &mut dyn Write, with_charges: bool) -> Result<u64> {
        self.open()?.export(&mut BufWriter::new(output), with_charges)
    }

    /// Notes that entries are withdrawn.
    ///
    /// # Errors
    /// Entries that cannot be.
    pub fn withdraw(&self, entries: &BTreeSet<u64>, note: &str) -> Result<WithdrawFacts> {
        let mut ledger = self.open()?;
        let charges = ledger.withdraw(entries, note)?;
        Ok(WithdrawFacts { entries: entries.clone(), charges, head: ledger.head()?.to_string() })
    }

    /// Goes on by the clock of this machine.
    ///
    /// # Errors
    /// A ledger that is not dated ahead.
    pub fn correct_clock(&self, note: &str) -> Result<ClockFacts> {
        let mut ledger = self.open()?;
        let correction = ledger.correct_clock(note)?;
        Ok(ClockFacts {
            first_entry: correction.first,
            last_entry: correction.last,
            from: time_text(correction.from),
            to: time_text(correction.to),
            head: ledger.head()?.to_string(),
        })
    }

    /// Writes a whole copy and checks it.
    ///
    /// # Errors
    /// A copy that is there already or cannot be written.
    pub fn backup(&self, copy: &Path) -> Result<BackupFacts> {
        let whole = self.open()?.backup(copy)?;
        let head = whole.head.to_string();
        Ok(BackupFacts { copy: shown(copy), entries: whole.entries, charges: whole.charges, head })
    }

    /// Writes the ledger at a path anew in the format of today.
    ///
    /// # Errors
    /// One that is not whole.
    pub fn migrate(path: &Path, head: Option<&Head>) -> Result<MigrateFacts> {
        let made = Ledger::migrate(path, head)?;
        let (kept, head) = (shown(&made.kept), made.whole.head.to_string());
        Ok(MigrateFacts { from: made.from, to: LEDGER_VERSION, kept, head })
    }
}

/// The columns of records that are in no file.
fn opened_in_memory<'a>(records: Records<'a>, columns: &Columns) -> Result<Box<dyn RecordSource + 'a>> {
    match records {
        Records::File(file) => open_columns(&file.input(columns), None),
        Records::Bytes(bytes) => bytes.open_columns(columns, None),
        Records::Memory(given) => Ok(Box::new(MemorySource::open(given, columns, None, None, None)?)),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
