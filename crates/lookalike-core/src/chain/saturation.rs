//! What a node tells of its neighbours saturates: the sharper form of the contraction, for a loss that is not small.
//!
//! Averages of m over two laws with odds ratios of at most r differ by most where m has two values, since a quotient of
//! averages is largest at a corner; then only the probabilities p, q of the larger value count, whose odds ratio is at
//! most r too. For m of a spread of e^L the largest ln (p·e^L + 1 − p)/(q·e^L + 1 − q) is h with
//! `tanh(h/4) = c·tanh(L/4)`, c = (√r − 1)/(√r + 1): never more than c·L, and never more than ln r.
//!
//! With L such that `o + h(L) ≤ L`, every node stands for at most L with all that lies on one side of it, by induction
//! from the end of the chain; and with both sides for at most `o + 2h(L)`.

use crate::exact::{Dyadic, Epsilon, Interval, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Bits of what is rounded.
const BITS: u64 = 128;
/// Halvings of an interval that is searched.
const HALVINGS: u32 = 60;

/// A rate o at which a node of a chain of any length loses at most ε, rounded down; `None` where that is 0.
///
/// With o = L − h(L) a node loses L + h(L), so the largest L is sought for which that is at most ε.
pub fn rate(coefficient: &Dyadic, epsilon: &Epsilon) -> Option<Rational> {
    let budget = epsilon.enclose(BITS).lower().to_rational();
    // L + h(L) grows with L. The lower end always fits the budget, so that what halving leaves open costs noise and never privacy.
    let (mut low, mut high) = (Rational::zero(), budget.clone());
    for _ in 0..HALVINGS {
        let middle = halfway(&low, &high);
        if &middle + told(coefficient, &middle)? <= budget {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(&low - told(coefficient, &low)?).filter(Rational::is_positive)
}

/// What a node of a chain of any length loses at the rate o, rounded up; `None` where no bound was found.
pub fn loss(coefficient: &Dyadic, rate: &Rational) -> Option<Rational> {
    let enough = |one_side: &Rational| Some(rate + told(coefficient, one_side)? <= *one_side);
    // h is at most ln r, so that o + ln r is enough.
    let (mut low, mut high) = (rate.clone(), rate + most_told(coefficient)?);
    if !enough(&high)? {
        return None;
    }
    // The upper end is always enough, so that it is a bound wherever the halving stops.
    for _ in 0..HALVINGS {
        let middle = halfway(&low, &high);
        if enough(&middle)? { high = middle } else { low = middle }
    }
    Some(rate + told(coefficient, &high)? * BigInt::from(2))
}

fn halfway(low: &Rational, high: &Rational) -> Rational {
    (low + high) / BigInt::from(2)
}

/// h(L) with tanh(h/4) = c·tanh(L/4), rounded up: 2·ln((1 + y)/(1 − y)) for y = c·(e^(L/2) − 1)/(e^(L/2) + 1).
fn told(coefficient: &Dyadic, one_side: &Rational) -> Option<Rational> {
    let one = Interval::integer(1);
    let power = Interval::of(&(one_side / BigInt::from(2)), BITS).exp(BITS);
    let tangent = (&power - &one).divide(&(&power + &one), BITS)?;
    twice_logarithm(&(&tangent * &Interval::point(coefficient.clone())))
}

/// The limit of h, ln r = 2·ln((1 + c)/(1 − c)), rounded up.
fn most_told(coefficient: &Dyadic) -> Option<Rational> {
    twice_logarithm(&Interval::point(coefficient.clone()))
}

/// 2·ln((1 + y)/(1 − y)), rounded up; `None` for y = 1.
fn twice_logarithm(y: &Interval) -> Option<Rational> {
    let one = Interval::integer(1);
    let logarithm = (&one + y).divide(&(&one - y), BITS)?.ln(BITS)?;
    Some(logarithm.upper().to_rational().max(Rational::zero()) * BigInt::from(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Direction, parse_rational, to_f64};
    use proptest::prelude::*;

    fn sixteenths(number: u32) -> Dyadic {
        Dyadic::new(number.into(), -4)
    }

    fn float(number: &Rational) -> f64 {
        to_f64(number, Direction::Nearest)
    }

    proptest! {
        /// What two laws on two points with this odds ratio tell, over a grid of them, comes near and is never more.
        #[test]
        fn it_is_the_most_that_two_laws_tell(c in 1u32..16, tenths in 1u32..120) {
            let spread = Rational::new(tenths.into(), 10.into());
            let bound = float(&told(&sixteenths(c), &spread).unwrap());
            let c = f64::from(c) / 16.0;
            let ratio = ((1.0 + c) / (1.0 - c)).powi(2);
            let top = float(&spread).exp();
            let found = (-800..=800).map(|step| {
                let other = (f64::from(step) / 40.0).exp();
                let [p, q] = [ratio * other, other].map(|odds| odds / (1.0 + odds));
                ((p * top + 1.0 - p) / (q * top + 1.0 - q)).ln()
            });
            let found = found.fold(0.0, f64::max);
            prop_assert!(found <= bound + 1e-12 && found > 0.999 * bound, "{found} of {bound}");
            prop_assert!(bound <= c * float(&spread) + 1e-12 && bound <= ratio.ln() + 1e-12);
        }

        #[test]
        fn rate_and_loss_are_two_sides_of_one_thing(c in 0u32..16, tenths in 1u32..120) {
            let (c, epsilon) = (sixteenths(c), Rational::new(tenths.into(), 10.into()));
            let rate = rate(&c, &Epsilon::rational(epsilon.clone()).unwrap()).unwrap();
            let loss = float(&loss(&c, &rate).unwrap());
            prop_assert!((loss - float(&epsilon)).abs() < 1e-9, "{loss}");
            // A chain of a hundred nodes on each side, one after another.
            let mut one_side = rate.clone();
            for _ in 0..100 {
                one_side = &rate + told(&c, &one_side).unwrap();
            }
            let both = float(&(&one_side * BigInt::from(2) - &rate));
            prop_assert!(both <= float(&epsilon) + 1e-9);
        }
    }

    #[test]
    fn a_large_epsilon_pays_for_both_sides_once() {
        // r = 81: beyond 2·ln 81 every further unit of ε is a unit of the rate.
        let c = Dyadic::quotient(&4.into(), &5.into(), 60, Direction::Up);
        let at = |text: &str| float(&rate(&c, &text.parse().unwrap()).unwrap());
        assert!((at("60") - (60.0 - 2.0 * 81f64.ln())).abs() < 1e-3);
        assert!((at("0.001") * 9.0 - 0.001).abs() < 1e-9, "a small one pays (1 + c)/(1 - c)");
        assert!(rate(&Dyadic::one(), &"1".parse().unwrap()).is_none());
        assert!(loss(&Dyadic::one(), &parse_rational("1").unwrap()).is_none());
    }
}
