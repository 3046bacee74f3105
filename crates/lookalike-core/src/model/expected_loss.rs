//! The expected loss of many channels, in integers.

use super::{Channel, Distribution, Form, Loss, TOTAL, TOTAL_BITS};
use crate::exact::{Natural, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// A loss over d categories in whole numbers, for averaging it over many profiles without a fraction each.
///
/// Inputs that a profile gives probability 0 cost nothing.
///
/// # Example
/// ```
/// use lookalike_core::model::{Channel, Distribution, ExpectedLoss, Loss, TOTAL};
/// let profile = Distribution::from_weights(vec![1u64.into(), 4u64.into()])?;
/// let channel = Channel::rows(vec![vec![TOTAL, 0], vec![TOTAL / 4, 3 * (TOTAL / 4)]])?;
/// assert_eq!(ExpectedLoss::new(&Loss::ZeroOne, 2).of(&profile, &channel).to_string(), "1/5");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub struct ExpectedLoss {
    size: usize,
    costs: Costs,
    /// What the costs, and a whole row of the channel, are out of.
    unit: Natural,
}

enum Costs {
    ZeroOne,
    Ordinal,
    Words(Vec<u64>),
    Wide(Vec<Natural>),
}

impl ExpectedLoss {
    /// The loss over `size` categories.
    ///
    /// # Panics
    /// If the loss is a matrix of another size.
    pub fn new(loss: &Loss, size: usize) -> Self {
        let whole = Natural::from(u128::from(TOTAL) << TOTAL_BITS);
        let (costs, unit) = match loss {
            Loss::ZeroOne => (Costs::ZeroOne, whole),
            Loss::Ordinal => (Costs::Ordinal, whole),
            // Any other loss is a table of its costs.
            _ => {
                assert!(loss.size().is_none_or(|own| own == size), "a loss of another size");
                let costs: Vec<Rational> = (0..size * size).map(|at| loss.cost(at / size, at % size)).collect();
                let common = costs.iter().fold(BigInt::one(), |common, cost| common.lcm(cost.denom()));
                let natural = |value: BigInt| Natural::from(value.to_biguint().expect("costs are not negative"));
                let costs: Vec<Natural> =
                    costs.iter().map(|cost| natural(cost.numer() * (&common / cost.denom()))).collect();
                let words = costs.iter().map(Natural::to_u64).collect::<Option<_>>().map(Costs::Words);
                (words.unwrap_or(Costs::Wide(costs)), whole.times(&natural(common)))
            }
        };
        ExpectedLoss { size, costs, unit }
    }

    /// The expected loss of `profile` under `channel`.
    ///
    /// # Panics
    /// If the channel is not square of the loss's and the profile's size.
    pub fn of(&self, profile: &Distribution, channel: &Channel) -> Rational {
        let whole = profile.denominator().times(&self.unit);
        Rational::new(self.weight(profile, channel).to_big().into(), whole.to_big().into())
    }

    /// The expected loss over [`ExpectedLoss::unit`] times the profile's denominator.
    ///
    /// Takes O(d) steps for the probability of an error and O(d²) for other losses.
    ///
    /// # Panics
    /// If the channel is not square of the loss's and the profile's size.
    pub fn weight(&self, profile: &Distribution, channel: &Channel) -> Natural {
        assert_eq!([channel.inputs(), channel.outputs(), profile.len()], [self.size; 3], "sizes that do not fit");
        let row = |x: usize| match channel.form() {
            Form::Rows { weights, outputs } => self.of_row(x, &weights[x * outputs..][..outputs]).times(&TOTAL.into()),
            Form::Keep { keep, redraw } => {
                let kept = self.cost(x, x).times(&(u128::from(keep[x]) << TOTAL_BITS).into());
                kept.plus(&self.of_row(x, redraw).times(&(TOTAL - keep[x]).into()))
            }
        };
        (0..self.size).fold(Natural::ZERO, |sum, x| match profile.numerator(x) {
            p if p.is_zero() => sum,
            p => sum.plus(&p.times(&row(x))),
        })
    }

    /// What [`ExpectedLoss::weight`] is out of, but for the profile's denominator.
    pub fn unit(&self) -> &Natural {
        &self.unit
    }

    fn cost(&self, x: usize, y: usize) -> Natural {
        match &self.costs {
            Costs::ZeroOne => u64::from(x != y).into(),
            Costs::Ordinal => (x.abs_diff(y) as u64).into(),
            Costs::Words(costs) => costs[x * self.size + y].into(),
            Costs::Wide(costs) => costs[x * self.size + y].clone(),
        }
    }

    /// Σ_y cost(x, y) row_y. The row sums to 2^53, so that costs of 64 bits need 117.
    fn of_row(&self, x: usize, row: &[u64]) -> Natural {
        let product = |cost: u64, weight: u64| u128::from(cost) * u128::from(weight);
        let entries = row.iter().enumerate();
        match &self.costs {
            Costs::ZeroOne => (TOTAL - row[x]).into(),
            Costs::Ordinal => entries.map(|(y, &weight)| product(x.abs_diff(y) as u64, weight)).sum::<u128>().into(),
            Costs::Words(costs) => {
                entries.map(|(y, &weight)| product(costs[x * self.size + y], weight)).sum::<u128>().into()
            }
            Costs::Wide(_) => {
                entries.fold(Natural::ZERO, |sum, (y, &weight)| sum.plus(&self.cost(x, y).times(&weight.into())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // The oracle multiplies fractions, entry by entry.
        #[test]
        fn the_integers_are_the_expectation(
            keep in prop::collection::vec(0..=TOTAL, 3), cuts in prop::collection::vec(0..=TOTAL, 2),
            law in prop::collection::vec(prop_oneof![Just(0u128), any::<u128>()], 3),
            costs in prop::collection::vec((0i64.., 1i64..50), 9), shift in prop_oneof![Just(0u32), Just(70)],
        ) {
            let mut cuts: Vec<u64> = cuts.into_iter().chain([0, TOTAL]).collect();
            cuts.sort_unstable();
            let row: Vec<u64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            prop_assume!(law.iter().any(|&weight| weight > 0));
            let profile = Distribution::from_weights(law.iter().map(|&weight| weight.into()).collect()).unwrap();
            let cost = |&(n, d): &(i64, i64)| Rational::new(BigInt::from(n) << shift, d.into());
            let matrix = costs.chunks(3).map(|row| row.iter().map(cost).collect()).collect();
            let rows: Vec<Vec<u64>> = (0..3).map(|by| (0..3).map(|y| row[(y + by) % 3]).collect()).collect();
            for loss in [Loss::ZeroOne, Loss::Ordinal, Loss::matrix(matrix, 3).unwrap()] {
                for channel in [Channel::keep(keep.clone(), row.clone()).unwrap(), Channel::rows(rows.clone()).unwrap()] {
                    let entry = |x: usize, y: usize| profile.probability(x) * loss.cost(x, y) * channel.probability(x, y);
                    let expected: Rational = (0..9).map(|at| entry(at / 3, at % 3)).sum();
                    prop_assert_eq!(ExpectedLoss::new(&loss, 3).of(&profile, &channel), expected);
                }
            }
        }
    }
}
