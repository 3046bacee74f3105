//! A confidence limit above a share.

use super::bentkus::tail_bound;
use super::clopper_pearson;
use super::components::Components;
use super::envelope::Envelope;
use super::identified::dot;
use super::near_normal::{Asked, NearNormal};

/// Readings of the outputs whose mean is never below the share that is looked for, and what is known of that mean before any
/// report: reports follow a mix of the components' laws.
#[derive(Debug, Clone)]
pub(super) struct UpperReading {
    values: Vec<f64>,
    /// How far the mean can be below the share all the same; the rounding of an exact reading, and more where there is none.
    short: f64,
    /// The least and the largest reading of an output that can occur.
    ends: [f64; 2],
    /// Whether these are the only ones.
    is_two_valued: bool,
    /// A mean to count squares from.
    centre: f64,
    /// The largest mean square from the centre, over all mixes with a given mean.
    squares: Envelope,
    /// Whether the variance is learnt from the reports, because mixes with one mean differ in it.
    learns: bool,
    /// How far a reading can be below the mean of its own respondent.
    room: f64,
    near_normal: Option<NearNormal>,
}

/// How the reports came about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sampling {
    /// Each respondent has a law of its own; what is said is true of independent draws from one law as well.
    Fixed,
    /// All reports are independent draws from one law.
    Alike,
}

/// Room for the rounding of sums of readings, as a share of the largest.
const ROUNDING: f64 = 1e-12;
/// Readings nearer to each other than this share of their range are taken for one.
const ONE: f64 = 1e-11;
/// How much larger than expected a variance may be without being learnt, and what part of the error learning it takes.
const FAIR: f64 = 1.1;
const LEARNING: f64 = 0.1;
/// The largest error for which the limits of a binomial are those of every sum of coins with its mean.
const LARGEST_ERROR: f64 = 0.25;
/// How near a limit is found, as a share of its distance from the mean.
const NEAR: f64 = 1e-5;

impl UpperReading {
    /// Of readings by output, for what each part has of the share. No guarantee rests on the `expected` law of the reports,
    /// nor on how the readings were found. `readings` is how many there are beside these.
    pub(super) fn new(
        mut values: Vec<f64>,
        shares: &[f64],
        components: &Components,
        expected: &[f64],
        readings: usize,
    ) -> Self {
        let possible = components.possible();
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for (&value, _) in values.iter().zip(possible).filter(|(_, possible)| **possible) {
            ends = [ends[0].min(value), ends[1].max(value)];
        }
        let near = |value: f64, end: f64| (value - end).abs() <= ONE * (ends[1] - ends[0]);
        let is_end = |(value, possible): (&f64, &bool)| !possible || ends.iter().any(|&end| near(*value, end));
        let is_two_valued = values.iter().zip(possible).all(is_end);
        for (value, _) in values.iter_mut().zip(possible).filter(|(_, possible)| is_two_valued && **possible) {
            *value = if near(*value, ends[0]) { ends[0] } else { ends[1] };
        }
        let short = components.short(&values, shares);
        let centre = dot(&values, expected);
        let square = |law: &[f64]| law.iter().zip(&values).map(|(p, g)| p * (g - centre) * (g - centre)).sum::<f64>();
        let squares = components.squares(&values, centre);
        let learns = squares.at(centre) > FAIR * square(expected);
        let room = largest_own_mean(&values, squares.range()[1], components) - ends[0];
        let near_normal = NearNormal::new(&values, components, readings).filter(|_| !is_two_valued);
        UpperReading { values, short, ends, is_two_valued, centre, squares, learns, room, near_normal }
    }

    /// Whether the readings are two numbers only, so that reports are counted.
    pub(super) fn is_two_valued(&self) -> bool {
        self.is_two_valued
    }

    /// What the reports say of the share: the mean of their readings, as near to it as a mix of the components comes.
    pub(super) fn mean(&self, counts: &[u64], reports: u64) -> f64 {
        let sum: f64 = counts.iter().zip(&self.values).map(|(&count, value)| count as f64 * value).sum();
        let [least, most] = self.squares.range();
        (sum / reports as f64).clamp(least, most)
    }

    /// The upper limit of the share.
    ///
    /// # Guarantee
    /// With probability at most `error` it is below the true share, of the respondents and of the population that they come
    /// from; for reports that are alike, of the population only. Readings with two values are counted: limits of Clopper and
    /// Pearson, which hold for fixed respondents too (Hoeffding 1956) once the limit next to the last is moved. Other readings
    /// have Bentkus's bound with the largest variance that a mix can have there, or the normal law with the error of Berry and
    /// Esseen. For one law each rejects all means of reports up to some number, and so the smaller limit of both has that
    /// error.
    ///
    /// # Reference
    /// W. Hoeffding, "On the distribution of the number of successes in independent trials", Annals of Mathematical
    /// Statistics 27 (1956), theorem 5.
    pub(super) fn limit(&self, counts: &[u64], sampling: Sampling, error: f64) -> f64 {
        let reports: u64 = counts.iter().sum();
        let size = self.ends[0].abs().max(self.ends[1].abs()).max(1.0);
        let [_, most] = self.squares.range();
        let mean = if self.is_two_valued {
            self.counted(counts, reports, error)
        } else {
            self.bounded(counts, reports, sampling, error)
        };
        mean.min(most) + self.short + ROUNDING * size
    }

    /// The limit of a mean of two values.
    fn counted(&self, counts: &[u64], reports: u64, error: f64) -> f64 {
        let [low, high] = self.ends;
        let is_high = |value: &f64| high > low && *value == high;
        let successes: u64 =
            counts.iter().zip(&self.values).filter(|(_, value)| is_high(value)).map(|(count, _)| count).sum();
        // Fewer than any mix gives are read as the fewest: otherwise reports that do not fit would have the narrowest interval.
        let fewest = (reports as f64 * (self.squares.range()[0] - low) / (high - low)).ceil();
        low + (high - low) * upper_share(successes.max(fewest as u64).min(reports), reports, error)
    }

    /// The limit of a mean of any values.
    fn bounded(&self, counts: &[u64], reports: u64, sampling: Sampling, error: f64) -> f64 {
        let n = reports as f64;
        let mean = self.mean(counts, reports);
        let [_, most] = self.squares.range();
        let (error, cap) = match self.learns {
            true => (error * (1.0 - LEARNING), self.learnt_square(counts, n, error * LEARNING)),
            false => (error, f64::INFINITY),
        };
        let variance = |at: f64| {
            let square = self.squares.at(at).min(cap) - (at - self.centre) * (at - self.centre);
            square.max(0.0) * (1.0 + 1e-9)
        };
        let asked = Asked { reports, room: self.room, error };
        // The largest variance is concave, so that it grows less fast than the distance from the mean.
        let bentkus = |at: f64| tail_bound(reports, variance(at), self.room, n * (at - mean)) >= error;
        let limit = last([mean, most], bentkus);
        let near_normal = self.near_normal.as_ref();
        match near_normal.and_then(|normal| normal.rarity([mean, limit], asked, sampling, variance)) {
            Some(is_rare) => last([mean, limit], |at| !is_rare(at)),
            None => limit,
        }
    }

    /// A mean square from the centre that the true one exceeds with at most this probability: readings W ≥ 0 that are at most G
    /// have `Pr[mean ≤ V − t] ≤ exp(−n t²/(2GV))`.
    fn learnt_square(&self, counts: &[u64], n: f64, error: f64) -> f64 {
        let square = |value: f64| (value - self.centre) * (value - self.centre);
        let most = self.ends.map(square).into_iter().fold(0.0, f64::max);
        let seen =
            counts.iter().zip(&self.values).map(|(&count, &value)| count as f64 * square(value)).sum::<f64>() / n;
        let room = -error.ln() * most / n;
        seen + room + (room * room + 2.0 * room * seen).sqrt()
    }
}

/// The largest mean that the readings of one row can have, where the largest among the components is this: if some rows stand in for
/// others, components are mixes of both kinds, and a row is one or the other.
fn largest_own_mean(values: &[f64], most: f64, components: &Components) -> f64 {
    let Some((share, law)) = components.fixed() else { return most };
    let fixed = dot(values, law);
    fixed.max((most - share * fixed) / (1.0 - share))
}

/// The upper limit of the mean probability of coins that need not be alike, after so many successes.
///
/// That of Clopper and Pearson is valid as long as it is a whole success beyond what was seen; with one failure it is not, and
/// there Markov's inequality says 1 − error/n.
pub(super) fn upper_share(successes: u64, trials: u64, error: f64) -> f64 {
    let error = error.min(LARGEST_ERROR);
    match trials - successes {
        1 => 1.0 - error / trials as f64,
        _ => clopper_pearson::upper_limit(successes, trials, error),
    }
}

/// The largest point of an interval of which this is true, from outside: it is true up to some point, and then false.
fn last([from, to]: [f64; 2], is_possible: impl Fn(f64) -> bool) -> f64 {
    if to <= from || is_possible(to) {
        return to;
    }
    let (mut inside, mut outside) = (from, to);
    while outside - inside > NEAR * (outside - from) {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            break;
        }
        if is_possible(middle) { inside = middle } else { outside = middle }
    }
    outside
}

#[cfg(test)]
#[path = "upper_reading_tests.rs"]
mod tests;
