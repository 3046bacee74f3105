//! Lines over two axes.

use super::frame::{MARGIN, Sample, WIDTH, heading, legend, name, picture, posts, rungs, text, widest};
use super::scale::{Axis, Scale};
use super::style::Style;
use super::text::{LINE, SIZE, coordinate as c, figure, shorten, width};
use maud::{Markup, html};

/// Lines over two axes, perhaps with values marked on the horizontal one.
///
/// # Example
/// ```
/// use lookalike_report::plot::{Axis, LineChart, Mark, Series, Style};
/// let points = vec![(0.1, 0.056), (0.2, 0.043), (0.5, 0.02), (1.0, 0.0)];
/// let chart = LineChart {
///     title: "Error against ε".into(),
///     x: Axis::new("ε").logarithmic(),
///     y: Axis::new("largest flip"),
///     series: vec![Series { name: "ours".into(), points, style: Style::Ours }],
///     marks: vec![Mark { x: 0.5, label: "chosen".into() }],
/// };
/// assert!(chart.svg().into_string().starts_with("<svg"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LineChart {
    /// What the chart says.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, drawn in order; a line is broken where a value has no place.
    pub series: Vec<Series>,
    /// Vertical lines.
    pub marks: Vec<Mark>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend; none without one.
    pub name: String,
    /// Its points in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// Its look.
    pub style: Style,
}

/// A value of the horizontal axis that is marked by a vertical line.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The value.
    pub x: f64,
    /// What is there.
    pub label: String,
}

/// The height of the area in which lines are drawn.
const HEIGHT: f64 = 220.0;
/// Points are shown themselves where they are few enough to tell apart.
const MOST_DOTS: usize = 16;

type Point = (f64, f64);

impl LineChart {
    /// The chart as an `svg` element.
    pub fn svg(&self) -> Markup {
        let points = || self.series.iter().flat_map(|series| &series.points);
        // The width of the labels is needed before the height of the area, but not the area itself.
        let y_ticks = Scale::new(&self.y, points().map(|point| point.1), HEIGHT, 0.0).ticks(Scale::height_of);
        let (left, right) = (MARGIN + widest(&y_ticks) + 8.0, WIDTH - 2.0 * MARGIN);
        let x_until = |right: f64| Scale::new(&self.x, points().map(|point| point.0), left, right);
        // A long number at the end of the axis needs room to its right.
        let right = right - beyond(&x_until(right));
        let x = x_until(right);
        let (heading, below) = heading(&self.title, MARGIN, WIDTH);
        let (marks, top) = self.marks(&x, left, right, below + LINE);
        let (top, bottom) = (top + 8.0, top + 8.0 + HEIGHT);
        let y = Scale::new(&self.y, points().map(|point| point.1), bottom, top);
        let named = self.series.iter().filter(|series| !series.name.is_empty());
        let entries: Vec<_> = named.map(|series| (series.name.as_str(), series.style)).collect();
        let (legend, end) = legend(&entries, Sample::Line, bottom + 2.0 * LINE + 4.0);
        let body = html! {
            (heading)
            (name(MARGIN, below + SIZE, "soft", &self.y.label, WIDTH - 2.0 * MARGIN))
            (rungs(&y, &y_ticks, left, right))
            (posts(&x, &x.ticks(Scale::width_of), top, bottom))
            path class="axis" d={"M" (c(left)) " " (c(top)) "V" (c(bottom)) "H" (c(right))} {}
            (name((left + right) / 2.0, bottom + LINE + 16.0, "soft middle", &self.x.label, right - left))
            @for (x, label) in &marks {
                path class="mark" d={"M" (c(*x)) " " (c(label.1 + 4.0)) "V" (c(bottom))} {}
                (text(label.0, label.1, "middle", &label.2))
            }
            @for series in &self.series { (line(series, &x, &y, [left, right, top, bottom])) }
            (legend)
        };
        picture((WIDTH, end + MARGIN), &self.title, &self.description(), body)
    }

    /// Where each mark and its label are, in as many rows as keep the labels apart; and where the rows end.
    #[allow(clippy::type_complexity, reason = "the place of a line, and place and text of its label")]
    fn marks(&self, x: &Scale, left: f64, right: f64, top: f64) -> (Vec<(f64, (f64, f64, String))>, f64) {
        let mut rows: Vec<f64> = Vec::new();
        let mut placed = Vec::new();
        let inside = |mark: &Mark| x.place(mark.x).filter(|place| (left - 0.5..=right + 0.5).contains(place));
        let mut marks: Vec<_> = self.marks.iter().filter_map(|mark| Some((inside(mark)?, &mark.label))).collect();
        marks.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (place, label) in marks {
            let label = shorten(label, right - left, SIZE);
            let half = width(&label, SIZE) / 2.0;
            let middle = place.clamp(left + half, (right - half).max(left + half));
            let row = rows.iter().position(|&used| used + SIZE <= middle - half).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(0.0);
            }
            rows[row] = middle + half;
            placed.push((place, (middle, top + (row + 1) as f64 * LINE - 4.0, label)));
        }
        (placed, top + rows.len() as f64 * LINE)
    }

    /// The chart in words.
    fn description(&self) -> String {
        let series = |series: &Series| {
            let shown = |point: Option<&Point>| {
                point.map_or_else(String::new, |(x, y)| format!("{} at {}", figure(*y), figure(*x)))
            };
            format!("{}: from {} to {}.", series.name, shown(series.points.first()), shown(series.points.last()))
        };
        let lines = self.series.iter().filter(|line| !line.points.is_empty()).map(series).collect::<Vec<_>>().join(" ");
        format!("{} over {}. {lines}", self.y.label, self.x.label)
    }
}

/// How far a label of a horizontal axis would run out of the picture.
fn beyond(x: &Scale) -> f64 {
    let ticks = x.ticks(Scale::width_of);
    let ends = ticks.iter().filter_map(|tick| Some(x.place(tick.value)? + width(&tick.label, SIZE) / 2.0));
    ends.map(|end| end - WIDTH).fold(0.0, f64::max)
}

/// A line inside its area, with its points where they are few.
fn line(series: &Series, x: &Scale, y: &Scale, area: [f64; 4]) -> Markup {
    let class = series.style.class();
    let places: Vec<Option<Point>> =
        series.points.iter().map(|point| Some((x.place(point.0)?, y.place(point.1)?))).collect();
    let inside = |place: &Point| {
        (area[0] - 0.5..=area[1] + 0.5).contains(&place.0) && (area[2] - 0.5..=area[3] + 0.5).contains(&place.1)
    };
    let has_dots = series.points.len() <= MOST_DOTS && series.style != Style::Bound;
    html! {
        path class={"line " (class)} d=(path(&places, area)) {}
        @if has_dots {
            @for place in places.iter().flatten().filter(|place| inside(place)) {
                circle class={"dot " (class)} cx=(c(place.0)) cy=(c(place.1)) r="3.5" {}
            }
        }
    }
}

/// The segments between neighbours, cut to the area.
fn path(places: &[Option<Point>], area: [f64; 4]) -> String {
    let mut path = String::new();
    let mut pen: Option<Point> = None;
    for pair in places.windows(2) {
        let Some([from, to]) = pair[0].zip(pair[1]).and_then(|(from, to)| cut([from, to], area)) else {
            pen = None;
            continue;
        };
        if pen != Some(from) {
            path += &format!("M{} {}", c(from.0), c(from.1));
        }
        path += &format!("L{} {}", c(to.0), c(to.1));
        pen = Some(to);
    }
    path
}

/// The part of a segment inside the area `[left, right, top, bottom]` (Liang and Barsky).
fn cut([from, to]: [Point; 2], [left, right, top, bottom]: [f64; 4]) -> Option<[Point; 2]> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (step, room) in [(-dx, from.0 - left), (dx, right - from.0), (-dy, from.1 - top), (dy, bottom - from.1)] {
        // A hair of room, so that the ends of an axis belong to it whatever rounding does.
        let room = room + 1e-6;
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    let at = |part: f64| match part {
        0.0 => from,
        1.0 => to,
        part => (from.0 + part * dx, from.1 + part * dy),
    };
    (enter <= leave).then(|| [at(enter), at(leave)])
}

#[cfg(test)]
mod tests {
    use super::super::page::standalone;
    use super::*;
    use proptest::prelude::*;

    fn chart(points: Vec<Point>) -> LineChart {
        LineChart {
            title: "Error against \u{3b5}".into(),
            x: Axis::new("epsilon").from_to(0.0, 1.0),
            y: Axis::new("error").from_to(0.0, 1.0),
            series: vec![Series { name: "a <b>".into(), points, style: Style::Ours }],
            marks: vec![],
        }
    }

    #[test]
    fn lines_are_cut_to_the_area_and_broken_where_there_is_no_value() {
        let area = [0.0, 10.0, 0.0, 10.0];
        assert_eq!(path(&[Some((-5.0, 5.0)), Some((15.0, 5.0))], area), "M0 5L10 5");
        assert_eq!(
            path(&[Some((0.0, 0.0)), Some((5.0, 5.0)), None, Some((6.0, 6.0)), Some((7.0, 6.0))], area),
            "M0 0L5 5M6 6L7 6"
        );
        assert_eq!(path(&[Some((-5.0, 5.0)), Some((-1.0, 5.0))], area), "");
        assert_eq!(path(&[Some((5.0, 5.0)), Some((5.0, 15.0)), Some((6.0, 5.0))], area), "M5 5L5 10M5.5 10L6 5");
    }

    #[test]
    fn names_are_escaped_and_the_same_chart_gives_the_same_text() {
        let chart = chart(vec![(0.0, 0.5), (1.0, 0.25)]);
        let text = chart.svg().into_string();
        assert!(text.contains("a &lt;b&gt;") && !text.contains("<b>") && !text.contains("style="), "{text}");
        assert!(text.contains("<desc>error over epsilon. a &lt;b&gt;: from 0.5 at 0 to 0.25 at 1.</desc>"), "{text}");
        assert_eq!(text, chart.svg().into_string());
        assert!(standalone(&chart.svg()).contains("<style>"));
    }

    #[test]
    fn a_long_number_at_the_end_of_an_axis_stays_inside() {
        let over = |points: Vec<Point>| {
            let x = Axis::new("x").logarithmic();
            let scale = |right: f64| Scale::new(&x, points.iter().map(|point| point.0), 40.0, right);
            let right = WIDTH - 2.0 * MARGIN;
            (beyond(&scale(right)), beyond(&scale(right - beyond(&scale(right)))))
        };
        assert_eq!(over(vec![(1.0, 1.0), (10.0, 1.0)]), (0.0, 0.0));
        let (before, after) = over(vec![(1.0, 1.0), (1e6, 1.0)]);
        assert!(before > 1.0 && after < 1e-9, "{before} {after}");
    }

    #[test]
    fn labels_of_marks_that_are_close_stand_in_rows() {
        let mut chart = chart(vec![(0.0, 0.0), (1.0, 1.0)]);
        chart.marks = [0.5, 0.51, 0.52, 0.02, 0.99, 7.0].map(|x| Mark { x, label: format!("at {x} exactly") }).to_vec();
        let scale = Scale::new(&chart.x, std::iter::empty(), 40.0, 470.0);
        let (placed, bottom) = chart.marks(&scale, 40.0, 470.0, 0.0);
        assert_eq!((placed.len(), bottom), (5, 3.0 * LINE), "7 is beyond the axis");
        let span = |label: &(f64, f64, String)| {
            let half = width(&label.2, SIZE) / 2.0;
            (label.0 - half, label.0 + half)
        };
        for (at, (_, one)) in placed.iter().enumerate() {
            assert!(span(one).0 >= 40.0 - 1e-9 && span(one).1 <= 470.0 + 1e-9);
            for (_, other) in &placed[at + 1..] {
                assert!(one.1 != other.1 || span(one).1 < span(other).0 || span(other).1 < span(one).0);
            }
        }
    }

    proptest! {
        #[test]
        fn any_numbers_give_a_chart_with_two_decimals(
            points in prop::collection::vec((prop_oneof![any::<f64>(), 0.0..5.0], prop_oneof![any::<f64>(), 0.0..1.0]), 0..30), log in any::<bool>(),
        ) {
            let mut chart = chart(points);
            (chart.x, chart.y) = (Axis { logarithmic: log, ..Axis::new("x") }, Axis { logarithmic: log, ..Axis::new("y") });
            let text = chart.svg().into_string();
            prop_assert!(!text.contains("NaN") && !text.contains("inf"));
            for path in text.split(" d=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let numbers = path.split(|character: char| !(character.is_ascii_digit() || character == '.'));
                prop_assert!(numbers.flat_map(|number| number.split_once('.')).all(|(_, decimals)| decimals.len() <= 2));
            }
        }
    }
}
