//! The finite domain of inputs or outputs.

use super::Names;
use crate::error::{Error, Result};
use crate::exact::Rational;

/// The values that a record can take: named categories, or bins of a number.
///
/// Bins are given by their lower edges: `0, 10, 50` are `0..10`, `10..50` and `50..`; each holds its lower edge and
/// not its upper one, and nothing lies below the first.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::Categories};
/// let bins = Categories::from_bins(["0", "10", "50"].map(|edge| parse_rational(edge).unwrap()).to_vec())?;
/// assert_eq!(bins.names().iter().collect::<Vec<_>>(), ["0..10", "10..50", "50.."]);
/// assert_eq!(bins.bin_of(&parse_rational("10")?), Some(1));
/// assert_eq!(bins.bin_of(&parse_rational("-1")?), None);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Categories {
    names: Names,
    bins: Option<Vec<Rational>>,
}

impl Categories {
    /// Named categories, in order.
    ///
    /// # Errors
    /// Empty or repeated names, or none.
    pub fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Result<Self> {
        Ok(Categories { names: Names::new("category", names)?, bins: None })
    }

    /// Bins by their lower edges.
    ///
    /// # Errors
    /// No edge, or edges that do not increase.
    pub fn from_bins(edges: Vec<Rational>) -> Result<Self> {
        if let Some(at) = edges.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(Error::input(format!(
                "bins: edge {} is {}, expected more than {} before it",
                at + 2,
                edges[at + 1],
                edges[at]
            )));
        }
        let label = |at: usize| match edges.get(at + 1) {
            Some(next) => format!("{}..{next}", edges[at]),
            None => format!("{}..", edges[at]),
        };
        let names = Names::new("bin", (0..edges.len()).map(label))?;
        Ok(Categories { names, bins: Some(edges) })
    }

    /// How many there are: d.
    #[allow(clippy::len_without_is_empty, reason = "there is always a category")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Their names, in order.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The lower edges when these are bins.
    pub fn bins(&self) -> Option<&[Rational]> {
        self.bins.as_deref()
    }

    /// The bin that holds a number; `None` below the first edge, or when these are no bins.
    pub fn bin_of(&self, value: &Rational) -> Option<u32> {
        let above = self.bins.as_ref()?.partition_point(|edge| edge <= value);
        above.checked_sub(1).map(|place| place as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_must_increase() {
        let edges = [0, 5, 5].map(|edge| Rational::from_integer(edge.into())).to_vec();
        let message = Categories::from_bins(edges).unwrap_err().to_string();
        assert_eq!(message, "bins: edge 3 is 5, expected more than 5 before it");
        assert_eq!(Categories::from_bins(vec![]).unwrap_err().to_string(), "no bin, expected at least one");
    }
}
