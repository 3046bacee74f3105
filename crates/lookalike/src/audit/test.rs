//! Tests what was chosen, on draws that had no part in the choice.

use super::bound::{Seen, delta_bound, epsilon_bound};
use super::calls::Call;
use super::candidate::Measure;
use super::choose::{Chosen, What};
use super::collector::{Collector, Look};
use super::event::Family;
use super::output::Output;
use super::replay::replay;
use super::tally::{Places, add_all};

/// One test: an event, how often two secrets showed it, and what follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The kind of event.
    pub family: Family,
    /// The secrets; the event was more frequent under the first one among the draws that chose it.
    pub secrets: [u32; 2],
    /// The event in words.
    pub event: String,
    /// How often each of the two showed it.
    pub seen: [Seen; 2],
    /// The lower bound on ε, or on δ: 0 where the draws say nothing.
    pub bound: f64,
    /// What is claimed for the pair, by the family ([`Family::claim`]).
    pub claimed: Option<f64>,
}

impl Test {
    /// Whether the bound is above the claim: the claim is false, unless this is one of the rare false alarms that the
    /// confidence leaves room for.
    pub fn is_evidence(&self) -> bool {
        self.claimed.is_some_and(|claimed| self.bound > claimed)
    }

    /// The bound less the claim, or the bound where there is none.
    pub fn excess(&self) -> f64 {
        self.bound - self.claimed.unwrap_or(0.0)
    }

    pub(super) fn new(chosen: &Chosen, event: String, seen: [Seen; 2], measure: Measure, error: f64) -> Self {
        let [one, other] = seen;
        let bound = match measure {
            Measure::Epsilon => epsilon_bound(one, other, error),
            Measure::Delta(exp_epsilon) => delta_bound(one, other, exp_epsilon, error),
        };
        let (family, secrets, claimed) = (chosen.family, chosen.secrets, chosen.claimed);
        Test { family, secrets, event, seen, bound: bound.max(0.0), claimed }
    }
}

/// The error that each of these tests may make, so that all bounds hold together with the confidence.
///
/// It is split evenly, but for an echo, which has a tenth, and the replays, which have a twentieth each: the draws of the
/// choosing run have a part in them, and also in how many other tests there are, so that their parts must not depend on
/// this number.
pub fn shares(families: &[Family], confidence: f64) -> Vec<f64> {
    let fixed = [(Family::Echo, 0.1), (Family::Replay, 0.05), (Family::Recount, 0.05)];
    let count = |family: Family| families.iter().filter(|other| **other == family).count();
    let fixed = fixed.map(|(family, part)| (family, part, count(family)));
    let taken: f64 = fixed.iter().map(|(_, part, count)| if *count > 0 { *part } else { 0.0 }).sum();
    let others = families.len() - fixed.iter().map(|(_, _, count)| count).sum::<usize>();
    let part = |family: &Family| match fixed.iter().find(|(own, ..)| own == family) {
        Some((_, part, count)) => part / *count as f64,
        None => (1.0 - taken) / others as f64,
    };
    families.iter().map(|family| (1.0 - confidence) * part(family)).collect()
}

/// Collects the testing draws, and counts the chosen events among them.
pub(super) type Testing<'a> = Collector<'a, Hits<'a>>;

/// How often draws that are not codes showed the chosen events.
pub(super) struct Hits<'a> {
    chosen: &'a [Chosen],
    /// The first calls of the choosing run, whose counterparts here count for no event of single outputs.
    before: &'a [Call],
    /// For each secret, by its place: the tests that it has a part in, and which one.
    of_secret: Vec<Vec<(usize, usize)>>,
    hits: Vec<[u64; 2]>,
}

/// Calls that are looked at two by two, at most: many enough to see what two calls tell, and few enough to be noted.
pub(super) const MOST_CALLS: u64 = 1 << 19;

impl<'a> Hits<'a> {
    /// None yet.
    pub(super) fn new(chosen: &'a [Chosen], places: &Places, before: &'a [Call]) -> Self {
        let mut of_secret = vec![Vec::new(); places.len()];
        for (test, chosen) in chosen.iter().enumerate() {
            for (side, &secret) in chosen.secrets.iter().enumerate().filter(|_| matches!(chosen.what, What::Output(_)))
            {
                of_secret[places.of(secret)].push((test, side));
            }
        }
        Hits { chosen, before, of_secret, hits: vec![[0; 2]; chosen.len()] }
    }

    /// How many of the first calls are to be noted, and how many of these count for no event of single outputs.
    pub(super) fn noted(&self) -> [u64; 2] {
        let meets = self.chosen.iter().any(|chosen| matches!(chosen.what, What::Meeting(_)));
        let before = self.before.len() as u64;
        [if meets { MOST_CALLS.max(before) } else { before }, before]
    }
}

impl Testing<'_> {
    /// What was tested, and what was seen of it.
    pub(super) fn seen(mut self) -> Vec<(Chosen, [Seen; 2])> {
        self.calls = self.calls.in_order();
        let Hits { chosen, before, hits, .. } = &self.own;
        let start = before.len() as u64;
        let (now, later) = (self.calls.between(0, start), self.calls.between(start, self.calls.end()));
        let seen = |(test, chosen): (usize, &Chosen)| {
            let event = match &chosen.what {
                What::Output(event) => event,
                What::Meeting(meeting) => return (chosen.clone(), meeting.seen(later)),
                What::Before(_) => return replay(chosen, before, now, self.places.of(chosen.secrets[0]) as u32),
            };
            let seen = [0, 1].map(|side| {
                let place = self.places.of(chosen.secrets[side]);
                let Some(counts) = self.codes.as_ref().map(|codes| codes.of(place)) else {
                    return Seen { hits: hits[test][side], draws: self.draws[place] };
                };
                let held = (0..).zip(counts).filter(|&(code, _)| event.has(code));
                Seen { hits: held.map(|(_, &count)| count).sum(), draws: counts.iter().sum() }
            });
            (chosen.clone(), seen)
        };
        chosen.iter().enumerate().map(seen).collect()
    }
}

impl<O: Output> Look<O> for Hits<'_> {
    #[inline(always)]
    fn see(&mut self, secret: usize, _: u64, output: &O) {
        for &(test, side) in &self.of_secret[secret] {
            if let What::Output(event) = &self.chosen[test].what {
                self.hits[test][side] += u64::from(event.contains(output));
            }
        }
    }

    fn merge(&mut self, other: Self) {
        for (own, other) in self.hits.iter_mut().zip(&other.hits) {
            add_all(own, other);
        }
    }
}
