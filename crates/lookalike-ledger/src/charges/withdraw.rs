//! Releases that were wrong.

use super::ledger_file::Ledger;
use crate::check::located;
use crate::facts::{CHARGED, RECORDED, WITHDRAWN, Withdrawn, written};
use crate::store::{Chain, Digest, failed, more_charges, settle};
use lookalike_formats::{Error, Result};
use rusqlite::OptionalExtension;
use std::collections::BTreeSet;

impl Ledger {
    /// Notes that what was released with some entries was wrong and is withdrawn, and gives how many charges they have.
    ///
    /// **The charges stay.** Whoever has seen a release knows what it told, and nothing takes that back; so a subject has
    /// lost what it has lost, and the same observation still gets its earlier answer.
    ///
    /// # Errors
    /// No entry; one that is not there, released nothing, or was withdrawn before.
    pub fn withdraw(&mut self, entries: &BTreeSet<u64>, note: &str) -> Result<u64> {
        if entries.is_empty() {
            return Err(Error::input("no entry to withdraw, expected one or more"));
        }
        self.withdrawn(entries, note).map_err(|error| match error.is_refusal() {
            true => error,
            false => located(error, &self.path),
        })
    }

    fn withdrawn(&mut self, entries: &BTreeSet<u64>, note: &str) -> Result<u64> {
        let (now, mut catalog, mut charges) = ((self.clock)(), self.catalog.clone(), 0);
        let transaction = self.begin()?;
        catalog.refresh(&transaction)?;
        for number in entries {
            let refused = |why: &str| Error::refused(format!("entry {number} {why}, so nothing was withdrawn"));
            let found = transaction
                .query_row("SELECT kind, rows FROM entry WHERE number = ?", [number], |row| {
                    Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?))
                })
                .optional()
                .map_err(failed)?;
            match found {
                None => return Err(refused("is not there")),
                Some((kind, _)) if kind != CHARGED && kind != RECORDED => return Err(refused("released nothing")),
                Some(_) if catalog.withdrawn.contains(number) => return Err(refused("was withdrawn before")),
                Some((_, rows)) => charges = more_charges(charges, rows)?,
            }
        }
        let content = Withdrawn { entries: entries.iter().copied().collect(), note: note.to_owned() };
        let mut chain = Chain::end(&transaction, now)?;
        chain.append(&transaction, WITHDRAWN, written(&content), &Digest::default())?;
        transaction.commit().map_err(failed)?;
        settle(&self.connection)?;
        Ok(charges)
    }
}
