//! What a wrong output costs.

use crate::error::{Error, Result};
use crate::exact::Rational;
use num_traits::{One, Signed, Zero};

/// The cost of releasing y for x. It touches utility only, never privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// 1 for every change: the expected loss is the probability of an error.
    ZeroOne,
    /// |x − y| in places, for ordered categories.
    Ordinal,
    /// A matrix, inputs × outputs.
    Matrix(LossMatrix),
}

/// A square matrix of non-negative costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossMatrix(Vec<Vec<Rational>>);

impl Loss {
    /// The loss with these entries, inputs × outputs.
    ///
    /// # Errors
    /// A matrix that is not square of the given size, or a negative entry.
    pub fn matrix(entries: Vec<Vec<Rational>>, size: usize) -> Result<Self> {
        if entries.len() != size || entries.iter().any(|row| row.len() != size) {
            return Err(Error::input(format!(
                "a loss of {} rows, expected {size} rows of {size} entries, one for each category",
                entries.len()
            )));
        }
        for (x, row) in entries.iter().enumerate() {
            if let Some(y) = row.iter().position(Signed::is_negative) {
                return Err(Error::input(format!("loss ({}, {}) is {}, expected at least 0", x + 1, y + 1, row[y])));
            }
        }
        Ok(Loss::Matrix(LossMatrix(entries)))
    }

    /// The number of categories that a matrix is for; the other losses serve any number.
    pub fn size(&self) -> Option<usize> {
        match self {
            Loss::ZeroOne | Loss::Ordinal => None,
            Loss::Matrix(matrix) => Some(matrix.0.len()),
        }
    }

    /// The cost of releasing y for x.
    pub fn cost(&self, x: usize, y: usize) -> Rational {
        match self {
            Loss::ZeroOne if x == y => Rational::zero(),
            Loss::ZeroOne => Rational::one(),
            Loss::Ordinal => Rational::from_integer(x.abs_diff(y).into()),
            Loss::Matrix(matrix) => matrix.0[x][y].clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_matrices_are_refused() {
        let row = |entries: [i64; 2]| entries.map(|entry| Rational::from_integer(entry.into())).to_vec();
        assert_eq!(
            Loss::matrix(vec![row([0, 1])], 2).unwrap_err().to_string(),
            "a loss of 1 rows, expected 2 rows of 2 entries, one for each category"
        );
        assert_eq!(
            Loss::matrix(vec![row([0, 1]), row([-2, 0])], 2).unwrap_err().to_string(),
            "loss (2, 1) is -2, expected at least 0"
        );
        assert_eq!(
            Loss::matrix(vec![row([0, 1]), row([2, 0])], 2).unwrap().cost(1, 0),
            Rational::from_integer(2.into())
        );
        assert_eq!(Loss::Ordinal.cost(1, 4), Rational::from_integer(3.into()));
    }
}
