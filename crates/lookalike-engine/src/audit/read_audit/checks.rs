//! Whether what an audit says follows from its counts and from the mechanism.

use super::super::verdict::Verdict;
use super::{AuditSource, Header};
use lookalike::audit::{Audit, Family, Test, epsilon_bound, shares};
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
use lookalike_formats::{Error, Result};

/// Every test has a pair and a claim of the mechanism, draws that were made, and the bound of its counts.
pub(super) fn check_tests(audit: &Audit, source: AuditSource, mechanism: &Mechanism) -> Result<()> {
    let Some(first) = audit.tests.first() else {
        return Err(Error::input("tests: none, expected at least one"));
    };
    let claims = first.claimed.is_some();
    if !claims && source == AuditSource::Mechanism {
        return Err(Error::input("tests: no claim, expected that of the mechanism that was drawn from"));
    }
    let families: Vec<Family> = audit.tests.iter().map(|test| test.family).collect();
    for (at, (test, error)) in audit.tests.iter().zip(shares(&families, audit.confidence)).enumerate() {
        if test.claimed.is_some() != claims {
            return Err(Error::input("tests: some have a claim and some have none, expected the same of all"));
        }
        check_claim(test, mechanism)
            .and_then(|()| check_draws(test, audit))
            .and_then(|()| check_bound(test, error))
            .map_err(|error| error.at(format!("tests: test {}", at + 1)))?;
    }
    Ok(())
}

/// What one call tells of another is claimed to be nothing, whatever the mechanism claims for the pair.
fn check_claim(test: &Test, mechanism: &Mechanism) -> Result<()> {
    let [one, other] = test.secrets;
    let Some(own) = mechanism.graph().epsilon_between(one, other) else {
        let [one, other] = test.secrets.map(|secret| mechanism.graph().names().name(secret));
        return Err(Error::input(format!(
            "pair: the mechanism claims nothing for {one:?} and {other:?} (was another mechanism audited?)"
        )));
    };
    match test.claimed {
        Some(claimed) if test.family == Family::Carried && claimed != 0.0 => {
            Err(Error::input(format!("claimed: found {claimed}, expected 0 for what one call tells of another")))
        }
        Some(_) if test.family == Family::Carried => Ok(()),
        // One may be rounded up and the other to the nearest double.
        Some(claimed) if !agree(claimed, own.to_f64()) => Err(of_another(&claimed.to_string(), own)),
        _ => Ok(()),
    }
}

fn of_another(found: &str, own: &Epsilon) -> Error {
    Error::input(format!(
        "claimed: found {found}, and the mechanism claims ε = {own} for this pair (was another mechanism audited?)"
    ))
}

/// An echo is counted among the draws that choose.
fn check_draws(test: &Test, audit: &Audit) -> Result<()> {
    let (half, all) = match test.family {
        Family::Echo => ("choosing", audit.chosen_on),
        _ => ("testing", audit.tested_on),
    };
    let [one, other] = test.seen.map(|seen| seen.draws);
    if one.checked_add(other).is_some_and(|sum| sum <= all) {
        return Ok(());
    }
    Err(Error::input(format!("draws: {one} and {other}, expected together at most the {all} draws for {half}")))
}

fn check_bound(test: &Test, error: f64) -> Result<()> {
    let expected = epsilon_bound(test.seen[0], test.seen[1], error).max(0.0);
    // A last digit may depend on the machine, and a bound near 0 is a difference of larger numbers.
    if agree(test.bound, expected) || (test.bound - expected).abs() < 1e-12 {
        return Ok(());
    }
    Err(Error::input(format!(
        "bound: found {}, and {expected} follows from its hits, its draws, the confidence and the number of tests",
        test.bound
    )))
}

/// The whole says what the test says that speaks for it.
pub(super) fn check_header(header: &Header<'_>, verdict: Verdict, worst: &Test, mechanism: &Mechanism) -> Result<()> {
    let is_it = header.secrets == worst.secrets && header.event == worst.event && header.bound == worst.bound;
    if !is_it {
        return Err(Error::input(format!(
            "the pair, the event and the bound {} of the whole are not those of the test that exceeds its claim the most \
             or comes closest to it, which has {}",
            header.bound, worst.bound
        )));
    }
    if header.verdict != verdict.name() {
        let (found, expected, bound) = (header.verdict, verdict.name(), worst.bound);
        return Err(Error::input(format!(
            "verdict: found {found:?}, expected {expected:?} by a bound of {bound}, what is claimed and what is proved"
        )));
    }
    if header.claimed != worst.claimed || header.claimed_text.is_some() != worst.claimed.is_some() {
        let shown = |claimed: Option<f64>| claimed.map_or_else(|| "null".to_owned(), |claimed| claimed.to_string());
        let (found, expected) = (shown(header.claimed), shown(worst.claimed));
        return Err(Error::input(format!(
            "claimed: found {found}, and the test that speaks for the whole has {expected}"
        )));
    }
    let [one, other] = worst.secrets;
    match (header.claimed_text, mechanism.graph().epsilon_between(one, other)) {
        (Some("0"), _) if worst.family == Family::Carried => Ok(()),
        (Some(text), _) if worst.family == Family::Carried => Err(Error::input(format!(
            "claimed_text: found {text:?}, expected \"0\" for what one call tells of another"
        ))),
        (Some(text), Some(own)) if !text.parse().is_ok_and(|epsilon: Epsilon| epsilon == *own) => {
            Err(of_another(text, own))
        }
        _ => Ok(()),
    }
}

/// What is certified is what follows from the mechanism, and nothing where something else was drawn from.
pub(super) fn check_certified(found: Option<[f64; 2]>, proved: Option<f64>) -> Result<()> {
    match (found, proved) {
        (None, None) => Ok(()),
        (None, Some(_)) => {
            Err(Error::input("certified: null, expected the true ε of the mechanism that was drawn from"))
        }
        (Some(_), None) => {
            Err(Error::input("certified: expected null, since nothing is certified of a program or of records"))
        }
        (Some([_, upper]), Some(proved)) if agree(upper, proved) => Ok(()),
        (Some([_, upper]), Some(proved)) => Err(Error::input(format!(
            "certified: at most {upper}, and at most {proved} follows from the mechanism (was another mechanism audited?)"
        ))),
    }
}

/// Whether two numbers are the same but for rounding; an infinite one agrees with no other.
fn agree(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= 1e-9 * one.min(other)
}
