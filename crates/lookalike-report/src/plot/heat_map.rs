//! Numbers as colours.

use super::frame::{MARGIN, heading, name, picture, text};
use super::text::{LINE, SIZE, clean, coordinate as c, figure, shorten, width};
use maud::{Markup, html};

/// A table of probabilities as colours, with the numbers where they fit.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// What the map says.
    pub title: String,
    /// What a row is.
    pub row_label: String,
    /// What a column is.
    pub column_label: String,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Probabilities, row by row.
    pub values: Vec<Vec<f64>>,
}

/// The widest that names may become.
const MOST_NAME: f64 = 110.0;
/// Where a map with few columns ends: cells need not be wider.
const WIDEST_CELL: f64 = 64.0;
/// About the width of the cells together.
const CELLS: f64 = 364.0;
/// Steps of colour above 0.
const LEVELS: usize = 10;
/// Cells without their number in them show it when pointed at, up to so many.
const MOST_HINTS: usize = 400;

impl HeatMap {
    /// The map as an `svg` element, as wide as it needs to be.
    pub fn svg(&self) -> Markup {
        let longest = |names: &[String]| names.iter().map(|name| width(&clean(name), SIZE)).fold(0.0, f64::max);
        let names = longest(&self.rows).min(MOST_NAME);
        let numbers = width("0.00", SIZE) + 4.0;
        let least = numbers + 10.0;
        let count = self.columns.len().max(1) as f64;
        let cell = (longest(&self.columns) + 8.0).clamp(least, WIDEST_CELL).min((CELLS / count).max(9.0));
        let has_numbers = cell >= numbers;
        let height = if has_numbers { 24.0 } else { cell.clamp(14.0, 24.0) };
        let is_upright = longest(&self.columns) + 6.0 > cell;
        // Narrow columns have a name here and there only.
        let stride = if is_upright { (SIZE * 1.25 / cell).ceil() as usize } else { 1 };
        let left = MARGIN + names + 8.0;
        let right = left + count * cell;
        let picture_width = (right + MARGIN).max(240.0);
        let (heading, top) = heading(&self.title, MARGIN, picture_width);
        let (top, head) =
            (top + LINE, if is_upright { longest(&self.columns).min(MOST_NAME) + 8.0 } else { LINE + 2.0 });
        let first = top + head;
        let bottom = first + self.rows.len() as f64 * height;
        let directions = format!("{} ↓   {} →", self.row_label, self.column_label);
        let body = html! {
            (heading)
            (name(MARGIN, top - 5.0, "soft", &directions, picture_width - 2.0 * MARGIN))
            @for (at, column) in self.columns.iter().enumerate().step_by(stride) {
                @let x = left + (at as f64 + 0.5) * cell;
                @if is_upright { (upright(x + 4.5, first - 5.0, column, head - 6.0)) }
                @else { (name(x, first - 6.0, "middle", column, cell)) }
            }
            @for (at, row) in self.rows.iter().enumerate() {
                (name(left - 6.0, first + (at as f64 + 0.5) * height + 4.5, "end", row, names))
            }
            @if has_numbers || self.rows.len() * self.columns.len() <= MOST_HINTS {
                @for (at, place, value) in self.cells() {
                    @let corner = (left + place as f64 * cell, first + at as f64 * height);
                    (self.cell(at, place, value, (corner.0, corner.1, cell, height), has_numbers))
                }
            } @else { (self.levels((left, first), (cell, height))) }
            (scale(MARGIN, bottom + 8.0))
        };
        picture((picture_width, bottom + 8.0 + LINE + MARGIN), &self.title, &self.description(), body)
    }

    /// Row, column and value of each cell.
    fn cells(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let row = |(at, row): (usize, &'_ Vec<f64>)| {
            row.iter().enumerate().map(move |(place, &value)| (at, place, value)).collect::<Vec<_>>()
        };
        self.values.iter().enumerate().flat_map(row)
    }

    /// One cell, with its number or, where that does not fit, with a hint.
    fn cell(
        &self,
        row: usize,
        column: usize,
        value: f64,
        (x, y, w, h): (f64, f64, f64, f64),
        has_number: bool,
    ) -> Markup {
        let level = level(value);
        let short = |name: &str| shorten(name, 120.0, SIZE);
        html! {
            rect class={"cell h" (level)} x=(c(x)) y=(c(y)) width=(c(w)) height=(c(h)) {
                @if !has_number {
                    title { (short(&self.rows[row])) ", " (short(&self.columns[column])) ": " (figure(value)) }
                }
            }
            @if has_number { (text(x + w / 2.0, y + h / 2.0 + 4.5, &format!("middle v{level}"), &number(value))) }
        }
    }

    /// Many cells, those of one colour together.
    fn levels(&self, (left, top): (f64, f64), (w, h): (f64, f64)) -> Markup {
        let mut paths = vec![String::new(); LEVELS + 1];
        for (row, column, value) in self.cells() {
            let (x, y) = (c(left + column as f64 * w), c(top + row as f64 * h));
            paths[level(value)] += &format!("M{x} {y}h{}v{}h-{}z", c(w), c(h), c(w));
        }
        html! {
            @for (level, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                path class={"cell h" (level)} d=(path) {}
            }
        }
    }

    fn description(&self) -> String {
        format!(
            "{} {} by {} {}; darker is more probable.",
            self.rows.len(),
            self.row_label,
            self.columns.len(),
            self.column_label
        )
    }
}

/// A name that runs upward from its place.
fn upright(x: f64, y: f64, name: &str, most: f64) -> Markup {
    let short = shorten(name, most, SIZE);
    let whole = (short != clean(name)).then(|| clean(name));
    html! {
        text x=(c(x)) y=(c(y)) transform={"rotate(-90 " (c(x)) " " (c(y)) ")"} {
            (short)
            @if let Some(whole) = whole { title { (whole) } }
        }
    }
}

/// The legend: from 0 to 1.
fn scale(x: f64, y: f64) -> Markup {
    const STEP: f64 = 14.0;
    let start = x + width("0", SIZE) + 4.0;
    html! {
        (text(x, y + 12.5, "soft", "0"))
        @for level in 0..=LEVELS {
            rect class={"cell h" (level)} x=(c(start + level as f64 * STEP)) y=(c(y)) width=(c(STEP)) height="16" {}
        }
        (text(start + (LEVELS + 1) as f64 * STEP + 6.0, y + 12.5, "soft", "1"))
    }
}

/// The step of colour; only what happens less than once in a billion times has none.
fn level(value: f64) -> usize {
    if value > 1e-9 { ((value * LEVELS as f64).round() as usize).clamp(1, LEVELS) } else { 0 }
}

/// Two decimals; a bare 0 or 1 is exact.
fn number(value: f64) -> String {
    if value == 0.0 || value == 1.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(size: usize) -> HeatMap {
        let names = |what: &str| (0..size).map(|at| format!("{what}{at}")).collect();
        let value = |row: usize, column: usize| {
            if row == column {
                1.0
            } else if row < column {
                0.0
            } else {
                0.001
            }
        };
        HeatMap {
            title: "Channel".into(),
            row_label: "true value".into(),
            column_label: "released value".into(),
            rows: names("in"),
            columns: names("out"),
            values: (0..size).map(|row| (0..size).map(|column| value(row, column)).collect()).collect(),
        }
    }

    #[test]
    fn only_what_next_to_never_happens_has_no_colour() {
        assert_eq!([0.0, 1e-8, 0.04, 0.5, 0.96, 1.0].map(level), [0, 1, 1, 5, 10, 10]);
        assert_eq!([0.0, 1e-9, 0.995, 1.0].map(number), ["0", "0.00", "0.99", "1"].map(String::from));
    }

    #[test]
    fn numbers_stand_in_cells_while_they_fit() {
        let (small, large) = (map(3).svg().into_string(), map(20).svg().into_string());
        assert!(small.contains(">0.00<") && !small.contains("rotate"));
        assert!(!large.contains(">0.00<") && large.contains("rotate(-90"));
        assert!(large.contains("<title>in3, out1: 0.001</title>"), "{large}");
        let many = map(30).svg().into_string();
        assert!(!many.contains("in3, out1") && many.len() < 40_000);
        let corners = |level: usize| {
            let paths = many.split(&format!("<path class=\"cell h{level}\" d=\"")).nth(1);
            paths.map_or(0, |rest| rest.split('"').next().unwrap().matches('M').count())
        };
        assert_eq!([0, 1, 5, 10].map(corners), [435, 435, 0, 30]);
    }
}
