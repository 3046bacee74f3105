//! The interior point method for groups; `group` says for which program.

use super::Watch;
use super::group::{GroupSolution, MultiplierBlock, Multipliers, Program, Source};
use super::group_block::{Block, Bounds, Change, Corrector, Reach, Start};
use super::group_cholesky::Symmetric;
use super::group_totals::{from_totals, to_totals};
use super::instance::Instance;
use crate::Result;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Profiles in a block: enough to be worth a task, and the same whatever the number of threads.
const ROWS: usize = 512;
/// Blocks whose parts of the normal equations are held at once.
const BATCH: usize = 256;
const MOST_ROUNDS: u32 = 200;
/// The interior point method stops when the gap is this share of the value.
const RELATIVE_GAP: f64 = 1e-9;
/// Or this share of all the weight.
const ABSOLUTE_GAP: f64 = 1e-13;

/// The laws by the interior point method (Mehrotra 1992), for any groups that fit.
///
/// # Errors
/// Cancellation by the caller.
pub(super) fn interior_point(instance: &Instance, watch: &Watch<'_>) -> Result<GroupSolution> {
    let program = Program::new(instance);
    let mut point = program.start();
    let mut rounds = 0;
    while program.used.len() > 1 && rounds < MOST_ROUNDS && program.improve(&mut point) {
        rounds += 1;
        watch.step("solving", rounds.into(), None)?;
    }
    Ok(program.solution(point, rounds))
}

/// The iterate.
struct Point {
    blocks: Vec<Block>,
    /// u and the multipliers of u ≤ 1, one group after the other.
    u: Vec<f64>,
    omega: Vec<f64>,
}

impl Program<'_> {
    /// Everything even: every law 1/d, every bound halfway between 1/d and the most that it may be.
    fn start(&self) -> Point {
        let (size, groups) = (self.used.len(), self.shrink.len());
        let even = 1.0 / size as f64;
        let target = 0.5 * even;
        let bound = |shrink: f64| 0.5 * (even + (even / shrink).min(1.0));
        let mut members = vec![0.0f64; groups];
        for (alike, members) in self.instance.alike.iter().zip(&mut members) {
            *members = alike.members.len() as f64;
        }
        let (mut upper, mut lower, mut u, mut omega) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (&shrink, &members) in self.shrink.iter().zip(&members) {
            let u_y = bound(shrink);
            let kappa = target / (even - u_y * shrink);
            let lambda = (kappa * shrink).max(target / (u_y - even)) + target / ((1.0 - u_y) * members);
            // A single output leaves nothing to choose.
            let (lambda, kappa) = if size > 1 { (lambda, kappa) } else { (0.0, 0.0) };
            upper.push(lambda);
            lower.push(kappa);
            u.extend(std::iter::repeat_n(u_y, size));
            omega.extend(std::iter::repeat_n(members * (lambda - kappa * shrink), size));
        }
        let start = Start { upper, lower, target };
        let blocks = self.blocks().into_par_iter().map(|(groups, secrets)| {
            let weights = secrets.iter().map(|&secret| self.weights[secret as usize]).collect();
            let laws = secrets.iter().map(|&secret| self.instance.law(secret as usize));
            let p = laws.flat_map(|law| self.used.iter().map(|&y| law[y])).collect();
            Block::new(secrets, groups, weights, p, &start)
        });
        Point { blocks: blocks.collect(), u, omega }
    }

    /// The profiles by the groups that hold them, then in pieces.
    fn blocks(&self) -> Vec<(Vec<u32>, Vec<u32>)> {
        let mut groups_of = vec![Vec::new(); self.instance.count()];
        for (at, alike) in self.instance.alike.iter().enumerate() {
            alike.members.iter().for_each(|&member| groups_of[member as usize].push(at as u32));
        }
        let mut classes: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        for (secret, groups) in groups_of.into_iter().enumerate() {
            classes.entry(groups).or_default().push(secret as u32);
        }
        let pieces = |(groups, secrets): (Vec<u32>, Vec<u32>)| {
            secrets.chunks(ROWS).map(|piece| (groups.clone(), piece.to_vec())).collect::<Vec<_>>()
        };
        classes.into_iter().flat_map(pieces).collect()
    }

    /// One step of Mehrotra's method; false when there is nothing more to gain.
    fn improve(&self, point: &mut Point) -> bool {
        let (wide, size) = (point.u.len(), self.used.len());
        let pairs = point.blocks.iter().map(Block::pairs).sum::<usize>() + wide;
        let slack: Vec<f64> = point.u.iter().map(|u| (1.0 - u).max(1e-30)).collect();
        let mut matrix = Symmetric::zero(wide);
        let sums = self.normal(point, None, Some(&mut matrix));
        let gap = sums.gap + point.omega.iter().zip(&slack).map(|(omega, slack)| omega * slack).sum::<f64>();
        let weight: f64 = self.weights.iter().sum();
        if gap <= (RELATIVE_GAP * sums.value).max(ABSOLUTE_GAP * weight) || !gap.is_finite() {
            return false;
        }
        for (at, slack) in slack.iter().enumerate() {
            let (diagonal, first) = (sums.diagonal[at] + point.omega[at] / slack, at - at % size);
            if at == first {
                let sign = |i: usize| if i == 0 { 1.0 } else { -1.0 };
                let lower = (0..size).flat_map(|i| (0..=i).map(move |j| (i, j)));
                lower.for_each(|(i, j)| matrix.add(first + i, first + j, sign(i) * sign(j) * diagonal));
            } else {
                matrix.add(at, at, diagonal);
            }
        }
        matrix.factor();
        // For u ≤ 1, the right side over the slack is `own`; du follows from all right sides together.
        let change = |right: &[f64], own: &dyn Fn(usize) -> f64| -> (Change, Vec<f64>) {
            let mut rest: Vec<f64> = (0..wide).map(|at| -own(at) - sums.residual[at] - point.omega[at]).collect();
            rest.chunks_exact_mut(size).for_each(to_totals);
            let mut du: Vec<f64> = rest.iter().zip(right).map(|(rest, right)| rest + right).collect();
            matrix.solve(&mut du);
            let totals = du.iter().step_by(size).copied().collect();
            du.chunks_exact_mut(size).for_each(from_totals);
            let d_omega = (0..wide).map(|at| own(at) + point.omega[at] / slack[at] * du[at]).collect();
            (Change { du, totals }, d_omega)
        };
        let (predicted, d_predicted) = change(&sums.right, &|at| -point.omega[at]);
        let reach = self.reach(point, None, &predicted, &d_predicted);
        let (primal, dual) = (step(reach.primal, 1.0), step(reach.dual, 1.0));
        let after = gap + primal * reach.slack + dual * reach.multiplier + primal * dual * reach.both;
        let centring = (after / gap).clamp(0.0, 1.0).powi(3);
        let target = centring * gap / pairs as f64;
        let corrector = Corrector { predicted, target };
        let right = self.normal(point, Some(&corrector), None).right;
        let own = |at: usize| (target + corrector.predicted.du[at] * d_predicted[at]) / slack[at] - point.omega[at];
        let (change, d_omega) = change(&right, &own);
        let reach = self.reach(point, Some(&corrector), &change, &d_omega);
        let bold = 1.0 - (1.0 - primal.min(dual)).clamp(1e-3, 0.1);
        let [primal, dual] = [step(reach.primal, bold), step(reach.dual, bold)];
        if primal.max(dual) < 1e-8 {
            return false;
        }
        let (u, blocks) = (&point.u, &mut point.blocks);
        blocks.par_iter_mut().for_each(|block| {
            let (bounds, corrector) = (self.bounds(u, &block.groups), self.local_corrector(&corrector, &block.groups));
            block.advance(&bounds, &corrector, &self.local_change(&change, &block.groups), [primal, dual]);
        });
        point.u.iter_mut().zip(&change.du).for_each(|(u, du)| *u += primal * du);
        point.omega.iter_mut().zip(&d_omega).for_each(|(omega, change)| *omega = (*omega + dual * change).max(1e-30));
        true
    }

    /// The parts of a vector over groups and outputs that belong to some groups.
    fn local(&self, values: &[f64], groups: &[u32]) -> Vec<f64> {
        let size = self.used.len();
        groups.iter().flat_map(|&g| &values[g as usize * size..(g as usize + 1) * size]).copied().collect()
    }

    fn local_change(&self, change: &Change, groups: &[u32]) -> Change {
        let totals = groups.iter().map(|&g| change.totals[g as usize]).collect();
        Change { du: self.local(&change.du, groups), totals }
    }

    fn local_corrector(&self, corrector: &Corrector, groups: &[u32]) -> Corrector {
        Corrector { predicted: self.local_change(&corrector.predicted, groups), target: corrector.target }
    }

    fn bounds(&self, u: &[f64], groups: &[u32]) -> Bounds {
        let of = |values: &[f64]| groups.iter().map(|&g| values[g as usize]).collect();
        Bounds { u: self.local(u, groups), shrink: of(&self.shrink), pull: of(&self.pull) }
    }

    /// The blocks' parts of the normal equations, added in order: the same whatever the number of threads.
    fn normal(&self, point: &Point, corrector: Option<&Corrector>, mut matrix: Option<&mut Symmetric>) -> Sums {
        let (size, wide) = (self.used.len(), point.u.len());
        let zero = || vec![0.0; wide];
        let mut sums = Sums { diagonal: zero(), right: zero(), residual: zero(), gap: 0.0, value: 0.0 };
        for batch in point.blocks.chunks(BATCH) {
            let part = |block: &Block| {
                let corrector = corrector.map(|corrector| self.local_corrector(corrector, &block.groups));
                block.normal(&self.bounds(&point.u, &block.groups), corrector.as_ref())
            };
            let parts: Vec<_> = batch.par_iter().map(part).collect();
            for (block, part) in batch.iter().zip(parts) {
                let place = |at: usize| block.groups[at / size] as usize * size + at % size;
                let local = part.right.len();
                for at in 0..local {
                    sums.diagonal[place(at)] += part.diagonal[at];
                    sums.right[place(at)] += part.right[at];
                    sums.residual[place(at)] += part.residual[at];
                    if let Some(matrix) = &mut matrix {
                        (0..=at).for_each(|to| matrix.add(place(at), place(to), part.matrix[at * local + to]));
                    }
                }
                sums.gap += part.gap;
                sums.value += part.value;
            }
        }
        sums
    }

    fn reach(&self, point: &Point, corrector: Option<&Corrector>, change: &Change, d_omega: &[f64]) -> Reach {
        let part = |block: &Block| {
            let corrector = corrector.map(|corrector| self.local_corrector(corrector, &block.groups));
            let change = self.local_change(change, &block.groups);
            block.reach(&self.bounds(&point.u, &block.groups), corrector.as_ref(), &change)
        };
        let parts: Vec<Reach> = point.blocks.par_iter().map(part).collect();
        let mut reach = parts.into_iter().fold(Reach::default(), Reach::join);
        for (at, du) in change.du.iter().enumerate() {
            let slack = (1.0 - point.u[at]).max(1e-30);
            reach.pair([slack, 1.0 / slack, -du], [point.omega[at], d_omega[at]]);
        }
        reach
    }

    /// The best laws for the bounds that were found.
    fn solution(&self, point: Point, rounds: u32) -> GroupSolution {
        let mut groups_of = vec![&[][..]; self.instance.count()];
        for block in &point.blocks {
            block.secrets.iter().for_each(|&secret| groups_of[secret as usize] = &block.groups[..]);
        }
        let (laws, bounds, value) = self.laws(&point.u, &groups_of);
        GroupSolution { laws, bounds, multipliers: self.multipliers(point), value, rounds }
    }

    /// The multipliers in the problem's own weights, balanced so that `Σ_s λ = Σ_s κ/E` for groups and outputs with a
    /// small u.
    ///
    /// What is missing from that equality counts fully against the bound, but only about u times when it is scaled
    /// away.
    fn multipliers(&self, point: Point) -> Multipliers {
        let (size, wide) = (self.used.len(), point.u.len());
        let (mut upper, mut lower) = (vec![0.0; wide], vec![0.0; wide]);
        for block in &point.blocks {
            let local = block.groups.len() * size;
            for (at, (&one, &other)) in block.upper.iter().zip(&block.lower).enumerate() {
                let place = block.groups[at % local / size] as usize * size + at % size;
                upper[place] += one;
                lower[place] += other * self.shrink[place / size];
            }
        }
        let excess = |at: usize| if point.u[at] < 0.5 { 0.0 } else { (upper[at] - lower[at]).max(0.0) };
        let total = |y: usize| (y..wide).step_by(size).map(excess).sum::<f64>();
        let cheapest = (0..size).min_by(|&a, &b| total(a).total_cmp(&total(b))).unwrap_or(0);
        let share = |of: &[f64], kept: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..wide).map(|at| if of[at] > 0.0 { kept(at) / of[at] / self.scale } else { 0.0 }).collect()
        };
        let least = |at: usize| upper[at].min(lower[at]);
        let (upper, lower) = (share(&upper, &|at| least(at) + excess(at)), share(&lower, &least));
        let block = |block: Block| {
            let scaled = |mut values: Vec<f64>, share: &[f64]| {
                let share = self.local(share, &block.groups);
                values.chunks_exact_mut(share.len().max(1)).for_each(|row| {
                    row.iter_mut().zip(&share).for_each(|(value, share)| *value *= share);
                });
                values
            };
            let (upper, lower) = (scaled(block.upper, &upper), scaled(block.lower, &lower));
            MultiplierBlock { secrets: block.secrets, groups: block.groups, upper, lower }
        };
        let blocks = point.blocks.into_par_iter().map(block).collect();
        Multipliers { columns: self.columns(cheapest), width: size, source: Source::Kept(blocks) }
    }
}

/// Sums over all profiles.
struct Sums {
    diagonal: Vec<f64>,
    right: Vec<f64>,
    residual: Vec<f64>,
    gap: f64,
    value: f64,
}

/// The step to a share of the way to the boundary, at most 1; `reach` is 1 over the step that gets there.
fn step(reach: f64, share: f64) -> f64 {
    if reach <= share { 1.0 } else { share / reach }
}
