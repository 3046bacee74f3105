//! One bar made of stretches: what is known of a single number.

use super::frame::{MARGIN, Sample, WIDTH, heading, legend, name, picture, posts};
use super::line_chart::Mark;
use super::scale::{Axis, Scale};
use super::style::Style;
use super::text::{LINE, SIZE, coordinate as c, shorten, width};
use maud::{Markup, html};

/// A bar from 0 on, made of stretches that follow each other, with a value marked above it and one below.
///
/// # Example
/// ```
/// use lookalike_report::plot::{Axis, Mark, Stretch, Stretches, Style};
/// let stretch = |to, name: &str, style| Stretch { to, name: name.into(), style };
/// let bar = Stretches {
///     title: "Weight".into(),
///     axis: Axis::new("kg"),
///     stretches: vec![stretch(0.4, "weighed", Style::Ours), stretch(0.5, "not weighed", Style::Open)],
///     above: Some(Mark { x: 0.5, label: "at most 0.5".into() }),
///     below: None,
/// };
/// assert!(bar.svg().into_string().starts_with("<svg"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Stretches {
    /// What the bar says.
    pub title: String,
    /// The axis of the values; without a range it covers them and 0.
    pub axis: Axis,
    /// From left to right; each begins where the one before it ends.
    pub stretches: Vec<Stretch>,
    /// A value that is marked above the bar.
    pub above: Option<Mark>,
    /// A value that is marked below the bar: two that are close do not touch.
    pub below: Option<Mark>,
}

/// A part of the bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// Where it ends; without an end (infinite) it is an arrow to the end of the axis.
    pub to: f64,
    /// Its name in the legend.
    pub name: String,
    /// Its look.
    pub style: Style,
}

/// The height of the bar.
const BAR: f64 = 28.0;
/// How far a mark reaches beyond the bar.
const REACH: f64 = 7.0;
/// The length of an arrow's head.
const HEAD: f64 = 12.0;

impl Stretches {
    /// The bar as an `svg` element.
    pub fn svg(&self) -> Markup {
        let (left, right) = (MARGIN + 2.0, WIDTH - 2.0 * MARGIN);
        let marks = self.above.iter().chain(&self.below).map(|mark| mark.x);
        let ends = self.stretches.iter().map(|stretch| stretch.to).chain(marks).filter(|end| end.is_finite());
        let scale = Scale::new(&self.axis, ends.chain([0.0]), left, right);
        let (heading, below) = heading(&self.title, MARGIN, WIDTH);
        let room = |mark: &Option<Mark>| if mark.is_some() { LINE + REACH } else { REACH };
        let top = below + room(&self.above);
        let bottom = top + BAR;
        let axis = bottom + room(&self.below);
        let entries: Vec<_> = self.stretches.iter().map(|part| (part.name.as_str(), part.style)).collect();
        let (legend, end) = legend(&entries, Sample::Bar, axis + 2.0 * LINE + 4.0);
        let ticks = scale.ticks(Scale::width_of);
        // The label of a tick at an end of the axis must not leave the picture.
        let inside = |label: &str, x: f64| x - width(label, SIZE) / 2.0 >= 0.0 && x + width(label, SIZE) / 2.0 <= WIDTH;
        let ticks: Vec<_> =
            ticks.into_iter().filter(|tick| scale.place(tick.value).is_some_and(|x| inside(&tick.label, x))).collect();
        let body = html! {
            (heading)
            (posts(&scale, &ticks, top, axis))
            path class="axis" d={"M" (c(left)) " " (c(axis)) "H" (c(right))} {}
            (self.parts(&scale, top, (left, right)))
            @if let Some(mark) = &self.above { (draw(mark, &scale, (top - REACH, bottom), top - REACH - 4.0, (left, right))) }
            @if let Some(mark) = &self.below { (draw(mark, &scale, (top, bottom + REACH), bottom + REACH + SIZE, (left, right))) }
            (name((left + right) / 2.0, axis + LINE + 16.0, "soft middle", &self.axis.label, right - left))
            (legend)
        };
        picture((WIDTH, end + MARGIN), &self.title, &self.description(), body)
    }

    fn parts(&self, scale: &Scale, top: f64, (left, right): (f64, f64)) -> Markup {
        let place = |value: f64| scale.place(value).unwrap_or(right).clamp(left, right);
        let starts = std::iter::once(0.0).chain(self.stretches.iter().map(|stretch| stretch.to));
        html! {
            @for (start, stretch) in starts.zip(&self.stretches) {
                @let (from, to) = (place(start), place(stretch.to));
                @let class = format!("bar {}", stretch.style.class());
                @if stretch.to.is_infinite() {
                    path class=(class) d={
                        "M" (c(from)) " " (c(top)) "H" (c((to - HEAD).max(from))) "L" (c(to)) " " (c(top + BAR / 2.0))
                        "L" (c((to - HEAD).max(from))) " " (c(top + BAR)) "H" (c(from)) "Z"
                    } {}
                } @else if to > from {
                    rect class=(class) x=(c(from)) y=(c(top)) width=(c(to - from)) height=(c(BAR)) {}
                }
            }
        }
    }

    /// The bar in words.
    fn description(&self) -> String {
        let marks = self.above.iter().chain(&self.below).map(|mark| &mark.label);
        let parts = self.stretches.iter().map(|stretch| &stretch.name).chain(marks);
        let parts: Vec<String> = parts.map(|part| shorten(part, 2.0 * WIDTH, SIZE)).collect();
        format!("{}: {}.", self.axis.label, parts.join("; "))
    }
}

/// A line from one height to another, and its label with the baseline there; nothing for a value off the axis.
fn draw(mark: &Mark, scale: &Scale, (from, to): (f64, f64), baseline: f64, (left, right): (f64, f64)) -> Markup {
    let Some(x) = scale.place(mark.x).filter(|x| (left - 0.5..=right + 0.5).contains(x)) else {
        return html! {};
    };
    let half = width(&shorten(&mark.label, right - left, SIZE), SIZE) / 2.0;
    let middle = x.clamp(left + half, (right - half).max(left + half));
    html! {
        path class="limit" d={"M" (c(x)) " " (c(from)) "V" (c(to))} {}
        (name(middle, baseline, "halo middle", &mark.label, right - left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(bound: f64, upper: f64) -> Stretches {
        let stretch = |to, name: &str, style| Stretch { to, name: name.into(), style };
        Stretches {
            title: "ε".into(),
            axis: Axis::new("ε").from_to(0.0, 1.0),
            stretches: vec![stretch(bound, "proved", Style::Ours), stretch(upper, "open", Style::Open)],
            above: Some(Mark { x: upper, label: "certified".into() }),
            below: Some(Mark { x: 0.75, label: "claimed".into() }),
        }
    }

    fn numbers(text: &str, element: &str, name: &str) -> Vec<f64> {
        let number = |part: &str| part.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?.parse().ok();
        text.split(element).skip(1).filter_map(number).collect()
    }

    #[test]
    fn stretches_follow_each_other_and_are_as_long_as_they_say() {
        let text = bar(0.25, 0.5).svg().into_string();
        let (starts, widths) =
            (numbers(&text, "<rect class=\"bar ", "x"), numbers(&text, "<rect class=\"bar ", "width"));
        // The two last are of the legend.
        assert_eq!((starts.len(), widths[0]), (4, widths[1]));
        assert!((starts[0] + widths[0] - starts[1]).abs() < 0.02, "{starts:?} {widths:?}");
        assert_eq!(text.matches("class=\"limit\"").count(), 2);
        assert!(text.contains("<desc>ε: proved; open; certified; claimed.</desc>"), "{text}");
    }

    #[test]
    fn nothing_is_drawn_for_a_stretch_without_length_and_an_arrow_for_one_without_end() {
        let text = bar(0.0, f64::INFINITY).svg().into_string();
        assert_eq!(numbers(&text, "<rect class=\"bar ", "x").len(), 2, "the legend only");
        assert_eq!(text.matches("<path class=\"bar open\"").count(), 1);
        assert_eq!(text.matches("class=\"limit\"").count(), 1, "infinity is not marked");
        for odd in [f64::NAN, f64::MAX, -1.0] {
            assert!(!bar(odd, odd).svg().into_string().contains("NaN"));
        }
    }
}
