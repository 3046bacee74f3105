//! Sums and counts over a Markov chain: how far one state moves them.

use super::quantiles::{Digits, widest};
use super::{Chain, Initial, wasserstein};
use crate::exact::Rational;
use crate::model::{Distribution, Epsilon, Noise};
use crate::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Pow, ToPrimitive, Zero};
use rayon::prelude::*;

/// How far the state at one moment of a chain moves a sum over all moments: W, and where it is largest.
///
/// # Guarantee
/// [`SumDistance::noise`] makes Σ w(X_t) ε-Pufferfish private for the secrets "X_t is x", every two states x, x' of every
/// moment t, and every chain of Θ. See [`super::Wasserstein`] for the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumDistance {
    /// W, never too small.
    pub distance: Rational,
    /// The place of the chain in Θ.
    pub chain: usize,
    /// The moment; the first is 1.
    pub node: u64,
    /// The two states.
    pub states: [u32; 2],
    /// Whether W is the very distance; `false` where the initial law is arbitrary and W is an upper bound.
    pub exact: bool,
}

impl SumDistance {
    /// The least noise on a grid of 2^exponent for this W.
    ///
    /// # Errors
    /// W = 0: no noise is needed. Also as [`Noise::for_epsilon`].
    pub fn noise(&self, epsilon: &Epsilon, exponent: i32) -> Result<Noise> {
        wasserstein::noise(epsilon, &self.distance, exponent)
    }
}

/// The distance that one state moves Σ w(X_t), t = 1..=length, at most: the largest W_∞ over all moments, pairs of states
/// that are possible there, and chains of the class. `weights[x]` is w(x): 1 for one state and 0 for the others counts
/// that state, and 1/length instead of 1 gives its share.
///
/// The laws are computed by dynamic programming, in whole numbers over a common denominator. With past sums
/// `A_t(x, s) = Pr[X_t = x, Σ_{u<t} w(X_u) = s]` and future sums `B_t(x, s) = Pr[Σ_{u>t} w(X_u) = s | X_t = x]` the law
/// given X_t = x is proportional to w(x) + A_t(x, ·) ∗ B_t(x, ·). Whether two levels of cumulative laws tie decides W, so
/// nothing is rounded.
///
/// **Arbitrary initial laws.** Under the initial law μ the sum given X_t = x is a mixture over first states r, of weights
/// ∝ μ(r)·P^(t−1)(r, x). Two mixtures, with whatever weights, can be coupled by coupling each two of their parts, so W_∞ is
/// at most the largest W_∞ of a part given x and a part given x': the maximum over first states r, r' from which x and x'
/// can be reached. It holds for every μ, and may be more than any μ needs.
///
/// # Errors
/// No chain, another number of weights than states, fewer than one moment, a stationary law that is not unique, or exact
/// numbers that would not fit memory; a Markov quilt then serves.
///
/// # Complexity
/// With k states and n = length·(range of w in whole steps): length·k products of numbers of n·length·bits of the common
/// denominator; k times that for an arbitrary initial law, and k² times as many merges. Moments are
/// worked on in parallel. Seconds for two states and length 200.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Chain, Initial, sum_distance}};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap()));
/// let rows = vec![row(["0.9", "0.1"])?, row(["0.4", "0.6"])?];
/// let chain = Chain::new(Initial::Given(row(["0.8", "0.2"])?), rows)?;
/// let weights = [parse_rational("0")?, parse_rational("1")?];
/// // Group differential privacy would hide a distance of 20.
/// assert_eq!(sum_distance(&[chain], &weights, 20)?.distance.to_string(), "4");
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn sum_distance(class: &[Chain], weights: &[Rational], length: u64) -> Result<SumDistance> {
    if length == 0 {
        return Err(Error::input("a sequence of length 0, expected at least one moment"));
    }
    let steps = Steps::new(weights)?;
    let mut farthest: Option<(u64, SumDistance)> = None;
    for (place, chain) in class.iter().enumerate() {
        let found = of_chain(chain, &steps, length).map_err(|error| error.at(format_args!("chain {}", place + 1)))?;
        if farthest.as_ref().is_none_or(|(widest, _)| found.widest > *widest) {
            let Widest { widest, node, states } = found;
            let distance = &steps.unit * BigInt::from(widest);
            let exact = !matches!(chain.initial(), Initial::Arbitrary);
            farthest = Some((widest, SumDistance { distance, chain: place, node, states, exact }));
        }
    }
    let (_, found) = farthest.ok_or_else(|| Error::input("the class has no chain, expected at least one"))?;
    Ok(found)
}

/// Weights as whole steps above the least one: w(x) = least + unit·steps(x). Distances do not depend on the least.
struct Steps {
    unit: Rational,
    of_state: Vec<u64>,
}

impl Steps {
    fn new(weights: &[Rational]) -> Result<Self> {
        let least = weights.iter().min().ok_or_else(|| Error::input("no weights, expected one a state"))?;
        let above: Vec<Rational> = weights.iter().map(|weight| weight - least).collect();
        let common = above.iter().fold(BigInt::one(), |common, weight| common.lcm(weight.denom()));
        let whole: Vec<BigInt> = above.iter().map(|weight| weight.numer() * (&common / weight.denom())).collect();
        let divisor = whole.iter().fold(BigInt::zero(), |divisor, weight| divisor.gcd(weight)).max(BigInt::one());
        let steps = whole.iter().map(|weight| (weight / &divisor).to_u64());
        let of_state = steps.collect::<Option<Vec<u64>>>().ok_or_else(|| {
            Error::inapplicable("weights that differ by more than 2^64 of their common step, expected fewer digits")
        })?;
        Ok(Steps { unit: Rational::new(divisor, common), of_state })
    }
}

struct Widest {
    widest: u64,
    node: u64,
    states: [u32; 2],
}

fn of_chain(chain: &Chain, steps: &Steps, length: u64) -> Result<Widest> {
    if steps.of_state.len() != chain.states() {
        return Err(Error::input(format!("{} weights for {} states", steps.of_state.len(), chain.states())));
    }
    let (starts, start_sum) = starts(chain)?;
    let program = Program::new(chain, steps, length, &start_sum, starts.len())?;
    let (pasts, futures) = (program.pasts(starts, length), program.futures(length));
    let moments = pasts.par_iter().zip(futures.par_iter().rev()).zip(0..pasts.len());
    let found: Vec<Widest> =
        moments.map(|((past, future), node)| program.widest(past, future, node as u64 + 1)).collect();
    // The first of equals, whatever the order in which they were found.
    Ok(found.into_iter().reduce(|one, other| if other.widest > one.widest { other } else { one }).expect("a moment"))
}

/// The weights of the first state, one list for each law to be told apart, and the most that a list sums to.
fn starts(chain: &Chain) -> Result<(Vec<Vec<BigUint>>, BigUint)> {
    let law = match chain.initial() {
        Initial::Given(law) => law.clone(),
        Initial::Stationary => chain.stationary()?,
        Initial::Arbitrary => {
            let point =
                |first: usize| (0..chain.states()).map(|state| BigUint::from(u8::from(state == first))).collect();
            return Ok(((0..chain.states()).map(point).collect(), BigUint::one()));
        }
    };
    Ok((vec![law.numerators().map(|weight| weight.to_big()).collect()], law.denominator().to_big()))
}

/// The dynamic program over laws of sums, each law packed into one number.
struct Program<'a> {
    digits: Digits,
    steps: &'a [u64],
    /// Transition probabilities over one common denominator.
    transition: Vec<Vec<BigUint>>,
}

/// Bits of all packed laws together: half a gigabyte.
const MOST_BITS: u128 = 1 << 32;

impl<'a> Program<'a> {
    fn new(chain: &Chain, steps: &'a Steps, length: u64, start_sum: &BigUint, starts: usize) -> Result<Self> {
        let denominator = |row: &Distribution| row.denominator().to_big();
        let common = chain.transition().iter().fold(BigUint::one(), |common, row| common.lcm(&denominator(row)));
        let (states, range) = (chain.states() as u128, steps.of_state.iter().max().copied().unwrap_or(0));
        let digit = u128::from(common.bits()) * u128::from(length) + u128::from(start_sum.bits());
        let places = u128::from(range).saturating_mul(length.into()).saturating_add(1);
        // The laws of pasts and futures grow along the chain: on average they have half of their final places.
        let laws = (1 + starts as u128) * states * u128::from(length).div_ceil(2);
        let bits = laws.saturating_mul(places).saturating_mul(digit);
        if bits > MOST_BITS {
            return Err(Error::inapplicable(format!(
                "the exact laws of a sum over {length} moments would take {} MB, expected at most {} (a Markov quilt \
                 serves long chains)",
                bits >> 23,
                MOST_BITS >> 23
            )));
        }
        let row = |row: &Distribution| {
            let factor = &common / denominator(row);
            row.numerators().map(|weight| weight.to_big() * &factor).collect()
        };
        let transition = chain.transition().iter().map(row).collect();
        // What a law sums to is at most this, so no digit overflows.
        let digits = Digits::holding(&(Pow::pow(&common, length - 1) * start_sum));
        Ok(Program { digits, steps: &steps.of_state, transition })
    }

    /// For each moment and each law of the first state: the law of the sum before it, together with its state.
    fn pasts(&self, starts: Vec<Vec<BigUint>>, length: u64) -> Vec<Vec<Vec<BigUint>>> {
        let step = |pasts: &Vec<Vec<BigUint>>| Some(pasts.iter().map(|past| self.step(past)).collect());
        std::iter::successors(Some(starts), step).take(length as usize).collect()
    }

    /// For 0, 1, … length − 1 moments to come: the law of their sum given each state now.
    fn futures(&self, length: u64) -> Vec<Vec<BigUint>> {
        let mut futures = vec![vec![BigUint::one(); self.transition.len()]];
        for _ in 1..length {
            let last = futures.last().expect("the first is there");
            let shifted: Vec<BigUint> = (0..).zip(last).map(|(state, law)| self.add(law, state)).collect();
            let mix = |row: &Vec<BigUint>| row.iter().zip(&shifted).map(|(weight, law)| weight * law).sum();
            futures.push(self.transition.iter().map(mix).collect());
        }
        futures
    }

    /// The law of the sum before the next moment together with its state, from those of this moment.
    fn step(&self, past: &[BigUint]) -> Vec<BigUint> {
        let shifted: Vec<BigUint> = (0..).zip(past).map(|(state, law)| self.add(law, state)).collect();
        let mix = |next: usize| shifted.iter().zip(&self.transition).map(|(law, row)| law * &row[next]).sum();
        (0..past.len()).map(mix).collect()
    }

    /// The two states of a moment that are furthest apart.
    fn widest(&self, pasts: &[Vec<BigUint>], future: &[BigUint], node: u64) -> Widest {
        // For each state the laws of the sum given it, one a first state that can lead there.
        let laws_given = |state: usize| {
            let possible = pasts.iter().filter(|past| !past[state].is_zero());
            possible.map(|past| self.law(&past[state], &future[state], state)).collect::<Vec<_>>()
        };
        let laws: Vec<Vec<Vec<BigUint>>> = (0..future.len()).map(laws_given).collect();
        let mut found = Widest { widest: 0, node, states: [0, 0] };
        for (state, ones) in laws.iter().enumerate() {
            for (other, others) in laws.iter().enumerate().skip(state + 1) {
                let apart = ones.iter().flat_map(|one| others.iter().map(|other| widest(one, other) as u64)).max();
                if let Some(apart) = apart.filter(|&apart| apart > found.widest) {
                    found = Widest { widest: apart, node, states: [state as u32, other as u32] };
                }
            }
        }
        found
    }

    fn add(&self, law: &BigUint, state: usize) -> BigUint {
        self.digits.shift(law, self.steps[state])
    }

    /// The law of the whole sum given the state of a moment.
    fn law(&self, past: &BigUint, future: &BigUint, state: usize) -> Vec<BigUint> {
        self.digits.unpack(&self.add(&(past * future), state))
    }
}

#[cfg(test)]
#[path = "sums_tests.rs"]
mod tests;
