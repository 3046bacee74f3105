use super::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

const NAMES: [&str; 3] = ["estimate.json", "m.json", "private.csv"];

/// The files of a folder and what is in them, hidden ones too.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let names = names_in(folder).unwrap().into_iter();
    names
        .map(|name| {
            let path = folder.join(&name);
            let text = if path.is_dir() { "a folder".into() } else { fs::read_to_string(path).unwrap() };
            (name, text)
        })
        .collect()
}

fn set(text: &str) -> BTreeMap<String, String> {
    NAMES.iter().map(|name| ((*name).to_owned(), text.to_owned())).collect()
}

fn fill(folder: &Path, text: &str) {
    NAMES.iter().for_each(|name| fs::write(folder.join(name), text).unwrap());
}

/// A run that has written its files.
fn staged(target: &Path, replace: bool, text: &str) -> Staging {
    let staging = Staging::new(target, replace, &|_| {}).unwrap();
    NAMES
        .iter()
        .for_each(|name| lookalike_records::write_atomically(&staging.path(name), false, text.as_bytes()).unwrap());
    staging
}

/// The end of a process that is killed: nothing is removed, and the lock is free.
fn killed(mut staging: Staging) {
    staging.is_done = true;
}

/// What the next run says of the last one.
fn said(target: &Path, replace: bool) -> Vec<String> {
    let said = RefCell::new(Vec::new());
    drop(Staging::new(target, replace, &|text| said.borrow_mut().push(text.to_owned())));
    said.into_inner()
}

/// Ends publishing at the step of this number, if it has so many.
fn published_until(staging: Staging, last: usize) -> bool {
    let mut count = 0;
    let mut step = || {
        count += 1;
        if count > last { Err(io::Error::other("killed")) } else { Ok(()) }
    };
    staging.publish_by_steps(&mut step).is_ok()
}

#[test]
fn a_run_that_ends_at_any_step_leaves_the_old_files_or_the_next_one_finds_all_new_ones() {
    let (mut last, mut undone, mut completed) = (0, 0, 0);
    loop {
        let outer = tempfile::tempdir().unwrap();
        let target = outer.path().join("out");
        fs::create_dir(&target).unwrap();
        fill(&target, "old");
        fs::write(target.join("theirs"), "theirs").unwrap();
        let is_whole = published_until(staged(&target, true, "new"), last);
        // The next run, with or without --force, which is refused for the files that are there.
        let words = said(&target, last % 2 == 0);
        let mut found = content(&target);
        assert_eq!(found.remove("theirs").as_deref(), Some("theirs"));
        assert!(found == set("old") || found == set("new"), "after {last} steps: {found:?}");
        match (found == set("new"), &words[..]) {
            (false, []) => undone += 1,
            (true, [said]) => {
                assert!(said.contains("is completed: they are the ones that are there now"), "{said}");
                completed += 1;
            }
            (true, []) => {}
            other => panic!("after {last} steps: {other:?}"),
        }
        if is_whole {
            break;
        }
        last += 1;
    }
    // Before the journal: three questions. From then on: each of three files, the folder, the journal.
    assert_eq!((undone, completed), (3, 5), "in {last} steps");
}

#[test]
fn a_run_that_is_killed_before_it_is_done_is_undone_by_the_next() {
    for replace in [false, true] {
        let outer = tempfile::tempdir().unwrap();
        let target = outer.path().join("out");
        let before = if replace { set("old") } else { BTreeMap::new() };
        fs::create_dir(&target).unwrap();
        before.iter().for_each(|(name, text)| fs::write(target.join(name), text).unwrap());
        killed(staged(&target, replace, "new"));
        assert!(content(&target).contains_key(HIDDEN));
        assert!(said(&target, replace)[0].contains("is undone: it had shown nothing"));
        assert_eq!(content(&target), before);
        assert!(said(&target, replace).is_empty());
    }
}

#[test]
fn a_run_that_fails_leaves_nothing_not_even_the_folders_that_it_made() {
    let outer = tempfile::tempdir().unwrap();
    drop(staged(&outer.path().join("a/b/out"), false, "new"));
    assert!(content(outer.path()).is_empty());
    // As a signal does it, while the run is on its way.
    let staging = staged(&outer.path().join("a/out"), false, "new");
    staging.unfinished().clone().remove();
    assert!(content(outer.path()).is_empty());
    drop(staging);
    assert_eq!(staged(&outer.path().join("a/out"), false, "new").publish().unwrap().len(), 3);
    assert_eq!(content(&outer.path().join("a/out")), set("new"));
}

#[test]
fn two_runs_to_one_folder_are_one_too_many() {
    let outer = tempfile::tempdir().unwrap();
    let first = staged(outer.path(), true, "first");
    let error = Staging::new(outer.path(), true, &|_| {}).err().unwrap().to_string();
    assert!(error.contains("another run writes to this folder"), "{error}");
    first.publish().unwrap();
    assert_eq!(content(outer.path()), set("first"));
}

#[test]
fn what_came_to_a_place_after_the_run_was_done_is_not_replaced() {
    for replace in [false, true] {
        let outer = tempfile::tempdir().unwrap();
        let target = outer.path();
        if replace {
            fill(target, "old");
        }
        // The journal is there, and nothing is moved: its writing is the fourth step.
        assert!(!published_until(staged(target, replace, "new"), 3));
        fs::write(target.join("m.json"), "theirs!").unwrap();
        let error = Staging::new(target, true, &|_| {}).err().unwrap().to_string();
        assert!(error.contains("m.json: has appeared or changed since a run was done"), "{error}");
        assert_eq!(content(target)["m.json"], "theirs!");
        // The way out.
        fs::rename(target.join("m.json"), target.join("away")).unwrap();
        assert_eq!(said(target, true).len(), 1);
        let mut found = content(target);
        assert_eq!(found.remove("away").as_deref(), Some("theirs!"));
        assert_eq!(found, set("new"));
    }
}

#[test]
fn a_file_that_a_journal_names_and_nobody_has_is_an_error() {
    let outer = tempfile::tempdir().unwrap();
    assert!(!published_until(staged(outer.path(), false, "new"), 3));
    fs::remove_file(outer.path().join(HIDDEN).join("files/private.csv")).unwrap();
    for _ in 0..2 {
        let error = Staging::new(outer.path(), true, &|_| {}).err().unwrap().to_string();
        assert!(error.contains("private.csv: this file of a run that was done is gone from its folder"), "{error}");
    }
}

#[test]
fn places_that_cannot_be_taken_are_found_before_anything_is_moved() {
    let outer = tempfile::tempdir().unwrap();
    let target = outer.path();
    fs::write(target.join("m.json"), "old").unwrap();
    fs::create_dir(target.join("private.csv")).unwrap();
    let error = staged(target, true, "new").publish().unwrap_err().to_string();
    assert!(error.contains("private.csv: is a folder where a file is to be written"), "{error}");
    fs::remove_dir(target.join("private.csv")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nothing", target.join("private.csv")).unwrap();
        let error = staged(target, true, "new").publish().unwrap_err().to_string();
        assert!(error.contains("private.csv: is a symbolic link to nothing"), "{error}");
        fs::remove_file(target.join("private.csv")).unwrap();
    }
    let _command = lookalike_records::InputGuard::new();
    lookalike_records::read_text(&target.join("m.json")).unwrap();
    let error = staged(target, true, "new").publish().unwrap_err().to_string();
    assert!(error.contains("m.json: this command reads this file"), "{error}");
    assert_eq!(content(target), BTreeMap::from([("m.json".to_owned(), "old".to_owned())]));
}

#[test]
fn an_input_in_the_hidden_folder_is_refused_and_stays() {
    let outer = tempfile::tempdir().unwrap();
    killed(staged(outer.path(), true, "new"));
    let input = outer.path().join(HIDDEN).join("files/deep/records.csv");
    fs::create_dir(input.parent().unwrap()).unwrap();
    fs::write(&input, "records").unwrap();
    let _command = lookalike_records::InputGuard::new();
    lookalike_records::read_text(&input).unwrap();
    let error = Staging::new(outer.path(), true, &|_| {}).err().unwrap().to_string();
    assert!(error.contains("records.csv: this command reads this file"), "{error}");
    assert_eq!(fs::read(&input).unwrap(), b"records");
}

#[test]
fn a_folder_that_is_no_runs_is_refused_and_stays_as_it_was() {
    let outer = tempfile::tempdir().unwrap();
    let hidden = outer.path().join(HIDDEN);
    drop(HiddenFolder::take(outer.path()).unwrap());
    fs::remove_file(hidden.join("lock")).unwrap();
    fs::write(hidden.join("records.csv"), "records").unwrap();
    let _command = lookalike_records::InputGuard::new();
    lookalike_records::read_text(&hidden.join("records.csv")).unwrap();
    let error = Staging::new(outer.path(), true, &|_| {}).err().unwrap().to_string();
    assert!(error.contains("records.csv: this command reads this file"), "{error}");
    assert_eq!(content(&hidden), BTreeMap::from([("records.csv".to_owned(), "records".to_owned())]));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_folder_gives_way_to_the_file_and_what_it_led_to_stays() {
    let outer = tempfile::tempdir().unwrap();
    let (target, elsewhere) = (outer.path().join("out"), outer.path().join("elsewhere"));
    fs::create_dir(&target).unwrap();
    fs::write(&elsewhere, "theirs").unwrap();
    std::os::unix::fs::symlink("../elsewhere", target.join("m.json")).unwrap();
    staged(&target, true, "new").publish().unwrap();
    assert_eq!((content(&target), fs::read_to_string(&elsewhere).unwrap()), (set("new"), "theirs".to_owned()));
    assert!(fs::symlink_metadata(target.join("m.json")).unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn files_wait_where_only_their_owner_looks_and_are_then_like_any_others() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let outer = tempfile::tempdir().unwrap();
    let usual = outer.path().join("usual");
    fs::write(&usual, "").unwrap();
    let target = outer.path().join("out");
    let staging = staged(&target, false, "new");
    assert_eq!([mode(staging.hidden.path()), mode(&staging.hidden.files())], [0o700; 2]);
    staging.publish().unwrap();
    assert_eq!(mode(&target.join("m.json")), mode(&usual));
}
