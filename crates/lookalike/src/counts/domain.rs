//! The domain of counts: 0 to n, neighbours alike.

use super::Alpha;
use crate::exact::Epsilon;
use crate::model::{Categories, Channel, Kind, Mechanism, SecretGraph};
use crate::{Error, Result};

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
    Mechanism::point(counts.clone(), counts, builder.build()?, Channel::from_weights(weights, n + 1)?)?.of_counts()
}

/// n, where what is secret are the counts "0" to "n" themselves; `None` for any other mechanism.
///
/// # Example
/// ```
/// use lookalike::counts::{geometric, largest_count};
/// assert_eq!(largest_count(&geometric(4, &"0.9".parse()?)?), Some(4));
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn largest_count(mechanism: &Mechanism) -> Option<usize> {
    let names = mechanism.inputs().names();
    let in_order = names.iter().enumerate().all(|(place, name)| name == place.to_string());
    (mechanism.kind() == Kind::Point && in_order && names.len() > 1).then(|| names.len() - 1)
}

/// The ε of the counts 0 and 1, of 1 and 2, and so on to n; `None` where the mechanism is not over counts, or claims
/// nothing of two neighbours.
///
/// # Example
/// ```
/// use lookalike::counts::{geometric, neighbour_epsilons};
/// let mechanism = geometric(3, &"0.9".parse()?)?;
/// let epsilons = neighbour_epsilons(&mechanism).expect("a chain of counts");
/// assert_eq!(epsilons.iter().map(|epsilon| epsilon.to_string()).collect::<Vec<_>>(), ["ln(10/9)"; 3]);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn neighbour_epsilons(mechanism: &Mechanism) -> Option<Vec<&Epsilon>> {
    let n = largest_count(mechanism)? as u32;
    (0..n).map(|lower| mechanism.graph().epsilon_between(lower, lower + 1)).collect()
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
    #[test]
    fn only_counts_in_order_are_taken_for_counts() {
        let of = |names: &[&str], joined: &[(u32, u32)]| {
            let categories = Categories::new(names).unwrap();
            let mut builder = SecretGraph::builder(categories.names().clone());
            joined.iter().for_each(|&(a, b)| builder.edge(a, b, "1".parse().unwrap()).unwrap());
            let channel = Channel::identity(names.len()).unwrap();
            Mechanism::point(categories.clone(), categories, builder.build().unwrap(), channel).unwrap()
        };
        let chain = of(&["0", "1", "2"], &[(0, 1), (1, 2)]);
        assert_eq!((largest_count(&chain), neighbour_epsilons(&chain).map(|found| found.len())), (Some(2), Some(2)));
        let gap = of(&["0", "1", "2"], &[(0, 1), (0, 2)]);
        assert_eq!((largest_count(&gap), neighbour_epsilons(&gap)), (Some(2), None));
        for names in [["1", "0", "2"], ["0", "1", "3"], ["00", "1", "2"], ["no", "yes", "maybe"]] {
            let other = of(&names, &[(0, 1), (1, 2)]);
            assert_eq!((largest_count(&other), neighbour_epsilons(&other)), (None, None), "{names:?}");
        }
    }
}
