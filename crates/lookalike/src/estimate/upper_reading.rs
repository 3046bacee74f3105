//! A confidence limit above a share.

use super::bentkus::tail_bound;
use super::clopper_pearson;
use super::components::Components;
use super::envelope::Envelope;
use super::identified::dot;
use super::normal::upper_quantile;

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
/// The constant of Berry and Esseen for draws from one law.
const BERRY_ESSEEN: f64 = 0.4748;
/// The largest error for which the limits of a binomial are those of every sum of coins with its mean.
const LARGEST_ERROR: f64 = 0.25;
/// Halvings to a limit.
const HALVINGS: u32 = 44;

impl UpperReading {
    /// Of readings by output, for what each component has of the share. No guarantee rests on the `expected` law of the reports,
    /// nor on how the readings were found.
    pub(super) fn new(mut values: Vec<f64>, shares: &[f64], components: &Components, expected: &[f64]) -> Self {
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
        let short = components.laws().zip(shares).map(|(law, share)| share - dot(&values, law)).fold(0.0, f64::max);
        let centre = dot(&values, expected);
        let square = |law: &[f64]| law.iter().zip(&values).map(|(p, g)| p * (g - centre) * (g - centre)).sum::<f64>();
        let squares = Envelope::over(components.laws().map(|law| (dot(&values, law), square(law))));
        let learns = squares.at(centre) > FAIR * square(expected);
        UpperReading { values, short, ends, is_two_valued, centre, squares, learns }
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
    /// have Bentkus's bound with the largest variance that a mix can have there, and, where reports are alike, the normal law
    /// with the error of Berry and Esseen; each holds by itself for every law, so the smaller of them does.
    ///
    /// # Reference
    /// W. Hoeffding, "On the distribution of the number of successes in independent trials", Annals of Mathematical
    /// Statistics 27 (1956), theorem 5; I. Shevtsova, arXiv 1111.6554 (2011), for 0.4748.
    pub(super) fn limit(&self, counts: &[u64], components: &Components, sampling: Sampling, error: f64) -> f64 {
        let reports: u64 = counts.iter().sum();
        let size = self.ends[0].abs().max(self.ends[1].abs()).max(1.0);
        let [_, most] = self.squares.range();
        let mean = if self.is_two_valued {
            self.counted(counts, reports, error)
        } else {
            self.bounded(counts, reports, components, sampling, error)
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
    fn bounded(&self, counts: &[u64], reports: u64, components: &Components, sampling: Sampling, error: f64) -> f64 {
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
        // How far a reading can be below the mean of its own respondent.
        let room = most - self.ends[0];
        // The largest variance falls with the distance from the mean less fast than the square of that grows, so it is one half.
        let bentkus = |at: f64| tail_bound(reports, variance(at), room, n * (at - mean)) >= error;
        let limit = last([mean, most], bentkus);
        if sampling == Sampling::Fixed {
            return limit;
        }
        let distance = self.distance_to_normal(components, mean, limit) / n.sqrt();
        if distance >= error {
            return limit;
        }
        let deviations = upper_quantile(error - distance);
        last([mean, limit], |at| (at - mean) * n.sqrt() <= deviations * variance(at).sqrt())
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

    /// `√n` times the largest distance between the law of a mean and the normal one, for laws whose mean lies between these two:
    /// `E|g − μ|³/σ³` at most, times the constant.
    fn distance_to_normal(&self, components: &Components, from: f64, to: f64) -> f64 {
        let width = to - from;
        let cube = |law: &[f64]| {
            let power = |p: &f64, g: &f64| p * ((g - from).abs() + width).powi(3);
            law.iter().zip(&self.values).map(|(p, g)| power(p, g)).sum::<f64>()
        };
        let square = |law: &[f64]| law.iter().zip(&self.values).map(|(p, g)| p * (g - from) * (g - from)).sum::<f64>();
        let means = || components.laws().map(|law| dot(&self.values, law));
        let third = Envelope::over(means().zip(components.laws().map(cube))).most([from, to]);
        let least = -Envelope::over(means().zip(components.laws().map(|law| -square(law)))).most([from, to]);
        let variance = least - width * width;
        if variance > 0.0 { BERRY_ESSEEN * third / variance.powf(1.5) } else { f64::INFINITY }
    }
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
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        if is_possible(middle) { inside = middle } else { outside = middle }
    }
    outside
}
