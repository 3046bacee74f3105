//! Enclosures of e^x and ln x of any requested width, in fixed-point integer arithmetic.
//!
//! Each function below computes one side: every division and shift is rounded in one direction, and the part of the
//! series that is left out is bounded, so that a lower bound is a lower bound.

use super::{Direction, Dyadic, Interval, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// An interval of relative width at most 2^−bits that contains `e^x`.
///
/// # Panics
/// If |x| is 2^62 or more, so that the exponent of the result does not fit.
///
/// # Example
/// ```
/// use lookalike_core::exact::{enclose_exp, parse_rational};
/// let e = enclose_exp(&parse_rational("1")?, 40);
/// assert!(e.contains(&parse_rational("2.71828182845904523536028747135")?));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn enclose_exp(x: &Rational, bits: u64) -> Interval {
    // An error of 2^−(bits+2) in x is a relative error of about as much in e^x.
    enclose_absolute(x, bits + 2).exp(bits + 2)
}

/// An interval of width at most 2^−bits that contains `ln x`, or `None` unless `x > 0`.
///
/// # Example
/// ```
/// use lookalike_core::exact::{enclose_ln, parse_rational};
/// let ln3 = enclose_ln(&parse_rational("3")?, 40).unwrap();
/// assert!(ln3.contains(&parse_rational("1.09861228866810969139524523692")?));
/// assert!(enclose_ln(&parse_rational("0")?, 40).is_none());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn enclose_ln(x: &Rational, bits: u64) -> Option<Interval> {
    x.is_positive().then(|| {
        let end = |direction| ln_bound(x, bits + 1, direction);
        Interval::new(end(Direction::Down), end(Direction::Up))
    })
}

/// An interval of absolute width at most 2^−bits around a rational.
fn enclose_absolute(x: &Rational, bits: u64) -> Interval {
    let magnitude = x.numer().bits().saturating_sub(x.denom().bits()) + 1;
    Interval::of(x, bits + magnitude)
}

/// Halvings of the argument of exp before its series: fewer terms against more squarings.
const HALVINGS: u64 = 8;

/// A bound of `e^x` on the named side, within a relative 2^−bits.
pub(super) fn exp_bound(x: &Dyadic, bits: u64, direction: Direction) -> Dyadic {
    if x.signum() == 0 {
        return Dyadic::one();
    }
    let up = direction == Direction::Up;
    // x = k·ln 2 + r with r in about [ln 2, 2 ln 2]: positive with room to spare for the rounding of k·ln 2.
    let magnitude = (x.mantissa().bits() as i64 + x.exponent()).max(0) as u64;
    let fraction = bits + magnitude + 2 * HALVINGS + 24;
    let (k, r) = reduce(x, fraction, up);
    let mut value = exp_series(&shift_down(&r, HALVINGS, up), fraction, up);
    for _ in 0..HALVINGS {
        value = shift_down(&(&value * &value), fraction, up);
    }
    let k = i64::try_from(&k).expect("epsilon is bounded, so the exponent fits");
    let bound = Dyadic::new(value, k - fraction as i64).round(bits + 2, direction);
    // e^x is on the same side of 1 as x of 0; rounding must not say less.
    match (up, x.signum() > 0) {
        (false, true) => bound.max(Dyadic::one()),
        (true, false) => bound.min(Dyadic::one()),
        _ => bound,
    }
}

/// `(k, r)` with x = k·ln 2 + r, where r is in fixed point and rounded one way.
fn reduce(x: &Dyadic, fraction: u64, up: bool) -> (BigInt, BigInt) {
    let fixed = x.to_fixed(fraction, up);
    let k = fixed.div_floor(&ln2_fixed(fraction, true)) - BigInt::one();
    // k·ln 2 is subtracted: to round r up it must be rounded down, and the reverse.
    let k_ln2 = &k * ln2_fixed(fraction, up == k.is_negative());
    (k, fixed - k_ln2)
}

/// Σ r^n/n! for fixed-point 0 ≤ r < 1/2, rounded one way.
fn exp_series(r: &BigInt, fraction: u64, up: bool) -> BigInt {
    let mut term = BigInt::one() << fraction;
    let mut sum = term.clone();
    for n in 1u32.. {
        let product = shift_down(&(&term * r), fraction, up);
        term = if up { product.div_ceil(&n.into()) } else { product / n };
        sum += &term;
        if term <= BigInt::one() {
            break;
        }
    }
    // What is left out is less than the last term, since r < 1/2 makes each term less than half of the one before.
    if up { sum + term } else { sum }
}

/// A bound of `ln x` (x > 0) on the named side, within 2^−bits.
pub(super) fn ln_bound(x: &Rational, bits: u64, direction: Direction) -> Dyadic {
    let up = direction == Direction::Up;
    // x = 2^k · m with m in (1/2, 2); ln m = 2 artanh((m−1)/(m+1)), and |m−1|/(m+1) < 1/3.
    let k = x.numer().bits() as i64 - x.denom().bits() as i64;
    let fraction = bits + 64 - k.unsigned_abs().leading_zeros() as u64 + 16;
    let (mut n, mut d) = (x.numer().clone(), x.denom().clone());
    if k >= 0 {
        d <<= k.unsigned_abs()
    } else {
        n <<= k.unsigned_abs()
    }
    let difference = &n - &d;
    // artanh is odd: of a negative argument bound the magnitude on the other side.
    let side = up != difference.is_negative();
    let magnitude = artanh_series(&difference.abs(), &(n + d), fraction, side);
    let artanh = if difference.is_negative() { -magnitude } else { magnitude };
    let k_ln2 = BigInt::from(k) * ln2_fixed(fraction, up == (k >= 0));
    Dyadic::new((artanh << 1u32) + k_ln2, -(fraction as i64))
}

/// artanh(numerator/denominator) = Σ z^(2i+1)/(2i+1) in fixed point for 0 ≤ z < 1/2, rounded one way.
fn artanh_series(numerator: &BigInt, denominator: &BigInt, fraction: u64, up: bool) -> BigInt {
    let divide = |a: BigInt, b: &BigInt| if up { a.div_ceil(b) } else { a / b };
    let z = divide(numerator << fraction, denominator);
    let z_squared = shift_down(&(&z * &z), fraction, up);
    let (mut power, mut sum) = (z.clone(), z);
    for odd in (3u32..).step_by(2) {
        power = shift_down(&(&power * &z_squared), fraction, up);
        sum += divide(power.clone(), &odd.into());
        if power <= BigInt::one() {
            break;
        }
    }
    // z² < 1/4 makes what is left out less than a third of the last power.
    if up { sum + power } else { sum }
}

/// ln 2 = 2 artanh(1/3) in fixed point, rounded one way.
fn ln2_fixed(fraction: u64, up: bool) -> BigInt {
    artanh_series(&BigInt::one(), &BigInt::from(3), fraction, up) << 1u32
}

/// `value / 2^bits` for value ≥ 0, rounded one way.
fn shift_down(value: &BigInt, bits: u64, up: bool) -> BigInt {
    debug_assert!(!value.is_negative());
    let floor = value >> bits;
    if up && !value.is_zero() && value.trailing_zeros().is_some_and(|zeros| zeros < bits) { floor + 1 } else { floor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use proptest::prelude::*;

    fn rational(text: &str) -> Rational {
        parse_rational(text).unwrap()
    }

    #[test]
    fn published_digits_lie_inside() {
        // 40 decimals, truncated: the true value lies between the text and the text plus one unit.
        let cases = [
            (enclose_exp(&rational("1"), 160), "2.7182818284590452353602874713526624977572"),
            (enclose_exp(&rational("1/2"), 160), "1.6487212707001281468486507878141635716537"),
            (enclose_exp(&rational("-10"), 160), "0.0000453999297624848515355915155605506102"),
            (enclose_ln(&rational("2"), 160).unwrap(), "0.6931471805599453094172321214581765680755"),
            (enclose_ln(&rational("3"), 160).unwrap(), "1.0986122886681096913952452369225257046474"),
            (enclose_ln(&rational("10"), 160).unwrap(), "2.3025850929940456840179914546843642076011"),
        ];
        let unit = rational("1e-40");
        for (interval, digits) in cases {
            let (below, above) = (rational(digits), rational(digits) + &unit);
            assert!(interval.lower().to_rational() >= below && interval.upper().to_rational() <= above, "{digits}");
        }
    }

    proptest! {
        #[test]
        fn exp_encloses_at_the_requested_width_and_nests(n in -2_000_000i64..2_000_000, d in 1i64..1_000_000, bits in 8u64..300) {
            let x = Rational::new(n.into(), d.into());
            let (wide, narrow) = (enclose_exp(&x, bits), enclose_exp(&x, bits + 100));
            prop_assert!(wide.lower() <= narrow.lower() && narrow.upper() <= wide.upper());
            prop_assert!(wide.width().to_rational() * (BigInt::one() << bits) <= wide.lower().to_rational());
            // e^x · e^−x = 1.
            prop_assert!((&wide * &enclose_exp(&-x, bits)).contains(&Rational::one()));
        }

        #[test]
        fn ln_encloses_at_the_requested_width_and_nests(n in 1i64.., d in 1i64.., bits in 8u64..300) {
            let x = Rational::new(n.into(), d.into());
            let (wide, narrow) = (enclose_ln(&x, bits).unwrap(), enclose_ln(&x, bits + 100).unwrap());
            prop_assert!(wide.lower() <= narrow.lower() && narrow.upper() <= wide.upper());
            prop_assert!(wide.width().to_rational() * (BigInt::one() << bits) <= Rational::one());
            prop_assert!(narrow.exp(bits + 100).contains(&x));
        }

        #[test]
        fn exp_of_a_sum_is_the_product(a in -500i64..500, b in -500i64..500) {
            let (x, y) = (Rational::new(a.into(), 100.into()), Rational::new(b.into(), 100.into()));
            let product = &enclose_exp(&x, 100) * &enclose_exp(&y, 100);
            let sum = enclose_exp(&(x + y), 100);
            prop_assert!(product.lower() <= sum.upper() && sum.lower() <= product.upper());
        }
    }

    /// `value · 2^fraction` lies between the two bounds, which are close to each other.
    fn bounds(low: &BigInt, high: &BigInt, value: &Interval, fraction: u64, most: u32) {
        let scale = BigInt::one() << fraction;
        let low_end = value.lower().to_rational() * &scale;
        let high_end = value.upper().to_rational() * &scale;
        assert!(Rational::from_integer(low.clone()) <= low_end, "{low} is a lower bound of {low_end}");
        assert!(Rational::from_integer(high.clone()) >= high_end, "{high} is an upper bound of {high_end}");
        assert!(high - low <= BigInt::from(most), "{low} and {high} are close");
    }

    // With few bits a wrong direction or a forgotten tail shows at once; the working precision would hide it.
    #[test]
    fn each_step_bounds_on_its_own_side_at_low_precision() {
        for fraction in 6..=11u64 {
            let half = 1i64 << (fraction - 1);
            for r in 0..half {
                let value = enclose_exp(&Rational::new(r.into(), (2 * half).into()), 200);
                let series = |up| exp_series(&r.into(), fraction, up);
                bounds(&series(false), &series(true), &value, fraction, 24);
                // artanh z = ln((1 + z)/(1 − z))/2
                let twice = enclose_ln(&Rational::new((2 * half + r).into(), (2 * half - r).into()), 200).unwrap();
                let artanh = twice.divide(&Interval::integer(2), 200).unwrap();
                let series = |up| artanh_series(&r.into(), &(2 * half).into(), fraction, up);
                bounds(&series(false), &series(true), &artanh, fraction, 24);
            }
            let ln2 = enclose_ln(&rational("2"), 200).unwrap();
            bounds(&ln2_fixed(fraction, false), &ln2_fixed(fraction, true), &ln2, fraction, 48);
            for x in -200..200i64 {
                let x = Dyadic::new(x.into(), -3);
                for up in [false, true] {
                    let (k, r) = reduce(&x, fraction, up);
                    let true_r = &Interval::point(x.clone()) - &(&Interval::integer(k) * &ln2);
                    let scaled =
                        (true_r.lower().to_rational() * (BigInt::one() << fraction), Rational::from_integer(r));
                    assert!(if up { scaled.1 >= scaled.0 } else { scaled.1 <= scaled.0 }, "{x:?} {up}");
                }
            }
        }
        for value in 0..64i64 {
            assert_eq!(shift_down(&value.into(), 3, false), BigInt::from(value / 8));
            assert_eq!(shift_down(&value.into(), 3, true), BigInt::from((value + 7) / 8));
        }
    }

    #[test]
    fn tiny_and_huge_arguments_work() {
        let tiny = enclose_exp(&rational("1e-300"), 64);
        assert!(tiny.lower().to_rational() >= Rational::one() && tiny.contains(&Rational::one()));
        let sharp = enclose_exp(&rational("1e-300"), 1100);
        assert!(sharp.lower().to_rational() > Rational::one(), "1100 bits tell e^1e-300 from 1");
        let huge = enclose_exp(&rational("1e6"), 64);
        assert_eq!(huge.lower().mantissa().bits() as i64 + huge.lower().exponent(), 1_442_696);
    }
}
