//! What a channel does to one profile's records.

use super::{Channel, Distribution, Form, Loss, TOTAL, TOTAL_BITS};
use crate::exact::{Natural, Rational};
use num_traits::{One, Zero};

/// Exact utility figures of one profile under a channel whose outputs are its inputs.
///
/// Inputs that the profile gives probability 0 are outside every figure.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::{Channel, Distribution, TOTAL, Utility}};
/// let profile = Distribution::new(&["0.2", "0.8"].map(|p| parse_rational(p).unwrap()))?;
/// let channel = Channel::rows(vec![vec![TOTAL, 0], vec![TOTAL / 4, 3 * (TOTAL / 4)]])?;
/// let utility = Utility::of(&profile, &channel);
/// assert_eq!(utility.keep_probability.to_string(), "3/4");
/// assert_eq!(utility.expected_error.to_string(), "1/5");
/// assert_eq!(utility.max_flip.to_string(), "1/4");
/// # Ok::<(), lookalike::Error>(())
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
        let possible: Vec<usize> = (0..profile.len()).filter(|&x| !profile.numerator(x).is_zero()).collect();
        let scaled = |weight: u128| Rational::new(weight.into(), channel.scale().into());
        let wide = |weight: u128| Rational::new(weight.into(), WIDE.into());
        let least = possible.iter().map(|&x| channel.weight(x, x)).min().unwrap_or(0);
        let kept = possible
            .iter()
            .fold(Natural::ZERO, |sum, &x| sum.plus(&profile.numerator(x).times(&channel.weight(x, x).into())));
        let whole = profile.denominator().times(&channel.scale().into());
        Utility {
            keep_probability: scaled(least),
            expected_error: Rational::one() - Rational::new(kept.to_big().into(), whole.to_big().into()),
            max_flip: wide(Utility::max_flip_weight(profile, channel)),
        }
    }

    /// [`Utility::max_flip`] out of 2^106 for every form of channel, for comparing many without fractions.
    pub fn max_flip_weight(profile: &Distribution, channel: &Channel) -> u128 {
        let possible = (0..profile.len()).filter(|&x| !profile.numerator(x).is_zero());
        possible.map(|x| largest_flip(channel, x)).max().unwrap_or(0) * (WIDE / channel.scale())
    }

    /// The expected loss of `profile` under `channel`.
    pub fn expected_loss(profile: &Distribution, channel: &Channel, loss: &Loss) -> Rational {
        if *loss == Loss::ZeroOne {
            return Utility::of(profile, channel).expected_error;
        }
        let mut total = Rational::zero();
        for x in (0..profile.len()).filter(|&x| !profile.numerator(x).is_zero()) {
            let row: Rational = (0..channel.outputs()).map(|y| loss.cost(x, y) * channel.probability(x, y)).sum();
            total += profile.probability(x) * row;
        }
        total
    }
}

/// 2^106: what the weights of the form `keep` are out of, and a multiple of what those of `rows` are.
const WIDE: u128 = (TOTAL as u128) << TOTAL_BITS;

/// The largest weight of an output other than x, over [`Channel::scale`].
fn largest_flip(channel: &Channel, x: usize) -> u128 {
    let others = |row: &[u64]| row.iter().enumerate().filter(|(y, _)| *y != x).map(|(_, &weight)| weight).max();
    match channel.form() {
        Form::Rows { weights, outputs } => others(&weights[x * outputs..][..outputs]).unwrap_or(0).into(),
        Form::Keep { keep, redraw } => u128::from(TOTAL - keep[x]) * u128::from(others(redraw).unwrap_or(0)),
    }
}
