//! Clocks that were wrong, names that are written in two ways, and releases that are withdrawn.

use super::*;
use crate::charges::ClockCorrection;
use crate::facts::Period;
use lookalike_records::Id;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeSet;

const DAY: i64 = 86_400;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
}

/// A ledger of two releases a day and the day after it was made, at noon, by a clock that is set with [`NOW`].
fn by_day() -> (Fixture, Ledger, i64) {
    let fixture = Fixture::new(&LedgerBudgets { total: None, periodic: Some((Period::Day, sum("2"))) });
    let mut ledger = fixture.open();
    let noon = ledger.status().unwrap().time / DAY * DAY + DAY + DAY / 2;
    ledger.clock = || NOW.get();
    NOW.set(noon);
    (fixture, ledger, noon)
}

/// Releases a new observation about a subject so often, and says how often that was within the budget.
fn run(ledger: &mut Ledger, time: i64, subject: &str, times: usize) -> usize {
    thread_local!(static NEXT: Cell<u64> = const { Cell::new(0) });
    NOW.set(time);
    let names: Vec<String> = (0..times).map(|_| NEXT.replace(NEXT.get() + 1).to_string()).collect();
    let rows: Vec<(&str, &str)> = names.iter().map(|name| (subject, name.as_str())).collect();
    let fates = charge(ledger, &request(release("m", Secrets::Points, "1"), false), &rows, 0).unwrap();
    fates.iter().filter(|fate| **fate == Decision::Charged).count()
}

#[test]
fn one_run_dated_2099_does_not_freeze_the_budgets_of_periods() {
    // With few charges and with a balance.
    for before in [0, 6] {
        let (fixture, mut ledger, mut noon) = by_day();
        for _ in 0..before {
            assert_eq!(run(&mut ledger, noon, "one", 9), 2);
            noon += DAY;
        }
        let ahead = noon + 73 * 365 * DAY;
        assert_eq!(run(&mut ledger, noon, "one", 1), 1);
        assert_eq!(run(&mut ledger, ahead, "one", 1), 1);
        assert_eq!(run(&mut ledger, noon + 5, "one", 9), 1, "time stands still in 2099");
        assert_eq!(run(&mut ledger, noon + DAY, "one", 9), 0, "and no day opens");
        let first = ledger.status().unwrap().entries - 2;
        NOW.set(noon + DAY);
        let correction = ledger.correct_clock("the battery was empty").unwrap();
        let last = ledger.status().unwrap().entries - 1;
        let expected = ClockCorrection { first, last, from: ahead, to: noon + DAY };
        assert_eq!(correction, expected);
        assert_eq!(run(&mut ledger, noon + DAY, "one", 9), 0, "what was charged in 2099 counts today");
        assert_eq!(run(&mut ledger, noon + DAY, "two", 9), 2, "those who were not charged then are free");
        assert_eq!(run(&mut ledger, noon + 2 * DAY, "one", 9), 2, "tomorrow is another day");
        assert_eq!(run(&mut ledger, ahead, "one", 9), 0, "if the clock was right after all, nothing is given twice");
        assert_eq!(run(&mut ledger, ahead + DAY, "one", 9), 2);
        assert_eq!(ledger.subject_status("one").unwrap().spent_in_period.unwrap().epsilon, sum("2"));
        fixture.whole();
    }
}

#[test]
fn a_clock_that_is_behind_cannot_correct_one_that_was_right_to_get_a_budget_twice() {
    let (fixture, mut ledger, noon) = by_day();
    assert_eq!(run(&mut ledger, noon, "one", 9), 2);
    assert_eq!(run(&mut ledger, noon + 3 * DAY, "one", 9), 2);
    NOW.set(noon + DAY);
    ledger.correct_clock("a mistake").unwrap();
    assert_eq!(run(&mut ledger, noon + DAY, "one", 9), 0);
    assert_eq!(run(&mut ledger, noon + 3 * DAY, "one", 9), 0, "the budget of that day is spent");
    assert_eq!(run(&mut ledger, noon + 4 * DAY, "one", 9), 2);
    NOW.set(noon + 4 * DAY);
    let refused = ledger.correct_clock("again").unwrap_err();
    assert!(refused.is_refusal() && refused.to_string().contains("nothing is to be corrected"), "{refused}");
    NOW.set(1_000_000);
    let refused = ledger.correct_clock("1970").unwrap_err();
    assert!(refused.is_refusal() && refused.to_string().contains("before there were ledgers"), "{refused}");
    fixture.whole();
    fixture.edit("UPDATE entry SET kind = 'charged' WHERE kind = 'clock corrected'");
    assert!(fixture.fault(None).0.is_some());
}

#[test]
fn a_ledger_that_was_made_by_a_clock_that_was_ahead_is_corrected_from_its_first_entry_on() {
    let (fixture, mut ledger, noon) = by_day();
    let now = noon - 5 * DAY;
    assert_eq!(run(&mut ledger, now, "one", 9), 2, "on the day on which it was made");
    assert_eq!(run(&mut ledger, now + DAY, "one", 9), 0, "time stands still");
    NOW.set(now + DAY);
    let correction = ledger.correct_clock("made in 2099").unwrap();
    assert_eq!((correction.first, correction.to), (1, now + DAY));
    fixture.whole();
    assert_eq!(run(&mut ledger, now + DAY, "one", 9), 0, "what was charged counts now");
    assert_eq!(run(&mut ledger, now + 2 * DAY, "one", 9), 2);
    assert_eq!(run(&mut ledger, noon - DAY, "one", 9), 0, "and on the day of its date");
    assert_eq!(run(&mut ledger, noon, "one", 9), 2);
    fixture.whole();
}

/// What the rules say, from a list of all that happened: an entry counts in the window of its date, and one that was dated
/// ahead also in the window of the correction.
#[derive(Default)]
struct Model {
    /// Of each entry: its time, the windows that it counts in, and which of the subjects it charged.
    entries: Vec<(i64, BTreeSet<i64>, Vec<usize>)>,
}

impl Model {
    fn time(&self, now: i64) -> i64 {
        self.entries.last().map_or(now, |(time, ..)| now.max(*time))
    }

    fn run(&mut self, now: i64, subject: usize, times: usize) -> usize {
        let time = self.time(now);
        let window = time.div_euclid(DAY);
        let so_far = self.entries.iter().filter(|(_, windows, _)| windows.contains(&window));
        let spent: usize = so_far.map(|(_, _, charged)| charged.iter().filter(|&&one| one == subject).count()).sum();
        let within = times.min(2_usize.saturating_sub(spent));
        self.entries.push((time, BTreeSet::from([window]), vec![subject; within]));
        within
    }

    fn correct(&mut self, now: i64) -> bool {
        if self.entries.last().is_none_or(|(time, ..)| *time <= now) {
            return false;
        }
        for (_, windows, _) in self.entries.iter_mut().rev().take_while(|(time, ..)| *time > now) {
            windows.insert(now.div_euclid(DAY));
        }
        self.entries.push((now, BTreeSet::from([now.div_euclid(DAY)]), Vec::new()));
        true
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.min(2_000) / 8))]

    #[test]
    fn any_clock_and_any_corrections_count_as_the_rules_say(
        steps in prop::collection::vec((-6_i64..6, 0..3_usize, 1..4_usize, prop::bool::weighted(0.25)), 1..40)
    ) {
        let (fixture, mut ledger, noon) = by_day();
        // The first entry, which charges nobody, has the time of the machine.
        let made = ledger.status().unwrap().time;
        let mut model = Model { entries: vec![(made, BTreeSet::from([made.div_euclid(DAY)]), Vec::new())] };
        for (half_days, subject, times, is_correction) in steps {
            let now = noon + half_days * DAY / 2;
            if is_correction {
                NOW.set(now);
                prop_assert_eq!(ledger.correct_clock("").is_ok(), model.correct(now));
            } else {
                prop_assert_eq!(run(&mut ledger, now, SUBJECTS[subject], times), model.run(now, subject, times));
            }
        }
        prop_assert!(verify(&fixture.path, None).unwrap().is_ok());
    }
}

#[test]
fn names_that_are_written_in_two_ways_have_one_budget_and_old_ledgers_stay_as_they_are() {
    let key = |fixture: &Fixture| {
        crate::facts::LedgerKey::read(&crate::facts::LedgerKey::path_beside(&fixture.path)).unwrap()
    };
    let known =
        |fixture: &Fixture, name: &str| -> Option<Id> { fixture.open().names().known_subject(&key(fixture), name) };
    let fixture = Fixture::with_total("1");
    assert_eq!(fixture.open().names(), SubjectNames::Normalized);
    assert_eq!(known(&fixture, "Zoe\u{308} "), known(&fixture, "Zoë"));
    assert_ne!(known(&fixture, "zoë"), known(&fixture, "Zoë"));
    // The first entry of a ledger from before says nothing of names.
    let opened = r#"{"key":"00","budget":"1"}"#;
    let old: crate::facts::Opened = crate::facts::read(1, opened).unwrap();
    assert_eq!(old.names().unwrap(), SubjectNames::AsWritten);
    assert_eq!(serde_json::to_string(&old).unwrap(), opened, "and its hash stays what it is");
}

#[test]
fn a_withdrawn_release_keeps_its_charges_and_its_answers() {
    let fixture = Fixture::with_total("3/2");
    let mut ledger = fixture.open();
    let request = request(release("m", Secrets::Laws, "1/2"), true);
    charge(&mut ledger, &request, &[("one", "mon"), ("two", "mon")], 1).unwrap();
    charge(&mut ledger, &request, &[("one", "tue")], 1).unwrap();
    let withdraw =
        |ledger: &mut Ledger, entries: &[u64]| ledger.withdraw(&entries.iter().copied().collect(), "wrong month");
    for (entries, why) in [(&[1][..], "released nothing"), (&[3, 9], "is not there"), (&[2], "released nothing")] {
        let error = withdraw(&mut ledger, entries).unwrap_err();
        assert!(error.is_refusal() && error.to_string().contains(why), "{error}");
    }
    assert!(!withdraw(&mut ledger, &[]).unwrap_err().is_refusal());
    assert_eq!(ledger.status().unwrap().entries, 4, "nothing was noted so far");
    assert_eq!(withdraw(&mut ledger, &[3]).unwrap(), 2);
    assert!(withdraw(&mut ledger, &[3, 4]).unwrap_err().to_string().contains("withdrawn before"));
    let status = ledger.status().unwrap();
    assert_eq!((status.withdrawn, status.releases[0].charges, status.entries), (2, 3, 5));
    assert_eq!(status.most().unwrap().epsilon, sum("2*ln(2)"), "what was lost is lost");
    let again = charge(&mut ledger, &request, &[("one", "mon"), ("one", "wed")], 2).unwrap();
    assert_eq!(again, [Decision::Earlier(LedgerAnswer::Code(1)), Decision::Over]);
    fixture.whole();
    fixture.edit("UPDATE entry SET content = replace(content, '3', '5') WHERE kind = 'withdrawn'");
    assert_eq!(fixture.fault(None).0, Some(5));
}
