//! The balances of subjects with many charges, against the charges.

use super::Fault;
use super::walk::Walk;
use crate::rules::{FEW, add, packed};
use crate::store::failed;
use lookalike_records::Id;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// Subjects with many charges have a balance, which is what they add up to; others have none.
pub(crate) fn check_balances(connection: &Connection, walk: &Walk) -> std::result::Result<(), Fault> {
    let wrong = || Fault {
        entry: None,
        what: "the balance of a subject is not what its charges add up to; the entries are as they were written".into(),
    };
    let sql = |error| Fault { entry: None, what: failed(error).sentence() };
    let mut with_many = BTreeSet::new();
    let query = format!("SELECT subject FROM charge GROUP BY subject HAVING count(*) > {FEW}");
    let mut statement = connection.prepare(&query).map_err(sql)?;
    for subject in statement.query_map([], |row| row.get::<_, Id>(0)).map_err(sql)? {
        with_many.insert(subject.map_err(|_| wrong())?);
    }
    let mut statement = connection.prepare("SELECT subject, counts, window, recent FROM balance").map_err(sql)?;
    let mut balances = statement.query([]).map_err(sql)?;
    while let Some(row) = balances.next().map_err(sql)? {
        let read = || Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let (subject, counts, window, recent): (Id, Vec<u8>, i64, Vec<u8>) = read().map_err(|_| wrong())?;
        if !with_many.remove(&subject) || sums(connection, walk, &subject).map_err(sql)? != (counts, window, recent) {
            return Err(wrong());
        }
    }
    if with_many.is_empty() { Ok(()) } else { Err(wrong()) }
}

/// What the charges of a subject add up to, in all and in the window of the last one; and which window that is.
fn sums(connection: &Connection, walk: &Walk, subject: &Id) -> rusqlite::Result<(Vec<u8>, i64, Vec<u8>)> {
    let mut charges: Vec<(u64, u32)> = Vec::new();
    let mut statement = connection.prepare_cached("SELECT entry, release FROM charge WHERE subject = ?")?;
    let mut rows = statement.query([subject])?;
    while let Some(row) = rows.next()? {
        charges.push((row.get(0)?, row.get(1)?));
    }
    let Some(last) = charges.iter().map(|(entry, _)| *entry).max() else { return Ok((Vec::new(), 0, Vec::new())) };
    let (mut counts, mut recent) = (Vec::new(), Vec::new());
    for (entry, release) in charges {
        add(&mut counts, release);
        if walk.counts_with(entry, last) {
            add(&mut recent, release);
        }
    }
    Ok((packed(&counts), walk.window_of(last), packed(&recent)))
}
