//! The quantile coupling of two laws on the line, and weights packed into one big number.

use num_bigint::BigUint;
use num_traits::Zero;
use std::cmp::Ordering;

/// Calls `visit(i, j)` for every place i of the first law and j of the second that share a quantile, i.e. that the
/// coupling by quantiles gives positive mass: one merge of the two cumulative laws, with exact levels.
///
/// Weights need no common sum; both sums must be positive. Levels that tie end both places at once: a tie missed by the
/// least amount would couple the places behind it, and could make the distance larger.
pub(super) fn coupled(one: &[BigUint], other: &[BigUint], mut visit: impl FnMut(usize, usize)) {
    let [one_sum, other_sum] = [one, other].map(|weights| weights.iter().sum::<BigUint>());
    debug_assert!(!one_sum.is_zero() && !other_sum.is_zero(), "laws have a positive sum");
    let (mut one, mut other) = (Levels::new(one, &other_sum), Levels::new(other, &one_sum));
    while let (Some(i), Some(j)) = (one.place, other.place) {
        visit(i, j);
        let order = one.level.cmp(&other.level);
        if order != Ordering::Greater {
            one.next();
        }
        if order != Ordering::Less {
            other.next();
        }
    }
}

/// The places with positive weight in order, and the sum of the weights up to the current one, times a factor.
struct Levels<'a> {
    weights: &'a [BigUint],
    factor: &'a BigUint,
    place: Option<usize>,
    level: BigUint,
}

impl<'a> Levels<'a> {
    fn new(weights: &'a [BigUint], factor: &'a BigUint) -> Self {
        let mut levels = Levels { weights, factor, place: None, level: BigUint::ZERO };
        levels.seek(0);
        levels
    }

    fn next(&mut self) {
        self.seek(self.place.map_or(0, |place| place + 1));
    }

    fn seek(&mut self, from: usize) {
        self.place = (from..self.weights.len()).find(|&place| !self.weights[place].is_zero());
        if let Some(place) = self.place {
            self.level += &self.weights[place] * self.factor;
        }
    }
}

/// The most places between equal quantiles of two laws over 0, 1, 2, …: W_∞.
pub(super) fn widest(one: &[BigUint], other: &[BigUint]) -> usize {
    let mut widest = 0;
    coupled(one, other, |i, j| widest = widest.max(i.abs_diff(j)));
    widest
}

/// Weights of 0, 1, 2, … as the digits of one number, so that a convolution is one product of integers and a shift by s
/// places is one shift of bits. Exact as long as no digit overflows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digits {
    words: usize,
}

impl Digits {
    /// Digits that hold weights up to `largest`.
    pub(super) fn holding(largest: &BigUint) -> Self {
        Digits { words: usize::try_from(largest.bits().div_ceil(32)).expect("memory holds it").max(1) }
    }

    /// The bits of one digit.
    pub(super) fn bits(self) -> u64 {
        32 * self.words as u64
    }

    /// The weights as one number.
    pub(super) fn pack(self, weights: &[BigUint]) -> BigUint {
        let mut words = vec![0; weights.len() * self.words];
        for (digit, weight) in words.chunks_exact_mut(self.words).zip(weights) {
            digit.iter_mut().zip(weight.iter_u32_digits()).for_each(|(word, from)| *word = from);
        }
        BigUint::new(words)
    }

    /// The weights again, without zeros at the end.
    pub(super) fn unpack(self, packed: &BigUint) -> Vec<BigUint> {
        packed.to_u32_digits().chunks(self.words).map(BigUint::from_slice).collect()
    }

    /// The same weights `places` further up.
    pub(super) fn shift(self, packed: &BigUint, places: u64) -> BigUint {
        packed << (places * self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn big(weights: &[u64]) -> Vec<BigUint> {
        weights.iter().map(|&weight| weight.into()).collect()
    }

    /// W_∞ by its definition: the least w such that the first law's mass up to x is never more than the other's up to
    /// x + w, and the other way round.
    fn by_definition(one: &[u64], other: &[u64]) -> usize {
        let level = |weights: &[u64], last: usize, factor: u64| {
            weights[..=last.min(weights.len() - 1)].iter().sum::<u64>() * factor
        };
        let [one_sum, other_sum] = [one, other].map(|weights| weights.iter().sum::<u64>());
        let reaches = |w: usize| {
            (0..one.len().max(other.len())).all(|x| {
                level(one, x, other_sum) <= level(other, x + w, one_sum)
                    && level(other, x, one_sum) <= level(one, x + w, other_sum)
            })
        };
        (0..).find(|&w| reaches(w)).unwrap()
    }

    #[test]
    fn ties_end_both_places() {
        // Levels tie at 1/2: without the tie the places 0 and 3 would be coupled.
        assert_eq!(widest(&big(&[1, 0, 1]), &big(&[2, 0, 0, 2])), 1);
        assert_eq!(widest(&big(&[1, 0, 1]), &big(&[1_000_001, 0, 0, 1_000_000])), 2);
        assert_eq!(widest(&big(&[3, 5]), &big(&[6, 10])), 0);
    }

    proptest! {
        #[test]
        fn the_merge_is_the_distance_by_definition(one in prop::collection::vec(0u64..4, 1..7), other in prop::collection::vec(0u64..4, 1..7)) {
            prop_assume!(one.iter().sum::<u64>() > 0 && other.iter().sum::<u64>() > 0);
            prop_assert_eq!(widest(&big(&one), &big(&other)), by_definition(&one, &other));
            prop_assert_eq!(widest(&big(&other), &big(&one)), by_definition(&one, &other));
        }

        #[test]
        fn a_product_of_packed_weights_is_their_convolution(one in prop::collection::vec(any::<u64>(), 1..6), other in prop::collection::vec(any::<u64>(), 1..6)) {
            let mut expected = vec![BigUint::ZERO; one.len() + other.len() - 1];
            for (i, &a) in one.iter().enumerate() {
                for (j, &b) in other.iter().enumerate() {
                    expected[i + j] += BigUint::from(a) * b;
                }
            }
            let digits = Digits::holding(&(BigUint::from(5u8) << 128u32));
            let found = digits.unpack(&(digits.pack(&big(&one)) * digits.pack(&big(&other))));
            expected.truncate(found.len().max(expected.iter().rposition(|weight| !weight.is_zero()).map_or(0, |at| at + 1)));
            prop_assert_eq!(&found, &expected);
            let shifted = digits.unpack(&digits.shift(&digits.pack(&big(&one)), 2));
            prop_assert!(shifted.len() <= 2 || shifted[2..] == digits.unpack(&digits.pack(&big(&one))));
        }
    }
}
