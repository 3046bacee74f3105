//! What `lookalike audit --json` printed, for the page about the mechanism.

mod checks;

use super::proof::Proofs;
use super::verdict::Verdict;
use crate::estimate::{missing, number};
use checks::{check_certified, check_header, check_tests};
use lookalike::Sentence;
use lookalike::audit::{Audit, Family, Seen, Test};
use lookalike::model::Mechanism;
use lookalike_formats::tree::{Fields, Tree};
use lookalike_formats::{Error, Result};
use lookalike_records::read_text;
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
    /// The test that speaks for the whole: it comes closest to its claim, or exceeds it or the proof the most.
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
/// A file that is no such JSON, is about δ, names pairs that the mechanism does not protect or claims that it does not
/// make, or contradicts itself or the mechanism: bounds follow from the counts, the verdict from the bounds, and what is
/// certified from the mechanism, so all of them are computed again.
pub fn read_audit(path: &Path, mechanism: &Mechanism) -> Result<AuditFigures> {
    let read = |text: &str| read_figures(&Tree::from_json(text)?, mechanism);
    read_text(path).and_then(|text| read(&text).map_err(|error| error.in_file(path)))
}

const KEYS: [&str; 16] = [
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
    "least_alike",
    "source",
    "seed",
];

fn read_figures(tree: &Tree, mechanism: &Mechanism) -> Result<AuditFigures> {
    let fields = Fields::with(tree, &KEYS)?;
    needed(&fields, "measure", measure)?;
    needed(&fields, "at_epsilon", null)?;
    let source = needed(&fields, "source", source)?;
    let audit = read_tests(&fields, mechanism)?;
    check_tests(&audit, source, mechanism)?;
    let pairs = read_pairs(&fields, source, mechanism)?;
    // Audits of earlier versions have no such key, and drew from the profiles.
    fields.read("least_alike", |tree| read_least_alike(tree, mechanism))?;
    let proofs = match source {
        AuditSource::Mechanism => Some(Proofs::new(mechanism, &audit.tests)?),
        AuditSource::Program | AuditSource::Records => None,
    };
    let (verdict, worst) = Verdict::of(&audit, proofs.as_ref());
    let header = read_header(&fields, mechanism)?;
    check_header(&header, verdict, &audit.tests[worst], mechanism)?;
    let read = needed(&fields, "certified", |tree| perhaps(tree, certified))?;
    // Nothing is proved of what one call tells of another.
    let of_one_call = |_: &Proofs| audit.tests[worst].family != Family::Carried;
    let proved = proofs.filter(of_one_call).map(|proofs| proofs.upper(&audit.tests[worst]));
    check_certified(read, proved)?;
    let seed = needed(&fields, "seed", |tree| perhaps(tree, Tree::integer))?;
    Ok(AuditFigures { audit, worst, certified: proved, pairs, source, seed })
}

/// More draws than anybody makes would take too long to compute with.
const MOST_DRAWS: u64 = 1_000_000_000_000;

/// The tests with the draws and the confidence they were made with.
fn read_tests(fields: &Fields<'_>, mechanism: &Mechanism) -> Result<Audit> {
    let [chosen_on, tested_on] = needed(fields, "draws", |tree| two_of(tree, ["choosing", "testing"]))?;
    for (half, draws) in [("choosing", chosen_on), ("testing", tested_on)] {
        if draws > MOST_DRAWS {
            return Err(Error::input(format!("draws: {half}: found {draws}, expected at most {MOST_DRAWS}")));
        }
    }
    let tests = needed(fields, "tests", |tree| tree.each("test", |tree| read_test(tree, mechanism)))?;
    Ok(Audit { tests, chosen_on, tested_on, confidence: needed(fields, "confidence", confidence)? })
}

fn read_pairs(fields: &Fields<'_>, source: AuditSource, mechanism: &Mechanism) -> Result<[u64; 2]> {
    let [attacked, all] = needed(fields, "pairs", |tree| two_of(tree, ["attacked", "all"]))?;
    if attacked > all || attacked == 0 {
        return Err(Error::input(format!(
            "pairs: {attacked} attacked of {all}, expected at least one and no more than there are"
        )));
    }
    let own = mechanism.graph().pairs();
    if source == AuditSource::Mechanism && all != own {
        return Err(Error::input(format!(
            "pairs: {all} in all, and the mechanism has {own} (was another mechanism audited?)"
        )));
    }
    Ok([attacked, all])
}

/// The pairs that were drawn from their worst laws, if any were: those of a mechanism with limits.
fn read_least_alike(tree: &Tree, mechanism: &Mechanism) -> Result<()> {
    let names = mechanism.graph().names();
    let secret = |tree: &Tree| match names.place(tree.text()?) {
        Some(_) => Ok(()),
        None => Err(Error::input("a secret that the mechanism does not have (was another mechanism audited?)")),
    };
    match perhaps(tree, |tree| tree.each("pair", |pair| pair.each("secret", secret)))? {
        Some(_) if mechanism.limits().is_empty() => Err(Error::input(
            "least_alike: pairs, and the profiles of the mechanism have no limits (was another one audited?)",
        )),
        _ => Ok(()),
    }
}

/// What the file says of the whole.
struct Header<'a> {
    verdict: &'a str,
    secrets: [u32; 2],
    event: &'a str,
    bound: f64,
    claimed: Option<f64>,
    claimed_text: Option<&'a str>,
}

fn read_header<'a>(fields: &Fields<'a>, mechanism: &Mechanism) -> Result<Header<'a>> {
    Ok(Header {
        verdict: needed(fields, "verdict", Tree::text)?,
        secrets: needed(fields, "pair", |tree| pair(tree, mechanism))?,
        event: needed(fields, "event", Tree::text)?,
        bound: needed(fields, "bound", not_negative)?,
        claimed: needed(fields, "claimed", |tree| perhaps(tree, not_negative))?,
        claimed_text: needed(fields, "claimed_text", |tree| perhaps(tree, Tree::text))?,
    })
}

fn read_test(tree: &Tree, mechanism: &Mechanism) -> Result<Test> {
    let fields = Fields::with(tree, &["family", "pair", "event", "hits", "draws", "bound", "claimed"])?;
    let (hits, draws) = (needed(&fields, "hits", two)?, needed(&fields, "draws", two)?);
    if let Some(at) = (0..2).find(|&at| hits[at] > draws[at] || draws[at] == 0) {
        return Err(Error::input(format!(
            "{} hits in {} draws, expected at least one draw and no more hits than draws",
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

fn measure(tree: &Tree) -> Result<()> {
    match tree.text()? {
        "epsilon" => Ok(()),
        "delta" => {
            let hint = Sentence::from("audit without ").option("delta-at");
            Err(Error::input("an audit of δ, expected one of ε: the page shows ε only").hint(hint))
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

/// The two ends of the true ε; null is infinite.
fn certified(tree: &Tree) -> Result<[f64; 2]> {
    let fields = Fields::with(tree, &["lower", "upper"])?;
    let end = |key| needed(&fields, key, |tree| perhaps(tree, not_negative)).map(|end| end.unwrap_or(f64::INFINITY));
    match [end("lower")?, end("upper")?] {
        [lower, upper] if lower > upper => {
            Err(Error::input(format!("from {lower} to {upper}, expected a lower end that is not above the upper one")))
        }
        ends => Ok(ends),
    }
}

fn confidence(tree: &Tree) -> Result<f64> {
    match number(tree)? {
        level if (0.5..1.0).contains(&level) => Ok(level),
        level => Err(Error::input(format!("found {level}, expected at least 0.5 and less than 1"))),
    }
}

fn null(tree: &Tree) -> Result<()> {
    if *tree == Tree::Null { Ok(()) } else { Err(Error::input("expected null in an audit of ε")) }
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
    fields.read(key, read)?.ok_or_else(|| missing(key, "lookalike audit"))
}

#[cfg(test)]
#[path = "read_audit_tests.rs"]
mod tests;
