//! Noise that hides every node of a chain because each step forgets a part of what the last one told.

use super::exact_search::check_length;
use super::walk::rounded_up;
use super::{Chain, group, saturation};
use crate::Result;
use crate::chain::step;
use crate::exact::{Epsilon, Interval, Rational};
use crate::model::Noise;
use num_traits::Inv;

/// The scale σ of noise that hides every node of a chain, and the contraction it comes from.
///
/// # Guarantee
/// `F + L·σ·Lap(1)`, where one node changes F by at most L in all, is ε-Pufferfish private for the states of each node
/// under every chain of Θ. The same holds of whole-number noise, and of any mechanism whose output law changes by at
/// most e^(1/σ) with one node.
///
/// # Why
/// Let m(x) be the probability of an output given the sequence x, with a logarithm that one node changes by at most o,
/// and average over X_1 given X_2 = t. Laws of X_1 for two values of t have odds ratios of at most r, the largest
/// cross ratio P(s,z)P(s',z')/(P(s',z)P(s,z')). Between such laws the logarithm of the average of m differs by at most
/// c·o, with c = (√r−1)/(√r+1): weighting both laws with m^u leaves the odds ratios as they are, the derivative by u is
/// a difference of means of ln m, and the total variation of laws with odds ratios up to r is at most c. So X_2 now
/// stands for o + c·o; and so on from both ends to node i, which stands for o·Σ_j c^|i−j|. For a loss that is not small
/// the average differs by less, since two laws tell no more than ln r: the file saturation.rs has the derivation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contraction {
    /// σ, rounded up.
    pub scale: Rational,
    /// Σ_j c^|i−j| for the node i in the middle: for how many independent nodes it stands at most, rounded up.
    pub weight: Rational,
    /// c: 0 for independent nodes, 1 where some step rules a state out; rounded up.
    pub coefficient: Rational,
    /// The place in Θ of the chain that needs the most noise.
    pub chain: usize,
}

impl Contraction {
    /// What releases with scales σ_1, …, σ_K from one sequence lose together at the rate Σ 1/σ_k, rounded up.
    pub fn loss(&self, rate: &Rational) -> Rational {
        let linear = &self.weight * rate;
        let coefficient = Interval::of(&self.coefficient, BITS).upper().clone();
        saturation::loss(&coefficient, rate).map_or(linear.clone(), |sharper| sharper.min(linear))
    }

    /// Whole-number noise for each number of a query, as [`Calibration::noise`](super::Calibration::noise) has it: of
    /// several numbers all must be on the grid already.
    ///
    /// # Errors
    /// As [`Noise::for_epsilon`].
    pub fn noise(&self, lipschitz: &Rational, exponent: i32) -> Result<Noise> {
        Noise::for_epsilon(Epsilon::rational(self.scale.clone().inv())?, lipschitz.clone(), exponent)
    }
}

/// Bits of what is rounded.
const BITS: u64 = 128;

/// The scale that hides every node of a chain of Θ of this length, by the contraction of one step.
///
/// It needs no quilts and no search, holds for every initial law, is at most the scale of group privacy, and for chains
/// on two states often far below that of the best quilts. With zeros among the transition probabilities, where c = 1, it
/// is that of group privacy.
///
/// # Errors
/// No chain, chains over different numbers of states, a length outside 1 to 2^40.
///
/// # Complexity
/// O(d³) comparisons of fractions, however long the chain is.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Chain, Initial, contract}};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// let chain = Chain::new(Initial::Arbitrary, vec![row(["0.9", "0.1"]), row(["0.1", "0.9"])])?;
/// let contraction = contract(&[chain], 1_000_000, &"1".parse()?)?;
/// // r = 81, c = 0.8, and (1 + c)/(1 − c) = 9 would do at any ε; group privacy needs a million.
/// assert!(contraction.scale < parse_rational("8.95")?);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn contract(theta: &[Chain], length: u64, epsilon: &Epsilon) -> Result<Contraction> {
    check_length(length)?;
    super::check_chains(theta)?;
    let coefficients = theta.iter().map(step::coefficient).enumerate();
    let (chain, coefficient) =
        coefficients.reduce(|worst, next| if next.1 > worst.1 { next } else { worst }).expect("Θ has a chain");
    let weight = rounded_up(&step::weight(&coefficient, length));
    let linear = rounded_up(&(group::scale(1, epsilon) * &weight)).min(group::scale(length, epsilon));
    let sharper = saturation::rate(&coefficient, epsilon).map(|rate| rounded_up(&rate.inv()));
    let scale = sharper.map_or(linear.clone(), |sharper| sharper.min(linear));
    Ok(Contraction { scale, weight, coefficient: coefficient.to_rational(), chain })
}

#[cfg(test)]
mod tests {
    use super::super::Initial;
    use super::super::spectral::tests::chain;
    use super::*;
    use crate::exact::parse_rational;
    use num_traits::Signed;

    #[test]
    fn a_step_that_rules_out_a_state_contracts_nothing() {
        let epsilon: Epsilon = "1/2".parse().unwrap();
        let walk = chain(Initial::Arbitrary, &[vec![1, 1, 0], vec![1, 1, 1], vec![0, 1, 1]]);
        let found = contract(&[walk], 10, &epsilon).unwrap();
        assert_eq!((found.scale.to_string(), found.coefficient.to_string()), ("20".into(), "1".into()));
        let independent = chain(Initial::Arbitrary, &[vec![3, 0, 7], vec![3, 0, 7], vec![3, 0, 7]]);
        let found = contract(&[independent], 10, &epsilon).unwrap();
        assert_eq!((found.scale.to_string(), found.coefficient.to_string()), ("2".into(), "0".into()));
        assert!(contract(&[], 10, &epsilon).unwrap_err().is_input());
    }

    #[test]
    fn the_sum_over_a_short_chain() {
        // r = 9·9, c = 0.8; three nodes: 1 + 2c.
        let chains = [chain(Initial::Arbitrary, &[vec![9, 1], vec![1, 9]])];
        let at = |length| contract(&chains, length, &"1".parse().unwrap()).unwrap().scale;
        let close = |scale: Rational, text: &str| {
            let room = scale - parse_rational(text).unwrap();
            assert!(!room.is_negative() && room < parse_rational("1e-13").unwrap(), "{room}");
        };
        close(at(1), "1");
        close(at(3), "2.6");
        close(at(4), "3.24");
        // Of a small loss nothing saturates.
        let long = contract(&chains, 1 << 40, &"1/1000".parse().unwrap()).unwrap();
        assert_eq!(long.weight, rounded_up(&parse_rational("9.0000000000000001").unwrap()));
        assert!(long.scale <= parse_rational("9000").unwrap() && long.scale > parse_rational("8999.9").unwrap());
        assert!(long.loss(&long.scale.recip()) <= parse_rational("0.00100000001").unwrap());
    }
}
