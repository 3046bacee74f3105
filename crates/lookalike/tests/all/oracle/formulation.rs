//! The design problems as linear programs with every channel entry a variable, straight from the definitions.

use super::instance::{Goal, Instance, Kind};
use super::program::Program;

/// What the oracle knows of an optimum: it lies between two numbers, each with a reason.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// From multipliers, by weak duality.
    pub lower: f64,
    /// Reached by a private mechanism.
    pub upper: f64,
    /// The multipliers of the privacy rows: λ for `q_left(y) ≤ e^ε q_right(y)`.
    pub prices: Vec<Price>,
}

/// A multiplier of one privacy constraint.
#[derive(Debug, Clone)]
pub struct Price {
    pub left: usize,
    pub right: usize,
    pub output: usize,
    pub ratio: f64,
    pub multiplier: f64,
}

/// Rows and multipliers of a privacy constraint differ by this: it gives a small ε the same room as a large one.
fn scale(ratio: f64) -> f64 {
    1.0 / (ratio - 1.0).min(1.0) / ratio
}

/// The optimum of the instance over all mechanisms of its kind.
///
/// Variables A^s(x, y), one channel per secret when the kind is aware and one for all otherwise; Σ_y A(x, y) = 1;
/// `Σ_x P_i(x) A^i(x, y) ≤ e^ε Σ_x P_j(x) A^j(x, y)` in both directions of every pair.
pub fn optimum(instance: &Instance) -> Optimum {
    optimum_within(instance, None)
}

/// The same over mechanisms in which no wrong output has a probability above the cap.
pub fn optimum_within(instance: &Instance, cap: Option<f64>) -> Optimum {
    solved(instance, cap, &instance.laws().into_iter().map(|law| vec![law]).collect::<Vec<_>>(), false)
}

/// The same where each secret has any law between these corners: each of them is at most a variable H_s(y) and at least h_s(y), of
/// which every pair asks `H_i(y) ≤ e^ε h_j(y)`.
pub fn optimum_of_corners(instance: &Instance, corners: &[Vec<Vec<f64>>]) -> Optimum {
    solved(instance, None, corners, false)
}

/// The same for the largest value of the objective at any corner, each secret its own.
pub fn optimum_at_worst(instance: &Instance, corners: &[Vec<Vec<f64>>]) -> Optimum {
    solved(instance, None, corners, true)
}

fn solved(instance: &Instance, cap: Option<f64>, corners: &[Vec<Vec<f64>>], at_worst: bool) -> Optimum {
    let (laws, d) = (instance.laws(), instance.categories);
    let support = |corners: &Vec<Vec<f64>>| (0..d).map(|x| corners.iter().map(|law| law[x]).sum()).collect();
    let supports: Vec<Vec<f64>> = if at_worst { corners.iter().map(support).collect() } else { laws.clone() };
    let (mut program, channels) = (Program::default(), Channels::of(instance));
    for _ in 0..channels.count * d * d {
        program.variable(0.0);
    }
    for row in 0..channels.count * d {
        program.equal((0..d).map(|y| (row * d + y, 1.0)).collect(), 1.0);
    }
    let mut prices = Vec::new();
    let is_point = corners.iter().all(|corners| corners.len() == 1);
    if !is_point {
        add_ends(&mut program, channels, corners);
    }
    let ends = channels.count * d * d;
    let first = program.rows.len();
    for (left, right, ratio) in instance.directed_pairs() {
        for y in 0..d {
            if !is_point {
                let (most, least) = (ends + 2 * (left * d + y), ends + 2 * (right * d + y) + 1);
                program.at_most(vec![(most, scale(ratio)), (least, -ratio * scale(ratio))], 0.0);
                prices.push(Price { left, right, output: y, ratio, multiplier: 0.0 });
                continue;
            }
            let output = |secret: usize, factor: f64| {
                let term = move |(x, &p): (usize, &f64)| (channels.entry(secret, x, y), factor * p);
                laws[secret].iter().enumerate().filter(|&(_, &p)| p > 0.0).map(term).collect::<Vec<_>>()
            };
            let mut terms = output(left, scale(ratio));
            for (at, factor) in output(right, -ratio * scale(ratio)) {
                // A shared channel serves both sides.
                match terms.iter_mut().find(|(other, _)| *other == at) {
                    Some((_, sum)) => *sum += factor,
                    None => terms.push((at, factor)),
                }
            }
            program.at_most(terms, 0.0);
            prices.push(Price { left, right, output: y, ratio, multiplier: 0.0 });
        }
    }
    match instance.costs() {
        None => {
            let most = program.variable(1.0);
            for (secret, x) in channels.possible_inputs(&supports) {
                for y in (0..d).filter(|&y| y != x) {
                    program.at_most(vec![(channels.entry(secret, x, y), 1.0), (most, -1.0)], 0.0);
                }
            }
        }
        Some(costs) => {
            let weights = instance.weights();
            for (secret, corners) in corners.iter().enumerate().filter(|_| at_worst) {
                // No loss is above 8: the variable is an eighth of it, as it has to be at most 1.
                let most = program.variable(8.0 * weights[secret]);
                for law in corners {
                    let term =
                        |at: usize| (channels.entry(secret, at / d, at % d), law[at / d] * costs[at / d][at % d] / 8.0);
                    program.at_most((0..d * d).map(term).chain([(most, -1.0)]).collect(), 0.0);
                }
            }
            for (secret, law) in laws.iter().enumerate().filter(|_| !at_worst) {
                for (x, y) in (0..d * d).map(|at| (at / d, at % d)) {
                    program.costs[channels.entry(secret, x, y)] += weights[secret] * law[x] * costs[x][y];
                }
            }
        }
    }
    for (secret, x) in channels.possible_inputs(&laws) {
        for y in (0..d).filter(|&y| y != x) {
            if let Some(cap) = cap {
                program.at_most(vec![(channels.entry(secret, x, y), 1.0)], cap);
            }
        }
    }
    let (lower, upper, multipliers) =
        bracket(&program, |entries| repaired_value(instance, corners, at_worst, channels, entries));
    for (price, multiplier) in prices.iter_mut().zip(&multipliers[first..]) {
        price.multiplier = multiplier.max(0.0) * scale(price.ratio);
    }
    Optimum { lower, upper, prices }
}

/// For each secret and output a variable that no corner goes above, and one that none goes below.
fn add_ends(program: &mut Program, channels: Channels, corners: &[Vec<Vec<f64>>]) {
    for (secret, corners) in corners.iter().enumerate() {
        for y in 0..channels.categories {
            let ends = [1.0, -1.0].map(|sign| (program.variable(0.0), sign));
            for (law, (end, sign)) in corners.iter().flat_map(|law| ends.iter().map(move |&end| (law, end))) {
                let terms = law.iter().enumerate().filter(|&(_, &p)| p > 0.0);
                let mut terms: Vec<_> = terms.map(|(x, &p)| (channels.entry(secret, x, y), sign * p)).collect();
                terms.push((end, -sign));
                program.at_most(terms, 0.0);
            }
        }
    }
}

/// How narrow the oracle wants its knowledge.
const NARROW: f64 = 5e-10;

/// A lower bound with its multipliers, and the value that a solution has once it is repaired. The solver is asked
/// again, under a magnifying glass, until they meet.
fn bracket(program: &Program, value: impl Fn(Vec<f64>) -> f64) -> (f64, f64, Vec<f64>) {
    let mut multipliers = program.multipliers();
    let (mut lower, mut upper) = (program.lower_bound(&multipliers), value(program.minimize()));
    for zoom in [1e3, 1e6] {
        if upper - lower <= NARROW {
            break;
        }
        upper = value(program.minimize_near(&multipliers, zoom)).min(upper);
        let nearer = program.multipliers_near(&multipliers, zoom);
        if program.lower_bound(&nearer) > lower {
            (lower, multipliers) = (program.lower_bound(&nearer), nearer);
        }
    }
    (lower, upper, multipliers)
}

/// The value of channels that are made laws, then private by mixing in a fair draw.
fn repaired_value(
    instance: &Instance,
    corners: &[Vec<Vec<f64>>],
    at_worst: bool,
    channels: Channels,
    mut entries: Vec<f64>,
) -> f64 {
    let d = instance.categories;
    entries.truncate(channels.count * d * d);
    for row in entries.chunks_mut(d) {
        row.iter_mut().for_each(|entry| *entry = entry.max(0.0));
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|entry| *entry /= sum);
    }
    let output = |law: &Vec<f64>, secret: usize, y: usize| -> f64 {
        (0..d).map(|x| law[x] * entries[channels.entry(secret, x, y)]).sum()
    };
    let mut share = 0f64;
    for (left, right, ratio) in instance.directed_pairs() {
        for y in 0..d {
            let most = corners[left].iter().map(|law| output(law, left, y)).fold(0.0, f64::max);
            let least = corners[right].iter().map(|law| output(law, right, y)).fold(1.0, f64::min);
            let excess = most - ratio * least;
            if excess > 0.0 {
                share = share.max(excess / (excess + (ratio - 1.0) / d as f64));
            }
        }
    }
    let mixed = |secret, x, y| (1.0 - share) * entries[channels.entry(secret, x, y)] + share / d as f64;
    if at_worst { worst_value(instance, corners, mixed) } else { instance.value_of(mixed) }
}

/// The largest value of the objective at any corner, each secret its own.
pub fn worst_value(instance: &Instance, corners: &[Vec<Vec<f64>>], entry: impl Fn(usize, usize, usize) -> f64) -> f64 {
    let (d, costs, weights) = (instance.categories, instance.costs(), instance.weights());
    let of = |(secret, corners): (usize, &Vec<Vec<f64>>)| {
        let loss = |law: &Vec<f64>| {
            (0..d * d)
                .map(|at| (at / d, at % d))
                .map(|(x, y)| match &costs {
                    Some(costs) => weights[secret] * law[x] * costs[x][y] * entry(secret, x, y),
                    None => 0.0,
                })
                .sum::<f64>()
        };
        let flip = |law: &Vec<f64>| {
            let wrong = (0..d * d).map(|at| (at / d, at % d)).filter(|&(x, y)| x != y && law[x] > 0.0);
            wrong.map(|(x, y)| entry(secret, x, y)).fold(0.0, f64::max)
        };
        corners.iter().map(|law| if costs.is_some() { loss(law) } else { flip(law) }).fold(0.0, f64::max)
    };
    let values = corners.iter().enumerate().map(of);
    if costs.is_some() { values.sum() } else { values.fold(0.0, f64::max) }
}

/// Where the variables of the channels are.
#[derive(Clone, Copy)]
struct Channels {
    count: usize,
    categories: usize,
}

impl Channels {
    fn of(instance: &Instance) -> Self {
        let count = if instance.kind == Kind::Aware { instance.laws().len() } else { 1 };
        Channels { count, categories: instance.categories }
    }

    fn entry(&self, secret: usize, x: usize, y: usize) -> usize {
        let channel = if self.count == 1 { 0 } else { secret };
        (channel * self.categories + x) * self.categories + y
    }

    /// Each row that some secret can use, as a secret and an input, once.
    fn possible_inputs(&self, laws: &[Vec<f64>]) -> Vec<(usize, usize)> {
        let pairs = (0..laws.len()).flat_map(|secret| (0..self.categories).map(move |x| (secret, x)));
        let mut found: Vec<_> = pairs.filter(|&(secret, x)| laws[secret][x] > 0.0).collect();
        found.sort_by_key(|&(secret, x)| self.entry(secret, x, 0));
        found.dedup_by_key(|&mut (secret, x)| self.entry(secret, x, 0));
        found
    }
}

/// Problem (5) of the paper: one flip probability α ≤ 1/2 a profile, q = p + (1 − 2p)α, the largest as small as can be.
pub fn optimum_of_symmetric_flips(instance: &Instance) -> Optimum {
    assert!(instance.goal == Goal::MaxFlip && instance.categories == 2 && instance.kind == Kind::Aware);
    let ones: Vec<f64> = instance.laws().iter().map(|law| law[1]).collect();
    let mut program = Program::default();
    let flips: Vec<usize> = ones.iter().map(|_| program.variable(0.0)).collect();
    let most = program.variable(1.0);
    for &flip in &flips {
        program.at_most(vec![(flip, 1.0)], 0.5);
        program.at_most(vec![(flip, 1.0), (most, -1.0)], 0.0);
    }
    for (left, right, ratio) in instance.directed_pairs() {
        for p in [ones.clone(), ones.iter().map(|p| 1.0 - p).collect()] {
            let (slope, scale) = (|secret: usize| 1.0 - 2.0 * p[secret], scale(ratio));
            let terms = vec![(flips[left], slope(left) * scale), (flips[right], -ratio * slope(right) * scale)];
            program.at_most(terms, (ratio * p[right] - p[left]) * scale);
        }
    }
    let (lower, upper, _) = bracket(&program, |flips| repaired_flip(instance, &flips[..ones.len()]));
    Optimum { lower, upper, prices: Vec::new() }
}

/// The largest flip probability once the flips are made private by mixing in a fair coin.
fn repaired_flip(instance: &Instance, flips: &[f64]) -> f64 {
    let flips: Vec<f64> = flips.iter().map(|flip| flip.clamp(0.0, 0.5)).collect();
    let output = |law: &[f64], flip: f64| [law[0] + (law[1] - law[0]) * flip, law[1] + (law[0] - law[1]) * flip];
    let outputs: Vec<_> = instance.laws().iter().zip(&flips).map(|(law, &flip)| output(law, flip)).collect();
    let mut share = 0f64;
    for (left, right, ratio) in instance.directed_pairs() {
        for (more, less) in outputs[left].iter().zip(outputs[right]) {
            let excess = more - ratio * less;
            if excess > 0.0 {
                share = share.max(excess / (excess + (ratio - 1.0) / 2.0));
            }
        }
    }
    flips.iter().fold(0.0, |most: f64, flip| most.max((1.0 - share) * flip + share / 2.0))
}
