//! A ledger that is to be charged with a release.

use lookalike::Sentence;
use lookalike::account::{Declared, Secrets};
use lookalike::exact::EpsilonSum;
use lookalike_formats::records::Columns;
use lookalike_formats::{AnyMechanism, Error, Result};
use lookalike_ledger::{ChargeRequest, Charging, IdColumns, Ledger, LedgerRelease, OverBudget, check_apart, time_text};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which ledger is charged, and for whom.
#[derive(Debug, Clone)]
pub struct ChargeOrder {
    /// The ledger.
    pub ledger: PathBuf,
    /// The file of its key, where it is not beside it.
    pub key: Option<PathBuf>,
    /// The column that says whom a record is about.
    pub subject: String,
    /// The column that names the observation; without one the file and the row do.
    pub observation: Option<String>,
    /// The most that any one subject may have lost after this, if less than the ledger allows.
    pub budget: Option<EpsilonSum>,
    /// Whether observations of a subject are declared to be independent draws from its law.
    pub independent_observations: bool,
    /// What becomes of rows over the budget.
    pub over_budget: OverBudget,
}

impl ChargeOrder {
    /// Opens the ledger for the records of a file that go through a mechanism; and what its owner should know of it.
    ///
    /// # Errors
    /// An output in the place of the ledger or a file of it, columns that name records and are private, a ledger or records
    /// that cannot be read, and a mechanism that no ledger keeps account of.
    pub fn open(
        self,
        mechanism: &AnyMechanism,
        columns: &Columns,
        data: &Path,
        output: &Path,
    ) -> Result<(Arc<Charging>, Vec<Sentence>)> {
        let option = |name| Sentence::new().option(name);
        check_apart(&self.ledger, self.key.as_deref(), output)
            .map_err(|error| error.at_option(option("output").word(output.display().to_string())))?;
        if columns.values.contains(&self.subject) {
            let error = Error::input("this is the private column, which names nobody");
            return Err(error.at_option(option("subject").word(self.subject)));
        }
        // Answers would be looked up by value, and rows that share one be seen to be equal.
        let private = |name: &&String| columns.values.contains(name) || Some(*name) == columns.profile.as_ref();
        if let Some(observation) = self.observation.as_ref().filter(private) {
            let why = "this column is private, expected one that names the observation and tells nothing of it";
            return Err(Error::input(why).at_option(option("observation").word(observation)));
        }
        let ledger = Ledger::open(&self.ledger, self.key.as_deref())?;
        let mut warnings = Vec::from_iter(no_further_period(&ledger)?);
        let release = LedgerRelease::of(mechanism, &columns.values)?;
        let is_law = release.guarantee().secrets() == Secrets::Laws;
        if is_law && self.independent_observations && self.observation.is_none() {
            let found = "rows are known by the bytes of their file: the same observation in another file counts as a new \
                         one, which no theorem covers";
            let hint = option("observation").taking("COLUMN").text(" names each");
            warnings.push(Sentence::from(found).hint(hint));
        }
        let ids = IdColumns::of_file(self.subject, self.observation, &ledger, data)?;
        let declared = Declared { independent_observations: self.independent_observations, ..Declared::default() };
        let request = ChargeRequest { release, declared, budget: self.budget, over: self.over_budget };
        Ok((Charging::new(ledger, ids, request), warnings))
    }
}

/// What to say to who charges a ledger with a budget for each period, where it is dated ahead.
///
/// # Errors
/// A ledger that cannot be read.
pub fn no_further_period(ledger: &Ledger) -> Result<Option<Sentence>> {
    let said = clock_behind(ledger)?.filter(|_| ledger.budgets().periodic.is_some());
    Ok(said.map(|said| Sentence::from("the ").then(said)))
}

/// What to say of a ledger that is dated ahead, which nobody would guess from rows that are over the budget of a period.
///
/// # Errors
/// A ledger that cannot be read.
pub fn clock_behind(ledger: &Ledger) -> Result<Option<Sentence>> {
    let said = |time| {
        let dated = format!(
            "last entry of the ledger is dated {}, later than the clock of this machine says: until then no further period \
             opens",
            time_text(time)
        );
        Sentence::from(dated).hint(Sentence::new().verb("lookalike ledger correct-clock").text(" goes on from now"))
    };
    Ok(ledger.dated_ahead()?.map(said))
}
