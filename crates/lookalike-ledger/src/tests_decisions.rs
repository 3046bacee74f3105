//! What becomes of rows, against the rules of the library.

use super::*;
use crate::charges::ChargeTotals;
use crate::facts::Period;
use crate::rules::FEW;
use lookalike::account::{Account, Drawn, Release, sequential};
use proptest::prelude::*;
use std::sync::atomic::{AtomicI64, Ordering};

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
                    let name = |fate: &Decision| match fate {
                        Decision::Charged => "charged",
                        Decision::Earlier(_) | Decision::AsRow(_) => "earlier",
                        Decision::Over => "over",
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
        [Decision::Charged, Decision::AsRow(0)]
    );
    let earlier = Decision::Earlier(LedgerAnswer::Code(5));
    assert_eq!(charge(&mut fixture.open(), &request, &[("one", "a")], 6).unwrap(), [earlier]);

    let ids = [id(&ledger, "two", "a")];
    let error = ledger.charge(&request, 0, &ids, |_| Err(lookalike_formats::Error::input("no draw"))).unwrap_err();
    assert_eq!(error.to_string(), "no draw");
    assert_eq!(fixture.whole().charges, 1);
    assert_eq!(charge(&mut ledger, &request, &[("two", "a")], 6).unwrap(), [Decision::Charged]);
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
        fates.iter().filter(|fate| **fate == Decision::Charged).count()
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
    assert_eq!(fates, [Decision::Over, Decision::Charged]);
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
    assert!(error.starts_with("row 2: ") && error.contains("`made`"), "{error}");
    assert_eq!(fixture.whole().charges, 0);
    assert_eq!(ledger.enter(&request, &ids, true, None).unwrap().charged, 2);
    assert_eq!(ledger.status().unwrap().most().unwrap().epsilon, sum("2"));
    // A value may be released again: it adds.
    let fixture = Fixture::with_total("5");
    let mut ledger = fixture.open();
    let ids = [id(&ledger, "one", "a")];
    ledger.enter(&request, &ids, true, None).unwrap();
    assert_eq!(charge(&mut ledger, &request, &[("one", "a")], 3).unwrap(), [Decision::Charged]);
    assert_eq!(charge(&mut ledger, &request, &[("one", "a")], 4).unwrap(), [Decision::Earlier(LedgerAnswer::Code(3))]);
    assert_eq!(ledger.status().unwrap().most().unwrap().epsilon, sum("2"));
    fixture.whole();
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
