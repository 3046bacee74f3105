//! The counts 0 to n as categories.

use super::encode::{Encode, Labels};
use lookalike::Sentence;
use lookalike::counts::largest_count;
use lookalike::model::Mechanism;
use lookalike_formats::Result;

/// The codes of the counts "0" to "n": [`Labels`] whose errors know what a count is.
///
/// A count above n is a neighbour of n, so of all categories only n may stand for it.
///
/// # Example
/// ```
/// use lookalike::counts::geometric;
/// use lookalike_records::{CountLabels, Encode};
/// let counts = CountLabels::of(&geometric(4, &"0.9".parse()?)?)?.expect("the categories are counts");
/// assert_eq!((counts.encode("3"), counts.encode("03"), counts.encode("5"), counts.largest()), (Some(3), None, None, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CountLabels {
    labels: Labels,
    /// Whether larger counts are taken as n.
    cut: bool,
}

impl CountLabels {
    /// Those of a mechanism over counts: the values themselves are secret, and they are "0" to "n" with n at least 2.
    ///
    /// # Errors
    /// None for a mechanism.
    pub fn of(mechanism: &Mechanism) -> Result<Option<Self>> {
        let names = || mechanism.inputs().names().iter().map(str::to_owned);
        let largest = largest_count(mechanism).filter(|&n| n > 1);
        largest.map(|_| Labels::new(names()).map(|labels| CountLabels { labels, cut: false })).transpose()
    }

    /// The same, and a whole number above n has the code of n: no two counts move apart by that.
    #[must_use]
    pub fn cut_at_largest(self) -> Self {
        CountLabels { cut: true, ..self }
    }

    /// The largest count, n.
    pub fn largest(&self) -> usize {
        self.labels.count() - 1
    }
}

impl Encode for CountLabels {
    fn encode(&self, text: &str) -> Option<u32> {
        self.labels.encode(text).or_else(|| (self.cut && is_whole(text)).then(|| self.largest() as u32))
    }

    fn count(&self) -> usize {
        self.labels.count()
    }

    fn all(&self, is_such: &dyn Fn(&str) -> bool) -> bool {
        self.labels.all(is_such)
    }

    fn hint(&self) -> Sentence {
        let largest = self.largest();
        let counts = Sentence::from(format!(", which are counts from 0 to {largest}"));
        if self.cut {
            return counts.text(", nor a larger whole number");
        }
        let as_largest = Sentence::new().option("unknown").number(largest).text(" releases larger ones as ");
        counts
            .hint(Sentence::from("a mechanism for a larger n takes more; ").then(as_largest).text(largest.to_string()))
    }

    fn way_out_of_missing(&self) -> &'static str {
        " (no count stands for missing data: fill it in or leave the row out)"
    }
}

/// Whether a text that is no count up to n is a larger one: digits, without a sign, a zero in front or a fraction.
fn is_whole(text: &str) -> bool {
    !text.starts_with('0') && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::counts::geometric;

    #[test]
    fn only_larger_counts_stand_as_the_largest() {
        let counts = CountLabels::of(&geometric(4, &"0.9".parse().unwrap()).unwrap()).unwrap().unwrap();
        let cut = counts.clone().cut_at_largest();
        for larger in ["5", "10", "99999999999999999999999999"] {
            assert_eq!((counts.encode(larger), cut.encode(larger)), (None, Some(4)), "{larger}");
        }
        assert_eq!([0, 3, 4].map(|count: u32| cut.encode(&count.to_string())), [0, 3, 4].map(Some));
        for other in ["-1", "-0", "3.0", "03", "+3", " 3", "foo", "", "5.0", "1e3"] {
            assert_eq!(cut.encode(other), None, "{other}");
        }
    }
}
