//! What becomes of a ledger that somebody else has written to.

use super::*;

/// Entries 1 (opened), 2 (registered), 3, 4 and 5 (charged).
fn with_three_batches() -> (Fixture, Head) {
    let fixture = Fixture::with_total("10");
    let (mut ledger, request) = (fixture.open(), request(release("m", Secrets::Laws, "1/2"), true));
    for day in ["mon", "tue", "wed"] {
        charge(&mut ledger, &request, &[("one", day), ("two", day)], 1).unwrap();
    }
    let head = ledger.head().unwrap();
    (fixture, head)
}

/// A page that a disk has lost: it is found, and no entry is blamed that has nothing to do with it.
#[test]
fn a_page_of_zeros_is_found_and_its_charges_are_not_taken_for_those_of_the_first_entry() {
    let (fixture, _) = with_three_batches();
    let (page, whole) = (crate::store::PAGE, std::fs::read(&fixture.path).unwrap());
    let mut of_charges = 0;
    for number in 1..whole.len() / page {
        let mut lost = whole.clone();
        lost[number * page..(number + 1) * page].fill(0);
        std::fs::write(&fixture.path, &lost).unwrap();
        let (entry, what) = fixture.fault(None);
        of_charges += usize::from((entry, what.as_str()) == (None, "some of the charges cannot be read"));
        assert!(entry != Some(1) || !what.contains("charge"), "page {}: {what}", number + 1);
    }
    assert_eq!(of_charges, 1);
}

#[test]
fn every_edit_is_found_at_the_first_entry_that_it_touches() {
    let edits = [
        ("UPDATE charge SET answer = 2 WHERE entry = 4", 4),
        ("UPDATE charge SET answer = NULL WHERE entry = 3", 3),
        ("UPDATE charge SET answer = 'x' WHERE entry = 5", 5),
        ("UPDATE charge SET subject = x'00112233445566778899aabbccddeeff' WHERE entry = 4", 4),
        ("UPDATE charge SET record = x'00112233445566778899aabbccddeeff' WHERE entry = 5", 5),
        ("UPDATE charge SET record = x'00' WHERE entry = 5", 5),
        ("UPDATE charge SET release = 9 WHERE entry = 4", 4),
        ("UPDATE charge SET entry = 4 WHERE entry = 3", 3),
        ("UPDATE charge SET entry = 9 WHERE entry = 5", 5),
        ("DELETE FROM charge WHERE entry = 4", 4),
        ("DELETE FROM charge WHERE entry = 5", 5),
        ("INSERT INTO charge SELECT subject, record, release, 5, answer FROM charge WHERE entry = 3", 5),
        ("INSERT INTO charge SELECT subject, record, release, 6, answer FROM charge WHERE entry = 3", 6),
        ("INSERT INTO charge SELECT subject, record, release, 0, answer FROM charge WHERE entry = 3", 0),
        ("UPDATE entry SET time = time + 1 WHERE number = 3", 3),
        ("UPDATE entry SET kind = 'recorded' WHERE number = 4", 4),
        ("UPDATE entry SET content = replace(content, '\"budget\":\"10\"', '\"budget\":\"99\"') WHERE number = 1", 1),
        ("UPDATE entry SET content = replace(content, '1/2', '1/4') WHERE number = 2", 2),
        ("UPDATE entry SET rows = 1 WHERE number = 4", 4),
        ("UPDATE entry SET digest = (SELECT digest FROM entry WHERE number = 3) WHERE number = 5", 5),
        ("UPDATE entry SET hash = (SELECT hash FROM entry WHERE number = 3) WHERE number = 5", 5),
        ("DELETE FROM entry WHERE number = 3", 3),
        ("DELETE FROM entry WHERE number = 5", 5),
        ("DELETE FROM entry WHERE number = 1", 1),
        ("DELETE FROM entry", 1),
        // Re-ordered.
        (
            "UPDATE entry SET number = -3 WHERE number = 3; UPDATE entry SET number = 3 WHERE number = 4; \
          UPDATE entry SET number = 4 WHERE number = -3",
            3,
        ),
        ("INSERT INTO balance SELECT DISTINCT subject, x'', 0, x'' FROM charge", 0),
    ];
    for (edit, expected) in edits {
        let (fixture, head) = with_three_batches();
        assert_eq!(fixture.whole().head, head);
        fixture.edit(edit);
        let (entry, what) = fixture.fault(None);
        let expected = (!edit.contains("balance")).then_some(expected);
        assert_eq!(entry, expected, "{edit}: {what}");
    }
}

#[test]
fn a_truncated_ledger_is_found_by_the_head_that_was_printed() {
    let (fixture, head) = with_three_batches();
    assert!(verify(&fixture.path, Some(&head)).unwrap().is_ok());
    fixture.edit("DELETE FROM entry WHERE number = 5; DELETE FROM charge WHERE entry = 5");
    assert_eq!(fixture.whole().entries, 4, "without the head nothing is wrong");
    let (entry, what) = fixture.fault(Some(&head));
    assert!(entry.is_none() && what.contains("cut off"), "{what}");
    // A ledger that has grown since still has the entry.
    let (fixture, head) = with_three_batches();
    charge(&mut fixture.open(), &request(release("m", Secrets::Laws, "1/2"), true), &[("one", "thu")], 1).unwrap();
    assert!(verify(&fixture.path, Some(&head)).unwrap().is_ok());
}

#[test]
fn changed_tables_stop_runs_and_are_found() {
    let request = request(release("m", Secrets::Laws, "1/2"), true);
    let edits = [
        "CREATE TRIGGER z BEFORE INSERT ON charge BEGIN SELECT raise(IGNORE); END",
        "DROP TRIGGER charge_changed",
        "DROP INDEX entry_by_time",
        "CREATE TABLE more (a)",
        "ALTER TABLE charge RENAME TO c; CREATE VIEW charge AS SELECT * FROM c",
    ];
    for edit in edits {
        let (fixture, head) = with_three_batches();
        let mut before = fixture.open();
        crate::store::open(&fixture.path).unwrap().0.execute_batch(edit).unwrap();
        let error = Ledger::open(&fixture.path, None).err().unwrap().to_string();
        assert!(error.contains("tables or triggers"), "{edit}: {error}");
        // A run that was under way stops too.
        let error = charge(&mut before, &request, &[("one", "thu")], 1).unwrap_err().to_string();
        assert!(error.contains("damaged") || error.contains("could not be used"), "{edit}: {error}");
        let fault = verify(&fixture.path, Some(&head)).unwrap().unwrap_err();
        assert!(fault.entry.is_none(), "{edit}: {fault}");
    }
}

#[test]
fn damaged_numbers_are_errors_and_never_panics() {
    let request = request(release("m", Secrets::Laws, "1/2"), true);
    for edit in [
        "UPDATE charge SET release = 7 WHERE entry = 3",
        "UPDATE charge SET release = 4000000000 WHERE entry = 3",
        "UPDATE entry SET content = replace(content, '\"budget\":\"10\"', '\"budget\":\"99\"') WHERE number = 1",
    ] {
        let (fixture, _) = with_three_batches();
        fixture.edit(edit);
        let opened = Ledger::open(&fixture.path, None);
        let failed = opened.and_then(|mut ledger| {
            assert!(ledger.status().is_err(), "{edit}");
            charge(&mut ledger, &request, &[("one", "thu")], 1)
        });
        assert!(failed.is_err(), "{edit}");
    }
    // Beyond eight charges the balance decides: one that is wrong is refused by a run, or found.
    for edit in [
        "UPDATE balance SET counts = x''",
        "UPDATE balance SET counts = x'00'",
        "UPDATE balance SET window = -1, recent = x''",
        // Sums and numbers that no counter can have.
        "UPDATE balance SET counts = x'ffffffffffffffffffffffffffffffff'",
        "UPDATE balance SET counts = x'0000000000000000ffffffffffffffff'",
        "UPDATE balance SET recent = x'0000000000000000ffffffffffffffff'",
    ] {
        let fixture = Fixture::with_total("10");
        let days: Vec<String> = (0..12).map(|day| day.to_string()).collect();
        let rows: Vec<(&str, &str)> = days.iter().map(|day| ("one", day.as_str())).collect();
        charge(&mut fixture.open(), &request, &rows, 1).unwrap();
        fixture.whole();
        fixture.edit(edit);
        assert!(fixture.fault(None).1.contains("balance"), "{edit}");
        if !edit.contains("window") {
            assert!(fixture.open().subject_status("one").is_err(), "{edit}");
            assert!(charge(&mut fixture.open(), &request, &[("one", "x")], 1).is_err(), "{edit}");
        }
    }
}

#[test]
fn withdrawn_entries_that_say_more_charges_than_can_be_are_refused() {
    // Three of them are more than a counter holds.
    let too_many = "UPDATE entry SET rows = 9223372036854775807 WHERE number BETWEEN 3 AND 5";
    let (fixture, _) = with_three_batches();
    assert_eq!(fixture.open().withdraw(&[3, 4, 5].into(), "").unwrap(), 6);
    assert_eq!(fixture.open().status().unwrap().withdrawn, 6);
    fixture.edit(too_many);
    let error = fixture.open().status().unwrap_err().to_string();
    assert!(error.contains("fewer charges than its entries say"), "{error}");
    // The last entry is held against its hash before any other is looked at.
    let (fixture, _) = with_three_batches();
    fixture.edit(too_many);
    let withdrawn = Ledger::open(&fixture.path, None).and_then(|mut ledger| ledger.withdraw(&[3, 4, 5].into(), ""));
    let error = withdrawn.unwrap_err().to_string();
    assert!(error.contains("fewer charges than its entries say") || error.contains("was changed"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_second_name_is_refused() {
    let fixture = Fixture::with_total("1");
    std::fs::hard_link(&fixture.path, fixture.path.with_extension("other")).unwrap();
    assert!(Ledger::open(&fixture.path, None).err().unwrap().to_string().contains("two names"));
}

#[test]
fn only_additions_pass_the_triggers() {
    let (fixture, _) = with_three_batches();
    let connection = Connection::open(&fixture.path).unwrap();
    for sql in ["UPDATE charge SET answer = 1", "DELETE FROM charge", "UPDATE entry SET time = 1", "DELETE FROM entry"]
    {
        assert!(connection.execute_batch(sql).unwrap_err().to_string().contains("only added to"));
    }
}

#[test]
fn a_wrong_key_and_other_files_are_refused() {
    let fixture = Fixture::with_total("1");
    let other = Fixture::with_total("1");
    let key = crate::facts::LedgerKey::path_beside(&other.path);
    let error = Ledger::open(&fixture.path, Some(&key)).err().unwrap().to_string();
    assert!(error.contains("not the key of"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let error = Ledger::open(&path, None).err().unwrap().to_string();
    assert!(error.contains("there is no ledger here") && !path.exists(), "{error}");
    std::fs::write(&path, "not a database, and long enough to be read as one").unwrap();
    assert!(verify(&path, None).err().unwrap().to_string().contains("no SQLite file"));
    Connection::open(folder.path().join("y")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    let error = Ledger::open(&folder.path().join("y"), None).err().unwrap().to_string();
    assert!(error.contains("not a ledger"), "{error}");
    let error = Ledger::create(&fixture.path, &path, &LedgerBudgets::default(), SubjectNames::Normalized)
        .unwrap_err()
        .to_string();
    assert!(error.contains("never replaced"), "{error}");
}
