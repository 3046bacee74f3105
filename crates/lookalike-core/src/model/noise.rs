//! Whole-number noise on a grid, with the claim that it hides a difference of a given size.

use super::{Epsilon, Moments, Secrets};
use crate::error::{Error, Result};
use crate::exact::{Dyadic, Interval, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};
use std::sync::Arc;

/// Noise Z of law `P(z) ∝ e^(−decay·|z|)` over the whole numbers z, in steps of a grid `g = 2^exponent`, and the claim
/// that it makes values ε-alike that differ by at most Δ.
///
/// The law is known under two names, discrete Laplace (of scale 1/decay) and two-sided geometric (of ratio
/// α = e^−decay): `P(z) = (1 − α)/(1 + α)·α^|z|`. A value x is clamped if bounds are given, rounded to the grid, and
/// Z steps are added: what is released is `g·(⌊x/g + 1/2⌋ + Z)`.
///
/// Δ bounds |x − x'| for neighbours *before* rounding. It and the bounds of the clamp are arguments: taken from the
/// data they would tell of it.
///
/// # Guarantee
/// For a claim that `lookalike_core::certify::certify` accepts: values at most Δ apart are ε-alike, at every
/// output. [`Noise::steps`] has the derivation. Where the claim is about the moments of a chain ([`Noise::hiding`]), the
/// states of any one moment are, if the state of one moment changes the value by at most Δ.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::Noise};
/// // A count: one person more or less changes it by 1.
/// let count = Noise::for_epsilon("ln(3)".parse()?, parse_rational("1")?, 0)?;
/// assert_eq!(count.decay().to_string(), "ln(3)");
/// // P(0) = (1 - 1/3)/(1 + 1/3) = 1/2, and 1/2 + 2/6 + 2/18 = 17/18 lies within 2.
/// assert_eq!(count.interval(&parse_rational("0.94")?)?, 2);
/// // A mean that changes by at most 0.3, to quarters: 0.3 can be two quarters after rounding.
/// let mean = Noise::for_epsilon("1".parse()?, parse_rational("0.3")?, -2)?;
/// assert_eq!((mean.steps().to_string(), mean.decay().to_string()), ("2".into(), "1/2".into()));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Reference
/// Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy Mechanisms (2009); Canonne, Kamath and
/// Steinke, The Discrete Gaussian for Differential Privacy (2020), section 5; Mironov, On Significance of the Least
/// Significant Bits for Differential Privacy (2012), for why there is a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    decay: Epsilon,
    exponent: i32,
    sensitivity: Rational,
    clamp: Option<[Rational; 2]>,
    epsilon: Epsilon,
    /// The moments of a chain, where the claim is about them and not about the numbers.
    moments: Option<Arc<Moments>>,
}

/// Exponents of grids whose points up to 2^53 steps from zero are doubles.
const EXPONENTS: std::ops::RangeInclusive<i32> = -1074..=970;
/// Noise of a larger scale than 2^44 steps comes too near the 2^53 steps that doubles and counts hold.
pub const LARGEST_SCALE_BITS: u32 = 44;
/// Bounds of a clamp lie within the 2^53 steps that doubles hold, so that nothing within them is cut off.
const LARGEST_CLAMP_BITS: u32 = 53;
/// Bits at which the search for the narrowest interval gives up and takes the wider one.
const INTERVAL_BITS: u64 = 512;

impl Noise {
    /// Noise with this decay a grid step and this claim; whether the claim holds is for the certifier.
    ///
    /// # Errors
    /// Δ ≤ 0, a grid beyond `2^-1074..2^970`, or a decay below 2^-44.
    pub fn new(epsilon: Epsilon, decay: Epsilon, sensitivity: Rational, exponent: i32) -> Result<Self> {
        if !sensitivity.is_positive() {
            return Err(Error::input(format!("sensitivity = {sensitivity}, expected a number above 0")));
        }
        if !EXPONENTS.contains(&exponent) {
            return Err(Error::input(format!(
                "a grid of 2^{exponent}, expected a power of two from 2^{} to 2^{}",
                EXPONENTS.start(),
                EXPONENTS.end()
            )));
        }
        check_decay(&decay)?;
        Ok(Noise { decay, exponent, sensitivity, clamp: None, epsilon, moments: None })
    }

    /// The least noise that is ε-private: decay = ε / steps, exactly.
    ///
    /// # Errors
    /// As [`Noise::new`].
    pub fn for_epsilon(epsilon: Epsilon, sensitivity: Rational, exponent: i32) -> Result<Self> {
        // The decay stands in for now: only Δ and the grid make the steps.
        let noise = Noise::new(epsilon.clone(), epsilon, sensitivity, exponent)?;
        let decay = noise.epsilon.scale(&Rational::new(BigInt::one(), noise.steps().into()))?;
        check_decay(&decay)?;
        Ok(Noise { decay, ..noise })
    }

    /// The same noise with a claim about the moments of a chain: the state of any one moment is hidden within ε.
    ///
    /// Δ is then the most by which the state of one moment changes the number. The loss about a moment is more than that
    /// about the number, since a moment's neighbours tell of it too; the certifier computes it from the chain.
    ///
    /// The same noise may serve each of several numbers, such as the counts of a histogram, if Δ bounds the sum of their
    /// changes and all of them lie on the grid: rounded one by one they could move a step each where together they change by less.
    pub fn hiding(self, moments: Moments, epsilon: Epsilon) -> Self {
        Noise { moments: Some(Arc::new(moments)), epsilon, ..self }
    }

    /// What the claim is about.
    pub fn secrets(&self) -> Secrets {
        match &self.moments {
            None => Secrets::Numbers { apart: self.sensitivity.clone() },
            Some(moments) => Secrets::Moments { length: moments.length() },
        }
    }

    /// The moments that the claim is about, where it is not about the numbers themselves.
    pub fn moments(&self) -> Option<&Moments> {
        self.moments.as_deref()
    }

    /// The same noise on values that are first brought into `lower..=upper`.
    ///
    /// Clamping moves no two values further apart, so the claim stays what it was. Where *any* two values must look
    /// alike, Δ is `upper − lower`.
    ///
    /// # Errors
    /// Bounds that do not increase, or beyond 2^53 grid steps.
    pub fn clamped(self, lower: Rational, upper: Rational) -> Result<Self> {
        if lower >= upper {
            return Err(Error::input(format!("bounds {lower} and {upper}, expected the lower one first")));
        }
        let limit = BigInt::one() << LARGEST_CLAMP_BITS;
        if let Some(bound) = [&lower, &upper].into_iter().find(|bound| self.round(bound).abs() > limit) {
            return Err(Error::input(format!(
                "bound {bound} is more than 2^{LARGEST_CLAMP_BITS} steps of 2^{} from 0, expected a coarser grid",
                self.exponent
            )));
        }
        Ok(Noise { clamp: Some([lower, upper]), ..self })
    }

    /// The exponent of a grid that is written as a number: -2 for 1/4, 3 for 8.
    ///
    /// # Errors
    /// A number that is no power of two, or none of those of [`Noise::new`].
    pub fn exponent_of(grid: &Rational) -> Result<i32> {
        let power = |number: &BigInt| number.trailing_zeros().filter(|zeros| *number == BigInt::one() << *zeros);
        let exponent = power(grid.numer()).zip(power(grid.denom())).and_then(|(up, down)| {
            let exponent = i32::try_from(up).ok()? - i32::try_from(down).ok()?;
            Some(exponent).filter(|exponent| EXPONENTS.contains(exponent))
        });
        exponent.ok_or_else(|| {
            Error::input(format!(
                "a grid of {grid}, expected a power of two such as 1, 8 or 1/1024 (2^{} to 2^{})",
                EXPONENTS.start(),
                EXPONENTS.end()
            ))
        })
    }

    /// The claim.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// By how much ln P falls with each grid step away from zero.
    pub fn decay(&self) -> &Epsilon {
        &self.decay
    }

    /// Δ, the most by which neighbours differ before they are rounded.
    pub fn sensitivity(&self) -> &Rational {
        &self.sensitivity
    }

    /// The grid is made of multiples of 2^exponent: 0 for whole numbers.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// g = 2^exponent.
    pub fn grid(&self) -> Rational {
        Dyadic::new(BigInt::one(), self.exponent.into()).to_rational()
    }

    /// The bounds that values are brought into before anything else.
    pub fn clamp(&self) -> Option<&[Rational; 2]> {
        self.clamp.as_ref()
    }

    /// The nearest grid point, in steps: ⌊x/g + 1/2⌋, halves upward.
    pub fn round(&self, value: &Rational) -> BigInt {
        let half = Rational::new(BigInt::one(), BigInt::from(2));
        (value / self.grid() + half).floor().to_integer()
    }

    /// The most grid steps between two neighbours after rounding: ⌈Δ/g⌉.
    ///
    /// With u = a/g + 1/2 ≤ v = b/g + 1/2 the rounded values differ by ⌊v⌋ − ⌊u⌋, the number of whole numbers in (u, v].
    /// An interval that is open at one end and closed at the other holds at most ⌈its length⌉ of them, and some place
    /// of it holds so many. This is why halves go upward, all of them: with halves to even, 1/2 and 3/2 would round to
    /// 0 and 2, and ⌊Δ/g⌋ + 1 steps would be needed. Values that lie on the grid already need no more.
    pub fn steps(&self) -> BigUint {
        let steps = (&self.sensitivity / self.grid()).ceil().to_integer();
        steps.to_biguint().expect("a sensitivity is positive")
    }

    /// The smallest m with `P(|Z| > m) ≤ 1 − confidence`, in grid steps: an answer ± m holds the rounded value with
    /// at least that probability, and ± (m + 1/2) steps the value that was rounded (and clamped).
    ///
    /// From `P(|Z| > m) = 2·α^(m+1)/(1 + α)`: `m + 1 ≥ ln(2/((1 − confidence)(1 + α)))/decay`, in enclosures that are
    /// narrowed until they decide; where 512 bits do not, the wider interval is given.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1.
    pub fn interval(&self, confidence: &Rational) -> Result<u64> {
        let rest = Rational::one() - confidence;
        if !confidence.is_positive() || !rest.is_positive() {
            return Err(Error::input(format!("confidence = {confidence}, expected a number between 0 and 1")));
        }
        let mut bits = 64;
        loop {
            let needed = self.needed(&rest, bits);
            let whole = |end: &Dyadic| end.to_rational().ceil().to_integer().max(BigInt::one()) - BigInt::one();
            let [least, most] = [needed.lower(), needed.upper()].map(whole);
            if least == most || bits >= INTERVAL_BITS {
                return most
                    .to_u64()
                    .ok_or_else(|| Error::input(format!("no interval below 2^64 steps at confidence {confidence}")));
            }
            bits *= 2;
        }
    }

    /// ln(2/(rest·(1 + α)))/decay.
    fn needed(&self, rest: &Rational, bits: u64) -> Interval {
        let one = Interval::integer(1);
        // Room for a small decay, by which an error is multiplied.
        let bits = bits + u64::from(LARGEST_SCALE_BITS) + 16;
        let alpha = one.divide(&self.decay.exp(bits), bits).expect("e^decay is positive");
        let odds = &Interval::of(rest, bits) * &(&one + &alpha);
        let quotient = Interval::integer(2).divide(&odds, bits).expect("both factors are positive");
        let logarithm = quotient.outward(bits).ln(bits).expect("a positive quotient");
        logarithm.divide(&self.decay.enclose(bits), bits).expect("a decay is positive")
    }
}

/// Refuses noise that 64-bit numbers would cut off.
pub(super) fn check_decay(decay: &Epsilon) -> Result<()> {
    let least = Rational::new(BigInt::one(), BigInt::one() << LARGEST_SCALE_BITS);
    if *decay < Epsilon::rational(least)? {
        return Err(Error::input(format!(
            "noise of more than 2^{LARGEST_SCALE_BITS} grid steps (decay {decay} a step), expected a coarser grid or a \
             larger epsilon"
        )));
    }
    Ok(())
}

#[cfg(test)]
#[path = "noise_tests.rs"]
mod tests;
