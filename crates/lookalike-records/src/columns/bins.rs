//! Numbers as bins.

use super::encode::Encode;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::Categories;

/// The code of a number is the bin that holds it, decided exactly.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Categories};
/// use lookalike_records::{Bins, Encode};
/// let edges = ["0", "0.1", "0.3"].map(|edge| parse_rational(edge).unwrap()).to_vec();
/// let bins = Bins::new(Categories::from_bins(edges)?);
/// assert_eq!((bins.encode("0.0999"), bins.encode("0.1"), bins.encode("-1")), (Some(0), Some(1), None));
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bins(Categories);

impl Bins {
    /// An encoder for categories made of bins; for others it knows no text.
    pub fn new(categories: Categories) -> Self {
        Bins(categories)
    }
}

impl Encode for Bins {
    fn encode(&self, text: &str) -> Option<u32> {
        self.0.bin_of(&parse_rational(text).ok()?)
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn edges(&self) -> Option<&[Rational]> {
        self.0.bins()
    }
}
