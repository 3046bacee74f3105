//! Tests of lists of releases: which sums, which theorems, which refusals, at which place.

use super::super::{Choice, Guarantee, Pairs, Secrets};
use super::*;
use crate::model::{Names, SecretGraph};

/// An account of profiles with two mechanisms: one at 1/2 and ln 3, one at 1 and 1/10.
fn account(secrets: Secrets) -> Account {
    let mut account = Account::default();
    for [first, second] in [["1/2", "ln(3)"], ["1", "1/10"]] {
        let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo", "cleo"]).unwrap());
        builder.edge(0, 1, first.parse().unwrap()).unwrap();
        builder.edge(1, 2, second.parse().unwrap()).unwrap();
        let graph = builder.build().unwrap();
        account.admit(Guarantee::new(secrets, Pairs::Graph(graph)).unwrap()).unwrap();
    }
    account
}

fn release(guarantee: usize, subject: &str, observation: &str) -> Release {
    Release {
        mechanism: format!("mechanism {guarantee}"),
        guarantee,
        subject: subject.to_owned(),
        observation: observation.to_owned(),
        drawn: Drawn::Fresh,
        declared: Declared { independent_observations: true, choice: Choice::InAdvance },
    }
}

fn undeclared(release: Release) -> Release {
    Release { declared: Declared::default(), ..release }
}

#[test]
fn independent_observations_add_pair_by_pair() {
    let account = account(Secrets::Laws);
    let list = [release(0, "x", "1"), release(1, "x", "2"), release(0, "x", "3"), release(1, "x", "4")];
    let composed = sequential(&account, &list).unwrap();
    // ana and bo: 2·1/2 + 2·1; bo and cleo: 2·ln 3 + 2/10 = 2.397.
    assert_eq!(composed.len(), 1);
    assert_eq!(composed[0].times, [2, 2]);
    assert_eq!(composed[0].worst.epsilon.to_string(), "3");
    assert_eq!(composed[0].worst.pair, Some(("ana".into(), "bo".into())));
    assert_eq!(composed[0].theorems, [Theorem::Single, Theorem::IndependentObservations].into());
}

#[test]
fn subjects_are_counted_apart_and_put_together_by_their_own_rules() {
    let account = account(Secrets::Laws);
    let list = [release(0, "x", "1"), release(1, "y", "1"), release(0, "x", "2"), undeclared(release(0, "z", "1"))];
    let composed = sequential(&account, &list).unwrap();
    let sums: Vec<String> = composed.iter().map(|one| format!("{} {}", one.subject, one.worst.epsilon)).collect();
    assert_eq!(sums, ["x 2*ln(3)", "y 1", "z ln(3)"]);
    let across = parallel(&composed, Selection::Independent).unwrap();
    assert_eq!(across.epsilon.to_string(), "2*ln(3)");
    let expected = [Theorem::Single, Theorem::IndependentObservations, Theorem::IndependentSecrets];
    assert_eq!(across.theorems, expected.into());
    assert_eq!(parallel(&composed, Selection::Correlated), Err(Refusal::CorrelatedSelection));
    assert!(parallel(&composed[..1], Selection::Correlated).is_ok(), "one subject is not correlated with another");
    assert_eq!(jointly(&composed).epsilon.to_string(), "1 + 3*ln(3)");
    assert!(jointly(&composed).theorems.contains(&Theorem::SecretsTogether));
    assert!(parallel(&[], Selection::Independent).unwrap().epsilon.is_zero());
}

#[test]
fn what_no_theorem_covers_is_refused_at_its_place() {
    let account = account(Secrets::Laws);
    let refused = |list: &[Release]| sequential(&account, list).map_err(|refused| (refused.place, refused.refusal));
    let first = release(0, "x", "1");
    let again = |guarantee, drawn| Release { drawn, ..release(guarantee, "x", "1") };
    let undeclared = undeclared(release(0, "x", "2"));
    for (next, refusal) in [
        (undeclared, Refusal::UndeclaredObservation),
        (again(0, Drawn::Fresh), Refusal::SameObservation),
        (again(1, Drawn::Fresh), Refusal::SameObservation),
        // The other mechanism has no earlier answer to give.
        (again(1, Drawn::Again), Refusal::SameObservation),
        (again(0, Drawn::ByValue), Refusal::AnswerByValue),
    ] {
        assert_eq!(refused(&[first.clone(), release(0, "y", "9"), next]), Err((2, refusal)));
    }
    let chosen = |choice| Release { declared: Declared { choice, ..first.declared }, ..first.clone() };
    assert_eq!(refused(&[chosen(Choice::ByPrivateData)]), Err((0, Refusal::ChosenByPrivateData)));
    assert!(refused(&[chosen(Choice::ByReleases)]).is_ok());
    let text = sequential(&account, &[first.clone(), first]).unwrap_err().to_string();
    assert!(text.starts_with("release 2: the same observation again"), "{text}");
}

#[test]
fn earlier_answers_are_free_and_charged_where_there_is_none() {
    let account = account(Secrets::Laws);
    let again = |observation| Release { drawn: Drawn::Again, ..undeclared(release(0, "x", observation)) };
    let composed = sequential(&account, &[again("1"), again("1"), again("1")]).unwrap();
    assert_eq!(composed[0].times, [1, 0]);
    assert_eq!(composed[0].theorems, [Theorem::Single, Theorem::PostProcessing].into());
    assert_eq!(sequential(&account, &[again("1"), again("2")]).unwrap_err().place, 1);
}

#[test]
fn points_and_moments_add_also_for_the_same_observation() {
    // Values may be told by a pair of their own in each release.
    for (secrets, theorem, sum) in
        [(Secrets::Points, Theorem::PointMasses, "1 + 2*ln(3)"), (Secrets::Moments, Theorem::Quilts, "1/10 + 2*ln(3)")]
    {
        let list = [release(0, "x", "1"), release(0, "x", "1"), release(1, "x", "1")].map(undeclared);
        let composed = sequential(&account(secrets), &list).unwrap();
        assert_eq!(composed[0].worst.epsilon.to_string(), sum);
        assert_eq!(composed[0].theorems, [Theorem::Single, theorem].into());
        let processed = composed[0].clone().post_processed();
        assert_eq!(processed.worst, composed[0].worst);
        assert!(processed.theorems.contains(&Theorem::PostProcessing));
    }
}
