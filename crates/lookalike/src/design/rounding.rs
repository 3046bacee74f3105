//! Rows of exact or float numbers as whole weights that sum to 2^53.

use crate::model::TOTAL;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::ToPrimitive;

/// The weights nearest to a row of whole numbers that are out of `denominator`, by largest remainder: each moves by
/// less than one unit of 2^−53, and what is zero stays zero.
///
/// # Panics
/// If the numerators do not sum to the denominator.
pub(super) fn largest_remainder(numerators: &[BigUint], denominator: &BigUint) -> Vec<u64> {
    assert_eq!(numerators.iter().sum::<BigUint>(), *denominator, "a row sums to its denominator");
    let (mut weights, remainders): (Vec<u64>, Vec<BigUint>) = numerators
        .iter()
        .map(|numerator| {
            let (weight, remainder) = (numerator * TOTAL).div_rem(denominator);
            (weight.to_u64().expect("at most 2^53"), remainder)
        })
        .unzip();
    let missing = (TOTAL - weights.iter().sum::<u64>()) as usize;
    let mut order: Vec<usize> = (0..weights.len()).collect();
    // Stable, so that equal remainders go to the earlier output.
    order.sort_by(|&a, &b| remainders[b].cmp(&remainders[a]));
    for &at in &order[..missing] {
        weights[at] += 1;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_weight_moves_by_less_than_a_unit(row in prop::collection::vec(prop_oneof![Just(0u64), any::<u64>()], 0..20), last in 1u64..) {
            let numerators: Vec<BigUint> = row.iter().chain([&last]).map(|&weight| weight.into()).collect();
            let denominator: BigUint = numerators.iter().sum();
            let weights = largest_remainder(&numerators, &denominator);
            prop_assert_eq!(weights.iter().sum::<u64>(), TOTAL);
            for (weight, numerator) in weights.iter().zip(&numerators) {
                let (exact, rounded) = (numerator * TOTAL, BigUint::from(*weight) * &denominator);
                let distance = if exact > rounded { &exact - &rounded } else { &rounded - &exact };
                prop_assert!(distance < denominator);
                prop_assert!(*numerator != BigUint::ZERO || *weight == 0);
            }
        }
    }
}
