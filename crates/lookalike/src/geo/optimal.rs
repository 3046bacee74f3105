//! The optimal mechanism on a grid, for a prior and a loss.

use super::Cells;
use super::graph::{all_pairs, along};
use super::spanner::{spanner, true_dilation};
use crate::design::{Algorithm, Objective, Problem, Watch, repair, smooth_categorical};
use crate::exact::{Epsilon, Rational};
use crate::model::{Loss, Mechanism, Prior};
use crate::{Error, Result};

/// The optimal mechanism of a grid, and what is proven about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimal {
    /// The mechanism; it claims ε·distance for all pairs, whatever the dilation.
    pub mechanism: Mechanism,
    /// The expected loss under the prior, to the nearest double.
    pub value: f64,
    /// Proven: no mechanism that keeps the edges of the program costs less. For δ = 1 these are all mechanisms that are
    /// private at ε. For δ > 1 mechanisms that are private at ε/dilation are among them; at ε there may be better ones,
    /// which only a smaller δ finds.
    pub lower_bound: f64,
    /// How many edges the program had, out of all pairs of cells.
    pub edges: usize,
    /// By how much more than their distance two cells are apart along the edges, at most: the δ asked for, or less.
    pub dilation: Rational,
    /// The share of every row that was given up for exactness.
    pub repair_cost: f64,
}

/// More cells, or rows of the program, take hours or all memory.
const MOST_CELLS: usize = 400;
const MOST_ROWS: usize = 3_000_000;

/// The mechanism K over the cells with the least `Σ_x π_x K(z|x)·loss(x, z)` under K(z|x) ≤ e^(ε·|x − x'|)·K(z|x').
///
/// For a dilation δ of 1 that is the optimum: all pairs, of which those with another cell on the line between them follow
/// from the rest and are left out of the program. For δ > 1 only the edges of a δ-[`spanner`] are in the program, each
/// with (ε/δ')·distance, where δ' ≤ δ is the dilation that the spanner turns out to have: along its paths that gives
/// ε·distance for all pairs. It is faster, and a little worse.
///
/// # Guarantee
/// Rounded and repaired for the claim of ε·distance for all pairs, which `lookalike::certify::certify` decides. The lower
/// bound is proven, see [`Optimal::lower_bound`].
///
/// # Errors
/// δ < 1, a prior or loss of another size, more than 400 cells or 3 million rows of the program, a program that does
/// not fit the memory, or cancellation by the caller.
///
/// # Complexity
/// About 20 to 60 factorizations of cells blocks of cells². 10×10 cells take a second with δ = 1.1 and some 15 seconds
/// with all pairs.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, design::Watch, exact::parse_rational, geo::{Cells, GeoLoss, optimal}, model::Prior};
/// let cells = Cells::new(3, 3, parse_rational("1")?)?;
/// let (prior, loss) = (Prior::uniform(9)?, GeoLoss::Euclidean.of(&cells)?);
/// let found = |dilation: &str| optimal(&cells, &"1".parse()?, (&prior, &loss), &parse_rational(dilation)?, &Watch::default());
/// let (all, some) = (found("1")?, found("1.5")?);
/// assert!(all.value < some.value && all.value - all.lower_bound < 1e-9);
/// assert_eq!((all.edges, some.edges), (28, 12));
/// assert_eq!(certify(some.mechanism)?.certificate().pairs(), 36);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
/// Bordenabe, Chatzikokolakis and Palamidessi, Optimal Geo-Indistinguishable Mechanisms for Location Privacy (2014).
pub fn optimal(
    cells: &Cells,
    epsilon: &Epsilon,
    (prior, loss): (&Prior, &Loss),
    dilation: &Rational,
    watch: &Watch<'_>,
) -> Result<Optimal> {
    let edges = spanner(cells, dilation)?;
    let dilation = true_dilation(cells, &edges).min(dilation.clone());
    optimal_along(cells, epsilon, (prior, loss), (&edges, dilation), watch)
}

/// The optimum on these edges, each with (ε/dilation)·distance.
fn optimal_along(
    cells: &Cells,
    epsilon: &Epsilon,
    (prior, loss): (&Prior, &Loss),
    (edges, dilation): (&[(u32, u32)], Rational),
    watch: &Watch<'_>,
) -> Result<Optimal> {
    check_size(cells, edges.len())?;
    let kept = along(cells, edges, &epsilon.scale(&dilation.recip())?)?;
    let problem = Problem::values(cells.categories()?, kept)?
        .with_objective(Objective::Loss(loss.clone()))?
        .with_prior(prior.clone())?;
    let found = smooth_categorical(&problem, Some(Algorithm::LinearProgram), *watch).map_err(|error| {
        if !error.is_inapplicable() {
            return error;
        }
        Error::inapplicable(format!(
            "the program for {} cells with {} edges does not fit the memory (a larger dilation, for example 1.1, has fewer edges; truncated and planar noise need no program)",
            cells.len(),
            edges.len()
        ))
    })?;
    // What holds along the edges holds along paths of them, and so for all pairs.
    let repaired = repair(found.mechanism.with_graph(all_pairs(cells, epsilon)?)?)?;
    let value = problem.objective().value(&problem, &repaired.mechanism);
    Ok(Optimal {
        mechanism: repaired.mechanism,
        value,
        lower_bound: found.objective.lower_bound.min(value),
        edges: edges.len(),
        dilation,
        repair_cost: found.solution.repair_cost + repaired.cost,
    })
}

fn check_size(cells: &Cells, edges: usize) -> Result<()> {
    if cells.len() > MOST_CELLS {
        return Err(Error::inapplicable(format!(
            "{} cells, expected at most {MOST_CELLS} for the optimal mechanism (truncated and planar noise serve more)",
            cells.len()
        )));
    }
    // Two rows for each edge and output.
    let rows = 2 * edges * cells.len();
    if rows > MOST_ROWS {
        return Err(Error::inapplicable(format!(
            "{edges} edges on {} cells make a program of {rows} rows, expected at most {MOST_ROWS} (a larger dilation, for example 1.1, has fewer)",
            cells.len()
        )));
    }
    Ok(())
}

#[cfg(test)]
#[path = "optimal_tests.rs"]
mod tests;
