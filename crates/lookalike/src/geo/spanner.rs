//! Sparse graphs whose paths are nearly as short as the straight lines.

use super::Cells;
use super::graph::pairs;
use crate::exact::{Direction, Rational, to_f64};
use crate::{Error, Result};
use num_integer::Integer;
use num_traits::One;

/// Sums of roots that differ by less, as a share, count as equal.
const TIE: f64 = 1e-12;

/// The edges of a greedy δ-spanner: by edges alone, no two cells are farther apart than δ times their distance.
///
/// Pairs are looked at by ascending distance, equal ones in the order of the cells; a pair is kept if the edges so far do
/// not connect it within δ times its distance. For δ = 1 these are the pairs with no cell on the line between them: the
/// others follow from them exactly.
///
/// Lengths are sums of roots in floats, and nearly equal ones count as equal. That decides how large the program is, not
/// what is private: the claim of a mechanism made with a spanner is about all pairs.
///
/// # Errors
/// δ < 1.
///
/// # Complexity
/// Pairs + cells² an edge at most; a second for 20×20 cells.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::{Cells, spanner}};
/// let cells = Cells::new(5, 5, parse_rational("1")?)?;
/// assert_eq!(spanner(&cells, &parse_rational("1.05")?)?.len(), 120);
/// assert_eq!(spanner(&cells, &parse_rational("1.5")?)?.len(), 40);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Althöfer et al., On sparse spanners of weighted graphs (1993); Bordenabe, Chatzikokolakis and Palamidessi, Optimal
/// Geo-Indistinguishable Mechanisms for Location Privacy (2014), section 4.2.
pub fn spanner(cells: &Cells, dilation: &Rational) -> Result<Vec<(u32, u32)>> {
    if *dilation < Rational::one() {
        return Err(Error::input(format!("dilation = {dilation}, expected at least 1 (1 is all pairs)")));
    }
    if dilation.is_one() {
        return Ok(pairs(cells).filter(|&(a, b)| is_primitive(cells, a, b)).collect());
    }
    let limit = to_f64(dilation, Direction::Nearest) * (1.0 + TIE);
    let mut candidates: Vec<(u32, u32)> = pairs(cells).collect();
    candidates.sort_by_key(|&(a, b)| cells.squared_steps(a, b));
    let (mut edges, mut paths) = (Vec::new(), Paths::none(cells.len()));
    for (a, b) in candidates {
        let length = (cells.squared_steps(a, b) as f64).sqrt();
        if paths.between(a, b) > limit * length {
            paths.add(a as usize, b as usize, length);
            edges.push((a, b));
        }
    }
    edges.sort_unstable();
    Ok(edges)
}

/// The dilation that a graph has: its longest path between two cells over their distance, rounded up to nine decimals
/// beyond the errors of floats, and at least 1. All cells must be connected.
pub(super) fn true_dilation(cells: &Cells, edges: &[(u32, u32)]) -> Rational {
    const UNITS: f64 = 1e9;
    let distance = |a: u32, b: u32| (cells.squared_steps(a, b) as f64).sqrt();
    let mut paths = Paths::none(cells.len());
    edges.iter().for_each(|&(a, b)| paths.add(a as usize, b as usize, distance(a, b)));
    let largest = pairs(cells).map(|(a, b)| paths.between(a, b) / distance(a, b)).fold(1.0, f64::max);
    // A path that is a straight line but for rounding is one.
    let units = (largest * (1.0 - TIE) * UNITS).ceil().max(UNITS);
    Rational::new((units as u64).into(), (UNITS as u64).into())
}

/// Whether no other cell lies on the line between two.
fn is_primitive(cells: &Cells, a: u32, b: u32) -> bool {
    let ([ac, ar], [bc, br]) = (cells.place(a), cells.place(b));
    ac.abs_diff(bc).gcd(&ar.abs_diff(br)) == 1
}

/// The lengths of the shortest paths between all cells, kept while edges are added.
struct Paths {
    count: usize,
    lengths: Vec<f64>,
}

impl Paths {
    fn none(count: usize) -> Self {
        let mut lengths = vec![f64::INFINITY; count * count];
        (0..count).for_each(|cell| lengths[cell * (count + 1)] = 0.0);
        Paths { count, lengths }
    }

    fn between(&self, a: u32, b: u32) -> f64 {
        self.lengths[a as usize * self.count + b as usize]
    }

    /// An edge: a path that uses it comes to one of its ends, takes it, and goes on from the other.
    fn add(&mut self, a: usize, b: usize, length: f64) {
        let row = |lengths: &[f64], cell: usize| lengths[cell * self.count..(cell + 1) * self.count].to_vec();
        let (from_a, from_b) = (row(&self.lengths, a), row(&self.lengths, b));
        for cell in 0..self.count {
            let (by_a, by_b) = (from_a[cell] + length, from_b[cell] + length);
            // A cell that is no nearer to an end by way of the edge has no use for it.
            let beyond = if by_a < from_b[cell] {
                (by_a, &from_b)
            } else if by_b < from_a[cell] {
                (by_b, &from_a)
            } else {
                continue;
            };
            let known = &mut self.lengths[cell * self.count..(cell + 1) * self.count];
            known.iter_mut().zip(beyond.1).for_each(|(known, rest)| *known = known.min(beyond.0 + rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use proptest::prelude::*;

    /// All shortest paths along edges, by Floyd and Warshall's method.
    fn shortest(cells: &Cells, edges: &[(u32, u32)]) -> Vec<Vec<f64>> {
        let count = cells.len();
        let mut lengths = vec![vec![f64::INFINITY; count]; count];
        for &(a, b) in edges {
            let length = (cells.squared_steps(a, b) as f64).sqrt();
            (lengths[a as usize][b as usize], lengths[b as usize][a as usize]) = (length, length);
        }
        (0..count).for_each(|cell| lengths[cell][cell] = 0.0);
        for by in 0..count {
            for a in 0..count {
                for b in 0..count {
                    lengths[a][b] = lengths[a][b].min(lengths[a][by] + lengths[by][b]);
                }
            }
        }
        lengths
    }

    #[test]
    fn a_dilation_below_one_is_refused() {
        let cells = Cells::new(2, 2, parse_rational("1").unwrap()).unwrap();
        let message = spanner(&cells, &parse_rational("0.9").unwrap()).unwrap_err().to_string();
        assert_eq!(message, "dilation = 9/10, expected at least 1 (1 is all pairs)");
    }

    #[test]
    fn the_dilation_of_a_graph_is_that_of_its_longest_way_round() {
        let cells = Cells::new(5, 5, parse_rational("7").unwrap()).unwrap();
        let of = |delta: &str| true_dilation(&cells, &spanner(&cells, &parse_rational(delta).unwrap()).unwrap());
        assert_eq!(of("1"), Rational::one(), "straight lines");
        // Along rows and columns the diagonal is √2 times as long.
        assert_eq!(of("1.5"), parse_rational("1.414213563").unwrap());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn paths_are_within_the_dilation_and_every_edge_is_needed(columns in 1u32..7, rows in 2u32..7, hundredths in 100i64..250) {
            let cells = Cells::new(columns, rows, parse_rational("3/2").unwrap()).unwrap();
            let dilation = Rational::new(hundredths.into(), 100.into());
            let (edges, limit) = (spanner(&cells, &dilation).unwrap(), hundredths as f64 / 100.0);
            let lengths = shortest(&cells, &edges);
            for (a, b) in pairs(&cells) {
                let length = (cells.squared_steps(a, b) as f64).sqrt();
                prop_assert!(lengths[a as usize][b as usize] <= limit * length * (1.0 + 1e-11), "{a} {b}");
            }
            for &(a, b) in &edges {
                // Without the edge, those that are not longer do not do.
                let squared = cells.squared_steps(a, b);
                let shorter: Vec<(u32, u32)> = edges.iter().copied()
                    .filter(|&(c, d)| (cells.squared_steps(c, d), c, d) < (squared, a, b)).collect();
                prop_assert!(shortest(&cells, &shorter)[a as usize][b as usize] > limit * (squared as f64).sqrt());
            }
        }
    }
}
