//! One law that the data may have come from.

use crate::exact::{Natural, Rational};
use crate::model::Distribution;
use crate::{Error, Result};
use num_traits::Zero;

/// θ: what an adversary may believe of the data. For each secret whether it is possible, and then the law of the
/// query given the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theta {
    name: String,
    /// In the order of the secrets; `None` where the secret has probability 0.
    laws: Vec<Option<Distribution>>,
    /// Pr(s | θ), where it is known; privacy does not depend on it.
    probabilities: Option<Vec<Rational>>,
}

impl Theta {
    /// The laws of the query given each secret, in order; `None` for a secret that is impossible under this θ.
    pub fn new(name: &str, laws: Vec<Option<Distribution>>) -> Self {
        Theta { name: name.to_owned(), laws, probabilities: None }
    }

    /// From a joint law over finitely many data sets ("points"): `holds(s, x)` says whether secret s is true of point
    /// x, and `query(x)` is the place of the query's value there, below `values`.
    ///
    /// # Errors
    /// A place that is not below `values`.
    pub fn from_joint(
        name: &str,
        joint: &Distribution,
        secrets: usize,
        holds: impl Fn(usize, usize) -> bool,
        values: usize,
        query: impl Fn(usize) -> usize,
    ) -> Result<Self> {
        let places: Vec<usize> = (0..joint.len()).map(query).collect();
        if let Some(point) = places.iter().position(|&place| place >= values) {
            return Err(Error::input(format!(
                "the query gives point {} the value number {}, expected a number below {values}",
                point + 1,
                places[point]
            )));
        }
        let (mut laws, mut probabilities) = (Vec::with_capacity(secrets), Vec::with_capacity(secrets));
        for secret in 0..secrets {
            let mut weights = vec![Natural::ZERO; values];
            for point in (0..joint.len()).filter(|&point| holds(secret, point)) {
                weights[places[point]] = weights[places[point]].plus(&joint.numerator(point));
            }
            let sum = weights.iter().fold(Natural::ZERO, |sum, weight| sum.plus(weight));
            probabilities.push(Rational::new(sum.to_big().into(), joint.denominator().to_big().into()));
            laws.push(if sum.is_zero() { None } else { Some(Distribution::from_weights(weights)?) });
        }
        Ok(Theta { name: name.to_owned(), laws, probabilities: Some(probabilities) })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The law of the query given a secret, or `None` where the secret is impossible.
    pub fn law(&self, secret: u32) -> Option<&Distribution> {
        self.laws[secret as usize].as_ref()
    }

    /// The laws of the query given each secret, in order.
    pub fn laws(&self) -> &[Option<Distribution>] {
        &self.laws
    }

    /// Pr(s | θ), where it is known.
    pub fn probability(&self, secret: u32) -> Option<&Rational> {
        self.probabilities.as_ref().map(|probabilities| &probabilities[secret as usize])
    }

    /// The probability of the first secret when one of the two is true: what an adversary of this θ believes before the
    /// release. `None` where it is not known, or both are impossible.
    pub fn belief(&self, [one, other]: [u32; 2]) -> Option<Rational> {
        let (one, other) = (self.probability(one)?, self.probability(other)?);
        let both = one + other;
        (!both.is_zero()).then(|| one / both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_table_gives_the_laws_and_the_beliefs() {
        // Two bits of which the first is 1 three times in four; the second copies it. The query is their sum.
        let joint = Distribution::from_weights([1, 0, 0, 3].map(|weight: u64| weight.into()).to_vec()).unwrap();
        let holds = |secret: usize, point: usize| point >> 1 == secret;
        let theta = Theta::from_joint("copy", &joint, 3, holds, 3, |point| (point & 1) + (point >> 1)).unwrap();
        assert_eq!(theta.law(1).unwrap().probability(2).to_string(), "1");
        assert_eq!(theta.belief([1, 0]).unwrap().to_string(), "3/4");
        assert!(theta.law(2).is_none(), "no bit is 2");
        let error = Theta::from_joint("copy", &joint, 1, holds, 2, |point| point).unwrap_err();
        assert_eq!(error.to_string(), "the query gives point 3 the value number 2, expected a number below 2");
    }
}
