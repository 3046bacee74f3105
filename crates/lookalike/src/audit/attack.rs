//! The audit: choose on one half of the draws, test on the other.

use super::candidate::Measure;
use super::choose::{Chosen, ECHO_ROUNDS, choose, choose_echo, choose_replay};
use super::event::Family;
use super::pairs::Pair;
use super::schedule::Schedule;
use super::source::{Run, Source};
use super::tally::{Choosing, Places};
use super::test::{Test, Testing};
use crate::error::{Error, Result};
use crate::exact::{Direction, to_f64};
use crate::model::Epsilon;
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
    pub fn worst(&self) -> &Test {
        let tests = self.tests.iter().rev();
        tests.max_by(|one, other| one.excess().total_cmp(&other.excess())).expect("an audit has a test")
    }
}

/// Attacks the pairs of a mechanism.
///
/// # Guarantee
/// For independent draws: with probability at least `confidence`, every [`Test::bound`] is at most the true ε of its
/// pair (or its δ at the given ε). So a mechanism that keeps its claims is accused with probability at most
/// `1 − confidence`. The first half of the draws chooses the pair and the event of each test and has no part in it;
/// the error is split evenly over the tests, and within a test over the two Clopper–Pearson limits.
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
    let collected = source
        .run(Run::Choosing, &first, &|| Choosing::new::<S::Output>(places, codes, plan.remembered_draws(), progress))?;
    let chosen_on = collected.draws();
    let (tallies, labels, remembered) = collected.tallies();
    let replay = &remembered[..plan.replay_draws()];
    let error = 1.0 - options.confidence;
    let mut chosen = choose(&tallies, pairs, places, plan.measure, error, &options.families);
    chosen.extend(choose_replay(replay, pairs, places));
    let echo = choose_echo(&tallies, &remembered, pairs, places).filter(|_| options.families.contains(&Family::Echo));
    if chosen.is_empty() {
        return Err(Error::input("the draws show nothing that could be tested, expected more draws or other outputs"));
    }

    let second = plan.testing(&chosen);
    let tested = source.run(Run::Testing, &second, &|| Testing::new(&chosen, places, codes, replay, progress))?;
    let (tested_on, mut seen) = (tested.draws(), tested.seen());
    drop(tested);
    if let Some((of, counts)) = echo {
        chosen.push(of);
        seen.push(counts);
    }
    let label = |symbol: u64| if codes.is_some() { source.label(symbol) } else { text_of(&labels, symbol) };
    let each = error / chosen.len() as f64;
    let test = |(chosen, seen): (&Chosen, _)| {
        let known = if chosen.family == Family::Echo { AS_AT_FIRST } else { AS_BEFORE };
        let event = chosen.event.as_ref().map_or_else(|| known.to_owned(), |event| event.words(label));
        Test::new(chosen, event, seen, plan.measure, each)
    };
    Ok(Audit {
        tests: chosen.iter().zip(seen).map(test).collect(),
        chosen_on,
        tested_on,
        confidence: options.confidence,
    })
}

const AS_BEFORE: &str = "the output is what it was at the same place after another start";
const AS_AT_FIRST: &str = "the output is what the first secret got at the beginning of the run";

fn text_of(labels: &HashMap<u64, String>, symbol: u64) -> String {
    labels.get(&symbol).cloned().unwrap_or_else(|| "…".to_owned())
}

/// How the draws are shared out.
struct Plan {
    places: Places,
    measure: Measure,
    /// Draws in each of the two runs.
    half: u64,
    /// Rounds at the start of both runs that are compared draw by draw.
    replay_rounds: u64,
    /// Rounds at the start of the choosing run that are remembered, at least those.
    remembered_rounds: u64,
}

/// Rounds and draws that are remembered to see whether a fresh start repeats them.
const REPLAY_ROUNDS: u64 = 4_096;
const REPLAY_DRAWS: u64 = 1 << 18;
/// Fewer rounds could prove next to nothing, and a test more would weaken the others.
const FEWEST_ROUNDS: u64 = 64;

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
        let replays = starts_afresh && options.families.contains(&Family::Replay);
        // At most a tenth of the draws that test go to secrets that are not tested.
        let most = REPLAY_ROUNDS.min(REPLAY_DRAWS / count).min(half / count / 10);
        let replay_rounds = if replays && most >= FEWEST_ROUNDS { most } else { 0 };
        let remembered_rounds = if starts_afresh { replay_rounds.max(ECHO_ROUNDS.min(half / count / 2)) } else { 0 };
        Ok(Plan { places: Places::new(secrets), measure, half, replay_rounds, remembered_rounds })
    }

    fn replay_draws(&self) -> usize {
        self.replay_rounds as usize * self.places.len()
    }

    fn remembered_draws(&self) -> usize {
        self.remembered_rounds as usize * self.places.len()
    }

    /// Every secret equally often.
    fn choosing(&self) -> Schedule {
        let rounds = self.half / self.places.len() as u64;
        Schedule::new(vec![(self.places.secrets.clone(), rounds)])
    }

    /// The same start, then only the secrets of the tests.
    fn testing(&self, chosen: &[Chosen]) -> Schedule {
        let tested = Places::tested(chosen);
        let left = self.half.saturating_sub(self.replay_draws() as u64);
        let rounds = left / tested.len() as u64;
        Schedule::new(vec![(self.places.secrets.clone(), self.replay_rounds), (tested, rounds)])
    }
}

impl Places {
    /// The secrets that have a part in a test, ascending.
    fn tested(chosen: &[Chosen]) -> Vec<u32> {
        let mut secrets: Vec<u32> = chosen.iter().flat_map(|chosen| chosen.secrets).collect();
        secrets.sort_unstable();
        secrets.dedup();
        secrets
    }
}

#[cfg(test)]
#[path = "attack_tests.rs"]
mod tests;
