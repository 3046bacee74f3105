//! Noise on places: whole-number noise in the plane, with a claim for each metre.

use super::region::root_two;
use super::{Epsilon, Region};
use crate::error::{Error, Result};
use crate::exact::{Direction, Dyadic, Rational, decimal};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// Noise Z of law `P(z) ∝ e^(−decay·|z|)` over the points z of a square grid, |z| being the Euclidean length in steps of
/// `g = 2^exponent` metres, on places of a [`Region`], and the claim that it hides them at ε a metre.
///
/// A place is mapped to the plane of the region and rounded to the grid; Z steps are added; and what falls outside of the
/// region is brought to its nearest grid point. The grid is infinite, so that the law is the same around each of its
/// points: on a finite one the probabilities around a place at the border would have to be larger to sum to 1, and tell
/// of it. What comes after the sum looks at nothing but the sum.
///
/// # Guarantee
/// For a claim that `lookalike_core::certify::certify` accepts, two places that are d metres apart on the ground
/// are `ε·(d + resolution)`-alike, for all d at once. The resolution is what rounding to the grid can add.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::{PlanarNoise, Region}};
/// let region = Region::new(parse_rational("45.07")?, parse_rational("7.69")?, parse_rational("20000")?)?;
/// let epsilon = "ln(4)/200".parse()?; // places 200 metres apart are ln(4)-alike
/// let exponent = PlanarNoise::default_exponent(&epsilon);
/// let noise = PlanarNoise::for_epsilon(epsilon, region, exponent)?;
/// assert_eq!(noise.grid().to_string(), "1/8");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Reference
/// Andrés, Bordenabe, Chatzikokolakis and Palamidessi, Geo-indistinguishability (2013), arXiv 1212.1984, for the
/// definition and the continuous law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanarNoise {
    epsilon: Epsilon,
    decay: Epsilon,
    region: Region,
    exponent: i32,
}

/// Exponents of grids: from a millimetre, far above what doubles round away, to a thousand kilometres.
const EXPONENTS: std::ops::RangeInclusive<i32> = -10..=20;
/// Steps of the default grid in a scale 1/ε: rounding then adds at most √2/1024 to any loss.
const STEPS_OF_SCALE_BITS: i32 = 10;
/// Noise of a larger scale than 2^40 steps would come near what 64-bit numbers hold.
const LARGEST_SCALE_BITS: u32 = 40;
/// At a larger decay a step the grid is coarser than the noise, and rounding tells more than the noise hides.
const LARGEST_DECAY: u32 = 1;
/// No coordinate that is computed with doubles is wrong by more, in metres: 2^-20.
const COORDINATE_ERROR_BITS: i64 = 20;

impl PlanarNoise {
    /// Noise with this decay a grid step and this claim; whether the claim holds is for the certifier.
    ///
    /// # Errors
    /// A grid that is no power of two from 2^-10 to 2^20 metres or is coarser than the region, or a decay outside
    /// 2^-40 to 1.
    pub fn new(epsilon: Epsilon, decay: Epsilon, region: Region, exponent: i32) -> Result<Self> {
        let noise = PlanarNoise { epsilon, decay, region, exponent };
        if !EXPONENTS.contains(&exponent) || noise.half_steps() < 1 {
            return Err(Error::input(format!(
                "a grid of 2^{exponent} metres, expected a power of two from 2^{} to 2^{} that fits into the region",
                EXPONENTS.start(),
                EXPONENTS.end()
            )));
        }
        let least = Rational::new(BigInt::one(), BigInt::one() << LARGEST_SCALE_BITS);
        if noise.decay < Epsilon::rational(least)? {
            return Err(Error::input(format!(
                "noise of more than 2^{LARGEST_SCALE_BITS} grid steps, expected a coarser grid or a larger epsilon"
            )));
        }
        if noise.decay > Epsilon::rational(Rational::from_integer(LARGEST_DECAY.into()))? {
            return Err(Error::input(format!(
                "a grid of {} m is coarser than the noise of this epsilon (its decay is above {LARGEST_DECAY} a step): expected a \
                 finer grid or a smaller epsilon a metre",
                decimal(&noise.grid(), 3, Direction::Nearest)
            )));
        }
        Ok(noise)
    }

    /// The least noise that keeps ε a metre: `decay = ε·g/stretch`, exactly.
    ///
    /// # Errors
    /// As [`PlanarNoise::new`].
    pub fn for_epsilon(epsilon: Epsilon, region: Region, exponent: i32) -> Result<Self> {
        let decay = epsilon.scale(&(power_of_two(exponent) / region.stretch()))?;
        PlanarNoise::new(epsilon, decay, region, exponent)
    }

    /// The least noise for which places at most `radius` metres apart are level-alike, rounding included:
    /// `ε = level/(radius + resolution)`.
    ///
    /// # Errors
    /// As [`PlanarNoise::new`], and a radius that is not positive.
    pub fn for_radius(level: &Epsilon, radius: &Rational, region: Region, exponent: i32) -> Result<Self> {
        if !radius.is_positive() {
            return Err(Error::input(format!(
                "a radius of {} metres, expected more than 0",
                decimal(radius, 3, Direction::Nearest)
            )));
        }
        let epsilon = level.scale(&(radius + resolution(exponent)).recip())?;
        PlanarNoise::for_epsilon(epsilon, region, exponent)
    }

    /// The exponent of the coarsest grid with a thousand steps or more in a scale 1/ε of the noise, within what is allowed.
    pub fn default_exponent(epsilon: &Epsilon) -> i32 {
        let fine = |exponent: &i32| {
            let steps = epsilon.enclose(64).upper().to_rational() * power_of_two(exponent + STEPS_OF_SCALE_BITS);
            steps <= Rational::one()
        };
        EXPONENTS.rev().find(fine).unwrap_or(*EXPONENTS.start())
    }

    /// The claim, a metre.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// By how much ln P falls with each grid step of distance.
    pub fn decay(&self) -> &Epsilon {
        &self.decay
    }

    /// The region, which is public.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The grid is made of multiples of 2^exponent metres.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// g = 2^exponent, in metres.
    pub fn grid(&self) -> Rational {
        power_of_two(self.exponent)
    }

    /// Grid points of the region go from −half_steps to half_steps in both directions.
    pub fn half_steps(&self) -> i64 {
        (self.region.half_width() / self.grid()).floor().to_integer().to_i64().unwrap_or(i64::MAX)
    }

    /// The metres that rounding can add to the distance of two places: `√2·(g + 2^-19)`, rounded up to a micrometre, since
    /// each coordinate of either moves by at most g/2 and an error of doubles of at most 2^-20.
    pub fn resolution(&self) -> Rational {
        resolution(self.exponent)
    }
}

fn resolution(exponent: i32) -> Rational {
    rounding(&power_of_two(exponent))
}

/// The metres that rounding to a square grid of these steps can add to the distance of two places: `√2·(step + 2^-19)`,
/// rounded up to a micrometre.
pub fn rounding(step: &Rational) -> Rational {
    let moved = step + Dyadic::new(BigInt::from(2), -COORDINATE_ERROR_BITS).to_rational();
    let micrometres = (root_two() * moved * BigInt::from(1_000_000)).ceil().to_integer();
    Rational::new(micrometres, BigInt::from(1_000_000))
}

fn power_of_two(exponent: i32) -> Rational {
    Dyadic::new(BigInt::one(), exponent.into()).to_rational()
}

#[cfg(test)]
#[path = "planar_noise_tests.rs"]
mod tests;
