//! The audit finds the lie in each broken mechanism, and accuses no honest one.
//!
//! `make test` makes 100 runs of each; `make soak` sets LOOKALIKE_REPETITIONS and makes 1,000 or more.

use crate::gallery;

use gallery::Exhibit;
use lookalike::audit::{Family, Options};

fn repetitions() -> u64 {
    std::env::var("LOOKALIKE_REPETITIONS").map_or(100, |text| text.parse().expect("a number of repetitions"))
}

/// How many of the seeded runs found evidence against the claim.
fn accusations(exhibit: &Exhibit, runs: u64) -> u64 {
    (0..runs).filter(|&seed| exhibit.audit(seed).worst().is_evidence()).count() as u64
}

/// The smallest number that a binomial with this rate of successes exceeds with probability below 1e-4: for one in a
/// thousand six of 1,000, three of 100.
fn allowed(runs: u64, rate: f64) -> u64 {
    let (mut term, mut below, mut count) = ((1.0 - rate).powi(runs as i32), 0.0, 0);
    loop {
        below += term;
        if 1.0 - below < 1e-4 {
            return count;
        }
        term *= (runs - count) as f64 / (count + 1) as f64 * rate / (1.0 - rate);
        count += 1;
    }
}

#[test]
fn every_broken_mechanism_is_caught() {
    // 99 of 100 at the stated budget.
    for exhibit in gallery::broken::all() {
        let caught = accusations(&exhibit, 100);
        let Exhibit { name, draws, .. } = exhibit;
        assert!(caught >= 99, "{name}: caught in {caught} of 100 runs of {draws} draws: {:?}", exhibit.audit(0));
    }
}

#[test]
fn no_honest_mechanism_is_accused_more_often_than_the_confidence_allows() {
    assert_eq!([100, 1_000].map(|runs| allowed(runs, 0.001)), [3, 6]);
    let runs = repetitions();
    for exhibit in gallery::honest::all() {
        let accused = accusations(&exhibit, runs);
        assert!(accused <= allowed(runs, 0.001), "{}: accused in {accused} of {runs} runs", exhibit.name);
    }
}

/// A thousand short audits of each at a confidence of 95 %: at most one in twenty may accuse, and no more than 77 of 1,000
/// do so unless the rate is false, but for one in ten thousand.
#[test]
fn a_thousand_audits_accuse_honest_mechanisms_at_most_at_the_stated_rate() {
    const RUNS: u64 = 1_000;
    assert_eq!(allowed(RUNS, 0.05), 77);
    for exhibit in gallery::honest::few_secrets() {
        let options = Options { draws: 4_000, confidence: 0.95, ..Options::default() };
        let accused = (0..RUNS).filter(|&seed| exhibit.audit_with(seed, &options).worst().is_evidence()).count() as u64;
        println!("{}: {accused} of {RUNS} accused at 95 %", exhibit.name);
        assert!(accused <= allowed(RUNS, 0.05), "{}: accused in {accused} of {RUNS} audits", exhibit.name);
    }
}

#[test]
fn each_lie_is_named_by_the_event_that_shows_it() {
    let shown = |exhibit: Exhibit| {
        let audit = exhibit.audit(1);
        (audit.worst().family, audit.worst().event.clone())
    };
    assert_eq!(shown(gallery::broken::flip_off_by_a_tenth()).0, Family::Single);
    // The last digit is also the lowest bit of a number that is written with these digits: no other event tells more.
    let bits = gallery::broken::last_bit_in_clear().audit(1);
    let letter = bits.tests.iter().find(|test| test.family == Family::Letter).unwrap();
    assert_eq!((letter.bound, letter.is_evidence()), (bits.worst().bound, true), "{bits:?}");
    assert!(letter.event.starts_with("character 32 of the output is"), "{bits:?}");
    assert_eq!(shown(gallery::broken::length_of_the_secret()).0, Family::Length);
    let (family, event) = shown(gallery::broken::float_laplace());
    assert_eq!((family, event.starts_with("the lowest set bit of the output is")), (Family::LowBits, true), "{event}");
    assert_eq!(shown(gallery::broken::reused_seed()).0, Family::Replay);
    assert_eq!(shown(gallery::broken::cached_answer()).0, Family::Echo);
    let (family, event) = shown(gallery::broken::one_coin_for_two_calls());
    assert_eq!((family, event.contains("a call for the ")), (Family::Neighbours, true), "{event}");
    let (family, event) = shown(gallery::broken::one_noise_for_two_calls());
    let expected = (Family::Neighbours, true);
    assert_eq!((family, event.contains("the later output less the earlier one is ")), expected, "{event}");
    assert_eq!(shown(gallery::broken::answer_before()).0, Family::Carried);
    assert_eq!(shown(gallery::broken::answer_kept_while_the_secret_stays()).0, Family::Neighbours);
    let (family, event) = shown(gallery::broken::answer_to_the_call_before());
    assert_eq!((family, event.starts_with("right before a call for the ")), (Family::Carried, true), "{event}");
    let (family, event) = shown(gallery::broken::difference_of_two_characters());
    assert_eq!((family, event.starts_with("characters 2 and 7 of the output ")), (Family::Letters, true), "{event}");
    let (family, event) = shown(gallery::broken::noise_by_secret_and_count());
    assert_eq!((family, event.starts_with("the output is not what ")), (Family::Recount, true), "{event}");
}
