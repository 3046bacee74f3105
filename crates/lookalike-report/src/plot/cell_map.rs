//! What is released for one cell of a grid, as a map.

use super::frame::{MARGIN, WIDTH, heading, picture, text};
use super::scale_bar::{BAR_HEIGHT, NORTH_WIDTH, length, north, scale_bar};
use super::text::{LINE, SIZE, coordinate as c, figure, width};
use maud::{Markup, html};

/// A grid of square cells on a plane, coloured by the probability of each; north is up.
///
/// # Example
/// ```
/// use lookalike_report::plot::CellMap;
/// let map = CellMap {
///     title: "What is released for the middle".into(),
///     columns: 3,
///     step: 500.0,
///     values: vec![0.05, 0.1, 0.05, 0.1, 0.4, 0.1, 0.05, 0.1, 0.05],
///     truth: Some(4),
/// };
/// assert!(map.svg().into_string().contains("500 m"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CellMap {
    /// What the map says.
    pub title: String,
    /// Cells from west to east.
    pub columns: usize,
    /// The side of a cell in metres.
    pub step: f64,
    /// Probabilities: the southern row from west to east, and then the rows to the north of it.
    pub values: Vec<f64>,
    /// The cell whose output law this is.
    pub truth: Option<usize>,
}

/// The tallest that the cells together may become.
const TALLEST: f64 = 400.0;
/// No cell is larger.
const LARGEST_CELL: f64 = 56.0;
/// Steps of colour above 0.
const LEVELS: usize = 10;
/// Up to so many cells tell their number when pointed at.
const MOST_HINTS: usize = 2_500;

impl CellMap {
    /// The map as an `svg` element.
    pub fn svg(&self) -> Markup {
        let (columns, rows) = (self.columns.max(1), self.rows().max(1));
        let room = WIDTH - 2.0 * MARGIN - NORTH_WIDTH;
        let cell = (room / columns as f64).min(TALLEST / rows as f64).min(LARGEST_CELL);
        let (heading, top) = heading(&self.title, MARGIN, WIDTH);
        let (left, top) = (MARGIN, top + 6.0);
        let (right, bottom) = (left + columns as f64 * cell, top + rows as f64 * cell);
        let corner = |at: usize| {
            let (column, row) = (at % columns, at / columns);
            (left + column as f64 * cell, bottom - (row + 1) as f64 * cell)
        };
        let body = html! {
            (heading)
            @if self.values.len() <= MOST_HINTS {
                @for (at, &value) in self.values.iter().enumerate() {
                    @let (x, y) = corner(at);
                    rect class={"cell h" (self.level(value))} x=(c(x)) y=(c(y)) width=(c(cell)) height=(c(cell)) {
                        title { (self.hint(at, value)) }
                    }
                }
            } @else { (self.levels(corner, cell)) }
            @if let Some((x, y)) = self.truth.filter(|truth| *truth < self.values.len()).map(corner) {
                rect class="true" x=(c(x)) y=(c(y)) width=(c(cell)) height=(c(cell)) {}
            }
            (north((right + 4.0, top)))
            (scale_bar((left, bottom + 8.0), self.step / cell, ((right - left) / 2.0).max(60.0)))
            (self.legend(bottom + 8.0 + BAR_HEIGHT + 6.0))
        };
        let end = bottom + 8.0 + BAR_HEIGHT + 6.0 + LINE * if self.truth.is_some() { 2.0 } else { 1.0 };
        picture((WIDTH, end + MARGIN), &self.title, &self.description(), body)
    }

    fn rows(&self) -> usize {
        self.values.len().div_ceil(self.columns.max(1))
    }

    fn largest(&self) -> f64 {
        self.values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max)
    }

    /// The step of colour, with the largest probability at full colour; only what never happens has none.
    fn level(&self, value: f64) -> usize {
        let part = value / self.largest();
        if part > 1e-9 { ((part * LEVELS as f64).round() as usize).clamp(1, LEVELS) } else { 0 }
    }

    /// Many cells, those of one colour together.
    fn levels(&self, corner: impl Fn(usize) -> (f64, f64), cell: f64) -> Markup {
        let mut paths = vec![String::new(); LEVELS + 1];
        for (at, &value) in self.values.iter().enumerate() {
            let (x, y) = corner(at);
            paths[self.level(value)] += &format!("M{} {}h{}v{}h-{}z", c(x), c(y), c(cell), c(cell), c(cell));
        }
        html! {
            @for (level, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                path class={"cell h" (level)} d=(path) {}
            }
        }
    }

    /// Where a cell is, as seen from the true one, and its probability.
    fn hint(&self, at: usize, value: f64) -> String {
        let Some(truth) = self.truth else {
            return format!("column {}, row {}: {}", at % self.columns + 1, at / self.columns + 1, figure(value));
        };
        let away = |at: usize, truth: usize, names: [&str; 2]| match at.abs_diff(truth) {
            0 => None,
            steps => Some(format!("{} {}", length(steps as f64 * self.step), names[usize::from(at < truth)])),
        };
        let east = away(at % self.columns, truth % self.columns, ["east", "west"]);
        let north = away(at / self.columns, truth / self.columns, ["north", "south"]);
        let place = north.into_iter().chain(east).collect::<Vec<_>>().join(", ");
        format!("{}: {}", if place.is_empty() { "the true cell" } else { &place }, figure(value))
    }

    /// From 0 to the largest probability, and what the frame means.
    fn legend(&self, y: f64) -> Markup {
        const STEP: f64 = 14.0;
        let start = MARGIN + width("0", SIZE) + 4.0;
        let below = y + LINE;
        html! {
            (text(MARGIN, y + 12.5, "soft", "0"))
            @for level in 0..=LEVELS {
                rect class={"cell h" (level)} x=(c(start + level as f64 * STEP)) y=(c(y)) width=(c(STEP)) height="16" {}
            }
            (text(start + (LEVELS + 1) as f64 * STEP + 6.0, y + 12.5, "soft", &format!("{} of all releases", figure(self.largest()))))
            @if self.truth.is_some() {
                rect class="true" x=(c(MARGIN + 1.0)) y=(c(below + 3.0)) width="12" height="12" {}
                (text(MARGIN + 20.0, below + 13.5, "", "the true cell"))
            }
        }
    }

    fn description(&self) -> String {
        let truth = self.truth.and_then(|truth| self.values.get(truth));
        let truth = truth.map_or_else(String::new, |value| format!(" The true cell has {}.", figure(*value)));
        format!(
            "A map of {} by {} cells of {}; darker is more probable, up to {}.{truth}",
            self.columns,
            self.rows(),
            length(self.step),
            figure(self.largest())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(columns: usize, rows: usize) -> CellMap {
        let value = |at: usize| 1.0 / (1 + at) as f64;
        let values = (0..columns * rows).map(value).collect();
        CellMap { title: "Law".into(), columns, step: 500.0, values, truth: Some(0) }
    }

    #[test]
    fn the_first_cell_is_in_the_south_west_and_the_last_in_the_north_east() {
        let text = map(3, 2).svg().into_string();
        let corners: Vec<(f64, f64)> = text
            .split("<rect class=\"cell")
            .skip(1)
            .take(6)
            .map(|rest| {
                let number = |name: &str| rest.split(name).nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
                (number(" x=\""), number(" y=\""))
            })
            .collect();
        assert!(corners[0].0 < corners[2].0 && corners[0].1 == corners[2].1);
        assert!(corners[5].1 < corners[0].1 && corners[5].0 == corners[2].0, "{corners:?}");
        let frame = format!("<rect class=\"true\" x=\"{}\" y=\"{}\"", c(corners[0].0), c(corners[0].1));
        assert!(text.contains(&frame), "{text}");
        assert!(text.contains("<title>the true cell: 1</title>"));
        assert!(text.contains("<title>500 m north, 1 km east: 0.167</title>"));
    }

    #[test]
    fn colours_are_relative_to_the_largest_and_zero_has_none() {
        let map = CellMap { values: vec![0.02, 0.0, 0.01, 1e-30], ..map(2, 2) };
        assert_eq!(map.values.iter().map(|&value| map.level(value)).collect::<Vec<_>>(), [10, 0, 5, 0]);
        let none = CellMap { values: vec![], ..map };
        assert!(none.svg().into_string().starts_with("<svg"));
    }

    #[test]
    fn many_cells_are_few_elements_and_no_cell_is_flat() {
        let text = map(100, 100).svg().into_string();
        assert!(text.matches("<path class=\"cell").count() <= 11 && text.len() < 400_000);
        for (columns, rows) in [(1, 50), (50, 1), (1, 1), (7, 3)] {
            let text = map(columns, rows).svg().into_string();
            let height: f64 = text.split(" height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            assert!(height < 560.0, "{columns} by {rows}: {height}");
        }
    }
}
