//! Squared errors of drawn counts, held against their exact expectation.

use crate::proved::float;
use lookalike::certify::Certified;
use lookalike::exact::Rational;
use lookalike::model::Mechanism;
use lookalike::sample::{RandomKey, Sampler};
use lookalike_formats::Result;

/// The draws of an experiment: no random word is used twice.
pub(crate) struct Draws {
    key: RandomKey,
    next: u64,
}

impl Draws {
    /// Draws that are the same for the same seed.
    pub(crate) fn new(seed: u64) -> Self {
        Draws { key: RandomKey::from_seed(seed), next: 0 }
    }

    /// The squared errors when each of these counts is released `times` times; `mean` is their exact expectation for one
    /// release.
    ///
    /// # Errors
    /// A count that the mechanism does not know.
    pub(crate) fn squares(
        &mut self,
        certified: &Certified<Mechanism>,
        counts: &[u32],
        times: u64,
        mean: &Rational,
    ) -> Result<SampledSquares> {
        let (sampler, mut released, mut sum) = (Sampler::new(certified), vec![0; counts.len()], 0);
        for _ in 0..times {
            sampler.privatize(&self.key, self.next, None, counts, &mut released)?;
            self.next += counts.len() as u64;
            sum += counts.iter().zip(&released).map(|(count, released)| square(count.abs_diff(*released))).sum::<u64>();
        }
        let size = certified.mechanism().outputs().len();
        let variances: Vec<f64> = (0..size).map(|count| variance(certified.mechanism(), count)).collect();
        let variance = counts.iter().map(|&count| variances[count as usize]).sum::<f64>() * times as f64;
        let draws = counts.len() as u64 * times;
        Ok(SampledSquares {
            draws,
            sum,
            expected: draws as f64 * float(mean),
            variance,
            largest: square(size as u32 - 1),
        })
    }
}

fn square(distance: u32) -> u64 {
    u64::from(distance) * u64::from(distance)
}

/// The variance of the squared error of one release of a count.
fn variance(mechanism: &Mechanism, count: usize) -> f64 {
    let moment = |power: i32| -> f64 {
        let channel = &mechanism.channels()[0];
        let term = |i: usize| float(&channel.probability(count, i)) * (i.abs_diff(count) as f64).powi(power);
        (0..channel.outputs()).map(term).sum()
    };
    moment(4) - moment(2).powi(2)
}

/// A sum of squared errors, and what is known of it beforehand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SampledSquares {
    draws: u64,
    sum: u64,
    expected: f64,
    variance: f64,
    /// No square is larger.
    largest: u64,
}

impl SampledSquares {
    /// The mean of the squares.
    pub(crate) fn mean(&self) -> Rational {
        Rational::new(self.sum.into(), self.draws.into())
    }

    /// How many standard deviations the sum is away from its expectation.
    pub(crate) fn z(&self) -> f64 {
        (self.sum as f64 - self.expected) / self.variance.sqrt()
    }

    /// Whether the sum is as near to its expectation as all but a share of at most `false_alarm` of seeds bring it.
    ///
    /// By Bernstein's inequality, which needs no law of large numbers: for independent terms of at most M and variance V
    /// in all, Pr[|S − E S| ≥ t] ≤ 2·exp(−t²/(2V + 2Mt/3)).
    pub(crate) fn is_near(&self, false_alarm: f64) -> bool {
        let log = (2.0 / false_alarm).ln();
        let linear = self.largest as f64 * log / 3.0;
        let limit = linear + (linear * linear + 2.0 * self.variance * log).sqrt();
        (self.sum as f64 - self.expected).abs() < limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proved::certified;
    use lookalike::counts::{CLOSED_FORMS, CountLoss, expected_loss};
    use lookalike::model::Prior;

    #[test]
    fn draws_are_near_their_own_expectation_and_far_from_that_of_another_mechanism() {
        let (n, alpha, counts) = (4, "0.9".parse().unwrap(), [0u32, 1, 2, 3, 4].repeat(200));
        // WM and EM are nearly as good as each other, which takes more draws to tell.
        let forms = CLOSED_FORMS.into_iter().filter(|(name, _)| *name != "WM");
        let proved: Vec<_> = forms.map(|(_, form)| certified(form(n, &alpha).unwrap()).unwrap()).collect();
        let prior = Prior::uniform(n + 1).unwrap();
        let mean = |proved: &Certified<Mechanism>| expected_loss(proved.mechanism(), &prior, CountLoss::L2).unwrap();
        let means: Vec<Rational> = proved.iter().map(mean).collect();
        let mut draws = Draws::new(1);
        for (at, drawn) in proved.iter().enumerate() {
            for (other, mean) in means.iter().enumerate() {
                let squares = draws.squares(drawn, &counts, 50, mean).unwrap();
                // Less than one in a million seeds fails here.
                assert_eq!(squares.is_near(1e-7), at == other, "{at} {other}: {squares:?}");
                assert_eq!(squares.z().abs() < 5.6, at == other, "{at} {other}: {squares:?}");
            }
        }
    }

    #[test]
    fn variances_are_those_of_the_law() {
        // UM over 0 to 2: from 0 the squares are 0, 1 and 4, from 1 they are 1, 0 and 1.
        let um = CLOSED_FORMS[3].1(2, &"1/2".parse().unwrap()).unwrap();
        for (count, expected) in [(0, 17.0 / 3.0 - 25.0 / 9.0), (1, 2.0 / 3.0 - 4.0 / 9.0)] {
            assert!((variance(&um, count) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn no_word_is_drawn_twice_and_the_same_seed_draws_the_same() {
        let proved = certified(CLOSED_FORMS[0].1(3, &"0.9".parse().unwrap()).unwrap()).unwrap();
        let (counts, mean) = ([0, 1, 2, 3].repeat(100), Rational::from_integer(2.into()));
        let sums = |seed: u64| {
            let mut draws = Draws::new(seed);
            [0; 4].map(|_: i32| draws.squares(&proved, &counts, 1, &mean).unwrap().sum)
        };
        assert_eq!(sums(1), sums(1));
        let mut all = [sums(1), sums(2)].concat();
        all.sort_unstable();
        all.dedup();
        assert!(all.len() > 4, "{all:?}");
    }
}
