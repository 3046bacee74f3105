//! Probability distributions over a finite domain, exactly.

use crate::error::{Error, Result, Sentence};
use crate::exact::{Natural, Naturals, Rational};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Probabilities that sum to exactly 1: a profile, or the law of a mechanism's output.
///
/// Stored as whole numbers over one common denominator, so that comparing two laws needs no greatest common divisors.
#[derive(Debug, Clone)]
pub struct Distribution {
    /// The numerators, and after them their sum, the denominator: a million profiles must not cost a heap cell a
    /// number.
    numbers: Naturals,
}

impl Distribution {
    /// The distribution with these probabilities.
    ///
    /// # Errors
    /// A negative probability, an empty list, or a sum other than exactly 1; the error names the sum.
    ///
    /// # Example
    /// ```
    /// use lookalike_core::{exact::parse_rational, model::Distribution};
    /// let numbers = |texts: [&str; 3]| texts.map(|text| parse_rational(text).unwrap());
    /// assert!(Distribution::new(&numbers(["0.2", "0.3", "1/2"])).is_ok());
    /// let error = Distribution::new(&numbers(["0.3", "0.3", "0.5"])).unwrap_err();
    /// assert_eq!(error.to_string(), "probabilities sum to 11/10, expected 1 (set normalize = true to rescale)");
    /// ```
    pub fn new(probabilities: &[Rational]) -> Result<Self> {
        let (numerators, denominator) = over_one_denominator(probabilities)?;
        let sum: BigUint = numerators.iter().sum();
        if sum != denominator {
            let sum = Rational::new(sum.into(), denominator.into());
            return Err(Error::input(format!("probabilities sum to {sum}, expected 1"))
                .hint(Sentence::from("set ").key("normalize").text(" to rescale")));
        }
        // Over the least common denominator nothing is left to reduce.
        Ok(Self::of(numerators, sum))
    }

    /// The distribution proportional to these weights.
    ///
    /// # Errors
    /// A negative weight, or weights that sum to zero.
    pub fn normalized(weights: &[Rational]) -> Result<Self> {
        let (mut numerators, _) = over_one_denominator(weights)?;
        let sum: BigUint = numerators.iter().sum();
        if sum.is_zero() {
            return Err(Error::input("weights sum to 0, expected a positive sum to rescale"));
        }
        let common = numerators.iter().try_fold(BigUint::ZERO, |common, weight| match gcd(&common, weight) {
            common if common.is_one() => Err(common),
            common => Ok(common),
        });
        let common = common.unwrap_or_else(|one| one);
        if !common.is_one() {
            numerators.iter_mut().for_each(|weight| *weight /= &common);
        }
        Ok(Self::of(numerators, sum / common))
    }

    fn of(numerators: Vec<BigUint>, denominator: BigUint) -> Self {
        Distribution { numbers: numerators.into_iter().chain([denominator]).map(Natural::from).collect() }
    }

    /// Whole numbers over their sum. Not reduced: laws of one mechanism keep their common denominator.
    ///
    /// # Errors
    /// A sum of zero.
    pub fn from_weights(mut numerators: Vec<Natural>) -> Result<Self> {
        let denominator = numerators.iter().fold(Natural::ZERO, |sum, weight| sum.plus(weight));
        if denominator.is_zero() {
            return Err(Error::input("weights sum to 0, expected a positive sum"));
        }
        numerators.push(denominator);
        Ok(Distribution { numbers: numerators.into_iter().collect() })
    }

    /// The size of the domain: d.
    #[allow(clippy::len_without_is_empty, reason = "there is always a category")]
    pub fn len(&self) -> usize {
        self.numbers.len() - 1
    }

    /// The common denominator.
    pub fn denominator(&self) -> Natural {
        self.numbers.get(self.len())
    }

    /// The numerator of one probability over [`Distribution::denominator`].
    ///
    /// # Panics
    /// If the place is not below [`Distribution::len`].
    pub fn numerator(&self, place: usize) -> Natural {
        assert!(place < self.len(), "place {place} of {}", self.len());
        self.numbers.get(place)
    }

    /// The numerators in order.
    pub fn numerators(&self) -> impl ExactSizeIterator<Item = Natural> {
        (0..self.len()).map(|place| self.numerator(place))
    }

    /// The numerators as machine words when all of them, and the denominator, fit.
    pub fn words(&self) -> Option<&[u64]> {
        self.numbers.words().map(|words| &words[..self.len()])
    }

    /// One probability as a fraction.
    pub fn probability(&self, place: usize) -> Rational {
        Rational::new(self.numerator(place).to_big().into(), self.denominator().to_big().into())
    }

    /// One probability as numerator and denominator in lowest terms.
    pub fn in_lowest_terms(&self, place: usize) -> (Natural, Natural) {
        let (numerator, denominator) = (self.numerator(place), self.denominator());
        if let (Some(n), Some(d)) = (numerator.to_u64(), denominator.to_u64()) {
            let common = n.gcd(&d);
            return ((n / common).into(), (d / common).into());
        }
        let (n, d) = (numerator.to_big(), denominator.to_big());
        let common = gcd(&n, &d);
        ((n / &common).into(), (d / common).into())
    }

    /// All probabilities as fractions.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = Rational> {
        (0..self.len()).map(|place| self.probability(place))
    }

    /// Compares the probability of one place under two distributions.
    pub fn compare_at(&self, other: &Distribution, place: usize) -> Ordering {
        let (a, b) = (self.numerator(place), other.numerator(place));
        let (a_of, b_of) = (self.denominator(), other.denominator());
        if a_of == b_of { a.cmp(&b) } else { Natural::compare_products(&a, &b_of, &b, &a_of) }
    }

    /// The probabilities of one place under two distributions, over a common denominator.
    pub fn over_common_denominator(&self, other: &Distribution, place: usize) -> (Natural, Natural) {
        let (a, b) = (self.numerator(place), other.numerator(place));
        let (a_of, b_of) = (self.denominator(), other.denominator());
        if a_of == b_of { (a, b) } else { (a.times(&b_of), b.times(&a_of)) }
    }
}

/// The weights as whole numbers over their least common denominator.
fn over_one_denominator(weights: &[Rational]) -> Result<(Vec<BigUint>, BigUint)> {
    if weights.is_empty() {
        return Err(Error::input("no probabilities, expected one for each category"));
    }
    if let Some(place) = weights.iter().position(Signed::is_negative) {
        return Err(Error::input(format!("probability {} is {}, expected at least 0", place + 1, weights[place])));
    }
    let mut common = BigUint::one();
    for weight in weights {
        let denominator = weight.denom().magnitude();
        // Decimals of one length have the same denominator, or one that divides it.
        if !common.is_multiple_of(denominator) {
            common = &common / gcd(&common, denominator) * denominator;
        }
    }
    let whole = |weight: &Rational| weight.numer().magnitude() * (&common / weight.denom().magnitude());
    Ok((weights.iter().map(whole).collect(), common))
}

/// The greatest common divisor, in machine words where they suffice.
fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    match (u128::try_from(a), u128::try_from(b)) {
        (Ok(a), Ok(b)) => a.gcd(&b).into(),
        _ => a.gcd(b),
    }
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
    use num_bigint::BigInt;
    use proptest::prelude::*;

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
        let words = Distribution::new(&["0.1", "0.9"].map(|text| parse_rational(text).unwrap())).unwrap();
        let wide = |power: u32| {
            let unit = Natural::from(BigUint::one() << power);
            Distribution::from_weights(vec![unit.times(&3u64.into()), unit.times(&27u64.into())]).unwrap()
        };
        for power in [0, 60, 120, 250] {
            assert_eq!((words.words().is_some(), wide(power).words().is_some()), (true, power == 0));
            assert_eq!(words, wide(power));
            let (a, b) = words.over_common_denominator(&wide(power), 0);
            assert_eq!(a, b);
        }
    }

    #[test]
    fn denominators_beyond_a_word_are_exact() {
        let tiny = parse_rational("1e-30").unwrap();
        let law = Distribution::new(&[tiny.clone(), Rational::one() - &tiny]).unwrap();
        assert!(law.words().is_none());
        assert_eq!(law.probability(0), tiny);
    }

    proptest! {
        #[test]
        fn numerators_have_no_common_divisor(weights in prop::collection::vec((0u64.., 1u64..1000), 1..6), factor in 1u64..50) {
            let weights: Vec<_> =
                weights.iter().map(|&(n, d)| Rational::new(BigInt::from(n) * factor, d.into())).collect();
            prop_assume!(weights.iter().any(|weight| !weight.is_zero()));
            let law = Distribution::normalized(&weights).unwrap();
            let sum: Rational = weights.iter().sum();
            for (place, weight) in weights.iter().enumerate() {
                let probability = law.probability(place);
                prop_assert_eq!(&probability, &(weight / &sum));
                let (n, d) = law.in_lowest_terms(place);
                prop_assert_eq!((n.to_string(), d.to_string()), (probability.numer().to_string(), probability.denom().to_string()));
            }
            let again = Distribution::new(&law.probabilities().collect::<Vec<_>>()).unwrap();
            prop_assert_eq!(again.denominator(), law.denominator());
            let common = law.numerators().fold(BigUint::ZERO, |common, n| common.gcd(&n.to_big()));
            prop_assert!(common.is_one());
        }
    }

    #[test]
    fn normalizing_is_exact() {
        let weights = ["1", "2", "4"].map(|text| parse_rational(text).unwrap());
        let law = Distribution::normalized(&weights).unwrap();
        assert_eq!(law.probability(2).to_string(), "4/7");
        assert!(Distribution::normalized(&[Rational::zero()]).is_err());
    }
}
