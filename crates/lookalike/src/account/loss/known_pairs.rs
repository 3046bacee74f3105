//! Pairs of laws that follow from closed forms: oracles, noise, and the worst of all that an ε allows.

use super::PrivacyLoss;
use crate::exact::{Epsilon, Interval, Natural};
use crate::model::{Noise, Oracle};
use num_traits::ToPrimitive;

/// Enclosures of the probabilities under P and under Q of each output.
pub(super) type Enclosures = Vec<[Interval; 2]>;

/// Bits of the enclosures. Noise of the largest scale loses 44 of them to a difference.
const BITS: u64 = 256;
/// Noise that has more steps between neighbours is put together to so many blocks of outputs.
const MOST_BLOCKS: u64 = 256;

/// The loss of a report between any two categories: it is the same for all of them.
///
/// Only what the report says of the two categories matters. Reports that support the first and not the second have the
/// probabilities of [`Oracle::apart`]; those that support the second and not the first are as many with P and Q exchanged, and
/// all others are equally likely.
pub(super) fn of_oracle(oracle: &Oracle) -> PrivacyLoss {
    let (masses, whole) = oracle.apart();
    PrivacyLoss::symmetric(masses.each_ref().map(Natural::to_big), whole.to_big())
}

/// The worst pair of all that are within ε: an output that is e^ε times as likely, and one the other way round.
///
/// Every pair within ε has its best tests below those of this one (Kairouz, Oh and Viswanath, The Composition Theorem for
/// Differential Privacy, 2015, theorem 2.1).
pub(super) fn of_epsilon(epsilon: &Epsilon) -> Enclosures {
    let one = Interval::integer(1);
    let power = epsilon.exp(BITS);
    let less = one.divide(&(&one + &power), BITS).expect("e^ε is positive");
    let more = (&power * &less).outward(BITS);
    vec![[more.clone(), less.clone()], [less, more]]
}

/// The pair of noise around 0 and around m steps, m being the most between neighbours.
///
/// Neighbours that are nearer are told apart less: the best test of noise around 0 against noise around k > 0 is
/// whether the outcome is below some bound, for its ratio falls with the outcome, and whether it is below is the more
/// telling the larger k is.
///
/// Up to 0 the loss is m·decay, from m on −m·decay, and at z in between (m − 2z)·decay. With many steps a block of
/// outcomes becomes two, with the losses of its ends and its probabilities, as in [`super::LossGrid`].
pub(super) fn of_noise(noise: &Noise) -> Option<Enclosures> {
    in_blocks(noise, MOST_BLOCKS)
}

fn in_blocks(noise: &Noise, most: u64) -> Option<Enclosures> {
    let steps = noise.steps().to_u64()?;
    let law = Law { decay: noise.decay(), steps };
    let blocks = (steps - 1).min(most);
    // The outcomes 1 to m − 1 in blocks of about equal length.
    let border = |at: u64| 1 + (u128::from(steps - 1) * u128::from(at) / u128::from(blocks)) as u64;
    let inner = (0..blocks).flat_map(|at| law.block(border(at), border(at + 1)));
    let ends = [law.power(0), law.power(steps)].map(|power| law.share(&power));
    let [more, less] = ends;
    let outer = [[more.clone(), less.clone()], [less, more]];
    Some(outer.into_iter().chain(inner).collect())
}

struct Law<'a> {
    decay: &'a Epsilon,
    steps: u64,
}

impl Law<'_> {
    /// α^n = e^(−n·decay).
    fn power(&self, n: u64) -> Interval {
        (-&self.loss(n.into())).exp(BITS)
    }

    /// n·decay.
    fn loss(&self, n: i128) -> Interval {
        &Interval::integer(n) * &self.decay.enclose(BITS + 64)
    }

    /// x/(1 + α).
    fn share(&self, x: &Interval) -> Interval {
        x.divide(&(&Interval::integer(1) + &self.power(1)), BITS).expect("a positive number")
    }

    /// The outcomes from a to before b, which lie between 0 and m.
    fn block(&self, a: u64, b: u64) -> Enclosures {
        let sum = |from: u64, to: u64| self.share(&(&self.power(from) - &self.power(to)));
        // α^a + … + α^(b−1) = (α^a − α^b)/(1 − α), and P(0) = (1 − α)/(1 + α).
        let [p, q] = [sum(a, b), sum(self.steps - (b - 1), self.steps - (a - 1))];
        if b - a == 1 {
            return vec![[p, q]];
        }
        let loss = |z: u64| self.loss(i128::from(self.steps) - 2 * i128::from(z));
        let [high, low] = [loss(a), loss(b - 1)];
        // As in the grid: p₊ = (p − q·e^low)/(1 − e^(low−high)).
        let fall = &Interval::integer(1) - &(&low - &high).exp(BITS);
        let upper = (&p - &(&q * &low.exp(BITS))).divide(&fall, BITS).expect("the ends differ");
        let parts = [(upper.clone(), high), (&p - &upper, low)];
        parts.map(|(part, loss)| [part.outward(BITS), (&part * &(-&loss).exp(BITS)).outward(BITS)]).to_vec()
    }
}

#[cfg(test)]
#[path = "known_pairs_tests.rs"]
mod tests;
