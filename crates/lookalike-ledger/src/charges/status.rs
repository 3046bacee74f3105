//! What a ledger adds up to.

use super::ledger_file::Ledger;
use crate::check::located;
use crate::facts::{LedgerBudgets, SubjectNames};
use crate::rules::{Catalog, History, UNCOVERED, Window, add, unknown_release};
use crate::store::{Head, failed, last, more_charges, no_entry};
use lookalike::account::Worst;
use lookalike::exact::EpsilonSum;
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use rusqlite::Connection;
use std::collections::HashMap;

/// What a ledger holds, for people to read.
#[derive(Debug, Clone)]
pub struct LedgerStatus {
    /// What any one subject may lose.
    pub budgets: LedgerBudgets,
    /// What the secrets are, in words, once there is a release.
    pub secrets: Option<String>,
    /// How many entries.
    pub entries: u64,
    /// When the last one was written, in seconds since 1970.
    pub time: i64,
    /// Its hash.
    pub head: Head,
    /// How many subjects have a charge.
    pub subjects: u64,
    /// How many subjects had a release that no theorem covers: they get none any more.
    pub uncovered: u64,
    /// How many charges belong to releases that were withdrawn.
    pub withdrawn: u64,
    /// The entries that correct the clock.
    pub corrections: u64,
    /// How names are compared.
    pub names: SubjectNames,
    /// The version of the file's format.
    pub version: u32,
    /// The releases in the order in which they became known.
    pub releases: Vec<ReleaseStatus>,
    /// How many subjects have lost how much, the most first; those with a release that no theorem covers are not in it.
    pub spent: Vec<(Worst, u64)>,
    /// The same within the period that has begun.
    pub spent_in_period: Vec<(Worst, u64)>,
}

/// A release, and how often it was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseStatus {
    /// What it is called.
    pub name: String,
    /// Its largest ε.
    pub epsilon: EpsilonSum,
    /// How many charges.
    pub charges: u64,
}

/// What one subject has lost.
#[derive(Debug, Clone)]
pub struct SubjectStatus {
    /// How often each release was charged, by the order in which they became known.
    pub charges: Vec<u64>,
    /// By all releases; `None` where no theorem covers one.
    pub spent: Option<Worst>,
    /// By those of the period that has begun.
    pub spent_in_period: Option<Worst>,
}

impl Ledger {
    /// What the ledger holds.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    ///
    /// # Complexity
    /// Linear in the charges.
    pub fn status(&mut self) -> Result<LedgerStatus> {
        self.read_status().map_err(|error| located(error, &self.path))
    }

    fn read_status(&mut self) -> Result<LedgerStatus> {
        let time = (self.clock)();
        let transaction = self.connection.transaction().map_err(failed)?;
        self.catalog.refresh(&transaction)?;
        let (entry, head) = last(&transaction)?.ok_or_else(no_entry)?;
        let budgets = self.catalog.budgets.clone();
        let known = self.catalog.releases.len();
        let all = Sums::of(&transaction, |_| true, known)?;
        let account = &self.catalog.account;
        let spent = |sums: &Sums| {
            let mut spent: Vec<(Worst, u64)> =
                sums.subjects.iter().map(|(counts, &subjects)| (account.worst(&counts[1..]), subjects)).collect();
            spent.sort_by(|(one, _), (other, _)| other.epsilon.cmp(&one.epsilon));
            spent.dedup_by(|(one, more), (other, subjects)| {
                let is_same = one.epsilon == other.epsilon;
                *subjects += if is_same { *more } else { 0 };
                is_same
            });
            spent
        };
        let spent_in_period = match &budgets.periodic {
            Some(_) => {
                let time = time.max(entry.time);
                let window = Window::of(&transaction, budgets.period(), &self.catalog.corrections, time)?;
                spent(&Sums::of(&transaction, |entry| window.has(entry), known)?)
            }
            None => Vec::new(),
        };
        let releases = (1..).zip(self.catalog.releases.iter().zip(account.guarantees()));
        let releases = releases.map(|(number, (known, guarantee))| ReleaseStatus {
            name: known.name.clone(),
            epsilon: guarantee.epsilon().clone().into(),
            charges: all.releases.get(number).copied().unwrap_or(0),
        });
        Ok(LedgerStatus {
            secrets: account.guarantees().first().map(ToString::to_string),
            entries: entry.number,
            time: entry.time,
            head,
            subjects: all.subjects.values().sum::<u64>() + all.uncovered,
            uncovered: all.uncovered,
            withdrawn: withdrawn(&transaction, &self.catalog)?,
            corrections: self.catalog.corrections.len() as u64,
            names: self.catalog.names,
            version: self.version,
            releases: releases.collect(),
            spent: spent(&all),
            spent_in_period,
            budgets,
        })
    }

    /// What one subject has lost, by its name in the records.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn subject_status(&mut self, name: &str) -> Result<SubjectStatus> {
        let subject = self.catalog.names.known_subject(&self.key, name);
        let subject = subject.ok_or_else(|| Error::input("an empty name, expected that of a subject"))?;
        self.read_subject(&subject).map_err(|error| located(error, &self.path))
    }

    fn read_subject(&mut self, subject: &Id) -> Result<SubjectStatus> {
        let time = (self.clock)();
        let transaction = self.connection.transaction().map_err(failed)?;
        self.catalog.refresh(&transaction)?;
        let (entry, _) = last(&transaction)?.ok_or_else(no_entry)?;
        let Catalog { budgets, corrections, releases, .. } = &self.catalog;
        let window = Window::of(&transaction, budgets.period(), corrections, time.max(entry.time))?;
        let history = History::load(&transaction, subject, &window, releases.len())?;
        let worst = |counts: &[u64]| {
            (!history.is_uncovered()).then(|| self.catalog.account.worst(counts.get(1..).unwrap_or_default()))
        };
        let [counts, recent] = history.counts();
        let mut charges = counts.get(1..).unwrap_or_default().to_vec();
        charges.resize(self.catalog.releases.len(), 0);
        let spent_in_period = self.catalog.budgets.periodic.as_ref().and_then(|_| worst(recent));
        Ok(SubjectStatus { charges, spent: worst(counts), spent_in_period })
    }
}

/// How many charges the entries have that were withdrawn.
fn withdrawn(connection: &Connection, catalog: &Catalog) -> Result<u64> {
    let mut statement = connection.prepare_cached("SELECT rows FROM entry WHERE number = ?").map_err(failed)?;
    let mut rows = |entry: &u64| statement.query_row([entry], |row| row.get::<_, u64>(0)).map_err(failed);
    catalog.withdrawn.iter().try_fold(0, |all, entry| more_charges(all, rows(entry)?))
}

/// Charges, added up.
#[derive(Default)]
struct Sums {
    /// How many subjects had how often which release; [`UNCOVERED`] never.
    subjects: HashMap<Vec<u64>, u64>,
    uncovered: u64,
    /// How often each release was charged.
    releases: Vec<u64>,
}

impl Sums {
    /// Of the entries that count.
    fn of(connection: &Connection, counts_in: impl Fn(u64) -> bool, known: usize) -> Result<Sums> {
        // The table is in the order of subjects.
        let query = "SELECT subject, release, entry FROM charge ORDER BY subject";
        let mut statement = connection.prepare(query).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let (mut sums, mut last, mut counts) = (Sums::default(), None::<Id>, Vec::new());
        while let Some(row) = rows.next().map_err(failed)? {
            let read = || Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let (subject, release, entry): (Id, u32, u64) = read().map_err(failed)?;
            if !counts_in(entry) {
                continue;
            }
            if release as usize > known {
                return Err(unknown_release());
            }
            if last.is_some_and(|last| last != subject) {
                sums.end(std::mem::take(&mut counts));
            }
            last = Some(subject);
            add(&mut counts, release);
            add(&mut sums.releases, release);
        }
        if last.is_some() {
            sums.end(counts);
        }
        Ok(sums)
    }

    fn end(&mut self, counts: Vec<u64>) {
        if counts[UNCOVERED as usize] > 0 {
            self.uncovered += 1;
        } else {
            *self.subjects.entry(counts).or_default() += 1;
        }
    }
}

impl LedgerStatus {
    /// What the subject that has lost the most has lost.
    pub fn most(&self) -> Option<&Worst> {
        self.spent.first().map(|(worst, _)| worst)
    }
}
