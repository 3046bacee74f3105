//! Secret graphs over cells: which places must look alike, and how much.

use super::Cells;
use crate::exact::{Epsilon, Rational};
use crate::model::SecretGraph;
use crate::{Error, Result};
use num_traits::Signed;
use std::collections::BTreeMap;

/// Geo-indistinguishability: every two cells, within ε·distance, exactly, for an ε per unit of length.
///
/// # Errors
/// An ε so large that the budget of the two farthest cells is above 100,000.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::{Cells, all_pairs}};
/// let graph = all_pairs(&Cells::new(5, 5, parse_rational("100")?)?, &"ln(4)/200".parse()?)?;
/// assert_eq!(graph.edges().len(), 300);
/// assert_eq!(graph.epsilon_between(0, 6).unwrap().to_string(), "sqrt(2)*ln(2)");
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Andrés, Bordenabe, Chatzikokolakis and Palamidessi, Geo-Indistinguishability (2013), definition 3.1.
pub fn all_pairs(cells: &Cells, epsilon: &Epsilon) -> Result<SecretGraph> {
    along(cells, &pairs(cells).collect::<Vec<_>>(), epsilon)
}

/// Cells at most `radius` apart, all within one level ε.
///
/// # Guarantee
/// It promises less than [`all_pairs`] at level/radius does. Two cells that are nearer than the radius are alike within
/// the whole level and no better, however near they are. Nothing is said of cells that are farther apart, except what
/// chains of such pairs give: k steps of at most `radius` from one to the other are k levels. And cells with no neighbour
/// within the radius are not protected at all.
///
/// # Errors
/// A radius shorter than a step: no two cells would be protected.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::{Cells, within}};
/// let cells = Cells::new(5, 5, parse_rational("100")?)?;
/// let graph = within(&cells, &parse_rational("150")?, &"ln(4)".parse()?)?;
/// assert_eq!(graph.edges().len(), 40 + 32);
/// assert!(graph.epsilon_between(0, 2).is_none());
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn within(cells: &Cells, radius: &Rational, level: &Epsilon) -> Result<SecretGraph> {
    if radius < cells.step() {
        let found = if radius.is_positive() { radius.to_string() } else { format!("{radius} (not above 0)") };
        return Err(Error::input(format!(
            "radius = {found}, expected at least the step {}: no two cells would be protected",
            cells.step()
        )));
    }
    let (radius, step) = (radius * radius, cells.step() * cells.step());
    let is_near = |&(a, b): &(u32, u32)| &step * Rational::from_integer(cells.squared_steps(a, b).into()) <= radius;
    let mut builder = SecretGraph::builder(cells.categories()?.names().clone());
    for (a, b) in pairs(cells).filter(is_near) {
        builder.edge(a, b, level.clone())?;
    }
    builder.build()
}

/// The graph with these edges, each within ε·distance.
pub(super) fn along(cells: &Cells, edges: &[(u32, u32)], epsilon: &Epsilon) -> Result<SecretGraph> {
    let mut builder = SecretGraph::builder(cells.categories()?.names().clone());
    // One budget a distance, shared by its pairs: there are few distances.
    let mut budgets: BTreeMap<u64, Epsilon> = BTreeMap::new();
    for &(a, b) in edges {
        let squared = cells.squared_steps(a, b);
        let budget = match budgets.get(&squared) {
            Some(budget) => budget.clone(),
            None => budgets.entry(squared).or_insert(cells.over(squared, epsilon)?).clone(),
        };
        builder.edge(a, b, budget)?;
    }
    builder.build()
}

/// Every two cells, the smaller first, ascending.
pub(super) fn pairs(cells: &Cells) -> impl Iterator<Item = (u32, u32)> {
    let count = cells.len() as u32;
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    #[test]
    fn a_pair_at_exactly_the_radius_is_protected_and_one_beyond_is_not() {
        let cells = Cells::new(4, 4, parse_rational("1/3").unwrap()).unwrap();
        let edges = |radius: &str| {
            within(&cells, &parse_rational(radius).unwrap(), &"1".parse().unwrap()).map(|graph| graph.edges().len())
        };
        assert_eq!(edges("1/3").unwrap(), 24);
        // Two steps are 2/3, and the diagonal is shorter.
        assert_eq!(edges("2/3").unwrap(), 24 + 18 + 16);
        assert_eq!(edges("0.666666666666").unwrap(), 24 + 18);
        let message = edges("0.3").unwrap_err().to_string();
        assert_eq!(message, "radius = 3/10, expected at least the step 1/3: no two cells would be protected");
        assert!(edges("-1").unwrap_err().to_string().starts_with("radius = -1 (not above 0)"));
    }

    #[test]
    fn an_epsilon_in_the_wrong_unit_is_refused() {
        let cells = Cells::new(50, 2, parse_rational("1000").unwrap()).unwrap();
        let message = all_pairs(&cells, &"5".parse().unwrap()).unwrap_err().to_string();
        assert!(message.contains("is above 100000: nothing would be protected"), "{message}");
    }
}
