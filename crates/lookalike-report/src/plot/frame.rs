//! What pictures share: their outer element, titles, legends and axes.

use super::scale::{Scale, Tick};
use super::style::Style;
use super::text::{LINE, SIZE, TITLE_SIZE, clean, coordinate as c, shorten, width, wrap};
use maud::{Markup, html};

/// The width of a picture. It scales with the page, and texts with it: wide enough for a screen, and texts are still
/// read on a phone.
pub(super) const WIDTH: f64 = 480.0;
/// Between a picture's edge and what is in it.
pub(super) const MARGIN: f64 = 6.0;

/// The outer element, with a title and a description for those who hear the page.
pub(super) fn picture(size: (f64, f64), title: &str, description: &str, body: Markup) -> Markup {
    html! {
        svg class="plot" xmlns="http://www.w3.org/2000/svg" role="img" width=(c(size.0)) height=(c(size.1))
            viewBox=(format!("0 0 {} {}", c(size.0), c(size.1)))
            aria-label=(clean(title)) {
            title { (clean(title)) }
            desc { (clean(description)) }
            (body)
        }
    }
}

/// A text at a place. `class` may be empty.
pub(super) fn text(x: f64, y: f64, class: &str, content: &str) -> Markup {
    html! { text x=(c(x)) y=(c(y)) class=[(!class.is_empty()).then_some(class)] { (content) } }
}

/// A name that is shortened to a width; its whole can be read by pointing at it.
pub(super) fn name(x: f64, y: f64, class: &str, name: &str, most: f64) -> Markup {
    let short = shorten(name, most, SIZE);
    let whole = (short != clean(name)).then(|| clean(name));
    html! {
        text x=(c(x)) y=(c(y)) class=[(!class.is_empty()).then_some(class)] {
            (short)
            @if let Some(whole) = whole { title { (whole) } }
        }
    }
}

/// The title in at most three lines from `top` on, and where it ends.
pub(super) fn heading(title: &str, top: f64, picture_width: f64) -> (Markup, f64) {
    // Bold letters are wider.
    let lines = wrap(title, picture_width - 2.0 * MARGIN, TITLE_SIZE * 1.08, 3);
    let bottom = top + lines.len() as f64 * (LINE + 2.0);
    let markup = html! {
        @for (at, line) in lines.iter().enumerate() {
            (text(MARGIN, top + at as f64 * (LINE + 2.0) + TITLE_SIZE, "title", line))
        }
    };
    (markup, bottom)
}

/// How an entry of a legend is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    Line,
    Bar,
    Dots,
}

/// A legend in as many rows as it needs from `top` on, and where it ends.
pub(super) fn legend(entries: &[(&str, Style)], sample: Sample, top: f64) -> (Markup, f64) {
    mixed_legend(&entries.iter().map(|&(label, style)| (label, style, sample)).collect::<Vec<_>>(), top)
}

/// [`legend`] with entries that are not all drawn alike.
pub(super) fn mixed_legend(entries: &[(&str, Style, Sample)], top: f64) -> (Markup, f64) {
    const SWATCH: f64 = 30.0;
    let (mut x, mut y) = (MARGIN, top);
    let mut placed = Vec::new();
    for &(label, style, sample) in entries {
        let label = shorten(label, WIDTH - 2.0 * MARGIN - SWATCH, SIZE);
        let room = SWATCH + width(&label, SIZE);
        if x > MARGIN && x + room > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LINE);
        }
        placed.push((x, y, label, style, sample));
        x += room + SIZE;
    }
    let bottom = if entries.is_empty() { top } else { y + LINE };
    let markup = html! {
        @for (x, y, label, style, sample) in &placed {
            @match sample {
                Sample::Line => path class={"line " (style.class())} d={"M" (c(*x)) " " (c(y + 9.0)) "h24"} {},
                Sample::Dots => path class={"line dots " (style.class())} d={"M" (c(x + 4.0)) " " (c(y + 9.0)) "h0m9 0h0m9 0h0"} {},
                Sample::Bar => rect class={"bar " (style.class())} x=(c(x + 6.0)) y=(c(y + 3.0)) width="18" height="12" {},
            }
            (text(x + SWATCH, y + 13.5, "", label))
        }
    };
    (markup, bottom)
}

/// Ticks of a vertical axis with lines across from `left` to `right`.
pub(super) fn rungs(scale: &Scale, ticks: &[Tick], left: f64, right: f64) -> Markup {
    html! {
        @for (tick, y) in ticks.iter().filter_map(|tick| Some((tick, scale.place(tick.value)?))) {
            path class="grid" d={"M" (c(left)) " " (c(y)) "H" (c(right))} {}
            (text(left - 6.0, y + 4.5, "soft end", &tick.label))
        }
    }
}

/// Ticks of a horizontal axis with lines from `top` to `bottom`, and labels below.
pub(super) fn posts(scale: &Scale, ticks: &[Tick], top: f64, bottom: f64) -> Markup {
    html! {
        @for (tick, x) in ticks.iter().filter_map(|tick| Some((tick, scale.place(tick.value)?))) {
            path class="grid" d={"M" (c(x)) " " (c(top)) "V" (c(bottom))} {}
            (text(x, bottom + 16.0, "soft middle", &tick.label))
        }
    }
}

/// The room that the labels of a vertical axis need.
pub(super) fn widest(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|tick| width(&tick.label, SIZE)).fold(0.0, f64::max)
}
