//! What `lookalike audit --json` printed, for the page about the mechanism.

use crate::reports::{number, probability};
use crate::tree::{Fields, Tree};
use crate::{Error, Result, read_text};
use lookalike::audit::{Audit, Family, Seen, Test};
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
use std::path::Path;

/// What an attack on a mechanism found: lower bounds on ε, beside what is claimed and certified.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditFigures {
    /// Its tests, draws and confidence.
    pub audit: Audit,
    /// Which of the tests speaks for the whole.
    pub worst: usize,
    /// The certified true ε of what was drawn from, rounded up; infinite where no ε covers it, `None` where nothing is
    /// certified.
    pub certified: Option<f64>,
    /// How many pairs were attacked, and of how many.
    pub pairs: [u64; 2],
    /// Where the draws came from.
    pub source: AuditSource,
    /// The seed of a run that can be repeated.
    pub seed: Option<u64>,
}

impl AuditFigures {
    /// The test that comes closest to its claim or exceeds it the most.
    pub fn worst(&self) -> &Test {
        &self.audit.tests[self.worst]
    }
}

/// Where draws came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditSource {
    /// The sampler of the mechanism file.
    Mechanism,
    /// A program that was asked for each draw.
    Program,
    /// A file of draws.
    Records,
}

/// Reads what an audit of a mechanism printed.
///
/// # Errors
/// A file that is no such JSON, is about δ, names secrets that the mechanism does not have or claims that it does not
/// make, or contradicts itself.
pub fn read_audit(path: &Path, mechanism: &Mechanism) -> Result<AuditFigures> {
    let read = |text: &str| read_figures(&Tree::from_json(text)?, mechanism);
    read_text(path).and_then(|text| read(&text).map_err(|error| error.in_file(path)))
}

const KEYS: [&str; 15] = [
    "verdict",
    "measure",
    "at_epsilon",
    "bound",
    "claimed",
    "claimed_text",
    "certified",
    "confidence",
    "pair",
    "event",
    "tests",
    "draws",
    "pairs",
    "source",
    "seed",
];

fn read_figures(tree: &Tree, mechanism: &Mechanism) -> Result<AuditFigures> {
    let fields = Fields::with(tree, &KEYS)?;
    needed(&fields, "measure", measure)?;
    needed(&fields, "at_epsilon", |tree| perhaps(tree, Tree::text))?;
    let tests = needed(&fields, "tests", |tree| tree.each("test", |tree| read_test(tree, mechanism)))?;
    let [choosing, testing] = needed(&fields, "draws", |tree| two_of(tree, ["choosing", "testing"]))?;
    let [attacked, all] = needed(&fields, "pairs", |tree| two_of(tree, ["attacked", "all"]))?;
    if attacked > all {
        return Err(Error::input(format!("pairs: {attacked} attacked of {all}, expected no more than there are")));
    }
    let worst = worst(&fields, &tests, mechanism)?;
    let certified = needed(&fields, "certified", |tree| perhaps(tree, certified))?;
    verdict(&fields, &tests[worst], certified)?;
    claim(&fields, &tests[worst], mechanism)?;
    let confidence = needed(&fields, "confidence", probability)?;
    Ok(AuditFigures {
        audit: Audit { tests, chosen_on: choosing, tested_on: testing, confidence },
        worst,
        certified,
        pairs: [attacked, all],
        source: needed(&fields, "source", source)?,
        seed: needed(&fields, "seed", |tree| perhaps(tree, Tree::integer))?,
    })
}

fn read_test(tree: &Tree, mechanism: &Mechanism) -> Result<Test> {
    let fields = Fields::with(tree, &["family", "pair", "event", "hits", "draws", "bound", "claimed"])?;
    let (hits, draws) = (needed(&fields, "hits", two)?, needed(&fields, "draws", two)?);
    if let Some(at) = (0..2).find(|&at| hits[at] > draws[at]) {
        return Err(Error::input(format!(
            "{} hits in {} draws, expected no more hits than draws",
            hits[at], draws[at]
        )));
    }
    Ok(Test {
        family: needed(&fields, "family", family)?,
        secrets: needed(&fields, "pair", |tree| pair(tree, mechanism))?,
        event: needed(&fields, "event", Tree::text)?.to_owned(),
        seen: [0, 1].map(|at| Seen { hits: hits[at], draws: draws[at] }),
        bound: needed(&fields, "bound", not_negative)?,
        claimed: needed(&fields, "claimed", |tree| perhaps(tree, not_negative))?,
    })
}

/// Which test the pair, the event and the bound of the whole are those of.
fn worst(fields: &Fields<'_>, tests: &[Test], mechanism: &Mechanism) -> Result<usize> {
    let secrets = needed(fields, "pair", |tree| pair(tree, mechanism))?;
    let (event, bound) = (needed(fields, "event", Tree::text)?, needed(fields, "bound", not_negative)?);
    let reversed = [secrets[1], secrets[0]];
    let is_it = |test: &Test| [secrets, reversed].contains(&test.secrets) && test.event == event && test.bound == bound;
    tests.iter().position(is_it).ok_or_else(|| {
        Error::input(format!(
            "no test has the pair, the event and the bound {bound} of the whole, expected one that does"
        ))
    })
}

/// The verdict must be what follows from the numbers, since the page says it by the numbers.
fn verdict(fields: &Fields<'_>, worst: &Test, certified: Option<f64>) -> Result<()> {
    let expected = match worst.claimed {
        None => "no claim",
        Some(_) if worst.is_evidence() => "evidence against",
        Some(_) if certified.is_some_and(|certified| worst.bound > certified) => "evidence against the proof",
        Some(_) => "no evidence against",
    };
    let found = needed(fields, "verdict", Tree::text)?;
    if found == expected {
        return Ok(());
    }
    let claimed = worst.claimed.map_or_else(|| "no claim".to_owned(), |claimed| format!("a claim of {claimed}"));
    let bound = worst.bound;
    Err(Error::input(format!("verdict: found {found:?}, expected {expected:?} by a bound of {bound} and {claimed}")))
}

/// What was claimed must be what this mechanism claims for the pair.
fn claim(fields: &Fields<'_>, worst: &Test, mechanism: &Mechanism) -> Result<()> {
    let text = needed(fields, "claimed_text", |tree| perhaps(tree, Tree::text))?;
    let whole = needed(fields, "claimed", |tree| perhaps(tree, not_negative))?;
    let shown = |claimed: Option<f64>| claimed.map_or_else(|| "null".to_owned(), |claimed| claimed.to_string());
    // One may be rounded up and the other to the nearest double.
    let agree = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.max(other);
    if whole.is_some() != worst.claimed.is_some() || whole.zip(worst.claimed).is_some_and(|(a, b)| !agree(a, b)) {
        let (found, expected) = (shown(whole), shown(worst.claimed));
        return Err(Error::input(format!(
            "claimed: found {found}, and the test that speaks for the whole has {expected}"
        )));
    }
    let Some(claimed) = worst.claimed else { return Ok(()) };
    let [one, other] = worst.secrets;
    let own = mechanism.graph().epsilon_between(one, other);
    let is_own = own.is_some_and(|own| match text {
        Some(text) => text.parse().is_ok_and(|epsilon: Epsilon| epsilon == *own),
        None => agree(claimed, own.to_f64()),
    });
    if is_own {
        return Ok(());
    }
    let own = own.map_or_else(|| "nothing".to_owned(), |own| format!("ε = {own}"));
    let found = text.map_or_else(|| claimed.to_string(), str::to_owned);
    Err(Error::input(format!(
        "claimed: found {found}, and the mechanism claims {own} for this pair (was another mechanism audited?)"
    )))
}

fn measure(tree: &Tree) -> Result<()> {
    match tree.text()? {
        "epsilon" => Ok(()),
        "delta" => {
            Err(Error::input("an audit of δ, expected one of ε: the page shows ε only (audit without --delta-at)"))
        }
        other => Err(Error::input(format!("found {other:?}, expected \"epsilon\""))),
    }
}

fn source(tree: &Tree) -> Result<AuditSource> {
    match tree.text()? {
        "mechanism" => Ok(AuditSource::Mechanism),
        "program" => Ok(AuditSource::Program),
        "records" => Ok(AuditSource::Records),
        other => Err(Error::input(format!("found {other:?}, expected \"mechanism\", \"program\" or \"records\""))),
    }
}

fn family(tree: &Tree) -> Result<Family> {
    let name = tree.text()?;
    let known = || Family::ALL.map(Family::name).join(", ");
    let found = Family::ALL.into_iter().find(|family| family.name() == name);
    found.ok_or_else(|| Error::input(format!("found {name:?}, expected one of {}", known())))
}

/// The upper end of the true ε; null is infinite.
fn certified(tree: &Tree) -> Result<f64> {
    let fields = Fields::with(tree, &["lower", "upper"])?;
    let [lower, upper] = ["lower", "upper"].map(|key| needed(&fields, key, |tree| perhaps(tree, not_negative)));
    let (lower, upper) = (lower?, upper?.unwrap_or(f64::INFINITY));
    match lower {
        Some(lower) if lower > upper => {
            Err(Error::input(format!("from {lower} to {upper}, expected a lower end that is not above the upper one")))
        }
        _ => Ok(upper),
    }
}

/// Two different secrets by name.
fn pair(tree: &Tree, mechanism: &Mechanism) -> Result<[u32; 2]> {
    let secret = |tree: &Tree| {
        let name = tree.text()?;
        let place = mechanism.graph().names().place(name);
        place.ok_or_else(|| Error::input(format!("{name:?} is not in the mechanism (was another one audited?)")))
    };
    match tree.each("name", secret)?[..] {
        [one, other] if one != other => Ok([one, other]),
        ref found => Err(Error::input(format!("found {} names, expected two different ones", found.len()))),
    }
}

fn two(tree: &Tree) -> Result<[u64; 2]> {
    let numbers = tree.integers()?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| Error::input(format!("found {count} numbers, expected two")))
}

fn two_of(tree: &Tree, keys: [&str; 2]) -> Result<[u64; 2]> {
    let fields = Fields::with(tree, &keys)?;
    let [one, other] = keys.map(|key| needed(&fields, key, Tree::integer));
    Ok([one?, other?])
}

fn not_negative(tree: &Tree) -> Result<f64> {
    match number(tree)? {
        value if value >= 0.0 => Ok(value),
        value => Err(Error::input(format!("found {value}, expected a number that is not negative"))),
    }
}

/// What a reader makes of anything but null.
fn perhaps<'a, T>(tree: &'a Tree, read: impl FnOnce(&'a Tree) -> Result<T>) -> Result<Option<T>> {
    if *tree == Tree::Null { Ok(None) } else { read(tree).map(Some) }
}

fn needed<'a, T>(fields: &Fields<'a>, key: &str, read: impl FnOnce(&'a Tree) -> Result<T>) -> Result<T> {
    let missing = || Error::input(format!("{key} is missing, expected what `lookalike audit --json` prints"));
    fields.read(key, read)?.ok_or_else(missing)
}

#[cfg(test)]
#[path = "read_audit_tests.rs"]
mod tests;
