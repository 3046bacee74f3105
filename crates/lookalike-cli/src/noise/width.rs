//! How far noise takes a number.

use lookalike::exact::{Direction, Rational, decimal, parse_rational, to_f64};
use lookalike::model::Noise;
use lookalike_formats::{Error, Result};
use lookalike_report::percent;
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

/// How often an interval is to hold, between 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level(Rational);

impl Level {
    /// 95 %.
    pub fn usual() -> Self {
        Level(Rational::new(19.into(), 20.into()))
    }

    /// The level itself.
    pub fn rational(&self) -> &Rational {
        &self.0
    }

    pub fn to_f64(&self) -> f64 {
        to_f64(&self.0, Direction::Nearest)
    }
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let level = parse_rational(text)?;
        let (none, all) = (Rational::from_integer(0.into()), Rational::from_integer(1.into()));
        match none < level && level < all {
            true => Ok(Level(level)),
            false => Err(Error::input(format!("{level}, expected a number between 0 and 1, like 0.95"))),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&percent(self.to_f64()))
    }
}

/// How far a release may be from its value, at a level.
///
/// It depends on the noise alone. Whether a value lies on the grid would tell of it, so both widths are said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Width {
    level: Level,
    grid: Rational,
    clamp: Option<[Rational; 2]>,
    /// In grid steps.
    pub steps: u64,
    /// For a value that is on the grid.
    pub on_grid: Rational,
    /// For any value: rounding moves it by at most half a step.
    pub rounded: Rational,
}

impl Width {
    /// # Errors
    /// An interval of 2^64 steps or more.
    pub fn of(noise: &Noise, level: &Level) -> Result<Width> {
        let (steps, grid) = (noise.interval(&level.0)?, noise.grid());
        let on_grid = Rational::from_integer(steps.into()) * &grid;
        let rounded = &on_grid + &grid / Rational::from_integer(2.into());
        Ok(Width { level: level.clone(), grid, clamp: noise.clamp().cloned(), steps, on_grid, rounded })
    }

    /// A line for people.
    pub fn text(&self) -> String {
        let [on_grid, rounded] = [&self.on_grid, &self.rounded].map(|width| significant(width, Direction::Up));
        let one = Rational::from_integer(1.into());
        let on = if self.grid == one { "a whole number".to_owned() } else { format!("a multiple of {}", self.grid) };
        let (level, bounds) = (&self.level, self.bounds_text());
        format!(
            "At {level} a release is within {on_grid} of its value if that is {on}, and within {rounded} of any \
             other{bounds}."
        )
    }

    /// ` (values as brought into 0 to 500)`, where they are.
    pub fn bounds_text(&self) -> String {
        let text = |[lower, upper]: &[Rational; 2]| format!(" (values as brought into {lower} to {upper})");
        self.clamp.as_ref().map_or_else(String::new, text)
    }

    pub fn json(&self) -> Value {
        json!({
            "confidence": self.level.to_f64(),
            "steps": self.steps,
            "on_grid": to_f64(&self.on_grid, Direction::Up),
            "rounded": to_f64(&self.rounded, Direction::Up),
        })
    }
}

/// Digits that count; a larger number has one decimal, for half a step.
const DIGITS: u32 = 4;

/// As few decimals as four digits need, or the number itself where it is shorter.
pub fn significant(value: &Rational, direction: Direction) -> String {
    short(decimal(value, decimals(value), direction))
}

/// How many decimals show four digits of a number, at least one.
pub fn decimals(value: &Rational) -> u32 {
    let size = to_f64(value, Direction::Nearest).abs();
    if size == 0.0 { 1 } else { (f64::from(DIGITS) - 1.0 - size.log10().floor()).clamp(1.0, 330.0) as u32 }
}

/// Without zeros at the end of a fraction.
pub fn short(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_between_0_and_1() {
        assert_eq!("0.95".parse::<Level>().unwrap(), Level::usual());
        assert_eq!("0.999".parse::<Level>().unwrap().to_string(), "99.9 %");
        for text in ["0", "1", "95", "-0.5", "x"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn widths_are_rounded_outward_and_short() {
        let shown = |text: &str| significant(&parse_rational(text).unwrap(), Direction::Up);
        let found = ["6", "6.5", "2.92919", "1234567.5", "1234567.51", "0.00012341", "100", "0", "999.95"].map(shown);
        assert_eq!(found, ["6", "6.5", "2.93", "1234567.5", "1234567.6", "0.0001235", "100", "0", "1000"]);
    }

    #[test]
    fn a_value_that_is_rounded_has_half_a_step_more() {
        let number = |text| parse_rational(text).unwrap();
        // P(|Z| > 2) = 1/18 at α = 1/3.
        let noise = Noise::for_epsilon("ln(3)".parse().unwrap(), number("1/4"), -2).unwrap();
        let width = Width::of(&noise, &"0.94".parse().unwrap()).unwrap();
        assert_eq!((width.steps, &width.on_grid, &width.rounded), (2, &number("1/2"), &number("5/8")));
        assert!(width.text().ends_with("if that is a multiple of 1/4, and within 0.625 of any other."));
        let clamped = Width::of(&noise.clamped(number("0"), number("7/2")).unwrap(), &Level::usual()).unwrap();
        assert!(clamped.text().ends_with("of any other (values as brought into 0 to 7/2)."), "{}", clamped.text());
    }
}
