//! Two calls in a row: what their outputs tell together, and what each tells of the other one's secret.
//!
//! An honest mechanism draws fresh noise for each call, so the outputs of two calls with the secrets s and t have the product
//! of two laws, P_s × P_t. Two things follow, and each is held against what is seen.
//!
//! - *Both outputs together* ([`Family::Neighbours`]). For any event A of two outputs and a changed secret s' of one of the
//!   calls, (P_s × P_t)(A) = Σ P_t(v) P_s(A_v) ≤ e^ε (P_s' × P_t)(A), with the ε of the pair s, s', and likewise for δ. One coin
//!   for two calls breaks this: the outputs differ if and only if the secrets do.
//! - *One output alone* ([`Family::Carried`]). The law of the output of one call does not depend on the secret of the other one,
//!   so the claim is 0. An answer that is given again breaks this. It is no evidence against ε: whoever sees the answer
//!   twice learns no more than from seeing it once. But the draws are not independent, the answer of one person is about
//!   another one, and what is said and counted of a single release holds no longer.
//!
//! Calls are taken two by two, so that no call is in two trials: trials are then independent, and as many as there are
//! give a binomial. Both ways to do so are looked at, and one is chosen with the event.

use super::bound::Seen;
use super::calls::{Call, Calls, neighbours};
use super::candidate::{Measure, Ruler, Shape, Sight, visit};
use super::choose::{Chosen, What};
use super::event::{Family, interval, intervals, one_of};
use super::number::Number;
use super::pairs::Pair;
use super::ranges::Ranges;
use super::tally::{CodeCounts, Places, Tally, ends, frequent};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// How the outputs of two calls in a row are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Glance {
    /// The classes of both.
    Both,
    /// Whether they are the same.
    Same,
    /// The later number less the earlier one.
    Step,
    /// The class of the earlier one.
    Earlier,
    /// The class of the later one.
    Later,
}

impl Sight for Glance {
    fn is_ordered(self) -> bool {
        self == Glance::Step
    }

    fn family(self, _: Shape) -> Family {
        if matches!(self, Glance::Earlier | Glance::Later) { Family::Carried } else { Family::Neighbours }
    }
}

/// Outputs in a few classes.
#[derive(Debug, Clone, PartialEq)]
enum Classes {
    /// These outputs, ascending, and all others.
    Outputs(Vec<u64>),
    /// The intervals with these ends, and what is no number.
    Numbers(Vec<u64>),
}

/// Classes of outputs, at most, but for the rest.
const MOST_CLASSES: usize = 16;
/// Calls that the classes are made from.
const SAMPLE: usize = 1 << 16;
/// Intervals of differences, at most.
const MOST_STEPS: usize = 64;
/// Pairs that are looked at, the first ones.
const MOST_PAIRS: usize = 16;

impl Classes {
    /// The frequent outputs, unless they are few of all; and intervals of numbers, if there are any.
    fn all(calls: &[Call]) -> Vec<Classes> {
        let calls = &calls[..calls.len().min(SAMPLE)];
        let mut totals: HashMap<u64, u64> = HashMap::new();
        calls.iter().for_each(|call| *totals.entry(call.symbol).or_default() += 1);
        let kept = frequent(totals.iter().map(|(&symbol, &total)| (symbol, total)).collect(), MOST_CLASSES);
        let covered: u64 = kept.iter().map(|symbol| totals[symbol]).sum();
        let numbers: Vec<u64> = calls.iter().map(|call| call.number).filter(|number| *number > 0).collect();
        let are_many = 10 * covered >= calls.len() as u64 || numbers.is_empty();
        let outputs = are_many.then_some(Classes::Outputs(kept));
        let numbers = (!numbers.is_empty()).then(|| Classes::Numbers(ends(numbers, MOST_CLASSES)));
        outputs.into_iter().chain(numbers).collect()
    }

    fn of(&self, call: &Call) -> u64 {
        (match self {
            Classes::Outputs(symbols) => symbols.binary_search(&call.symbol).unwrap_or(symbols.len()),
            Classes::Numbers(lasts) if call.number == 0 => lasts.len(),
            Classes::Numbers(lasts) => lasts.partition_point(|last| *last < call.number),
        }) as u64
    }

    fn count(&self) -> u64 {
        let (Classes::Outputs(list) | Classes::Numbers(list)) = self;
        list.len() as u64 + 1
    }

    fn words(&self, class: u64, label: &impl Fn(u64) -> String) -> String {
        let class = class as usize;
        match self {
            Classes::Outputs(symbols) => {
                symbols.get(class).map_or("another".to_owned(), |&symbol| format!("{:?}", label(symbol)))
            }
            Classes::Numbers(lasts) => {
                let first = class.checked_sub(1).map_or(0, |before| lasts[before].saturating_add(1));
                lasts.get(class).map_or("no number".to_owned(), |&last| interval([first, last]))
            }
        }
    }
}

/// An event of two calls in a row, the secret of one of which differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meeting {
    glance: Glance,
    classes: Classes,
    ranges: Ranges,
    /// Whether call 1 is taken with call 2, or with call 0.
    is_odd: bool,
    /// Whether the secret of the later call differs, or that of the earlier one.
    later_differs: bool,
    /// The secrets that differ, by their places.
    secrets: [u32; 2],
    /// Which of the two the other call has.
    other: usize,
}

impl Meeting {
    /// What was seen of it.
    pub(super) fn seen(&self, calls: &[Call]) -> [Seen; 2] {
        let mut seen = [Seen::default(); 2];
        for two in neighbours(calls, self.is_odd) {
            let [differs, other] = if self.later_differs { [two[1], two[0]] } else { two };
            let side = self.secrets.iter().position(|secret| differs.secret == *secret);
            if let (Some(side), true) = (side, other.secret == self.secrets[self.other]) {
                seen[side].draws += 1;
                seen[side].hits +=
                    u64::from(symbol(self.glance, &self.classes, two).is_some_and(|symbol| self.ranges.has(symbol)));
            }
        }
        seen
    }

    /// The event in words, with `label` for the texts of outputs.
    pub(super) fn words(&self, label: impl Fn(u64) -> String) -> String {
        let when = if self.later_differs { "after" } else { "before" };
        let other = ["first", "second"][self.other];
        let class = |class: u64| self.classes.words(class, &label);
        let classes = || one_of(&self.ranges.symbols().map(class).collect::<Vec<_>>());
        let count = self.classes.count();
        let what = match self.glance {
            Glance::Both => {
                let two = |symbol: u64| format!("{} then {}", class(symbol / count), class(symbol % count));
                format!("the outputs are {}", one_of(&self.ranges.symbols().map(two).collect::<Vec<_>>()))
            }
            Glance::Same if self.ranges.has(1) => "both outputs are the same".to_owned(),
            Glance::Same => "the outputs are not the same".to_owned(),
            Glance::Step => format!("the later output less the earlier one is {}", intervals(&self.ranges)),
            Glance::Earlier => format!("the earlier output is {}", classes()),
            Glance::Later => format!("the later output is {}", classes()),
        };
        format!("right {when} a call for the {other} secret, {what}")
    }
}

/// What a glance shows of two outputs; `None` when it does not apply to them.
fn symbol(glance: Glance, classes: &Classes, [earlier, later]: [&Call; 2]) -> Option<u64> {
    match glance {
        Glance::Both => Some(classes.of(earlier) * classes.count() + classes.of(later)),
        Glance::Same => Some((earlier.symbol == later.symbol).into()),
        Glance::Step if earlier.number == 0 || later.number == 0 => None,
        Glance::Step => Some(Number::Real(Number::real(later.number) - Number::real(earlier.number)).ordered()),
        Glance::Earlier => Some(classes.of(earlier)),
        Glance::Later => Some(classes.of(later)),
    }
}

/// The counts of one glance at the calls of a pair: a row for each two secrets, 2 × the earlier one + the later one.
struct Counted<'a> {
    pair: &'a Pair,
    is_odd: bool,
    classes: &'a Classes,
    tally: Tally<Glance>,
}

/// The best event of both outputs, if it promises to exceed its claim by more than `least`, as the best event of one
/// output does; and the best event of one output about the other call, if it promises anything.
///
/// The calls from number `start` on are for all secrets; those before are for the first pair only, which has enough of them
/// even if there are many secrets. The two parts are never counted together: each has its calls for either secret
/// spread evenly over its time, so that what depends on the time alone is not taken for the secret.
pub(super) fn choose_neighbours(
    (calls, start): (&Calls, u64),
    pairs: &[Pair],
    places: &Places,
    (measure, error): (Measure, f64),
    wanted: &[Family],
    least: f64,
) -> Vec<Chosen> {
    let pairs = &pairs[..pairs.len().min(MOST_PAIRS)];
    let classes = Classes::all(calls.between(0, calls.end()));
    let parts = [(calls.between(start, calls.end()), pairs), (calls.between(0, start), &pairs[..1])];
    let counted: Vec<Counted<'_>> = parts
        .into_par_iter()
        .flat_map(|(calls, pairs)| pairs.par_iter().map(move |pair| (calls, pair)))
        .flat_map_iter(|(calls, pair)| tallies(calls, pair, places, &classes))
        .collect();
    let tried = counted.iter().map(|counted| 4 * 8 * counted.tally.columns.len()).sum();
    let ruler = Ruler::new(measure, error, tried);
    let mut best: BTreeMap<Family, (f64, Chosen)> = BTreeMap::new();
    for Counted { pair, is_odd, classes, tally } in &counted {
        for (later_differs, first, other) in cases(tally.view) {
            let rows = [first, 1 - first].map(|own| if later_differs { 2 * other + own } else { 2 * own + other });
            visit(tally, rows, |family, shape, seen, against| {
                let (score, claimed) = (ruler.score(seen, against), pair.claimed.map(|claimed| family.claim(claimed)));
                let excess = score - claimed.unwrap_or(0.0);
                let least = if family == Family::Neighbours { least } else { f64::NEG_INFINITY };
                let kept = best.get(&family).map_or(least, |kept| kept.0);
                if score > 0.0 && excess > kept && wanted.contains(&family) {
                    let secrets = [first, 1 - first].map(|own| pair.secrets[own]);
                    let meeting = Meeting {
                        glance: tally.view,
                        classes: (*classes).clone(),
                        ranges: shape.ranges(tally, rows),
                        is_odd: *is_odd,
                        later_differs,
                        secrets: secrets.map(|secret| places.of(secret) as u32),
                        other: usize::from(other != first),
                    };
                    best.insert(family, (excess, Chosen { family, secrets, claimed, what: What::Meeting(meeting) }));
                }
            });
        }
    }
    best.into_values().map(|(_, chosen)| chosen).collect()
}

/// Which call's secret differs, which of the pair comes first in the comparison, and which of the pair the other call has.
fn cases(glance: Glance) -> impl Iterator<Item = (bool, usize, usize)> {
    let differing = match glance {
        Glance::Both | Glance::Same | Glance::Step => &[false, true][..],
        Glance::Earlier => &[true],
        Glance::Later => &[false],
    };
    let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
    differing.iter().flat_map(move |&later| places.map(|(first, other)| (later, first, other)))
}

fn tallies<'a>(calls: &[Call], pair: &'a Pair, places: &Places, classes: &'a [Classes]) -> Vec<Counted<'a>> {
    let of_pair = pair.secrets.map(|secret| places.of(secret) as u32);
    let row = |two: [&Call; 2]| {
        let [earlier, later] = two.map(|call| of_pair.iter().position(|secret| *secret == call.secret));
        Some(2 * earlier? + later?)
    };
    let mut counted = Vec::new();
    for is_odd in [false, true] {
        let found: Vec<(usize, [&Call; 2])> =
            neighbours(calls, is_odd).filter_map(|two| Some((row(two)?, two))).collect();
        let mut draws = vec![0; 4];
        found.iter().for_each(|(row, _)| draws[*row] += 1);
        for (number, classes) in classes.iter().enumerate() {
            let count = classes.count();
            let mut views = vec![(Glance::Both, count * count), (Glance::Earlier, count), (Glance::Later, count)];
            // The same for all classes.
            views.extend((number == 0).then_some((Glance::Same, 2)));
            for (glance, codes) in views {
                let mut counts = CodeCounts::new(4, codes as usize);
                for &(row, two) in &found {
                    symbol(glance, classes, two).into_iter().for_each(|symbol| counts.add(row, symbol));
                }
                let tally = Tally::of_codes(glance, &counts, draws.clone(), codes as usize);
                counted.push(Counted { pair, is_odd, classes, tally });
            }
            if matches!(classes, Classes::Numbers(_)) {
                let mut steps = vec![Vec::new(); 4];
                found.iter().for_each(|&(row, two)| steps[row].extend(symbol(Glance::Step, classes, two)));
                let tally = Tally::of_numbers(Glance::Step, &steps, draws.clone(), MOST_STEPS);
                counted.push(Counted { pair, is_odd, classes, tally });
            }
        }
    }
    counted.retain(|counted| !counted.tally.columns.is_empty());
    counted
}

#[cfg(test)]
#[path = "neighbours_tests.rs"]
mod tests;
