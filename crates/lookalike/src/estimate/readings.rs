//! How the outputs are read for both ends of every interval.

use super::components::Components;
use super::dense::Symmetric;
use super::identified::dot;
use super::joint::Joint;
use super::majorant::{Purpose, majorant_within};
use super::normal::upper_quantile;
use super::targets::Target;
use super::upper_reading::{Sampling, UpperReading};
use rayon::prelude::*;

/// Readings for one number of reports and one error: found from the mechanism alone, so that any use of them is valid.
pub(super) struct Readings {
    components: Components,
    /// For each target a reading above its share, and one above the rest of the whole.
    ends: Vec<[UpperReading; 2]>,
    /// How often each end may miss.
    error: f64,
    /// Where intervals that hold all at once are narrower so.
    joint: Option<Joint>,
}

/// What all programs for readings may cost: components · outputs² · targets.
const CHEAP: f64 = 2e7;
const DEAR: f64 = 1.5e9;
/// Rounds for those that are not cheap.
const FEW_ROUNDS: u32 = 3;
/// How many times as wide intervals of exact readings may be in the case that is expected: readings with a bias are worse in others.
const AS_GOOD: f64 = 1.25;
/// Bentkus's bound takes so many times the deviations of the normal law.
const BEYOND_NORMAL: f64 = 1.25;

impl Readings {
    /// Each end of an interval may miss with probability `error`; `together` says that the intervals need only hold all at once
    /// with the sum of these.
    pub(super) fn new(components: Components, targets: &[Target], reports: f64, error: f64, together: bool) -> Self {
        let expected = components.expected_law();
        // Of all laws within limits few are needed at a time.
        let laws = components.regions().map_or(components.count, |_| components.own() + components.outputs);
        let cost = (laws * components.outputs * components.outputs * targets.len()) as f64;
        let deviations = BEYOND_NORMAL * upper_quantile(error.min(0.25));
        let purpose = Purpose { expected: &expected, reports, deviations };
        let end = |shares: &[f64], exact: Option<Vec<f64>>| {
            let of = |values| UpperReading::new(values, shares, &components, &expected, 2 * targets.len());
            let reading = exact.clone().map(of);
            if let Some(reading) = reading.filter(|reading| reading.is_two_valued() || cost > CHEAP) {
                return reading;
            }
            if cost > DEAR {
                return of(regression(&components, &components.shares(shares), &expected, reports));
            }
            let rounds = if cost > CHEAP { FEW_ROUNDS } else { u32::MAX };
            let found = majorant_within(&components, shares, purpose, exact.as_deref(), rounds);
            let expected = dot(&components.shares(shares), components.expected());
            let beyond = |values: &[f64]| purpose.limit(values) - expected;
            let is_good = |exact: &Vec<f64>| beyond(exact) <= AS_GOOD * beyond(&found);
            of(exact.filter(is_good).unwrap_or(found))
        };
        let both = |target: &Target| {
            let shares = target.shares(&components);
            let rest: Vec<f64> = shares.iter().map(|share| 1.0 - share).collect();
            let exact = target.reading(&components);
            let opposite = exact.as_ref().map(|values| values.iter().map(|value| 1.0 - value).collect());
            [end(&shares, exact), end(&rest, opposite)]
        };
        let ends = targets.par_iter().map(both).collect();
        let joint = || Joint::new(&components, targets.iter().map(|target| target.shares(&components)));
        let joint = if together { joint() } else { None };
        let readings = Readings { components, ends, error, joint: None };
        let expected = whole(&expected, (reports as u64).max(1));
        let is_narrower = |joint: &Joint| {
            let width = |intervals: Vec<[f64; 2]>| {
                intervals.iter().map(|[lower, upper]| upper.min(1.0) - lower.max(0.0)).sum::<f64>()
            };
            width(readings.jointly(joint, &expected)) < width(readings.intervals(&expected, Sampling::Fixed))
        };
        let joint = joint.filter(is_narrower);
        Readings { joint, ..readings }
    }

    fn jointly(&self, joint: &Joint, counts: &[u64]) -> Vec<[f64; 2]> {
        joint.intervals(&self.components, counts, 2.0 * self.error * self.ends.len() as f64)
    }

    /// The interval of each target.
    pub(super) fn intervals(&self, counts: &[u64], sampling: Sampling) -> Vec<[f64; 2]> {
        if let Some(joint) = &self.joint {
            return self.jointly(joint, counts);
        }
        let limit = |reading: &UpperReading| reading.limit(counts, sampling, self.error);
        self.ends.iter().map(|[above, rest]| [1.0 - limit(rest), limit(above)]).collect()
    }

    pub(super) fn components(&self) -> &Components {
        &self.components
    }
}

/// Readings that are near the shares of all components and not too noisy, where a program for each would take too long.
fn regression(components: &Components, shares: &[f64], expected: &[f64], reports: f64) -> Vec<f64> {
    let mut matrix = Symmetric::zero(components.outputs);
    let mut right = vec![0.0; components.outputs];
    let each = 1.0 / components.count as f64;
    for (law, share) in components.laws().zip(shares) {
        matrix.add_outer(each, law);
        right.iter_mut().zip(law).for_each(|(sum, p)| *sum += each * share * p);
    }
    (0..components.outputs).for_each(|y| matrix.add_diagonal(y, (expected[y] + 1.0 / reports) / reports));
    matrix.solve(&right)
}

/// Whole numbers with this sum that are near a law.
pub(super) fn whole(law: &[f64], sum: u64) -> Vec<u64> {
    let mut before = 0.0;
    let mut given = 0;
    let total: f64 = law.iter().sum();
    let mut count = |p: &f64| {
        before += p / total;
        let upto = ((before * sum as f64).round() as u64).clamp(given, sum);
        let count = upto - given;
        given = upto;
        count
    };
    law.iter().map(&mut count).collect()
}
