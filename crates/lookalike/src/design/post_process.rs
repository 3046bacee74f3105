//! Post-processing by a channel whose product needs rounding.

use super::rounding::largest_remainder;
use super::{Repaired, repair};
use crate::Result;
use crate::exact::Natural;
use crate::model::{Categories, Channel, Mechanism};
use num_bigint::BigUint;

/// `mechanism` followed by `next` on its output, with the same claim.
///
/// Where [`Mechanism::then`] is exact and the claim held before, this is the same and costs nothing. Where the product is no whole number of
/// 2^−53 it is rounded, and repaired if the rounding broke the claim; the cost is in the result.
///
/// # Errors
/// Sizes that do not fit.
///
/// # Reference
/// Geumlek and Chaudhuri (2019), Observation 3.
pub fn post_process(mechanism: &Mechanism, next: &Channel, outputs: Categories) -> Result<Repaired> {
    match mechanism.then(next, outputs.clone()) {
        Ok(mechanism) => repair(mechanism),
        Err(error) if !error.is_inapplicable() => Err(error),
        Err(_) => {
            let channels = mechanism.channels().iter().map(|channel| rounded_product(channel, next));
            repair(mechanism.with_channels(channels.collect::<Result<Vec<_>>>()?, outputs)?)
        }
    }
}

fn rounded_product(channel: &Channel, next: &Channel) -> Result<Channel> {
    let entry = |x: usize, z: usize| {
        let terms = (0..next.inputs()).map(|y| Natural::from(channel.weight(x, y)).times(&next.weight(y, z).into()));
        terms.fold(Natural::ZERO, |sum, term| sum.plus(&term)).to_big()
    };
    let denominator = BigUint::from(channel.scale()) * next.scale();
    let row = |x: usize| {
        let numerators: Vec<BigUint> = (0..next.outputs()).map(|z| entry(x, z)).collect();
        largest_remainder(&numerators, &denominator)
    };
    Channel::rows((0..channel.inputs()).map(row).collect())
}
