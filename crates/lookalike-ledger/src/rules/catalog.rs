//! What a ledger knows of its budgets and of the releases in it.

use super::window::Correction;
use crate::facts::{
    CLOCK_CORRECTED, LedgerBudgets, LedgerRelease, OPENED, Opened, REGISTERED, Registered, SubjectNames, WITHDRAWN,
    Withdrawn, WrittenGuarantee, from_hex, hex, read, written,
};
use crate::store::{COLUMNS, Entry, NONE_BEFORE, failed};
use crate::verbs::VERIFY;
use lookalike::Sentence;
use lookalike::account::{Account, Refusal};
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// The releases of a ledger, by number from 1 on: number n is guarantee n − 1 of the account.
#[derive(Debug, Clone, Default)]
pub(crate) struct Catalog {
    pub budgets: LedgerBudgets,
    pub mark: Id,
    pub account: Account,
    pub releases: Vec<Known>,
    pub names: SubjectNames,
    pub corrections: Vec<Correction>,
    /// The entries whose releases were withdrawn.
    pub withdrawn: BTreeSet<u64>,
    /// The last entry that was read.
    seen: u64,
}

/// A release that is in the ledger.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub name: String,
    fingerprint: [u8; 32],
}

/// The error of an entry that is not what a ledger writes.
fn damaged(number: u64, what: impl Into<Sentence>) -> Error {
    Error::input(Sentence::from(format!("entry {number}: ")).then(what)).hint(Sentence::new().verb(VERIFY))
}

impl Catalog {
    /// Reads the entries that others have added.
    pub fn refresh(&mut self, connection: &Connection) -> Result<()> {
        let query = format!("SELECT {COLUMNS} FROM entry WHERE number > ? AND kind IN (?, ?, ?, ?) ORDER BY number");
        let mut statement = connection.prepare_cached(&query).map_err(failed)?;
        let kinds = (self.seen, OPENED, REGISTERED, CLOCK_CORRECTED, WITHDRAWN);
        let entries = statement.query_map(kinds, Entry::read).map_err(failed)?;
        for entry in entries {
            let (entry, head) = entry.map_err(failed)?;
            // The budgets are in the first entry, whose hash covers nothing else.
            if entry.number == 1 && entry.head(&NONE_BEFORE) != head {
                return Err(Error::input("entry 1 was changed: its hash is not that of its content")
                    .hint(Sentence::new().verb(VERIFY)));
            }
            self.take(&entry)?;
        }
        Ok(())
    }

    /// Takes an entry in; those of other kinds change nothing here.
    pub fn take(&mut self, entry: &Entry) -> Result<()> {
        let number = entry.number;
        match entry.kind.as_str() {
            OPENED => {
                let opened: Opened = read(number, &entry.content)?;
                self.budgets = opened.budgets()?;
                self.names = opened.names()?;
                self.mark = opened.mark().ok_or_else(|| damaged(number, "the mark of the key cannot be read"))?;
            }
            REGISTERED => {
                let registered: Registered = read(number, &entry.content)?;
                let fingerprint = from_hex(&registered.fingerprint).ok_or_else(|| damaged(number, "no fingerprint"))?;
                let place = self.account.admit(registered.guarantee.read()?);
                let place = place.map_err(|refusal| damaged(number, refusal.sentence()))?;
                if registered.release as usize != place + 1 {
                    return Err(damaged(number, "releases are not numbered one after the other"));
                }
                self.releases.push(Known { name: registered.name, fingerprint });
            }
            CLOCK_CORRECTED => self.corrections.push((number, read(number, &entry.content)?)),
            WITHDRAWN => self.withdrawn.extend(read::<Withdrawn>(number, &entry.content)?.entries),
            _ => {}
        }
        self.seen = number;
        Ok(())
    }

    /// The number of a release that is known.
    pub fn number(&self, release: &LedgerRelease) -> Option<u32> {
        let place = self.releases.iter().position(|known| known.fingerprint == release.fingerprint)?;
        Some(place as u32 + 1)
    }

    /// What an entry says that makes a release known.
    ///
    /// # Errors
    /// Secrets that this ledger does not count.
    pub fn registration(&self, release: &LedgerRelease) -> std::result::Result<String, Refusal> {
        let place = self.account.clone().admit(release.guarantee.clone())?;
        Ok(written(&Registered {
            release: place as u32 + 1,
            name: release.name.clone(),
            fingerprint: hex(&release.fingerprint),
            guarantee: WrittenGuarantee::of(&release.guarantee),
        }))
    }
}
