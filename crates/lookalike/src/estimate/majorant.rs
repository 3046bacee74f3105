//! Readings that are nowhere below a share, and as little above it as the noise allows.

use super::components::Components;
use super::dense::Symmetric;
use super::identified::dot;

/// Rounds in which the deviation of the readings is brought up to date, and the share by which it still changes in the last one.
const MOST_ROUNDS: u32 = 12;
const SETTLED: f64 = 0.02;
const MOST_STEPS: u32 = 60;
/// The mean product of slacks and multipliers at which a round ends.
const ENOUGH: f64 = 1e-9;
/// How far towards the boundary a step goes.
const NEARLY: f64 = 0.99;
/// The least deviation that is guessed.
const LEAST: f64 = 1e-3;
/// Reports that every output counts as having beside those that are expected of it.
const FEW: f64 = 3.0;

/// What readings are to be good for: a law of the reports that is expected, how many they are, and how many deviations beyond
/// their mean a limit will be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Purpose<'a> {
    pub(super) expected: &'a [f64],
    pub(super) reports: f64,
    pub(super) deviations: f64,
}

impl Purpose<'_> {
    /// Where a limit is to be expected: `mean + deviations · deviation/√n`.
    pub(super) fn limit(&self, readings: &[f64]) -> f64 {
        let (centre, deviation) = self.spread(readings);
        centre + self.deviations * deviation / self.reports.sqrt()
    }

    /// The mean of readings, and their deviation.
    fn spread(&self, readings: &[f64]) -> (f64, f64) {
        let centre = dot(readings, self.expected);
        let off = |(g, w): (&f64, f64)| w * (g - centre) * (g - centre);
        (centre, readings.iter().zip(self.weights()).map(off).sum::<f64>().sqrt())
    }

    fn weights(&self) -> impl Iterator<Item = f64> {
        self.expected.iter().map(|p| p + FEW / self.reports)
    }
}

/// Readings g of the outputs with `Σ_y Q_k(y) g(y) ≥ share_k` for every component k, so that their mean is never below the
/// share whatever the mix is, and for which the limit of [`Purpose::limit`] is low.
///
/// Where the shares are determined this is a compromise as well: readings without bias can be so noisy that a little bias is
/// better.
///
/// The deviation is the root of a quadratic form; for a guess of its size that is bounded by the form itself, so a round is a
/// quadratic program with one row a component, done by a primal-dual interior-point method. No round makes the limit higher than
/// it is for readings with the guessed deviation: that of the readings to begin `from`, if there are such. The reading 2 of every
/// output is inside all rows, so each point it visits keeps them.
///
/// # Complexity
/// O(k·m²) a step for k components and m outputs, some fifteen steps a round.
pub(super) fn majorant(
    components: &Components,
    shares: &[f64],
    purpose: Purpose<'_>,
    from: Option<&[f64]>,
    rounds: u32,
) -> Vec<f64> {
    let mut readings = vec![2.0; purpose.expected.len()];
    let (mut centre, mut deviation) = from.map_or((0.5, 0.5), |from| purpose.spread(from));
    for _ in 0..rounds.min(MOST_ROUNDS) {
        let pull = purpose.deviations / (deviation.max(LEAST) * purpose.reports.sqrt());
        let form = Form { weights: purpose.weights().map(|w| pull * w).collect(), centre, slope: purpose.expected };
        readings = least(components, shares, &form);
        let before = deviation;
        (centre, deviation) = purpose.spread(&readings);
        if (deviation - before).abs() <= SETTLED * before {
            break;
        }
    }
    readings
}

/// The same where profiles are known up to limits, for a share that is given by part: readings for some of the laws, and then again with
/// the laws for which they are too low, until there is none. What they may still be short of the share is asked of all laws by whoever
/// uses them.
pub(super) fn majorant_within(
    components: &Components,
    parts: &[f64],
    purpose: Purpose<'_>,
    from: Option<&[f64]>,
    rounds: u32,
) -> Vec<f64> {
    let Some(regions) = components.regions() else { return majorant(components, parts, purpose, from, rounds) };
    let mut working = components.fitted();
    let mut readings = Vec::new();
    for _ in 0..MOST_CUTS {
        readings = majorant(&working, &working.shares(parts), purpose, from, rounds);
        let mut more = regions.short_laws(&readings, parts, CLOSE);
        if more.is_empty() {
            break;
        }
        more.truncate(MOST_AT_ONCE.max(2 * components.outputs));
        working = working.with(more);
    }
    readings
}

/// How often laws are added, how many at once at least, and how far readings may be short of a share without that.
const MOST_CUTS: u32 = 25;
const MOST_AT_ONCE: usize = 16;
const CLOSE: f64 = 1e-5;

/// `Σ slope·g + ½ Σ weight·(g − centre)²`.
struct Form<'a> {
    weights: Vec<f64>,
    centre: f64,
    slope: &'a [f64],
}

/// The least value of a form over all readings that are not below the shares.
fn least(components: &Components, shares: &[f64], form: &Form<'_>) -> Vec<f64> {
    let (size, count) = (components.outputs, components.count);
    let mut g = vec![2.0; size];
    let slack = |g: &[f64]| -> Vec<f64> { components.laws().zip(shares).map(|(law, t)| dot(law, g) - t).collect() };
    let mut s = slack(&g);
    let mut multipliers: Vec<f64> = s.iter().map(|s| 1.0 / (count as f64 * s)).collect();
    for _ in 0..MOST_STEPS {
        let product = s.iter().zip(&multipliers).map(|(s, l)| s * l).sum::<f64>();
        if product <= ENOUGH {
            break;
        }
        let target = 0.1 * product / count as f64;
        let mut matrix = Symmetric::zero(size);
        let gradient = |y: usize| -form.slope[y] - form.weights[y] * (g[y] - form.centre);
        let mut right: Vec<f64> = (0..size).map(gradient).collect();
        for (k, law) in components.laws().enumerate() {
            matrix.add_outer(multipliers[k] / s[k], law);
            right.iter_mut().zip(law).for_each(|(sum, a)| *sum += target / s[k] * a);
        }
        (0..size).for_each(|y| matrix.add_diagonal(y, form.weights[y]));
        let dg = matrix.solve(&right);
        let ds: Vec<f64> = components.laws().map(|law| dot(law, &dg)).collect();
        let dl: Vec<f64> = (0..count).map(|k| (target - multipliers[k] * ds[k]) / s[k] - multipliers[k]).collect();
        let (along, across) = (reach(&s, &ds), reach(&multipliers, &dl));
        if !(along.is_finite() && across.is_finite()) || along.max(across) < 1e-12 {
            break;
        }
        g.iter_mut().zip(&dg).for_each(|(g, d)| *g += along * d);
        multipliers.iter_mut().zip(&dl).for_each(|(l, d)| *l += across * d);
        s.iter_mut().zip(&ds).for_each(|(s, d)| *s += along * d);
    }
    g
}

/// How far one can go before an entry is not positive any more; at most 1.
pub(super) fn reach(values: &[f64], change: &[f64]) -> f64 {
    let most = values.iter().zip(change).filter(|(_, change)| **change < 0.0).map(|(value, change)| -value / change);
    (NEARLY * most.fold(f64::INFINITY, f64::min)).min(1.0)
}
