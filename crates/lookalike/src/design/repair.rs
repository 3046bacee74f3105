//! Makes room for rounding: turns a nearly private mechanism into one that certifies.

use super::floats::{column_floats, least_floats};
use super::rounding::{largest_remainder, largest_remainder_in_words};
use crate::Result;
use crate::model::{Budgets, Channel, Constraint, Form, Mechanism, OutputLaws, TOTAL_BITS};
use num_bigint::BigUint;
use num_traits::One;
use rayon::prelude::*;

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
const LAMBDA_BITS: u32 = 64;
/// Rows that use more outputs are mixed in big integers.
const MOST_IN_WORDS: u64 = 1024;

/// Above this ε all that an edge asks of floats is that what one secret can release the other can too.
pub(super) const LARGEST_EPSILON: f64 = 600.0;

/// The mechanism itself if its claim holds; otherwise every row of the channels involved mixed with an even row, just
/// as much as the claim and the rounding need.
///
/// With `v = q_i(y) − E q_j(y)`, at the laws within limits that make it largest where profiles have some, the margin `m = (1 + E)·2^−53` for the rounding of both laws and the even row r:
/// `λ = max (v + m)/(v + (E − 1) r_y)` over edges, both directions, and outputs with `v > −m`. Channels that a chain
/// of edges connects are mixed with one λ and one r, which is uniform over the outputs they use. λ ≥ 1 becomes 1: all
/// rows equal, private at any ε. λ is estimated in floats, with a margin for them; whether it was enough is decided
/// exactly, and if not it is raised.
///
/// # Errors
/// None for a valid mechanism. Channels of the form `keep` come back as `rows` if they had to change.
pub fn repair(mechanism: Mechanism) -> Result<Repaired> {
    let classes = Classes::of(&mechanism);
    let found = Findings::of(&mechanism, &classes);
    if !found.broken.contains(&true) {
        return Ok(Repaired::unchanged(mechanism));
    }
    let mut lambda = mix_needed(&mechanism, &classes, &found);
    // The estimate has room to spare, so this takes one round; but exactness decides, not the estimate.
    loop {
        let mixed = mechanism.channels().par_iter().zip(&classes.of_channel).map(|(channel, &class)| {
            if !found.broken[class as usize] {
                return Ok(channel.clone());
            }
            mix(channel, lambda[class as usize], found.used_by(class))
        });
        let candidate = mechanism.with_channels(mixed.collect::<Result<Vec<_>>>()?, mechanism.outputs().clone())?;
        let still = Findings::of(&candidate, &classes).broken;
        if !still.contains(&true) {
            return Ok(Repaired { mechanism: candidate, cost: lambda.into_iter().fold(0.0, f64::max) });
        }
        // All rows are equal at λ = 1, and private at any ε, so this ends.
        for (lambda, _) in lambda.iter_mut().zip(still).filter(|(_, still)| *still) {
            *lambda = (4.0 * *lambda).clamp(f64::EPSILON, 1.0);
        }
    }
}

/// Channels that a chain of edges connects, named by their first one.
struct Classes {
    of_channel: Vec<u32>,
    of_secret: Vec<u32>,
}

impl Classes {
    fn of(mechanism: &Mechanism) -> Self {
        fn root(classes: &mut [u32], mut at: u32) -> u32 {
            while classes[at as usize] != at {
                classes[at as usize] = classes[classes[at as usize] as usize];
                at = classes[at as usize];
            }
            at
        }
        let mut classes: Vec<u32> = (0..mechanism.channels().len() as u32).collect();
        let assignment = mechanism.assignment();
        for (&channel, &first) in assignment.iter().zip(mechanism.graph().first_of_component()) {
            let (a, b) = (root(&mut classes, channel), root(&mut classes, assignment[first as usize]));
            classes[a.max(b) as usize] = a.min(b);
        }
        let of_channel: Vec<u32> = (0..classes.len() as u32).map(|at| root(&mut classes, at)).collect();
        let of_secret = assignment.iter().map(|&channel| of_channel[channel as usize]).collect();
        Classes { of_channel, of_secret }
    }

    fn of_constraint(&self, constraint: &Constraint<'_>) -> usize {
        self.of_secret[constraint.members[0] as usize] as usize
    }
}

/// What the exact output laws of a mechanism say of each class of channels.
struct Findings {
    /// Whether a claim inside the class fails.
    broken: Vec<bool>,
    /// For each output whether some law of the class gives it a positive probability.
    used: Vec<Vec<bool>>,
}

impl Findings {
    fn of(mechanism: &Mechanism, classes: &Classes) -> Self {
        let laws = OutputLaws::of(mechanism);
        let of_output = |output: usize| {
            let column = laws.column(output);
            let (mut broken, mut used) = (vec![false; classes.of_channel.len()], vec![false; classes.of_channel.len()]);
            for constraint in mechanism.graph().constraints() {
                if column.exceeds(&column.extremes(&constraint), constraint.epsilon) {
                    broken[classes.of_constraint(&constraint)] = true;
                }
            }
            for (secret, &class) in (0u32..).zip(&classes.of_secret) {
                used[class as usize] |= !column.is_zero(secret);
            }
            (broken, used)
        };
        let (broken, used): (Vec<_>, Vec<_>) = (0..mechanism.outputs().len()).into_par_iter().map(of_output).unzip();
        let either = |a: Vec<bool>, b: Vec<bool>| a.into_iter().zip(b).map(|(a, b)| a || b).collect();
        Findings { broken: broken.into_iter().reduce(either).unwrap_or_default(), used }
    }

    /// The outputs that a class uses.
    fn used_by(&self, class: u32) -> impl Fn(usize) -> bool {
        move |output| self.used[output][class as usize]
    }
}

/// For each broken class the share λ that its constraints need, with room for the rounding of floats; 1 means that
/// nothing can be kept.
fn mix_needed(mechanism: &Mechanism, classes: &Classes, found: &Findings) -> Vec<f64> {
    let (laws, budgets) = (OutputLaws::of(mechanism), Budgets::of(mechanism.graph()));
    let numbers: Vec<[f64; 3]> = budgets
        .distinct()
        .iter()
        .map(|epsilon| {
            // A smaller ε is only stricter, and e^ε must stay finite.
            let bounded = epsilon.to_f64().min(LARGEST_EPSILON);
            let (exp, gain) = (bounded.exp(), bounded.exp_m1());
            // m = (1 + E)·2^−53 for the rounding of both laws, and as much again several times for that of v.
            [exp, gain, 6.0 * (1.0 + exp) * f64::EPSILON / 2.0]
        })
        .collect();
    let mut even = vec![0.0f64; classes.of_channel.len()];
    for used in &found.used {
        even.iter_mut().zip(used).for_each(|(count, &used)| *count += f64::from(u8::from(used)));
    }
    even.iter_mut().for_each(|count| *count = 1.0 / count.max(1.0));
    let of_output = |output: usize| {
        let mut lambda = vec![0.0f64; classes.of_channel.len()];
        let column = laws.column(output);
        let (largest, least) = (column_floats(&column), least_floats(&column));
        for (constraint, &number) in mechanism.graph().constraints().zip(budgets.of_constraints()) {
            let class = classes.of_constraint(&constraint);
            if !found.broken[class] || !found.used[output][class] {
                continue;
            }
            let [exp, gain, margin] = numbers[number as usize];
            let (v, pull) = (furthest(constraint.members, exp, [&largest, &least]), gain * even[class]);
            let needed = match v + margin {
                room if room <= 0.0 => 0.0,
                _ if pull <= margin => 1.0,
                room => room / (v + pull),
            };
            lambda[class] = lambda[class].max(needed).min(1.0);
        }
        lambda
    };
    let largest = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect();
    let outputs = (0..mechanism.outputs().len()).into_par_iter();
    outputs.map(of_output).reduce_with(largest).unwrap_or_default()
}

/// The largest `q_i − E q_j` over two members, each at its own worst law.
fn furthest(members: &[u32], exp: f64, [largest, least]: [&[f64]; 2]) -> f64 {
    // The two that have the most, and the two that have the least: nothing is claimed about one secret's own laws.
    let (mut most, mut few) = ([(0.0, u32::MAX); 2], [(1.0, u32::MAX); 2]);
    for &member in members {
        let (high, low) = (largest[member as usize], least[member as usize]);
        if high > most[0].0 || most[0].1 == u32::MAX {
            most = [(high, member), most[0]];
        } else if high > most[1].0 {
            most[1] = (high, member);
        }
        if low < few[0].0 || few[0].1 == u32::MAX {
            few = [(low, member), few[0]];
        } else if low < few[1].0 {
            few[1] = (low, member);
        }
    }
    let pairs =
        most.iter().flat_map(|more| few.iter().map(move |less| (more, less))).filter(|(more, less)| more.1 != less.1);
    pairs.map(|(more, less)| more.0 - exp * less.0).fold(f64::NEG_INFINITY, f64::max)
}

/// (1 − λ)·A + λ·r, rounded by largest remainder, where r is even over the outputs in use.
fn mix(channel: &Channel, lambda: f64, is_used: impl Fn(usize) -> bool) -> Result<Channel> {
    let count = (0..channel.outputs()).filter(|&y| is_used(y)).count() as u64;
    let grid = 1u128 << LAMBDA_BITS;
    let units = (lambda.min(1.0) * grid as f64).ceil() as u128;
    match channel.form() {
        Form::Rows { weights, outputs } if count <= MOST_IN_WORDS => {
            let row = |row: &[u64]| {
                let entry = |(y, &weight): (usize, &u64)| {
                    let kept = u128::from(weight) * (grid - units) * u128::from(count);
                    if is_used(y) { kept + (units << TOTAL_BITS) } else { kept }
                };
                largest_remainder_in_words(&row.iter().enumerate().map(entry).collect::<Vec<u128>>(), count)
            };
            Channel::from_weights(weights.chunks_exact(outputs).flat_map(row).collect::<Vec<u64>>(), outputs)
        }
        _ => mix_in_big_integers(channel, units, count, is_used),
    }
}

fn mix_in_big_integers(channel: &Channel, units: u128, count: u64, is_used: impl Fn(usize) -> bool) -> Result<Channel> {
    let grid = BigUint::one() << LAMBDA_BITS;
    let (scale, units) = (BigUint::from(channel.scale()), BigUint::from(units));
    let denominator = &scale * &grid * count;
    let entry = |x: usize, y: usize| {
        let kept = BigUint::from(channel.weight(x, y)) * (&grid - &units) * count;
        if is_used(y) { kept + &units * &scale } else { kept }
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
