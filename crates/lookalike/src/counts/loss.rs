//! What a wrong count costs, and the score of a mechanism.

use super::check;
use crate::exact::Rational;
use crate::model::{Channel, Mechanism, Prior};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::fmt;
use std::str::FromStr;

/// The cost of releasing i for j as a function of d = |i − j|. Read from text: `l0`, `l0.5`, `l1`, `l2` or `more-than-3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountLoss {
    /// 1 for every wrong count.
    L0,
    /// √d, as the nearest double, which is then taken exactly.
    LHalf,
    /// d.
    L1,
    /// d².
    L2,
    /// 1 if the count is more than this far off.
    MoreThan(u32),
}

impl CountLoss {
    /// The cost at distance d; it never falls as d grows.
    pub fn cost(self, d: usize) -> Rational {
        let whole = |value: usize| Rational::from_integer(value.into());
        match self {
            CountLoss::L0 => whole(usize::from(d > 0)),
            CountLoss::LHalf => Rational::from_float((d as f64).sqrt()).expect("a root is finite"),
            CountLoss::L1 => whole(d),
            CountLoss::L2 => Rational::from_integer(BigInt::from(d) * d),
            CountLoss::MoreThan(limit) => whole(usize::from(d > limit as usize)),
        }
    }
}

impl fmt::Display for CountLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountLoss::L0 => f.write_str("l0"),
            CountLoss::LHalf => f.write_str("l0.5"),
            CountLoss::L1 => f.write_str("l1"),
            CountLoss::L2 => f.write_str("l2"),
            CountLoss::MoreThan(limit) => write!(f, "more-than-{limit}"),
        }
    }
}

impl FromStr for CountLoss {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let more_than = || text.strip_prefix("more-than-")?.parse().ok().map(CountLoss::MoreThan);
        let named = [CountLoss::L0, CountLoss::LHalf, CountLoss::L1, CountLoss::L2];
        let found = named.into_iter().find(|loss| loss.to_string() == text).or_else(more_than);
        found.ok_or_else(|| {
            Error::input(format!("loss {text:?}, expected l0, l0.5, l1, l2 or more-than-D like more-than-1"))
        })
    }
}

/// The expected loss of a release, `Σ_j w_j Σ_i P[i|j]·loss(|i−j|)`, exactly.
///
/// The root of it for [`CountLoss::L2`] is the root mean squared error.
///
/// # Errors
/// A mechanism that [`check`](super::check()) refuses, or a prior over another number of counts.
pub fn expected_loss(mechanism: &Mechanism, prior: &Prior, loss: CountLoss) -> Result<Rational> {
    let channel = check::single_channel(mechanism)?;
    let size = channel.inputs();
    if prior.len() != size {
        return Err(Error::input(format!("a prior over {} counts, expected {size}: those from 0 to n", prior.len())));
    }
    let costs: Vec<Rational> = (0..size).map(|d| loss.cost(d)).collect();
    let of_row = |j: usize| row_loss(channel, j, &costs) * prior.weight(j);
    Ok((0..size).map(of_row).fold(Rational::zero(), |sum, part| sum + part))
}

/// The paper's score L_p = (n+1)/n · Σ_j w_j Σ_i P[i|j]·loss(|i−j|), exactly: 1 for the uniform mechanism and L_0.
///
/// # Errors
/// As [`expected_loss`].
pub fn score(mechanism: &Mechanism, prior: &Prior, loss: CountLoss) -> Result<Rational> {
    let size = mechanism.inputs().len();
    Ok(expected_loss(mechanism, prior, loss)? * scale(size - 1))
}

/// (n+1)/n.
pub(super) fn scale(n: usize) -> Rational {
    Rational::one() + Rational::new(1.into(), n.max(1).into())
}

fn row_loss(channel: &Channel, j: usize, costs: &[Rational]) -> Rational {
    let mut at_distance = vec![0u128; costs.len()];
    (0..channel.outputs()).for_each(|i| at_distance[i.abs_diff(j)] += channel.weight(j, i));
    let terms = at_distance.iter().zip(costs).filter(|(weight, cost)| **weight > 0 && !cost.is_zero());
    let sum = terms.fold(Rational::zero(), |sum, (&weight, cost)| sum + cost * Rational::from_integer(weight.into()));
    sum / BigInt::from(channel.scale())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::uniform;

    #[test]
    fn text_is_read_back_and_other_text_refused() {
        for loss in [CountLoss::L0, CountLoss::LHalf, CountLoss::L1, CountLoss::L2, CountLoss::MoreThan(3)] {
            assert_eq!(loss.to_string().parse::<CountLoss>().unwrap(), loss);
        }
        let message = "l3".parse::<CountLoss>().unwrap_err().to_string();
        assert_eq!(message, "loss \"l3\", expected l0, l0.5, l1, l2 or more-than-D like more-than-1");
    }

    #[test]
    fn guessing_has_the_scores_of_an_even_draw() {
        let mechanism = uniform(3, &"0.9".parse().unwrap()).unwrap();
        let shown = |loss| score(&mechanism, &Prior::uniform(4).unwrap(), loss).unwrap().to_string();
        assert_eq!(shown(CountLoss::L0), "1");
        // Of 16 pairs six are one apart, four two and two three.
        assert_eq!(shown(CountLoss::L1), "5/3");
        assert_eq!(shown(CountLoss::L2), "10/3");
        assert_eq!(shown(CountLoss::MoreThan(1)), "1/2");
        let short = score(&mechanism, &Prior::uniform(3).unwrap(), CountLoss::L0).unwrap_err().to_string();
        assert_eq!(short, "a prior over 3 counts, expected 4: those from 0 to n");
    }
}
