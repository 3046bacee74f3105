//! Planar noise on the endless grid, brought back to the cells.

use super::{Cells, all_pairs};
use crate::design::{Draft, Problem, Repaired};
use crate::exact::{Direction, Epsilon, to_f64};
use crate::{Error, Result};

/// ε·radius beyond which the mass is left out: it is below 2^-64 of the whole.
const FAR: f64 = 50.0;
/// ε·step below which the endless grid would have too many cells to add up.
const FINEST: f64 = 0.01;

/// The mechanism that draws from e^(−ε·|z − x|) over the cells of the endless grid, and then takes the nearest cell of the
/// finite one: the column and the row each brought to the nearest that exists.
///
/// The endless grid looks the same from everywhere, so the sum of its weights does not depend on x, and what is done with
/// the draw is post-processing. So there is no price for the edge in ε; but much of the mass ends at it. The masses are
/// sums in floats, rounded to whole weights; [`repair`](crate::design::repair) makes room for both.
///
/// # Guarantee
/// The claim is ε·distance for all pairs, which `lookalike::certify::certify` decides.
///
/// # Errors
/// ε·step below 0.01, noise of hundreds of cells; or so large an ε that the budget of the two farthest cells is above
/// 100,000.
///
/// # Complexity
/// (50/(ε·step))² exponentials, and cells².
///
/// # Example
/// ```
/// use lookalike::{certify::certify, exact::parse_rational, geo::{Cells, planar}};
/// let cells = Cells::new(3, 3, parse_rational("100")?)?;
/// let noise = certify(planar(&cells, &"ln(4)/200".parse()?)?.mechanism)?;
/// // Noise of a mean radius of 289 from the middle of a grid of 300 × 300 nearly always ends at its edge.
/// assert!(noise.mechanism().channels()[0].probability(4, 4) < parse_rational("0.1")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
/// Andrés et al. (2013), sections 4.1 and 4.2, with an exact grid in place of the rounded continuous noise.
pub fn planar(cells: &Cells, epsilon: &Epsilon) -> Result<Repaired> {
    let a = epsilon.to_f64() * to_f64(cells.step(), Direction::Nearest);
    if a < FINEST {
        return Err(Error::inapplicable(format!(
            "epsilon times the step is {a:.1e}, expected at least {FINEST}: the noise is hundreds of cells wide (make the step longer)"
        )));
    }
    let problem = Problem::values(cells.categories()?, all_pairs(cells, epsilon)?)?;
    let masses = Masses::new(a, cells.columns().max(cells.rows()) as usize);
    let count = cells.len() as u32;
    let row = |x: u32| {
        let entries: Vec<f64> = (0..count).map(|z| masses.of(cells, x, z)).collect();
        let whole: f64 = entries.iter().sum();
        entries.into_iter().map(|entry| entry / whole).collect()
    };
    Draft::new(vec![(0..count).map(row).collect()])?.into_mechanism(&problem)
}

/// What the cells of the endless grid weigh as seen from one of them: f(i, j) = e^(−a·√(i² + j²)).
struct Masses {
    /// Entries a side.
    side: usize,
    /// f(i, j).
    points: Vec<f64>,
    /// Σ f(i, j') over j' ≥ j.
    rays: Vec<f64>,
    /// Σ f(i', j') over i' ≥ i and j' ≥ j.
    quadrants: Vec<f64>,
}

/// The columns, or rows, of the endless grid that end in one of the finite grid, as seen from another.
enum Part {
    /// The one this many steps away.
    At(usize),
    /// All from this many steps away on, in one direction.
    From(usize),
}

impl Masses {
    /// The masses up to `reach` steps away.
    fn new(a: f64, reach: usize) -> Self {
        let (side, radius) = (reach + 1, (FAR / a).ceil() as usize);
        let mut masses = Masses {
            side,
            points: vec![0.0; side * side],
            rays: vec![0.0; side * side],
            quadrants: vec![0.0; side * side],
        };
        // The small ones first.
        let mut quadrant = vec![0.0; side];
        for i in (0..=radius).rev() {
            let mut ray = 0.0;
            for j in (0..=radius).rev() {
                let point = (-a * ((i * i + j * j) as f64).sqrt()).exp();
                ray += point;
                if j < side {
                    quadrant[j] += ray;
                    if i < side {
                        masses.points[i * side + j] = point;
                        masses.rays[i * side + j] = ray;
                    }
                }
            }
            if i < side {
                masses.quadrants[i * side..(i + 1) * side].copy_from_slice(&quadrant);
            }
        }
        masses
    }

    /// What ends in cell z for a place in cell x.
    fn of(&self, cells: &Cells, x: u32, z: u32) -> f64 {
        let ([xc, xr], [zc, zr]) = (cells.place(x), cells.place(z));
        let (across, along) = (parts(xc, zc, cells.columns()), parts(xr, zr, cells.rows()));
        across.iter().map(|i| along.iter().map(|j| self.product(i, j)).sum::<f64>()).sum()
    }

    fn product(&self, i: &Part, j: &Part) -> f64 {
        match (i, j) {
            (&Part::At(i), &Part::At(j)) => self.points[i * self.side + j],
            (&Part::At(at), &Part::From(from)) | (&Part::From(from), &Part::At(at)) => self.rays[at * self.side + from],
            (&Part::From(i), &Part::From(j)) => self.quadrants[i * self.side + j],
        }
    }
}

/// What ends in column z of so many, seen from column x: the first takes all that is before it, the last all behind.
fn parts(x: u32, z: u32, count: u32) -> Vec<Part> {
    let away = x.abs_diff(z) as usize;
    match (z == 0, z == count - 1) {
        // Both directions, and the middle once.
        (true, true) => vec![Part::From(0), Part::From(1)],
        (false, false) => vec![Part::At(away)],
        _ => vec![Part::From(away)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::exact::{Rational, parse_rational};
    use proptest::prelude::*;

    fn cells(columns: u32, rows: u32) -> Cells {
        Cells::new(columns, rows, parse_rational("1").unwrap()).unwrap()
    }

    #[test]
    fn every_draw_of_a_large_grid_ends_where_it_should() {
        for (grid, a) in [(cells(4, 3), 0.8), (cells(1, 3), 0.9), (cells(3, 1), 2.0), (cells(5, 2), 60.0)] {
            let epsilon = Epsilon::rational(Rational::from_float(a).unwrap()).unwrap();
            let found = planar(&grid, &epsilon).unwrap();
            let channel = &found.mechanism.channels()[0];
            for x in 0..grid.len() as u32 {
                // The oracle adds up a wide square around the place, cell by cell.
                let ([xc, xr], mut law, mut sum) = (grid.place(x), vec![0.0; grid.len()], 0.0);
                for (i, j) in (-70i32..=70).flat_map(|i| (-70i32..=70).map(move |j| (i, j))) {
                    let mass = (-a * f64::from(i * i + j * j).sqrt()).exp();
                    let nearest = |at: u32, by: i32, count: u32| (at as i32 + by).clamp(0, count as i32 - 1) as u32;
                    law[grid.cell([nearest(xc, i, grid.columns()), nearest(xr, j, grid.rows())]) as usize] += mass;
                    sum += mass;
                }
                for (z, mass) in law.into_iter().enumerate() {
                    let found = to_f64(&channel.probability(x as usize, z), Direction::Nearest);
                    assert!((found - mass / sum).abs() < 1e-11, "{x} {z}: {found} {}", mass / sum);
                }
            }
        }
    }

    #[test]
    fn noise_of_hundreds_of_cells_is_refused() {
        let message = planar(&cells(3, 3), &"0.001".parse().unwrap()).unwrap_err().to_string();
        assert!(message.contains("1.0e-3, expected at least 0.01") && message.contains("make the step longer"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn the_claim_holds_at_next_to_no_cost(columns in 1u32..6, rows in 2u32..6, hundredths in 20i64..3000) {
            let epsilon = Epsilon::rational(Rational::new(hundredths.into(), 100.into())).unwrap();
            let found = planar(&cells(columns, rows), &epsilon).unwrap();
            prop_assert!(found.cost < 1e-10, "{}", found.cost);
            prop_assert!(certify(found.mechanism).is_ok());
        }
    }
}
