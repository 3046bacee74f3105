//! The ledger against the rules of the library, and against whoever edits it.

use super::answer::LedgerAnswer;
use super::budgets::{LedgerBudgets, Period};
use super::charge::{ChargeRequest, ChargeTotals, OverBudget};
use super::decide::Fate;
use super::history::FEW;
use super::ids::RecordId;
use super::{Head, Ledger, LedgerRelease, verify};
use crate::Result;
use lookalike::account::{Account, Declared, Drawn, Guarantee, Pairs, Release, Secrets, sequential};
use lookalike::exact::EpsilonSum;
use lookalike::model::{Names, SecretGraph};
use proptest::prelude::*;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use tempfile::TempDir;

fn sum(text: &str) -> EpsilonSum {
    text.parse().unwrap()
}

/// A ledger in a folder of its own.
struct Fixture {
    _folder: TempDir,
    path: PathBuf,
}

impl Fixture {
    fn new(budgets: &LedgerBudgets) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ledger");
        Ledger::create(&path, &super::LedgerKey::path_beside(&path), budgets).unwrap();
        Fixture { _folder: folder, path }
    }

    fn with_total(total: &str) -> Fixture {
        Fixture::new(&LedgerBudgets { total: Some(sum(total)), periodic: None })
    }

    fn open(&self) -> Ledger {
        Ledger::open(&self.path, None).unwrap()
    }

    /// The file as another program sees it, which may write what it likes.
    fn edit(&self, sql: &str) {
        let connection = Connection::open(&self.path).unwrap();
        let drop = "DROP TRIGGER IF EXISTS entry_changed; DROP TRIGGER IF EXISTS entry_removed; \
                    DROP TRIGGER IF EXISTS charge_changed; DROP TRIGGER IF EXISTS charge_removed;";
        connection.execute_batch(drop).unwrap();
        connection.execute_batch(sql).unwrap();
        connection.execute_batch(super::database::TRIGGERS).unwrap();
    }

    #[track_caller]
    fn fault(&self, head: Option<&Head>) -> (Option<u64>, String) {
        let fault = verify(&self.path, head).unwrap().unwrap_err();
        (fault.entry, fault.what)
    }

    #[track_caller]
    fn whole(&self) -> super::Verified {
        verify(&self.path, None).unwrap().unwrap()
    }
}

fn guarantee(secrets: Secrets, epsilon: &str) -> Guarantee {
    let mut builder = SecretGraph::builder(Names::new("secret", ["ana", "bo", "cleo"]).unwrap());
    builder.edge(0, 1, epsilon.parse().unwrap()).unwrap();
    builder.edge(1, 2, "ln(2)".parse().unwrap()).unwrap();
    Guarantee::new(secrets, Pairs::Graph(builder.build().unwrap())).unwrap()
}

fn release(name: &str, secrets: Secrets, epsilon: &str) -> LedgerRelease {
    let fingerprint = *blake3::hash(name.as_bytes()).as_bytes();
    LedgerRelease { name: name.to_owned(), fingerprint, guarantee: guarantee(secrets, epsilon) }
}

fn request(release: LedgerRelease, is_independent: bool) -> ChargeRequest {
    let declared = Declared { independent_observations: is_independent, ..Declared::default() };
    ChargeRequest { release, declared, budget: None, over: OverBudget::Constant }
}

fn id(ledger: &Ledger, subject: &str, observation: &str) -> RecordId {
    let subject = ledger.key.subject(subject.as_bytes());
    RecordId { subject, record: ledger.key.observation(&subject, observation.as_bytes()) }
}

/// Charges rows, each answered with `answer`, and gives their fates.
fn charge(ledger: &mut Ledger, request: &ChargeRequest, rows: &[(&str, &str)], answer: u32) -> Result<Vec<Fate>> {
    let ids: Vec<RecordId> = rows.iter().map(|(subject, observation)| id(ledger, subject, observation)).collect();
    let mut seen = Vec::new();
    ledger.charge(request, 0, &ids, |fates| {
        seen = fates.to_vec();
        Ok(fates.iter().map(|_| Some(LedgerAnswer::Code(answer))).collect())
    })?;
    Ok(seen)
}

const SUBJECTS: [&str; 3] = ["one", "two", "three"];
const EPSILONS: [&str; 2] = ["1/2", "ln(3)"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the schedule and however it is cut into batches and processes: a row is refused, charged, answered as
    /// before or over the budget exactly where the library's rules say so of the list of releases.
    #[test]
    fn decisions_are_those_of_the_rules(
        is_law in any::<bool>(),
        is_independent in any::<bool>(),
        batches in prop::collection::vec((0..2usize, prop::collection::vec((0..3usize, 0..14u8), 1..7)), 1..14),
    ) {
        let (secrets, budget) = (if is_law { Secrets::Laws } else { Secrets::Points }, sum("9/2"));
        let fixture = Fixture::with_total("9/2");
        let mut account = Account::default();
        for epsilon in EPSILONS {
            account.admit(guarantee(secrets, epsilon)).unwrap();
        }
        let (mut accepted, mut ledger, mut charges): (Vec<Release>, _, _) = (Vec::new(), fixture.open(), 0);
        // Both are known from the start, in this order.
        for epsilon in EPSILONS {
            charge(&mut ledger, &request(release(epsilon, secrets, epsilon), true), &[], 0).unwrap();
        }
        for (number, (which, rows)) in batches.into_iter().enumerate() {
            let request = request(release(EPSILONS[which], secrets, EPSILONS[which]), is_independent);
            let names: Vec<String> = rows.iter().map(|(_, observation)| observation.to_string()).collect();
            let rows: Vec<(&str, &str)> =
                rows.iter().zip(&names).map(|((subject, _), name)| (SUBJECTS[*subject], name.as_str())).collect();
            if number % 3 == 2 {
                ledger = fixture.open();
            }
            // What the library says of the list of releases, one more row at a time.
            let (mut expected, mut list) = (Vec::new(), accepted.clone());
            for &(subject, observation) in &rows {
                let next = Release {
                    mechanism: EPSILONS[which].to_owned(),
                    guarantee: which,
                    subject: subject.to_owned(),
                    observation: observation.to_owned(),
                    drawn: Drawn::Again,
                    declared: request.declared,
                };
                let of_subject = |list: &[Release]| -> Vec<Release> {
                    list.iter().filter(|release| release.subject == subject).cloned().collect()
                };
                let mut with_it = of_subject(&list);
                // What is in the ledger was covered when it was entered, whatever is declared now.
                with_it.iter_mut().for_each(|release| release.declared.independent_observations = true);
                let before = sequential(&account, &with_it).unwrap().first().map(|composed| composed.times.clone());
                with_it.push(next.clone());
                match sequential(&account, &with_it) {
                    Err(refused) => expected.push(Err(refused.refusal)),
                    Ok(composed) if Some(&composed[0].times) == before.as_ref() => expected.push(Ok("earlier")),
                    Ok(composed) if composed[0].worst.epsilon <= budget => {
                        expected.push(Ok("charged"));
                        list.push(next);
                    }
                    Ok(_) => expected.push(Ok("over")),
                }
            }
            let got = charge(&mut ledger, &request, &rows, 7);
            match expected.iter().position(|row| row.is_err()) {
                Some(row) => {
                    let error = got.unwrap_err();
                    prop_assert!(error.is_refusal());
                    let reason = expected[row].as_ref().unwrap_err();
                    prop_assert_eq!(error.to_string(), format!("row {}: {reason}", row + 1));
                }
                None => {
                    let name = |fate: &Fate| match fate {
                        Fate::Charged => "charged",
                        Fate::Earlier(_) | Fate::AsRow(_) => "earlier",
                        Fate::Over => "over",
                    };
                    let got: Vec<_> = got.unwrap().iter().map(name).collect();
                    prop_assert_eq!(&got, &expected.into_iter().map(|row| row.unwrap()).collect::<Vec<_>>());
                    charges += got.iter().filter(|fate| **fate == "charged").count() as u64;
                    accepted = list;
                }
            }
        }
        prop_assert_eq!(fixture.whole().charges, charges);
        let spent = ledger.status().unwrap();
        prop_assert!(spent.most().is_none_or(|most| most.epsilon <= budget));
        for subject in SUBJECTS {
            let list: Vec<Release> = accepted.iter().filter(|release| release.subject == subject).map(|release| Release {
                declared: Declared { independent_observations: true, ..Declared::default() }, ..release.clone()
            }).collect();
            let expected = sequential(&account, &list).unwrap().first().map_or(EpsilonSum::zero(), |composed| composed.worst.epsilon.clone());
            prop_assert_eq!(ledger.subject_status(subject).unwrap().spent.unwrap().epsilon, expected);
        }
    }
}

#[test]
fn a_known_record_gets_its_answer_and_a_failed_draw_charges_nothing() {
    let fixture = Fixture::with_total("1");
    let (mut ledger, request) = (fixture.open(), request(release("m", Secrets::Laws, "1/2"), false));
    assert_eq!(
        charge(&mut ledger, &request, &[("one", "a"), ("one", "a")], 5).unwrap(),
        [Fate::Charged, Fate::AsRow(0)]
    );
    let earlier = Fate::Earlier(LedgerAnswer::Code(5));
    assert_eq!(charge(&mut fixture.open(), &request, &[("one", "a")], 6).unwrap(), [earlier]);

    let ids = [id(&ledger, "two", "a")];
    let error = ledger.charge(&request, 0, &ids, |_| Err(crate::Error::input("no draw"))).unwrap_err();
    assert_eq!(error.to_string(), "no draw");
    assert_eq!(fixture.whole().charges, 1);
    assert_eq!(charge(&mut ledger, &request, &[("two", "a")], 6).unwrap(), [Fate::Charged]);
}

#[test]
fn other_secrets_are_refused_and_leave_the_ledger_as_it_was() {
    let fixture = Fixture::with_total("1");
    let mut ledger = fixture.open();
    charge(&mut ledger, &request(release("m", Secrets::Laws, "1/2"), false), &[("one", "a")], 0).unwrap();
    let before = fixture.whole();
    let error =
        charge(&mut ledger, &request(release("n", Secrets::Points, "1/2"), false), &[("two", "a")], 0).unwrap_err();
    assert!(error.is_refusal() && error.to_string().contains("other secrets"), "{error}");
    assert_eq!(fixture.whole(), before);
    charge(&mut ledger, &request(release("m", Secrets::Laws, "1/2"), false), &[("two", "a")], 0).unwrap();
}

static CLOCK: AtomicI64 = AtomicI64::new(0);

#[test]
fn a_period_has_its_own_budget_and_a_clock_set_back_does_not_give_it_twice() {
    let day = 86_400;
    let budgets = LedgerBudgets { total: None, periodic: Some((Period::Day, sum("2"))) };
    let fixture = Fixture::new(&budgets);
    // The ledger was made today by the clock of the machine, and goes on from there.
    let today = fixture.open().status().unwrap().time / day * day + day;
    let mut ledger = fixture.open();
    ledger.clock = || CLOCK.load(Ordering::SeqCst);
    let request = request(release("m", Secrets::Points, "1"), false);
    let observations: Vec<String> = (0..40).map(|at| at.to_string()).collect();
    let mut next = observations.iter();
    let mut run = |ledger: &mut Ledger, time: i64, rows: usize| -> usize {
        CLOCK.store(time, Ordering::SeqCst);
        let rows: Vec<(&str, &str)> = next.by_ref().take(rows).map(|name| ("one", name.as_str())).collect();
        let fates = charge(ledger, &request, &rows, 0).unwrap();
        fates.iter().filter(|fate| **fate == Fate::Charged).count()
    };
    // Until a subject has many charges, and beyond.
    for number in 0..6 {
        assert_eq!(run(&mut ledger, today + number * day, 1), 1, "{number}");
        assert_eq!(run(&mut ledger, today + number * day + day - 1, 3), 1, "{number}");
        assert_eq!(run(&mut ledger, today + number * day - day, 1), 0, "the clock was set back");
        fixture.whole();
    }
    const { assert!(12 > FEW, "a balance is kept") };
    assert_eq!(ledger.status().unwrap().spent_in_period[0].0.epsilon, sum("2"));
    assert_eq!(ledger.subject_status("one").unwrap().spent.unwrap().epsilon, sum("12"));
    fixture.edit("UPDATE balance SET recent = x''");
    assert!(fixture.fault(None).1.contains("balance"));
}

#[test]
fn what_no_theorem_covers_can_be_noted_and_ends_all_releases_to_the_subject() {
    let fixture = Fixture::with_total("10");
    let mut ledger = fixture.open();
    let [first, other] = ["m", "n"].map(|name| request(release(name, Secrets::Laws, "1/2"), true));
    let ids = [id(&ledger, "one", "a"), id(&ledger, "two", "a")];
    assert_eq!(ledger.enter(&first, &ids, false, None).unwrap().charged, 2);
    assert_eq!(ledger.enter(&first, &ids, false, None).unwrap(), ChargeTotals { earlier: 2, ..Default::default() });
    // The same observation by another mechanism.
    let error = ledger.enter(&other, &ids[..1], false, None).unwrap_err();
    assert!(error.to_string().contains("the same observation again"), "{error}");
    assert_eq!(ledger.enter(&other, &ids[..1], true, Some("by mistake".into())).unwrap().charged, 1);
    assert_eq!(ledger.status().unwrap().uncovered, 1);
    assert!(ledger.subject_status("one").unwrap().spent.is_none());
    let fates = charge(&mut ledger, &first, &[("one", "b"), ("two", "b")], 0).unwrap();
    assert_eq!(fates, [Fate::Over, Fate::Charged]);
    // Nothing is known of an answer that was given elsewhere.
    assert!(charge(&mut ledger, &first, &[("two", "a")], 0).unwrap_err().is_refusal());
    fixture.whole();
}

#[test]
fn what_was_made_is_entered_beyond_the_budget_and_values_add_up_again() {
    let fixture = Fixture::with_total("1");
    let mut ledger = fixture.open();
    let request = request(release("m", Secrets::Points, "1"), false);
    let ids = [id(&ledger, "one", "a"), id(&ledger, "one", "b")];
    let error = ledger.enter(&request, &ids, false, None).unwrap_err().to_string();
    assert!(error.starts_with("row 2: ") && error.contains("--made"), "{error}");
    assert_eq!(fixture.whole().charges, 0);
    assert_eq!(ledger.enter(&request, &ids, true, None).unwrap().charged, 2);
    assert_eq!(ledger.status().unwrap().most().unwrap().epsilon, sum("2"));
    // A value may be released again: it adds.
    let fixture = Fixture::with_total("5");
    let mut ledger = fixture.open();
    let ids = [id(&ledger, "one", "a")];
    ledger.enter(&request, &ids, true, None).unwrap();
    assert_eq!(charge(&mut ledger, &request, &[("one", "a")], 3).unwrap(), [Fate::Charged]);
    assert_eq!(charge(&mut ledger, &request, &[("one", "a")], 4).unwrap(), [Fate::Earlier(LedgerAnswer::Code(3))]);
    assert_eq!(ledger.status().unwrap().most().unwrap().epsilon, sum("2"));
    fixture.whole();
}

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
        Connection::open(&fixture.path).unwrap().execute_batch(edit).unwrap();
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
    ] {
        let fixture = Fixture::with_total("10");
        let days: Vec<String> = (0..12).map(|day| day.to_string()).collect();
        let rows: Vec<(&str, &str)> = days.iter().map(|day| ("one", day.as_str())).collect();
        charge(&mut fixture.open(), &request, &rows, 1).unwrap();
        fixture.whole();
        fixture.edit(edit);
        assert!(fixture.fault(None).1.contains("balance"), "{edit}");
        if !edit.contains("window") {
            assert!(charge(&mut fixture.open(), &request, &[("one", "x")], 1).is_err(), "{edit}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_second_name_is_refused() {
    let fixture = Fixture::with_total("1");
    std::fs::hard_link(&fixture.path, fixture.path.with_extension("other")).unwrap();
    assert!(Ledger::open(&fixture.path, None).err().unwrap().to_string().contains("two names"));
}

#[test]
fn a_draw_elsewhere_is_a_second_draw() {
    let fixture = Fixture::with_total("1");
    let (mut ledger, points) = (fixture.open(), request(release("m", Secrets::Points, "1"), false));
    charge(&mut ledger, &points, &[("one", "a")], 0).unwrap();
    let ids = [id(&ledger, "one", "a")];
    assert!(ledger.enter(&points, &ids, false, None).unwrap_err().to_string().contains("no budget left"));
    assert_eq!(ledger.enter(&points, &ids, true, None).unwrap().charged, 1);
    assert_eq!(ledger.status().unwrap().most().unwrap().epsilon, sum("2"));

    let fixture = Fixture::with_total("9");
    let (mut ledger, laws) = (fixture.open(), request(release("m", Secrets::Laws, "1"), true));
    charge(&mut ledger, &laws, &[("one", "a")], 0).unwrap();
    let ids = [id(&ledger, "one", "a")];
    assert!(ledger.enter(&laws, &ids, false, None).unwrap_err().to_string().contains("the same observation again"));
    ledger.enter(&laws, &ids, true, None).unwrap();
    assert_eq!(ledger.status().unwrap().uncovered, 1);
    fixture.whole();
}

#[test]
fn a_pair_that_the_account_does_not_count_is_refused() {
    let fixture = Fixture::with_total("1");
    let mut ledger = fixture.open();
    charge(&mut ledger, &request(release("m", Secrets::Laws, "1/2"), true), &[("one", "a")], 0).unwrap();
    let mut builder = SecretGraph::builder(Names::new("secret", ["ana", "bo", "cleo"]).unwrap());
    builder.complete(&"5".parse().unwrap());
    let more = Guarantee::new(Secrets::Laws, Pairs::Graph(builder.build().unwrap())).unwrap();
    let wider = LedgerRelease { guarantee: more, ..release("wider", Secrets::Laws, "1/2") };
    let error = charge(&mut ledger, &request(wider, true), &[("two", "a")], 0).unwrap_err();
    assert!(error.is_refusal() && error.to_string().contains("which the account does not count"), "{error}");
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
fn eight_who_charge_together_never_exceed_a_budget() {
    let fixture = Fixture::with_total("3");
    let observations: Vec<String> = (0..80).map(|at| at.to_string()).collect();
    std::thread::scope(|scope| {
        for part in observations.chunks(10) {
            let fixture = &fixture;
            scope.spawn(move || {
                let (mut ledger, request) = (fixture.open(), request(release("m", Secrets::Laws, "1/2"), true));
                for name in part {
                    let rows: Vec<(&str, &str)> = SUBJECTS.iter().map(|subject| (*subject, name.as_str())).collect();
                    charge(&mut ledger, &request, &rows, 0).unwrap();
                }
            });
        }
    });
    // The second pair has ε ln 2 each, so that 4 releases are within 3.
    let status = fixture.open().status().unwrap();
    assert_eq!((status.subjects, status.spent.len()), (3, 1));
    assert_eq!(status.releases[0].charges, 12);
    fixture.whole();
}

#[test]
fn a_wrong_key_and_other_files_are_refused() {
    let fixture = Fixture::with_total("1");
    let other = Fixture::with_total("1");
    let key = super::LedgerKey::path_beside(&other.path);
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
    let error = Ledger::create(&fixture.path, &path, &LedgerBudgets::default()).unwrap_err().to_string();
    assert!(error.contains("never replaced"), "{error}");
}
