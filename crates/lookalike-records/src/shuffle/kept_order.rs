//! Whether a kept column tells the order that a shuffle hides.

use std::cmp::Ordering;

use arrow_array::{ArrayRef, cast::AsArray};
use arrow_ord::ord::make_comparator;
use arrow_schema::{DataType, SortOptions};

/// Watches a column on its way: whether its rows came in order, as those of a timestamp or a counter do.
///
/// Up or down, with at most one row in a hundred out of its place, and with so many different values that sorting by
/// them puts rows back to about where they were: 64, or half as many as rows. Eight rows are too few to tell. Texts that
/// are whole numbers are compared as such.
#[derive(Default)]
pub struct KeptOrder {
    rows: u64,
    up: Option<Direction>,
    down: Option<Direction>,
}

/// How many rows went on in a direction.
#[derive(Default)]
struct Direction {
    /// The foremost row so far, alone in a column.
    foremost: Option<ArrayRef>,
    /// How often a row went beyond it: the different values of rows in order, less one.
    steps: u64,
    /// How often a row fell behind it.
    behind: u64,
}

/// One row in so many may be out of its place.
const SELDOM: u64 = 100;
/// Rows after which a column that is not in order is no longer looked at.
const ENOUGH: u64 = 10_000;
/// Different values that are many for any number of rows.
const MANY: u64 = 64;
/// Rows that are too few to be in order other than by chance: 2/8! is less than one in ten thousand.
const FEW: u64 = 8;

impl KeptOrder {
    /// Looks at rows from the first on.
    pub fn watching() -> Self {
        KeptOrder { rows: 0, up: Some(Direction::default()), down: Some(Direction::default()) }
    }

    /// Looks at the next rows.
    pub fn see(&mut self, column: &ArrayRef) {
        self.rows += column.len() as u64;
        let rows = self.rows;
        for (direction, descending) in [(&mut self.up, false), (&mut self.down, true)] {
            let given_up = direction.as_mut().is_some_and(|direction| {
                !direction.see(column, descending) || rows > ENOUGH && direction.behind > rows / SELDOM
            });
            if given_up {
                *direction = None;
            }
        }
    }

    /// Whether the rows came in an order that this column restores.
    pub fn is_sorted(&self) -> bool {
        let sorted = |direction: &Direction| {
            let values = direction.steps + 1;
            direction.behind <= self.rows / SELDOM && (values >= MANY || 2 * values >= self.rows)
        };
        self.rows >= FEW && [&self.up, &self.down].into_iter().flatten().any(sorted)
    }
}

impl Direction {
    /// Whether the column has an order at all.
    fn see(&mut self, column: &ArrayRef, descending: bool) -> bool {
        let Some(within) = comparison(column, column, descending) else { return false };
        let before = self.foremost.as_ref().and_then(|last| comparison(column, last, descending));
        let mut foremost = None;
        for row in 0..column.len() {
            let ordering = match (foremost, &before) {
                (Some(foremost), _) => within(row, foremost),
                (None, Some(before)) => before(row, 0),
                (None, None) => {
                    foremost = Some(row);
                    continue;
                }
            };
            match ordering {
                Ordering::Greater => {
                    foremost = Some(row);
                    self.steps += 1;
                }
                Ordering::Less => self.behind += 1,
                Ordering::Equal => {}
            }
        }
        if let Some(row) = foremost {
            self.foremost = Some(column.slice(row, 1));
        }
        true
    }
}

type Comparison = Box<dyn Fn(usize, usize) -> Ordering>;

/// How a row of the one column stands to a row of the other, which has the same type; `None` where it has no order.
fn comparison(column: &ArrayRef, other: &ArrayRef, descending: bool) -> Option<Comparison> {
    macro_rules! texts {
        ($column:expr, $other:expr) => {{
            let (column, other) = ($column.clone(), $other.clone());
            Box::new(move |row, at| by_number(column.value(row).as_ref(), other.value(at).as_ref())) as Comparison
        }};
    }
    let ascending: Comparison = match column.data_type() {
        DataType::Utf8 => texts!(column.as_string::<i32>(), other.as_string::<i32>()),
        DataType::LargeUtf8 => texts!(column.as_string::<i64>(), other.as_string::<i64>()),
        DataType::Binary => texts!(column.as_binary::<i32>(), other.as_binary::<i32>()),
        _ => make_comparator(column, other, SortOptions::default()).ok()?,
    };
    Some(if descending { Box::new(move |row, at| ascending(row, at).reverse()) } else { ascending })
}

/// By number where both are whole ones, otherwise byte by byte, which is right for dates that begin with the year.
fn by_number(text: &[u8], other: &[u8]) -> Ordering {
    // A text of JSON has its quotes.
    let [text, other] =
        [text, other].map(|text| text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text));
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    if !digits(text) || !digits(other) {
        return text.cmp(other);
    }
    let [text, other] = [text, other].map(|text| &text[text.iter().take_while(|digit| **digit == b'0').count()..]);
    (text.len(), text).cmp(&(other.len(), other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BinaryArray, Int64Array, StringArray, TimestampSecondArray};
    use std::sync::Arc;

    fn sorted(columns: impl IntoIterator<Item = ArrayRef>) -> bool {
        let mut order = KeptOrder::watching();
        columns.into_iter().for_each(|column| order.see(&column));
        order.is_sorted()
    }

    fn numbers(rows: impl IntoIterator<Item = i64>) -> ArrayRef {
        Arc::new(Int64Array::from_iter(rows))
    }

    #[test]
    fn counters_and_timestamps_are_noticed_across_batches_up_and_down() {
        assert!(sorted([numbers(0..50), numbers(50..51), numbers(51..100)]));
        assert!(sorted([numbers((0..50).rev()), numbers((-50..0).rev())]));
        assert!(sorted([Arc::new(TimestampSecondArray::from_iter_values((0..1000).map(|row| row / 3))) as ArrayRef]));
        assert!(!sorted([numbers(50..100), numbers(0..50)]));
        assert!(!sorted([numbers((0..1000).map(|row| row * 7919 % 1000))]));
    }

    #[test]
    fn texts_are_compared_as_numbers_where_they_are() {
        let texts = |rows: Vec<String>| Arc::new(StringArray::from(rows)) as ArrayRef;
        let bytes = |rows: Vec<String>| Arc::new(BinaryArray::from_iter_values(rows)) as ArrayRef;
        let counter = |start: usize| (start..start + 60).map(|row| row.to_string()).collect::<Vec<_>>();
        assert!(sorted([texts(counter(1)), texts(counter(61))]) && sorted([bytes(counter(1)), bytes(counter(61))]));
        let dates = (0..60).map(|row| format!("2024-{:02}-{:02}T00:00", row / 28 + 1, row % 28 + 1)).collect();
        assert!(sorted([texts(dates)]));
        assert!(!sorted([texts((0..60).map(|row| format!("name {}", row * 7 % 60)).collect())]));
        assert_eq!(by_number(b"007", b"7"), Ordering::Equal);
        assert_eq!(by_number(b"", b"7"), Ordering::Less);
        assert_eq!(by_number(b"\"9\"", b"\"10\""), Ordering::Less, "texts of JSON");
    }

    #[test]
    fn few_values_few_rows_and_disorder_are_not_warned_of() {
        assert!(!sorted([numbers((0..1000).map(|row| row / 100))]), "ten values put nobody back in place");
        assert!(sorted([numbers((0..640).map(|row| row / 10))]), "64 do");
        assert!(!sorted([numbers((0..630).map(|row| row / 10))]));
        assert!(!sorted([numbers(0..7)]) && sorted([numbers(0..8)]));
        assert!(!sorted([numbers(std::iter::repeat_n(5, 1000))]) && !sorted([]));
    }

    #[test]
    fn one_row_in_a_hundred_may_be_out_of_place() {
        let late = |every: i64| numbers((0..20_000).map(move |row| if row % every == 1 { row - 3 } else { row }));
        assert!(sorted([late(100)]) && !sorted([late(99)]));
    }

    #[test]
    fn a_column_out_of_order_is_soon_no_longer_looked_at() {
        let mut order = KeptOrder::watching();
        order.see(&numbers((0..20_000).map(|row| row * 7919 % 20_011)));
        assert!(order.up.is_none() && order.down.is_none());
    }
}
