//! What becomes of a ledger whose file is moved, cut, flipped, copied, or put beside a journal that is not its own.

use super::*;
use crate::store::{PAGE, beside, database, put_begun};
use std::fs;

const BITS: u64 = 400;

fn days(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|day| format!("day {day}")).collect()
}

/// Charges some days of three subjects, each row of a day answered with `answer`.
fn charge_days(ledger: &mut Ledger, from: usize, to: usize, answer: u32) -> Result<Vec<Decision>> {
    let days = days(from, to);
    let rows: Vec<(&str, &str)> = days.iter().flat_map(|day| SUBJECTS.map(|subject| (subject, day.as_str()))).collect();
    charge(ledger, &request(release("m", Secrets::Laws, "1/2"), true), &rows, answer)
}

/// Two hundred charges, by the rows and by the balances of three subjects and by the rows of many with one.
fn charged() -> Fixture {
    let fixture = Fixture::with_total("100000");
    let mut ledger = fixture.open();
    charge_days(&mut ledger, 0, 20, 1).unwrap();
    let names: Vec<String> = (0..140).map(|at| format!("subject {at}")).collect();
    let rows: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "day")).collect();
    charge(&mut ledger, &request(release("m", Secrets::Laws, "1/2"), true), &rows, 1).unwrap();
    drop(ledger);
    fixture
}

/// All that a run would do that repeats everything: each row must have its answer, or the run stops.
fn repeat(path: &std::path::Path) -> Result<()> {
    let mut ledger = Ledger::open(path, None)?;
    let names: Vec<String> = (0..140).map(|at| format!("subject {at}")).collect();
    let rows: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "day")).collect();
    let mut fates = charge_days(&mut ledger, 0, 20, 2)?;
    fates.extend(charge(&mut ledger, &request(release("m", Secrets::Laws, "1/2"), true), &rows, 2)?);
    assert!(
        fates.iter().all(|fate| *fate == Decision::Earlier(LedgerAnswer::Code(1))),
        "charged anew, or another answer"
    );
    Ok(())
}

/// A bit that flips anywhere in the file: a run gives what was given before, or stops. It stops for every bit of the pages
/// that it reads, which are all but those of the index of times and the ends of tables.
#[test]
fn no_flipped_bit_is_charged_anew_or_gives_another_answer() {
    let fixture = charged();
    repeat(&fixture.path).unwrap();
    let whole = fs::read(&fixture.path).unwrap();
    let mut refused = 0;
    for at in 0..BITS {
        // Spread over the file by a step that shares no factor with it.
        let bit = (at * 48_271 * 977 + 11) % (8 * whole.len() as u64);
        let mut flipped = whole.clone();
        flipped[(bit / 8) as usize] ^= 1 << (bit % 8);
        fs::write(&fixture.path, &flipped).unwrap();
        refused += u64::from(repeat(&fixture.path).is_err());
        let found = verify(&fixture.path, None).map_or(true, |answer| answer.is_err());
        assert!(found, "bit {bit} is not found");
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(beside(&fixture.path, end));
        }
    }
    assert!(refused > BITS * 8 / 10, "{refused} of {BITS} stopped a run");
    fs::write(&fixture.path, whole).unwrap();
    repeat(&fixture.path).unwrap();
}

#[test]
fn an_answer_that_another_program_changed_is_refused_by_its_entry() {
    for (edit, entry) in [
        ("UPDATE charge SET answer = 35 WHERE entry = 4", "entry 4: covers 140 charges, and others are there"),
        ("UPDATE charge SET answer = (answer + 1) % 4 WHERE entry = 3", "entry 3: covers 60 charges"),
        ("DELETE FROM charge WHERE entry = 4", "entry 4: covers 140 charges"),
        ("UPDATE balance SET counts = recent", "the balance of a subject"),
    ] {
        let fixture = charged();
        if edit.contains("recent") {
            fixture.edit_without_stamps("UPDATE balance SET recent = x''");
        }
        fixture.edit_without_stamps(edit);
        let error = repeat(&fixture.path).unwrap_err().to_string();
        assert!(error.contains("is not what was written") && error.contains(entry), "{edit}: {error}");
        let fault = verify(&fixture.path, None).unwrap().unwrap_err();
        assert!(fault.to_string().contains(entry), "{edit}: {fault}");
    }
}

/// Another program that only reads may put the journal into the file, without stamps: the entries are whole, and writing
/// the ledger anew mends it.
#[test]
fn a_ledger_that_another_program_wrote_without_harm_is_mended() {
    let fixture = charged();
    let head = fixture.whole().head;
    fixture.edit_without_stamps("PRAGMA user_version = 2; UPDATE balance SET window = window");
    let error = repeat(&fixture.path).unwrap_err().to_string();
    assert!(error.contains("still read as they were written") && error.contains("migrate"), "{error}");
    assert!(verify(&fixture.path, None).unwrap().unwrap_err().entry.is_none());
    let made = Ledger::migrate(&fixture.path, Some(&head)).unwrap();
    assert_eq!((made.from, made.whole.entries), (2, 5));
    repeat(&fixture.path).unwrap();
    assert!(verify(&fixture.path, Some(&head)).unwrap().is_ok());
    // Only where all is whole.
    fixture.edit_without_stamps("UPDATE charge SET answer = 2 WHERE entry = 4");
    fs::remove_file(made.kept).unwrap();
    let before = fs::read(&fixture.path).unwrap();
    let error = Ledger::migrate(&fixture.path, None).unwrap_err().to_string();
    assert!(error.contains("entry 4"), "{error}");
    assert_eq!(fs::read(&fixture.path).unwrap(), before);
    assert!(!beside(&fixture.path, ".version-2").exists());
}

/// A ledger and its key as they are on the disk at this moment, in a folder of their own: what is left when the process
/// is killed now and the two are moved.
fn moved(fixture: &Fixture, with_journal: bool) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ledger");
    let ends = [("", true), (".key", true), ("-wal", with_journal)];
    for (end, _) in ends.iter().filter(|(_, is_wanted)| *is_wanted) {
        fs::copy(beside(&fixture.path, end), beside(&path, end)).unwrap();
    }
    Fixture { _folder: folder, path }
}

#[test]
fn the_file_alone_holds_what_was_charged() {
    let fixture = Fixture::with_total("100000");
    let mut ledger = fixture.open();
    for day in 0..40 {
        charge_days(&mut ledger, day, day + 1, 1).unwrap();
        let moved = moved(&fixture, false);
        let whole = moved.whole();
        assert_eq!(whole.charges, 3 * (day as u64 + 1), "after day {day}");
        assert_eq!(whole.head, ledger.head().unwrap());
    }
}

/// Killed while pages went from the journal into the file, which is then moved alone: whatever pages were written, a run
/// gives what was given before, or stops and asks for the journal; with the journal nothing is missing.
#[test]
fn a_file_that_was_being_written_is_refused_without_its_journal() {
    let fixture = charged();
    let before = fs::read(&fixture.path).unwrap();
    let mut ledger = fixture.open();
    let names: Vec<String> = (0..3000).map(|at| format!("new {at}")).collect();
    let rows: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "day")).collect();
    charge(&mut ledger, &request(release("m", Secrets::Laws, "1/2"), true), &rows, 1).unwrap();
    let after = fs::read(&fixture.path).unwrap();
    let (page, mut refused) = (PAGE, 0);
    for cut in 0..60 {
        // Pages are written in the order of their numbers, but for the first; a disk may take them in any.
        let is_new = |number: usize| match cut % 2 {
            0 => number > 0 && number < 2 + cut,
            _ => number > 0 && (number * 7919 + cut * 104_729) % 13 < 1 + cut % 7,
        };
        let mut torn = before.clone();
        torn.resize(after.len(), 0);
        let first: &mut [u8; PAGE] = (&mut torn[..PAGE]).try_into().unwrap();
        let complete = u64::from_le_bytes(first[PAGE - 16..PAGE - 8].try_into().unwrap());
        put_begun(first, complete);
        for number in (0..after.len() / page).filter(|number| is_new(*number)) {
            torn[number * page..][..page].copy_from_slice(&after[number * page..][..page]);
        }
        for with_journal in [false, true] {
            let moved = moved(&fixture, with_journal);
            fs::write(&moved.path, &torn).unwrap();
            match repeat(&moved.path) {
                Ok(()) => assert!(with_journal && moved.whole().charges == 3200, "{cut}"),
                Err(error) => {
                    assert!(!with_journal && error.to_string().contains("-wal added"), "{error}");
                    assert!(!error.to_string().contains("entry "), "nothing is wrong with an entry: {error}");
                    refused += 1;
                    // They read all pages, and say the same; nothing is written.
                    let answers = [
                        verify(&moved.path, None).err(),
                        Ledger::migrate(&moved.path, None).map(|made| made.whole).err(),
                    ];
                    for error in answers {
                        let error = error.expect("refused").to_string();
                        assert!(error.contains("-wal added"), "{error}");
                    }
                    assert!(fs::read(&moved.path).unwrap() == torn && !beside(&moved.path, ".version-2").exists());
                }
            }
        }
    }
    assert_eq!(refused, 60, "whatever a run reads, it reads the first page");
}

#[test]
fn a_journal_of_an_older_state_is_refused() {
    let fixture = charged();
    let mut killed = fixture.open();
    charge_days(&mut killed, 20, 21, 1).unwrap();
    // Killed here; its journal stays where it was. The ledger is moved, charged elsewhere, and moved back.
    let elsewhere = moved(&fixture, false);
    charge_days(&mut elsewhere.open(), 21, 25, 1).unwrap();
    let back = moved(&fixture, true);
    fs::copy(&elsewhere.path, &back.path).unwrap();
    let before = (fs::read(&back.path).unwrap(), fs::read(beside(&back.path, "-wal")).unwrap());
    let error = Ledger::open(&back.path, None).err().unwrap().to_string();
    assert!(error.contains("-wal") && error.contains("entries up to 6 would be"), "{error}");
    assert_eq!((fs::read(&back.path).unwrap(), fs::read(beside(&back.path, "-wal")).unwrap()), before);
    fs::remove_file(beside(&back.path, "-wal")).unwrap();
    let _ = fs::remove_file(beside(&back.path, "-shm"));
    assert_eq!(back.whole().charges, 200 + 15);
    // The one that was killed goes on with its own journal.
    let own = moved(&fixture, true);
    assert_eq!(own.whole().charges, 203);
    fs::write(beside(&own.path, "-journal"), "something").unwrap();
    assert!(Ledger::open(&own.path, None).err().unwrap().to_string().contains("-journal"));
    let fresh = own.path.with_extension("fresh");
    fs::write(beside(&fresh, "-wal"), "").unwrap();
    let made = Ledger::create(&fresh, &beside(&fresh, ".key"), &LedgerBudgets::default(), SubjectNames::Normalized);
    assert!(made.unwrap_err().to_string().contains("move it away") && !fresh.exists());
}

/// However much was charged elsewhere: pages of two states beside each other may look like a damaged file, or like a whole one.
#[test]
fn a_journal_of_an_older_state_is_never_taken_for_damage_nor_for_the_ledgers_own() {
    for (before, elsewhere) in (1..9).flat_map(|before| [1, 2, 5, 11, 23, 40].map(|elsewhere| (before, elsewhere))) {
        let fixture = charged();
        let mut killed = fixture.open();
        for day in 20..20 + before {
            charge_days(&mut killed, day, day + 1, 1).unwrap();
        }
        let away = moved(&fixture, false);
        for day in 30..30 + elsewhere {
            charge_days(&mut away.open(), day, day + 1, 1).unwrap();
        }
        let back = moved(&fixture, true);
        fs::copy(&away.path, &back.path).unwrap();
        let Err(error) = Ledger::open(&back.path, None) else { panic!("{before} and {elsewhere}: taken for its own") };
        assert!(error.to_string().contains("of an older state or of another ledger"), "{before}, {elsewhere}: {error}");
        assert!(verify(&back.path, None).is_err() && Ledger::migrate(&back.path, None).is_err());
        assert_eq!(away.whole().charges as usize, 200 + 3 * (before + elsewhere));
    }
}

#[test]
fn a_backup_is_a_whole_ledger_of_its_moment() {
    let fixture = charged();
    let mut ledger = fixture.open();
    let copy = beside(&fixture.path, ".copy");
    let whole = ledger.backup(&copy).unwrap();
    assert_eq!((whole.charges, whole.head), (200, ledger.head().unwrap()));
    charge_days(&mut ledger, 20, 21, 1).unwrap();
    // The old copy is whole; only the head that was printed later tells that it is old.
    assert!(verify(&copy, None).unwrap().is_ok());
    assert!(verify(&copy, Some(&ledger.head().unwrap())).unwrap().is_err());
    fs::copy(beside(&fixture.path, ".key"), beside(&copy, ".key")).unwrap();
    repeat(&copy).unwrap();
    assert!(ledger.backup(&copy).unwrap_err().to_string().contains("never replaced"));
    for taken in ["", ".key", "-wal"] {
        assert!(ledger.backup(&beside(&fixture.path, taken)).is_err(), "{taken}");
    }
    let names: Vec<_> =
        fs::read_dir(fixture.path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("copy-")), "{names:?}");
}

#[test]
fn version_1_is_read_and_charged_only_after_it_was_migrated() {
    let fixture = charged();
    let head = fixture.whole().head;
    // Files of version 1 have no stamps; room for them does no harm.
    fixture.edit_without_stamps("PRAGMA user_version = 1");
    assert_eq!(fixture.whole().charges, 200);
    assert_eq!(fixture.open().status().unwrap().subjects, 143);
    let error = repeat(&fixture.path).unwrap_err().to_string();
    assert!(error.contains("version 1") && error.contains("migrate"), "{error}");
    let other = fixture.open();
    other.head().unwrap();
    let error = Ledger::migrate(&fixture.path, None).unwrap_err().to_string();
    assert!(error.contains("another process uses"), "{error}");
    drop(other);
    let wrong = Head([7; 32]);
    assert!(Ledger::migrate(&fixture.path, Some(&wrong)).unwrap_err().to_string().contains("no entry has this head"));
    let made = Ledger::migrate(&fixture.path, Some(&head)).unwrap();
    assert_eq!((made.from, made.whole.charges, made.whole.entries), (1, 200, 5));
    repeat(&fixture.path).unwrap();
    assert!(verify(&fixture.path, Some(&head)).unwrap().is_ok(), "a head of before is still found");
    assert_eq!(verify(&made.kept, None).unwrap().unwrap().head, head);
    assert_eq!(database::version_of(&made.kept).unwrap(), 1);
}

#[test]
fn no_output_replaces_a_ledger_or_what_belongs_to_it() {
    let fixture = Fixture::with_total("1");
    let key = crate::LedgerKey::path_beside(&fixture.path);
    for path in [fixture.path.clone(), key, beside(&fixture.path, "-wal")] {
        let error = lookalike_records::write_atomically(&path, true, b"new").unwrap_err().to_string();
        assert!(error.contains("this is a ledger, its key or its journal"), "{error}");
    }
    lookalike_records::write_atomically(&beside(&fixture.path, ".csv"), true, b"new").unwrap();
    fixture.open();
}
