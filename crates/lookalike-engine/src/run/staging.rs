//! Files that appear when all is done.

use super::hidden_folder::{HIDDEN, HiddenFolder, Unfinished};
use super::journal::Journal;
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::{check_spared, sync_directory};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A hidden folder inside the target, in which a run writes; what is in it is moved when all is done.
///
/// # Guarantee
/// Until a journal of all moves is on the disk the target is as it was; from then on every file is there, or will be when
/// the next run to the same target has begun. Whatever goes wrong before, folders that were made are gone again.
pub(crate) struct Staging {
    target: PathBuf,
    replace: bool,
    hidden: HiddenFolder,
    unfinished: Unfinished,
    /// Whether what is in the hidden folder must stay for the next run.
    is_done: bool,
}

impl Staging {
    /// For files that will be in `target`, which is made if it is not there. What a run that died there had begun is
    /// completed if it was done, else removed, and `say` hears of it.
    ///
    /// # Errors
    /// A target that is no folder, that another run writes to, that has files already and may not be replaced, or that
    /// cannot be made; an input of this run or a ledger in its hidden folder; and a dead run that cannot be completed.
    pub(crate) fn new(target: &Path, replace: bool, say: &dyn Fn(&str)) -> Result<Self> {
        if target.exists() && !target.is_dir() {
            return Err(Error::input("is a file, expected a folder").in_file(target));
        }
        let path = target.join(HIDDEN);
        if fs::symlink_metadata(&path).is_err() {
            refuse_occupied(target, replace)?;
        }
        let missing = |path: &&Path| *path != Path::new("") && !path.exists();
        let made = target.ancestors().take_while(missing).map(Path::to_path_buf).collect();
        let unfinished = Unfinished { hidden: path, made };
        let taken = make_folders(target).and_then(|()| HiddenFolder::take(target));
        // The hidden folder may be another run's: only what was made here goes.
        let hidden = taken.inspect_err(|_| unfinished.remove_made())?;
        if let Err(error) = recover(&hidden, target, &unfinished, say) {
            hidden.leave();
            return Err(error);
        }
        let staging = Staging { target: target.to_path_buf(), replace, hidden, unfinished, is_done: false };
        refuse_occupied(target, replace)?;
        staging.hidden.make_files().map_err(|error| Error::system("cannot write", error).in_file(target))?;
        Ok(staging)
    }

    /// What to remove when the run is stopped from outside.
    pub(crate) fn unfinished(&self) -> &Unfinished {
        &self.unfinished
    }

    /// Where a file is until it is published.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.hidden.files().join(name)
    }

    /// Moves everything to the target, after a look whether that can be done; returns the files by name.
    ///
    /// # Errors
    /// A place that is taken, or a target that cannot be written to.
    pub(crate) fn publish(self) -> Result<Vec<PathBuf>> {
        self.publish_by_steps(&mut || Ok(()))
    }

    /// [`Staging::publish`], with a question before each step after which a crash would leave something else.
    fn publish_by_steps(mut self, step: &mut dyn FnMut() -> io::Result<()>) -> Result<Vec<PathBuf>> {
        let failed = |error| Error::system("cannot write", error).in_file(&self.target);
        let mut names = names_in(&self.hidden.files()).map_err(failed)?;
        names.sort();
        let journal = Journal::of(names, &self.target, self.replace)?;
        // The files are on the disk, each with its folder; now the folders above.
        let folders = [self.hidden.path(), &self.target].into_iter().chain(self.unfinished.made_in());
        folders.into_iter().try_for_each(|folder| step().and_then(|()| sync_directory(folder))).map_err(failed)?;
        step().map_err(failed)?;
        journal.write(self.hidden.path())?;
        self.is_done = true;
        let later = "the run is done, and the next one to this folder moves the rest of its files";
        let moved = journal.complete((self.hidden.path(), &self.hidden.files()), &self.target, step);
        let files = moved.map_err(|error| error.and(later))?;
        step().map_err(|error| Error::system("cannot write", error).in_file(&self.target))?;
        self.unfinished.remove_hidden();
        Ok(files)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.is_done {
            self.unfinished.remove();
        }
    }
}

/// Completes what a dead run had done, or removes what it had begun.
fn recover(hidden: &HiddenFolder, target: &Path, unfinished: &Unfinished, say: &dyn Fn(&str)) -> Result<()> {
    check_contents(hidden.path())?;
    if let Some(journal) = Journal::read(hidden.path())? {
        journal.complete((hidden.path(), &hidden.files()), target, &mut || Ok(()))?;
        say(&format!(
            "A run that had ended before its files were all in {} is completed: they are the ones that are there now.",
            target.display()
        ));
    } else if names_in(&hidden.files()).is_ok_and(|names| !names.is_empty()) {
        say(&format!(
            "A run to {} that had ended before it was done is undone: it had shown nothing.",
            target.display()
        ));
    }
    unfinished.remove_contents();
    Ok(())
}

/// Refuses a hidden folder in which somebody keeps an input of this run, or a ledger: what is in it would be removed.
fn check_contents(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder { check_contents(&entry.path())? } else { check_spared(&entry.path())? }
    }
    Ok(())
}

/// Refuses a folder in which there is something beside the hidden folder of runs.
fn refuse_occupied(target: &Path, replace: bool) -> Result<()> {
    let is_occupied = || names_in(target).is_ok_and(|names| names.iter().any(|name| name != HIDDEN));
    match !replace && is_occupied() {
        true => Err(Error::input("has files already")
            .hint(Sentence::new().flag("force").text(" replaces those of a run"))
            .in_file(target)),
        false => Ok(()),
    }
}

fn make_folders(target: &Path) -> Result<()> {
    fs::create_dir_all(target).map_err(|error| Error::system("cannot write", error).in_file(target))
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    fs::read_dir(folder)?.map(name).collect()
}

#[cfg(test)]
#[path = "staging_tests.rs"]
mod tests;
