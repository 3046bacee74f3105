//! The audit: choose on one half of the draws, test on the other.

use super::candidate::Measure;
use super::choose::{Chosen, ECHO_ROUNDS, choose, choose_echo};
use super::event::Family;
use super::pairs::Pair;
use super::schedule::Schedule;
use super::source::{Run, Source};
use super::tally::{Choosing, Places};
use super::test::{Remembered, Test, Testing, shares};
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
/// `1 − confidence`. The first half of the draws chooses the pair and the event of each test and has no part in it, but
/// for the echo, which the first rounds choose and the rest of that half tests. The error is split over the tests
/// ([`shares`]), and within a test over the two Clopper–Pearson limits.
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
        .run(Run::Choosing, &first, &|| Choosing::new::<S::Output>(places, codes, plan.remembered(), progress))?;
    let chosen_on = collected.draws();
    let (tallies, labels, remembered) = collected.tallies(plan.most_columns(pairs.len()));
    let (replay, rounds) = plan.memories(&first, &remembered);
    let error = 1.0 - options.confidence;
    let mut chosen = choose(&tallies, pairs, places, plan.measure, error, &options.families);
    let Pair { secrets, claimed } = plan.replay_pair;
    chosen.extend((!replay.is_empty()).then_some(Chosen { family: Family::Replay, secrets, claimed, event: None }));
    let echo = choose_echo(&tallies, &rounds, pairs, places);
    if chosen.is_empty() {
        return Err(Error::input("the draws show nothing that could be tested, expected more draws or other outputs"));
    }

    let second = plan.testing(&chosen);
    let tested = source.run(Run::Testing, &second, &|| Testing::new(&chosen, places, codes, &replay, progress))?;
    let (tested_on, mut seen) = (tested.draws(), tested.seen());
    drop(tested);
    if let Some((of, counts)) = echo {
        chosen.push(of);
        seen.push(counts);
    }
    let label = |symbol: u64| if codes.is_some() { source.label(symbol) } else { text_of(&labels, symbol) };
    let families: Vec<Family> = chosen.iter().map(|chosen| chosen.family).collect();
    let test = |((chosen, seen), share): ((&Chosen, _), f64)| {
        let known = if chosen.family == Family::Echo { AS_AT_FIRST } else { AS_BEFORE };
        let event = chosen.event.as_ref().map_or_else(|| known.to_owned(), |event| event.words(label));
        Test::new(chosen, event, seen, plan.measure, share)
    };
    Ok(Audit {
        tests: chosen.iter().zip(seen).zip(shares(&families, options.confidence)).map(test).collect(),
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
    /// The pair on which it is seen whether a fresh start brings the same noise, and for how many rounds at the start of
    /// both runs.
    replay_pair: Pair,
    replay_rounds: u64,
    /// Rounds over all secrets after these in which it is seen whether a secret repeats its output.
    echo_rounds: u64,
}

/// Any two numbers: the order within rounds must not depend on the mechanism, and differs between the runs.
const ORDERS: [u64; 2] = [0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179];
/// Rounds that are remembered to see whether a fresh start repeats them.
const REPLAY_ROUNDS: u64 = 4_096;
/// Columns times ordered pairs that a tally is looked at in, at most, but for a few columns in any case.
const MOST_WORK: usize = 8_000_000;
const FEWEST_COLUMNS: usize = 32;
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
        // At most a tenth of the draws of a run.
        let most = REPLAY_ROUNDS.min(half / 20);
        let replay_rounds = if replays && most >= FEWEST_ROUNDS { most } else { 0 };
        let echoes = starts_afresh && options.families.contains(&Family::Echo);
        let echo_rounds = if echoes { ECHO_ROUNDS.min(half / count / 2) } else { 0 };
        Ok(Plan { places: Places::new(secrets), measure, half, replay_pair: pairs[0], replay_rounds, echo_rounds })
    }

    fn replay_draws(&self) -> u64 {
        2 * self.replay_rounds
    }

    /// Draws of the choosing run that are only remembered, and after them those that are counted as well.
    fn remembered(&self) -> [u64; 2] {
        [self.replay_draws(), self.echo_rounds * self.places.len() as u64]
    }

    /// What is remembered of the choosing run: its first draws one by one, and the first rounds over all secrets with the
    /// output of each secret.
    fn memories(&self, choosing: &Schedule, outputs: &[u64]) -> (Vec<Remembered>, Vec<Vec<u64>>) {
        let mut secrets = vec![0; outputs.len()];
        choosing.fill(0, &mut secrets);
        let remembered = secrets.iter().zip(outputs);
        let remembered = remembered.map(|(&secret, &symbol)| Remembered { secret: self.places.of(secret), symbol });
        let mut replay: Vec<Remembered> = remembered.collect();
        let echo = replay.split_off(self.replay_draws() as usize);
        let by_secret = |round: &[Remembered]| {
            let mut symbols = vec![0; round.len()];
            round.iter().for_each(|draw| symbols[draw.secret] = draw.symbol);
            symbols
        };
        let rounds = echo.chunks_exact(self.places.len()).map(by_secret).collect();
        (replay, rounds)
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
        let rounds = (self.half - self.replay_draws()) / secrets.len() as u64;
        Schedule::new(vec![(self.replay_pair.secrets.to_vec(), self.replay_rounds), (secrets, rounds)], order)
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
