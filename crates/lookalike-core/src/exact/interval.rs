//! Intervals with dyadic ends, rounded outward: the true value is always inside.

use super::exponential::{exp_bound, ln_bound};
use super::{Direction, Dyadic, Rational};
use num_bigint::BigInt;
use num_traits::One;
use std::ops::{Add, Mul, Neg, Sub};

/// A closed interval `[lower, upper]` that contains the number it stands for.
///
/// Sums and products of intervals are exact images; [`Interval::outward`], [`Interval::divide`], [`Interval::sqrt`],
/// [`Interval::exp`] and [`Interval::ln`] round outward to a number of bits. Later bounds (influence, spectral gap,
/// loss distributions) are built on this type so that noise is never too small.
///
/// # Example
/// ```
/// use lookalike_core::exact::{Interval, Rational};
/// let third = Interval::of(&Rational::new(1.into(), 3.into()), 64);
/// let one = &(&third + &third) + &third;
/// assert!(one.contains(&Rational::from_integer(1.into())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    lower: Dyadic,
    upper: Dyadic,
}

impl Interval {
    /// The interval from `lower` to `upper`.
    ///
    /// # Panics
    /// If the ends come in the wrong order: a bound that was rounded the wrong way must not pass unseen.
    pub fn new(lower: Dyadic, upper: Dyadic) -> Self {
        assert!(lower <= upper, "the lower end of an interval is at most the upper one");
        Interval { lower, upper }
    }

    /// The interval that holds one dyadic number only.
    pub fn point(value: Dyadic) -> Self {
        Interval { lower: value.clone(), upper: value }
    }

    /// The integer, exactly.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Interval::point(Dyadic::new(value.into(), 0))
    }

    /// An interval of relative width at most 2^−bits around a rational.
    pub fn of(value: &Rational, bits: u64) -> Self {
        let end = |direction| Dyadic::quotient(value.numer(), value.denom(), bits + 1, direction);
        Interval { lower: end(Direction::Down), upper: end(Direction::Up) }
    }

    /// The lower end.
    pub fn lower(&self) -> &Dyadic {
        &self.lower
    }

    /// The upper end.
    pub fn upper(&self) -> &Dyadic {
        &self.upper
    }

    /// `upper − lower`.
    pub fn width(&self) -> Dyadic {
        &self.upper - &self.lower
    }

    /// Whether the rational lies inside.
    pub fn contains(&self, value: &Rational) -> bool {
        self.lower.to_rational() <= *value && *value <= self.upper.to_rational()
    }

    /// Whether the whole interval lies strictly above zero.
    pub fn is_positive(&self) -> bool {
        self.lower.signum() > 0
    }

    /// The same interval with ends of at most `bits` bits, rounded outward.
    #[must_use]
    pub fn outward(&self, bits: u64) -> Interval {
        Interval { lower: self.lower.round(bits, Direction::Down), upper: self.upper.round(bits, Direction::Up) }
    }

    /// `self / divisor`, or `None` when the divisor may be zero.
    pub fn divide(&self, divisor: &Interval, bits: u64) -> Option<Interval> {
        if divisor.lower.signum() * divisor.upper.signum() <= 0 {
            return None;
        }
        let ends = [&self.lower, &self.upper].map(|a| [&divisor.lower, &divisor.upper].map(|b| (a, b)));
        let ends = ends.as_flattened();
        let lower = ends.iter().map(|(a, b)| a.over(b, bits + 1, Direction::Down)).min()?;
        let upper = ends.iter().map(|(a, b)| a.over(b, bits + 1, Direction::Up)).max()?;
        Some(Interval { lower, upper })
    }

    /// The square root to a relative width of 2^−bits, or `None` when the interval reaches below zero.
    pub fn sqrt(&self, bits: u64) -> Option<Interval> {
        if self.lower.signum() < 0 {
            return None;
        }
        // An even shift large enough that the integer root has `bits` bits.
        let root = |value: &Dyadic, up: bool| {
            let mut shift = 2 * bits + 2;
            if (value.exponent() - shift as i64).rem_euclid(2) == 1 {
                shift += 1;
            }
            let scaled = value.mantissa() << shift;
            let floor = scaled.sqrt();
            let whole = if up && &floor * &floor != scaled { floor + BigInt::one() } else { floor };
            Dyadic::new(whole, (value.exponent() - shift as i64).div_euclid(2))
        };
        Some(Interval { lower: root(&self.lower, false), upper: root(&self.upper, true) })
    }

    /// `e^x` for every x inside; relative widening at most 2^−bits.
    pub fn exp(&self, bits: u64) -> Interval {
        Interval {
            lower: exp_bound(&self.lower, bits, Direction::Down),
            upper: exp_bound(&self.upper, bits, Direction::Up),
        }
    }

    /// `ln x` for every x inside; absolute widening at most 2^−bits. `None` when the interval reaches zero.
    pub fn ln(&self, bits: u64) -> Option<Interval> {
        self.is_positive().then(|| Interval {
            lower: ln_bound(&self.lower.to_rational(), bits, Direction::Down),
            upper: ln_bound(&self.upper.to_rational(), bits, Direction::Up),
        })
    }
}

impl Add for &Interval {
    type Output = Interval;
    fn add(self, other: &Interval) -> Interval {
        Interval { lower: &self.lower + &other.lower, upper: &self.upper + &other.upper }
    }
}

impl Sub for &Interval {
    type Output = Interval;
    fn sub(self, other: &Interval) -> Interval {
        Interval { lower: &self.lower - &other.upper, upper: &self.upper - &other.lower }
    }
}

impl Neg for &Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        Interval { lower: -&self.upper, upper: -&self.lower }
    }
}

impl Mul for &Interval {
    type Output = Interval;
    fn mul(self, other: &Interval) -> Interval {
        let products = [
            &self.lower * &other.lower,
            &self.lower * &other.upper,
            &self.upper * &other.lower,
            &self.upper * &other.upper,
        ];
        let lower = products.iter().min().cloned().unwrap_or_else(Dyadic::zero);
        let upper = products.into_iter().max().unwrap_or_else(Dyadic::zero);
        Interval { lower, upper }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rational(n: i64, d: i64) -> Rational {
        Rational::new(n.into(), d.into())
    }

    proptest! {
        #[test]
        fn arithmetic_contains_the_true_value(a in any::<i32>(), b in 1i64..1_000_000, c in any::<i32>(), d in 1i64..1_000_000, bits in 4u64..100) {
            let (x, y) = (rational(a.into(), b), rational(c.into(), d));
            let (i, j) = (Interval::of(&x, bits), Interval::of(&y, bits));
            prop_assert!(i.contains(&x));
            prop_assert!((&i + &j).contains(&(&x + &y)));
            prop_assert!((&i - &j).contains(&(&x - &y)));
            prop_assert!((&i * &j).contains(&(&x * &y)));
            prop_assert!((&i * &j).outward(5).contains(&(&x * &y)));
            match i.divide(&j, bits) {
                Some(quotient) => prop_assert!(quotient.contains(&(&x / &y))),
                None => prop_assert!(j.lower().signum() * j.upper().signum() <= 0),
            }
        }

        #[test]
        fn square_roots_enclose_and_are_narrow(n in 0u64.., bits in 4u64..200) {
            let root = Interval::integer(n).sqrt(bits).unwrap();
            let n = Rational::from_integer(n.into());
            let square = &root * &root;
            prop_assert!(square.contains(&n));
            prop_assert!(root.width().to_rational() * (BigInt::one() << bits) <= root.upper().to_rational());
        }
    }

    #[test]
    fn division_by_an_interval_that_holds_zero_is_refused() {
        let around_zero = Interval::new(Dyadic::new((-1).into(), 0), Dyadic::one());
        assert_eq!(Interval::integer(1).divide(&around_zero, 64), None);
        assert_eq!(Interval::integer(-1).sqrt(64), None);
        assert_eq!(Interval::integer(0).ln(64), None);
    }

    #[test]
    fn exp_and_ln_undo_each_other() {
        let two = Interval::integer(2);
        let back = two.ln(120).unwrap().exp(120);
        assert!(back.contains(&rational(2, 1)) && back.width() < Dyadic::new(1.into(), -110));
    }
}
