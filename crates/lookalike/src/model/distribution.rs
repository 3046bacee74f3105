//! Probability distributions over a finite domain, exactly.

use crate::error::{Error, Result};
use crate::exact::{Natural, Rational};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Probabilities that sum to exactly 1: a profile, or the law of a mechanism's output.
///
/// Stored as whole numbers over one common denominator, so that comparing two laws needs no greatest common divisors.
#[derive(Debug, Clone)]
pub struct Distribution {
    numerators: Numerators,
    denominator: Natural,
}

/// Profiles nearly always fit machine words; a million of them must not cost a heap cell a number.
#[derive(Debug, Clone)]
enum Numerators {
    Words(Box<[u64]>),
    Wide(Box<[Natural]>),
}

impl Distribution {
    /// The distribution with these probabilities.
    ///
    /// # Errors
    /// A negative probability, an empty list, or a sum other than exactly 1; the error names the sum.
    ///
    /// # Example
    /// ```
    /// use lookalike::{exact::parse_rational, model::Distribution};
    /// let numbers = |texts: [&str; 3]| texts.map(|text| parse_rational(text).unwrap());
    /// assert!(Distribution::new(&numbers(["0.2", "0.3", "1/2"])).is_ok());
    /// let error = Distribution::new(&numbers(["0.3", "0.3", "0.5"])).unwrap_err();
    /// assert_eq!(error.to_string(), "probabilities sum to 11/10, expected 1 (set normalize = true to rescale)");
    /// ```
    pub fn new(probabilities: &[Rational]) -> Result<Self> {
        let sum = sum_of(probabilities)?;
        if !sum.is_one() {
            return Err(Error::input(format!(
                "probabilities sum to {sum}, expected 1 (set normalize = true to rescale)"
            )));
        }
        Ok(Self::from_valid(probabilities))
    }

    /// The distribution proportional to these weights.
    ///
    /// # Errors
    /// A negative weight, or weights that sum to zero.
    pub fn normalized(weights: &[Rational]) -> Result<Self> {
        let sum = sum_of(weights)?;
        if sum.is_zero() {
            return Err(Error::input("weights sum to 0, expected a positive sum to rescale"));
        }
        Ok(Self::from_valid(&weights.iter().map(|weight| weight / &sum).collect::<Vec<_>>()))
    }

    /// Whole numbers over their sum. Not reduced: laws of one mechanism keep their common denominator.
    ///
    /// # Errors
    /// A sum of zero.
    pub fn from_weights(numerators: Vec<Natural>) -> Result<Self> {
        let denominator = numerators.iter().fold(Natural::ZERO, |sum, weight| sum.plus(weight));
        if denominator.is_zero() {
            return Err(Error::input("weights sum to 0, expected a positive sum"));
        }
        Ok(Distribution { numerators: Numerators::Wide(numerators.into()), denominator })
    }

    fn from_valid(probabilities: &[Rational]) -> Self {
        let denominator = probabilities.iter().fold(BigInt::one(), |common, p| common.lcm(p.denom()));
        let scaled = probabilities.iter().map(|p| p.numer() * (&denominator / p.denom()));
        let numerators = if denominator.to_u64().is_some() {
            Numerators::Words(scaled.map(|weight| weight.to_u64().expect("at most the denominator")).collect())
        } else {
            Numerators::Wide(scaled.map(|weight| Natural::from(unsigned(weight))).collect())
        };
        Distribution { numerators, denominator: unsigned(denominator).into() }
    }

    /// The size of the domain: d.
    #[allow(clippy::len_without_is_empty, reason = "there is always a category")]
    pub fn len(&self) -> usize {
        match &self.numerators {
            Numerators::Words(words) => words.len(),
            Numerators::Wide(wide) => wide.len(),
        }
    }

    /// The common denominator.
    pub fn denominator(&self) -> &Natural {
        &self.denominator
    }

    /// The numerator of one probability over [`Distribution::denominator`].
    ///
    /// # Panics
    /// If the place is not below [`Distribution::len`].
    pub fn numerator(&self, place: usize) -> Natural {
        match &self.numerators {
            Numerators::Words(words) => words[place].into(),
            Numerators::Wide(wide) => wide[place].clone(),
        }
    }

    /// The numerators in order.
    pub fn numerators(&self) -> impl ExactSizeIterator<Item = Natural> {
        (0..self.len()).map(|place| self.numerator(place))
    }

    /// The numerators as machine words when all of them, and the denominator, fit.
    pub fn words(&self) -> Option<&[u64]> {
        match &self.numerators {
            Numerators::Words(words) => Some(words),
            Numerators::Wide(_) => None,
        }
    }

    /// One probability as a fraction.
    pub fn probability(&self, place: usize) -> Rational {
        Rational::new(self.numerator(place).to_big().into(), self.denominator.to_big().into())
    }

    /// All probabilities as fractions.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = Rational> {
        (0..self.len()).map(|place| self.probability(place))
    }

    /// Compares the probability of one place under two distributions.
    pub fn compare_at(&self, other: &Distribution, place: usize) -> Ordering {
        let same = self.denominator == other.denominator;
        match (&self.numerators, &other.numerators) {
            (Numerators::Words(a), Numerators::Words(b)) if same => a[place].cmp(&b[place]),
            (Numerators::Wide(a), Numerators::Wide(b)) if same => a[place].cmp(&b[place]),
            (Numerators::Wide(a), Numerators::Wide(b)) => {
                Natural::compare_products(&a[place], &other.denominator, &b[place], &self.denominator)
            }
            _ => {
                let (a, b) = (self.numerator(place), other.numerator(place));
                Natural::compare_products(&a, &other.denominator, &b, &self.denominator)
            }
        }
    }

    /// The probabilities of one place under two distributions, over a common denominator.
    pub fn over_common_denominator(&self, other: &Distribution, place: usize) -> (Natural, Natural) {
        let (a, b) = (self.numerator(place), other.numerator(place));
        if self.denominator == other.denominator {
            (a, b)
        } else {
            (a.times(&other.denominator), b.times(&self.denominator))
        }
    }
}

fn sum_of(weights: &[Rational]) -> Result<Rational> {
    if weights.is_empty() {
        return Err(Error::input("no probabilities, expected one for each category"));
    }
    if let Some(place) = weights.iter().position(Signed::is_negative) {
        return Err(Error::input(format!("probability {} is {}, expected at least 0", place + 1, weights[place])));
    }
    // Over one denominator first: adding fractions one by one takes a greatest common divisor each.
    let denominator = weights.iter().fold(BigInt::one(), |common, p| common.lcm(p.denom()));
    let numerator = weights.iter().map(|p| p.numer() * (&denominator / p.denom())).sum();
    Ok(Rational::new(numerator, denominator))
}

fn unsigned(value: BigInt) -> BigUint {
    value.to_biguint().expect("probabilities are not negative")
}

impl PartialEq for Distribution {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|place| self.compare_at(other, place) == Ordering::Equal)
    }
}

impl Eq for Distribution {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn message(texts: &[&str]) -> String {
        let numbers: Vec<_> = texts.iter().map(|text| parse_rational(text).unwrap()).collect();
        Distribution::new(&numbers).unwrap_err().to_string()
    }

    #[test]
    fn a_sum_next_to_one_is_refused_with_the_exact_sum() {
        assert_eq!(
            message(&["0.5", "0.4999999"]),
            "probabilities sum to 9999999/10000000, expected 1 (set normalize = true to rescale)"
        );
        assert_eq!(message(&["1.5", "-0.5"]), "probability 2 is -1/2, expected at least 0");
        assert_eq!(message(&[]), "no probabilities, expected one for each category");
    }

    #[test]
    fn small_and_wide_representations_are_the_same_distribution() {
        let tenth = parse_rational("0.1").unwrap();
        let rest = parse_rational("0.9").unwrap();
        let words = Distribution::new(&[tenth, rest]).unwrap();
        let wide = Distribution::from_weights(vec![Natural::from(3u64), Natural::from(27u64)]).unwrap();
        assert!(words.words().is_some() && wide.words().is_none());
        assert_eq!(words, wide);
        assert_eq!(words.over_common_denominator(&wide, 0), (Natural::from(30u64), Natural::from(30u64)));
    }

    #[test]
    fn denominators_beyond_a_word_are_exact() {
        let tiny = parse_rational("1e-30").unwrap();
        let law = Distribution::new(&[tiny.clone(), Rational::one() - &tiny]).unwrap();
        assert!(law.words().is_none());
        assert_eq!(law.probability(0), tiny);
    }

    #[test]
    fn normalizing_is_exact() {
        let weights = ["1", "2", "4"].map(|text| parse_rational(text).unwrap());
        let law = Distribution::normalized(&weights).unwrap();
        assert_eq!(law.probability(2).to_string(), "4/7");
        assert!(Distribution::normalized(&[Rational::zero()]).is_err());
    }
}
