//! The table of rules, and texts that say what was found, why, and the way out.

use super::*;
use Standing::{AnswerToEqualValue, EarlierAnswer, First, NewObservation, SameObservation};

const ALL_SECRETS: [Secrets; 3] = [Secrets::Laws, Secrets::Points, Secrets::Moments];
const ALL_STANDINGS: [Standing; 5] = [First, NewObservation, SameObservation, EarlierAnswer, AnswerToEqualValue];

fn declared(independent_observations: bool, choice: Choice) -> Declared {
    Declared { independent_observations, choice }
}

#[test]
fn the_whole_table() {
    for independent in [false, true] {
        for choice in [Choice::InAdvance, Choice::ByReleases] {
            let of = |secrets| ALL_STANDINGS.map(|standing| rule(secrets, standing, declared(independent, choice)));
            let new =
                if independent { Ok(Theorem::IndependentObservations) } else { Err(Refusal::UndeclaredObservation) };
            let ends = [Ok(Theorem::PostProcessing), Err(Refusal::AnswerByValue)];
            let with = |new: Result<Theorem, Refusal>, same: Result<Theorem, Refusal>| {
                let [earlier, by_value] = ends.clone();
                [Ok(Theorem::Single), new, same, earlier, by_value]
            };
            assert_eq!(of(Secrets::Laws), with(new, Err(Refusal::SameObservation)));
            assert_eq!(of(Secrets::Points), with(Ok(Theorem::PointMasses), Ok(Theorem::PointMasses)));
            assert_eq!(of(Secrets::Moments), with(Ok(Theorem::Quilts), Ok(Theorem::Quilts)));
        }
    }
}

#[test]
fn a_choice_by_private_data_is_refused_always() {
    for secrets in ALL_SECRETS {
        for standing in ALL_STANDINGS {
            let found = rule(secrets, standing, declared(true, Choice::ByPrivateData));
            assert_eq!(found, Err(Refusal::ChosenByPrivateData));
        }
    }
}

#[test]
fn refusals_end_with_the_way_out() {
    let names = ["a", "b"].map(str::to_owned);
    let [account, release] = names.clone();
    let [first, second] = names;
    for (refusal, found, hint) in [
        (Refusal::UndeclaredObservation, "a second observation", "or release one observation a subject"),
        (Refusal::SameObservation, "the same observation again", "or release a new observation"),
        (Refusal::AnswerByValue, "an answer looked up by value", "Keep answers by record instead"),
        (Refusal::ChosenByPrivateData, "chosen by private data", "or by what has been released"),
        (Refusal::CorrelatedSelection, "not chosen independently", "that say what holds of both"),
        (Refusal::OtherSecrets { account, release }, "it counts a; the mechanism has b", "keep an account for each"),
        (
            Refusal::UncountedPair { first: first.clone(), second: second.clone() },
            "the pair \"a\" and \"b\", which the account does not count",
            "or design for the same pairs",
        ),
        (Refusal::UnprotectedPair { first, second }, "the pair \"a\" and \"b\"", "whose graph has that pair"),
    ] {
        let text = refusal.to_string();
        assert!(text.contains(found) && text.ends_with(hint), "{text}");
        assert!(!text.contains("  "), "{text}");
    }
}

#[test]
fn theorems_name_their_source() {
    for (theorem, source) in [
        (Theorem::IndependentObservations, "Observation 4 of Geumlek and Chaudhuri"),
        (Theorem::PostProcessing, "Observation 3 of Geumlek and Chaudhuri"),
        (Theorem::IndependentSecrets, "Observation 5 of Geumlek and Chaudhuri"),
        (Theorem::Quilts, "Theorem 4.4 of Song, Wang and Chaudhuri"),
        (Theorem::PointMasses, "basic composition"),
    ] {
        assert!(theorem.to_string().starts_with(source), "{theorem}");
    }
    assert!(!Theorem::SecretsTogether.to_string().contains("  ") && !Theorem::Single.to_string().is_empty());
}
