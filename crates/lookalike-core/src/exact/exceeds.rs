//! The one question on which privacy rests.

use super::{Epsilon, Interval, Natural};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Bits of the first enclosure of e^ε; doubled until the question is decided.
const FIRST_BITS: u64 = 96;

/// Whether `q > e^ε · q'`, exactly, for two probabilities written over a common denominator.
///
/// Equality does not exceed. `0 > e^ε · 0` is false: an output that neither secret produces is harmless. A positive
/// `q` against `q' = 0` exceeds for every ε.
///
/// # Why it ends
/// Unless e^ε is rational (ε = c·ln r with r^c rational), it is irrational: e^ε for an algebraic ε ≠ 0 by
/// Lindemann, r^(a/b) when r is not a perfect b-th power, r^(c√n) by Gelfond and Schneider. Then `q/q'` differs from
/// it, and narrow enough enclosures tell them apart. A rational e^ε is compared as integers.
///
/// # Example
/// ```
/// use lookalike_core::exact::{Epsilon, Natural, exceeds};
/// let ln3: Epsilon = "ln(3)".parse()?;
/// let (three, one) = (Natural::from(3u64), Natural::ONE);
/// assert!(!exceeds(&three, &ln3, &one)); // equality passes
/// assert!(exceeds(&Natural::from(3_000_001u64), &ln3, &Natural::from(1_000_000u64)));
/// assert!(exceeds(&one, &ln3, &Natural::ZERO));
/// assert!(!exceeds(&Natural::ZERO, &ln3, &Natural::ZERO));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn exceeds(q: &Natural, epsilon: &Epsilon, q_prime: &Natural) -> bool {
    if q_prime.is_zero() {
        return !q.is_zero();
    }
    if let Some(answer) = bracketed(q, epsilon, q_prime) {
        return answer;
    }
    let (q, q_prime) = (whole(q), whole(q_prime));
    let mut bits = FIRST_BITS;
    loop {
        let bound = &epsilon.exp(bits) * &q_prime;
        if q.lower() > bound.upper() {
            return true;
        }
        if q.lower() <= bound.lower() {
            return false;
        }
        // Equality needs q to be at least as long as the numerator of e^ε in lowest terms.
        if let Some(power) = epsilon.rational_exp(q.lower().mantissa().bits() + q.lower().exponent().unsigned_abs()) {
            return q.lower().to_rational() > power * q_prime.lower().to_rational();
        }
        bits *= 2;
    }
}

/// The answer where a 63-bit enclosure of e^ε gives it: nearly always, and without allocating for 128-bit numbers.
fn bracketed(q: &Natural, epsilon: &Epsilon, q_prime: &Natural) -> Option<bool> {
    let bracket = epsilon.bracket();
    let against = |end: &Natural| Natural::compare_products(q, &bracket.scale, end, q_prime);
    if against(&bracket.lower) != Ordering::Greater {
        return Some(false);
    }
    (against(bracket.upper.as_ref()?) == Ordering::Greater).then_some(true)
}

/// Whether `q > e^ε · q'` for all q and q' between the given ends, where short integers can tell: a first look that
/// costs four products of words. `None` leaves it to [`exceeds`].
pub fn exceeds_within(q: [u64; 2], epsilon: &Epsilon, q_prime: [u64; 2]) -> Option<bool> {
    let bracket = epsilon.bracket();
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let scale = bracket.scale.to_u64()?;
    if product(q[1], scale) <= product(bracket.lower.to_u64()?, q_prime[0]) {
        return Some(false);
    }
    (product(q[0], scale) > product(bracket.upper.as_ref()?.to_u64()?, q_prime[1])).then_some(true)
}

fn whole(value: &Natural) -> Interval {
    Interval::integer(BigInt::from(value.to_big()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Rational, enclose_exp};
    use num_bigint::BigUint;
    use num_traits::{One, Pow};
    use proptest::prelude::*;

    fn epsilon(text: &str) -> Epsilon {
        text.parse().unwrap()
    }

    fn natural(value: u64) -> Natural {
        value.into()
    }

    #[test]
    fn rational_powers_pass_at_equality_and_fail_one_unit_above() {
        // (ε, q, q') with q = e^ε q' exactly.
        for (text, q, q_prime) in [
            ("ln(3)", 3, 1),
            ("2*ln(5/2)", 25, 4),
            ("1/2*ln(9/4)", 3, 2),
            ("-ln(0.9)", 10, 9),
            ("ln(8)/3", 2, 1),
            ("3*ln(2)", 8, 1),
        ] {
            let epsilon = epsilon(text);
            assert!(!exceeds(&natural(q), &epsilon, &natural(q_prime)), "{text}");
            let scale = 1u64 << 50;
            assert!(exceeds(&natural(q * scale + 1), &epsilon, &natural(q_prime * scale)), "{text}");
            assert!(!exceeds(&natural(q * scale - 1), &epsilon, &natural(q_prime * scale)), "{text}");
        }
    }

    #[test]
    fn irrational_powers_are_decided_however_close() {
        // The best approximations of e^ε from below and above with a 400-bit denominator.
        for text in ["1/10", "0.5", "1", "ln(3)/2", "sqrt(2)", "1/3*sqrt(5)", "ln(4)/200", "ln(2)*sqrt(3)"] {
            let epsilon = epsilon(text);
            let denominator = BigUint::one() << 400u32;
            let scaled = epsilon.exp(900).lower().to_rational() * Rational::from_integer((BigInt::one()) << 400u32);
            let below: BigUint = scaled.floor().to_integer().try_into().unwrap();
            let (above, denominator) = (Natural::from(&below + 1u32), Natural::from(denominator));
            assert!(!exceeds(&below.into(), &epsilon, &denominator), "{text}");
            assert!(exceeds(&above, &epsilon, &denominator), "{text}");
        }
    }

    #[test]
    fn rational_powers_too_long_to_be_equal_are_not_built() {
        // e^ε = (1 + 1e-7)^c is rational with 10^15 digits; fractions next to it are told apart all the same.
        for text in ["1000000*ln(1.0000000001)", "123456789012345*ln(1.00000000000001)"] {
            let epsilon = epsilon(text);
            let scaled = epsilon.exp(300).lower().to_rational() * (BigInt::one() << 120u32);
            let below: BigUint = scaled.floor().to_integer().try_into().unwrap();
            let (above, denominator) = (Natural::from(&below + 1u32), Natural::from(BigUint::one() << 120u32));
            assert!(!exceeds(&below.into(), &epsilon, &denominator), "{text}");
            assert!(exceeds(&above, &epsilon, &denominator), "{text}");
        }
    }

    #[test]
    fn zeros_are_settled_first() {
        let epsilon = epsilon("100000");
        assert!(!exceeds(&Natural::ZERO, &epsilon, &Natural::ZERO));
        assert!(!exceeds(&Natural::ZERO, &epsilon, &Natural::ONE));
        assert!(exceeds(&Natural::ONE, &epsilon, &Natural::ZERO));
    }

    #[test]
    fn huge_powers_are_not_built_to_compare_small_numbers() {
        assert!(!exceeds(&natural(u64::MAX), &epsilon("90000*ln(3)"), &Natural::ONE));
        assert!(!exceeds(&natural(u64::MAX), &epsilon("1e5"), &Natural::ONE));
        // Beyond the bracket, e^3000 has 4329 bits, the enclosure still decides.
        let power = |bits: u32| Natural::from(BigUint::one() << bits);
        assert!(!exceeds(&power(4328), &epsilon("3000"), &Natural::ONE));
        assert!(exceeds(&power(4329), &epsilon("3000"), &Natural::ONE));
    }

    proptest! {
        // Two independent decisions: integer powers against the enclosure of exp(c·ln r).
        #[test]
        fn logarithmic_forms_agree_with_integer_powers(a in 1u32..6, b in 1u32..5, by in 1u64..20, s in 1u64..20,
                                                       q in 1u64..5000, q_prime in 1u64..5000) {
            let r = s + by;
            let epsilon = epsilon(&format!("{a}/{b}*ln({r}/{s})"));
            // q > (r/s)^(a/b) q'  ⇔  q^b s^a > r^a q'^b
            let power = |x: u64, n: u32| Pow::pow(BigUint::from(x), n);
            let expected = power(q, b) * power(s, a) > power(r, a) * power(q_prime, b);
            prop_assert_eq!(exceeds(&natural(q), &epsilon, &natural(q_prime)), expected);
        }

        #[test]
        fn a_first_look_says_what_exact_integers_say(q in any::<u64>(), q_prime in any::<u64>(), width in 0u64..3, text in prop_oneof![Just("1/5"), Just("ln(3)"), Just("30"), Just("1e-9"), Just("2000")]) {
            let (epsilon, ends) = (epsilon(text), |low: u64| [low, low.saturating_add(width)]);
            // Near the boundary as well as anywhere.
            let close = (&epsilon.exp(96) * &whole(&natural(q_prime))).lower().to_rational().to_integer();
            for q in [q, u64::try_from(close).unwrap_or(u64::MAX)] {
                let corners = [ends(q)[0], ends(q)[1]].map(|q| ends(q_prime).map(|q_prime| exceeds(&natural(q), &epsilon, &natural(q_prime))));
                if let Some(answer) = exceeds_within(ends(q), &epsilon, ends(q_prime)) {
                    prop_assert!(corners.iter().flatten().all(|corner| *corner == answer));
                }
            }
        }

        #[test]
        fn rational_forms_agree_with_a_wide_enclosure(n in 1i64..4000, d in 1i64..1000, q in 1u64..1_000_000, q_prime in 1u64..1_000_000) {
            let exponent = Rational::new(n.into(), d.into());
            let bound = &enclose_exp(&exponent, 400) * &whole(&natural(q_prime));
            let expected = whole(&natural(q)).lower() > bound.upper();
            prop_assert_eq!(exceeds(&natural(q), &epsilon(&exponent.to_string()), &natural(q_prime)), expected);
        }
    }
}
