//! The projection of a region in doubles: places to points, and points to places.

use crate::exact::{Direction, Rational, to_f64};
use crate::model::Region;

/// The plane of a [`Region`], in doubles.
///
/// # Guarantee
/// No coordinate of [`Plane::point`] differs from that of the exact projection by more than 2^-20 metres. Only sums,
/// differences, products and quotients are used on the way, which round in one way on every machine: some fifty of them,
/// each wrong by at most 2^-53 of numbers below 2·10^7 metres, and what the two series leave out is below 10^-16 of them.
///
/// The way back, [`Plane::place`], is for points that are released already; nothing rests on its accuracy, which is far
/// below a millimetre, and a few millimetres in regions of thousands of kilometres.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::Region, sample::Plane};
/// let region = Region::new(parse_rational("-17")?, parse_rational("179.99")?, parse_rational("20000")?)?;
/// let plane = Plane::new(&region);
/// let [x, y] = plane.point(-17.0, -179.99).expect("beyond the date line and in the region");
/// assert!((x - 2129.0).abs() < 1.0 && y.abs() < 1.0);
/// let [latitude, longitude] = plane.place([x, y]);
/// assert!((latitude + 17.0).abs() < 1e-8 && (longitude + 179.99).abs() < 1e-8);
/// assert_eq!(plane.point(-18.0, 179.99), None);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    latitude: f64,
    longitude: f64,
    half_width: f64,
    north: [f64; 3],
    east: f64,
    cone: f64,
    reach: [f64; 2],
    /// Degrees north and east of the origin within which every place is in the region.
    inner: [f64; 2],
    /// Whether all angles of the cone are below 1/8.
    is_flat: bool,
    /// The way back from metres to degrees of latitude, and degrees of longitude a metre at the origin.
    back: [f64; 5],
    degrees: f64,
}

/// Terms of the series for angles below 1/8: what they leave out is below 10^-17.
const FLAT_TERMS: usize = 5;
/// (−1)^k/(2k + 1): the series of arctan(t)/t in t². For t below 1/8 it leaves out less than 10^-15.
const ARCTANGENT: [f64; 8] = [1.0, -1.0 / 3.0, 1.0 / 5.0, -1.0 / 7.0, 1.0 / 9.0, -1.0 / 11.0, 1.0 / 13.0, -1.0 / 15.0];
/// Places so many metres beyond the border are inside: those at the border, written with seven decimals. The proof of
/// the stretch has a metre of room.
const BORDER: f64 = 1.0 / 32.0;
/// 1/(2k + 1)!, with alternating signs: the series of sin θ/θ in θ².
const SINE: [f64; 9] = alternating_factorials(1);
/// 1/(2k + 2)!, with alternating signs: the series of (1 − cos θ)/θ² in θ².
const COSINE: [f64; 9] = alternating_factorials(2);

const fn alternating_factorials(first: u64) -> [f64; 9] {
    let (mut list, mut factorial, mut k) = ([0.0; 9], first, 0);
    while k < 9 {
        list[k as usize] = if k % 2 == 0 { 1.0 } else { -1.0 } / factorial as f64;
        k += 1;
        // The last one, 20!, is below 2^63; the one after it is not used.
        if k < 9 {
            factorial *= (2 * k + first - 1) * (2 * k + first);
        }
    }
    list
}

impl Plane {
    /// The plane of a region.
    pub fn new(region: &Region) -> Self {
        let nearest = |value: &Rational| to_f64(value, Direction::Nearest);
        let projection = region.projection();
        let north = projection.north().each_ref().map(nearest);
        let [east, cone] = [projection.east(), projection.cone()].map(nearest);
        let reach = region.reach().each_ref().map(nearest);
        Plane {
            latitude: nearest(region.latitude()),
            longitude: nearest(region.longitude()),
            half_width: nearest(region.half_width()),
            north,
            east,
            cone,
            reach,
            // As |κ|·h ≤ 1/2, seven tenths of h become at most 0.7·1.35·h to the east and less to the north.
            inner: [north[0], east].map(|degree| 0.7 * nearest(region.half_width()) / degree),
            // |tan θ| is at most |κ|·h/(1 − |κ|·h), and so is |θ|.
            is_flat: (cone * east * reach[1]).abs() < 0.125 && 1.2 * cone.abs() * nearest(region.half_width()) < 0.125,
            back: reversed(north),
            degrees: 1.0 / east,
        }
    }

    /// Half of the side of the square, in metres.
    pub fn half_width(&self) -> f64 {
        self.half_width
    }

    /// The point of a place in metres east and north of the origin; `None` for a place outside of the region, or none.
    #[inline(always)]
    pub fn point(&self, latitude: f64, longitude: f64) -> Option<[f64; 2]> {
        let north = latitude - self.latitude;
        let east = around(longitude - self.longitude);
        // Whatever is no number is outside as well.
        let is_near = north.abs() <= self.reach[0] && east.abs() <= self.reach[1] && longitude.abs() <= 360.0;
        let point = if self.is_flat { self.project::<true>(north, east) } else { self.project::<false>(north, east) };
        let most = self.half_width + BORDER;
        (is_near && point[0].abs().max(point[1].abs()) <= most).then_some(point)
    }

    /// Whether this is a place of the region.
    #[inline(always)]
    pub(super) fn holds(&self, latitude: f64, longitude: f64) -> bool {
        let [north, east] = [latitude - self.latitude, around(longitude - self.longitude)];
        let is_well_inside = north.abs() <= self.inner[0] && east.abs() <= self.inner[1] && longitude.abs() <= 360.0;
        is_well_inside || self.point(latitude, longitude).is_some()
    }

    /// The points of places of the region.
    pub(super) fn points(&self, latitudes: &[f64], longitudes: &[f64], points: &mut [[f64; 2]]) {
        // What is decided once is not asked in the loop, which processors then run for several places at a time.
        match self.is_flat {
            true => self.points_in::<true>(latitudes, longitudes, points),
            false => self.points_in::<false>(latitudes, longitudes, points),
        }
    }

    fn points_in<const FLAT: bool>(&self, latitudes: &[f64], longitudes: &[f64], points: &mut [[f64; 2]]) {
        for (point, (latitude, longitude)) in points.iter_mut().zip(latitudes.iter().zip(longitudes)) {
            *point = self.project::<FLAT>(latitude - self.latitude, around(longitude - self.longitude));
        }
    }

    /// The places of points.
    pub(super) fn places(&self, points: &[[f64; 2]], latitudes: &mut [f64], longitudes: &mut [f64]) {
        match self.is_flat {
            true => self.places_in::<true>(points, latitudes, longitudes),
            false => self.places_in::<false>(points, latitudes, longitudes),
        }
    }

    fn places_in<const FLAT: bool>(&self, points: &[[f64; 2]], latitudes: &mut [f64], longitudes: &mut [f64]) {
        for (point, (latitude, longitude)) in points.iter().zip(latitudes.iter_mut().zip(longitudes)) {
            [*latitude, *longitude] = self.unproject::<FLAT>(*point);
        }
    }

    /// The point so many degrees north and east of the origin.
    #[inline(always)]
    fn project<const FLAT: bool>(&self, north: f64, east: f64) -> [f64; 2] {
        let [first, second, third] = self.north;
        let northing = ((third * north + second) * north + first) * north;
        let ratio = 1.0 - self.cone * northing;
        let metres = self.east * east;
        let angle = self.cone * metres;
        let square = angle * angle;
        let across = ratio * metres;
        let [sine, cosine] = if FLAT {
            [series(&SINE[..FLAT_TERMS], square), series(&COSINE[..FLAT_TERMS], square)]
        } else {
            [series(&SINE, square), series(&COSINE, square)]
        };
        [across * sine, northing + across * angle * cosine]
    }

    /// Latitude and longitude of a point, in degrees; longitudes from −180 up to 180.
    pub fn place(&self, point: [f64; 2]) -> [f64; 2] {
        if self.is_flat { self.unproject::<true>(point) } else { self.unproject::<false>(point) }
    }

    #[inline(always)]
    fn unproject<const FLAT: bool>(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [along, across] = [1.0 - self.cone * y, self.cone * x];
        let northing = (2.0 * y - self.cone * (x * x + y * y)) / (1.0 + (across * across + along * along).sqrt());
        let inverse = 1.0 / along;
        let tangent = across * inverse;
        // arctan(t)/t, by its series where that is short.
        let turn = if FLAT { series(&ARCTANGENT, tangent * tangent) } else { arctangent_over(tangent) };
        let [first, second, third, fourth, fifth] = self.back;
        let north =
            ((((fifth * northing + fourth) * northing + third) * northing + second) * northing + first) * northing;
        [self.latitude + north, around(self.longitude + x * inverse * self.degrees * turn)]
    }
}

/// arctan(t)/t, which is 1 at 0.
fn arctangent_over(tangent: f64) -> f64 {
    if tangent.abs() < 0.125 { series(&ARCTANGENT, tangent * tangent) } else { tangent.atan() / tangent }
}

/// The powers of y in the inverse of y = a·t + b·t² + c·t³, up to the fifth: a cubic that is nearly straight.
fn reversed([a, b, c]: [f64; 3]) -> [f64; 5] {
    let square = b * b;
    [
        1.0 / a,
        -b / a.powi(3),
        (2.0 * square - a * c) / a.powi(5),
        5.0 * b * (a * c - square) / a.powi(7),
        (3.0 * a * a * c * c + 14.0 * square * square - 21.0 * a * square * c) / a.powi(9),
    ]
}

/// The same angle from −180 up to 180 degrees, for angles up to 540.
#[inline(always)]
fn around(degrees: f64) -> f64 {
    // Sums, where branches would keep processors from doing several at a time.
    degrees + if degrees < -180.0 { 360.0 } else { 0.0 } - if degrees >= 180.0 { 360.0 } else { 0.0 }
}

#[inline(always)]
fn series(coefficients: &[f64], square: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient)
}

#[cfg(test)]
#[path = "plane_tests.rs"]
mod tests;
