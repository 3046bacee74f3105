//! δ of a loss on a grid at every ε, and ε at every δ, both rounded up.

use super::fixed::{fraction_below, mass_below, rational, times_down};
use crate::exact::{Dyadic, Interval, Rational, enclose_exp, enclose_ln};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// δ(ε) = Σ_g p_g (1 − e^(ε−g))⁺ of a [`super::LossGrid`], for ε ≥ 0.
///
/// # Guarantee
/// [`GridCurve::delta`] and [`GridCurve::epsilon`] are never below the truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridCurve {
    step: Dyadic,
    /// The first point i ≥ 0 with all mass beyond it, or 0.
    start: i64,
    /// For each point i from there on the masses beyond it: Σ p_g, rounded up and with the infinite one, and
    /// Σ p_g e^(ih−g), rounded down. Up to the next point δ(ih + r) is the first less e^r times the second, and so it is
    /// below the first point. Beyond the last there is only the infinite loss.
    beyond: Vec<[u128; 2]>,
}

/// Bits of an exponential.
const BITS: u64 = 128;
/// Bits behind the point of an ε.
const EPSILON_BITS: u64 = 64;

impl GridCurve {
    pub(super) fn of(step: &Dyadic, first: i64, masses: &[u128], infinite: u128) -> Self {
        let last = (first + masses.len() as i64 - 1).max(0);
        let start = (first - 1).clamp(0, last);
        let fall = fraction_below(Interval::point(-step).exp(BITS).lower());
        let mut beyond = vec![[infinite, 0]; (last - start + 1) as usize];
        for at in (start..last).rev() {
            let mass = masses[(at + 1 - first) as usize];
            let [sum, turned] = beyond[(at + 1 - start) as usize];
            beyond[(at - start) as usize] = [sum + mass, times_down(turned + mass, fall)];
        }
        GridCurve { step: step.clone(), start, beyond }
    }

    /// An upper bound of δ at an ε ≥ 0.
    ///
    /// # Panics
    /// If ε is negative.
    pub fn delta(&self, epsilon: &Rational) -> Rational {
        assert!(!epsilon.is_negative(), "an epsilon from 0 on");
        let steps = (epsilon / self.step.to_rational()).to_integer() - BigInt::from(self.start);
        let last = self.beyond.len() - 1;
        let at = if steps.is_negative() { 0 } else { steps.to_usize().map_or(last, |at| at.min(last)) };
        let [sum, turned] = self.beyond[at];
        if turned == 0 {
            return rational(sum).min(Rational::one());
        }
        let growth = enclose_exp(&(epsilon - self.point(at)), BITS).lower().to_rational();
        (rational(sum) - growth * rational(turned)).max(Rational::zero()).min(Rational::one())
    }

    /// An upper bound of the least ε ≥ 0 with δ(ε) at most this; `None` when the infinite loss alone is more.
    ///
    /// A multiple of 2^−64, or of the step.
    pub fn epsilon(&self, delta: &Rational) -> Option<Rational> {
        if *delta >= Rational::one() {
            return Some(Rational::zero());
        }
        let limit = mass_below(delta);
        let within = |&[sum, turned]: &[u128; 2]| sum.saturating_sub(turned) <= limit;
        // δ falls, but for what was rounded in the last units.
        let mut at = self.beyond.partition_point(|point| !within(point));
        while !within(self.beyond.get(at)?) {
            at += 1;
        }
        // Between this point and the one before it, or below the first: sum − e^r·turned ≤ δ.
        let before = at.saturating_sub(1);
        let [sum, turned] = self.beyond[before];
        if sum <= limit {
            return Some(Rational::zero());
        }
        let growth = (turned > 0).then(|| Rational::new((sum - limit).into(), turned.into()));
        let rest = growth.and_then(|growth| enclose_ln(&growth, EPSILON_BITS)).map(|rest| up(rest.upper()));
        let found = rest.map_or_else(|| self.point(at), |rest| (self.point(before) + rest).min(self.point(at)));
        Some(found.max(Rational::zero()))
    }

    /// The ε of a place in the list.
    fn point(&self, at: usize) -> Rational {
        self.step.to_rational() * (BigInt::from(self.start) + BigInt::from(at))
    }
}

fn up(number: &Dyadic) -> Rational {
    Dyadic::new(number.to_fixed(EPSILON_BITS, true), -(EPSILON_BITS as i64)).to_rational()
}
