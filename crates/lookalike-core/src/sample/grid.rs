//! Doubles on a power-of-two grid, in whole steps and without a rounding that is not named.

/// Whole steps up to this are doubles, times any power of two.
pub(super) const MOST_STEPS: i64 = 1 << 53;

/// The nearest grid point to a finite value in steps of 2^exponent, halves upward, kept within ±2^53: ⌊x/g + 1/2⌋ from
/// the bits of x, exactly.
pub(super) fn to_steps(value: f64, exponent: i32) -> i64 {
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits << 12 >> 12) as i64);
    // x = ±mantissa · 2^(place): a normal number has a leading bit that is not stored.
    let (mantissa, place) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let mantissa = if bits >> 63 == 1 { -mantissa } else { mantissa };
    match place - exponent {
        shift @ 1.. => mantissa.checked_mul(1 << shift.min(62)).unwrap_or(i64::MAX * mantissa.signum()),
        0 => mantissa,
        // |x|/g is below 1/2: no half can be reached upward or downward.
        ..-53 => 0,
        shift => (mantissa + (1 << (-shift - 1))) >> -shift,
    }
    .clamp(-MOST_STEPS, MOST_STEPS)
}

/// The double at so many steps of 2^exponent; exact for at most 2^53 steps and exponents from −1074 to 970.
pub(super) fn from_steps(steps: i64, grid: f64) -> f64 {
    // Both factors are doubles and so is the product: nothing is rounded.
    steps as f64 * grid
}

/// 2^exponent, for exponents from −1074 to 970.
pub(super) fn step(exponent: i32) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Dyadic, Rational};
    use num_bigint::BigInt;
    use num_traits::{One, ToPrimitive, Zero};
    use proptest::prelude::*;

    /// The same by fractions.
    fn exact(value: f64, exponent: i32) -> i64 {
        let grid = Dyadic::new(BigInt::one(), exponent.into()).to_rational();
        let half = Rational::new(1.into(), 2.into());
        let steps = (Rational::from_float(value).unwrap() / grid + half).floor().to_integer();
        let most = BigInt::from(MOST_STEPS);
        steps.clamp(-&most, most).to_i64().unwrap()
    }

    #[test]
    fn halves_and_their_neighbours_round_as_fractions_do() {
        for exponent in [-1074, -1070, -60, -10, -1, 0, 1, 5, 60, 970] {
            let grid = step(exponent);
            assert_eq!(Rational::from_float(grid), Some(Dyadic::new(BigInt::one(), exponent.into()).to_rational()));
            for steps in
                [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 1e9 + 0.5, 4503599627370495.5, 9007199254740991.0, 9007199254740992.0]
            {
                let value = steps * grid;
                for value in [value, value.next_up(), value.next_down()] {
                    for value in [value, -value] {
                        assert_eq!(to_steps(value, exponent), exact(value, exponent), "{value:e} on 2^{exponent}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_stay_in_range() {
        assert_eq!(to_steps(f64::MAX, -1074), MOST_STEPS);
        assert_eq!(to_steps(f64::MIN, 0), -MOST_STEPS);
        assert_eq!(to_steps(f64::MIN_POSITIVE, 970), 0);
        assert!(from_steps(MOST_STEPS, step(970)).is_finite());
        assert!(to_steps(-0.0, 0).is_zero());
        assert_eq!(from_steps(0, step(3)).to_bits(), 0, "there is one zero");
    }

    proptest! {
        #[test]
        fn any_double_rounds_as_a_fraction_does(value in any::<f64>(), exponent in -1074i32..=970, near in -70i32..70) {
            prop_assume!(value.is_finite());
            prop_assert_eq!(to_steps(value, exponent), exact(value, exponent));
            // And grids of about the value's own size.
            let own = ((value.to_bits() >> 52 & 0x7ff) as i32 - 1075 + near).clamp(-1074, 970);
            prop_assert_eq!(to_steps(value, own), exact(value, own));
        }

        #[test]
        fn grid_points_are_doubles(steps in -MOST_STEPS..=MOST_STEPS, exponent in -1074i32..=970) {
            let exact = Dyadic::new(steps.into(), exponent.into()).to_rational();
            prop_assert_eq!(Rational::from_float(from_steps(steps, step(exponent))), Some(exact));
            prop_assert_eq!(to_steps(from_steps(steps, step(exponent)), exponent), steps);
        }
    }
}
