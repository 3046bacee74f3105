//! The journal of a run: which files are moved, so that another process can do the rest.

use lookalike::Sentence;
use lookalike_formats::{Error, Result, json_text};
use lookalike_records::{check_spared, sync_directory, write_atomically};
use serde::{Deserialize, Serialize};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;
use tempfile::TempPath;

/// The name of the journal in the hidden folder.
const NAME: &str = "journal";
const FORMAT: &str = "lookalike run journal";
const VERSION: u32 = 1;
/// Longer ones are no journals.
const LONGEST: u64 = 1 << 20;

/// What is moved from the hidden folder of a run to its target. Once it is on the disk the run is done, whoever moves.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    format: String,
    version: u32,
    files: Vec<Move>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    name: String,
    /// What was in the place when the run was done; something else that has come there since is not replaced.
    replaces: Option<Seen>,
}

/// How a file looked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    bytes: u64,
    seconds: u64,
    nanoseconds: u32,
}

impl Seen {
    fn of(metadata: &Metadata) -> Seen {
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.unwrap_or_default();
        Seen { bytes: metadata.len(), seconds: modified.as_secs(), nanoseconds: modified.subsec_nanos() }
    }
}

impl Journal {
    /// For files of these names, after a look at their places in the target.
    ///
    /// # Errors
    /// A place that is taken and may not be replaced, with `replace` neither: a folder, an input, a ledger, a link to nothing.
    pub fn of(names: Vec<String>, target: &Path, replace: bool) -> Result<Journal> {
        let look = |name: String| {
            let place = target.join(&name);
            let replaces = look(&place, replace).map_err(|error| error.in_file(&place))?;
            check_spared(&place)?;
            Ok(Move { name, replaces })
        };
        let files = names.into_iter().map(look).collect::<Result<_>>()?;
        Ok(Journal { format: FORMAT.to_owned(), version: VERSION, files })
    }

    /// Puts the journal into the hidden folder: from then on the run is done.
    ///
    /// # Errors
    /// A disk that does not take it.
    pub fn write(&self, hidden: &Path) -> Result<()> {
        let json = serde_json::to_value(self).expect("texts and numbers");
        write_atomically(&hidden.join(NAME), false, json_text(&json).as_bytes())
    }

    /// The journal of a hidden folder, if there is one.
    ///
    /// # Errors
    /// A file that is not a journal, or names what is not a plain file of the target.
    pub fn read(hidden: &Path) -> Result<Option<Journal>> {
        let path = hidden.join(NAME);
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| Error::system("cannot read", error).in_file(&path))?,
        };
        let text = metadata.is_file().then(|| read(&path)).and_then(io::Result::ok).unwrap_or_default();
        let journal: Option<Journal> = serde_json::from_str(&text).ok();
        let is_sound = |journal: &Journal| {
            let names = journal.files.iter().map(|file| &file.name);
            (journal.format == FORMAT && journal.version == VERSION) && names.into_iter().all(|name| is_plain(name))
        };
        match journal.filter(is_sound) {
            Some(journal) => Ok(Some(journal)),
            None => Err(Error::input(
                "not the journal of a run, so nothing was moved (remove the folder it is in to give up what was begun)",
            )
            .in_file(&path)),
        }
    }

    /// Moves what is not moved yet and removes the journal; gives the files in the target. `step` is asked before each
    /// thing that is done.
    ///
    /// # Errors
    /// A file that is in neither place, a place in which something else is by now, and those of the operating system. The
    /// rest is done when this is called again.
    pub fn complete(
        &self,
        (hidden, files): (&Path, &Path),
        target: &Path,
        step: &mut dyn FnMut() -> io::Result<()>,
    ) -> Result<Vec<PathBuf>> {
        let failed = |error| Error::system("cannot write", error).in_file(target);
        for file in &self.files {
            step().map_err(failed)?;
            let place = target.join(&file.name);
            file.complete(&files.join(&file.name), &place).map_err(|error| error.in_file(&place))?;
        }
        step().and_then(|()| sync_directory(target)).map_err(failed)?;
        step().and_then(|()| fs::remove_file(hidden.join(NAME))).map_err(failed)?;
        step().and_then(|()| sync_directory(hidden)).map_err(failed)?;
        Ok(self.files.iter().map(|file| target.join(&file.name)).collect())
    }
}

impl Move {
    fn complete(&self, from: &Path, to: &Path) -> Result<()> {
        let failed = |error| Error::system("cannot write", error);
        let there = seen(to)?;
        match fs::symlink_metadata(from) {
            Ok(metadata) if metadata.is_file() => {}
            Err(error) if error.kind() == ErrorKind::NotFound && there.is_some() => return Ok(()),
            _ => return Err(Error::input("this file of a run that was done is gone from its folder")),
        }
        // A file system without a better way gives the new name before it takes the old one.
        if lookalike_records::is_same_file(from, to) {
            return fs::remove_file(from).map_err(failed);
        }
        if there.is_some() && there != self.replaces {
            return Err(Error::input(
                "has appeared or changed since a run was done whose files are to be moved here (move it away and run this again)",
            ));
        }
        check_spared(to)?;
        match there {
            Some(_) => fs::rename(from, to).map_err(failed),
            None => move_to_free_place(from, to).map_err(failed),
        }
    }
}

/// What is in the place, which may be replaced.
fn look(place: &Path, replace: bool) -> Result<Option<Seen>> {
    if place.is_dir() {
        return Err(Error::input("is a folder where a file is to be written"));
    }
    let there = seen(place)?;
    if there.is_some() && !place.exists() {
        return Err(Error::input("is a symbolic link to nothing (remove it)"));
    }
    match there {
        Some(_) if !replace => {
            Err(Error::input("has appeared meanwhile").hint(Sentence::new().flag("force").text(" replaces it")))
        }
        there => Ok(there),
    }
}

fn seen(place: &Path) -> Result<Option<Seen>> {
    match fs::symlink_metadata(place) {
        Ok(metadata) => Ok(Some(Seen::of(&metadata))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::system("cannot write", error)),
    }
}

/// A rename that replaces nothing.
fn move_to_free_place(from: &Path, to: &Path) -> io::Result<()> {
    let moved = TempPath::try_from_path(from)?.persist_noclobber(to);
    moved.map_err(|error| {
        // Not a temporary file: it is the only copy.
        let _ = error.path.keep();
        error.error
    })
}

/// The name of a file in a folder and nothing else.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name);
    is_one && name != super::hidden_folder::HIDDEN && !name.contains('\0')
}

#[allow(clippy::disallowed_methods, reason = "a journal is no input of a command")]
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_comes_back_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let hidden = folder.path();
        assert_eq!(Journal::read(hidden).unwrap(), None);
        let journal = Journal::of(vec!["a".into(), "b".into()], hidden, false).unwrap();
        journal.write(hidden).unwrap();
        assert_eq!(Journal::read(hidden).unwrap().as_ref(), Some(&journal));
        let text = fs::read_to_string(hidden.join(NAME)).unwrap();
        for wrong in ["../a", "/a", "a/b", "", ".", "..", "./a", "a/", ".lookalike-run", "\\u0000"] {
            fs::write(hidden.join(NAME), text.replace("\"a\"", &format!("\"{wrong}\""))).unwrap();
            let error = Journal::read(hidden).unwrap_err().to_string();
            assert!(error.contains("journal: not the journal of a run, so nothing was moved"), "{wrong}: {error}");
        }
        for wrong in ["", "{}", &text[..text.len() / 2], &text.replace("1", "2"), &text.replace("journal", "plan")] {
            fs::write(hidden.join(NAME), wrong).unwrap();
            assert!(Journal::read(hidden).is_err(), "{wrong}");
        }
        fs::remove_file(hidden.join(NAME)).unwrap();
        fs::create_dir(hidden.join(NAME)).unwrap();
        assert!(Journal::read(hidden).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_behind_a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Journal::of(vec!["a".into()], folder.path(), false).unwrap().write(folder.path()).unwrap();
        fs::rename(folder.path().join(NAME), folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink("elsewhere", folder.path().join(NAME)).unwrap();
        assert!(Journal::read(folder.path()).is_err());
    }
}
