//! The domain of counts: 0 to n, neighbours alike.

use super::Alpha;
use crate::error::{Error, Result};
use crate::model::{Categories, Channel, Mechanism, SecretGraph};

/// Larger groups have more entries than are worth designing: a mechanism has (n + 1)² of them.
const LARGEST: usize = 1024;

/// The group's size, checked.
///
/// # Errors
/// A group of nobody, or of more than 1024.
pub(super) fn check_size(n: usize) -> Result<()> {
    if n == 0 {
        return Err(Error::input("a group of n = 0, expected at least 1: a count of nobody tells nothing"));
    }
    if n > LARGEST {
        return Err(Error::input(format!(
            "a group of n = {n}, expected at most {LARGEST}; add noise to larger counts"
        )));
    }
    Ok(())
}

/// The counts of a group of n people: the categories "0" to "n".
///
/// # Errors
/// A group of nobody, or of more than 1024.
pub fn categories(n: usize) -> Result<Categories> {
    check_size(n)?;
    Categories::new((0..=n).map(|count| count.to_string()))
}

/// The mechanism over the counts of n people with these weights, row after row, and the claim that counts that differ
/// by one person look alike within ε = −ln α.
///
/// # Errors
/// A group of nobody or of more than 1024, and weights of another number or with another sum than 2^53 a row.
pub(super) fn mechanism(n: usize, alpha: &Alpha, weights: Vec<u64>) -> Result<Mechanism> {
    let counts = categories(n)?;
    let mut builder = SecretGraph::builder(counts.names().clone());
    builder.chain(alpha.epsilon());
    Mechanism::point(counts.clone(), counts, builder.build()?, Channel::from_weights(weights, n + 1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_a_chain_of_neighbours() {
        assert_eq!(categories(3).unwrap().names().iter().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
        let alpha: Alpha = "1/2".parse().unwrap();
        let mechanism = mechanism(1, &alpha, vec![1 << 52; 4]).unwrap();
        assert_eq!((mechanism.graph().pairs(), mechanism.graph().epsilon_between(0, 1)), (1, Some(alpha.epsilon())));
        assert!(categories(0).unwrap_err().to_string().contains("expected at least 1"));
        assert!(categories(5000).unwrap_err().to_string().contains("at most 1024"));
    }
}
