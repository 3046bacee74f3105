//! How far what is released is from the truth.

use super::Cells;
use super::remap::point_channel;
use crate::exact::{Direction, Epsilon, Rational, to_f64};
use crate::model::{Mechanism, Prior};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// The law of the distance between the true cell and the released one, under a prior.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::{Cells, Errors, planar}, model::Prior};
/// let cells = Cells::new(9, 9, parse_rational("100")?)?;
/// let errors = Errors::of(&cells, &planar(&cells, &"0.01".parse()?)?.mechanism, &Prior::uniform(81)?)?;
/// assert_eq!(errors.quantile(&parse_rational("0.7")?)?, 200.0);
/// assert_eq!(format!("{:.1}", errors.mean()), "157.1");
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Errors {
    /// The step as a double.
    step: f64,
    /// The probability of each squared distance in steps that can occur, ascending.
    law: Vec<(u64, Rational)>,
}

impl Errors {
    /// The law of the error of a mechanism over the cells.
    ///
    /// # Errors
    /// A mechanism over other cells or with other outputs, and a prior of another size.
    pub fn of(cells: &Cells, mechanism: &Mechanism, prior: &Prior) -> Result<Self> {
        let channel = point_channel(mechanism, prior)?;
        if *mechanism.inputs() != cells.categories()? {
            return Err(Error::input(format!(
                "a mechanism over {} categories, expected the {} cells of a grid of {}x{}",
                mechanism.inputs().len(),
                cells.len(),
                cells.columns(),
                cells.rows()
            )));
        }
        let mut weights: BTreeMap<u64, BigInt> = BTreeMap::new();
        for x in 0..cells.len() as u32 {
            let mass = prior.weights().numerator(x as usize).to_big();
            let mut of_row: BTreeMap<u64, u128> = BTreeMap::new();
            for z in 0..cells.len() as u32 {
                *of_row.entry(cells.squared_steps(x, z)).or_default() += channel.weight(x as usize, z as usize);
            }
            for (squared, weight) in of_row.into_iter().filter(|&(_, weight)| weight > 0) {
                *weights.entry(squared).or_default() += BigInt::from(&mass * weight);
            }
        }
        let whole = BigInt::from(prior.weights().denominator().to_big() * channel.scale());
        let share = |(squared, weight): (u64, BigInt)| (squared, Rational::new(weight, whole.clone()));
        let law = weights.into_iter().filter(|(_, weight)| !weight.is_zero()).map(share).collect();
        Ok(Errors { step: to_f64(cells.step(), Direction::Nearest), law })
    }

    /// The mean error, to about the last digit of a double.
    pub fn mean(&self) -> f64 {
        let part = |(squared, share): &(u64, Rational)| self.distance(*squared) * to_f64(share, Direction::Nearest);
        self.law.iter().map(part).sum()
    }

    /// The least distance that the error does not exceed with probability p; which one is decided exactly.
    ///
    /// # Errors
    /// p outside [0, 1].
    pub fn quantile(&self, p: &Rational) -> Result<f64> {
        check_probability(p, *p <= Rational::one())?;
        let mut sum = Rational::zero();
        let reaches = |(_, share): &&(u64, Rational)| {
            sum += share;
            sum >= *p
        };
        let (squared, _) = self.law.iter().find(reaches).expect("the shares sum to 1");
        Ok(self.distance(*squared))
    }

    /// The probability that the error is at most this distance, which is compared in doubles.
    pub fn within(&self, distance: f64) -> f64 {
        let near = self.law.iter().take_while(|(squared, _)| self.distance(*squared) <= distance);
        to_f64(&near.map(|(_, share)| share).sum(), Direction::Nearest)
    }

    fn distance(&self, squared_steps: u64) -> f64 {
        (squared_steps as f64).sqrt() * self.step
    }
}

/// The mean distance 2/ε of continuous planar noise, with density ε²/(2π)·e^(−ε·r).
///
/// # Example
/// ```
/// # use lookalike::geo::planar_mean;
/// assert_eq!(planar_mean(&"1/200".parse()?), 400.0);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn planar_mean(epsilon: &Epsilon) -> f64 {
    2.0 / epsilon.to_f64()
}

/// The distance r that continuous planar noise does not exceed with probability p: 1 − (1 + ε·r)·e^(−ε·r) = p, which is
/// r = −(W₋₁((p − 1)/e) + 1)/ε with Lambert's W on its lower branch.
///
/// # Errors
/// p outside [0, 1): no distance is certain.
///
/// # Example
/// ```
/// # use lookalike::{exact::parse_rational, geo::planar_quantile};
/// let median = planar_quantile(&"1/200".parse()?, &parse_rational("0.5")?)?;
/// assert_eq!(format!("{median:.2}"), "335.67");
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Andrés et al. (2013), section 4.1.
pub fn planar_quantile(epsilon: &Epsilon, p: &Rational) -> Result<f64> {
    check_probability(p, *p < Rational::one())?;
    Ok(radius_of_tail(to_f64(&(Rational::one() - p), Direction::Nearest).min(1.0)) / epsilon.to_f64())
}

/// The t ≥ 0 with (1 + t)·e^(−t) = tail, by halving: the left side falls.
fn radius_of_tail(tail: f64) -> f64 {
    // ln 2^-1074 is above −745, and (1 + t)·e^(−t) is below that from t = 760 on.
    let (mut low, mut high, wanted) = (0.0f64, 800.0f64, tail.ln());
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if middle.ln_1p() - middle > wanted { low = middle } else { high = middle }
    }
}

fn check_probability(p: &Rational, is_below: bool) -> Result<()> {
    if is_below && *p >= Rational::zero() {
        return Ok(());
    }
    Err(Error::input(format!("a quantile at {p}, expected a probability, for example 0.95")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use crate::geo::{GeoLoss, expected_loss, planar};
    use proptest::prelude::*;

    #[test]
    fn quantiles_of_continuous_noise_are_those_of_the_publication() {
        let one: Epsilon = "1".parse().unwrap();
        for (p, expected) in [("0.5", 1.6783), ("0.95", 4.7439), ("0.99", 6.6384), ("0", 0.0)] {
            let found = planar_quantile(&one, &parse_rational(p).unwrap()).unwrap();
            assert!((found - expected).abs() < 5e-5, "{p}: {found}");
        }
        assert_eq!(planar_mean(&one), 2.0);
        for p in ["1", "-0.1", "1.5"] {
            let message = planar_quantile(&one, &parse_rational(p).unwrap()).unwrap_err().to_string();
            assert!(message.contains("expected a probability, for example 0.95"), "{message}");
        }
    }

    #[test]
    fn a_wide_grid_has_nearly_the_quantiles_of_continuous_noise() {
        let cells = Cells::new(13, 13, parse_rational("1").unwrap()).unwrap();
        let epsilon: Epsilon = "1".parse().unwrap();
        let mut only_middle = vec![Rational::zero(); cells.len()];
        only_middle[cells.cell([6, 6]) as usize] = Rational::one();
        let errors = planar(&cells, &epsilon).unwrap().mechanism;
        let errors = Errors::of(&cells, &errors, &Prior::new(&only_middle).unwrap()).unwrap();
        // What was drawn beyond the edge, one in 60, counts as nearer.
        assert!((errors.mean() - planar_mean(&epsilon)).abs() < 0.15, "{}", errors.mean());
        for p in ["0.5", "0.95"].map(|p| parse_rational(p).unwrap()) {
            let (found, continuous) = (errors.quantile(&p).unwrap(), planar_quantile(&epsilon, &p).unwrap());
            assert!((found - continuous).abs() < 0.4, "{p}: {found} {continuous}");
        }
    }

    #[test]
    fn a_mechanism_over_other_cells_is_refused() {
        let [four, six] = [(2, 2), (3, 2)].map(|(c, r)| Cells::new(c, r, parse_rational("1").unwrap()).unwrap());
        let mechanism = planar(&six, &"1".parse().unwrap()).unwrap().mechanism;
        let message = Errors::of(&four, &mechanism, &Prior::uniform(6).unwrap()).unwrap_err().to_string();
        assert_eq!(message, "a mechanism over 6 categories, expected the 4 cells of a grid of 2x2");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_law_is_that_of_the_entries(columns in 1u32..4, rows in 2u32..4, tenths in 3i64..30, percent in 0i64..=100, weights in prop::collection::vec(0i64..5, 9)) {
            let cells = Cells::new(columns, rows, parse_rational("5/2").unwrap()).unwrap();
            let weights: Vec<Rational> = weights[..cells.len()].iter().map(|&weight| Rational::from_integer(weight.into())).collect();
            prop_assume!(weights.iter().any(|weight| !weight.is_zero()));
            let prior = Prior::new(&weights).unwrap();
            let mechanism = planar(&cells, &Epsilon::rational(Rational::new(tenths.into(), 10.into())).unwrap()).unwrap().mechanism;
            let errors = Errors::of(&cells, &mechanism, &prior).unwrap();
            let loss = expected_loss(&mechanism, &prior, &GeoLoss::Euclidean.of(&cells).unwrap()).unwrap();
            prop_assert!((errors.mean() - to_f64(&loss, Direction::Nearest)).abs() < 1e-12);
            // Two-sided: at the quantile at least p, before it less.
            let p = Rational::new(percent.into(), 100.into());
            let quantile = errors.quantile(&p).unwrap();
            let p = percent as f64 / 100.0;
            prop_assert!(errors.within(quantile) >= p - 1e-15 && errors.within(quantile.next_down()) <= p);
        }
    }
}
