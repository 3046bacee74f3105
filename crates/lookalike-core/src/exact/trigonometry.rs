//! Enclosures of π, sine and cosine, in fixed-point integer arithmetic.

use super::{Dyadic, Interval, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// An interval of width at most 2^−bits that contains π.
///
/// # Reference
/// Machin's formula, π = 16·arctan(1/5) − 4·arctan(1/239).
pub fn enclose_pi(bits: u64) -> Interval {
    let fraction = bits + 16;
    let arctangent = |inverse: u32| {
        let square = BigInt::from(inverse * inverse);
        let mut power = (BigInt::one() << fraction) / inverse;
        let (mut sum, mut terms) = (power.clone(), 1u32);
        while !power.is_zero() {
            power /= &square;
            let term = &power / (2 * terms + 1);
            sum = if terms % 2 == 0 { sum + term } else { sum - term };
            terms += 1;
        }
        // Each power is short by less than 2 units, each term by less than 3, and what is left out is less than a unit.
        (sum, 3 * terms + 1)
    };
    let ((a, a_error), (b, b_error)) = (arctangent(5), arctangent(239));
    around(&(a * 16 - b * 4), &BigInt::from(16 * a_error + 4 * b_error), fraction)
}

/// Intervals that contain the sine and the cosine of every angle inside, in radians; they are wider than the angle by at
/// most 2^−bits at each end.
///
/// # Panics
/// If an angle lies beyond ±2: latitudes and the like do not.
///
/// # Example
/// ```
/// use lookalike_core::exact::{Interval, enclose_pi, enclose_sine_cosine, parse_rational};
/// let thirty_degrees = enclose_pi(80).divide(&Interval::integer(6), 80).unwrap();
/// let [sine, _] = enclose_sine_cosine(&thirty_degrees, 64);
/// assert!(sine.contains(&parse_rational("1/2")?));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn enclose_sine_cosine(angle: &Interval, bits: u64) -> [Interval; 2] {
    let fraction = bits + 12;
    let [lower, upper] = [angle.lower().to_fixed(fraction, false), angle.upper().to_fixed(fraction, true)];
    let limit = BigInt::one() << (fraction + 1);
    assert!(-&limit <= lower && upper <= limit, "an angle beyond two radians");
    let middle = (&lower + &upper) >> 1u32;
    let (mut sums, mut term) = ([BigInt::zero(), BigInt::one() << fraction], BigInt::one() << fraction);
    let mut terms = 1u32;
    loop {
        // The next of x^k/k!: odd ones belong to the sine, even ones to the cosine, with alternating signs.
        term = ((&term * &middle) >> fraction) / terms;
        let sum = &mut sums[usize::from(terms.is_multiple_of(2))];
        *sum = if terms % 4 <= 1 { &*sum + &term } else { &*sum - &term };
        if terms > 4 && term.abs() <= BigInt::from(4) {
            break;
        }
        terms += 1;
    }
    // A term is wrong by at most (2e + 1)/k + 1 units if the one before is wrong by e: never by more than 4. What is left
    // out is less than twice a last term of at most 8 units. Both functions change by no more than their angle.
    let error = BigInt::from(4 * terms + 16) + (upper - lower + 1u32) / 2u32 + BigInt::one();
    let one = Interval::new(-&Dyadic::one(), Dyadic::one());
    sums.map(|sum| within(&around(&sum, &error, fraction), &one))
}

/// value ± error, in units of 2^−fraction.
fn around(value: &BigInt, error: &BigInt, fraction: u64) -> Interval {
    let end = |end: BigInt| Dyadic::new(end, -(fraction as i64));
    Interval::new(end(value - error), end(value + error))
}

/// The part of one interval that lies in another, which it meets.
fn within(interval: &Interval, other: &Interval) -> Interval {
    Interval::new(
        interval.lower().clone().max(other.lower().clone()),
        interval.upper().clone().min(other.upper().clone()),
    )
}

/// Degrees as radians.
pub fn radians(degrees: &Rational, bits: u64) -> Interval {
    let part = Interval::of(&(degrees / BigInt::from(180)), bits + 8);
    &part * &enclose_pi(bits + 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use proptest::prelude::*;

    fn rational(text: &str) -> Rational {
        parse_rational(text).unwrap()
    }

    fn point(value: &Rational) -> Interval {
        Interval::of(value, 200)
    }

    #[test]
    fn published_digits_lie_inside() {
        let [sine, cosine] = enclose_sine_cosine(&point(&rational("1")), 140);
        let cases = [
            (enclose_pi(140), "3.141592653589793238462643383279502884197"),
            (sine, "0.841470984807896506652502321630298999622"),
            (cosine, "0.540302305868139717400936607442976603732"),
        ];
        for (interval, digits) in cases {
            // The digits are cut off after the 39th.
            let (below, above) = (rational(digits), rational(digits) + rational("1e-39"));
            assert!(interval.lower().to_rational() <= above && interval.upper().to_rational() >= below, "{digits}");
            assert!(interval.width().to_rational() < rational("1e-40"), "{digits}");
        }
    }

    #[test]
    fn ends_of_the_range_are_right() {
        let [sine, cosine] = enclose_sine_cosine(&Interval::integer(0), 64);
        assert!(sine.contains(&rational("0")) && cosine.contains(&rational("1")));
        assert!(cosine.upper().to_rational() <= rational("1"));
        let [sine, cosine] = enclose_sine_cosine(&radians(&rational("90"), 100), 64);
        assert!(sine.contains(&rational("1")) && cosine.contains(&rational("0")));
        let [sine, _] = enclose_sine_cosine(&Interval::integer(-2), 64);
        assert!(
            sine.upper().to_rational() < rational("-0.909297426825")
                && sine.lower().to_rational() > rational("-0.909297426826")
        );
    }

    proptest! {
        // sin² + cos² = 1 and the doubles of the standard library, which err by less than 1e-15.
        #[test]
        fn the_circle_and_the_doubles_are_inside(n in -2048i64..=2048, width in 0i64..100, bits in 20u64..150) {
            let ends = [n, (n + width).min(2048)].map(|n| Dyadic::new(n.into(), -10));
            let angle = Interval::new(ends[0].clone(), ends[1].clone());
            let [sine, cosine] = enclose_sine_cosine(&angle, bits);
            for end in [angle.lower(), angle.upper()] {
                let x = crate::exact::to_f64(&end.to_rational(), crate::exact::Direction::Nearest);
                for (interval, value) in [(&sine, x.sin()), (&cosine, x.cos())] {
                    let slack = rational("1e-15");
                    let value = Rational::from_float(value).unwrap();
                    prop_assert!(interval.lower().to_rational() <= &value + &slack);
                    prop_assert!(interval.upper().to_rational() >= &value - &slack);
                }
            }
            if width == 0 {
                let sum = &(&sine * &sine) + &(&cosine * &cosine);
                prop_assert!(sum.contains(&Rational::one()));
                prop_assert!(sine.width().to_rational() * (BigInt::one() << bits) <= rational("2"));
            }
        }
    }
}
