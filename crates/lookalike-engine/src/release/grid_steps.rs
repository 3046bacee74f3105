//! Exact numbers in whole steps of a grid.

use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike::model::Noise;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Numbers in steps of the grid of some noise, rounded as [`Noise::round`] does and kept within fixed bounds: 64 bits on
/// a grid of 1, and ±2^53 steps on every other, which are all doubles.
///
/// Bounds that look at nothing but the number move no two numbers apart, so the claim of the noise stays what it was.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Noise};
/// use lookalike_engine::GridSteps;
/// let quarters = GridSteps::new(&Noise::for_epsilon("1".parse()?, parse_rational("1")?, -2)?);
/// assert_eq!(quarters.of(&parse_rational("0.1")?), 0);
/// assert_eq!(quarters.of(&parse_rational("-1.3")?), -5);
/// assert_eq!(quarters.real(-5), -1.25);
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct GridSteps {
    noise: Noise,
    grid: f64,
    bounds: [i64; 2],
}

/// Every whole number of steps up to this is a double, times any power of two.
const MOST_OF_DOUBLES: i64 = 1 << 53;

impl GridSteps {
    /// The steps of this noise.
    pub fn new(noise: &Noise) -> Self {
        let bounds = if noise.exponent() == 0 { [i64::MIN, i64::MAX] } else { [-MOST_OF_DOUBLES, MOST_OF_DOUBLES] };
        GridSteps { noise: noise.clone(), grid: to_f64(&noise.grid(), Direction::Nearest), bounds }
    }

    /// The nearest grid point, halves upward.
    pub fn of(&self, value: &Rational) -> i64 {
        let [lower, upper] = self.bounds.map(BigInt::from);
        self.noise.round(value).clamp(lower, upper).to_i64().expect("the bounds have 64 bits")
    }

    /// The same for a whole number of at most 65 bits.
    pub(crate) fn of_whole(&self, value: i128) -> i64 {
        let steps = match self.noise.exponent() {
            // Shifted this far every number but 0 is beyond the bounds.
            finer @ ..0 => value << finer.unsigned_abs().min(62),
            0 => value,
            // ⌊v/g + 1/2⌋; from 2^66 on every number is nearest to 0.
            coarser => (value + (1 << (coarser.min(66) - 1))) >> coarser.min(66),
        };
        steps.clamp(self.bounds[0].into(), self.bounds[1].into()) as i64
    }

    /// The same for the number that a text spells; `None` where it spells none.
    pub(crate) fn of_text(&self, text: &str) -> Option<i64> {
        match text.parse::<i64>() {
            Ok(whole) => Some(self.of_whole(whole.into())),
            Err(_) => parse_rational(text).ok().map(|number| self.of(&number)),
        }
    }

    /// Steps after noise was added, brought back within the bounds.
    pub fn kept(&self, steps: i64) -> i64 {
        steps.clamp(self.bounds[0], self.bounds[1])
    }

    /// The double at so many steps. On another grid than 1 nothing is rounded.
    pub fn real(&self, steps: i64) -> f64 {
        // Both factors are doubles, and so is the product.
        self.kept(steps) as f64 * self.grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn steps(exponent: i32) -> GridSteps {
        // Only the grid matters here, and not whether the claim holds.
        let one = Rational::from_integer(1.into());
        GridSteps::new(&Noise::new("1".parse().unwrap(), "1".parse().unwrap(), one, exponent).unwrap())
    }

    #[test]
    fn decimals_are_the_numbers_they_spell() {
        let of = |exponent, text| steps(exponent).of_text(text);
        // Halves go upward, all of them.
        assert_eq!(of(-3, "0.1875"), Some(2), "1.5 steps");
        assert_eq!(of(-3, "0.18749999999999999999999"), Some(1), "which is 0.1875 for doubles");
        assert_eq!(of(-3, "-0.1875"), Some(-1));
        assert_eq!(of(-3, "-0.18750000000000000000001"), Some(-2));
        assert_eq!([of(0, "2.5"), of(0, "-2.5"), of(0, "1e3"), of(0, "1/3")], [Some(3), Some(-2), Some(1000), Some(0)]);
        assert_eq!([of(0, "+7"), of(0, "007"), of(3, "12"), of(3, "-12")], [Some(7), Some(7), Some(2), Some(-1)]);
        for text in ["", "nan", "NaN", "inf", "-inf", "1,5", "0x10", "1 2", "--1", "twelve", "1/0"] {
            assert_eq!(of(0, text), None, "{text}");
        }
    }

    #[test]
    fn numbers_beyond_the_bounds_are_brought_to_them_in_order() {
        let whole = steps(0);
        for (text, expected) in [
            ("9223372036854775807", i64::MAX),
            ("9223372036854775808", i64::MAX),
            ("1e500", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("-9223372036854775808.4", i64::MIN),
            ("-9223372036854775809", i64::MIN),
            ("-1e500", i64::MIN),
        ] {
            assert_eq!(whole.of_text(text), Some(expected), "{text}");
        }
        let fine = steps(-10);
        assert_eq!([fine.of_text("1e18"), fine.of_text("-1e18")], [Some(1 << 53), Some(-(1 << 53))]);
        assert_eq!([fine.kept(i64::MAX), fine.kept(i64::MIN), fine.kept(-7)], [1 << 53, -(1 << 53), -7]);
        assert_eq!(whole.kept(i64::MIN), i64::MIN);
        assert_eq!(fine.real(i64::MAX), 2f64.powi(43));
        assert!(steps(970).real(i64::MAX).is_finite());
        assert_eq!(steps(-1074).real(1), f64::from_bits(1));
    }

    proptest! {
        #[test]
        fn whole_numbers_round_as_fractions_do(value in -(1i128 << 64)..=1 << 64, exponent in -80i32..80) {
            let steps = steps(exponent);
            let exact = Rational::from_integer(value.into());
            prop_assert_eq!(steps.of_whole(value), steps.of(&exact));
            let bounds = steps.bounds.map(BigInt::from);
            let rounded = steps.noise.round(&exact).clamp(bounds[0].clone(), bounds[1].clone());
            prop_assert_eq!(BigInt::from(steps.of(&exact)), rounded);
        }

        #[test]
        fn texts_round_as_the_decimals_they_spell(mantissa in any::<i64>(), decimals in 0u32..25, exponent in -12i32..12) {
            let steps = steps(exponent);
            let exact = Rational::new(mantissa.into(), BigInt::from(10).pow(decimals));
            let text = lookalike::exact::decimal(&exact, decimals, Direction::Nearest);
            prop_assert_eq!(steps.of_text(&text), Some(steps.of(&exact)));
            prop_assert_eq!(steps.of_text(&format!("{mantissa}e-{decimals}")), Some(steps.of(&exact)));
        }
    }
}
