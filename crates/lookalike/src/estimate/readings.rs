//! How the outputs are read for both ends of every interval.

use super::components::Components;
use super::dense::Symmetric;
use super::majorant::majorant;
use super::normal::upper_quantile;
use super::targets::Target;
use super::upper_reading::{Sampling, UpperReading};
use rayon::prelude::*;

/// Readings for one number of reports and one error: found from the mechanism alone, so that any use of them is valid.
pub(super) struct Readings {
    components: Components,
    /// For each target a reading above its share, and one above the rest of the whole.
    ends: Vec<[UpperReading; 2]>,
    error: f64,
}

/// What all programs for readings may cost: components · outputs² · targets.
const CHEAP: f64 = 2e7;
const DEAR: f64 = 1.5e9;
/// Bentkus's bound takes so many times the deviations of the normal law.
const BEYOND_NORMAL: f64 = 1.25;

impl Readings {
    pub(super) fn new(components: Components, targets: &[Target], reports: f64, error: f64) -> Self {
        let expected = components.expected_law();
        let cost = (components.count * components.outputs * components.outputs * targets.len()) as f64;
        let deviations = BEYOND_NORMAL * upper_quantile(error.min(0.25));
        let end = |shares: &[f64], exact: Option<Vec<f64>>| {
            let of = |values: Vec<f64>| UpperReading::new(values, shares, &components, &expected);
            if let Some(exact) = exact {
                let reading = of(exact);
                if reading.is_two_valued() || cost > CHEAP {
                    return reading;
                }
            }
            of(match cost <= DEAR {
                true => majorant(&components, shares, &expected, reports, deviations),
                false => regression(&components, shares, &expected, reports),
            })
        };
        let both = |target: &Target| {
            let shares = target.shares(&components);
            let rest: Vec<f64> = shares.iter().map(|share| 1.0 - share).collect();
            let exact = target.reading(&components);
            let opposite = exact.as_ref().map(|values| values.iter().map(|value| 1.0 - value).collect());
            [end(&shares, exact), end(&rest, opposite)]
        };
        let ends = targets.par_iter().map(both).collect();
        Readings { components, ends, error }
    }

    /// The interval of each target.
    pub(super) fn intervals(&self, counts: &[u64], sampling: Sampling) -> Vec<[f64; 2]> {
        let limit = |reading: &UpperReading| reading.limit(counts, &self.components, sampling, self.error);
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
