//! Report noisy max: which of several counts is the largest, and nothing else.

use super::Epsilon;
use super::noise::check_decay;
use crate::error::{Error, Result};
use crate::exact::Rational;
use num_bigint::BigInt;
use num_traits::One;

/// How several counts, or the scores of several outputs, change between neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Movement {
    /// Some may rise while others fall: a person changes their answer.
    Anyhow,
    /// All rise or all fall, none against the others: a person is added or removed, and each count is a number of
    /// people. Also called monotone.
    Together,
}

/// Adds noise of law `P(z) ∝ e^(−decay·|z|)` to each of several whole-number counts and releases the place of the
/// largest sum, the first of equals; and the claim that this is ε-private where each count changes by at most Δ.
///
/// Counts stand in an order that does not depend on them: a table sorted by count would tell by its order which of two
/// equal ones had been the larger.
///
/// However many counts there are: what is paid for is one answer. The sums themselves are not covered.
///
/// # Guarantee
/// For a claim that `lookalike_core::certify::certify` accepts: neighbours report every place i with
/// probabilities within e^ε. [`NoisyMax::steps`] has the proof.
///
/// # Example
/// ```
/// use lookalike_core::model::{Movement, NoisyMax};
/// let [anyhow, together] = [Movement::Anyhow, Movement::Together]
///     .map(|movement| NoisyMax::for_epsilon("1/2".parse().unwrap(), 1, movement).unwrap().decay().to_string());
/// assert_eq!((anyhow, together), ("1/4".into(), "1/2".into()));
/// ```
///
/// # Reference
/// Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Claim 3.9, for Laplace noise and
/// counts that move together; here in whole numbers and with ties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoisyMax {
    decay: Epsilon,
    sensitivity: u64,
    movement: Movement,
    epsilon: Epsilon,
}

impl NoisyMax {
    /// Noise with this decay and this claim; whether the claim holds is for the certifier.
    ///
    /// # Errors
    /// Δ = 0, or a decay below 2^-44.
    pub fn new(epsilon: Epsilon, decay: Epsilon, sensitivity: u64, movement: Movement) -> Result<Self> {
        if sensitivity == 0 {
            return Err(Error::input("sensitivity = 0, expected a whole number above 0"));
        }
        check_decay(&decay)?;
        Ok(NoisyMax { decay, sensitivity, movement, epsilon })
    }

    /// The least noise for which the proof holds: decay = ε / steps, exactly.
    ///
    /// # Errors
    /// As [`NoisyMax::new`].
    pub fn for_epsilon(epsilon: Epsilon, sensitivity: u64, movement: Movement) -> Result<Self> {
        let max = NoisyMax::new(epsilon.clone(), epsilon, sensitivity, movement)?;
        let decay = max.epsilon.scale(&Rational::new(BigInt::one(), max.steps().into()))?;
        check_decay(&decay)?;
        Ok(NoisyMax { decay, ..max })
    }

    /// The claim.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// By how much ln P falls with each step away from zero.
    pub fn decay(&self) -> &Epsilon {
        &self.decay
    }

    /// Δ, the most by which one count of neighbours differs.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    /// How the counts of neighbours differ.
    pub fn movement(&self) -> Movement {
        self.movement
    }

    /// By how much the noise of one count must rise to make up for a neighbour: Δ where counts move together, else 2Δ.
    ///
    /// Let c and c' be the counts of neighbours. Fix the noise of all counts but i, and let r be the least noise with
    /// which i is reported under c. Under c' count i has fallen by at most Δ against every other count if they move
    /// together (either i falls and no other rises, or others rise and i does not fall), and by at most 2Δ in any
    /// case; so with noise r + steps it is reported under c' too, ties included, since the first of equals does not
    /// depend on the noise nor, as long as the order of the counts does not, on the counts. Hence `P'(i) ≥ P(Z ≥ r + steps) ≥ e^(−decay·steps)·P(Z ≥ r) = e^(−decay·steps)·P(i)`: the
    /// tail of Z falls by at most the factor e^−decay a step. Averaging over the noise of the others keeps it. Sums
    /// must not be cut off: at a common bound a count could never be made up for.
    pub fn steps(&self) -> u128 {
        u128::from(self.sensitivity) * if self.movement == Movement::Together { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_make_no_sense_are_refused() {
        let made = |sensitivity| NoisyMax::for_epsilon("1".parse().unwrap(), sensitivity, Movement::Anyhow);
        assert_eq!(made(0).unwrap_err().to_string(), "sensitivity = 0, expected a whole number above 0");
        assert!(made(u64::MAX).unwrap_err().to_string().starts_with("noise of more than 2^44 grid steps"));
        assert_eq!(made(u64::from(u32::MAX)).unwrap().steps(), 2 * u128::from(u32::MAX));
    }
}
