//! Hash functions of which any two values know nothing.

use crate::error::{Error, Result};

/// All affine functions from values, written as digits, to buckets: `h(x) = b + Σ aᵢxᵢ mod g` for a prime g.
///
/// # Guarantee
/// Exactly pairwise uniform: for x ≠ x' and a function drawn evenly, (h(x), h(x')) is each of the g² pairs of buckets
/// with probability 1/g². For the digits of x and x' differ in some place, so `Σ aᵢ(xᵢ − x'ᵢ)` is uniform, and so is b.
/// A function is one number below g^(digits + 1), whose own digits are b, a₁, a₂, ….
///
/// # Example
/// ```
/// use lookalike_core::model::HashFamily;
/// let family = HashFamily::new(3, 7)?; // two digits to base 3
/// assert_eq!(family.functions(), 27);
/// // Function 19 is 1 + 0·x₁ + 2·x₂, and 7 is 1 + 2·3.
/// assert_eq!(family.bucket(19, 7), (1 + 2 * 2) % 3);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Reference
/// Carter and Wegman, Universal classes of hash functions (1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashFamily {
    buckets: u32,
    functions: u64,
}

impl HashFamily {
    /// The largest number of buckets, the last prime below 2^16: with up to 2^32 values a function is then below 2^64.
    pub const MOST_BUCKETS: u32 = 65_521;

    /// The functions of `values` values into a prime number of buckets.
    ///
    /// # Errors
    /// A number of buckets that is not prime or above [`HashFamily::MOST_BUCKETS`].
    pub fn new(buckets: u32, values: u32) -> Result<Self> {
        if !is_prime(buckets) || buckets > HashFamily::MOST_BUCKETS {
            return Err(Error::input(format!(
                "{buckets} buckets, expected a prime number of at most {}",
                HashFamily::MOST_BUCKETS
            )));
        }
        let base = u64::from(buckets);
        let (mut functions, mut reach) = (base, 1);
        // One more digit while there are values that need it; reach stays below 2^48 and functions below 2^64.
        while reach < u64::from(values) {
            (functions, reach) = (functions * base, reach * base);
        }
        Ok(HashFamily { buckets, functions })
    }

    /// g.
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    /// How many functions there are.
    pub fn functions(&self) -> u64 {
        self.functions
    }

    /// h(x).
    pub fn bucket(&self, function: u64, value: u32) -> u32 {
        let base = u64::from(self.buckets);
        let (mut sum, mut rest, mut value) = (function % base, function / base, u64::from(value));
        while value > 0 {
            // Both factors are below 2^16.
            sum += rest % base * (value % base);
            (rest, value) = (rest / base, value / base);
        }
        (sum % base) as u32
    }

    /// Calls `see` with every x below `values` for which h(x) is this bucket, in ascending order.
    ///
    /// Takes values/g steps unless the last digit does not matter: it follows from the others.
    pub fn each_in_bucket(&self, function: u64, bucket: u32, values: u32, mut see: impl FnMut(u32)) {
        let base = u64::from(self.buckets);
        let slope = function / base % base;
        let inverse = power(slope, base - 2, base);
        for start in (0..values).step_by(self.buckets as usize) {
            let missing = (base + u64::from(bucket) - u64::from(self.bucket(function, start))) % base;
            let ends = start..values.min(start.saturating_add(self.buckets));
            match slope {
                0 if missing == 0 => ends.for_each(&mut see),
                0 => {}
                _ => Some(start as u64 + missing * inverse % base)
                    .filter(|value| *value < u64::from(ends.end))
                    .into_iter()
                    .for_each(|value| see(value as u32)),
            }
        }
    }
}

/// `base^exponent mod modulus`, below 2^16 all the way.
fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    let (mut square, mut exponent, mut result) = (base % modulus, exponent, 1 % modulus);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * square % modulus;
        }
        (square, exponent) = (square * square % modulus, exponent / 2);
    }
    result
}

/// Whether a number is prime.
pub fn is_prime(number: u32) -> bool {
    let number = u64::from(number);
    number > 1 && (2..).take_while(|factor| factor * factor <= number).all(|factor| !number.is_multiple_of(factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn any_two_values_fall_into_every_pair_of_buckets_equally_often() {
        for (buckets, values) in [(2, 9), (3, 10), (5, 5), (5, 7), (7, 4)] {
            let family = HashFamily::new(buckets, values).unwrap();
            for one in 0..values {
                for other in (0..values).filter(|other| *other != one) {
                    let mut counts = vec![0u64; (buckets * buckets) as usize];
                    for function in 0..family.functions() {
                        let [a, b] = [one, other].map(|value| family.bucket(function, value));
                        counts[(a * buckets + b) as usize] += 1;
                    }
                    let even = family.functions() / u64::from(buckets * buckets);
                    assert!(counts.iter().all(|&count| count == even), "{buckets} {values} {one} {other} {counts:?}");
                }
            }
        }
    }

    #[test]
    fn the_largest_families_fit_64_bits() {
        let functions = |buckets, values| HashFamily::new(buckets, values).unwrap().functions();
        assert_eq!(functions(2, 2), 4);
        assert_eq!(functions(2, u32::MAX), 1 << 33);
        assert_eq!(functions(65_521, u32::MAX), 65_521u64.pow(4));
        assert_eq!(functions(65_521, 2), 65_521 * 65_521);
        for buckets in (2..2_000).filter(|number| is_prime(*number)) {
            functions(buckets, u32::MAX);
        }
    }

    #[test]
    fn buckets_that_are_not_prime_are_refused() {
        for buckets in [0, 1, 4, 65_520, 65_537] {
            let error = HashFamily::new(buckets, 10).unwrap_err();
            assert_eq!(error.to_string(), format!("{buckets} buckets, expected a prime number of at most 65521"));
        }
    }

    proptest! {
        #[test]
        fn a_bucket_holds_the_values_that_hash_into_it(buckets in prop::sample::select(vec![2u32, 3, 5, 7, 11, 251]),
                                                       values in 1u32..600, function in any::<u64>(), bucket in any::<u32>()) {
            let family = HashFamily::new(buckets, values).unwrap();
            let (function, bucket) = (function % family.functions(), bucket % buckets);
            let mut found = Vec::new();
            family.each_in_bucket(function, bucket, values, |value| found.push(value));
            let expected: Vec<u32> = (0..values).filter(|&value| family.bucket(function, value) == bucket).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
