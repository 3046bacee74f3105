//! Chooses what to test: for each family of events the most promising pair and event.

use super::bound::Seen;
use super::candidate::{Measure, Ruler, Shape, visit};
use super::event::{Event, Family};
use super::neighbours::Meeting;
use super::pairs::Pair;
use super::tally::{Places, Tally};
use super::view::View;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A pair and an event that will be tested.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    pub family: Family,
    /// The secret under which the event is more frequent, and the other one.
    pub secrets: [u32; 2],
    pub claimed: Option<f64>,
    pub what: What,
}

/// What is counted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// An event of single outputs.
    Output(Event),
    /// An event of two outputs in a row.
    Meeting(Meeting),
    /// An output that was there before, in words.
    Before(&'static str),
}

/// The best event of each wanted family that promises anything at all, at least one if there is any event; and by how much
/// the best of them all promises to exceed its claim.
///
/// The order of what is tried decides between equals, so that the choice does not depend on threads.
pub(super) fn choose(
    tallies: &[Tally],
    pairs: &[Pair],
    places: &Places,
    measure: Measure,
    error: f64,
    wanted: &[Family],
) -> (Vec<Chosen>, f64) {
    let tried: usize = tallies.iter().map(|tally| 4 * tally.columns.len()).sum::<usize>() * 2 * pairs.len();
    let ruler = Ruler::new(measure, error, tried);
    let best = pairs
        .par_iter()
        .enumerate()
        .map(|(number, pair)| best_of_pair(tallies, pair, number, places, &ruler, wanted))
        .reduce(Best::new, |mut one, other| {
            other.into_values().for_each(|candidate| keep_better(&mut one, candidate));
            one
        });
    let promising = |best: &&Found| best.score > 0.0;
    let mut found: Vec<&Found> = best.values().filter(promising).collect();
    if found.is_empty() {
        found.extend(best.values().max_by(|a, b| a.order(b)));
    }
    let mut chosen: Vec<Chosen> = Vec::new();
    for found in found {
        let tally = &tallies[found.tally];
        let what = What::Output(Event::new(tally.view, found.shape.ranges(tally, found.places)));
        let secrets = found.places.map(|place| places.secrets[place]);
        if !chosen.iter().any(|before| before.secrets == secrets && before.what == what) {
            chosen.push(Chosen { family: found.family, secrets, claimed: pairs[found.pair].claimed, what });
        }
    }
    (chosen, best.values().map(|found| found.excess).fold(f64::NEG_INFINITY, f64::max))
}

type Best = BTreeMap<Family, Found>;

#[derive(Debug, Clone, Copy)]
struct Found {
    family: Family,
    /// The bound to hope for.
    score: f64,
    /// The same less what is claimed: what would be most telling.
    excess: f64,
    tally: usize,
    pair: usize,
    places: [usize; 2],
    shape: Shape,
}

impl Found {
    fn order(&self, other: &Found) -> std::cmp::Ordering {
        let tie = |found: &Found| (found.pair, found.places[0], found.tally, found.shape);
        self.excess.total_cmp(&other.excess).then_with(|| tie(other).cmp(&tie(self)))
    }
}

fn keep_better(best: &mut Best, candidate: Found) {
    let kept = best.entry(candidate.family).or_insert(candidate);
    if candidate.order(kept).is_gt() {
        *kept = candidate;
    }
}

fn best_of_pair(
    tallies: &[Tally],
    pair: &Pair,
    number: usize,
    places: &Places,
    ruler: &Ruler,
    wanted: &[Family],
) -> Best {
    let mut best = Best::new();
    let [one, other] = pair.secrets.map(|secret| places.of(secret));
    for (at, tally) in tallies.iter().enumerate() {
        for ordered in [[one, other], [other, one]] {
            visit(tally, ordered, |family, shape, seen, against| {
                let score = ruler.score(seen, against);
                if wanted.contains(&family) && score > f64::NEG_INFINITY {
                    let excess = score - pair.claimed.unwrap_or(0.0);
                    let places = ordered;
                    keep_better(&mut best, Found { family, score, excess, tally: at, pair: number, places, shape });
                }
            });
        }
    }
    best
}

/// Pairs that are tried where each costs a pass over the first outputs.
const MOST_PAIRS: usize = 1_000;

const AS_AT_FIRST: &str = "the output is what the first secret got at the beginning of the run";

/// Answers to each secret at the start of the choosing run that say what it repeats.
pub(super) const ECHO_ANSWERS: u64 = 16;

/// The pair of which one secret repeats its first output and the other does not, and how often they did so in the rest
/// of the choosing run: an answer that is kept for each secret gives the secret away, even if it was drawn with care.
///
/// The event and the pair come from the first answers, which are given by secret and are equally many for each, and the
/// counts from all other draws, so the test is as fair as those of the other run.
pub(super) fn choose_echo(
    tallies: &[Tally],
    firsts: &[Vec<u64>],
    pairs: &[Pair],
    places: &Places,
) -> Option<(Chosen, [Seen; 2])> {
    let tally = tallies.iter().find(|tally| tally.view == View::Output)?;
    let first = firsts.iter().map(|answers| answers.first().copied()).collect::<Option<Vec<u64>>>()?;
    let repeats = |secret: usize, symbol: u64| firsts[secret].iter().filter(|answer| **answer == symbol).count();
    let lead = |&[one, other]: &[usize; 2]| repeats(one, first[one]).saturating_sub(repeats(other, first[one]));
    let ordered = pairs.iter().take(MOST_PAIRS).flat_map(|pair| {
        let [one, other] = pair.secrets.map(|secret| places.of(secret));
        [(pair, [one, other]), (pair, [other, one])]
    });
    let (pair, found) = ordered.rev().max_by_key(|(_, places)| lead(places))?;
    if (lead(&found) as u64) < ECHO_ANSWERS / 2 {
        return None;
    }
    let symbol = first[found[0]];
    // Whether this is tested must not depend on the later draws, so an output that did not come again has no hits.
    let column = tally.columns.iter().position(|column| column[0] == symbol);
    let later = |secret: usize| {
        let hits = column.map_or(0, |column| tally.seen(secret, column).hits - repeats(secret, symbol) as u64);
        Seen { hits, draws: tally.seen(secret, 0).draws - firsts[secret].len() as u64 }
    };
    let secrets = found.map(|place| places.secrets[place]);
    Some((
        Chosen { family: Family::Echo, secrets, claimed: pair.claimed, what: What::Before(AS_AT_FIRST) },
        found.map(later),
    ))
}
