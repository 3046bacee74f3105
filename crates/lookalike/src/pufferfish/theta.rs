//! The class Θ of chains that the data may have come from.

use super::Chain;
use crate::error::{Error, Result};

/// Θ has a chain, and all its chains have the same states.
///
/// # Errors
/// No chain, or one with another number of states than the first.
pub(super) fn check(theta: &[Chain]) -> Result<()> {
    let Some(first) = theta.first() else {
        return Err(Error::input("no chain in Θ, expected at least one that the data may have come from"));
    };
    match theta.iter().position(|chain| chain.states() != first.states()) {
        None => Ok(()),
        Some(place) => Err(Error::input(format!(
            "{} states, expected {} as in the first chain",
            theta[place].states(),
            first.states()
        ))
        .at(format_args!("chain {}", place + 1))),
    }
}
