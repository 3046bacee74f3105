//! A Markov chain over finitely many states, exactly.

use super::Distribution;
use crate::error::{Error, Result};

/// The law of a chain's first state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Initial {
    /// This law.
    Given(Distribution),
    /// The chain's own stationary law, so that every moment has the same law.
    Stationary,
    /// Nothing is known: every law is possible, and the guarantee holds for each.
    Arbitrary,
}

/// A Markov chain X_1 → X_2 → …: the law of the first state, and for each state the law of the next one.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::{Chain, Distribution, Initial}};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// let chain = Chain::new(Initial::Stationary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])])?;
/// assert_eq!(chain.states(), 2);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    initial: Initial,
    transition: Vec<Distribution>,
}

impl Chain {
    /// The chain with this initial law and these rows of transition probabilities.
    ///
    /// # Errors
    /// No state, or a row or an initial law of another length than the number of states.
    pub fn new(initial: Initial, transition: Vec<Distribution>) -> Result<Self> {
        let states = transition.len();
        if states == 0 {
            return Err(Error::input("a chain without states, expected a row of transition probabilities a state"));
        }
        if let Some(place) = transition.iter().position(|row| row.len() != states) {
            return Err(Error::input(format!(
                "{} transition probabilities, expected {states}, one a state",
                transition[place].len()
            ))
            .at(format_args!("row {}", place + 1)));
        }
        match &initial {
            Initial::Given(law) if law.len() != states => {
                Err(Error::input(format!("{} initial probabilities, expected {states}, one a state", law.len())))
            }
            _ => Ok(Chain { initial, transition }),
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.transition.len()
    }

    /// What is known of the first state.
    pub fn initial(&self) -> &Initial {
        &self.initial
    }

    /// Row x: the law of the state after x.
    pub fn transition(&self) -> &[Distribution] {
        &self.transition
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn law(texts: &[&str]) -> Distribution {
        Distribution::new(&texts.iter().map(|text| parse_rational(text).unwrap()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let error = |initial, rows| Chain::new(initial, rows).unwrap_err().to_string();
        assert_eq!(
            error(Initial::Stationary, vec![law(&["1/2", "1/2"]), law(&["1"])]),
            "row 2: 1 transition probabilities, expected 2, one a state"
        );
        assert_eq!(
            error(Initial::Given(law(&["1/3", "1/3", "1/3"])), vec![law(&["1"])]),
            "3 initial probabilities, expected 1, one a state"
        );
        assert!(error(Initial::Arbitrary, vec![]).starts_with("a chain without states"));
    }
}
