//! A proven lower bound on the expected error of a component of groups, from any multipliers.

use super::Problem;
use super::group::{MultiplierBlock, Multipliers};
use super::instance::Instance;
use crate::exact::Rational;
use crate::model::Distribution;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use rayon::prelude::*;

/// A number that the component's part of the expected error, Σ w_s Pr[y ≠ x | s], cannot go below.
///
/// Take λ, κ ≥ 0. Every private mechanism has a u in [0, 1] with `q_s ≤ u` and `u/E ≤ q_s`, so that its cost is at
/// least
///
/// ```text
/// Σ_s Σ_x P_s(x) Σ_y A_s(x, y) (w_s 1{y ≠ x} + g_s(y)) + Σ_gy u^g_y (Σ_s κ/E_g − Σ_s λ),   g_s = Σ_g λ − κ,
/// ```
///
/// of which the first sum is at least `Σ_x P_s(x) min(g_s(x), w_s + min_y g_s(y))` and the second at least the sum of
/// its negative terms. All of it is done in whole numbers of one small unit, on the exact profiles and weights and an
/// enclosure of E, and rounded down. Takes one pass over the profiles.
pub(super) fn group_bound(problem: &Problem, instance: &Instance, multipliers: &Multipliers) -> Rational {
    let Some(unit) = Unit::new(instance, multipliers) else {
        return Rational::zero();
    };
    let blocks = 0..multipliers.blocks(instance);
    let parts: Vec<Part> = blocks.into_par_iter().map(|at| part(problem, instance, multipliers, at, &unit)).collect();
    let width = multipliers.width;
    let wide = instance.alike.len() * width;
    let (mut upper, mut lower, mut profiles) = (vec![0i128; wide], vec![0i128; wide], 0i128);
    for part in &parts {
        profiles += part.value;
        for (at, &group) in part.groups.iter().enumerate() {
            for y in 0..width {
                upper[group as usize * width + y] += part.upper[at * width + y];
                lower[group as usize * width + y] += part.lower[at * width + y];
            }
        }
    }
    let mut total = BigInt::from(profiles);
    for (g, alike) in instance.alike.iter().enumerate() {
        let exp = alike.epsilon.exp(96).upper().to_rational();
        for &column in &multipliers.columns {
            let at = g * width + column as usize;
            let lowered = (Rational::from_integer(lower[at].into()) / &exp).floor().to_integer();
            total += (lowered - upper[at]).min(BigInt::zero());
        }
    }
    unit.value(total).max(Rational::zero())
}

/// One block's part of the bound, in units.
struct Part {
    groups: Vec<u32>,
    value: i128,
    upper: Vec<i128>,
    lower: Vec<i128>,
}

fn part(problem: &Problem, instance: &Instance, multipliers: &Multipliers, at: usize, unit: &Unit) -> Part {
    let block = multipliers.block(instance, at);
    let (width, groups) = (multipliers.width, block.groups.len());
    let wide = width * groups;
    let mut part = Part { groups: block.groups.clone(), value: 0, upper: vec![0; wide], lower: vec![0; wide] };
    let (mut tilts, mut costs) = (vec![0i128; width], vec![0i128; instance.size]);
    for (row, &secret) in block.secrets.iter().enumerate() {
        tilts.fill(0);
        for at in 0..wide {
            let (upper, lower) = (unit.of(block.upper[row * wide + at]), unit.of(block.lower[row * wide + at]));
            part.upper[at] += upper;
            part.lower[at] += lower;
            tilts[at % width] += upper - lower;
        }
        let secret = instance.secrets[secret as usize] as usize;
        let weight = unit.below(&problem.prior().weight(secret));
        let least = tilts.iter().copied().min().unwrap_or(0);
        for (cost, &column) in costs.iter_mut().zip(&multipliers.columns) {
            *cost = tilts[column as usize].min(weight + least);
        }
        part.value += expected_below(&problem.profile_laws()[secret], &costs);
    }
    part
}

/// Σ_x P(x) cost(x), rounded down.
fn expected_below(law: &Distribution, costs: &[i128]) -> i128 {
    if let Some(words) = law.words() {
        let sum: i128 = words.iter().zip(costs).map(|(&word, &cost)| i128::from(word) * cost).sum();
        return sum.div_euclid(words.iter().map(|&word| i128::from(word)).sum());
    }
    let sum: BigInt = law.numerators().zip(costs).map(|(number, &cost)| BigInt::from(number.to_big()) * cost).sum();
    let quotient = Rational::new(sum, law.denominator().to_big().into()).floor().to_integer();
    quotient.to_i128().expect("an average of costs is no larger than they are")
}

/// Numbers as multiples of 2^−bits, small enough for sums of products in 128 bits.
struct Unit {
    bits: i32,
    largest: i128,
}

impl Unit {
    /// The finest unit in which weights and multipliers fit; `None` when nothing weighs anything.
    fn new(instance: &Instance, multipliers: &Multipliers) -> Option<Unit> {
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let of_block = |block: &MultiplierBlock| most(&block.upper).max(most(&block.lower));
        let blocks: Vec<(f64, usize)> = (0..multipliers.blocks(instance))
            .into_par_iter()
            .map(|at| multipliers.block(instance, at))
            .map(|block| (of_block(&block), block.groups.len()))
            .collect();
        let largest = blocks.iter().map(|&(largest, _)| largest).fold(most(&instance.weights), f64::max);
        if !(most(&instance.weights) > 0.0 && largest.is_finite()) {
            return None;
        }
        let groups = blocks.iter().map(|&(_, groups)| groups).max()?.max(1);
        // Profiles have 64-bit words, so costs may have 61 bits: a weight and a multiplier for each group.
        let share = (1i128 << 60) / groups as i128;
        let bits = (share as f64 / largest).log2().floor() as i32;
        Some(Unit { bits: bits.clamp(-1000, 1000), largest: share })
    }

    /// A multiplier, cut to whole units: what is not negative may be chosen freely.
    fn of(&self, multiplier: f64) -> i128 {
        ((multiplier * 2f64.powi(self.bits)) as i128).clamp(0, self.largest)
    }

    /// A weight, rounded down.
    fn below(&self, weight: &Rational) -> i128 {
        let shift = self.bits.unsigned_abs();
        let scaled = if self.bits >= 0 {
            (weight.numer() << shift) / weight.denom()
        } else {
            weight.numer() / (weight.denom() << shift)
        };
        scaled.to_i128().map_or(self.largest, |units| units.min(self.largest))
    }

    fn value(&self, units: BigInt) -> Rational {
        let shift = self.bits.unsigned_abs();
        if self.bits >= 0 {
            Rational::new(units, BigInt::from(1) << shift)
        } else {
            Rational::from_integer(units << shift)
        }
    }
}
