//! What several releases from one sequence lose together.
//!
//! Never more than the sum of their ε, whatever found the noise of each: quilts, of which group privacy is the empty one,
//! contraction, or the influence matrix, which has at least the noise of contraction. Let a node have the quilt Q. Given Q,
//! what is remote does not depend on the node. The releases by quilts change with the near nodes by at most e^(card·Σ 1/σ_k)
//! and are taken out; what is left of the average is that of the releases by contraction over the near nodes, which are a
//! chain with the same cross ratios whatever Q is, and changes by what contraction says. So a node loses at most
//! e + card·Σ 1/σ_k over the quilt releases, and the least of that over Q is at most the sum of their ε; and for the others
//! o ↦ h(o) adds up as well, since h(a + b) ≤ h(a) + h(b).
//!
//! Lengths may differ: a release from the beginning of a sequence changes with no later node, so that these count neither in
//! card nor in o. A node behind the end of a release tells of it what the last node tells, mixed, and so no more.

use super::approx::{FRACTION, LONGEST_BY_NODE, influence_bound};
use super::exact_search::{ExactOptions, check_length, exact_loss};
use super::{Chain, Mixing};
use crate::exact::{Epsilon, Rational};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// What releases with these scales from one sequence lose together, by exact influences, rounded up.
///
/// # Guarantee
/// The releases together are Pufferfish private with this ε. Given a quilt and what is remote, the near nodes change the
/// joint law of the outputs by at most e^(card·Σ 1/σ_k), and the influence on the quilt is paid once: the loss of a node
/// is the least e + card·Σ 1/σ_k over its quilts. As a least of rising straight lines with the empty quilt among them,
/// that is concave from 0 on, so it is never more than the sum of what each release loses by itself.
///
/// # Errors
/// No release, a scale that is not positive, scales so small that Σ 1/σ_k is beyond 2^20; and as
/// [`exact`](super::exact).
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Chain, Initial, compose_exact, exact}};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// let theta = [Chain::new(Initial::Stationary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])])?];
/// let scale = exact(&theta, 1000, &"1".parse()?)?.scale;
/// let two = compose_exact(&theta, 1000, &[scale.clone(), scale])?;
/// assert!(two > parse_rational("1")? && two < parse_rational("1.8")?, "two releases at 1 each lose less than 2");
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), theorem 4.4, for equal quilts.
pub fn compose_exact(theta: &[Chain], length: u64, scales: &[Rational]) -> Result<Rational> {
    exact_loss(theta, length, &rate(scales)?, &ExactOptions::default())
}

/// As [`compose_exact`], by the bounds of [`approximate`](super::approximate).
///
/// # Errors
/// No release, a scale that is not positive; and as [`approximate`](super::approximate).
pub fn compose_approximate(theta: &[Chain], length: u64, scales: &[Rational]) -> Result<Rational> {
    super::check_chains(theta)?;
    let mut worst = Rational::zero();
    for (place, chain) in theta.iter().enumerate() {
        let mixing = Mixing::of(chain).map_err(|error| error.at(format_args!("chain {}", place + 1)))?;
        worst = worst.max(mixing.compose(length, scales)?);
    }
    Ok(worst)
}

/// What releases at these ε lose together if for each node the same quilt gave the scale of all of them, and no node's
/// quilt has an influence below `least_influence`: Σ ε_k − (K − 1)·e, rounded up.
///
/// The least influence over the nodes counts, not that of the node that needs the most noise. Nothing here checks that the
/// quilts were the same: [`compose_exact`] needs no such promise.
///
/// # Errors
/// No release, or a negative influence.
pub fn compose_equal_quilts(epsilons: &[Epsilon], least_influence: &Rational) -> Result<Rational> {
    if epsilons.is_empty() || least_influence.is_negative() {
        return Err(Error::input("no release or a negative influence, expected an ε a release and an influence"));
    }
    let sum: Rational = epsilons.iter().map(|epsilon| epsilon.enclose(96).upper().to_rational()).sum();
    Ok(sum - least_influence * BigInt::from(epsilons.len() - 1))
}

/// Σ 1/σ_k: how fast the joint law of the releases changes with one node.
fn rate(scales: &[Rational]) -> Result<Rational> {
    if scales.is_empty() {
        return Err(Error::input("no release, expected the scale of each"));
    }
    match scales.iter().find(|scale| !scale.is_positive()) {
        Some(scale) => Err(Error::input(format!("a scale of {scale}, expected a number above 0"))),
        None => Ok(scales.iter().map(|scale| scale.recip()).sum()),
    }
}

impl Mixing {
    /// What releases with these scales from one sequence lose together, for any chain within these bounds.
    ///
    /// # Errors
    /// No release, a scale that is not positive, or a length outside 1 to 2^40.
    pub fn compose(&self, length: u64, scales: &[Rational]) -> Result<Rational> {
        check_length(length)?;
        let rate = rate(scales)?;
        // The empty quilt; and what no quilt can better at this rate.
        let all = &rate * BigInt::from(length);
        let unit = BigInt::one() << FRACTION;
        let step = (&rate * &unit).ceil().to_integer().to_u128();
        // Beyond this the nodes themselves tell all, and the costs would not fit.
        let Some(step) = step.filter(|step| step >> (FRACTION + 20) == 0) else { return Ok(all) };
        let times = if self.stationary { 1 } else { 2 };
        let (left, right) = (Side::new(self, step, times, length), Side::new(self, step, 1, length));
        // The card is a + b − 1, so the node itself was counted twice.
        let cost = |node: u64| left.cost(node) + right.cost(length - node + 1) - step;
        let worst = if length <= LONGEST_BY_NODE {
            (1..=length).map(cost).max().expect("a node")
        } else {
            left.most + right.most - step
        };
        Ok(all.min(Rational::new(worst.into(), unit)))
    }
}

/// What one side of a node costs, in units of 2^−64: the least a·rate + e over distances a, or all nodes on that side.
///
/// The two sides are apart, since the card and the bound of the influence are sums. No node pays more than `most`, the
/// least over all distances: one with fewer nodes on that side than the best distance pays for these alone.
struct Side {
    step: u128,
    /// The least cost among distances up to this place + 1, for short chains.
    least: Vec<u128>,
    most: u128,
}

impl Side {
    fn new(mixing: &Mixing, step: u128, times: u128, length: u64) -> Side {
        let cost = |distance: u64| -> Option<u128> {
            let influence = influence_bound(mixing, distance)?.checked_mul(times)?;
            influence.checked_add(step * u128::from(distance))
        };
        if length <= LONGEST_BY_NODE {
            let least = (1..length).scan(u128::MAX, |least, distance| {
                *least = cost(distance).map_or(*least, |cost| cost.min(*least));
                Some(*least)
            });
            return Side { step, least: least.collect(), most: u128::MAX };
        }
        // The cost falls and then rises, as a sum of a falling convex function and a straight line.
        let (mut low, mut high) = (1, length - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let falls = cost(middle).is_none_or(|here| cost(middle + 1).is_some_and(|next| next < here));
            if falls { low = middle + 1 } else { high = middle }
        }
        let whole = step * u128::from(length);
        Side { step, least: Vec::new(), most: cost(low).map_or(whole, |cost| cost.min(whole)) }
    }

    /// The cost with this many nodes on the side, the node itself included.
    fn cost(&self, nodes: u64) -> u128 {
        let whole = self.step * u128::from(nodes);
        match nodes.checked_sub(2) {
            Some(place) => self.least[place as usize].min(whole),
            None => whole,
        }
    }
}

#[cfg(test)]
#[path = "composition_tests.rs"]
mod tests;
