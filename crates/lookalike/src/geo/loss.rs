//! What it costs to release one cell for another.

use super::Cells;
use crate::exact::Rational;
use crate::model::Loss;
use crate::{Error, Result};
use num_traits::{Signed, Zero};
use std::fmt;

/// The cost of releasing a cell as a function of its distance from the true one. It touches utility only, never privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GeoLoss {
    /// The distance: step·√n, with the double nearest to √n taken exactly.
    Euclidean,
    /// The squared distance, exactly.
    Squared,
    /// 0 up to this distance, 1 beyond it.
    Beyond(Rational),
}

impl GeoLoss {
    /// The costs between all cells of a grid.
    ///
    /// # Errors
    /// A threshold below 0.
    ///
    /// # Example
    /// ```
    /// use lookalike::{exact::parse_rational, geo::{Cells, GeoLoss}};
    /// let cells = Cells::new(3, 2, parse_rational("100")?)?;
    /// let cost = |loss: GeoLoss| loss.of(&cells).map(|loss| loss.cost(0, 4).to_string());
    /// assert_eq!(cost(GeoLoss::Squared)?, "20000");
    /// assert_eq!(cost(GeoLoss::Beyond(parse_rational("141")?))?, "1");
    /// assert_eq!(cost(GeoLoss::Beyond(parse_rational("142")?))?, "0");
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn of(&self, cells: &Cells) -> Result<Loss> {
        if let GeoLoss::Beyond(radius) = self
            && radius.is_negative()
        {
            return Err(Error::input(format!("a loss beyond {radius}, expected a distance of at least 0")));
        }
        let count = cells.len() as u32;
        let row = |a: u32| (0..count).map(|b| self.cost(cells, cells.squared_steps(a, b))).collect();
        Loss::matrix((0..count).map(row).collect(), cells.len())
    }

    /// The cost at a distance of √n steps.
    fn cost(&self, cells: &Cells, squared_steps: u64) -> Rational {
        let squared = || cells.step() * cells.step() * Rational::from_integer(squared_steps.into());
        match self {
            GeoLoss::Euclidean => {
                cells.step() * Rational::from_float((squared_steps as f64).sqrt()).expect("a root is finite")
            }
            GeoLoss::Squared => squared(),
            GeoLoss::Beyond(radius) if squared() <= radius * radius => Rational::zero(),
            GeoLoss::Beyond(_) => Rational::from_integer(1.into()),
        }
    }
}

impl fmt::Display for GeoLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeoLoss::Euclidean => f.write_str("euclidean"),
            GeoLoss::Squared => f.write_str("squared"),
            GeoLoss::Beyond(radius) => write!(f, "beyond {radius}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Direction, parse_rational, to_f64};

    #[test]
    fn costs_are_those_of_the_distance() {
        let cells = Cells::new(4, 5, parse_rational("1/3").unwrap()).unwrap();
        let [euclidean, squared] = [GeoLoss::Euclidean, GeoLoss::Squared].map(|loss| loss.of(&cells).unwrap());
        for (a, b) in (0..400).map(|at| (at / 20, at % 20)) {
            let distance = cells.distance(a as u32, b as u32);
            let float = |loss: &Loss| to_f64(&loss.cost(a, b), Direction::Nearest);
            assert!((float(&euclidean) - distance).abs() < 1e-15 && (float(&squared) - distance.powi(2)).abs() < 1e-14);
        }
    }

    #[test]
    fn a_threshold_is_met_exactly_and_a_negative_one_refused() {
        let cells = Cells::new(5, 4, parse_rational("0.1").unwrap()).unwrap();
        let cost = |radius: &str, b: u32| {
            let loss = GeoLoss::Beyond(parse_rational(radius).unwrap()).of(&cells).unwrap();
            loss.cost(0, b as usize)
        };
        // Four columns and three rows are five steps.
        let far = cells.cell([4, 3]);
        assert!(cost("0.5", far).is_zero() && cost("0.4999999999999999999", far).is_positive());
        assert!(cost("0", 0).is_zero() && cost("0", 1).is_positive());
        let message = GeoLoss::Beyond(parse_rational("-1").unwrap()).of(&cells).unwrap_err().to_string();
        assert_eq!(message, "a loss beyond -1, expected a distance of at least 0");
    }
}
