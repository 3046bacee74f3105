//! From degrees to metres: a simple conic projection of the ellipsoid, with coefficients that are doubles.

use super::ellipsoid::{BITS, Latitude, divide, eccentricity_squared};
use crate::exact::{Direction, Dyadic, Interval, Rational, enclose_sine_cosine, radians};
use num_bigint::BigInt;
use num_traits::Zero;

/// The public map from latitude and longitude to metres in a plane, about an origin.
///
/// With t and l the degrees of latitude and longitude from the origin, `Y(t) = north₁·t + north₂·t² + north₃·t³`,
/// `R = 1 − κ·Y(t)` and `θ = κ·A·l`:
///
/// `x = R·sin θ/κ` and `y = Y(t) + R·(1 − cos θ)/κ`, which at κ = 0 is `x = A·l`, `y = Y(t)`.
///
/// Y is the length of the meridian, and κ and A are those of the cone that touches the ellipsoid at the origin's
/// parallel; so distances along the meridians are true, and along the parallels nearly so. But nothing rests on that:
/// the coefficients are what they are, dyadic fractions of 53 bits, and its scales bound what the map does
/// with distances.
///
/// # Why two scales are enough
/// ∂(x, y)/∂l = R·A·(cos θ, sin θ) and ∂(x, y)/∂t = Y'·(−sin θ, cos θ): at right angles to each other, as are east and
/// north on the ground. So a short way on the ground is stretched by at most the larger of the two scales, those to the
/// north and to the east, and both depend on t alone.
///
/// # Reference
/// Snyder, Map Projections: A Working Manual (1987), section 16.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    latitude: Rational,
    north: [Rational; 3],
    east: Rational,
    cone: Rational,
}

impl Projection {
    /// The projection about a latitude in degrees, which is no pole.
    pub(super) fn about(latitude: &Rational) -> Self {
        let origin = Latitude::at(&radians(latitude, BITS));
        let degree = degree();
        let growth = origin.growth_along();
        // d²M/dφ² = M·(15e⁴s²c²/W⁴ + 3e²(c² − s²)/W²), of which the first part is 5/3 of the square of the growth.
        let three_e2 = Interval::of(&(eccentricity_squared() * BigInt::from(3)), BITS);
        let squares = &(&origin.cosine * &origin.cosine) - &(&origin.sine * &origin.sine);
        let five_thirds = Interval::of(&Rational::new(5.into(), 3.into()), BITS);
        let bend = &(&five_thirds * &(&growth * &growth)) + &divide(&(&three_e2 * &squares), &origin.w_squared);
        let first = &origin.along * &degree;
        let second = &(&first * &growth) * &degree;
        let third = &(&(&first * &bend) * &degree) * &degree;
        let part = |whole: &Interval, parts: u32| divide(whole, &Interval::integer(parts));
        let cone = divide(&origin.sine, &(&origin.cosine * &origin.across));
        Projection {
            latitude: latitude.clone(),
            north: [nearest(&first), nearest(&part(&second, 2)), nearest(&part(&third, 6))],
            east: nearest(&(&origin.parallel() * &degree)),
            // At the equator exactly: what encloses zero would be a meaningless small number.
            cone: if latitude.is_zero() { Rational::zero() } else { nearest(&cone) },
        }
    }

    /// north₁, north₂ and north₃: doubles.
    pub fn north(&self) -> &[Rational; 3] {
        &self.north
    }

    /// A, metres a degree of longitude at the origin: a double.
    pub fn east(&self) -> &Rational {
        &self.east
    }

    /// κ, one over the distance from the origin to the tip of the cone, negative in the south: a double.
    pub fn cone(&self) -> &Rational {
        &self.cone
    }

    /// Y(t), exactly.
    pub(super) fn northing(&self, t: &Rational) -> Rational {
        let [first, second, third] = &self.north;
        ((third * t + second) * t + first) * t
    }

    /// The point in the plane of a place so many degrees north and east of the origin, as enclosures: the truth that the
    /// doubles of a sampler come near.
    pub fn enclose(&self, north: &Rational, east: &Rational) -> [Interval; 2] {
        let northing = self.northing(north);
        let ratio = Interval::of(&(Rational::from_integer(1.into()) - &self.cone * &northing), BITS);
        if self.cone.is_zero() {
            return [Interval::of(&(&self.east * east), BITS), Interval::of(&northing, BITS)];
        }
        let angle = Interval::of(&(&self.cone * &self.east * east), BITS);
        let [sine, cosine] = enclose_sine_cosine(&angle, 2 * BITS);
        let cone = Interval::of(&self.cone, BITS);
        let x = divide(&(&ratio * &sine), &cone);
        let rise = divide(&(&ratio * &(&Interval::integer(1) - &cosine)), &cone);
        [x, &Interval::of(&northing, BITS) + &rise]
    }

    /// The scales to the north and to the east at all places between these two, in degrees north of the origin.
    ///
    /// In the form `k(I) ⊂ k(middle) ± half·k'(I)`, whose error shrinks with the square of the length of I.
    pub(super) fn scales(&self, from: &Rational, to: &Rational) -> [Interval; 2] {
        let middle = self.scales_at(&Interval::of(&((from + to) / BigInt::from(2)), BITS)).map(|(scale, _)| scale);
        let ends = [Interval::of(from, BITS), Interval::of(to, BITS)];
        let all = Interval::new(ends[0].lower().clone(), ends[1].upper().clone());
        let half = Interval::of(&((to - from) / BigInt::from(2)), BITS);
        let sides = &half * &Interval::new(-&Dyadic::one(), Dyadic::one());
        let [north, east] = self.scales_at(&all).map(|(scale, growth)| &(&scale * &growth) * &sides);
        let [middle_north, middle_east] = &middle;
        [(middle_north + &north).outward(BITS), (middle_east + &east).outward(BITS)]
    }

    /// The scales to the north and to the east, Y'/M and R·A/(N cos φ) a degree, each with the derivative of its logarithm.
    fn scales_at(&self, t: &Interval) -> [(Interval, Interval); 2] {
        let degree = degree();
        let latitude = &Interval::of(&self.latitude, BITS) + t;
        let here = Latitude::at(&(&latitude * &degree).outward(BITS));
        let [first, second, third] = self.north.each_ref().map(|c| Interval::of(c, BITS));
        let [two, three] = [2, 3].map(Interval::integer);
        let northing = &(&(&(&(&third * t) + &second) * t) + &first) * t;
        let slope = (&(&(&(&(&three * &third) * t) + &(&two * &second)) * t) + &first).outward(BITS);
        let bend = &(&(&Interval::integer(6) * &third) * t) + &(&two * &second);
        let cone = Interval::of(&self.cone, BITS);
        let ratio = (&Interval::integer(1) - &(&cone * &northing)).outward(BITS);
        let north = divide(&slope, &(&here.along * &degree));
        let north_growth = &divide(&bend, &slope) - &(&here.growth_along() * &degree);
        let east = divide(&(&Interval::of(&self.east, BITS) * &ratio), &(&here.parallel() * &degree));
        // d ln(N cos φ)/dφ = −(M/N)·tan φ.
        let bow = divide(&(&here.along * &here.sine), &here.parallel());
        let east_growth = &(&bow * &degree) - &divide(&(&cone * &slope), &ratio);
        [(north, north_growth), (east, east_growth)]
    }
}

/// π/180.
fn degree() -> Interval {
    radians(&Rational::from_integer(1.into()), BITS)
}

/// The double nearest to the middle of an enclosure, as the fraction that it is.
fn nearest(enclosure: &Interval) -> Rational {
    let middle = &(enclosure.lower() + enclosure.upper()) * &Dyadic::new(1.into(), -1);
    middle.round(53, Direction::Nearest).to_rational()
}
