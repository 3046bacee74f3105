//! The audit: choose on one half of the draws, test on the other.

use super::bound::Seen;
use super::calls::{Call, Calls};
use super::candidate::Measure;
use super::choose::{Chosen, ECHO_ANSWERS, What, choose, choose_echo};
use super::choosing::{Choosing, Noted, Views};
use super::event::Family;
use super::letters::choose_letters;
use super::neighbours::choose_neighbours;
use super::pairs::Pair;
use super::schedule::Schedule;
use super::source::{Run, Source};
use super::tally::Places;
use super::test::{Hits, MOST_CALLS, Test, Testing, shares};
use crate::exact::{Direction, to_f64};
use crate::model::Epsilon;
use crate::{Error, Result};
use std::collections::HashMap;

/// How to audit.
#[derive(Clone)]
pub struct Options<'a> {
    /// Draws in all, half to choose and half to test; a source of draws that were written down uses all it has.
    pub draws: u64,
    /// The probability with which all bounds hold together.
    pub confidence: f64,
    /// Bound δ at this ε, and not ε.
    pub delta_at: Option<Epsilon>,
    /// The families of events to try.
    pub families: Vec<Family>,
    /// Called from any thread with the number of draws made since the last call.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl Default for Options<'_> {
    /// A million draws, 99.9 %, ε, every family.
    fn default() -> Self {
        Options { draws: 1_000_000, confidence: 0.999, delta_at: None, families: Family::ALL.to_vec(), progress: None }
    }
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// All tests that were made; at least one.
    pub tests: Vec<Test>,
    /// Draws that chose the tests.
    pub chosen_on: u64,
    /// Draws that the tests are about.
    pub tested_on: u64,
    /// The probability with which all bounds hold together.
    pub confidence: f64,
}

impl Audit {
    /// The test that comes closest to its claim or exceeds it the most; the first of equals.
    ///
    /// Evidence against a claim comes before evidence against fresh noise ([`Family::Carried`]), which is not measured in what
    /// is claimed; without evidence such a test says nothing of the claim, and comes last.
    pub fn worst(&self) -> &Test {
        let rank = |test: &Test| match (test.is_evidence(), test.family == Family::Carried) {
            (true, false) => 3,
            (true, true) => 2,
            (false, false) => 1,
            (false, true) => 0,
        };
        let order = |one: &&Test, other: &&Test| {
            rank(one).cmp(&rank(other)).then_with(|| one.excess().total_cmp(&other.excess()))
        };
        self.tests.iter().rev().max_by(order).expect("an audit has a test")
    }
}

/// Attacks the pairs of a mechanism.
///
/// # Guarantee
/// For independent draws: with probability at least `confidence`, every [`Test::bound`] is at most the true ε of its
/// pair (or its δ at the given ε), and 0 for [`Family::Carried`]. So a mechanism that keeps its claims and draws fresh noise
/// for each call is accused with probability at most `1 − confidence`. The first half of the draws chooses the pair and the
/// event of each test and has no part in it, but for the echo, which the first rounds choose and the rest of that half
/// tests, and the replays, whose pair is fixed and which hold the first calls of both halves against each other. The error
/// is split over the tests ([`shares`]), and within a test over the two Clopper–Pearson limits.
///
/// Nothing follows from a low bound: another event might tell more.
///
/// # Errors
/// No pair, a pair of one secret, a confidence that is not between 1/2 and 1, no family, fewer draws than two a secret
/// in each half, or whatever the source fails with.
///
/// # Complexity
/// One pass over the draws, on the current rayon pool where the source allows it; pairs × symbols to choose.
///
/// # Reference
/// Ding et al., Detecting Violations of Differential Privacy (2018), with the choice and the test as there; sets by
/// likelihood ratio as in Bichsel et al., DP-Sniper (2021).
pub fn audit<S: Source>(pairs: &[Pair], source: &S, options: &Options<'_>) -> Result<Audit> {
    let plan = Plan::new(pairs, source.starts_afresh(), options)?;
    let (places, codes, silent) = (&plan.places, source.codes(), |_| {});
    let progress = options.progress.unwrap_or(&silent);

    let first = plan.choosing();
    let collected = source.run(Run::Choosing, &first, &|| {
        let views = Views::new::<S::Output>(places.len(), codes.is_some(), plan.replay_draws());
        Choosing::new(places, codes, [plan.noted, plan.replay_draws()], progress, views)
    })?;
    let chosen_on = collected.draws();
    let noted = collected.noted(plan.most_columns(pairs.len()));
    let chosen = plan.choose(&noted, pairs, options);
    let Noted { tallies, labels, calls, .. } = noted;
    let before = calls.between(0, plan.replay_draws());
    let echo = choose_echo(&tallies, &plan.firsts(&calls), pairs, places);
    if chosen.is_empty() {
        return Err(Error::input("the draws show nothing that could be tested, expected more draws or other outputs"));
    }

    let second = plan.testing(&chosen);
    let tested = source.run(Run::Testing, &second, &|| {
        let hits = Hits::new(&chosen, places, before);
        Testing::new(places, codes, hits.noted(), progress, hits)
    })?;
    let (tested_on, seen) = (tested.draws(), tested.seen());
    let seen: Vec<(Chosen, [Seen; 2])> = seen.into_iter().chain(echo).collect();
    let label = |symbol: u64| if codes.is_some() { source.label(symbol) } else { text_of(&labels, symbol) };
    let families: Vec<Family> = seen.iter().map(|(chosen, _)| chosen.family).collect();
    let test = |((chosen, seen), share): (&(Chosen, [Seen; 2]), f64)| {
        let event = match &chosen.what {
            What::Output(event) => event.words(label),
            What::Meeting(meeting) => meeting.words(label),
            What::Before(words) => (*words).to_owned(),
        };
        Test::new(chosen, event, *seen, plan.measure, share)
    };
    Ok(Audit {
        tests: seen.iter().zip(shares(&families, options.confidence)).map(test).collect(),
        chosen_on,
        tested_on,
        confidence: options.confidence,
    })
}

fn text_of(labels: &HashMap<u64, String>, symbol: u64) -> String {
    labels.get(&symbol).cloned().unwrap_or_else(|| "…".to_owned())
}

/// How the draws are shared out.
struct Plan {
    places: Places,
    measure: Measure,
    /// Draws in each of the two runs.
    half: u64,
    /// The pair on which it is seen whether a fresh start brings the same noise, and for how many rounds at the start of
    /// both runs.
    replay_pair: Pair,
    replay_rounds: u64,
    /// Rounds over all secrets after these in which it is seen whether a secret repeats its output.
    echo_rounds: u64,
    /// First calls of the choosing run that are noted.
    noted: u64,
}

/// Any two numbers: the order within rounds must not depend on the mechanism, and differs between the runs.
const ORDERS: [u64; 2] = [0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179];
/// How often each secret comes in a round: after a call for a secret the next may be for the same one, so that calls in a
/// row have all combinations of secrets.
const TIMES: u64 = 2;
/// Rounds that are remembered to see whether a fresh start repeats them.
const REPLAY_ROUNDS: u64 = 2_048;
/// Columns times ordered pairs that a tally is looked at in, at most, but for a few columns in any case.
const MOST_WORK: usize = 8_000_000;
const FEWEST_COLUMNS: usize = 32;
/// Fewer rounds could prove next to nothing, and a test more would weaken the others.
const FEWEST_ROUNDS: u64 = 32;

impl Plan {
    fn new(pairs: &[Pair], starts_afresh: bool, options: &Options<'_>) -> Result<Self> {
        if let Some(pair) = pairs.iter().find(|pair| pair.secrets[0] == pair.secrets[1]) {
            return Err(Error::input(format!("a pair of secret {} and itself, expected two", pair.secrets[0])));
        }
        if !(0.5..1.0).contains(&options.confidence) {
            let found = options.confidence;
            return Err(Error::input(format!("a confidence of {found}, expected at least 0.5 and less than 1")));
        }
        if pairs.is_empty() || options.families.is_empty() {
            let what = if pairs.is_empty() { "pair" } else { "family of events" };
            return Err(Error::input(format!("no {what} to attack, expected at least one")));
        }
        let mut secrets: Vec<u32> = pairs.iter().flat_map(|pair| pair.secrets).collect();
        secrets.sort_unstable();
        secrets.dedup();
        let (half, count) = (options.draws / 2, secrets.len() as u64);
        if half / count < 2 {
            let fewest = 4 * count;
            return Err(Error::input(format!(
                "{} draws for {count} secrets, expected at least {fewest}: two for each to choose, and two to test",
                options.draws
            )));
        }
        let measure = options.delta_at.as_ref().map_or(Measure::Epsilon, |epsilon| {
            Measure::Delta(to_f64(&epsilon.exp(64).upper().to_rational(), Direction::Up))
        });
        let wants =
            |families: &[Family]| starts_afresh && families.iter().any(|family| options.families.contains(family));
        // At most a tenth of the draws of a run.
        let most = REPLAY_ROUNDS.min(half / 20 / TIMES);
        let replays = wants(&[Family::Replay, Family::Recount]) && most >= FEWEST_ROUNDS;
        let replay_rounds = if replays { most } else { 0 };
        let echo_rounds = if wants(&[Family::Echo]) { (ECHO_ANSWERS.min(half / count / 2)) / TIMES } else { 0 };
        let first = TIMES * (2 * replay_rounds + echo_rounds * count);
        let meets = wants(&[Family::Neighbours, Family::Carried]);
        let noted = if meets { first.max(MOST_CALLS) } else { first };
        let places = Places::new(secrets);
        Ok(Plan { places, measure, half, replay_pair: pairs[0], replay_rounds, echo_rounds, noted })
    }

    fn replay_draws(&self) -> u64 {
        2 * TIMES * self.replay_rounds
    }

    /// What to test on the other run.
    fn choose(&self, noted: &Noted, pairs: &[Pair], options: &Options<'_>) -> Vec<Chosen> {
        let (places, wanted) = (&self.places, &options.families[..]);
        let error = 1.0 - options.confidence;
        let (mut chosen, least) = choose(&noted.tallies, pairs, places, self.measure, error, wanted);
        // What is chosen among many events at once looks better than it is, and must not hide what exceeds its claim.
        let least = if pairs[0].claimed.is_some() { least.min(0.0) } else { least };
        if wanted.contains(&Family::Letters) {
            chosen.extend(choose_letters(&noted.lines, pairs, places, (self.measure, error), least));
        }
        chosen.extend(choose_neighbours(
            (&noted.calls, self.replay_draws()),
            pairs,
            places,
            (self.measure, error),
            wanted,
            least,
        ));
        let Pair { secrets, claimed } = self.replay_pair;
        let replays = [Family::Replay, Family::Recount].into_iter().filter(|family| wanted.contains(family));
        let replays = replays.filter(|_| self.replay_rounds > 0);
        chosen.extend(replays.map(|family| Chosen { family, secrets, claimed, what: What::Before("") }));
        chosen
    }

    /// The first answers to each secret, after the calls that are compared between the runs.
    fn firsts(&self, calls: &Calls) -> Vec<Vec<u64>> {
        let mut firsts = vec![Vec::new(); self.places.len()];
        let end = self.replay_draws() + TIMES * self.echo_rounds * self.places.len() as u64;
        let answer = |call: &Call| firsts[call.secret as usize].push(call.symbol);
        calls.between(self.replay_draws(), end).iter().for_each(answer);
        firsts
    }

    /// How many columns of a tally are looked at for each pair: all but where there are very many pairs.
    fn most_columns(&self, pairs: usize) -> usize {
        (MOST_WORK / (2 * pairs)).max(FEWEST_COLUMNS)
    }

    /// Every secret equally often, but for a start with one pair.
    fn choosing(&self) -> Schedule {
        self.schedule(self.places.secrets.clone(), ORDERS[0])
    }

    /// The same start, then only the secrets of the tests.
    fn testing(&self, chosen: &[Chosen]) -> Schedule {
        self.schedule(Places::tested(chosen), ORDERS[1])
    }

    fn schedule(&self, secrets: Vec<u32>, order: u64) -> Schedule {
        let [start, secrets] = [&self.replay_pair.secrets[..], &secrets].map(|list| list.repeat(TIMES as usize));
        let rounds = (self.half - self.replay_draws()) / secrets.len().max(1) as u64;
        Schedule::new(vec![(start, self.replay_rounds), (secrets, rounds)], order)
    }
}

impl Places {
    /// The secrets that have a part in a test beyond the start of the run, ascending.
    fn tested(chosen: &[Chosen]) -> Vec<u32> {
        let later = chosen.iter().filter(|chosen| !matches!(chosen.what, What::Before(_)));
        let mut secrets: Vec<u32> = later.flat_map(|chosen| chosen.secrets).collect();
        secrets.sort_unstable();
        secrets.dedup();
        secrets
    }
}

#[cfg(test)]
#[path = "attack_tests.rs"]
mod tests;
