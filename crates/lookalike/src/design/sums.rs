//! Multipliers of constraints as whole numbers, summed by where they stand.

use super::Problem;
use super::instance::{Alike, Instance};
use super::laws_program::Multiplier;
use crate::exact::Rational;
use crate::model::Epsilon;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::collections::HashMap;

/// Bits of the largest multiplier or weight.
const BITS: i32 = 62;
const MOST_SHIFT: i32 = 900;

/// The sums of multipliers of each node and output, in units of 2^−shift: on the left, and E times those on the right.
pub(super) struct Sums {
    pub(super) shift: i32,
    pub(super) left: Vec<i128>,
    pub(super) right: Vec<i128>,
}

impl Sums {
    /// The sums over an instance's nodes, multipliers rounded down and E times them up: none at all where a solver went astray.
    pub(super) fn of<'b>(problem: &Problem, instance: &'b Instance, multipliers: &[Multiplier]) -> Self {
        let (size, secrets) = (instance.size, &instance.secrets[..]);
        let weights = match problem.objective().loss() {
            None => 0.0,
            Some(loss) => {
                let largest = (0..size * size).map(|at| float(&loss.cost(at / size, at % size))).fold(0.0, f64::max);
                let weight = |&secret: &u32| float(&problem.prior().weight(secret as usize));
                secrets.iter().map(weight).fold(0.0, f64::max) * largest
            }
        };
        let largest = multipliers.iter().map(|multiplier| multiplier.value).fold(weights, f64::max);
        // Any multipliers are valid: none at all where a solver went astray.
        let astray = !largest.is_finite();
        let multipliers = if astray { &[][..] } else { multipliers };
        let shift = if largest > 0.0 && !astray { BITS - largest.log2().ceil() as i32 } else { BITS };
        let shift = shift.clamp(-MOST_SHIFT, MOST_SHIFT);
        let mut known: HashMap<&Epsilon, (i128, u32)> = HashMap::new();
        let exp = |alike: &'b Alike| *known.entry(&alike.epsilon).or_insert_with(|| exp_above(&alike.epsilon));
        let exps: Vec<(i128, u32)> = instance.alike.iter().map(exp).collect();
        let nodes = multipliers.iter().map(|m| m.arc.more.max(m.arc.less) as usize + 1).fold(secrets.len(), usize::max);
        let (mut left, mut right) = (vec![0i128; nodes * size], vec![0i128; nodes * size]);
        for Multiplier { arc, value } in multipliers {
            let whole = (value.max(0.0) * f64::exp2(f64::from(shift))).floor() as i128;
            left[arc.more as usize * size + arc.output as usize] += whole;
            right[arc.less as usize * size + arc.output as usize] += match arc.alike {
                None => whole,
                Some(at) => {
                    let (exp, bits) = exps[at as usize];
                    (whole * exp + (1 << bits) - 1) >> bits
                }
            };
        }
        Sums { shift, left, right }
    }
}

/// e^ε over 2^bits, rounded up, so that 62 bits hold it.
fn exp_above(epsilon: &Epsilon) -> (i128, u32) {
    let upper = epsilon.exp(96).upper().to_rational();
    let whole = upper.ceil().to_integer().bits() as u32;
    let bits = (BITS as u32).saturating_sub(whole);
    let scaled = (upper * (BigInt::one() << bits as usize)).ceil().to_integer();
    // An ε this large has no arc in a program, so the value does not matter.
    (scaled.to_i128().unwrap_or(1), bits)
}

fn float(value: &Rational) -> f64 {
    crate::exact::to_f64(value, crate::exact::Direction::Up)
}
