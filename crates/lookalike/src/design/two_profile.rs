//! The Single-bit Two-profile mechanism (Algorithm 1 of Geumlek and Chaudhuri).

use super::cluster::cluster;
use super::response::{Pair, least_flip};
use super::{Design, MechanismName, Problem};
use crate::exact::{Dyadic, Epsilon, Interval, Natural, Rational, exceeds};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// The optimal flip probability of the Single-bit Two-profile mechanism, as an enclosure.
///
/// With p ≤ p', E = e^ε: `α* = max{ g(p' − E p), g((1−p) − E(1−p')) }`, `g(u) = u/(2u + E − 1)` for u > 0 and 0
/// otherwise. The guard is missing in the paper's (7): unguarded, p = (0.1, 0.2) at ε = 1 would give 1.534.
///
/// # Errors
/// A parameter outside [0, 1].
///
/// # Example
/// ```
/// use lookalike::{design::flip_probability, exact::parse_rational};
/// let flip = flip_probability(&parse_rational("0")?, &parse_rational("1")?, &"ln(3)".parse()?)?;
/// assert!(flip.contains(&parse_rational("1/4")?));
/// let none = flip_probability(&parse_rational("0.1")?, &parse_rational("0.2")?, &"1".parse()?)?;
/// assert!(none.contains(&parse_rational("0")?) && none.width().signum() == 0);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Geumlek and Chaudhuri (2019), Observation 10, corrected.
pub fn flip_probability(p: &Rational, p_prime: &Rational, epsilon: &Epsilon) -> Result<Interval> {
    let one = Rational::one();
    if let Some(wrong) = [p, p_prime].into_iter().find(|p| p.is_negative() || **p > one) {
        return Err(Error::input(format!("Bernoulli parameter {wrong}, expected a number from 0 to 1")));
    }
    let g = |more: &Rational, less: &Rational| {
        let natural = |value: BigInt| Natural::from(value.to_biguint().expect("checked above"));
        let denominator = more.denom() * less.denom();
        let pair = Pair {
            more: natural(more.numer() * less.denom()),
            less: natural(less.numer() * more.denom()),
            denominator: natural(denominator),
            output: 0,
            epsilon,
        };
        if exceeds(&pair.more, epsilon, &pair.less) { least_flip(&pair, 2) } else { Interval::integer(0) }
    };
    let (low, high) = if p <= p_prime { (p, p_prime) } else { (p_prime, p) };
    let (ones, zeros) = (g(high, low), g(&(&one - low), &(&one - high)));
    let larger = |a: &Dyadic, b: &Dyadic| a.max(b).clone();
    Ok(Interval::new(larger(ones.lower(), zeros.lower()), larger(ones.upper(), zeros.upper())))
}

/// The Single-bit Two-profile mechanism: one flip probability, the least that makes two Bernoulli profiles alike.
///
/// # Errors
/// Inapplicable unless there are two categories and two profiles joined by an edge.
///
/// # Reference
/// Geumlek and Chaudhuri (2019), Algorithm 1.
pub fn two_profile(problem: &Problem) -> Result<Design> {
    problem.check_laws("two-profile")?;
    let (categories, profiles) = (problem.categories().len(), problem.profile_laws().len());
    if categories != 2 || profiles != 2 {
        return Err(Error::inapplicable(format!(
            "two-profile needs 2 categories and 2 profiles, found {categories} and {profiles} (smooth-categorical serves any number)"
        )));
    }
    // For a single edge the cluster is that edge.
    Ok(Design { name: MechanismName::TwoProfile, ..cluster(problem)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Direction, parse_rational, to_f64};
    use proptest::prelude::*;

    fn flip(p: f64, p_prime: f64, epsilon: &str) -> f64 {
        let exact = |p: f64| parse_rational(&format!("{p}")).unwrap();
        let interval = flip_probability(&exact(p), &exact(p_prime), &epsilon.parse().unwrap()).unwrap();
        to_f64(&interval.lower().to_rational(), Direction::Nearest)
    }

    #[test]
    fn published_values_come_out() {
        // ε = 1/2: profiles (1∓δ)/2, and from zero.
        for (delta, symmetric, from_zero) in [
            (0.2, 0.0, 0.1907),
            (0.4, 0.1939, 0.2761),
            (0.6, 0.2959, 0.3245),
            (0.8, 0.3469, 0.3558),
            (1.0, 0.3775, 0.3775),
        ] {
            assert!((flip((1.0 - delta) / 2.0, (1.0 + delta) / 2.0, "0.5") - symmetric).abs() < 5e-5);
            assert!((flip(0.0, delta, "0.5") - from_zero).abs() < 5e-5);
        }
        assert_eq!(flip(0.1, 0.2, "1"), 0.0, "the unguarded formula gives 1.534");
        assert_eq!(flip(0.5, 0.5, "1"), 0.0, "the unguarded formula divides by zero");
        assert!(flip_probability(&Rational::one(), &parse_rational("1.1").unwrap(), &"1".parse().unwrap()).is_err());
    }

    proptest! {
        // The closed form against a search that knows nothing of it: bisection on the four ratio constraints of (4),
        // which are monotone in α on [0, 1/2].
        #[test]
        fn the_closed_form_equals_a_brute_force_search(p in 0u32..=100, q in 0u32..=100, tenths in 1u32..40) {
            let (p, q, e) = (f64::from(p) / 100.0, f64::from(q) / 100.0, (f64::from(tenths) / 10.0).exp());
            let private = |alpha: f64| {
                let law = |p: f64| p * (1.0 - alpha) + (1.0 - p) * alpha;
                let (a, b) = (law(p), law(q));
                a <= e * b + 1e-13 && b <= e * a + 1e-13 && 1.0 - a <= e * (1.0 - b) + 1e-13 && 1.0 - b <= e * (1.0 - a) + 1e-13
            };
            let (mut low, mut high) = (0.0, 0.5);
            if private(0.0) {
                high = 0.0;
            }
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                if private(middle) { high = middle } else { low = middle }
            }
            let closed = flip(p, q, &format!("{tenths}/10"));
            prop_assert!((closed - high).abs() < 1e-9, "closed form {} search {}", closed, high);
            prop_assert!(closed <= 1.0 / (1.0 + e) + 1e-12, "never more than Warner");
        }
    }
}
