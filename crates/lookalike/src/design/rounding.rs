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
    fill_up(&mut weights, &remainders);
    weights
}

/// Whole weights near a row of floats that sum to about 1; what is not positive becomes 0.
///
/// Floats are a proposal, so the rounding need not be the nearest: what is lost to it goes to the largest entry.
pub(super) fn round_row(row: &[f64]) -> Vec<u64> {
    let sum: f64 = row.iter().map(|entry| entry.max(0.0)).sum();
    let mut weights: Vec<u64> = row.iter().map(|entry| (entry.max(0.0) / sum * TOTAL as f64).round() as u64).collect();
    let largest = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).expect("a row has entries");
    let others: u64 = weights.iter().sum::<u64>() - weights[largest];
    weights[largest] = TOTAL - others;
    weights
}

/// The same for numerators that are in units of `1/(2^64·count)` of a weight, without allocating a number.
///
/// # Panics
/// If the numerators do not sum to `2^117·count`.
pub(super) fn largest_remainder_in_words(numerators: &[u128], count: u64) -> Vec<u64> {
    let (mut weights, remainders): (Vec<u64>, Vec<u128>) = numerators
        .iter()
        .map(|&numerator| {
            let weight = (numerator >> 64) as u64 / count;
            (weight, numerator - ((u128::from(weight) * u128::from(count)) << 64))
        })
        .unzip();
    fill_up(&mut weights, &remainders);
    weights
}

/// The weights nearest to a row in proportion to numbers of at most 2^74, by largest remainder.
///
/// # Panics
/// If all are zero, or one is larger.
pub(crate) fn in_proportion(numbers: &[u128]) -> Vec<u64> {
    let sum: u128 = numbers.iter().sum();
    let (mut weights, remainders): (Vec<u64>, Vec<u128>) = numbers
        .iter()
        .map(|&number| {
            let product = number * u128::from(TOTAL);
            ((product / sum) as u64, product % sum)
        })
        .unzip();
    fill_up(&mut weights, &remainders);
    weights
}

/// Adds one to the weights with the largest remainders until they sum to 2^53; equal remainders go to the earlier one.
fn fill_up<R: Ord>(weights: &mut [u64], remainders: &[R]) {
    let sum: u64 = weights.iter().sum();
    let missing = (TOTAL - sum) as usize;
    if missing > 0 {
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| remainders[b].cmp(&remainders[a]));
        order[..missing].iter().for_each(|&at| weights[at] += 1);
    }
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

        #[test]
        fn words_round_as_big_integers_do(cuts in prop::collection::vec(prop_oneof![Just(0u128), any::<u128>()], 0..12), count in 1u64..=1024) {
            let whole = (u128::from(TOTAL) * u128::from(count)) << 64;
            let mut cuts: Vec<u128> = cuts.into_iter().map(|cut| cut % whole).chain([whole]).collect();
            cuts.sort_unstable();
            let mut before = 0;
            let numerators: Vec<u128> = cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect();
            let big: Vec<BigUint> = numerators.iter().map(|&numerator| numerator.into()).collect();
            prop_assert_eq!(largest_remainder_in_words(&numerators, count), largest_remainder(&big, &whole.into()));
            let short: Vec<u128> = numerators.iter().map(|numerator| numerator >> 53).collect();
            let big: Vec<BigUint> = short.iter().map(|&numerator| numerator.into()).collect();
            prop_assert_eq!(in_proportion(&short), largest_remainder(&big, &big.iter().sum()));
        }
    }
}
