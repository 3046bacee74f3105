//! A finite grid of square cells.

use crate::exact::{Direction, Epsilon, Rational, to_f64};
use crate::model::Categories;
use crate::{Error, Result};
use num_traits::Signed;

/// More cells have more pairs than is worth proving: half of their number squared, at each of the outputs.
const MOST_CELLS: u64 = 1_024;

/// Columns × rows square cells of side `step`, numbered row after row.
///
/// Cell r·columns + c is in column c and row r, both from 0; its name as a category is `c,r`, for example `3,7`. Row 0 is
/// the lowest. The distance of two cells is that of their centres: step·√n with a whole n, so that ε times a distance is
/// an exact [`Epsilon`].
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::Cells};
/// let cells = Cells::new(4, 3, parse_rational("0.5")?)?;
/// assert_eq!(cells.len(), 12);
/// assert_eq!(cells.categories()?.names().name(6), "2,1");
/// assert_eq!(cells.squared_steps(0, 6), 5);
/// assert_eq!(cells.between(0, 6, &"ln(4)".parse()?)?.to_string(), "sqrt(5)*ln(2)");
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    columns: u32,
    rows: u32,
    step: Rational,
}

impl Cells {
    /// The grid.
    ///
    /// # Errors
    /// No column or row, fewer than two or more than 1,024 cells, or a step that is not above 0.
    pub fn new(columns: u32, rows: u32, step: Rational) -> Result<Self> {
        let count = u64::from(columns) * u64::from(rows);
        if count < 2 {
            return Err(Error::input(format!(
                "a grid of {columns}x{rows} cells, expected at least two: one place hides in nothing"
            )));
        }
        if count > MOST_CELLS {
            return Err(Error::input(format!(
                "a grid of {columns}x{rows} = {count} cells, expected at most {MOST_CELLS}; make the step longer, or use planar noise, which needs no cells"
            )));
        }
        if !step.is_positive() {
            return Err(Error::input(format!("step = {step}, expected a length above 0")));
        }
        Ok(Cells { columns, rows, step })
    }

    /// How many columns there are.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// How many rows there are.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The side of a cell.
    pub fn step(&self) -> &Rational {
        &self.step
    }

    /// How many cells there are.
    #[allow(clippy::len_without_is_empty, reason = "there are always two cells")]
    pub fn len(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// The column and the row of a cell.
    pub fn place(&self, cell: u32) -> [u32; 2] {
        [cell % self.columns, cell / self.columns]
    }

    /// The cell in a column and a row.
    pub fn cell(&self, [column, row]: [u32; 2]) -> u32 {
        row * self.columns + column
    }

    /// The centre of a cell, to the right of and above the middle of the grid.
    pub fn centre(&self, cell: u32) -> [Rational; 2] {
        let offset = |at: u32, count: u32| {
            Rational::new((2 * i64::from(at) + 1 - i64::from(count)).into(), 2.into()) * &self.step
        };
        let [column, row] = self.place(cell);
        [offset(column, self.columns), offset(row, self.rows)]
    }

    /// The squared distance of two cells, in steps.
    pub fn squared_steps(&self, a: u32, b: u32) -> u64 {
        let ([ac, ar], [bc, br]) = (self.place(a), self.place(b));
        let square = |by: u32| u64::from(by) * u64::from(by);
        square(ac.abs_diff(bc)) + square(ar.abs_diff(br))
    }

    /// The distance of two cells, to about the last digit of a double: for utility, never for privacy.
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        (self.squared_steps(a, b) as f64).sqrt() * to_f64(&self.step, Direction::Nearest)
    }

    /// ε·distance of two different cells, exactly, for an ε per unit of length.
    ///
    /// # Errors
    /// A cell and itself, or a product above 100,000.
    pub fn between(&self, a: u32, b: u32, epsilon: &Epsilon) -> Result<Epsilon> {
        self.over(self.squared_steps(a, b), epsilon)
    }

    /// ε·step·√n, exactly.
    pub(super) fn over(&self, squared_steps: u64, epsilon: &Epsilon) -> Result<Epsilon> {
        epsilon.scale(&self.step)?.times_root(squared_steps)
    }

    /// The cells by name.
    ///
    /// # Errors
    /// None for a grid.
    pub fn categories(&self) -> Result<Categories> {
        let name = |cell: u32| {
            let [column, row] = self.place(cell);
            format!("{column},{row}")
        };
        Categories::new((0..self.len() as u32).map(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use proptest::prelude::*;

    #[test]
    fn grids_that_make_no_sense_are_refused_with_the_way_out() {
        let message = |columns, rows, step: &str| {
            Cells::new(columns, rows, parse_rational(step).unwrap()).unwrap_err().to_string()
        };
        assert_eq!(message(0, 9, "1"), "a grid of 0x9 cells, expected at least two: one place hides in nothing");
        assert_eq!(message(1, 1, "1"), "a grid of 1x1 cells, expected at least two: one place hides in nothing");
        assert!(message(u32::MAX, u32::MAX, "1").contains("expected at most 1024; make the step longer"));
        assert_eq!(message(2, 2, "-1/2"), "step = -1/2, expected a length above 0");
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_centres(columns in 1u32..9, rows in 2u32..9, n in 1i64..9, d in 1i64..9, a in any::<u32>(), b in any::<u32>()) {
            let cells = Cells::new(columns, rows, Rational::new(n.into(), d.into())).unwrap();
            let (a, b) = (a % cells.len() as u32, b % cells.len() as u32);
            prop_assert_eq!(cells.cell(cells.place(a)), a);
            let ([ax, ay], [bx, by]) = (cells.centre(a), cells.centre(b));
            let squared = (&ax - &bx) * (&ax - &bx) + (&ay - &by) * (&ay - &by);
            prop_assert_eq!(&squared, &(Rational::from_integer(cells.squared_steps(a, b).into()) * cells.step() * cells.step()));
            prop_assert!((cells.distance(a, b).powi(2) - to_f64(&squared, Direction::Nearest)).abs() < 1e-9);
            if a != b {
                let epsilon: Epsilon = "ln(3)/7".parse().unwrap();
                let found = cells.between(a, b, &epsilon).unwrap();
                prop_assert!((found.to_f64() - epsilon.to_f64() * cells.distance(a, b)).abs() < 1e-12 * (1.0 + found.to_f64()));
            } else {
                prop_assert!(cells.between(a, b, &"1".parse().unwrap()).is_err());
            }
        }
    }
}
