//! The shape of the earth: the ellipsoid of the World Geodetic System 1984, on which satellite positions are given.

use crate::exact::{Interval, Rational, enclose_sine_cosine};
use num_bigint::BigInt;

/// The equatorial radius in metres.
const RADIUS: u32 = 6_378_137;
/// Bits of the enclosures.
pub(super) const BITS: u64 = 96;

/// f, with 1/f = 298.257223563.
pub(super) fn flattening() -> Rational {
    Rational::new(BigInt::from(1_000_000_000u64), BigInt::from(298_257_223_563u64))
}

/// e² = f·(2 − f), the square of the eccentricity.
pub(super) fn eccentricity_squared() -> Rational {
    let flattening = flattening();
    &flattening * (Rational::from_integer(2.into()) - &flattening)
}

/// What the ellipsoid is like at the latitudes of an interval.
pub(super) struct Latitude {
    /// sin φ and cos φ.
    pub(super) sine: Interval,
    pub(super) cosine: Interval,
    /// 1 − e² sin² φ.
    pub(super) w_squared: Interval,
    /// N, the radius of curvature across the meridian, in metres.
    pub(super) across: Interval,
    /// M, the radius of curvature along the meridian, in metres.
    pub(super) along: Interval,
}

impl Latitude {
    /// At these latitudes, in radians.
    pub(super) fn at(radians: &Interval) -> Self {
        let one = Interval::integer(1);
        let [sine, cosine] = enclose_sine_cosine(radians, BITS);
        let e2 = Interval::of(&eccentricity_squared(), BITS);
        let w_squared = (&one - &(&e2 * &(&sine * &sine))).outward(BITS);
        let w = w_squared.sqrt(BITS).expect("e² is below 1");
        let radius = Interval::integer(RADIUS);
        let across = divide(&radius, &w);
        let along = divide(&(&radius * &(&one - &e2)), &(&w_squared * &w));
        Latitude { sine, cosine, w_squared, across, along }
    }

    /// The radius of the parallel, N·cos φ, in metres.
    pub(super) fn parallel(&self) -> Interval {
        &self.across * &self.cosine
    }

    /// d ln M/dφ = 3e²·sin φ·cos φ/(1 − e² sin² φ).
    pub(super) fn growth_along(&self) -> Interval {
        let three_e2 = Interval::of(&(eccentricity_squared() * BigInt::from(3)), BITS);
        divide(&(&three_e2 * &(&self.sine * &self.cosine)), &self.w_squared)
    }
}

/// A quotient of numbers that are far from zero.
pub(super) fn divide(numerator: &Interval, denominator: &Interval) -> Interval {
    numerator.divide(denominator, BITS).expect("a divisor that is not zero")
}
