//! The ledger for Python.

use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::release::warn;
use crate::spelling::InPython;
use lookalike::account::Declared;
use lookalike::exact::EpsilonSum;
use lookalike_engine::ledger::{
    ChargeRequest, Charging, Head, IdColumns, LedgerBudgets, LedgerRelease, OverBudget, SubjectNames, verified_facts,
    verify,
};
use lookalike_engine::records::Records;
use lookalike_engine::{ChargeOutcome, Facts, LedgerAt, RecordOrder, no_further_period};
use lookalike_formats::AnyMechanism;
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The names of the columns that say whom records are about, which are those of the parameters.
pub const SUBJECTS: &str = "subjects";
/// The name of the column of observations.
pub const OBSERVATIONS: &str = "observations";

/// A ledger, opened anew for every call: it may be used in several threads and processes.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Ledger(LedgerAt);

#[pymethods]
impl Ledger {
    #[new]
    #[pyo3(signature = (path, key=None))]
    fn new(path: PathBuf, key: Option<PathBuf>) -> Answer<Self> {
        let ledger = Ledger(LedgerAt { path, key });
        ledger.0.open()?;
        Ok(ledger)
    }

    /// Makes a ledger and its key.
    #[staticmethod]
    #[pyo3(signature = (path, budget, period, period_budget, key, fold_case))]
    fn create(
        path: PathBuf,
        budget: Option<&str>,
        period: Option<&str>,
        period_budget: Option<&str>,
        key: Option<PathBuf>,
        fold_case: bool,
    ) -> Answer<Self> {
        let periodic = match (period, period_budget) {
            (Some(period), Some(budget)) => Some((period.parse()?, sum(budget)?)),
            (None, None) => None,
            _ => return Err(Failure::input("period and period_budget: expected both, or neither")),
        };
        let budgets = LedgerBudgets { total: budget.map(sum).transpose()?, periodic };
        let names = if fold_case { SubjectNames::FoldedCase } else { SubjectNames::Normalized };
        LedgerAt { path: path.clone(), key: key.clone() }.init(&budgets, names)?;
        Ledger::new(path, key)
    }

    fn status(&self, py: Python<'_>) -> Answer<String> {
        py.detach(|| Ok(self.0.open()?.status()?.facts().json().to_string()))
    }

    fn subject(&self, py: Python<'_>, name: &str) -> Answer<String> {
        py.detach(|| Ok(self.0.open()?.subject_status(name)?.facts().json().to_string()))
    }

    #[pyo3(signature = (head))]
    fn verify(&self, py: Python<'_>, head: Option<&str>) -> Answer<String> {
        let head = head.map(str::parse::<Head>).transpose().map_err(|error| error.at("head"))?;
        py.detach(|| Ok(verified_facts(&verify(&self.0.path, head.as_ref())?, &InPython).json().to_string()))
    }

    fn export(&self, py: Python<'_>, path: PathBuf, charges: bool, overwrite: bool) -> Answer<u64> {
        py.detach(|| Ok(self.0.export(&path, charges, overwrite)?.entries))
    }

    /// Writes a whole copy.
    fn backup(&self, py: Python<'_>, copy: PathBuf) -> Answer<String> {
        py.detach(|| Ok(self.0.backup(&copy)?.json().to_string()))
    }

    /// Writes a ledger anew in the format of today; the version that it had, and where the old file lies.
    #[staticmethod]
    #[pyo3(signature = (path, head))]
    fn migrate(py: Python<'_>, path: PathBuf, head: Option<&str>) -> Answer<(u32, PathBuf)> {
        let head = head.map(str::parse::<Head>).transpose().map_err(|error| error.at("head"))?;
        py.detach(|| {
            let made = lookalike_engine::ledger::Ledger::migrate(&path, head.as_ref())?;
            Ok((made.from, made.kept))
        })
    }

    /// Goes on by the clock of this machine: the first and the last entry that were dated ahead.
    fn correct_clock(&self, py: Python<'_>, note: &str) -> Answer<(u64, u64)> {
        py.detach(|| {
            let corrected = self.0.correct_clock(note)?;
            Ok((corrected.first_entry, corrected.last_entry))
        })
    }

    /// Notes that entries are withdrawn; how many charges they have.
    fn withdraw(&self, py: Python<'_>, entries: BTreeSet<u64>, note: &str) -> Answer<u64> {
        py.detach(|| Ok(self.0.withdraw(&entries, note)?.charges))
    }

    /// What is charged when a mechanism, given as the text of its file, releases a column.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (mechanism, column, subjects, observations, independent_observations, budget))]
    fn charge(
        &self,
        py: Python<'_>,
        mechanism: &str,
        column: Vec<String>,
        subjects: Py<PyAny>,
        observations: Py<PyAny>,
        independent_observations: bool,
        budget: Option<&str>,
    ) -> Answer<Charge> {
        let request = request(mechanism, &column, independent_observations, budget)?;
        let ledger = self.0.open()?;
        warn(py, &Vec::from_iter(no_further_period(&ledger)?), 2)?;
        let ids = IdColumns::of_memory(SUBJECTS.to_owned(), OBSERVATIONS.to_owned(), &ledger);
        Ok(Charge { charging: Charging::new(ledger, ids, request), subjects, observations })
    }

    /// Enters a release that another program makes, or has made.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (mechanism, column, subjects, observations, independent_observations, made, note))]
    fn record(
        &self,
        mechanism: &str,
        column: Vec<String>,
        subjects: &Bound<'_, PyAny>,
        observations: &Bound<'_, PyAny>,
        independent_observations: bool,
        made: bool,
        note: Option<String>,
    ) -> Answer<String> {
        let release = LedgerRelease::of(&AnyMechanism::from_json(mechanism)?, &column)?;
        let (subjects, observations) = (Column::of(subjects, SUBJECTS)?, Column::of(observations, OBSERVATIONS)?);
        let order = RecordOrder {
            release,
            records: Records::Memory(vec![(SUBJECTS, subjects.memory()), (OBSERVATIONS, observations.memory())]),
            subject: SUBJECTS.to_owned(),
            observation: Some(OBSERVATIONS.to_owned()),
            independent_observations,
            is_made: made,
            note,
        };
        Ok(self.0.record(order)?.json().to_string())
    }
}

/// Whom the records of a release are charged to.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Charge {
    pub charging: Arc<Charging>,
    subjects: Py<PyAny>,
    observations: Py<PyAny>,
}

#[pymethods]
impl Charge {
    /// What the charging came to, as JSON.
    fn totals(&self) -> Answer<String> {
        Ok(ChargeOutcome::of(&self.charging)?.facts.json().to_string())
    }
}

impl Charge {
    /// The columns of subjects and of observations.
    pub fn columns<'py>(&self, py: Python<'py>) -> Answer<[Column<'py>; 2]> {
        Ok([Column::of(self.subjects.bind(py), SUBJECTS)?, Column::of(self.observations.bind(py), OBSERVATIONS)?])
    }
}

fn request(
    mechanism: &str,
    columns: &[String],
    independent_observations: bool,
    budget: Option<&str>,
) -> Answer<ChargeRequest> {
    let release = LedgerRelease::of(&AnyMechanism::from_json(mechanism)?, columns)?;
    let declared = Declared { independent_observations, ..Declared::default() };
    Ok(ChargeRequest { release, declared, budget: budget.map(sum).transpose()?, over: OverBudget::Constant })
}

fn sum(text: &str) -> Answer<EpsilonSum> {
    Ok(text.parse::<EpsilonSum>()?)
}
