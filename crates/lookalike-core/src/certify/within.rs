//! The worst ε of a mechanism whose profiles are known up to limits only.

use super::Worst;
use crate::error::{Error, Result};
use crate::exact::Rational;
use crate::model::{Kind, Mechanism};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rayon::prelude::*;

/// The pair and output with the largest likelihood ratio that laws within limits can have.
///
/// `limits` holds for each secret and category the least and the largest probability: secret s has any law P with
/// `l ≤ P ≤ u` and `Σ P = 1`, each secret its own.
///
/// # Guarantee
/// For all such laws, every pair that must look alike and every output y, `q_s(y) / q_s'(y)` with `q_s = P A^s` is at
/// most the ratio of the result; some laws reach it. It is infinite when a law has an output that another may lack.
///
/// # Errors
/// Limits that do not fit the mechanism, limits of a profile that no law meets, or a mechanism whose secrets are values.
///
/// # Complexity
/// Per secret and output one sort of its channel's column, a fractional knapsack; per group the members twice.
pub fn within(mechanism: &Mechanism, limits: &[Vec<[Rational; 2]>]) -> Result<Worst> {
    let boxes = boxes(mechanism, limits)?;
    let outputs = (0..mechanism.outputs().len()).into_par_iter();
    let found: Vec<Found> = outputs.flat_map_iter(|output| worst_at(mechanism, &boxes, output)).collect();
    let worst = found.into_iter().reduce(|a, b| if b.ratio.exceeds(&a.ratio) { b } else { a });
    let Found { secrets, output, claim, ratio } = worst.expect("some output has a positive probability");
    let claimed = mechanism.graph().constraints().nth(claim).expect("a constraint of the graph").epsilon.clone();
    let natural = |value: BigInt| value.magnitude().clone().into();
    let probabilities = [natural(ratio.0.numer() * ratio.1.denom()), natural(ratio.1.numer() * ratio.0.denom())];
    Ok(Worst { secrets, output, claimed, probabilities })
}

/// A profile's limits as whole numbers over `total`: each category has `lower` at least and up to `room` more, and
/// `spare` is left to be given out.
struct LimitBox {
    lower: Vec<BigInt>,
    room: Vec<BigInt>,
    spare: BigInt,
    total: BigInt,
}

fn boxes(mechanism: &Mechanism, limits: &[Vec<[Rational; 2]>]) -> Result<Vec<LimitBox>> {
    if mechanism.kind() == Kind::Point {
        return Err(Error::inapplicable("the secrets are the values themselves, so there are no profiles to be wrong"));
    }
    let (names, size) = (mechanism.graph().names(), mechanism.inputs().len());
    if limits.len() != names.len() {
        return Err(Error::input(format!("limits of {} profiles, expected {}", limits.len(), names.len())));
    }
    let of_profile = |(name, limits): (&str, &Vec<[Rational; 2]>)| {
        match limits.len() == size {
            true => LimitBox::new(limits),
            false => Err(Error::input(format!("{} limits, expected {size}, one for each category", limits.len()))),
        }
        .map_err(|error| error.at(format!("profile {name:?}")))
    };
    names.iter().zip(limits).map(of_profile).collect()
}

impl LimitBox {
    fn new(limits: &[[Rational; 2]]) -> Result<Self> {
        // Limits tell how often people were seen to do what: they are private, and no error shows them.
        if let Some(at) = limits.iter().position(|[lower, upper]| lower.is_negative() || lower > upper) {
            return Err(Error::input(format!(
                "category {}: its limits are not in order, expected 0 ≤ lower ≤ upper",
                at + 1
            )));
        }
        let total =
            limits.iter().flatten().fold(BigInt::one(), |total, limit| num_integer::lcm(total, limit.denom().clone()));
        let whole = |limit: &Rational| limit.numer() * (&total / limit.denom());
        let lower: Vec<BigInt> = limits.iter().map(|[lower, _]| whole(lower)).collect();
        let room: Vec<BigInt> = limits.iter().zip(&lower).map(|([_, upper], lower)| whole(upper) - lower).collect();
        let spare = &total - lower.iter().sum::<BigInt>();
        if spare.is_negative() || spare > room.iter().sum() {
            return Err(Error::input(match spare.is_negative() {
                true => "no law lies within the limits: the lower ones sum to more than 1",
                false => "no law lies within the limits: the upper ones sum to less than 1",
            }));
        }
        Ok(LimitBox { lower, room, spare, total })
    }

    /// The largest and the least Σ P(x) w(x) out of `scale`: what is spare goes to the largest weights first, or to the
    /// smallest.
    fn extremes(&self, weight: impl Fn(usize) -> u128, scale: u128) -> [Rational; 2] {
        let mut order: Vec<usize> = (0..self.lower.len()).collect();
        order.sort_by_key(|&x| weight(x));
        let sum = |order: &mut dyn Iterator<Item = &usize>| {
            let mut spare = self.spare.clone();
            let share = order.map(|&x| {
                let more = (&self.room[x]).min(&spare).clone();
                spare -= &more;
                (&self.lower[x] + more) * weight(x)
            });
            Rational::new(share.sum(), &self.total * scale)
        };
        [sum(&mut order.iter().rev()), sum(&mut order.iter())]
    }
}

/// The worst pair of one constraint at one output.
struct Found {
    secrets: [u32; 2],
    output: u32,
    /// The place of the constraint in the graph.
    claim: usize,
    ratio: Ratio,
}

/// A largest probability against a least one; not both are 0.
struct Ratio(Rational, Rational);

impl Ratio {
    fn exceeds(&self, other: &Ratio) -> bool {
        &self.0 * &other.1 > &other.0 * &self.1
    }
}

/// For each constraint whose members can have the output, the pair with the largest ratio.
fn worst_at(mechanism: &Mechanism, boxes: &[LimitBox], y: usize) -> Vec<Found> {
    let extremes = |(secret, limits): (usize, &LimitBox)| {
        let channel = mechanism.channel(secret as u32);
        limits.extremes(|x| channel.weight(x, y), channel.scale())
    };
    let extremes: Vec<[Rational; 2]> = boxes.par_iter().enumerate().map(extremes).collect();
    let ratio = |[more, less]: [u32; 2]| Ratio(extremes[more as usize][0].clone(), extremes[less as usize][1].clone());
    let found = mechanism.graph().constraints().enumerate().filter_map(|(claim, constraint)| {
        let others = |one: Option<u32>| constraint.members.iter().copied().filter(move |&other| Some(other) != one);
        let most = |one| others(one).max_by_key(|&secret| &extremes[secret as usize][0]);
        let least = |one| others(one).min_by_key(|&secret| &extremes[secret as usize][1]);
        let (top, bottom) = (most(None)?, least(None)?);
        if extremes[top as usize][0].is_zero() {
            return None;
        }
        // The two vary on their own, but a profile is not its own neighbour.
        let pair = match top == bottom {
            false => [top, bottom],
            true => {
                let [one, other] = [[top, least(Some(top))?], [most(Some(top))?, top]];
                if ratio(other).exceeds(&ratio(one)) { other } else { one }
            }
        };
        Some(Found { secrets: pair, output: y as u32, claim, ratio: ratio(pair) })
    });
    found.collect()
}

#[cfg(test)]
#[path = "within_tests.rs"]
mod tests;
