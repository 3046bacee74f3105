//! Random rows and channels, for property tests of all modules.

use crate::model::{Channel, TOTAL};
use proptest::prelude::*;

/// Weights of the given length that sum to 2^53, with zeros, equal ones and tiny ones now and then.
pub(crate) fn row(length: usize) -> impl Strategy<Value = Vec<u64>> {
    let cut = prop_oneof![2 => Just(0), 1 => Just(TOTAL / 4), 1 => 0u64..4, 1 => (TOTAL - 3)..=TOTAL, 5 => 0..=TOTAL];
    prop::collection::vec(cut, length - 1).prop_map(|mut cuts| {
        cuts.sort_unstable();
        cuts.push(TOTAL);
        let mut before = 0;
        cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect()
    })
}

/// A square channel of either form.
pub(crate) fn channel(size: usize) -> impl Strategy<Value = Channel> {
    let keep = prop_oneof![1 => Just(0), 1 => Just(TOTAL), 4 => 0..=TOTAL];
    prop_oneof![
        1 => Just(Channel::identity(size).expect("a size")),
        4 => prop::collection::vec(row(size), size).prop_map(|rows| Channel::rows(rows).expect("rows")),
        4 => (prop::collection::vec(keep, size), row(size))
            .prop_map(|(keep, row)| Channel::keep(keep, row).expect("weights")),
    ]
}
