//! The counts 0 to n as categories.

use super::{Encode, Labels};
use crate::Result;
use lookalike::counts::largest_count;
use lookalike::model::Mechanism;
use std::borrow::Cow;

/// The codes of the counts "0" to "n": [`Labels`] whose errors know what a count is.
///
/// A count above n is a neighbour of n, so of all categories only n may stand for it.
///
/// # Example
/// ```
/// use lookalike::counts::geometric;
/// use lookalike_io::records::{CountLabels, Encode};
/// let counts = CountLabels::of(&geometric(4, &"0.9".parse()?)?)?.expect("the categories are counts");
/// assert_eq!((counts.encode("3"), counts.encode("03"), counts.encode("5"), counts.largest()), (Some(3), None, None, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CountLabels(Labels);

impl CountLabels {
    /// Those of a mechanism over counts: the values themselves are secret, and they are "0" to "n" with n at least 2.
    ///
    /// # Errors
    /// None for a mechanism.
    pub fn of(mechanism: &Mechanism) -> Result<Option<Self>> {
        let names = || mechanism.inputs().names().iter().map(str::to_owned);
        let largest = largest_count(mechanism).filter(|&n| n > 1);
        largest.map(|_| Labels::new(names()).map(CountLabels)).transpose()
    }

    /// The largest count, n.
    pub fn largest(&self) -> usize {
        self.0.count() - 1
    }
}

impl Encode for CountLabels {
    fn encode(&self, text: &str) -> Option<u32> {
        self.0.encode(text)
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn way_out(&self) -> Cow<'static, str> {
        let largest = self.largest();
        format!(
            ", which are counts from 0 to {largest} (a mechanism for a larger n takes more; --unknown {largest} releases \
             larger ones as {largest})"
        )
        .into()
    }

    fn way_out_of_missing(&self) -> &'static str {
        " (no count stands for missing data: fill it in or leave the row out)"
    }
}
