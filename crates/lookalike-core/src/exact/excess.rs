//! What a probability has beyond e^ε times another: a − b·e^ε, exactly.

use super::{Dyadic, Epsilon, Interval, Natural, Rational, exceeds};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// a − b·e^ε for two probabilities of one event: 0, or positive. It is the form of every δ.
///
/// Nothing is rounded in it, however irrational e^ε is; [`Excess::enclosure`] rounds outward for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excess {
    epsilon: Epsilon,
    /// a and b: both 0, or a > b·e^ε.
    probabilities: [Rational; 2],
}

/// [`Excess::enclosure`] is narrower than 2^−60 of the excess, which is below 1e-18.
const RELATIVE_BITS: u64 = 60;
/// A fraction e^ε with a longer numerator is not written out.
const LONGEST_EXPONENTIAL: u64 = 4096;

impl Excess {
    /// The excess of an event of outputs each of which is more than e^ε times as likely under the first law.
    pub fn new(epsilon: &Epsilon, probabilities: [Rational; 2]) -> Self {
        let [a, b] = &probabilities;
        debug_assert!(a.is_zero() && b.is_zero() || compare_with_exp(a, epsilon, b) == Ordering::Greater);
        Excess { epsilon: epsilon.clone(), probabilities }
    }

    /// The ε.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// The probabilities a and b of the event under the first and the second law.
    pub fn probabilities(&self) -> &[Rational; 2] {
        &self.probabilities
    }

    /// Whether no output is beyond e^ε.
    pub fn is_zero(&self) -> bool {
        self.probabilities[0].is_zero()
    }

    /// The excess as a fraction; `None` when e^ε is irrational, or a fraction too long to be written out, beyond 4096
    /// bits.
    pub fn exact(&self) -> Option<Rational> {
        let [a, b] = &self.probabilities;
        if b.is_zero() {
            return Some(a.clone());
        }
        self.epsilon.rational_exp(LONGEST_EXPONENTIAL).map(|power| a - b * power)
    }

    /// An interval that contains the excess, narrower than 2^−60 of it: the point 0, or positive.
    pub fn enclosure(&self) -> Interval {
        if self.is_zero() {
            return Interval::point(Dyadic::zero());
        }
        if let Some(excess) = self.exact() {
            return Interval::of(&excess, RELATIVE_BITS + 1);
        }
        let (unit, mut bits) = (Dyadic::new(BigInt::one(), RELATIVE_BITS as i64 + 1), 96);
        // Ends, for the excess is positive.
        loop {
            let [a, b] = self.probabilities.each_ref().map(|probability| Interval::of(probability, bits));
            let excess = &a - &(&b * &self.epsilon.exp(bits));
            if &excess.width() * &unit <= *excess.lower() {
                return excess.outward(RELATIVE_BITS + 4);
            }
            bits *= 2;
        }
    }

    /// Compares it with the excess of another event at the same ε, exactly.
    ///
    /// # Panics
    /// If the other one is at another ε.
    pub fn compare(&self, other: &Excess) -> Ordering {
        assert_eq!(self.epsilon, other.epsilon, "both at one epsilon");
        // a − b·E against a' − b'·E is a − a' against (b − b')·E.
        let [a, b] = [0, 1].map(|at| &self.probabilities[at] - &other.probabilities[at]);
        compare_with_exp(&a, &self.epsilon, &b)
    }
}

/// Compares x with e^ε·z, whatever their signs.
pub fn compare_with_exp(x: &Rational, epsilon: &Epsilon, z: &Rational) -> Ordering {
    match (x.is_negative(), z.is_negative()) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (true, true) => compare_with_exp(&-x, epsilon, &-z).reverse(),
        (false, false) => {
            let [q, q_prime] = [x.numer() * z.denom(), z.numer() * x.denom()];
            let [more, less] = [&q, &q_prime].map(|whole| Natural::from(whole.magnitude().clone()));
            // x = e^ε·z > 0 needs a fraction e^ε whose numerator is no longer than q.
            let equals = |power: Rational| power * z == *x;
            match exceeds(&more, epsilon, &less) {
                true => Ordering::Greater,
                false if q.is_zero() && q_prime.is_zero() => Ordering::Equal,
                false if epsilon.rational_exp(q.bits()).is_some_and(equals) => Ordering::Equal,
                false => Ordering::Less,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rational((n, d): (i64, i64)) -> Rational {
        Rational::new(n.into(), d.into())
    }

    proptest! {
        #[test]
        fn signed_comparisons_are_those_of_fractions(x in (-40i64..40, 1i64..9), z in (-40i64..40, 1i64..9)) {
            for (text, power) in [("ln(3/2)", (3, 2)), ("ln(2)", (2, 1)), ("2*ln(5/3)", (25, 9))] {
                let expected = rational(x).cmp(&(rational(power) * rational(z)));
                prop_assert_eq!(compare_with_exp(&rational(x), &text.parse().unwrap(), &rational(z)), expected);
            }
        }

        #[test]
        fn the_enclosure_is_narrow_and_holds_the_excess(a in 1i64..1000, b in 0i64..1000, text in prop_oneof![Just("1/3"), Just("ln(2)"), Just("ln(3)/2"), Just("1e-9")]) {
            let (a, b, epsilon): (_, _, Epsilon) = (rational((a, 1000)), rational((b, 1000)), text.parse().unwrap());
            prop_assume!(compare_with_exp(&a, &epsilon, &b) == Ordering::Greater);
            let excess = Excess::new(&epsilon, [a.clone(), b.clone()]);
            let (found, wide) = (excess.enclosure(), epsilon.exp(300));
            let [least, most] = [wide.upper(), wide.lower()].map(|power| &a - &b * power.to_rational());
            // An exact excess may be a point, which lies within what 300 bits know of it.
            match excess.exact() {
                Some(exact) => prop_assert!(found.contains(&exact) && least <= exact && exact <= most),
                None => prop_assert!(found.lower().to_rational() <= least && most <= found.upper().to_rational()),
            }
            prop_assert!(found.is_positive());
            prop_assert!(found.width().to_rational() * (BigInt::one() << 60) <= found.upper().to_rational());
        }
    }
}
