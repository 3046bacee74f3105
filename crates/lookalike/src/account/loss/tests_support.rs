//! Small pairs of laws for the tests of this module.

use super::PrivacyLoss;
use crate::model::Distribution;
use proptest::prelude::*;

/// The law with these weights.
pub(super) fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

/// The loss between two laws with these weights.
pub(super) fn small(first: &[u64], second: &[u64]) -> PrivacyLoss {
    PrivacyLoss::of(&law(first), &law(second)).unwrap()
}

/// Two laws over up to `most` outputs, with zeros and equal ratios now and then.
pub(super) fn laws(most: usize) -> impl Strategy<Value = [Distribution; 2]> {
    let weight = || prop_oneof![1 => Just(0u64), 3 => 1u64..5, 3 => 1u64..50];
    prop::collection::vec((weight(), weight()), 1..=most)
        .prop_filter("both laws have a positive weight", |pairs| {
            pairs.iter().any(|pair| pair.0 > 0) && pairs.iter().any(|pair| pair.1 > 0)
        })
        .prop_map(|pairs| {
            let (first, second): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            [law(&first), law(&second)]
        })
}

/// The losses between such laws.
pub(super) fn losses(most: usize) -> impl Strategy<Value = PrivacyLoss> {
    laws(most).prop_map(|[first, second]| PrivacyLoss::of(&first, &second).unwrap())
}
