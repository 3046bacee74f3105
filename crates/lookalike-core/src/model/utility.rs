//! What a channel does to one profile's records.

use super::{Channel, Distribution, ExpectedLoss, Form, Loss, TOTAL, TOTAL_BITS};
use crate::exact::Rational;

/// Exact utility figures of one profile under a channel whose outputs are its inputs.
///
/// Inputs that the profile gives probability 0 are outside every figure.
///
/// # Example
/// ```
/// use lookalike_core::{exact::parse_rational, model::{Channel, Distribution, TOTAL, Utility}};
/// let profile = Distribution::new(&["0.2", "0.8"].map(|p| parse_rational(p).unwrap()))?;
/// let channel = Channel::rows(vec![vec![TOTAL, 0], vec![TOTAL / 4, 3 * (TOTAL / 4)]])?;
/// let utility = Utility::of(&profile, &channel);
/// assert_eq!(utility.keep_probability.to_string(), "3/4");
/// assert_eq!(utility.expected_error.to_string(), "1/5");
/// assert_eq!(utility.max_flip.to_string(), "1/4");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utility {
    /// The least probability, over inputs, that the input is released unchanged.
    pub keep_probability: Rational,
    /// Pr[output ≠ input].
    pub expected_error: Rational,
    /// The largest probability of any one wrong output.
    pub max_flip: Rational,
}

impl Utility {
    /// The figures of `profile` under `channel`.
    ///
    /// Takes O(d²) steps for `rows` and O(d) for `keep`.
    ///
    /// # Panics
    /// If the channel is not square of the profile's size.
    pub fn of(profile: &Distribution, channel: &Channel) -> Self {
        assert_eq!(channel.inputs(), channel.outputs(), "utility compares an output with its input");
        let possible = (0..profile.len()).filter(|&x| !profile.numerator(x).is_zero());
        let least = possible.map(|x| channel.weight(x, x)).min().unwrap_or(0) * (WIDE / channel.scale());
        Utility {
            keep_probability: of_wide(least),
            expected_error: Utility::expected_loss(profile, channel, &Loss::ZeroOne),
            max_flip: of_wide(Utility::max_flip_weight(profile, channel)),
        }
    }

    /// The expected loss of `profile` under `channel`; [`ExpectedLoss`] serves many of them better.
    pub fn expected_loss(profile: &Distribution, channel: &Channel, loss: &Loss) -> Rational {
        ExpectedLoss::new(loss, profile.len()).of(profile, channel)
    }

    /// [`Utility::max_flip`] out of 2^106 for every form of channel, for comparing many without fractions.
    pub fn max_flip_weight(profile: &Distribution, channel: &Channel) -> u128 {
        let is_possible = |x: &usize| !profile.numerator(*x).is_zero();
        let possible = (0..profile.len()).filter(is_possible);
        match channel.form() {
            Form::Rows { weights, outputs } => {
                let flip = |x: usize| LargestTwo::of(&weights[x * outputs..][..outputs]).other_than(x);
                u128::from(possible.map(flip).max().unwrap_or(0)) << TOTAL_BITS
            }
            Form::Keep { keep, redraw } => {
                let largest = LargestTwo::of(redraw);
                let flip = |x: usize| u128::from(TOTAL - keep[x]) * u128::from(largest.other_than(x));
                possible.map(flip).max().unwrap_or(0)
            }
        }
    }
}

/// 2^106: what the weights of the form `keep` are out of, and a multiple of what those of `rows` are.
const WIDE: u128 = (TOTAL as u128) << TOTAL_BITS;

/// A weight out of 2^106 in lowest terms: there only twos can be divided out.
fn of_wide(weight: u128) -> Rational {
    let twos = weight.trailing_zeros().min(2 * TOTAL_BITS);
    Rational::new_raw((weight >> twos).into(), (WIDE >> twos).into())
}

/// The largest entry of a row, where it is, and the largest of the others.
struct LargestTwo {
    first: u64,
    at: usize,
    second: u64,
}

impl LargestTwo {
    fn of(row: &[u64]) -> Self {
        let mut found = LargestTwo { first: 0, at: 0, second: 0 };
        for (at, &weight) in row.iter().enumerate() {
            if at == 0 || weight > found.first {
                found = LargestTwo { first: weight, at, second: found.first };
            } else {
                found.second = found.second.max(weight);
            }
        }
        found
    }

    fn other_than(&self, x: usize) -> u64 {
        if x == self.at { self.second } else { self.first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_largest_flip_is_that_of_every_entry(
            keep in prop::collection::vec(0..=TOTAL, 4), cuts in prop::collection::vec(0..=TOTAL, 3), law in prop::collection::vec(0u64..3, 4),
        ) {
            let mut cuts: Vec<u64> = cuts.into_iter().chain([0, TOTAL]).collect();
            cuts.sort_unstable();
            let row: Vec<u64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let laws = law.iter().map(|&weight| weight.into()).collect();
            prop_assume!(law.iter().sum::<u64>() > 0);
            let profile = Distribution::from_weights(laws).unwrap();
            let rows: Vec<Vec<u64>> = (0..4).map(|by| (0..4).map(|y| row[(y + by) % 4]).collect()).collect();
            for channel in [Channel::keep(keep, row).unwrap(), Channel::rows(rows).unwrap()] {
                let pairs = (0..4).filter(|&x| law[x] > 0).flat_map(|x| (0..4).filter(move |&y| y != x).map(move |y| (x, y)));
                let expected = pairs.map(|(x, y)| channel.probability(x, y)).max().unwrap();
                let utility = Utility::of(&profile, &channel);
                prop_assert_eq!(&utility.max_flip, &expected);
                prop_assert_eq!(utility.max_flip.denom(), expected.denom(), "in lowest terms");
                let kept = (0..4).filter(|&x| law[x] > 0).map(|x| channel.probability(x, x)).min();
                prop_assert_eq!(Some(utility.keep_probability), kept);
                let error: Rational = (0..4).map(|x| profile.probability(x) * (Rational::one() - channel.probability(x, x))).sum();
                prop_assert_eq!(utility.expected_error, error);
            }
        }
    }
}
