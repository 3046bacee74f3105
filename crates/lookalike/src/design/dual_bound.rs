//! Proven lower bounds from multipliers, for every objective and kind.
//!
//! Let λ ≥ 0 be any multipliers of the constraints `q_s(y) ≤ E q_s'(y)`, and `g_s(y)` the sum of λ where s is on the
//! left, less E·λ where it is on the right. Every private mechanism has `Σ_s Σ_y g_s(y) q_s(y) ≤ 0`. So
//!
//! - an averaged loss is at least `Σ_s Σ_x P_s(x) · min_y [w_s c(x,y) + g_s(y)]`: each input takes its best output;
//! - a largest flip of t needs `φ(t) = Σ_s Σ_x P_s(x) · min_a Σ_y a_y g_s(y) ≤ 0`, over rows a whose entries other than
//!   a_x are at most t. So a t with φ(t) > 0 is impossible.
//!
//! For a shared channel the sum over the secrets stands inside the minimum. A group's u lies in [0, 1], so its node
//! adds min(0, g). Floats choose λ; the bound is evaluated in integers, rounded down throughout, and so holds for any λ.

use super::Problem;
use super::instance::{Alike, Instance};
use super::laws_program::Multiplier;
use crate::exact::Rational;
use crate::model::{Distribution, Epsilon, Kind, Loss};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::HashMap;

/// Bits of the largest multiplier or weight.
const BITS: i32 = 62;
const MOST_SHIFT: i32 = 900;
/// A cap t is a multiple of 2^−CAP_BITS.
const CAP_BITS: u32 = 62;

/// The potentials g of some secrets, in units of 2^−shift, rounded down.
pub(super) struct Potentials<'a> {
    problem: &'a Problem,
    secrets: &'a [u32],
    size: usize,
    shift: i32,
    /// One after the other, d numbers each.
    values: Vec<i128>,
    /// The sum of min(0, g) over the nodes of groups.
    groups: i128,
}

impl<'a> Potentials<'a> {
    /// The potentials of an instance's secrets for these multipliers.
    pub(super) fn new(problem: &'a Problem, instance: &'a Instance, multipliers: &[Multiplier]) -> Self {
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
        let exp = |alike: &'a Alike| *known.entry(&alike.epsilon).or_insert_with(|| exp_above(&alike.epsilon));
        let exps: Vec<(i128, u32)> = instance.alike.iter().map(exp).collect();
        let nodes = multipliers.iter().map(|m| m.arc.more.max(m.arc.less) as usize + 1).fold(secrets.len(), usize::max);
        let mut values = vec![0i128; nodes * size];
        for Multiplier { arc, value } in multipliers {
            let whole = (value.max(0.0) * f64::exp2(f64::from(shift))).floor() as i128;
            values[arc.more as usize * size + arc.output as usize] += whole;
            values[arc.less as usize * size + arc.output as usize] -= match arc.alike {
                None => whole,
                Some(at) => {
                    let (exp, bits) = exps[at as usize];
                    (whole * exp + (1 << bits) - 1) >> bits
                }
            };
        }
        let groups = values.split_off(secrets.len() * size).into_iter().map(|value| value.min(0)).sum();
        Potentials { problem, secrets, size, shift, values, groups }
    }

    /// A lower bound on the averaged objective over these secrets.
    pub(super) fn averaged(&self) -> Rational {
        let loss = self.problem.objective().loss().expect("an averaged objective");
        let mut sum = BigInt::from(self.groups);
        self.for_each_row(
            &mut |weight, x, values| {
                // For a shared channel the costs are inside the values already.
                let cost = |y: usize| weight.map_or_else(BigInt::zero, |weight| self.cost(loss, weight, x, y));
                values.iter().enumerate().map(|(y, value)| value + cost(y)).min().expect("a category")
            },
            &mut |part| sum += part,
            Some(loss),
        );
        let unit = Rational::from_integer(BigInt::one() << self.shift.unsigned_abs() as usize);
        let bound =
            if self.shift < 0 { Rational::from_integer(sum) * unit } else { Rational::from_integer(sum) / unit };
        // Losses are not negative, and so is no average of them.
        bound.max(Rational::zero())
    }

    /// The largest t at most `near` that is proven impossible, or 0.
    pub(super) fn impossible_flip(&self, near: f64) -> Rational {
        let mut back = 1e-14;
        while back < near {
            let cap = BigInt::from(((near - back) * f64::exp2(f64::from(CAP_BITS))).floor() as i128);
            let mut sum = BigInt::from(self.groups) << CAP_BITS as usize;
            self.for_each_row(&mut |_, x, values| least_capped(values, x, &cap), &mut |part| sum += part, None);
            if sum.is_positive() {
                return Rational::new(cap, BigInt::one() << CAP_BITS as usize);
            }
            back *= 2.0;
        }
        Rational::zero()
    }

    /// Calls `least` with each row of the channels and the potentials it meets, and `add` with the result times the
    /// probability of the row, rounded down. The secret's weight is given where a row belongs to one secret.
    fn for_each_row(&self, least: &mut Least<'_>, add: &mut dyn FnMut(BigInt), loss: Option<&Loss>) {
        let laws = self.problem.profile_laws();
        let row =
            |at: usize| self.values[at * self.size..(at + 1) * self.size].iter().map(|&value| BigInt::from(value));
        let weight = |at: usize| {
            let exact = self.problem.prior().weight(self.secrets[at] as usize);
            Weight { whole: self.whole(&exact), exact }
        };
        match self.problem.kind() {
            Kind::Point => {
                for at in 0..self.secrets.len() {
                    add(least(Some(&weight(at)), self.secrets[at] as usize, &row(at).collect::<Vec<_>>()));
                }
            }
            Kind::Shared => {
                let weights: Vec<Weight> = (0..self.secrets.len()).map(weight).collect();
                for x in 0..self.size {
                    let mut sums = vec![BigInt::zero(); self.size];
                    for (at, weight) in weights.iter().enumerate() {
                        let law = &laws[self.secrets[at] as usize];
                        for (y, value) in row(at).enumerate() {
                            let cost = loss.map_or_else(BigInt::zero, |loss| self.cost(loss, weight, x, y));
                            sums[y] += share(law, x, value + cost);
                        }
                    }
                    add(least(None, x, &sums));
                }
            }
            _ => {
                for at in 0..self.secrets.len() {
                    let (law, values) = (&laws[self.secrets[at] as usize], row(at).collect::<Vec<_>>());
                    let weight = weight(at);
                    for x in (0..self.size).filter(|&x| !law.numerator(x).is_zero()) {
                        add(share(law, x, least(Some(&weight), x, &values)));
                    }
                }
            }
        }
    }

    /// A weight times the cost of releasing y for x, in units, rounded down.
    fn cost(&self, loss: &Loss, weight: &Weight, x: usize, y: usize) -> BigInt {
        match loss {
            Loss::ZeroOne if x == y => BigInt::zero(),
            Loss::ZeroOne => weight.whole.clone(),
            Loss::Ordinal => &weight.whole * x.abs_diff(y),
            Loss::Matrix(_) => self.whole(&(&weight.exact * loss.cost(x, y))),
        }
    }

    /// A number at least 0 in units, rounded down.
    fn whole(&self, value: &Rational) -> BigInt {
        let unit = BigInt::one() << self.shift.unsigned_abs() as usize;
        if self.shift < 0 { (value / unit).floor().to_integer() } else { (value * unit).floor().to_integer() }
    }
}

/// What a row costs at least: the secret's weight where it belongs to one, the input, and the potentials it meets.
type Least<'a> = dyn FnMut(Option<&Weight>, usize, &[BigInt]) -> BigInt + 'a;

/// A secret's weight, exactly and in units, rounded down.
struct Weight {
    exact: Rational,
    whole: BigInt,
}

/// P(x)·value, rounded down.
fn share(law: &Distribution, x: usize, value: BigInt) -> BigInt {
    let product = value * BigInt::from(law.numerator(x).to_big());
    num_integer::Integer::div_floor(&product, &BigInt::from(law.denominator().to_big()))
}

/// The least `Σ_y a_y v_y` over rows a with entries other than a_x at most the cap, times 2^CAP_BITS.
///
/// Outputs cheaper than x are filled in order, each up to the cap, and x takes the rest.
fn least_capped(values: &[BigInt], x: usize, cap: &BigInt) -> BigInt {
    let mut cheaper: Vec<&BigInt> =
        (0..values.len()).filter(|&y| y != x && values[y] < values[x]).map(|y| &values[y]).collect();
    cheaper.sort_unstable();
    let (mut sum, mut left) = (BigInt::zero(), BigInt::one() << CAP_BITS as usize);
    for value in cheaper {
        let part = cap.min(&left).clone();
        left -= &part;
        sum += part * value;
    }
    sum + left * &values[x]
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
