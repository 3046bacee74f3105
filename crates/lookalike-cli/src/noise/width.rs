//! How far noise takes a number, for people.

use lookalike::exact::{Direction, Rational, decimal, to_f64};
use lookalike_engine::noise::Width;

/// A line about a width.
pub fn width_text(width: &Width) -> String {
    let [on_grid, rounded] = [&width.on_grid, &width.rounded].map(|width| significant(width, Direction::Up));
    let one = Rational::from_integer(1.into());
    let on = if width.grid == one { "a whole number".to_owned() } else { format!("a multiple of {}", width.grid) };
    let (level, bounds) = (&width.level, bounds_text(width));
    format!(
        "At {level} a release is within {on_grid} of its value if that is {on}, and within {rounded} of any \
         other{bounds}."
    )
}

/// ` (values as brought into 0 to 500)`, where they are.
pub fn bounds_text(width: &Width) -> String {
    let text = |[lower, upper]: &[Rational; 2]| format!(" (values as brought into {lower} to {upper})");
    width.clamp.as_ref().map_or_else(String::new, text)
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
    use lookalike::exact::parse_rational;
    use lookalike::model::Noise;
    use lookalike_engine::Level;

    #[test]
    fn widths_are_rounded_outward_and_short() {
        let shown = |text: &str| significant(&parse_rational(text).unwrap(), Direction::Up);
        let found = ["6", "6.5", "2.92919", "1234567.5", "1234567.51", "0.00012341", "100", "0", "999.95"].map(shown);
        assert_eq!(found, ["6", "6.5", "2.93", "1234567.5", "1234567.6", "0.0001235", "100", "0", "1000"]);
    }

    #[test]
    fn both_widths_are_told_with_the_bounds() {
        let number = |text| parse_rational(text).unwrap();
        let noise = Noise::for_epsilon("ln(3)".parse().unwrap(), number("1/4"), -2).unwrap();
        let width = Width::of(&noise, &"0.94".parse().unwrap()).unwrap();
        assert!(width_text(&width).ends_with("if that is a multiple of 1/4, and within 0.625 of any other."));
        let clamped = Width::of(&noise.clamped(number("0"), number("7/2")).unwrap(), &Level::usual()).unwrap();
        let text = width_text(&clamped);
        assert!(text.ends_with("of any other (values as brought into 0 to 7/2)."), "{text}");
    }
}
