//! The audit finds the lie in each broken mechanism, and accuses no honest one.
//!
//! `make test` makes 100 runs of each; `make soak` sets LOOKALIKE_REPETITIONS and makes 1,000 or more.

mod gallery;

use gallery::Exhibit;
use lookalike::audit::Family;

fn repetitions() -> u64 {
    std::env::var("LOOKALIKE_REPETITIONS").map_or(100, |text| text.parse().expect("a number of repetitions"))
}

/// How many of the seeded runs found evidence against the claim.
fn accusations(exhibit: &Exhibit, runs: u64) -> u64 {
    (0..runs).filter(|&seed| exhibit.audit(seed).worst().is_evidence()).count() as u64
}

/// The smallest number that a binomial with one success in a thousand exceeds with probability below 1e-4: six of
/// 1,000, three of 100.
fn allowed(runs: u64) -> u64 {
    let (mut term, mut below, mut count) = (0.999f64.powi(runs as i32), 0.0, 0);
    loop {
        below += term;
        if 1.0 - below < 1e-4 {
            return count;
        }
        term *= (runs - count) as f64 / (count + 1) as f64 * 0.001 / 0.999;
        count += 1;
    }
}

#[test]
fn every_broken_mechanism_is_caught() {
    // 99 of 100 at the stated budget.
    for exhibit in gallery::broken::all() {
        let caught = accusations(&exhibit, 100);
        assert!(caught >= 99, "{}: caught in {caught} of 100 runs of {} draws", exhibit.name, exhibit.draws);
    }
}

#[test]
fn no_honest_mechanism_is_accused_more_often_than_the_confidence_allows() {
    assert_eq!([100, 1_000].map(allowed), [3, 6]);
    let runs = repetitions();
    for exhibit in gallery::honest::all() {
        let accused = accusations(&exhibit, runs);
        assert!(accused <= allowed(runs), "{}: accused in {accused} of {runs} runs", exhibit.name);
    }
}

#[test]
fn each_lie_is_named_by_the_event_that_shows_it() {
    let shown = |exhibit: Exhibit| {
        let audit = exhibit.audit(1);
        (audit.worst().family, audit.worst().event.clone())
    };
    assert_eq!(shown(gallery::broken::flip_off_by_a_tenth()).0, Family::Single);
    let (family, event) = shown(gallery::broken::last_bit_in_clear());
    assert_eq!((family, event.starts_with("character 32 of the output is")), (Family::Letter, true), "{event}");
    assert_eq!(shown(gallery::broken::length_of_the_secret()).0, Family::Length);
    let (family, event) = shown(gallery::broken::float_laplace());
    assert_eq!((family, event.starts_with("the lowest set bit of the output is")), (Family::LowBits, true), "{event}");
    assert_eq!(shown(gallery::broken::reused_seed()).0, Family::Replay);
    assert_eq!(shown(gallery::broken::cached_answer()).0, Family::Echo);
}
