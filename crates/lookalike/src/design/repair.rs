//! Makes room for rounding: turns a nearly private mechanism into one that certifies.

use super::rounding::largest_remainder;
use crate::error::Result;
use crate::exact::{Direction, Dyadic, Interval, Rational, exceeds, to_f64};
use crate::model::{Channel, Constraint, Distribution, Mechanism};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

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
const BITS: u64 = 160;

/// The mechanism itself if its claim holds; otherwise every row of the channels involved mixed with an even row, just
/// as much as the claim and the rounding need.
///
/// With `v = q_i(y) − E q_j(y)`, the margin `m = (1 + E)·2^−53` for the rounding of both laws and the even row r:
/// `λ = max (v + m)/(v + (E − 1) r_y)` over edges, both directions, and outputs with `v > −m`. Channels that a chain
/// of edges connects are mixed with one λ and one r, which is uniform over the outputs they use. λ ≥ 1 becomes 1: all
/// rows equal, private at any ε.
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
    let mut lambda = vec![Rational::zero(); broken.len()];
    for constraint in mechanism.graph().constraints() {
        let class = class_of(&constraint, &mechanism, &classes);
        if broken[class] {
            let needed = mix_needed(&constraint, &laws, &used[class]);
            lambda[class] = lambda[class].clone().max(needed).min(Rational::one());
        }
    }
    let mixed = mechanism.channels().iter().zip(&classes).map(|(channel, &class)| {
        if broken[class] { mix(channel, &lambda[class], &used[class]) } else { Ok(channel.clone()) }
    });
    let channels = mixed.collect::<Result<Vec<_>>>()?;
    let cost = lambda.iter().max().map_or(0.0, |largest| to_f64(largest, Direction::Up));
    Ok(Repaired { mechanism: mechanism.with_channels(channels, mechanism.outputs().clone())?, cost })
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

/// The share λ that the constraint needs, rounded up to a multiple of 2^−96; at least 1 means that nothing can be kept.
fn mix_needed(constraint: &Constraint<'_>, laws: &[Distribution], used: &[bool]) -> Rational {
    let count = used.iter().filter(|used| **used).count();
    let even = Interval::of(&Rational::new(BigInt::one(), BigInt::from(count.max(1))), BITS);
    let exp = constraint.epsilon.exp(BITS);
    let margin = &(&exp + &Interval::integer(1)) * &Interval::point(Dyadic::new(BigInt::one(), -53));
    let pull = &(&exp - &Interval::integer(1)) * &even;
    let room = &pull - &margin;
    let mut largest = Rational::zero();
    for y in (0..used.len()).filter(|&y| used[y]) {
        let (most, least) = constraint.extremes(laws, y);
        let probability = |secret: u32| Interval::of(&laws[secret as usize].probability(y), BITS);
        let v = &probability(most) - &(&exp * &probability(least));
        if (&v + &margin).upper().signum() <= 0 {
            continue;
        }
        // (v + m)/(v + c) = 1 − (c − m)/(v + c): no room left when c ≤ m.
        let share = if room.is_positive() { room.divide(&(&v + &pull), BITS) } else { None };
        let kept = share.map_or_else(Rational::zero, |share| share.lower().to_rational());
        largest = largest.max(Rational::one() - kept);
    }
    let grid = BigInt::one() << LAMBDA_BITS;
    Rational::new((largest * &grid).ceil().to_integer(), grid)
}

/// (1 − λ)·A + λ·r, rounded by largest remainder.
fn mix(channel: &Channel, lambda: &Rational, used: &[bool]) -> Result<Channel> {
    let count = used.iter().filter(|used| **used).count() as u64;
    let grid = BigUint::one() << LAMBDA_BITS;
    let units = (lambda * BigInt::from(grid.clone())).to_integer().to_biguint().expect("λ is not negative");
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
