//! The values that a query can give.

use crate::exact::Rational;
use crate::model::Categories;
use crate::{Error, Result};

/// The finite domain of a query: names, or numbers on the line.
///
/// A channel serves both. A distance, and so the Wasserstein mechanism, needs numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    categories: Categories,
    numbers: Option<Vec<Rational>>,
}

impl Values {
    /// Values that have names only.
    pub fn named(categories: Categories) -> Self {
        Values { categories, numbers: None }
    }

    /// Numbers, ascending.
    ///
    /// # Errors
    /// No number, or numbers that do not increase.
    pub fn numbers(numbers: Vec<Rational>) -> Result<Self> {
        if let Some(at) = numbers.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(Error::input(format!(
                "value {} is {}, expected more than {} before it",
                at + 2,
                numbers[at + 1],
                numbers[at]
            )));
        }
        let categories = Categories::new(numbers.iter().map(ToString::to_string))?;
        Ok(Values { categories, numbers: Some(numbers) })
    }

    /// The whole numbers from 0 to `most`: a count.
    ///
    /// # Errors
    /// As [`Values::numbers`]; none of them can occur.
    pub fn count(most: u32) -> Result<Self> {
        Values::numbers((0..=most).map(|count| Rational::from_integer(count.into())).collect())
    }

    /// The values by name; a number's name is its text.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// The values as numbers.
    ///
    /// # Errors
    /// Values that have names only.
    pub fn as_numbers(&self) -> Result<&[Rational]> {
        self.numbers
            .as_deref()
            .ok_or_else(|| Error::inapplicable("the query has named values, expected numbers to measure distances"))
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty, reason = "there is always a value")]
    pub fn len(&self) -> usize {
        self.categories.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_increase_and_names_have_no_distance() {
        let message = |numbers: &[i32]| {
            let numbers = numbers.iter().map(|&number| Rational::from_integer(number.into())).collect();
            Values::numbers(numbers).unwrap_err().to_string()
        };
        assert_eq!(message(&[0, 2, 2]), "value 3 is 2, expected more than 2 before it");
        assert_eq!(message(&[]), "no category, expected at least one");
        let names = Values::named(Categories::new(["no", "yes"]).unwrap());
        assert!(names.as_numbers().unwrap_err().is_inapplicable());
        assert_eq!(Values::count(2).unwrap().as_numbers().unwrap().len(), 3);
    }
}
