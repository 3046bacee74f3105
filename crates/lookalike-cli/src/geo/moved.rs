//! How far places are moved, for people.

use crate::terminal::table;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike_engine::geo::Moved;
use lookalike_engine::percent;

/// A sentence.
pub fn moved_words(moved: &Moved) -> String {
    let part = |(p, distance): &(Rational, f64)| {
        format!("{} within {}", percent(to_f64(p, Direction::Nearest)), metres(*distance))
    };
    let parts: Vec<String> = moved.quantiles.iter().map(part).collect();
    format!("A place is moved by {} on average: {}.\n", metres(moved.mean), parts.join(", "))
}

/// A table.
pub fn moved_table(moved: &Moved) -> String {
    let mean = vec!["mean".to_owned(), metres(moved.mean)];
    let quantile = |(p, distance): &(Rational, f64)| vec![percent(to_f64(p, Direction::Nearest)), metres(*distance)];
    let rows: Vec<_> = std::iter::once(mean).chain(moved.quantiles.iter().map(quantile)).collect();
    table(&["of all releases", "moved by up to"], rows.into_iter())
}

/// A distance with four digits or so; kilometres from 10 km on.
pub fn metres(distance: f64) -> String {
    match distance {
        short if short < 10.0 => format!("{short:.2} m"),
        middle if middle < 1e4 => format!("{middle:.0} m"),
        long => format!("{:.1} km", long / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_short() {
        assert_eq!(
            [0.0, 1.234, 288.5, 9_999.4, 12_345.0].map(metres),
            ["0.00 m", "1.23 m", "288 m", "9999 m", "12.3 km"]
        );
    }
}
