//! Places on a plane: a track before and after.

use super::frame::{MARGIN, Sample, WIDTH, heading, mixed_legend, picture};
use super::scale_bar::{BAR_HEIGHT, NORTH_WIDTH, length, north, scale_bar};
use super::style::Style;
use super::text::coordinate as c;
use maud::{Markup, html};

/// Tracks on one plane with the same scale in both directions; north is up.
///
/// # Example
/// ```
/// use lookalike_report::plot::{Style, Track, TrackMap};
/// let track = |name: &str, points: &[(f64, f64)], style, joined| {
///     Track { name: name.into(), points: points.to_vec(), style, joined }
/// };
/// let map = TrackMap {
///     title: "A way through the city".into(),
///     tracks: vec![
///         track("true", &[(0.0, 0.0), (300.0, 400.0)], Style::Baseline, true),
///         track("released", &[(120.0, -80.0), (250.0, 610.0)], Style::Ours, false),
///     ],
/// };
/// assert!(map.svg().into_string().contains("200 m"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TrackMap {
    /// What the map says.
    pub title: String,
    /// The tracks, drawn in order.
    pub tracks: Vec<Track>,
}

/// The places of one track.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Its name in the legend.
    pub name: String,
    /// Metres to the east and to the north, in order; what is not finite is left out.
    pub points: Vec<(f64, f64)>,
    /// Its look.
    pub style: Style,
    /// Whether the points are joined by a line.
    pub joined: bool,
}

/// The tallest that the map may become, and the flattest.
const TALLEST: f64 = 400.0;
const FLATTEST: f64 = 120.0;
/// Between the outermost points and the frame.
const PADDING: f64 = 8.0;

impl TrackMap {
    /// The map as an `svg` element.
    pub fn svg(&self) -> Markup {
        let (heading, top) = heading(&self.title, MARGIN, WIDTH);
        let view = View::of(self, MARGIN, top + 6.0);
        let bar = (MARGIN, view.bottom + 8.0);
        let sample = |track: &Track| if track.joined { Sample::Line } else { Sample::Dots };
        let entries: Vec<_> =
            self.tracks.iter().map(|track| (track.name.as_str(), track.style, sample(track))).collect();
        let (legend, end) = mixed_legend(&entries, bar.1 + BAR_HEIGHT + 6.0);
        let body = html! {
            (heading)
            path class="axis" d=(view.frame()) {}
            @for track in &self.tracks { (view.track(track)) }
            (north((view.right + 4.0, view.top)))
            (scale_bar(bar, view.unit, (view.right - view.left) / 3.0))
            (legend)
        };
        picture((WIDTH, end + MARGIN), &self.title, &self.description(&view), body)
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.tracks.iter().flat_map(finite)
    }

    fn description(&self, view: &View) -> String {
        let track = |track: &Track| format!("{}: {} places.", track.name, finite(track).count());
        let (wide, high) = ((view.right - view.left) * view.unit, (view.bottom - view.top) * view.unit);
        let tracks = self.tracks.iter().map(track).collect::<Vec<_>>().join(" ");
        format!("A map of {} from west to east and {} from south to north. {tracks}", length(wide), length(high))
    }
}

fn finite(track: &Track) -> impl Iterator<Item = (f64, f64)> {
    /// Beyond this differences lose their metres.
    const FARTHEST: f64 = 1e12;
    track.points.iter().copied().filter(|point| point.0.abs() <= FARTHEST && point.1.abs() <= FARTHEST)
}

/// Where the plane lies in the picture.
struct View {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// The middle of the plane, in metres.
    centre: (f64, f64),
    /// Metres in a unit of the picture.
    unit: f64,
}

impl View {
    /// The view of all points, with the same scale in both directions.
    fn of(map: &TrackMap, left: f64, top: f64) -> View {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (value.min(low), value.max(high)));
            if low <= high { ((low + high) / 2.0, high - low) } else { (0.0, 0.0) }
        };
        let (x, wide) = range(&mut map.points().map(|point| point.0));
        let (y, high) = range(&mut map.points().map(|point| point.1));
        let room = WIDTH - 2.0 * MARGIN - NORTH_WIDTH;
        let (most_wide, most_high) = (room - 2.0 * PADDING, TALLEST - 2.0 * PADDING);
        let unit = (wide / most_wide).max(high / most_high);
        // A single place has no extent: a hundred metres around it are shown.
        let unit = if unit > 0.0 { unit } else { 100.0 / most_high };
        let height = (high / unit + 2.0 * PADDING).clamp(FLATTEST, TALLEST);
        View { left, right: left + room, top, bottom: top + height, centre: (x, y), unit }
    }

    fn frame(&self) -> String {
        format!("M{} {}H{}V{}H{}z", c(self.left), c(self.top), c(self.right), c(self.bottom), c(self.left))
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let middle = ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0);
        (middle.0 + (x - self.centre.0) / self.unit, middle.1 - (y - self.centre.1) / self.unit)
    }

    /// A line through the points, or a dot at each; either is one element however many there are.
    fn track(&self, track: &Track) -> Markup {
        let places: Vec<String> =
            finite(track).map(|point| self.place(point)).map(|(x, y)| format!("{} {}", c(x), c(y))).collect();
        let class = track.style.class();
        let is_line = track.joined && places.len() > 1;
        html! {
            @if places.is_empty() {}
            @else if is_line { path class={"line " (class)} d={"M" (places.join("L"))} {} }
            @else { path class={"line dots " (class)} d={"M" (places.join("h0M")) "h0"} {} }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn map(points: Vec<(f64, f64)>) -> TrackMap {
        let track = Track { name: "true".into(), points, style: Style::Baseline, joined: true };
        TrackMap { title: "Track".into(), tracks: vec![track] }
    }

    #[test]
    fn north_is_up_and_both_directions_have_one_scale() {
        let view = View::of(&map(vec![(0.0, 0.0), (3_000.0, 1_000.0)]), 0.0, 0.0);
        let [origin, east, north] = [(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)].map(|point| view.place(point));
        assert!(east.0 > origin.0 && east.1 == origin.1 && north.1 < origin.1 && north.0 == origin.0);
        assert!(((east.0 - origin.0) - (origin.1 - north.1)).abs() < 1e-9);
    }

    #[test]
    fn maps_without_extent_or_sense_are_still_maps() {
        for points in [vec![], vec![(5.0, 5.0)], vec![(f64::NAN, 0.0), (1e300, 0.0)], vec![(1.0, 1.0); 9]] {
            let text = map(points).svg().into_string();
            assert!(text.starts_with("<svg") && !text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }

    #[test]
    fn many_points_are_one_element() {
        let mut map = map((0..5_000).map(|at| (f64::from(at), f64::from(at % 7))).collect());
        map.tracks[0].joined = false;
        let text = map.svg().into_string();
        assert_eq!(text.matches("class=\"line dots baseline\"").count(), 2, "the track and its sample");
        assert_eq!(text.matches("h0").count(), 5_000 + 3);
    }

    proptest! {
        #[test]
        fn every_point_is_inside_the_frame(points in prop::collection::vec((-1e6..1e6f64, -1e5..1e5f64), 1..30), wide in 1e-3..1e3f64) {
            let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y)| (x * wide, y)).collect();
            let view = View::of(&map(points.clone()), 10.0, 20.0);
            for (x, y) in points.into_iter().map(|point| view.place(point)) {
                prop_assert!(view.left < x && x < view.right && view.top < y && y < view.bottom, "{} {}", x, y);
            }
            prop_assert!(view.bottom - view.top <= TALLEST + 1e-9);
        }
    }
}
