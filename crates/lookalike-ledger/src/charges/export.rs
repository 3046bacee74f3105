//! A ledger as text.

use super::ledger_file::Ledger;
use crate::facts::{LedgerAnswer, hex};
use crate::store::{COLUMNS, Entry, failed};
use crate::verbs::VERIFY;
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use serde_json::{Value, json};
use std::io::{BufWriter, Seek, Write};

impl Ledger {
    /// Writes every entry as a line of JSON, with its charges where they are wanted.
    ///
    /// Names of subjects and records are keyed hashes, as in the ledger. Answers are what was released.
    ///
    /// The ledger is read at one moment to a file without a name in the system's folder for such, and written from there: an
    /// output that is slow, a pipe to a program that waits for somebody, keeps nobody from charging.
    ///
    /// # Errors
    /// A ledger that cannot be read, an output that refuses, and no room for what is to be written.
    pub fn export(&mut self, out: &mut dyn Write, with_charges: bool) -> Result<u64> {
        let no_room = |error| Error::system("cannot write what is to be exported to a temporary file", error);
        let mut file = BufWriter::new(tempfile::tempfile().map_err(no_room)?);
        let written = self.export_at_once(&mut file, with_charges)?;
        let mut file = file.into_inner().map_err(|error| no_room(error.into_error()))?;
        file.rewind().map_err(no_room)?;
        let copied = std::io::copy(&mut file, out);
        // What waits in a buffer could fail without a word when the buffer is dropped.
        copied.and_then(|_| out.flush()).map_err(|error| Error::system("cannot write", error))?;
        Ok(written)
    }

    /// Writes it within one transaction, until whose end nobody can charge.
    fn export_at_once(&mut self, out: &mut dyn Write, with_charges: bool) -> Result<u64> {
        let transaction = self.connection.transaction().map_err(failed)?;
        let mut entries =
            transaction.prepare(&format!("SELECT {COLUMNS} FROM entry ORDER BY number")).map_err(failed)?;
        let query =
            "SELECT entry, subject, record, release, answer FROM charge ORDER BY entry, subject, record, release";
        let mut charges = transaction.prepare(query).map_err(failed)?;
        let mut charges = charges.query([]).map_err(failed)?;
        let mut waiting = if with_charges { charges.next().map_err(failed)? } else { None };
        let mut entries = entries.query([]).map_err(failed)?;
        let mut written = 0;
        while let Some(row) = entries.next().map_err(failed)? {
            let (entry, head) = Entry::read(row).map_err(failed)?;
            let content: Value = serde_json::from_str(&entry.content).map_err(|_| {
                Error::input(format!("entry {} cannot be read", entry.number)).hint(Sentence::new().verb(VERIFY))
            })?;
            let mut line = json!({
                "number": entry.number,
                "time": crate::facts::time_text(entry.time),
                "kind": entry.kind,
                "content": content,
                "rows": entry.rows,
                "digest": hex(&entry.digest),
                "hash": head.to_string(),
            });
            let mut of_entry = Vec::new();
            while let Some(row) = waiting {
                let number: u64 = row.get(0).map_err(failed)?;
                if number != entry.number {
                    break;
                }
                let (subject, record, release): (Id, Id, u32) =
                    row.get(1).and_then(|id| Ok((id, row.get(2)?, row.get(3)?))).map_err(failed)?;
                let answer = match row.get::<_, Option<LedgerAnswer>>(4).map_err(failed)? {
                    None => Value::Null,
                    Some(LedgerAnswer::Code(code)) => code.into(),
                    Some(LedgerAnswer::Text(text)) => text.into(),
                };
                of_entry.push(json!([hex(&subject), hex(&record), release, answer]));
                waiting = charges.next().map_err(failed)?;
            }
            if with_charges {
                line["charges"] = of_entry.into();
            }
            writeln!(out, "{line}").map_err(|error| Error::system("cannot write", error))?;
            written += 1;
        }
        Ok(written)
    }
}
