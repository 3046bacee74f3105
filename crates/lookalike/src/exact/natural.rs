//! Non-negative integers of any size with a fast path for 128 bits.

use num_bigint::BigUint;
use num_traits::Zero;
use std::{cmp::Ordering, fmt};

/// A non-negative integer.
///
/// Output laws are vectors of these over one common denominator. Nearly all fit 128 bits, where no memory is
/// allocated; larger ones continue as big integers without a seam.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Natural(Repr);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(u128),
    /// Invariant: above `u128::MAX`, so that equal values have equal representations.
    Large(BigUint),
}

use Repr::{Large, Small};

impl Natural {
    /// Zero.
    pub const ZERO: Natural = Natural(Small(0));
    /// One.
    pub const ONE: Natural = Natural(Small(1));

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Natural) -> Natural {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Natural(Small(sum));
        }
        (self.to_big() + other.to_big()).into()
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Natural) -> Natural {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Natural(Small(product));
        }
        (self.to_big() * other.to_big()).into()
    }

    /// The same number as a big integer.
    pub fn to_big(&self) -> BigUint {
        match &self.0 {
            Small(value) => BigUint::from(*value),
            Large(value) => value.clone(),
        }
    }

    /// The same number in 128 bits, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Small(value) => Some(*value),
            Large(_) => None,
        }
    }

    /// Compares `a·b` with `c·d`, without allocating when all four fit 128 bits.
    pub fn compare_products(a: &Natural, b: &Natural, c: &Natural, d: &Natural) -> Ordering {
        match (&a.0, &b.0, &c.0, &d.0) {
            (Small(a), Small(b), Small(c), Small(d)) => wide_product(*a, *b).cmp(&wide_product(*c, *d)),
            _ => (a.to_big() * b.to_big()).cmp(&(c.to_big() * d.to_big())),
        }
    }
}

/// The 256-bit product as (high, low) halves.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const HALF: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & HALF, b >> 64, b & HALF);
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 64);
    let carried = (middle & HALF) + a_low * b_high;
    (a_high * b_high + (middle >> 64) + (carried >> 64), (carried << 64) | (low & HALF))
}

impl From<u128> for Natural {
    fn from(value: u128) -> Self {
        Natural(Small(value))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Natural(Small(value.into()))
    }
}

impl From<BigUint> for Natural {
    fn from(value: BigUint) -> Self {
        Natural(match u128::try_from(&value) {
            Ok(small) => Small(small),
            Err(_) => Large(value),
        })
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
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
        Natural(Small(Zero::zero()))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => value.fmt(f),
            Large(value) => value.fmt(f),
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
        ]
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_big_integers(a in numbers(), b in numbers(), c in numbers(), d in numbers()) {
            let big = |value: &Natural| value.to_big();
            prop_assert_eq!(big(&a.plus(&b)), big(&a) + big(&b));
            prop_assert_eq!(big(&a.times(&b)), big(&a) * big(&b));
            prop_assert_eq!(a.cmp(&b), big(&a).cmp(&big(&b)));
            prop_assert_eq!(Natural::from(big(&a)), a.clone());
            prop_assert_eq!(Natural::compare_products(&a, &b, &c, &d), (big(&a) * big(&b)).cmp(&(big(&c) * big(&d))));
            prop_assert_eq!(Natural::compare_products(&a, &b, &b, &a), Ordering::Equal);
            prop_assert_eq!(a.to_string(), big(&a).to_string());
        }

        #[test]
        fn wide_products_agree_with_big_integers(a in any::<u128>(), b in any::<u128>()) {
            let (high, low) = wide_product(a, b);
            prop_assert_eq!((BigUint::from(high) << 128u32) + low, BigUint::from(a) * b);
        }
    }
}
