//! What can be told at all: the least of the second error at each first one.

use crate::exact::{Rational, enclose_exp};
use num_traits::{One, Zero};

/// A lower bound of the trade-off curve: whoever takes one secret for the other with probability at most α does the
/// reverse with probability at least β(α).
///
/// # Guarantee
/// If every pair is within (ε, δ) both ways, β ≥ 1 − δ − e^ε·α and β ≥ e^(−ε)(1 − δ − α); the bound is the largest of
/// these over all ε at hand, rounded down, and so convex and falling.
///
/// # Reference
/// Wasserman and Zhou, A Statistical Framework for Differential Privacy (2010), theorem 2.4; Dong, Roth and Su, Gaussian
/// Differential Privacy (2022), proposition 2.5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeOff {
    /// e^ε, rounded up, and 1 − δ.
    limits: Vec<[Rational; 2]>,
}

/// Bits of e^ε.
const BITS: u64 = 64;
/// A limit beyond this ε says next to nothing, in numbers of thousands of digits; it is left out.
const LARGEST: u32 = 700;

impl TradeOff {
    /// From what was proved of all pairs: values of ε, each with its δ.
    pub(super) fn of(proved: impl IntoIterator<Item = [Rational; 2]>) -> Self {
        let limit = |[epsilon, delta]: [Rational; 2]| {
            [enclose_exp(&epsilon, BITS).upper().to_rational(), Rational::one() - delta]
        };
        let tells = |[epsilon, _]: &[Rational; 2]| *epsilon <= Rational::from_integer(LARGEST.into());
        TradeOff { limits: proved.into_iter().filter(tells).map(limit).collect() }
    }

    /// β at an α from 0 to 1.
    pub fn beta(&self, alpha: &Rational) -> Rational {
        let both = |[power, rest]: &[Rational; 2]| (rest - power * alpha).max((rest - alpha) / power);
        self.limits.iter().map(both).fold(Rational::zero(), Rational::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rational(n: u32, d: u32) -> Rational {
        Rational::new(n.into(), d.into())
    }

    #[test]
    fn one_limit_is_two_lines() {
        let curve = TradeOff::of([[rational(1, 1), Rational::zero()]]);
        let e = enclose_exp(&rational(1, 1), 200);
        // They meet on the diagonal at 1/(1 + e), just below.
        let meet = Rational::one() / (Rational::one() + e.lower().to_rational());
        let gap = &meet - curve.beta(&meet);
        assert!(gap >= Rational::zero() && gap < rational(1, 1 << 30));
        assert_eq!((curve.beta(&Rational::zero()), curve.beta(&Rational::one())), (Rational::one(), Rational::zero()));
        assert_eq!(TradeOff::of([]).beta(&rational(1, 2)), Rational::zero());
        assert_eq!(TradeOff::of([[rational(1_000_000_000, 1), Rational::zero()]]), TradeOff::of([]));
    }

    proptest! {
        #[test]
        fn the_bound_is_convex_and_falls(limits in prop::collection::vec((0u32..30, 0u32..10), 1..6), mut alphas in prop::array::uniform3(0u32..=100)) {
            let curve = TradeOff::of(limits.iter().map(|&(a, b)| [rational(a, 10), rational(b, 10)]));
            alphas.sort_unstable();
            let [left, middle, right] = alphas.map(|alpha| rational(alpha, 100));
            let [high, between, low] = [&left, &middle, &right].map(|alpha| curve.beta(alpha));
            prop_assert!(high >= between && between >= low && low >= Rational::zero());
            // β(middle)·(right − left) ≤ β(left)·(right − middle) + β(right)·(middle − left)
            prop_assert!(between * (&right - &left) <= high * (&right - &middle) + low * (&middle - &left));
        }
    }
}
