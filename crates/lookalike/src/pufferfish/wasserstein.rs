//! The Wasserstein mechanism: noise as wide as the secrets can move the query.

use super::Framework;
use super::framework::PossiblePair;
use super::quantiles::coupled;
use crate::exact::Rational;
use crate::model::{Distribution, Epsilon, Noise};
use crate::{Error, Result};
use num_bigint::BigUint;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// W_∞, the ∞-Wasserstein distance of two laws on the line: the least w such that the two can be coupled with no two
/// values further apart than w.
///
/// On the line the coupling by quantiles is one of the best, so W_∞ is the largest distance between equal quantiles:
/// one merge of the two cumulative laws, in exact arithmetic. `values` ascend.
///
/// # Complexity
/// O(number of values) sums and comparisons of whole numbers.
///
/// # Panics
/// If the laws do not have one probability per value.
///
/// # Example
/// ```
/// use lookalike::{model::Distribution, pufferfish::{Values, distance}};
/// let law = |weights: [u64; 5]| Distribution::from_weights(weights.map(Into::into).to_vec());
/// // The number of ill people in a household of four, given that one of them is well, or ill.
/// let (well, ill) = (law([8, 9, 20, 3, 0])?, law([0, 3, 20, 9, 8])?);
/// assert_eq!(distance(Values::count(4)?.as_numbers()?, &well, &ill).to_string(), "2");
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn distance(values: &[Rational], one: &Distribution, other: &Distribution) -> Rational {
    assert!(one.len() == values.len() && other.len() == values.len(), "one probability per value");
    let weights = |law: &Distribution| law.numerators().map(|weight| weight.to_big()).collect::<Vec<BigUint>>();
    let mut farthest = Rational::zero();
    coupled(&weights(one), &weights(other), |i, j| {
        let apart = (&values[i] - &values[j]).abs();
        if apart > farthest {
            farthest = apart;
        }
    });
    farthest
}

/// A pair of secrets and a law of the class, and how far apart the query's laws are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Farthest {
    /// W_∞ of the two laws.
    pub distance: Rational,
    /// The two secrets.
    pub secrets: [u32; 2],
    /// The place of θ in the class.
    pub theta: usize,
}

/// How far the secrets of a framework move the query: the largest W_∞ over the pairs of Q and the laws of Θ under which
/// both secrets are possible, for each ε of a pair.
///
/// # Guarantee
/// [`Wasserstein::noise`] makes noise that keeps every pair of the framework within its own ε.
///
/// *Proof.* Let γ couple the laws of the query given s and given s' with no two values further apart than W; it exists
/// because on the line the infimum is attained. The mechanism rounds a value a to ⌊a/g + 1/2⌋ and adds Z. Values of one
/// coupled pair (a, b) are at most W apart, so after rounding at most ⌈W/g⌉ steps ([`Noise::steps`]: rounding comes after
/// coupling, so that its loss is counted there and nowhere else). For every output z
/// `Pr[z | s] = Σ γ(a, b)·P(z − round a) ≤ Σ γ(a, b)·e^(decay·⌈W/g⌉)·P(z − round b) = e^(decay·⌈W/g⌉)·Pr[z | s']`,
/// and decay·⌈W/g⌉ ≤ ε is what the certifier of noise decides.
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), algorithm 1 and theorem 3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wasserstein {
    /// At least one entry.
    by_epsilon: BTreeMap<Epsilon, Farthest>,
}

impl Wasserstein {
    pub(super) fn of(framework: &Framework) -> Result<Self> {
        let values = framework.values().as_numbers()?;
        let mut by_epsilon: BTreeMap<Epsilon, Farthest> = BTreeMap::new();
        for PossiblePair { secrets, theta, laws: [one, other], constraint } in framework.possible_pairs() {
            let found = Farthest { distance: distance(values, one, other), secrets, theta };
            match by_epsilon.get_mut(constraint.epsilon) {
                Some(farthest) if farthest.distance >= found.distance => {}
                Some(farthest) => *farthest = found,
                None => drop(by_epsilon.insert(constraint.epsilon.clone(), found)),
            }
        }
        Ok(Wasserstein { by_epsilon })
    }

    /// W, the largest distance of all.
    pub fn distance(&self) -> &Rational {
        &self.farthest().distance
    }

    /// The pair and the law with the largest distance.
    pub fn farthest(&self) -> &Farthest {
        let by_distance = |one: &&Farthest, other: &&Farthest| one.distance.cmp(&other.distance);
        self.by_epsilon.values().max_by(by_distance).expect("a framework has a possible pair")
    }

    /// The largest distance among the pairs of each ε, ascending by ε.
    pub fn by_epsilon(&self) -> &BTreeMap<Epsilon, Farthest> {
        &self.by_epsilon
    }

    /// The least noise on a grid of 2^exponent that keeps every pair within its ε.
    ///
    /// Its claim is that of the pair that needs the most: decay = ε/⌈W/g⌉ is least for that pair, so all others hold too.
    /// Pairs with W = 0 look alike already and ask for none.
    ///
    /// # Errors
    /// W = 0 for all pairs: the query needs no noise. Also as [`Noise::for_epsilon`].
    pub fn noise(&self, exponent: i32) -> Result<Noise> {
        let apart = self.by_epsilon.iter().filter(|(_, farthest)| farthest.distance.is_positive());
        let noises = apart.map(|(epsilon, farthest)| noise(epsilon, &farthest.distance, exponent));
        let noises = noises.collect::<Result<Vec<Noise>>>()?;
        noises.into_iter().min_by(|one, other| one.decay().cmp(other.decay())).ok_or_else(no_noise_needed)
    }
}

impl Framework {
    /// How far the secrets move the query.
    ///
    /// # Errors
    /// A query whose values are no numbers.
    ///
    /// # Complexity
    /// One merge of two laws for every pair and θ.
    pub fn wasserstein(&self) -> Result<Wasserstein> {
        Wasserstein::of(self)
    }

    /// The distance between the least and the largest possible value of the query: what group differential privacy,
    /// which hides everyone at once, would have to hide.
    ///
    /// # Errors
    /// A query whose values are no numbers.
    pub fn span(&self) -> Result<Rational> {
        let values = self.values().as_numbers()?;
        let possible = |value: &usize| self.profiles().iter().any(|law| !law.numerator(*value).is_zero());
        let first = (0..values.len()).find(possible).expect("a law has a possible value");
        let last = (0..values.len()).rev().find(possible).expect("a law has a possible value");
        Ok(&values[last] - &values[first])
    }
}

/// Noise that hides a distance W at ε.
pub(super) fn noise(epsilon: &Epsilon, distance: &Rational, exponent: i32) -> Result<Noise> {
    if distance.is_zero() {
        return Err(no_noise_needed());
    }
    Noise::for_epsilon(epsilon.clone(), distance.clone(), exponent)
}

fn no_noise_needed() -> Error {
    Error::inapplicable(
        "W = 0: the query has the same law under both secrets of every pair, so it tells nothing about them and needs \
         no noise",
    )
}

#[cfg(test)]
#[path = "wasserstein_tests.rs"]
mod tests;
