//! Sensitivities by trying every pair of neighbours.

use lookalike::exact::Rational;
use std::ops::RangeInclusive;

/// A number computed from a database of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// The largest entry.
    Maximum,
    /// The mean of the entries.
    Mean,
}

/// The sensitivity of a query by definition: the most that it changes between two databases of `records` entries that
/// differ in one of them, over all such pairs.
///
/// Takes |range|^records · records · |range| evaluations.
///
/// # Panics
/// If there is no record or no value.
///
/// # Example
/// ```
/// use lookalike_experiments::{Query, sensitivity};
/// assert_eq!(sensitivity(Query::Maximum, 1..=300, 1).to_string(), "299");
/// assert_eq!(sensitivity(Query::Mean, 1..=5, 3).to_string(), "4/3");
/// ```
pub fn sensitivity(query: Query, range: RangeInclusive<i64>, records: usize) -> Rational {
    assert!(records > 0 && !range.is_empty(), "a database has records, and records have values");
    let (mut database, mut most) = (vec![*range.start(); records], 0);
    loop {
        let here = query.scaled(&database);
        for record in 0..records {
            let kept = database[record];
            for other in range.clone() {
                database[record] = other;
                most = most.max((query.scaled(&database) - here).abs());
            }
            database[record] = kept;
        }
        // The next database, as an odometer counts.
        let Some(record) = (0..records).find(|&record| database[record] < *range.end()) else {
            return Rational::new(most.into(), query.scale(records).into());
        };
        database[record] += 1;
        database[..record].fill(*range.start());
    }
}

impl Query {
    /// The answer times [`Query::scale`].
    fn scaled(self, database: &[i64]) -> i64 {
        match self {
            Query::Maximum => database.iter().copied().max().expect("a record"),
            Query::Mean => database.iter().sum(),
        }
    }

    fn scale(self, records: usize) -> i64 {
        match self {
            Query::Maximum => 1,
            Query::Mean => records as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_and_the_mean_have_their_closed_forms() {
        for (range, records) in [(1..=300, 1), (1..=300, 2), (1..=7, 4), (-2..=3, 5), (4..=4, 3)] {
            let width = range.end() - range.start();
            assert_eq!(sensitivity(Query::Maximum, range.clone(), records), Rational::from_integer(width.into()));
            let mean = Rational::new(width.into(), (records as i64).into());
            assert_eq!(sensitivity(Query::Mean, range, records), mean);
        }
    }
}
