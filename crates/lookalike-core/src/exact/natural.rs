//! Non-negative integers of any size with a fast path for 256 bits.

use num_bigint::BigUint;
use std::{cmp::Ordering, fmt};

/// A non-negative integer.
///
/// Output laws are vectors of these over one common denominator. Nearly all fit 256 bits (a law over a 64-bit
/// denominator through a channel of the form `keep` has 170), where no memory is allocated; larger ones continue as
/// big integers without a seam.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Natural(Repr);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Words of 64 bits, the least significant first.
    Small([u64; 4]),
    /// Invariant: at least 2^256, so that equal values have equal representations.
    Large(BigUint),
}

use Repr::{Large, Small};

impl Natural {
    /// Zero.
    pub const ZERO: Natural = Natural(Small([0; 4]));
    /// One.
    pub const ONE: Natural = Natural(Small([1, 0, 0, 0]));

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Small([0; 4])
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Natural) -> Natural {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(sum) = add(a, b)
        {
            return Natural(Small(sum));
        }
        (self.to_big() + other.to_big()).into()
    }

    /// The difference.
    ///
    /// # Panics
    /// If the other number is larger.
    #[must_use]
    pub fn minus(&self, other: &Natural) -> Natural {
        assert!(other <= self, "a difference below 0");
        match (self.to_u128(), other.to_u128()) {
            (Some(a), Some(b)) => (a - b).into(),
            _ => (self.to_big() - other.to_big()).into(),
        }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Natural) -> Natural {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let [w0, w1, w2, w3, 0, 0, 0, 0] = multiply(a, b)
        {
            return Natural(Small([w0, w1, w2, w3]));
        }
        (self.to_big() * other.to_big()).into()
    }

    /// The same number as a big integer.
    pub fn to_big(&self) -> BigUint {
        match &self.0 {
            Small(words) => (BigUint::from(high(words)) << 128u32) + low(words),
            Large(value) => value.clone(),
        }
    }

    /// The same number in 64 bits, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Small([word, 0, 0, 0]) => Some(*word),
            _ => None,
        }
    }

    /// The same number in 128 bits, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Small(words) if high(words) == 0 => Some(low(words)),
            _ => None,
        }
    }

    /// The number without its last `bits` bits.
    #[must_use]
    pub fn shifted_down(&self, bits: u64) -> Natural {
        match &self.0 {
            Small(_) if bits >= 256 => Natural::ZERO,
            Small(words) => {
                let (skip, by) = ((bits / 64) as usize, bits % 64);
                let word = |at: usize| u128::from(words.get(at).copied().unwrap_or(0));
                let shifted = |at: usize| ((word(at + skip) | (word(at + skip + 1) << 64)) >> by) as u64;
                Natural(Small(std::array::from_fn(shifted)))
            }
            Large(value) => Natural::from(value >> bits),
        }
    }

    /// The leading 64 bits m and how many bits e follow them: `m·2^e ≤ n < (m + 1)·2^e`.
    pub fn leading_bits(&self) -> (u64, u64) {
        if let Some(value) = self.to_u128() {
            let drop = 64u32.saturating_sub(value.leading_zeros());
            return ((value >> drop) as u64, drop.into());
        }
        let value = self.to_big();
        let drop = value.bits() - 64;
        ((value >> drop).iter_u64_digits().next().unwrap_or(0), drop)
    }

    /// Compares `a·b` with `c·d`, without allocating when all four fit 256 bits.
    pub fn compare_products(a: &Natural, b: &Natural, c: &Natural, d: &Natural) -> Ordering {
        match (&a.0, &b.0, &c.0, &d.0) {
            (Small(a), Small(b), Small(c), Small(d)) => compare(&multiply(a, b), &multiply(c, d)),
            _ => (a.to_big() * b.to_big()).cmp(&(c.to_big() * d.to_big())),
        }
    }
}

fn low(words: &[u64; 4]) -> u128 {
    u128::from(words[0]) | (u128::from(words[1]) << 64)
}

fn high(words: &[u64; 4]) -> u128 {
    u128::from(words[2]) | (u128::from(words[3]) << 64)
}

fn add(a: &[u64; 4], b: &[u64; 4]) -> Option<[u64; 4]> {
    let (mut sum, mut carry) = ([0; 4], false);
    for ((sum, &a), &b) in sum.iter_mut().zip(a).zip(b) {
        let (partial, over) = a.overflowing_add(b);
        let (whole, again) = partial.overflowing_add(carry.into());
        (*sum, carry) = (whole, over || again);
    }
    (!carry).then_some(sum)
}

fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 8] {
    let mut product = [0u64; 8];
    for (at, &x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        let mut carry = 0;
        for (place, &y) in product[at..at + 4].iter_mut().zip(b) {
            // At most (2^64 − 1)² + 2·(2^64 − 1) = 2^128 − 1.
            let sum = u128::from(x) * u128::from(y) + u128::from(*place) + carry;
            (*place, carry) = (sum as u64, sum >> 64);
        }
        product[at + 4] = carry as u64;
    }
    product
}

fn compare<const N: usize>(a: &[u64; N], b: &[u64; N]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

impl From<u128> for Natural {
    fn from(value: u128) -> Self {
        Natural(Small([value as u64, (value >> 64) as u64, 0, 0]))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Natural(Small([value, 0, 0, 0]))
    }
}

impl From<BigUint> for Natural {
    fn from(value: BigUint) -> Self {
        if value.bits() > 256 {
            return Natural(Large(value));
        }
        let mut words = [0; 4];
        words.iter_mut().zip(value.iter_u64_digits()).for_each(|(word, digit)| *word = digit);
        Natural(Small(words))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => compare(a, b),
            (Small(_), Large(_)) => Ordering::Less,
            (Large(_), Small(_)) => Ordering::Greater,
            (Large(a), Large(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Natural {
    fn default() -> Self {
        Natural::ZERO
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_u128() {
            Some(value) => value.fmt(f),
            None => self.to_big().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers around the seam between the two representations as well as ordinary ones.
    fn numbers() -> impl Strategy<Value = Natural> {
        prop_oneof![
            any::<u64>().prop_map(Natural::from),
            any::<u128>().prop_map(Natural::from),
            (0u128..4).prop_map(|below| Natural::from(u128::MAX - below)),
            (any::<u128>(), any::<u64>()).prop_map(|(a, b)| Natural::from(BigUint::from(a) * b)),
            (any::<u128>(), any::<u128>()).prop_map(|(a, b)| Natural::from(BigUint::from(a) * b)),
            (0u32..4).prop_map(|below| Natural::from((BigUint::from(1u32) << 256u32) - 1u32 - below)),
            (any::<u128>(), 100u32..400).prop_map(|(a, by)| Natural::from(BigUint::from(a) << by)),
        ]
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_big_integers(a in numbers(), b in numbers(), c in numbers(), d in numbers(), by in 0u64..400) {
            let big = |value: &Natural| value.to_big();
            prop_assert_eq!(big(&a.plus(&b)), big(&a) + big(&b));
            prop_assert_eq!(big(&a.times(&b)), big(&a) * big(&b));
            prop_assert_eq!(a.cmp(&b), big(&a).cmp(&big(&b)));
            prop_assert_eq!(Natural::from(big(&a)), a.clone());
            prop_assert_eq!(Natural::compare_products(&a, &b, &c, &d), (big(&a) * big(&b)).cmp(&(big(&c) * big(&d))));
            prop_assert_eq!(Natural::compare_products(&a, &b, &b, &a), Ordering::Equal);
            prop_assert_eq!(a.to_string(), big(&a).to_string());
            prop_assert_eq!(big(&a.shifted_down(by)), big(&a) >> by);
            let (leading, more) = a.leading_bits();
            prop_assert_eq!(BigUint::from(leading), big(&a) >> more);
            prop_assert!(more == 0 || leading >> 63 == 1);
            prop_assert_eq!(a.to_u64().map(BigUint::from), Some(big(&a)).filter(|a| a.bits() <= 64));
            prop_assert_eq!(a.to_u128().map(BigUint::from), Some(big(&a)).filter(|a| a.bits() <= 128));
        }
    }
}
