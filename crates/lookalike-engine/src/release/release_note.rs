//! A note beside a release: how many of its rows stand in for others.

use crate::facts::Facts;
use lookalike_formats::tree::{Fields, Tree};
use lookalike_formats::{Error, Result, json_text};
use lookalike_records::{AtomicFile, read_text};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// What whoever reads statistics back must know of a release that was charged to a ledger. It has numbers and no rows: which
/// row stands in for another is not said, nor needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReleaseNote {
    /// How many rows were released.
    pub rows: u64,
    /// How many of them were drawn without a look at the value.
    pub stand_ins: u64,
}

impl ReleaseNote {
    /// Writes it as JSON to a file that was made before anything was released, so that a name that is refused is refused then.
    ///
    /// # Errors
    /// A system that refuses.
    pub fn write(&self, mut file: AtomicFile) -> Result<()> {
        let written = file.write_all(json_text(&self.json()).as_bytes());
        written.map_err(|error| Error::system("cannot write the note", error))?;
        file.commit()
    }

    /// Reads what [`ReleaseNote::write`] wrote.
    ///
    /// # Errors
    /// A file that is no note, or one with more rows that stand in for others than rows.
    pub fn read(path: &Path) -> Result<Self> {
        let read = |text: &str| {
            let tree = Tree::from_json(text)?;
            let fields = Fields::with(&tree, &["rows", "stand_ins"])?;
            let number = |key: &str| {
                fields.read(key, Tree::integer)?.ok_or_else(|| Error::input("missing, expected a number").at(key))
            };
            let note = ReleaseNote { rows: number("rows")?, stand_ins: number("stand_ins")? };
            match note.stand_ins <= note.rows {
                true => Ok(note),
                false => Err(Error::input(format!("{} of {} rows stand in for others", note.stand_ins, note.rows))),
            }
        };
        read_text(path).and_then(|text| read(&text).map_err(|error| error.in_file(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_back_and_a_wrong_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.json");
        let note = ReleaseNote { rows: 2_400, stand_ins: 2_364 };
        note.write(AtomicFile::create(&path, false).unwrap()).unwrap();
        assert_eq!(ReleaseNote::read(&path).unwrap(), note);
        for (text, expected) in [
            (r#"{"rows": 3, "stand_ins": 4}"#, "4 of 3 rows stand in for others"),
            (r#"{"rows": 3}"#, "stand_ins: missing, expected a number"),
            (r#"{"rows": 3, "stand_ins": 1, "row": [2]}"#, "row"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = ReleaseNote::read(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
