//! Makes room for rounding: turns a nearly private mechanism into one that certifies.

use super::floats::floats;
use super::rounding::largest_remainder;
use crate::error::Result;
use crate::exact::{Rational, exceeds};
use crate::model::{Channel, Constraint, Distribution, Mechanism};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

/// A mechanism after repair, and what the repair cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// The mechanism; its claim holds, which `certify` will decide all the same.
    pub mechanism: Mechanism,
    /// The largest share λ of any row that was replaced by an even draw: each probability moved by at most λ and one
    /// unit of 2^−53. 0 when the mechanism was private as it came; 1 when nothing could be kept.
    pub cost: f64,
}

impl Repaired {
    fn unchanged(mechanism: Mechanism) -> Self {
        Repaired { mechanism, cost: 0.0 }
    }
}

/// λ is a multiple of 2^−LAMBDA_BITS.
const LAMBDA_BITS: u32 = 96;

/// The mechanism itself if its claim holds; otherwise every row of the channels involved mixed with an even row, just
/// as much as the claim and the rounding need.
///
/// With `v = q_i(y) − E q_j(y)`, the margin `m = (1 + E)·2^−53` for the rounding of both laws and the even row r:
/// `λ = max (v + m)/(v + (E − 1) r_y)` over edges, both directions, and outputs with `v > −m`. Channels that a chain
/// of edges connects are mixed with one λ and one r, which is uniform over the outputs they use. λ ≥ 1 becomes 1: all
/// rows equal, private at any ε. λ is estimated in floats, with a margin for them; whether it was enough is decided
/// exactly, and if not it is raised.
///
/// # Errors
/// None for a valid mechanism. Channels of the form `keep` come back as `rows` if they had to change.
pub fn repair(mechanism: Mechanism) -> Result<Repaired> {
    let laws = mechanism.output_laws();
    let classes = channel_classes(&mechanism);
    let mut broken = vec![false; mechanism.channels().len()];
    for constraint in mechanism.graph().constraints() {
        broken[class_of(&constraint, &mechanism, &classes)] |= is_broken(&constraint, &laws);
    }
    if !broken.contains(&true) {
        return Ok(Repaired::unchanged(mechanism));
    }
    let used = used_outputs(&mechanism, &laws, &classes);
    let floats: Vec<Vec<f64>> = laws.iter().map(floats).collect();
    let mut lambda = vec![0.0f64; broken.len()];
    for constraint in mechanism.graph().constraints() {
        let class = class_of(&constraint, &mechanism, &classes);
        if broken[class] {
            lambda[class] = lambda[class].max(mix_needed(&constraint, &laws, &floats, &used[class])).min(1.0);
        }
    }
    // The estimate has room to spare, so this takes one round; but exactness decides, not the estimate.
    loop {
        let mixed = mechanism.channels().iter().zip(&classes).map(|(channel, &class)| {
            if broken[class] { mix(channel, lambda[class], &used[class]) } else { Ok(channel.clone()) }
        });
        let channels = mixed.collect::<Result<Vec<_>>>()?;
        let candidate = mechanism.with_channels(channels, mechanism.outputs().clone())?;
        let laws = candidate.output_laws();
        let still: Vec<usize> = (candidate.graph().constraints())
            .filter(|constraint| is_broken(constraint, &laws))
            .map(|constraint| class_of(&constraint, &candidate, &classes))
            .collect();
        if still.is_empty() {
            return Ok(Repaired { mechanism: candidate, cost: lambda.into_iter().fold(0.0, f64::max) });
        }
        // All rows are equal at λ = 1, and private at any ε, so this ends.
        still.into_iter().for_each(|class| lambda[class] = (4.0 * lambda[class]).clamp(f64::EPSILON, 1.0));
    }
}

/// For each channel the first channel that a chain of edges connects it to.
fn channel_classes(mechanism: &Mechanism) -> Vec<usize> {
    let mut classes: Vec<usize> = (0..mechanism.channels().len()).collect();
    fn root(classes: &mut [usize], mut at: usize) -> usize {
        while classes[at] != at {
            classes[at] = classes[classes[at]];
            at = classes[at];
        }
        at
    }
    let channel = |secret: u32| mechanism.assignment()[secret as usize] as usize;
    for constraint in mechanism.graph().constraints() {
        for &member in &constraint.members[1..] {
            let first = root(&mut classes, channel(constraint.members[0]));
            let (a, b) = (first, root(&mut classes, channel(member)));
            classes[a.max(b)] = a.min(b);
        }
    }
    (0..classes.len()).map(|at| root(&mut classes, at)).collect()
}

fn class_of(constraint: &Constraint<'_>, mechanism: &Mechanism, classes: &[usize]) -> usize {
    classes[mechanism.assignment()[constraint.members[0] as usize] as usize]
}

fn is_broken(constraint: &Constraint<'_>, laws: &[Distribution]) -> bool {
    (0..laws[0].len()).any(|y| {
        let (most, least) = constraint.extremes(laws, y);
        let (more, less) = laws[most as usize].over_common_denominator(&laws[least as usize], y);
        exceeds(&more, constraint.epsilon, &less)
    })
}

/// For each class the outputs that some law of it gives a positive probability.
fn used_outputs(mechanism: &Mechanism, laws: &[Distribution], classes: &[usize]) -> Vec<Vec<bool>> {
    let mut used = vec![vec![false; mechanism.outputs().len()]; classes.len()];
    for (law, &channel) in laws.iter().zip(mechanism.assignment()) {
        for (used, numerator) in used[classes[channel as usize]].iter_mut().zip(law.numerators()) {
            *used |= !numerator.is_zero();
        }
    }
    used
}

/// The share λ that the constraint needs, with room for the rounding of floats; 1 means that nothing can be kept.
fn mix_needed(constraint: &Constraint<'_>, laws: &[Distribution], floats: &[Vec<f64>], used: &[bool]) -> f64 {
    let even = 1.0 / used.iter().filter(|used| **used).count().max(1) as f64;
    let exp = constraint.epsilon.to_f64().exp();
    // m = (1 + E)·2^−53 for the rounding of both laws, and as much again several times for that of v.
    let margin = 6.0 * (1.0 + exp) * f64::EPSILON / 2.0;
    let pull = constraint.epsilon.to_f64().exp_m1() * even;
    let needed = |y: usize| {
        let (most, least) = constraint.extremes(laws, y);
        let v = floats[most as usize][y] - exp * floats[least as usize][y];
        match v + margin {
            room if room <= 0.0 => 0.0,
            _ if pull <= margin => 1.0,
            room => room / (v + pull),
        }
    };
    (0..used.len()).filter(|&y| used[y]).map(needed).fold(0.0, f64::max)
}

/// (1 − λ)·A + λ·r, rounded by largest remainder.
fn mix(channel: &Channel, lambda: f64, used: &[bool]) -> Result<Channel> {
    let count = used.iter().filter(|used| **used).count() as u64;
    let grid = BigUint::one() << LAMBDA_BITS;
    let lambda = Rational::from_float(lambda).unwrap_or_else(Rational::one).min(Rational::one());
    let units = (lambda * BigInt::from(grid.clone())).ceil().to_integer().to_biguint().unwrap_or_default();
    let scale = BigUint::from(channel.scale());
    let denominator = &scale * &grid * count;
    let entry = |x: usize, y: usize| {
        let kept = BigUint::from(channel.weight(x, y)) * (&grid - &units) * count;
        if used[y] { kept + &units * &scale } else { kept }
    };
    let row = |x: usize| {
        let numerators: Vec<BigUint> = (0..channel.outputs()).map(|y| entry(x, y)).collect();
        largest_remainder(&numerators, &denominator)
    };
    Channel::rows((0..channel.inputs()).map(row).collect())
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
