//! How often each profile occurs, for objectives that average over profiles.

use super::Distribution;
use crate::error::Result;
use crate::exact::{Natural, Rational};

/// Weights of the secrets, summing to 1. It touches utility only, never privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prior(Distribution);

impl Prior {
    /// All secrets equally often.
    ///
    /// # Errors
    /// No secret at all.
    pub fn uniform(count: usize) -> Result<Self> {
        Ok(Prior(Distribution::from_weights(vec![Natural::ONE; count])?))
    }

    /// Secrets in proportion to these weights.
    ///
    /// # Errors
    /// A negative weight, or weights that sum to zero.
    pub fn new(weights: &[Rational]) -> Result<Self> {
        Ok(Prior(Distribution::normalized(weights)?))
    }

    /// The number of secrets.
    #[allow(clippy::len_without_is_empty, reason = "there is always a secret")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The weights of all secrets.
    pub fn weights(&self) -> &Distribution {
        &self.0
    }

    /// The weight of one secret.
    pub fn weight(&self, secret: usize) -> Rational {
        self.0.probability(secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_rescaled_exactly() {
        let prior = Prior::new(&[2, 1].map(|weight| Rational::from_integer(weight.into()))).unwrap();
        assert_eq!(prior.weight(0).to_string(), "2/3");
        assert_eq!(Prior::uniform(4).unwrap().weight(3).to_string(), "1/4");
        assert!(Prior::new(&[Rational::from_integer(0.into())]).is_err());
    }
}
