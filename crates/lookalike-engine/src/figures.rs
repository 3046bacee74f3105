//! Figures for people.

use lookalike::exact::{Direction, Interval, decimal};

/// `1 edge`, `2 edges`.
pub fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The upper end, with twelve digits, rounded up.
pub(crate) fn at_most(interval: &Interval) -> String {
    format!("at most {}", decimal(&interval.upper().to_rational(), 12, Direction::Up))
}

/// A figure with five decimals, enough to compare and short enough to read.
pub fn figure(value: f64) -> String {
    format!("{value:.5}")
}

/// A figure that may be far below five decimals: then only its size, and below 1e-9 not even that, for there it is
/// the last bits of floats, which differ from processor to processor.
pub fn small(value: f64) -> String {
    if value > 0.0 && value < 1e-5 {
        return format!("below 1e{}", (value.log10().floor() as i32 + 1).max(-9));
    }
    figure(value)
}
