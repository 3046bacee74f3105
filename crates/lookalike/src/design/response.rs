//! Randomized response at the least noise that protects what it is shown.
//!
//! The family behind every closed form here: release x unchanged, or spread evenly over the categories. Its noise is
//! one integer, raised just as far as each pair of probabilities needs, so that the result is private exactly and
//! one unit less would not be.

use crate::Result;
use crate::exact::{Dyadic, Epsilon, Interval, Natural, Rational, exceeds};
use crate::model::{Channel, TOTAL};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};

/// More categories than this are stored in the `keep` form: d numbers instead of d².
pub(super) const LARGEST_ROWS: usize = 64;
/// Working precision to begin with; the last unit of 2^53 is decided exactly all the same.
const BITS: u64 = 192;
/// Relative precision of the quantities behind a weight, so that it comes out to its last unit or two.
const SHARP_BITS: i64 = 80;

/// Randomized response over `size` categories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Response {
    size: u64,
    noise: Noise,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noise {
    /// Every wrong output has this weight out of 2^53; at `size · flip > 2^53` the output is drawn evenly.
    Flip(u64),
    /// The input stays with this weight out of 2^53 and is drawn from the even row else.
    Keep(u64),
}

/// Two probabilities of one output that must come within e^ε of each other.
pub(super) struct Pair<'a> {
    pub more: Natural,
    pub less: Natural,
    /// What both are out of.
    pub denominator: Natural,
    pub output: usize,
    pub epsilon: &'a Epsilon,
}

impl Response {
    /// No noise yet.
    pub(super) fn identity(size: usize) -> Self {
        let noise = if size <= LARGEST_ROWS { Noise::Flip(0) } else { Noise::Keep(TOTAL) };
        Response { size: size as u64, noise }
    }

    #[cfg(test)]
    pub(super) fn identity_as_keep(size: usize) -> Self {
        Response { size: size as u64, noise: Noise::Keep(TOTAL) }
    }

    /// Adds the least noise that makes the pair private; none if it is already.
    pub(super) fn protect(&mut self, pair: &Pair<'_>) {
        if !self.exposes(pair) {
            return;
        }
        // The enclosure gives the weight up to its last unit or two; those are tried exactly, least noise first.
        match self.noise {
            Noise::Flip(_) => {
                let mut flip = scaled(least_flip(pair, self.size).lower()).max(1);
                self.noise = Noise::Flip(flip);
                while self.exposes(pair) {
                    flip += 1;
                    self.noise = Noise::Flip(flip);
                }
            }
            Noise::Keep(before) => {
                let redraw = even_weight(self.size, pair.output);
                let mut keep = (scaled(most_keep(pair, redraw).upper()) + 1).min(before - 1);
                self.noise = Noise::Keep(keep);
                while self.exposes(pair) {
                    keep -= 1;
                    self.noise = Noise::Keep(keep);
                }
            }
        }
    }

    /// Whether the pair's output probabilities are further apart than e^ε.
    fn exposes(&self, pair: &Pair<'_>) -> bool {
        let law = |numerator: &Natural| self.output_probability(numerator, pair);
        exceeds(&law(&pair.more), pair.epsilon, &law(&pair.less))
    }

    /// The probability of the pair's output when it has probability `numerator / denominator` before, over a
    /// denominator that is the same for both.
    fn output_probability(&self, numerator: &Natural, pair: &Pair<'_>) -> Natural {
        let product = |a: &Natural, b: u64| a.times(&b.into());
        match self.noise {
            Noise::Flip(flip) if self.is_even(flip) => Natural::ONE,
            Noise::Flip(flip) => product(numerator, TOTAL - self.size * flip).plus(&product(&pair.denominator, flip)),
            Noise::Keep(keep) => {
                let redraw = even_weight(self.size, pair.output);
                let redrawn = product(&product(&pair.denominator, TOTAL - keep), redraw);
                product(&product(numerator, keep), TOTAL).plus(&redrawn)
            }
        }
    }

    fn is_even(&self, flip: u64) -> bool {
        u128::from(flip) * u128::from(self.size) > u128::from(TOTAL)
    }

    /// The channel.
    pub(super) fn channel(&self) -> Result<Channel> {
        let even = even_row(self.size);
        match self.noise {
            Noise::Flip(flip) if self.is_even(flip) => Channel::rows(vec![even; self.size as usize]),
            Noise::Flip(flip) => {
                let row = |x: u64| {
                    let mut row = vec![flip; self.size as usize];
                    row[x as usize] = TOTAL - (self.size - 1) * flip;
                    row
                };
                Channel::rows((0..self.size).map(row).collect())
            }
            Noise::Keep(keep) => Channel::keep(vec![keep; self.size as usize], even),
        }
    }
}

/// 2^53 spread as evenly as whole numbers allow.
fn even_row(size: u64) -> Vec<u64> {
    (0..size).map(|at| even_weight(size, at as usize)).collect()
}

fn even_weight(size: u64, at: usize) -> u64 {
    TOTAL / size + u64::from((at as u64) < TOTAL % size)
}

/// The flip probability g(u) = u/(d·u + E − 1) with u = p − E p', for u > 0: Observation 10 of the paper with the
/// sign guard, and d in place of 2.
pub(super) fn least_flip(pair: &Pair<'_>, size: u64) -> Interval {
    let (u, gain) = excess(pair);
    let denominator = &(&u * &Interval::integer(size)) + &gain;
    u.divide(&denominator, BITS).expect("u and E − 1 are positive")
}

/// The keep probability (E−1) r/(u + (E−1) r) where r is the even row's probability of the output.
fn most_keep(pair: &Pair<'_>, redraw: u64) -> Interval {
    let (u, gain) = excess(pair);
    let even = Interval::point(Dyadic::new(BigInt::from(redraw), -53));
    let pull = &gain * &even;
    pull.divide(&(&u + &pull), BITS).expect("u and E − 1 are positive")
}

/// `u = p − E p'` and `E − 1`, both positive and narrow in proportion, however small they are.
///
/// Ends because the caller has found that the pair exceeds its ε, so that u > 0.
fn excess(pair: &Pair<'_>) -> (Interval, Interval) {
    let whole = |value: &Natural| BigInt::from(value.to_big());
    let probability =
        |numerator: &Natural, bits: u64| Interval::of(&Rational::new(whole(numerator), whole(&pair.denominator)), bits);
    let is_sharp = |interval: &Interval| {
        interval.is_positive() && &interval.width() * &Dyadic::new(BigInt::from(1), SHARP_BITS) <= *interval.lower()
    };
    let mut bits = BITS;
    loop {
        let exp = pair.epsilon.exp(bits);
        let gain = &exp - &Interval::integer(1);
        let u = &probability(&pair.more, bits) - &(&exp * &probability(&pair.less, bits));
        if is_sharp(&gain) && is_sharp(&u) {
            return (u, gain);
        }
        bits *= 2;
    }
}

/// The whole number of units of 2^−53 in a probability, rounded down and kept in range.
fn scaled(probability: &Dyadic) -> u64 {
    let units = (probability.to_rational() * BigInt::from(TOTAL)).floor().to_integer();
    let units: BigUint = units.to_biguint().unwrap_or_else(BigUint::zero);
    units.to_u64().unwrap_or(TOTAL).min(TOTAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pair<'a>(more: u64, less: u64, denominator: u64, epsilon: &'a Epsilon) -> Pair<'a> {
        Pair { more: more.into(), less: less.into(), denominator: denominator.into(), output: 0, epsilon }
    }

    #[test]
    fn warner_at_ln_3_is_exactly_a_quarter() {
        let epsilon = "ln(3)".parse().unwrap();
        let mut response = Response::identity(2);
        response.protect(&pair(1, 0, 1, &epsilon));
        assert_eq!(response.noise, Noise::Flip(1 << 51));
    }

    #[test]
    fn tiny_budgets_end_in_even_rows_that_are_all_equal() {
        let epsilon = "1e-40".parse().unwrap();
        for mut response in [Response::identity(3), Response::identity_as_keep(3)] {
            response.protect(&pair(1, 0, 1, &epsilon));
            let channel = response.channel().unwrap();
            assert!((0..3).all(|y| channel.probability(0, y) == channel.probability(2, y)));
        }
    }

    #[test]
    fn differences_far_below_the_working_precision_end_and_are_right() {
        // Probabilities 1/2 and 1/2 + 1e-59 at ε = 1e-60: u/(2u + E − 1) with u = 9.5e-60.
        let denominator = BigUint::from(10u32).pow(59);
        let half = &denominator / 2u32;
        let epsilon = "1e-60".parse().unwrap();
        let [more, less, denominator] = [&half + 1u32, half, denominator].map(Natural::from);
        let pair = Pair { more, less, denominator, output: 0, epsilon: &epsilon };
        let flip = crate::exact::to_f64(&least_flip(&pair, 2).lower().to_rational(), crate::exact::Direction::Nearest);
        assert!((flip - 9.5 / 20.0).abs() < 1e-12, "{flip}");
        let mut response = Response::identity(2);
        response.protect(&pair);
        assert!(!response.exposes(&pair));
    }

    #[test]
    fn the_largest_budget_is_quick() {
        let epsilon = "100000".parse().unwrap();
        let mut response = Response::identity(3);
        response.protect(&pair(1, 0, 3, &epsilon));
        assert_eq!(response.noise, Noise::Flip(1), "the smallest weight there is");
    }

    proptest! {
        // Least noise to the last unit: private as it is, exposed with one unit less.
        #[test]
        fn one_unit_less_noise_is_not_private(more in 0u64..=1000, less in 0u64..=1000, size in 2usize..70,
                                              budget in prop_oneof![Just("ln(3)"), Just("1/10"), Just("1"), Just("1/1000"), Just("ln(3/2)")],
                                              as_keep in any::<bool>()) {
            let epsilon: Epsilon = budget.parse().unwrap();
            let pair = pair(more, less, 1000, &epsilon);
            let mut response = if as_keep { Response::identity_as_keep(size) } else { Response::identity(size) };
            let identity = response.clone();
            response.protect(&pair);
            prop_assert!(!response.exposes(&pair));
            let less_noise = match response.noise {
                Noise::Flip(0) | Noise::Keep(TOTAL) => {
                    prop_assert_eq!(response, identity);
                    return Ok(());
                }
                Noise::Flip(flip) => Noise::Flip(flip - 1),
                Noise::Keep(keep) => Noise::Keep(keep + 1),
            };
            let quieter = Response { noise: less_noise, ..response };
            prop_assert!(quieter.exposes(&pair));
        }
    }
}
