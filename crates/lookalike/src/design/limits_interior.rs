//! The interior point method for profiles with limits, each with a channel of its own (Mehrotra 1992).
//!
//! Profiles meet in their ends H and h alone (`limits_program` has the program). A step eliminates every profile by itself
//! (`limits_newton`), so that only the ends are left for the sparse factorization (`limits_coupling`), which takes most of the time of
//! large designs. So steps are made long by corrections that need no factorization (Gondzio 1996): a fifth fewer steps. All
//! iterates are strictly within the claim: what is left to repair is rounding.
//!
//! A profile may move its ends at next to no cost while arcs hold them where they are. Then an end is known to many digits, and the
//! multiplier that does it is not: what the profiles make of the multipliers is held against the ends, and the multipliers are
//! corrected by the difference, which without it ends all progress three digits earlier.

use super::Watch;
use super::dual_bound::WorstLaws;
use super::group_block::Reach;
use super::instance::Instance;
use super::laws_program::{LARGEST_EXP, Multiplier};
use super::limits_block::{Block, Pairs, Point, Start, centring};
use super::limits_coupling::Coupling;
use super::limits_newton::Elimination;
use crate::lp::Wish;
use crate::model::Limits;
use crate::{Error, Result};
use rayon::prelude::*;

const MOST_ROUNDS: u32 = 150;
/// Rounds without progress after which there is none.
const MOST_IDLE: u32 = 3;
/// How far above its bound a good answer may be, as a share of its value, and where that is next to nothing.
const GOOD_GAP: f64 = 1e-8;
const LEAST_GAP: f64 = 1e-11;
/// Slack times multiplier of an arc at the start, beside costs of at most 1, and the least multiplier of an entry.
const STARTED: f64 = 1e-2;
const LEAST: f64 = 0.1;
/// How far H and h are moved at the start beside the room that there is.
const MARGIN: f64 = 0.25;
/// How far towards the nearest bound a step goes.
const NEARLY: f64 = 0.99;
/// Corrections of a step towards products that are alike, at most, and by how much they must lengthen it.
const MOST_CORRECTIONS: usize = 3;
const LONGER: f64 = 0.02;
/// How often the ends are corrected by what the profiles make of them, at most; and what they may miss beside a slack.
const MOST_REFINEMENTS: usize = 8;
const REFINED: f64 = 1e-3;

/// Channels within the claim, and multipliers that prove how good they are.
pub(super) struct LimitsSolution {
    blocks: Vec<Block>,
    pub(super) multipliers: Vec<Multiplier>,
    /// How far the value is above what the multipliers prove, in floats and as a share of the value.
    pub(super) gap: f64,
    /// Whether the caller had enough before the method had.
    pub(super) is_cut_short: bool,
    /// How many steps the method took.
    #[cfg_attr(not(test), allow(dead_code, reason = "tests hold it small"))]
    pub(super) rounds: u32,
}

/// Where the method came closest to the optimum.
struct Reached {
    gap: f64,
    blocks: Vec<Block>,
    omega: Vec<f64>,
}

/// The channels of the least average cost; `cost` by secret, input and output.
///
/// # Errors
/// Cancellation by the caller, or a system that does not fit the memory.
pub(super) fn interior_point<'l>(
    instance: &Instance,
    limits: impl Fn(usize) -> &'l Limits,
    cost: impl Fn(usize, usize, usize) -> f64,
    watch: &Watch<'_>,
) -> Result<LimitsSolution> {
    let (size, secrets) = (instance.size, instance.count());
    let cells = || (0..secrets).flat_map(|s| (0..size * size).map(move |at| (s, at / size, at % size)));
    let unit = cells().map(|(s, x, y)| cost(s, x, y)).fold(f64::MIN_POSITIVE, f64::max);
    let even = instance.surely_private();
    let exps = instance.alike.iter().map(|alike| alike.exp).filter(|exp| *exp <= LARGEST_EXP);
    let exp = exps.fold(LARGEST_EXP, f64::min);
    let room = ((exp + size as f64 - 1.0) * even - 1.0) / exp;
    let start = Start { even, margin: MARGIN * even.min(room) };
    let mut blocks: Vec<Block> =
        (0..secrets).map(|s| Block::new(limits(s), &start, |x, y| cost(s, x, y) / unit)).collect();
    let ends: Vec<Vec<f64>> = blocks.iter().map(|block| block.ends_of(&block.at)).collect();
    let coupling = Coupling::new(instance, &blocks, &ends, STARTED).ok_or_else(|| too_large(instance))?;
    let eta = coupling.sums(&coupling.omega);
    blocks.iter_mut().enumerate().for_each(|(s, block)| block.follow(coupling.part(&eta, s), LEAST));
    let mut method = Method { blocks, coupling };
    let mut best = Reached { gap: f64::INFINITY, blocks: Vec::new(), omega: Vec::new() };
    let (mut idle, mut rounds) = (0, 0);
    let mut is_cut_short;
    loop {
        let wish = watch.wish("solving", rounds);
        if wish == Wish::Stop {
            return Err(Error::stopped());
        }
        let eta = method.coupling.sums(&method.coupling.omega);
        // A point beyond the claim, be it by a rounding, is worth what repair makes of it: much less at a small ε.
        let gap = if method.is_within() { method.gap(&eta) } else { f64::INFINITY };
        idle += 1;
        if best.blocks.is_empty() || gap < 0.9 * best.gap {
            best = Reached { gap, blocks: method.blocks.clone(), omega: method.coupling.omega.clone() };
            idle = 0;
        }
        is_cut_short = wish == Wish::Enough;
        let is_done = gap <= GOOD_GAP || idle > MOST_IDLE || rounds >= MOST_ROUNDS;
        if is_cut_short || is_done || !method.improve(&eta) {
            break;
        }
        rounds += 1;
    }
    let multipliers = method.coupling.multipliers(&best.omega, unit);
    Ok(LimitsSolution { multipliers, blocks: best.blocks, gap: best.gap, is_cut_short, rounds })
}

fn too_large(instance: &Instance) -> Error {
    let (profiles, size) = (instance.count(), instance.size);
    Error::inapplicable(format!(
        "the solver's factorization does not fit the memory ({profiles} profiles, {size} categories)"
    ))
}

struct Method {
    blocks: Vec<Block>,
    coupling: Coupling,
}

/// What the products of slack and multiplier should become.
struct Aim {
    blocks: Vec<Pairs>,
    links: Vec<f64>,
}

/// A direction of all unknowns.
struct Step {
    blocks: Vec<(Point, Vec<f64>)>,
    between: Vec<f64>,
    slack: Vec<f64>,
    omega: Vec<f64>,
}

impl Method {
    fn value(&self) -> f64 {
        self.blocks.iter().map(Block::value).sum()
    }

    /// Whether all arcs hold, by the ends that the profiles have. Slacks become what they are.
    fn is_within(&mut self) -> bool {
        let ends: Vec<Vec<f64>> = self.blocks.iter().map(|block| block.ends_of(&block.at)).collect();
        let rooms = self.coupling.rooms(&self.coupling.all(&ends, &self.coupling.between));
        let is_within = rooms.iter().all(|room| *room > 0.0);
        if is_within {
            self.coupling.slack = rooms;
        }
        is_within
    }

    /// How far the value is above the bound that the multipliers prove, as a share of it.
    fn gap(&self, eta: &[f64]) -> f64 {
        let value = self.value();
        let parts: Vec<f64> =
            self.blocks.par_iter().enumerate().map(|(s, block)| block.bound(self.coupling.part(eta, s))).collect();
        let between = &eta[self.coupling.first[self.blocks.len()]..];
        let bound = parts.iter().sum::<f64>() + between.iter().map(|sum| sum.min(0.0)).sum::<f64>();
        (value - bound) / value.max(LEAST_GAP / GOOD_GAP)
    }

    fn products(&self) -> f64 {
        let links = self.coupling.slack.iter().zip(&self.coupling.omega).map(|(slack, omega)| slack * omega);
        self.blocks.iter().map(Block::products).sum::<f64>() + links.sum::<f64>()
    }

    fn pairs(&self) -> usize {
        self.blocks.iter().map(Block::pairs).sum::<usize>() + self.coupling.slack.len()
    }

    /// One step of Mehrotra's method; false when there is nothing more to gain.
    fn improve(&mut self, eta: &[f64]) -> bool {
        let mut eliminations: Vec<Elimination> = self.blocks.par_iter().map(Elimination::new).collect();
        if !self.coupling.factorize(&eliminations) {
            return false;
        }
        let (products, pairs) = (self.products(), self.pairs() as f64);
        let predictor = self.direction(&mut eliminations, eta, &self.aim(0.0, None));
        let reach = self.reach(&predictor);
        let (primal, dual) = (step(reach.primal, 1.0), step(reach.dual, 1.0));
        let after = products + primal * reach.slack + dual * reach.multiplier + primal * dual * reach.both;
        let centring = (after / products).clamp(0.0, 1.0).powi(3).max(1e-8);
        let target = centring * products / pairs;
        let mut aim = self.aim(target, Some(&predictor));
        let mut corrector = self.direction(&mut eliminations, eta, &aim);
        let mut reach = self.reach(&corrector);
        for _ in 0..MOST_CORRECTIONS {
            let steps = [step(reach.primal, 1.0), step(reach.dual, 1.0)];
            self.centre(&mut aim, &corrector, steps.map(|step| (1.1 * step + 0.1).min(1.0)), target);
            let next = self.direction(&mut eliminations, eta, &aim);
            let further = self.reach(&next);
            let after = [step(further.primal, 1.0), step(further.dual, 1.0)];
            if after[0] + after[1] < steps[0] + steps[1] + LONGER {
                break;
            }
            (corrector, reach) = (next, further);
        }
        let steps = [step(reach.primal, NEARLY), step(reach.dual, NEARLY)];
        if !steps.iter().all(|step| step.is_finite()) || steps.iter().copied().fold(0.0, f64::max) < 1e-8 {
            return false;
        }
        let [primal, dual] = steps;
        let changes = self.blocks.par_iter_mut().zip(&corrector.blocks);
        changes.for_each(|(block, (change, nu))| block.advance(change, nu, steps));
        let add = |values: &mut [f64], step: f64, change: &[f64]| {
            values.iter_mut().zip(change).for_each(|(value, change)| *value += step * change);
        };
        add(&mut self.coupling.between, primal, &corrector.between);
        add(&mut self.coupling.slack, primal, &corrector.slack);
        add(&mut self.coupling.omega, dual, &corrector.omega);
        true
    }

    /// What all products of slack and multiplier should become.
    fn aim(&self, target: f64, predicted: Option<&Step>) -> Aim {
        let of_block = |(s, block): (usize, &Block)| block.aim(target, predicted.map(|step| &step.blocks[s].0));
        let second = |at: usize| predicted.map_or(0.0, |step| step.slack[at] * step.omega[at]);
        Aim {
            blocks: self.blocks.par_iter().enumerate().map(of_block).collect(),
            links: (0..self.coupling.slack.len()).map(|at| target - second(at)).collect(),
        }
    }

    fn centre(&self, aim: &mut Aim, step: &Step, steps: [f64; 2], target: f64) {
        let parts = self.blocks.par_iter().zip(&mut aim.blocks).zip(&step.blocks);
        parts.for_each(|((block, aim), (change, _))| block.centre(aim, change, steps, target));
        for (at, aim) in aim.links.iter_mut().enumerate() {
            let now = [self.coupling.slack[at], self.coupling.omega[at]];
            *aim += centring(now, [step.slack[at], step.omega[at]], steps, target);
        }
    }

    /// The direction to these products of slack and multiplier.
    fn direction(&mut self, eliminations: &mut [Elimination], eta: &[f64], aim: &Aim) -> Step {
        let (coupling, blocks) = (&mut self.coupling, &self.blocks);
        let right = |(s, elimination): (usize, &mut Elimination)| {
            elimination.right(&blocks[s], coupling.part(eta, s), &aim.blocks[s]);
            elimination.pushed()
        };
        let pushed: Vec<Vec<f64>> = eliminations.par_iter_mut().enumerate().map(right).collect();
        let wanted: Vec<f64> = (coupling.slack.iter().zip(&coupling.omega).zip(&aim.links))
            .map(|((slack, omega), aim)| aim / slack - omega)
            .collect();
        let profiles = coupling.first[blocks.len()];
        let sums = coupling.sums(&wanted);
        let asked = pushed.iter().flatten().copied().chain(eta[profiles..].iter().map(|sum| -sum));
        let mut ends: Vec<f64> = asked.zip(&sums).map(|(asked, sum)| asked - sum).collect();
        coupling.solve(&mut ends);
        let mut omega = coupling.answers(&wanted, &coupling.rooms(&ends));
        let mut rounds = 0;
        let change = loop {
            let change = coupling.sums(&omega);
            let made: Vec<Vec<f64>> = eliminations
                .par_iter()
                .enumerate()
                .map(|(s, elimination)| elimination.ends(coupling.part(&change, s)))
                .collect();
            let made: Vec<f64> = made.iter().flatten().chain(&ends[profiles..]).copied().collect();
            let missed: Vec<f64> = made.iter().zip(&ends).map(|(made, end)| made - end).collect();
            let worst = coupling
                .rooms(&missed)
                .iter()
                .zip(&coupling.slack)
                .map(|(missed, slack)| (missed / slack).abs())
                .fold(0.0, f64::max);
            if rounds >= MOST_REFINEMENTS || worst <= REFINED {
                break change;
            }
            rounds += 1;
            let stiff = eliminations
                .iter()
                .enumerate()
                .flat_map(|(s, elimination)| elimination.stiff(coupling.part(&missed, s)));
            let left = (profiles..ends.len()).map(|at| -eta[at] - change[at]);
            let mut correction: Vec<f64> = stiff.chain(left).collect();
            coupling.solve(&mut correction);
            // Of the correction alone: in the whole, what multipliers need would be lost beside what moves the ends.
            omega = coupling.answers(&omega, &coupling.rooms(&correction));
            ends.iter_mut().zip(&correction).for_each(|(end, correction)| *end += correction);
        };
        let directed =
            |(s, elimination): (usize, &Elimination)| elimination.direction(&blocks[s], coupling.part(&change, s));
        let directed: Vec<(Point, Vec<f64>)> = eliminations.par_iter().enumerate().map(directed).collect();
        // What the profiles do, to the last digit: slacks that drift away from it would be broken in the end.
        let made = directed.iter().zip(blocks).flat_map(|((change, _), block)| block.ends_of(change));
        let made: Vec<f64> = made.chain(ends[profiles..].iter().copied()).collect();
        Step { slack: coupling.rooms(&made), blocks: directed, between: ends[profiles..].to_vec(), omega }
    }

    fn reach(&self, step: &Step) -> Reach {
        let parts: Vec<Reach> =
            self.blocks.par_iter().zip(&step.blocks).map(|(block, (change, _))| block.reach(change)).collect();
        let mut reach = parts.into_iter().fold(Reach::default(), Reach::join);
        let coupling = &self.coupling;
        for (at, (&slack, &omega)) in coupling.slack.iter().zip(&coupling.omega).enumerate() {
            reach.pair([slack, 1.0 / slack, step.slack[at]], [omega, step.omega[at]]);
        }
        reach
    }
}

/// The step to a share of the way to the boundary, at most 1; `reach` is 1 over the step that gets there.
fn step(reach: f64, share: f64) -> f64 {
    if reach <= share { 1.0 } else { share / reach }
}

impl LimitsSolution {
    /// The rows of the channel of a secret, with those that no law uses by the law of the output.
    pub(super) fn rows(&self, secret: usize, law: &[f64]) -> Vec<Vec<f64>> {
        let (block, size) = (&self.blocks[secret], law.len());
        let mut rows = vec![vec![0.0; size]; size];
        for (at, entry) in block.at.entries.iter().enumerate() {
            rows[block.inputs[at % block.inputs.len()]][at / block.inputs.len()] = *entry;
        }
        let output: Vec<f64> = (0..size).map(|y| rows.iter().zip(law).map(|(row, p)| p * row[y]).sum()).collect();
        (0..size).filter(|x| !block.inputs.contains(x)).for_each(|x| rows[x].clone_from(&output));
        rows
    }
}

impl WorstLaws for LimitsSolution {
    fn at_output(&self, secret: usize, y: usize) -> [Vec<f64>; 2] {
        let block = &self.blocks[secret];
        [0, block.ends - 1].map(|end| block.worst_law(y * block.ends + end))
    }

    fn costliest(&self, _: usize) -> Option<Vec<f64>> {
        None
    }
}

#[cfg(test)]
#[path = "limits_interior_tests.rs"]
mod tests;
