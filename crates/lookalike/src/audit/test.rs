//! Tests what was chosen, on draws that had no part in the choice.

use super::bound::{Seen, delta_bound, epsilon_bound};
use super::candidate::Measure;
use super::choose::Chosen;
use super::event::Family;
use super::output::Output;
use super::source::Collect;
use super::tally::{CodeCounts, Places, add_all, see_quickly};
use super::view::View;

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
    /// What is claimed for the pair.
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
/// It is split evenly, but for an echo, which has a tenth: it is counted on the draws that choose how many other tests
/// there are, so its part must not depend on their number.
pub fn shares(families: &[Family], confidence: f64) -> Vec<f64> {
    let (error, echoes) = (1.0 - confidence, families.iter().filter(|family| **family == Family::Echo).count());
    let others = (families.len() - echoes).max(1) as f64;
    let of = |family: &Family| match family {
        Family::Echo => 0.1 * error / echoes as f64,
        _ if echoes > 0 => 0.9 * error / others,
        _ => error / others,
    };
    families.iter().map(of).collect()
}

/// Counts the chosen events among the testing draws.
pub(super) struct Testing<'a> {
    places: &'a Places,
    progress: &'a (dyn Fn(u64) + Sync),
    chosen: &'a [Chosen],
    /// The first draws of the choosing run.
    replay: &'a [Remembered],
    codes: Option<CodeCounts>,
    /// For each secret, by its place: the tests that it has a part in, and which one.
    of_secret: Vec<Vec<(usize, usize)>>,
    draws: Vec<u64>,
    hits: Vec<[u64; 2]>,
    replayed: [Seen; 2],
    /// The first secret of the replay, by its place.
    replay_of: Option<usize>,
}

/// A draw of the choosing run, for the draw at the same place of the testing run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remembered {
    /// The place of its secret.
    pub secret: usize,
    pub symbol: u64,
}

impl<'a> Testing<'a> {
    pub(super) fn new(
        chosen: &'a [Chosen],
        places: &'a Places,
        codes: Option<usize>,
        replay: &'a [Remembered],
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        let mut of_secret = vec![Vec::new(); places.len()];
        for (test, chosen) in chosen.iter().enumerate().filter(|(_, chosen)| chosen.event.is_some()) {
            chosen
                .secrets
                .iter()
                .enumerate()
                .for_each(|(side, &secret)| of_secret[places.of(secret)].push((test, side)));
        }
        let replayed = chosen.iter().find(|chosen| chosen.family == Family::Replay);
        Testing {
            places,
            progress,
            chosen,
            replay,
            codes: codes.map(|codes| CodeCounts::new(places.len(), codes)),
            of_secret,
            draws: vec![0; places.len()],
            hits: vec![[0; 2]; chosen.len()],
            replayed: [Seen::default(); 2],
            replay_of: replayed.map(|chosen| places.of(chosen.secrets[0])),
        }
    }

    /// How many draws were seen.
    pub(super) fn draws(&self) -> u64 {
        self.codes.as_ref().map_or_else(|| self.draws.iter().sum(), CodeCounts::total)
    }

    /// What was seen of each chosen event.
    pub(super) fn seen(&self) -> Vec<[Seen; 2]> {
        let seen = |(test, chosen): (usize, &Chosen)| {
            let Some(event) = &chosen.event else { return self.replayed };
            [0, 1].map(|side| {
                let place = self.places.of(chosen.secrets[side]);
                let Some(counts) = self.codes.as_ref().map(|codes| codes.of(place)) else {
                    return Seen { hits: self.hits[test][side], draws: self.draws[place] };
                };
                let held = (0..).zip(counts).filter(|&(code, _)| event.has(code));
                Seen { hits: held.map(|(_, &count)| count).sum(), draws: counts.iter().sum() }
            })
        };
        self.chosen.iter().enumerate().map(seen).collect()
    }

    /// A draw at a place where the choosing run drew for the first secret of the replay: does it come out as it did there?
    ///
    /// Honest draws are independent of all earlier ones, so for the first secret the event has the probability Σ p(y)²
    /// and for the second Σ p(y) q(y), at most e^ε apart. Noise that comes back makes the first 1 and the second small.
    /// An output that depends on its place alone comes back for both, and tells nothing.
    fn see_replay(&mut self, secret: usize, place: usize, symbol: u64) {
        let before = self.replay[place];
        if Some(before.secret) == self.replay_of {
            let side = usize::from(secret != before.secret);
            self.replayed[side].draws += 1;
            self.replayed[side].hits += u64::from(symbol == before.symbol);
        }
    }
}

impl<O: Output> Collect<O> for Testing<'_> {
    #[inline(always)]
    fn see(&mut self, secret: u32, place: u64, output: &O) {
        let secret = self.places.of(secret);
        if (place as usize) < self.replay.len() {
            return self.see_replay(secret, place as usize, output.symbol(View::Output).unwrap_or(0));
        }
        if let Some(counts) = &mut self.codes {
            return counts.add(secret, output.symbol(View::Output).unwrap_or(0));
        }
        self.draws[secret] += 1;
        for &(test, side) in &self.of_secret[secret] {
            let event = self.chosen[test].event.as_ref().expect("replays are not in this list");
            self.hits[test][side] += u64::from(event.contains(output));
        }
    }

    fn see_stretch(&mut self, first: u64, secrets: &[u32], outputs: &[O]) {
        let remembered = self.replay.len() as u64;
        see_quickly(
            self,
            |own| own.codes.as_mut().map(|counts| (counts, own.places)),
            remembered,
            first,
            secrets,
            outputs,
        );
    }

    fn merge(&mut self, other: Self) {
        if let (Some(own), Some(other)) = (&mut self.codes, &other.codes) {
            own.merge(other);
        }
        add_all(&mut self.draws, &other.draws);
        for (own, other) in self.hits.iter_mut().zip(&other.hits) {
            add_all(own, other);
        }
        for (own, other) in self.replayed.iter_mut().zip(other.replayed) {
            own.draws += other.draws;
            own.hits += other.hits;
        }
    }

    fn progress(&self, draws: u64) {
        (self.progress)(draws);
    }
}
