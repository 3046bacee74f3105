//! The order of the rows of a release, looked at in one pass and bounded memory.

use super::row_sequence::{is_grouped, order_of};
use lookalike::Sentence;

/// What the order of rows tells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The rows are in the order of the column, or all rows with the same entry stand together.
    Sorted,
    /// Equal or near entries stand together more often than by chance.
    Runs,
    /// Entries rise or fall along the rows.
    Trend,
    /// Entries can be foretold from those before them, as where profiles take turns.
    Periodic,
}

/// What the order of the rows of a release tells of their profiles and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowOrder {
    /// Of the profiles, where rows have them.
    pub profiles: Option<Order>,
    /// Of the true values.
    pub values: Option<Order>,
}

impl RowOrder {
    /// What the owner of the records should know, without a value or a name. Not for publication: it is about the input. What is
    /// private in a row is called so: a `value`, or a `place`.
    pub fn warnings(&self, private: &str) -> impl Iterator<Item = Sentence> {
        let told = |order: Order, column: &str| {
            let found = match order {
                Order::Sorted => format!("the rows were sorted by {column}, so their order reveals it"),
                Order::Runs => format!("rows of the same {column} stand together, so their order tells of it"),
                Order::Trend => format!("the {column} changes along the rows, so their order tells of it"),
                Order::Periodic => {
                    format!("the {column} follows a pattern that comes round, so the order of rows tells of it")
                }
            };
            Sentence::from(found).hint(Sentence::new().flag("shuffle").text(" releases them in a random order"))
        };
        let profiles = self.profiles.map(|order| told(order, "profile"));
        profiles.into_iter().chain(self.values.map(|order| told(order, private)))
    }
}

/// Looks at the order of rows while they pass.
///
/// It keeps the first 16,384 rows and a thinned look at all of them, at most as many at equal distances, and decides at
/// the end by [`order_of`]. Both choices of rows depend on their number alone: in a random order of all rows they are in a
/// random order too. So a random order is warned of in one of a million releases. The exception are profiles whose rows
/// all stand together: in a file of a few rows that is a fact worth a word, whatever put them so.
///
/// What it does not see: patterns longer than half of the rows that it keeps, and such as no code foretells.
#[derive(Default)]
pub(crate) struct OrderWatch {
    profiles: Look,
    values: Look,
}

impl OrderWatch {
    /// Takes the next rows; there are no profiles where rows have none.
    pub fn see(&mut self, profiles: &[u32], values: &[u32]) {
        self.profiles.see(profiles);
        self.values.see(values);
    }

    pub fn found(&self) -> RowOrder {
        let all = self.profiles.thinned.is_empty();
        let grouped = (all && is_grouped(&self.profiles.first)).then_some(Order::Sorted);
        RowOrder { profiles: grouped.or_else(|| self.profiles.found()), values: self.values.found() }
    }
}

/// How many rows are kept of the first, and of all.
const KEPT: usize = 1 << 14;

/// The rows of one column that are kept.
#[derive(Default)]
struct Look {
    first: Vec<u32>,
    /// Every `1 << shift`-th row; none as long as the first rows are all.
    thinned: Vec<u32>,
    shift: u32,
    rows: u64,
}

impl Look {
    fn see(&mut self, codes: &[u32]) {
        let (begin, taken) = (self.rows, codes.len().min(KEPT - self.first.len()));
        self.first.extend_from_slice(&codes[..taken]);
        self.rows += codes.len() as u64;
        if self.thinned.is_empty() && taken < codes.len() {
            self.thinned = self.first.clone();
        }
        let mut next = begin + taken as u64;
        while taken < codes.len() {
            // The next row whose number is a multiple of the distance.
            next = next.next_multiple_of(1 << self.shift);
            if next >= self.rows {
                break;
            }
            if self.thinned.len() == KEPT {
                let mut at = 0;
                self.thinned.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.shift += 1;
                continue;
            }
            let places = (next..self.rows).step_by(1 << self.shift).take(KEPT - self.thinned.len());
            let before = self.thinned.len();
            self.thinned.extend(places.map(|row| codes[(row - begin) as usize]));
            next += ((self.thinned.len() - before) as u64) << self.shift;
        }
    }

    fn found(&self) -> Option<Order> {
        order_of(&self.first).or_else(|| order_of(&self.thinned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(codes: &[u32], batch: usize) -> Look {
        let mut look = Look::default();
        codes.chunks(batch).for_each(|codes| look.see(codes));
        look
    }

    #[test]
    fn the_rows_that_are_kept_depend_on_their_number_alone() {
        for rows in [0, 1, KEPT - 1, KEPT, KEPT + 1, 2 * KEPT, 2 * KEPT + 1, 300_000] {
            let codes: Vec<u32> = (0..rows as u32).collect();
            let whole = look(&codes, rows.max(1));
            for batch in [7, 1000, 65_536] {
                let parts = look(&codes, batch);
                assert!(parts.first == whole.first && parts.thinned == whole.thinned, "{rows} by {batch}");
            }
            assert!(whole.first == codes[..rows.min(KEPT)], "{rows}");
            let expected: Vec<u32> = codes.iter().copied().step_by(1 << whole.shift).collect();
            assert!(whole.thinned == if rows > KEPT { &expected[..] } else { &[] }, "{rows}");
            assert!(whole.thinned.len() <= KEPT && (rows <= KEPT || whole.thinned.len() >= KEPT / 2));
        }
    }

    #[test]
    fn order_that_begins_late_is_seen_in_the_thinned_look() {
        // A file of one value for a long time, and of another one after it.
        let codes: Vec<u32> = (0..1_000_000).map(|row| u32::from(row >= 600_000)).collect();
        let look = look(&codes, 65_536);
        assert_eq!((order_of(&look.first), look.found()), (None, Some(Order::Sorted)));
    }

    #[test]
    fn few_rows_of_profiles_that_stand_together_are_a_fact() {
        let profiles = |codes: &[u32]| {
            let mut watch = OrderWatch::default();
            watch.see(codes, &vec![0; codes.len()]);
            assert_eq!(watch.found().values, None);
            watch.found().profiles
        };
        assert_eq!(profiles(&[3, 3, 1, 1, 2]), Some(Order::Sorted));
        assert_eq!(profiles(&[3, 3, 1, 1, 3]), None);
        assert_eq!(profiles(&[3, 3, 3]), None, "one profile has no order");
        assert_eq!(profiles(&[3, 1, 2]), None, "every profile has one record");
        assert_eq!(profiles(&[]), None);
    }

    #[test]
    fn warnings_name_the_column_and_the_way_out_and_nothing_else() {
        let order = RowOrder { profiles: Some(Order::Periodic), values: Some(Order::Sorted) };
        assert_eq!(
            order.warnings("value").map(|warning| warning.to_string()).collect::<Vec<_>>(),
            [
                "the profile follows a pattern that comes round, so the order of rows tells of it (`shuffle` releases them in a \
                 random order)",
                "the rows were sorted by value, so their order reveals it (`shuffle` releases them in a random order)",
            ]
        );
    }
}
