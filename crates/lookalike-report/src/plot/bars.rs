//! Horizontal bars, several a row, perhaps with intervals.

use super::frame::{MARGIN, Sample, WIDTH, heading, legend, name, picture, posts, text};
use super::scale::{Axis, Scale};
use super::style::Style;
use super::text::{LINE, SIZE, clean, coordinate as c, figure, shorten, width};
use maud::{Markup, html};

/// Horizontal bars: a row for each name, and in it a bar for each series.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// What the bars say.
    pub title: String,
    /// The axis of the values; without a range it covers them and 0.
    pub axis: Axis,
    /// What the bars of a row are, in order.
    pub series: Vec<(String, Style)>,
    /// The rows from top to bottom.
    pub rows: Vec<BarRow>,
}

/// The bars of one name.
#[derive(Debug, Clone, PartialEq)]
pub struct BarRow {
    /// The name.
    pub name: String,
    /// A bar for each series.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// How long it is.
    pub value: f64,
    /// From where to where the value may lie.
    pub interval: Option<(f64, f64)>,
}

impl Bar {
    /// A bar without an interval.
    pub fn new(value: f64) -> Self {
        Bar { value, interval: None }
    }
}

/// The height of a bar: a line of text fits beside it.
const BAR: f64 = 14.0;
/// Between rows.
const GAP: f64 = 8.0;
/// The widest that names may become.
const MOST_NAME: f64 = 150.0;

impl Bars {
    /// The bars as an `svg` element.
    pub fn svg(&self) -> Markup {
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let names = widest(&mut self.rows.iter().map(|row| width(&clean(&row.name), SIZE))).min(MOST_NAME);
        let values = widest(&mut self.bars().map(|bar| width(&figure(bar.value), SIZE)));
        let (left, right) = (MARGIN + names + 8.0, WIDTH - MARGIN - values - 8.0);
        let ends = self.bars().flat_map(|bar| {
            let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
            [bar.value, low, high]
        });
        let scale = Scale::new(&self.axis, ends.chain([0.0]), left, right);
        let (heading, top) = heading(&self.title, MARGIN, WIDTH);
        let row_height = self.series.len().max(1) as f64 * BAR + GAP;
        let bottom = top + GAP + self.rows.len() as f64 * row_height;
        let entries: Vec<_> = self.series.iter().map(|(name, style)| (name.as_str(), *style)).collect();
        let entries = if entries.len() > 1 { &entries[..] } else { &[] };
        let (legend, end) = legend(entries, Sample::Bar, bottom + 2.0 * LINE + 4.0);
        let middle = (left + right) / 2.0;
        let body = html! {
            (heading)
            (posts(&scale, &scale.ticks(Scale::width_of), top + 2.0, bottom))
            @for (at, row) in self.rows.iter().enumerate() {
                (self.row(row, &scale, top + GAP + at as f64 * row_height, (left, right), names))
            }
            path class="axis" d={"M" (c(left)) " " (c(top + 2.0)) "V" (c(bottom))} {}
            (name(middle, bottom + LINE + 16.0, "soft middle", &self.axis.label, 2.0 * middle.min(WIDTH - middle) - 2.0 * MARGIN))
            (legend)
        };
        picture((WIDTH, end + MARGIN), &self.title, &self.description(), body)
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.rows.iter().flat_map(|row| &row.bars)
    }

    fn row(&self, row: &BarRow, scale: &Scale, top: f64, (left, right): (f64, f64), names: f64) -> Markup {
        let height = row.bars.len() as f64 * BAR;
        let base = scale.place(0.0).unwrap_or(left).clamp(left, right);
        let place = |value: f64| scale.place(value).map(|place| place.clamp(left, right));
        html! {
            (name(left - 8.0, top + height / 2.0 + 4.5, "end", &row.name, names))
            @for (at, (bar, (_, style))) in row.bars.iter().zip(&self.series).enumerate() {
                @if let Some(tip) = place(bar.value) {
                    @let (y, middle) = (top + at as f64 * BAR, top + (at as f64 + 0.5) * BAR);
                    @let end = bar.interval.and_then(|(_, high)| place(high)).map_or(tip, |high| high.max(tip));
                    rect class={"bar " (style.class())} x=(c(base.min(tip))) y=(c(y + 1.0))
                        width=(c((tip - base).abs())) height=(c(BAR - 2.0)) {}
                    @if let Some((low, high)) = bar.interval.and_then(|(low, high)| place(low).zip(place(high))) {
                        path class="whisker" d={
                            "M" (c(low)) " " (c(middle)) "H" (c(high))
                            "M" (c(low)) " " (c(middle - 4.0)) "v8M" (c(high)) " " (c(middle - 4.0)) "v8"
                        } {}
                    }
                    (text(end.max(base) + 6.0, middle + 4.5, "soft", &figure(bar.value)))
                }
            }
        }
    }

    /// The bars in words; long ones are cut.
    fn description(&self) -> String {
        const MOST: usize = 12;
        let row = |row: &BarRow| {
            let bars = row.bars.iter().zip(&self.series);
            let bars = bars.map(|(bar, (series, _))| match bar.interval {
                None => format!("{series} {}", figure(bar.value)),
                Some((low, high)) => format!("{series} {} ({} to {})", figure(bar.value), figure(low), figure(high)),
            });
            format!("{}: {}.", shorten(&row.name, 200.0, SIZE), bars.collect::<Vec<_>>().join(", "))
        };
        let more = if self.rows.len() > MOST { " …" } else { "" };
        self.rows.iter().take(MOST).map(row).collect::<Vec<_>>().join(" ") + more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars() -> Bars {
        let row = |name: &str, ours, theirs| BarRow {
            name: name.into(),
            bars: vec![Bar { value: ours, interval: Some((ours - 0.1, ours + 0.1)) }, Bar::new(theirs)],
        };
        Bars {
            title: "Error".into(),
            axis: Axis::new("share of wrong values"),
            series: vec![("ours".into(), Style::Ours), ("local DP".into(), Style::Baseline)],
            rows: vec![row("ana", 0.2, 0.8), row("a name that is far too long for the room that there is", 0.5, 0.75)],
        }
    }

    #[test]
    fn bars_start_at_zero_and_are_as_long_as_their_values() {
        let text = bars().svg().into_string();
        let number = |element: &str, name: &str| -> f64 {
            element.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let rects: Vec<&str> = text.split("<rect class=\"bar ").skip(1).take(4).collect();
        let (starts, widths): (Vec<f64>, Vec<f64>) =
            rects.iter().map(|bar| (number(bar, "x"), number(bar, "width"))).unzip();
        assert!(starts.iter().all(|start| *start == starts[0]));
        for (bar, expected) in widths.iter().zip([0.2, 0.8, 0.5, 0.75]) {
            assert!((bar / widths[1] - expected / 0.8).abs() < 1e-3, "{widths:?}");
        }
        assert_eq!(text.matches("class=\"whisker\"").count(), 2);
    }

    #[test]
    fn long_names_are_shortened_and_can_be_read_whole() {
        let text = bars().svg().into_string();
        assert!(text.contains("…<title>a name that is far too long for the room that there is</title>"), "{text}");
        assert!(text.contains("<desc>ana: ours 0.2 (0.1 to 0.3), local DP 0.8."), "{text}");
    }
}
