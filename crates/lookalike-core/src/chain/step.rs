//! What one step of a chain forgets of the state before it.

use crate::exact::{Dyadic, Interval, Rational};
use crate::model::Chain;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Bits of what is rounded.
const BITS: u64 = 128;

/// Σ_j c^|i−j| for the node i in the middle of a chain of this length, rounded up: for how many independent nodes it stands.
pub fn weight(coefficient: &Dyadic, length: u64) -> Rational {
    let middle = length.div_ceil(2);
    let weight = Rational::one() + told(coefficient, middle - 1) + told(coefficient, length - middle);
    weight.min(BigInt::from(length).into())
}

/// c = (√r − 1)/(√r + 1) = 1 − 2/(√r + 1), rounded up.
pub fn coefficient(chain: &Chain) -> Dyadic {
    let Some(ratio) = cross_ratio(chain) else { return Dyadic::one() };
    let root = Interval::of(&ratio, BITS).sqrt(BITS).expect("a ratio is positive");
    let (one, two) = (Interval::integer(1), Interval::integer(2));
    let share = two.divide(&(&root + &one), BITS).expect("a root is not negative");
    (&one - &share).outward(BITS / 2).upper().clone().max(Dyadic::zero())
}

/// The largest P(s,z)P(s',z')/(P(s',z)P(s,z')), or `None` where it is infinite.
pub fn cross_ratio(chain: &Chain) -> Option<Rational> {
    let mut largest = Rational::one();
    for (place, first) in chain.transition().iter().enumerate() {
        for second in &chain.transition()[..place] {
            // Of the ratios of two rows the largest over the smallest.
            let pairs: Vec<(Rational, Rational)> = first
                .probabilities()
                .zip(second.probabilities())
                .filter(|(a, b)| !(a.is_zero() && b.is_zero()))
                .collect();
            if pairs.iter().any(|(a, b)| a.is_zero() || b.is_zero()) {
                return None;
            }
            let ratios = || pairs.iter().map(|(a, b)| a / b);
            largest = largest.max(ratios().max()? / ratios().min()?);
        }
    }
    Some(largest)
}

/// c + c² + … + c^steps, rounded up.
fn told(coefficient: &Dyadic, steps: u64) -> Rational {
    if *coefficient == Dyadic::one() {
        return BigInt::from(steps).into();
    }
    let c = coefficient.to_rational();
    let rest = Rational::one() - power(coefficient, steps).lower().to_rational();
    let sum = &c * rest / (Rational::one() - &c);
    sum.min(c * BigInt::from(steps))
}

/// c^exponent, by squaring.
fn power(base: &Dyadic, exponent: u64) -> Interval {
    let mut power = Interval::integer(1);
    for bit in (0..64 - exponent.leading_zeros()).rev() {
        power = (&power * &power).outward(BITS);
        if exponent >> bit & 1 == 1 {
            power = (&power * &Interval::point(base.clone())).outward(BITS);
        }
        // A power this small is as good as 0, and its exponent must not grow without end.
        if *power.upper() < Dyadic::new(1.into(), -(BITS as i64) * 8) {
            return Interval::new(Dyadic::zero(), power.upper().clone());
        }
    }
    power
}
