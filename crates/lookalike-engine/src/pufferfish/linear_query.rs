//! What is asked of sequences of states.

use super::calibrated::Calibrated;
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike::model::Noise;
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};
use num_traits::{One, Zero};
use std::fmt;
use std::str::FromStr;

/// A question, as it is written: `count:walk`, `histogram`, `sum`, `mean`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// How many moments have this state; where none is said, any one.
    Count(Option<String>),
    /// How many moments each state has.
    Histogram,
    /// The sum of the numbers that the states stand for.
    Sum,
    /// Their mean.
    Mean,
}

impl FromStr for Query {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("count", state)) if !state.is_empty() => Ok(Query::Count(Some(state.to_owned()))),
            None if text == "count" => Ok(Query::Count(None)),
            None if text == "histogram" => Ok(Query::Histogram),
            None if text == "sum" => Ok(Query::Sum),
            None if text == "mean" => Ok(Query::Mean),
            _ => Err(Error::input(format!("{text:?}, expected count:STATE, histogram, sum or mean"))),
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Query::Count(Some(state)) => write!(f, "count:{state}"),
            Query::Count(None) => f.write_str("count"),
            Query::Histogram => f.write_str("histogram"),
            Query::Sum => f.write_str("sum"),
            Query::Mean => f.write_str("mean"),
        }
    }
}

/// A question about the states of a chain file.
///
/// Noise is added to sums over all moments: Σ_t w(X_t) for one or several w. A mean is such a sum over the number of
/// moments, which is public, so that it is divided after the noise was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearQuery {
    /// The answers' names.
    pub names: Vec<String>,
    /// For each answer the number that each state adds to it.
    pub weights: Vec<Vec<Rational>>,
    /// L: the most by which the state of one moment changes all answers together.
    pub lipschitz: Rational,
    /// Noise is a multiple of 2^exponent.
    pub exponent: i32,
    /// Whether the answer is divided by the number of moments.
    pub mean: bool,
}

/// Numbers that are not whole are rounded to a grid this much finer than their range, in bits.
const FINER: i32 = 10;
/// Sums are kept as whole steps of this many bits, with room for the noise.
const LARGEST_BITS: u32 = 52;

impl LinearQuery {
    /// The question about these states.
    ///
    /// # Errors
    /// A state that the file does not have, or a sum of states that stand for no numbers.
    pub fn new(query: &Query, file: &ChainFile) -> Result<Self> {
        let states = file.states.len();
        let indicator = |place: usize| {
            (0..states).map(|state| if state == place { Rational::one() } else { Rational::zero() }).collect::<Vec<_>>()
        };
        let (names, weights) = match query {
            Query::Count(None) => (vec!["count".to_owned()], vec![indicator(0)]),
            Query::Count(Some(state)) => {
                let place = file.states.place(state).ok_or_else(|| {
                    let known: Vec<&str> = file.states.iter().take(10).collect();
                    let more = if states > known.len() { ", …" } else { "" };
                    Error::input(format!("state {state:?} is not known, expected one of {}{more}", known.join(", ")))
                })?;
                (vec![state.clone()], vec![indicator(place as usize)])
            }
            Query::Histogram => (file.states.iter().map(str::to_owned).collect(), (0..states).map(indicator).collect()),
            Query::Sum | Query::Mean => (vec![query.to_string()], vec![values(file)?]),
        };
        let lipschitz = lipschitz(&weights);
        let whole = weights.iter().flatten().all(Rational::is_integer);
        let exponent = if whole { 0 } else { floor_log2(&lipschitz) - FINER };
        Ok(LinearQuery { names, weights, lipschitz, exponent, mean: *query == Query::Mean })
    }

    /// Whether states differ in the answers, and all answers for so many moments, which are public, lie within the 2^52
    /// steps of noise that are kept.
    ///
    /// # Errors
    /// Answers that no state changes, or values that are too large beside their range.
    pub fn check(&self, moments: u64) -> Result<()> {
        if self.lipschitz.is_zero() {
            return Err(Error::input(
                "every state gives the same answer, expected states that differ in it (the answer is public: it needs no \
                 noise)",
            ));
        }
        let grid = Rational::from_integer(2.into()).pow(self.exponent);
        let most = Rational::from_integer((1u64 << LARGEST_BITS).into()) * grid;
        let ends = (0..self.weights.len()).flat_map(|answer| self.range(answer, moments));
        match ends.into_iter().all(|end| -&most <= end && end <= most) {
            true => Ok(()),
            false => Err(Error::input(format!(
                "values that are large beside their range: {moments} of them have a sum beyond 2^{LARGEST_BITS} steps of \
                 noise, expected less (take the same number off all values; it is public, and so is what the sum lacks)"
            ))),
        }
    }

    /// The true answers before any division, from how many moments have each state.
    ///
    /// # Panics
    /// If there is another number of counts than of states.
    pub fn answers(&self, counts: &[u64]) -> Vec<Rational> {
        let sum = |weights: &Vec<Rational>| -> Rational {
            assert_eq!(weights.len(), counts.len(), "a count a state");
            weights.iter().zip(counts).map(|(weight, &count)| weight * Rational::from_integer(count.into())).sum()
        };
        self.weights.iter().map(sum).collect()
    }

    /// The least and the largest that an answer can be for so many moments, before any division.
    pub fn range(&self, answer: usize, moments: u64) -> [Rational; 2] {
        let weights = &self.weights[answer];
        let ends = [weights.iter().min(), weights.iter().max()];
        ends.map(|end| end.expect("a state") * Rational::from_integer(moments.into()))
    }

    /// A number of a sum as one of the answer: divided by so many moments for a mean.
    pub fn divided(&self, number: Rational, moments: u64) -> Rational {
        if self.mean { number / Rational::from_integer(moments.into()) } else { number }
    }

    /// The scale of the noise on each answer, L·σ, over the number of moments for a mean.
    pub fn noise_scale(&self, calibrated: &Calibrated, moments: u64) -> Rational {
        self.divided(&calibrated.scale * &self.lipschitz, moments)
    }

    /// How far all answers together are from the truth on average: for each of them 1/sinh(decay) steps.
    pub fn expected_error(&self, noise: &Noise, moments: u64) -> f64 {
        let one = to_f64(&noise.grid(), Direction::Nearest) / noise.decay().to_f64().sinh();
        one * self.names.len() as f64 / if self.mean { moments as f64 } else { 1.0 }
    }
}

/// The number that each state stands for: as the file says, or as they are called.
fn values(file: &ChainFile) -> Result<Vec<Rational>> {
    if let Some(values) = &file.values {
        return Ok(values.clone());
    }
    let numbers = file.states.iter().map(parse_rational).collect::<lookalike::Result<Vec<_>>>();
    numbers.map_err(|_| {
        Error::input(
            "the states are no numbers, expected values = [...] in the chain file, the number that each state stands for",
        )
    })
}

/// The largest Σ |w(x) − w(y)| over two states: what one moment can change in all.
fn lipschitz(weights: &[Vec<Rational>]) -> Rational {
    // One answer changes by its range. Of a histogram two answers change by 1, if there are two.
    let range = |weights: &Vec<Rational>| -> Rational {
        weights.iter().max().expect("a state") - weights.iter().min().expect("a state")
    };
    match weights {
        [one] => range(one),
        several => several.iter().map(range).take(2).sum(),
    }
}

/// ⌊log₂ x⌋ or one less, for x > 0.
fn floor_log2(number: &Rational) -> i32 {
    number.numer().bits() as i32 - number.denom().bits() as i32 - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str, chain: &str) -> Result<LinearQuery> {
        LinearQuery::new(
            &query.parse()?,
            &ChainFile::from_toml(&format!("{chain}\ninitial = 'arbitrary'\nnormalize = true"))?,
        )
    }

    const THREE: &str = "states = ['a', 'b', 'c']\ntransition = [[1, 1, 1], [1, 1, 1], [1, 1, 1]]";

    const THREE_NUMBERS: &str =
        "states = ['a', 'b', 'c']\nvalues = [1, 2, 3]\ntransition = [[1, 1, 1], [1, 1, 1], [1, 1, 1]]";

    #[test]
    fn lipschitz_constants_are_those_of_all_pairs_of_states() {
        let number = |text| parse_rational(text).unwrap();
        for (query, chain, expected) in [
            ("count:b", THREE, "1"),
            ("histogram", THREE, "2"),
            ("histogram", "states = ['a']\ntransition = [[1]]", "0"),
            ("sum", &format!("{THREE}\nvalues = [1, -2, 0.5]"), "3"),
            ("mean", "states = ['0', '10']\ntransition = [[1, 1], [1, 1]]", "10"),
        ] {
            let asked = asked(query, chain).unwrap();
            assert_eq!(asked.lipschitz, number(expected), "{query}");
            let states = asked.weights[0].len();
            let change = |from: usize, to: usize| -> Rational {
                let of = |weights: &Vec<Rational>| (&weights[from] - &weights[to]).max(&weights[to] - &weights[from]);
                asked.weights.iter().map(of).sum()
            };
            let all = (0..states).flat_map(|from| (0..states).map(move |to| (from, to)));
            assert_eq!(all.map(|(from, to)| change(from, to)).max().unwrap(), asked.lipschitz, "{query}");
        }
    }

    #[test]
    fn answers_and_their_ranges() {
        let sum = asked("sum", &format!("{THREE}\nvalues = [1, -2, 0.5]")).unwrap();
        assert_eq!(sum.answers(&[3, 1, 2])[0].to_string(), "2");
        assert_eq!(sum.range(0, 6).map(|end| end.to_string()), ["-12", "6"]);
        // A grid of 2^-9 or finer: a range of 3 has more than a thousand steps.
        assert!((-10..=-9).contains(&sum.exponent), "{}", sum.exponent);
        let histogram = asked("histogram", THREE).unwrap();
        assert_eq!(histogram.answers(&[3, 1, 2]).iter().map(ToString::to_string).collect::<Vec<_>>(), ["3", "1", "2"]);
        assert_eq!(histogram.exponent, 0);
    }

    #[test]
    fn the_expected_error_is_the_mean_distance_of_the_noise() {
        // Quarters, so that a grid that is left out is seen.
        let noise = Noise::for_epsilon("1".parse().unwrap(), parse_rational("1").unwrap(), -2).unwrap();
        // Σ |z|·(1−α)/(1+α)·α^|z| in steps, by the law of the noise itself.
        let alpha = (-noise.decay().to_f64()).exp();
        let sum: f64 = (1..500).map(|z| 2.0 * f64::from(z) * alpha.powi(z)).sum();
        let one = 0.25 * sum * (1.0 - alpha) / (1.0 + alpha);
        let error = |query, moments| asked(query, THREE_NUMBERS).unwrap().expected_error(&noise, moments);
        for (query, moments, expected) in
            [("sum", 7, one), ("mean", 7, one / 7.0), ("histogram", 7, 3.0 * one), ("count:b", 1, one)]
        {
            let found = error(query, moments);
            assert!((found / expected - 1.0).abs() < 1e-12, "{query}: {found}, expected {expected}");
        }
    }

    #[test]
    fn sums_beyond_the_steps_that_are_kept_are_refused() {
        let far = asked("sum", &format!("{THREE}\nvalues = [1e15, '1000000000000000.001', 1e15]")).unwrap();
        assert!(far.check(5).unwrap_err().to_string().starts_with("values that are large beside their range"));
        let near = asked("sum", &format!("{THREE}\nvalues = [0, '0.001', 0]")).unwrap();
        near.check(1_000_000).unwrap();
        let negative = asked("sum", &format!("{THREE}\nvalues = [-1e15, '-999999999999999.5', -1e15]")).unwrap();
        assert!(negative.check(1).is_err(), "far below zero is as far");
        let equal = asked("sum", &format!("{THREE}\nvalues = [7, 7, 7]")).unwrap();
        assert!(equal.check(1).unwrap_err().to_string().starts_with("every state gives the same answer"));
    }

    #[test]
    fn what_cannot_be_asked() {
        let error = |query, chain| asked(query, chain).unwrap_err().to_string();
        assert_eq!(error("count:d", THREE), "state \"d\" is not known, expected one of a, b, c");
        assert!(error("mean", THREE).starts_with("the states are no numbers, expected values"));
        assert_eq!(error("count:", THREE), "\"count:\", expected count:STATE, histogram, sum or mean");
    }
}
