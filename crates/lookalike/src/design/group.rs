//! Groups of mutually alike profiles, expected error: a convex problem in the groups' bounds.
//!
//! A group holds exactly when some vector u has `u_y/E ≤ q_s(y) ≤ u_y` for its members and all outputs; the best
//! coupling of P_s with q_s errs with probability TV(P_s, q_s). So the design is the linear program
//!
//! ```text
//! min Σ_s w_s Σ_y a_s(y)   with   a ≥ 0, a ≥ p − q, Σ_y q_s(y) = 1, u^g_y/E_g ≤ q_s(y) ≤ u^g_y ≤ 1
//! ```
//!
//! whose only unknowns shared between profiles are the u^g. A primal-dual interior point method (Mehrotra 1992) keeps
//! all profiles feasible, eliminates each of them in O(d) steps and solves for the u^g (`group_interior`): a round costs
//! a few passes over the profiles. The sum over many profiles of one group is nearly smooth in u, and then Newton's
//! method needs cheaper and fewer passes (`group_newton`). A million profiles are as easy as a thousand.

use super::Watch;
use super::group_closed_form::{law_between, range_of};
use super::group_interior::interior_point;
use super::group_newton::{self, Smoothed, smoothed_minimum};
use super::instance::Instance;
use crate::Result;
use rayon::prelude::*;
use std::borrow::Cow;

/// Output laws for the profiles of a component, the groups' bounds, and multipliers that prove how good they are.
pub(super) struct GroupSolution {
    /// One law after the other, d numbers each.
    pub(super) laws: Vec<f64>,
    /// u: one vector of d numbers for each entry of `alike`.
    pub(super) bounds: Vec<f64>,
    /// For the proven bound.
    pub(super) multipliers: Multipliers,
    /// The expected error of the laws, Σ w_s TV(P_s, q_s), in floats.
    #[allow(dead_code, reason = "tests compare it with the proven bound")]
    pub(super) value: f64,
    /// How many steps the method took.
    pub(super) rounds: u32,
}

/// Multipliers of the groups' bounds, not negative: λ of `q ≤ u` and κ of `u/E ≤ q`.
pub(super) struct Multipliers {
    /// For each output the column it reads. An output that no profile has reads that of one that some profile has.
    pub(super) columns: Vec<u32>,
    /// How many columns there are.
    pub(super) width: usize,
    pub(super) source: Source,
}

/// Where multipliers come from: kept, or computed when they are needed.
pub(super) enum Source {
    Kept(Vec<MultiplierBlock>),
    Smoothed(Smoothed),
}

impl Multipliers {
    /// How many blocks of profiles there are.
    pub(super) fn blocks(&self, instance: &Instance) -> usize {
        match &self.source {
            Source::Kept(blocks) => blocks.len(),
            Source::Smoothed(_) => instance.count().div_ceil(group_newton::ROWS),
        }
    }

    /// The multipliers of one block.
    pub(super) fn block(&self, instance: &Instance, at: usize) -> Cow<'_, MultiplierBlock> {
        match &self.source {
            Source::Kept(blocks) => Cow::Borrowed(&blocks[at]),
            Source::Smoothed(smoothed) => Cow::Owned(smoothed.multipliers(instance, at * group_newton::ROWS)),
        }
    }
}

/// The multipliers of some profiles: for each profile, for each group, for each column.
#[derive(Clone)]
pub(super) struct MultiplierBlock {
    pub(super) secrets: Vec<u32>,
    pub(super) groups: Vec<u32>,
    pub(super) upper: Vec<f64>,
    pub(super) lower: Vec<f64>,
}

/// The normal equations have this many unknowns at most: groups times outputs.
const MOST_UNKNOWNS: usize = 2048;
/// From so many profiles on, one group is solved by Newton's method on a smoothed error if that works.
const MANY: usize = 20_000;
/// Profiles of which the start for that method is the solution.
const SAMPLE: usize = 2_000;
/// Where that method stops.
const SMOOTHED_GAP: f64 = 1e-7;
/// Whether the component is small enough in groups for [`group_laws`]; the number of profiles does not matter.
pub(super) fn groups_fit(instance: &Instance) -> bool {
    few_enough(instance.alike.len(), instance.size)
}

/// The same by the number of groups and of categories.
pub(super) fn few_enough(groups: usize, size: usize) -> bool {
    groups * size <= MOST_UNKNOWNS
}

/// Output laws of the least expected error for a component of groups; an edge is a group of two.
///
/// The laws keep to the groups' bounds up to the last bits of the floats. The interior point method takes five passes
/// over the profiles in each of 10 to 30 rounds, k·d steps each, and memory for 6·k·d numbers when each profile is in
/// one group. One large group is solved by some twenty cheaper passes without that memory (`group_newton`). Needs
/// [`groups_fit`]. The result does not depend on the number of threads.
///
/// # Errors
/// Cancellation by the caller.
pub(super) fn group_laws(instance: &Instance, watch: &Watch<'_>) -> Result<GroupSolution> {
    if instance.count() >= MANY && instance.alike.len() == 1 && instance.alike[0].members.len() == instance.count() {
        let program = Program::new(instance);
        if let Some((smoothed, steps)) = program.smoothed(watch)? {
            return Ok(program.smoothed_solution(smoothed, steps));
        }
    }
    interior_point(instance, watch)
}

/// The program with what all rounds share.
pub(super) struct Program<'a> {
    pub(super) instance: &'a Instance,
    /// The outputs that some profile has; the others can be merged into these at no cost.
    pub(super) used: Vec<usize>,
    /// 1/E and 1 − 1/E of each group.
    pub(super) shrink: Vec<f64>,
    pub(super) pull: Vec<f64>,
    /// The weights as the method sees them: 1 on average, and 0 where they are next to nothing.
    pub(super) weights: Vec<f64>,
    /// What those weights were multiplied by.
    pub(super) scale: f64,
}

impl<'a> Program<'a> {
    pub(super) fn new(instance: &'a Instance) -> Self {
        let (count, size) = (instance.count(), instance.size);
        let mut seen = vec![false; size];
        for secret in 0..count {
            seen.iter_mut().zip(instance.law(secret)).for_each(|(seen, &p)| *seen |= p > 0.0);
        }
        let total: f64 = instance.weights.iter().sum();
        let scale = if total > 0.0 { count as f64 / total } else { 1.0 };
        // All profiles together lose less than 1e-9 of the total weight by this.
        let counted = |weight: f64| match weight * scale {
            _ if total == 0.0 => 1.0,
            scaled if scaled < 1e-9 => 0.0,
            scaled => scaled,
        };
        let epsilons = || instance.alike.iter().map(|alike| alike.epsilon.to_f64());
        Program {
            instance,
            used: (0..size).filter(|&y| seen[y]).collect(),
            shrink: epsilons().map(|epsilon| (-epsilon).exp()).collect(),
            pull: epsilons().map(|epsilon| -(-epsilon).exp_m1()).collect(),
            weights: instance.weights.iter().copied().map(counted).collect(),
            scale,
        }
    }

    /// The minimum of the smoothed error of one group, from the solution for some of its profiles.
    fn smoothed(&self, watch: &Watch<'_>) -> Result<Option<(Smoothed, u32)>> {
        let instance = self.instance;
        let mut mean = vec![0.0; instance.size];
        for secret in 0..instance.count() {
            mean.iter_mut().zip(instance.law(secret)).for_each(|(mean, p)| *mean += p / instance.count() as f64);
        }
        let sample = interior_point(&instance.every(instance.count() / SAMPLE), watch)?.bounds;
        // An output that the sample does not have still needs a bound.
        let start = self.used.iter().map(|&y| sample[y].max(0.01 * mean[y])).collect();
        smoothed_minimum(instance, &self.used, start, self.shrink[0], SMOOTHED_GAP, watch)
    }

    fn smoothed_solution(&self, smoothed: Smoothed, steps: u32) -> GroupSolution {
        let (laws, bounds, value) = self.laws(&smoothed.u, &vec![&[0][..]; self.instance.count()]);
        let multipliers =
            Multipliers { columns: self.columns(0), width: self.used.len(), source: Source::Smoothed(smoothed) };
        GroupSolution { laws, bounds, multipliers, value, rounds: steps }
    }

    /// The best laws for given bounds, in closed form; the bounds for all outputs; the expected error.
    pub(super) fn laws(&self, u: &[f64], groups_of: &[&[u32]]) -> (Vec<f64>, Vec<f64>, f64) {
        let (size, instance) = (self.instance.size, self.instance);
        let spread = |values: &[f64]| {
            let mut all = vec![0.0; size];
            self.used.iter().zip(values).for_each(|(&y, value)| all[y] = *value);
            all
        };
        let bounds: Vec<f64> = u.chunks_exact(self.used.len()).flat_map(spread).collect();
        let mut laws = vec![0.0; instance.count() * size];
        let mut errors = vec![0.0; instance.count()];
        (laws.par_chunks_exact_mut(size).zip(&mut errors).enumerate()).for_each(|(secret, (law, error))| {
            let range = range_of(groups_of[secret], &bounds, &self.shrink, size);
            *error = law_between(instance.law(secret), &range, law);
        });
        let value = errors.iter().zip(&instance.weights).map(|(error, weight)| error * weight).sum();
        (laws, bounds, value)
    }

    /// The column of each output.
    pub(super) fn columns(&self, of_unused: usize) -> Vec<u32> {
        let mut columns = vec![of_unused as u32; self.instance.size];
        self.used.iter().enumerate().for_each(|(at, &y)| columns[y] = at as u32);
        columns
    }
}

#[cfg(test)]
#[path = "group_tests.rs"]
pub(super) mod tests;
