//! Limits of all shares at once, from limits of the frequencies of all outputs.

use super::components::Components;
use super::upper_reading::upper_share;
use crate::lp::{self, Program, Wish};

/// What each part has of each share. Where intervals are to hold all at once, limits of the outputs hold for whatever is read
/// off them: so readings may be chosen after the reports are seen.
pub(super) struct Joint {
    shares: Vec<Vec<f64>>,
}

/// What all programs may cost for one cohort: components · outputs² · shares.
const AFFORDABLE: f64 = 1e6;

impl Joint {
    /// `None` where the programs would take too long.
    pub(super) fn new(components: &Components, shares: impl ExactSizeIterator<Item = Vec<f64>>) -> Option<Self> {
        let laws = components.regions().map_or(components.count, |_| components.own() + components.outputs);
        let cost = (laws * components.outputs * components.outputs * shares.len()) as f64;
        (cost <= AFFORDABLE).then(|| Joint { shares: shares.collect() })
    }

    /// The interval of each share.
    ///
    /// # Guarantee
    /// With probability at most `error` any of them misses: none does where each output is as frequent as its limits say. These
    /// are the limits of a count of coins that need not be alike. Readings g are nowhere below a share; with the most that
    /// `Σ g q` can be for frequencies q within the limits they bound it, whatever the solver found.
    pub(super) fn intervals(&self, components: &Components, counts: &[u64], error: f64) -> Vec<[f64; 2]> {
        let bounds = Bounds::of(components, counts, error);
        // Within limits the laws that matter are found on the way, and are good for the next share as well.
        let mut working = components.clone();
        let mut program = bounds.program(&working);
        let mut limit = |shares: &[f64]| {
            let mut found = vec![1.0; components.outputs];
            for _ in 0..MOST_CUTS {
                (0..).zip(&*working.shares(shares)).for_each(|(column, share)| program.set_cost(column, -share));
                found = readings(&program, components.outputs);
                let more = components.regions().map(|regions| regions.short_laws(&found, shares, CLOSE));
                let Some(more) = more.filter(|more| !more.is_empty()) else { break };
                working = working.clone().with(more);
                program = bounds.program(&working);
            }
            bounds.limit(components, shares, &found)
        };
        let interval = |shares: &Vec<f64>| {
            let rest: Vec<f64> = shares.iter().map(|share| 1.0 - share).collect();
            [1.0 - limit(&rest), limit(shares)]
        };
        self.shares.iter().map(interval).collect()
    }
}

/// How frequent each output can be.
struct Bounds(Vec<[f64; 2]>);

impl Bounds {
    fn of(components: &Components, counts: &[u64], error: f64) -> Self {
        let reports: u64 = counts.iter().sum();
        let possible = components.possible();
        let sides = 2 * possible.iter().filter(|possible| **possible).count();
        let each = error / sides as f64;
        let bounds = |(&count, &possible): (&u64, &bool)| match possible {
            true => [1.0 - upper_share(reports - count, reports, each), upper_share(count, reports, each)],
            false => [0.0; 2],
        };
        Bounds(counts.iter().zip(possible).map(bounds).collect())
    }

    /// Mixes whose outputs are as frequent as they can be, without a cost.
    fn program(&self, components: &Components) -> Program {
        let mut program = Program::new();
        // A mix sums to 1; bounds beyond that have no multipliers.
        let columns: Vec<u32> = (0..components.count).map(|_| program.column(0.0, 0.0, 2.0)).collect();
        for (output, [lower, upper]) in self.0.iter().enumerate() {
            let terms = columns.iter().zip(components.laws()).map(|(&column, law)| (column, law[output]));
            program.row(terms, *lower, *upper);
        }
        program.row(columns.iter().map(|&column| (column, 1.0)), 1.0, 1.0);
        program
    }

    /// The most that a share can be, by these readings.
    fn limit(&self, components: &Components, shares: &[f64], readings: &[f64]) -> f64 {
        let short = components.short(readings, shares);
        let mut best: Vec<usize> = (0..readings.len()).collect();
        best.sort_by(|&a, &b| readings[b].total_cmp(&readings[a]));
        let mut left = 1.0 - self.0.iter().map(|bounds| bounds[0]).sum::<f64>();
        let mut most = self.0.iter().zip(readings).map(|(bounds, g)| bounds[0] * g).sum::<f64>();
        for output in best {
            let [lower, upper] = self.0[output];
            let more = (upper - lower).min(left.max(0.0));
            (most, left) = (most + more * readings[output], left - more);
        }
        // Readings that no solver should have found say nothing.
        let size = readings.iter().fold(1.0, |most: f64, g| most.max(g.abs()));
        Some(most + short + ROUNDING * size).filter(|limit| limit.is_finite()).unwrap_or(1.0)
    }
}

/// How often laws within limits are added for one share, and how far readings may be short of it without that.
const MOST_CUTS: u32 = 25;
const CLOSE: f64 = 1e-7;
/// Room for the rounding of sums, as a share of the largest reading.
const ROUNDING: f64 = 1e-12;

/// Readings of the outputs by the multipliers of their rows; that every share is at most 1 if the solver fails.
fn readings(program: &Program, outputs: usize) -> Vec<f64> {
    match lp::solve(program, None, &|_| Wish::GoOn) {
        Ok(answer) => answer.multipliers[..outputs].iter().map(|row| -row - answer.multipliers[outputs]).collect(),
        Err(_) => vec![1.0; outputs],
    }
}
