//! The chain of entries: each one's hash covers the one before it.

use super::database::{failed, one_row};
use crate::facts::{LedgerAnswer, from_hex, hex};
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use rusqlite::{Connection, OptionalExtension, Row};

/// The hash of an entry: whoever knows that of the last one can tell whether anything before it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head(pub [u8; 32]);

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl std::str::FromStr for Head {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        from_hex(text).map(Head).ok_or_else(|| Error::input("expected the 64 hexadecimal digits that a run printed"))
    }
}

/// What stands before the first entry.
pub(crate) const NONE_BEFORE: Head = Head([0; 32]);

/// An entry, written in one transaction with the charges that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// From 1 on.
    pub number: u64,
    /// In seconds since 1970; never before the entry before.
    pub time: i64,
    pub kind: String,
    /// JSON.
    pub content: String,
    /// How many charges it has.
    pub rows: u64,
    /// The hash of its charges in order.
    pub digest: [u8; 32],
}

/// A charge as the digest of its entry covers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Charge {
    pub subject: Id,
    pub record: Id,
    pub release: u32,
    pub answer: Option<LedgerAnswer>,
}

impl Entry {
    /// The hash of this entry after another. Every part has a fixed length or its length before it.
    pub fn head(&self, before: &Head) -> Head {
        let mut hasher = blake3::Hasher::new_derive_key("lookalike ledger entry 1");
        hasher.update(&before.0).update(&self.number.to_le_bytes()).update(&self.time.to_le_bytes());
        for text in [&self.kind, &self.content] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        hasher.update(&self.rows.to_le_bytes()).update(&self.digest);
        Head(*hasher.finalize().as_bytes())
    }

    /// Adds the entry to the chain.
    pub fn append(&self, connection: &Connection, before: &Head) -> Result<Head> {
        let head = self.head(before);
        let mut statement = connection
            .prepare_cached(
                "INSERT INTO entry (number, time, kind, content, rows, digest, hash) VALUES (?,?,?,?,?,?,?)",
            )
            .map_err(failed)?;
        let fields = (self.number, self.time, &self.kind, &self.content, self.rows, self.digest, head.0);
        one_row(statement.execute(fields).map_err(failed)?)?;
        Ok(head)
    }

    /// An entry and its hash, from the columns in the order of the table.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<(Entry, Head)> {
        let entry = Entry {
            number: row.get(0)?,
            time: row.get(1)?,
            kind: row.get(2)?,
            content: row.get(3)?,
            rows: row.get(4)?,
            digest: row.get(5)?,
        };
        Ok((entry, Head(row.get(6)?)))
    }
}

/// The end of the chain, to which entries are added.
pub(crate) struct Chain {
    pub head: Head,
    number: u64,
    pub time: i64,
}

impl Chain {
    /// The end of the chain of a ledger, at a time. A clock that was set back does not give a period's budget twice: time
    /// stands still until the clock has caught up.
    pub fn end(connection: &Connection, time: i64) -> Result<Chain> {
        let (entry, head) = last(connection)?.ok_or_else(no_entry)?;
        Ok(Chain { head, number: entry.number, time: time.max(entry.time) })
    }

    /// The end of a chain whose clock is set to a time.
    pub fn at(head: Head, number: u64, time: i64) -> Chain {
        Chain { head, number, time }
    }

    /// The number of the next entry.
    pub fn next(&self) -> u64 {
        self.number + 1
    }

    /// Adds an entry with its charges' digest.
    pub fn append(&mut self, connection: &Connection, kind: &str, content: String, digest: &Digest) -> Result<Entry> {
        let (number, kind, rows) = (self.next(), kind.to_owned(), digest.rows);
        let entry = Entry { number, time: self.time, kind, content, rows, digest: digest.finish() };
        self.head = entry.append(connection, &self.head)?;
        self.number = number;
        Ok(entry)
    }
}

pub(crate) fn no_entry() -> Error {
    Error::input("the ledger is damaged: it has no entry (restore a copy)")
}

/// The charges of some entries and of one more, as they say.
pub(crate) fn more_charges(all: u64, rows: u64) -> Result<u64> {
    all.checked_add(rows)
        .ok_or_else(|| Error::input("the ledger is damaged: it has fewer charges than its entries say"))
}

/// The columns that [`Entry::read`] reads.
pub(crate) const COLUMNS: &str = "number, time, kind, content, rows, digest, hash";

/// The last entry and its hash.
pub(crate) fn last(connection: &Connection) -> Result<Option<(Entry, Head)>> {
    let query = format!("SELECT {COLUMNS} FROM entry ORDER BY number DESC LIMIT 1");
    let mut statement = connection.prepare_cached(&query).map_err(failed)?;
    statement.query_row([], Entry::read).optional().map_err(failed)
}

/// The digest of charges, which are in the order of subject, record and release.
#[derive(Default)]
pub(crate) struct Digest {
    hasher: blake3::Hasher,
    pub rows: u64,
}

impl Digest {
    pub fn add(&mut self, charge: &Charge) {
        self.hasher.update(&charge.subject).update(&charge.record).update(&charge.release.to_le_bytes());
        LedgerAnswer::digest(charge.answer.as_ref(), &mut self.hasher);
        self.rows += 1;
    }

    pub fn finish(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_an_entry_is_in_its_hash() {
        let entry = Entry { number: 2, time: 5, kind: "a".into(), content: "bc".into(), rows: 1, digest: [3; 32] };
        let head = entry.head(&NONE_BEFORE);
        let changed = [
            Entry { number: 3, ..entry.clone() },
            Entry { time: 6, ..entry.clone() },
            Entry { kind: "ab".into(), content: "c".into(), ..entry.clone() },
            Entry { content: "bd".into(), ..entry.clone() },
            Entry { rows: 2, ..entry.clone() },
            Entry { digest: [4; 32], ..entry.clone() },
        ];
        assert!(changed.iter().all(|entry| entry.head(&NONE_BEFORE) != head));
        assert_ne!(entry.head(&head), head);
        assert_eq!(entry.head(&NONE_BEFORE), head);
    }

    #[test]
    fn every_part_of_a_charge_is_in_the_digest() {
        let charge = Charge { subject: [1; 16], record: [2; 16], release: 1, answer: Some(LedgerAnswer::Code(7)) };
        let text = |text: &str| Some(LedgerAnswer::Text(text.into()));
        let digest = |charges: &[Charge]| {
            let mut digest = Digest::default();
            charges.iter().for_each(|charge| digest.add(charge));
            digest.finish()
        };
        let others = [
            Charge { subject: [3; 16], ..charge.clone() },
            Charge { record: [3; 16], ..charge.clone() },
            Charge { release: 2, ..charge.clone() },
            Charge { answer: None, ..charge.clone() },
            Charge { answer: text("7"), ..charge.clone() },
            Charge { answer: text(""), ..charge.clone() },
        ];
        let mut all: Vec<_> = others.iter().map(|other| digest(std::slice::from_ref(other))).collect();
        all.extend([digest(&[]), digest(std::slice::from_ref(&charge)), digest(&[charge.clone(), charge])]);
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
