//! What maps share: a bar that tells lengths, and an arrow that tells north.

use super::frame::text;
use super::scale::round_step;
use super::text::{SIZE, coordinate as c, figure};
use maud::{Markup, html};

/// The height of a scale bar with its label.
pub(super) const BAR_HEIGHT: f64 = 26.0;

/// A bar of a round length, as long as fits into `most` units of the picture; `unit` is the length of one unit in metres.
/// Its left end is at (x, y).
pub(super) fn scale_bar((x, y): (f64, f64), unit: f64, most: f64) -> Markup {
    let metres = round_below(most * unit);
    let long = metres / unit;
    html! {
        path class="scale" d={"M" (c(x)) " " (c(y)) "v7h" (c(long)) "v-7"} {}
        (text(x, y + 7.0 + SIZE + 2.0, "soft", &length(metres)))
    }
}

/// An arrow upward with its letter, within 16 units from (x, y) to the right and 34 downward.
pub(super) fn north((x, y): (f64, f64)) -> Markup {
    let middle = x + 8.0;
    html! {
        (text(middle, y + 11.0, "middle", "N"))
        path class="scale" d={"M" (c(middle)) " " (c(y + 34.0)) "V" (c(y + 16.0)) "m-4 6l4-6l4 6"} {}
    }
}

/// The room that the arrow needs to its right.
pub(super) const NORTH_WIDTH: f64 = 20.0;

/// The largest of 1, 2, 5 times a power of ten that is not above.
fn round_below(most: f64) -> f64 {
    let above = round_step(most.max(f64::MIN_POSITIVE));
    if above <= most * (1.0 + 1e-9) { above } else { round_step(above / 2.6) }
}

/// Metres for people.
pub(super) fn length(metres: f64) -> String {
    if metres >= 1_000.0 { format!("{} km", figure(metres / 1_000.0)) } else { format!("{} m", figure(metres)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_have_the_unit_that_people_would_choose() {
        assert_eq!([0.5, 20.0, 500.0, 1_000.0, 20_000.0].map(length), ["0.5 m", "20 m", "500 m", "1 km", "20 km"]);
        assert_eq!([1.0, 1.9, 2.0, 4.99, 5.0, 9.9, 70.0].map(round_below), [1.0, 1.0, 2.0, 2.0, 5.0, 5.0, 50.0]);
    }

    proptest! {
        #[test]
        fn bars_fit_and_are_not_short(most in 1e-3..1e7f64) {
            let long = round_below(most);
            prop_assert!(long <= most * (1.0 + 1e-9) && long >= most / 2.5 * (1.0 - 1e-9), "{} for {}", long, most);
        }
    }
}
