//! A public square of places, and how much its projection stretches distances at most.

use super::ellipsoid::{BITS, flattening};
use super::projection::Projection;
use crate::error::{Error, Result};
use crate::exact::{Direction, Interval, Rational, decimal, enclose_sine_cosine, radians};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::sync::Arc;

/// Places within a square about a public origin, whose sides are `2·half_width` metres in the plane of its
/// [`Projection`].
///
/// Nothing here may depend on a private place: the plane, its grid and its borders are the same for all places of a
/// region, so that what is released cannot tell of a place by the grid that it lies on.
///
/// # Guarantee
/// For any two places of the region that are d metres apart on the ground, along the shortest way on the ellipsoid, the
/// points in the plane are at most [`Region::stretch`]` · d` apart. Longitudes are taken around the date line.
///
/// # Why
/// A way on the ground is stretched by at most L, the largest scale at the latitudes it comes through ([`Projection`]); so
/// the shortest way from a to b shows that `|p(a) − p(b)| ≤ L·d`. It comes through these latitudes: a geodesic of the
/// ellipsoid is a great circle of an auxiliary sphere, on which tan φ is multiplied by 1 − f and longitudes ω grow faster
/// than on the ground, `dλ = √(1 − e² cos² β)·dω ≥ (1 − f)·dω`. On a great circle tan β is in proportion to the cosine of the
/// longitude from its highest point; if that lies between a and b, it is within half of their difference from one of
/// them. So between places whose latitudes are at most φ and whose longitudes are at most W from the origin's the shortest
/// way rises to `tan φ/cos(W/(1 − f))` at most, where φ is on that side of the equator, and not above φ where it is not.
/// And it goes the short way around: were its longitude to change by more than half a turn, a mirror image of its first
/// part would lead to b as well and be no longer, but with a corner.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::Region};
/// let turin = Region::new(parse_rational("45.07")?, parse_rational("7.69")?, parse_rational("50000")?)?;
/// let two = parse_rational("2")?;
/// assert!(*turin.stretch() > parse_rational("1")? && *turin.stretch() < parse_rational("1.0001")?);
/// assert!(Region::new(parse_rational("90")?, two.clone(), two).is_err());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    latitude: Rational,
    longitude: Rational,
    half_width: Rational,
    projection: Projection,
    reach: [Rational; 2],
    stretch: Rational,
}

/// Parts into which the latitudes are cut to bound the scales; the error shrinks with the square of it.
const PARTS: i64 = 32;
/// How often the latitudes that shortest ways reach are narrowed: to a millionth of a degree.
const HALVINGS: u32 = 27;
/// And those of the region itself.
const DEGREE_HALVINGS: u32 = 32;
/// Places beyond this latitude are too near the pole.
const LAST_LATITUDE: i64 = 89;
/// Places of a region have longitudes at most so many degrees from the origin's: less than a quarter of the earth.
const LAST_LONGITUDE: i64 = 80;
/// The stretch is rounded up to so many decimals, so that what is multiplied with it stays short.
const STRETCH_DECIMALS: u32 = 9;
/// √2, rounded up.
pub(super) fn root_two() -> Rational {
    Rational::new(BigInt::from(141_421_357), BigInt::from(100_000_000))
}

impl Region {
    /// The square about an origin in degrees, with this half-width in metres.
    ///
    /// # Errors
    /// A latitude beyond ±90 or a longitude beyond ±180, a half-width that is not between 1 metre and what fits between
    /// the poles at this latitude.
    pub fn new(latitude: Rational, longitude: Rational, half_width: Rational) -> Result<Self> {
        check_degrees("latitude", &latitude, 90)?;
        check_degrees("longitude", &longitude, 180)?;
        if half_width < Rational::one() {
            return Err(Error::input(format!(
                "a region of {} metres to each side, expected at least 1",
                decimal(&half_width, 3, Direction::Nearest)
            )));
        }
        let too_large = || {
            Error::input(format!(
                "a region of {} km to each side of latitude {} comes too near a pole or around the earth, expected a \
                 smaller one or another origin",
                decimal(&(&half_width / BigInt::from(1000)), 3, Direction::Nearest),
                decimal(&latitude, 6, Direction::Nearest),
            ))
        };
        if latitude.abs() > whole(LAST_LATITUDE) {
            return Err(too_large());
        }
        let projection = Projection::about(&latitude);
        // A metre more, for what doubles and the border of a grid add.
        let margin = &half_width + Rational::one();
        let (reach, stretch) = Extent::of(&latitude, &margin, &projection)
            .and_then(|extent| Some((extent.reach(), extent.stretch(&projection)?)))
            .ok_or_else(too_large)?;
        Ok(Region(Arc::new(Inner { latitude, longitude, half_width, projection, reach, stretch })))
    }

    /// The latitude of the origin, in degrees.
    pub fn latitude(&self) -> &Rational {
        &self.0.latitude
    }

    /// The longitude of the origin, in degrees.
    pub fn longitude(&self) -> &Rational {
        &self.0.longitude
    }

    /// Half of the side of the square, in metres in the plane.
    pub fn half_width(&self) -> &Rational {
        &self.0.half_width
    }

    /// The map to the plane.
    pub fn projection(&self) -> &Projection {
        &self.0.projection
    }

    /// Degrees of latitude and of longitude from the origin that no place of the region exceeds.
    pub fn reach(&self) -> &[Rational; 2] {
        &self.0.reach
    }

    /// L ≥ 1: points of the plane are at most L times as far apart as the places on the ground.
    pub fn stretch(&self) -> &Rational {
        &self.0.stretch
    }
}

/// How far the region goes.
struct Extent<'a> {
    latitude: &'a Rational,
    /// Degrees from the origin.
    north: Rational,
    south: Rational,
    east: Rational,
}

impl<'a> Extent<'a> {
    /// `None` where the cone is too pointed, the pole too near, or the square a large part of the earth.
    fn of(latitude: &'a Rational, half_width: &Rational, projection: &Projection) -> Option<Self> {
        let cone = projection.cone().abs();
        // Then |θ| ≤ 1 and R ≥ 1/2 at all places of the square.
        let pointed = &cone * half_width;
        if pointed > Rational::new(1.into(), 2.into()) {
            return None;
        }
        // Y = (2y − κ(x² + y²))/(1 + √((κx)² + (1 − κy)²)) is at most h towards the tip of the cone, and h + |κ|h²/2 away.
        let away = half_width + &cone * half_width * half_width / BigInt::from(2);
        let northward = |metres: &Rational| degrees(metres, |t| projection.northing(t));
        let southward = |metres: &Rational| degrees(metres, |t| -projection.northing(&-t));
        let [north, south] = if projection.cone().is_negative() {
            [northward(&away)?, southward(half_width)?]
        } else {
            [northward(half_width)?, southward(&away)?]
        };
        // tan θ = κx/(1 − κy), and |θ| ≤ |tan θ|.
        let east = rounded_up(&(half_width / (projection.east() * (Rational::one() - pointed))));
        let farthest = (latitude + &north).max(&south - latitude);
        let is_fit = farthest <= whole(LAST_LATITUDE) && east <= whole(LAST_LONGITUDE);
        is_fit.then_some(Extent { latitude, north, south, east })
    }

    /// Degrees of latitude and of longitude from the origin.
    fn reach(&self) -> [Rational; 2] {
        [self.north.clone().max(self.south.clone()), self.east.clone()]
    }

    /// The largest scale at the latitudes that shortest ways come through, or `None` where Y does not grow all the way or
    /// they come too near a pole.
    fn stretch(&self, projection: &Projection) -> Option<Rational> {
        let north = self.highest(&(self.latitude + &self.north))? - self.latitude;
        let south = self.highest(&(&self.south - self.latitude))? + self.latitude;
        let largest = largest_scale(projection, &-south, &north)?;
        let unit = BigInt::from(10u32).pow(STRETCH_DECIMALS);
        let rounded = Rational::new((largest * &unit).ceil().to_integer(), unit);
        Some(rounded.max(Rational::one()))
    }

    /// The latitude, to the north or mirrored to the south, that shortest ways between places below `latitude` do not
    /// exceed: the least that is found with tan highest·cos(W/(1 − f)) ≥ tan latitude.
    fn highest(&self, latitude: &Rational) -> Option<Rational> {
        if !latitude.is_positive() {
            return Some(latitude.clone());
        }
        let [sine, cosine] = enclose_sine_cosine(&radians(latitude, BITS), BITS);
        let turned = &self.east / (Rational::one() - flattening());
        let [_, turn] = enclose_sine_cosine(&radians(&turned, BITS), BITS);
        let is_enough = |highest: &Rational| {
            let [high_sine, high_cosine] = enclose_sine_cosine(&radians(highest, BITS), BITS);
            (&(&high_sine * &cosine) * &turn).lower() >= (&sine * &high_cosine).upper()
        };
        let (mut low, mut high) = (latitude.clone(), whole(LAST_LATITUDE));
        if !is_enough(&high) {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = rounded_up(&((&low + &high) / BigInt::from(2)));
            if is_enough(&middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}

/// The least number of degrees that is found to make so many metres, to about a millimetre.
fn degrees(metres: &Rational, northing: impl Fn(&Rational) -> Rational) -> Option<Rational> {
    // No degree is as short as 100 km; where Y does not grow all the way, the scales will say so.
    let (mut low, mut high) = (Rational::from_integer(0.into()), rounded_up(&(metres / BigInt::from(100_000))));
    if northing(&high) < *metres {
        return None;
    }
    for _ in 0..DEGREE_HALVINGS {
        let middle = rounded_up(&((&low + &high) / BigInt::from(2)));
        if northing(&middle) >= *metres { high = middle } else { low = middle }
    }
    Some(high)
}

/// The largest scale between two latitudes in degrees north of the origin; `None` if Y does not grow all the way.
fn largest_scale(projection: &Projection, south: &Rational, north: &Rational) -> Option<Rational> {
    let at = |part: i64| south + (north - south) * Rational::new(part.into(), PARTS.into());
    let scales: Vec<Interval> = (0..PARTS).flat_map(|part| projection.scales(&at(part), &at(part + 1))).collect();
    let grows = scales.iter().all(Interval::is_positive);
    scales.iter().map(|scale| scale.upper().to_rational()).max().filter(|_| grows)
}

fn check_degrees(name: &str, degrees: &Rational, most: i64) -> Result<()> {
    if degrees.abs() > whole(most) {
        return Err(Error::input(format!(
            "origin: {name} {} degrees, expected -{most} to {most}; the latitude comes first",
            decimal(degrees, 6, Direction::Nearest)
        )));
    }
    Ok(())
}

fn whole(value: i64) -> Rational {
    Rational::from_integer(value.into())
}

/// A number of at most 40 bits that is no smaller: short, so that what is computed with it is short.
fn rounded_up(value: &Rational) -> Rational {
    Interval::of(value, BITS).upper().round(40, Direction::Up).to_rational()
}

#[cfg(test)]
#[path = "region_tests.rs"]
mod tests;
