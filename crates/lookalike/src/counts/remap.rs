//! The best use of the geometric mechanism for a prior and a loss.

use super::loss::CountLoss;
use super::{Alpha, domain, geometric};
use crate::Result;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Mechanism, Prior};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// GM with each output replaced by the count that costs least given it: the optimum over all private mechanisms, for
/// any prior and any loss that does not fall with the distance. Replacing outputs is post-processing and costs nothing.
///
/// Of counts that cost the same the nearest to GM's output is taken, and of two that are equally near the one towards
/// the middle, so that for a symmetric prior the remap is symmetric (but for the middle itself).
///
/// # Complexity
/// O(n³) float operations, and exact ones for near ties only.
///
/// # Reference
/// Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms (2009).
pub(super) fn remapped_geometric(n: usize, alpha: &Alpha, prior: &Prior, loss: CountLoss) -> Result<Mechanism> {
    let mechanism = geometric(n, alpha)?;
    let channel = &mechanism.channels()[0];
    let costs: Vec<Rational> = (0..=n).map(|d| loss.cost(d)).collect();
    let masses: Vec<Rational> = prior.weights().probabilities().collect();
    let response = BestResponse::new(&masses, &costs);
    let mut weights = vec![0; (n + 1) * (n + 1)];
    for output in 0..=n {
        let column: Vec<u64> = (0..=n).map(|j| channel.weight(j, output) as u64).collect();
        let best = response.to(output, &column);
        column.iter().enumerate().for_each(|(j, weight)| weights[j * (n + 1) + best] += weight);
    }
    domain::mechanism(n, alpha, weights)
}

/// Costs that floats find this much apart, as a share, are apart: sums of n terms above 0 are far more accurate.
const APART: f64 = 1e-9;

/// A prior and a loss, ready to judge outputs.
struct BestResponse {
    masses: Vec<BigInt>,
    costs: Vec<BigInt>,
    float_masses: Vec<f64>,
    float_costs: Vec<f64>,
}

impl BestResponse {
    fn new(masses: &[Rational], costs: &[Rational]) -> Self {
        let floats = |values: &[Rational]| values.iter().map(|value| to_f64(value, Direction::Nearest)).collect();
        let (float_masses, float_costs) = (floats(masses), floats(costs));
        BestResponse { masses: whole(masses), costs: whole(costs), float_masses, float_costs }
    }

    /// The count that costs least given an output with these weights, one a true count.
    fn to(&self, output: usize, weights: &[u64]) -> usize {
        let n = weights.len() - 1;
        let joint: Vec<f64> =
            self.float_masses.iter().zip(weights).map(|(mass, &weight)| mass * weight as f64).collect();
        let cost = |z: usize| joint.iter().enumerate().map(|(j, mass)| mass * self.float_costs[j.abs_diff(z)]).sum();
        let floats: Vec<f64> = (0..=n).map(cost).collect();
        let least = floats.iter().copied().fold(f64::INFINITY, f64::min);
        let near = (0..=n).filter(|&z| floats[z] <= least * (1.0 + APART));
        let exact = |z: usize| {
            let terms = self.masses.iter().zip(weights).enumerate();
            terms.map(|(j, (mass, &weight))| mass * weight * &self.costs[j.abs_diff(z)]).sum::<BigInt>()
        };
        near.min_by_key(|&z| (exact(z), z.abs_diff(output), (2 * z).abs_diff(n))).expect("there is a count")
    }
}

/// Fractions over their common denominator.
fn whole(values: &[Rational]) -> Vec<BigInt> {
    let common = values.iter().fold(BigInt::one(), |common, value| common.lcm(value.denom()));
    values.iter().map(|value| value.numer() * (&common / value.denom())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{check, score};
    use crate::exact::parse_rational;

    fn prior(weights: &[&str]) -> Prior {
        Prior::new(&weights.iter().map(|weight| parse_rational(weight).unwrap()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn no_other_remap_is_better() {
        for (alpha, weights) in [("0.9", ["1", "2", "3", "4"]), ("0.5", ["1", "0", "0", "1"]), ("0.3", ["1"; 4])] {
            let (alpha, prior) = (alpha.parse().unwrap(), prior(&weights));
            let plain = geometric(3, &alpha).unwrap();
            for loss in [CountLoss::L0, CountLoss::LHalf, CountLoss::L1, CountLoss::L2, CountLoss::MoreThan(1)] {
                let found = remapped_geometric(3, &alpha, &prior, loss).unwrap();
                let least = (0..256usize)
                    .map(|code| {
                        let mut weights = vec![0; 16];
                        for (j, output) in (0..16).map(|at| (at / 4, at % 4)) {
                            weights[4 * j + (code >> (2 * output)) % 4] += plain.channels()[0].weight(j, output) as u64;
                        }
                        score(&domain::mechanism(3, &alpha, weights).unwrap(), &prior, loss).unwrap()
                    })
                    .min();
                assert_eq!(Some(score(&found, &prior, loss).unwrap()), least, "{alpha} {loss}");
            }
        }
    }

    #[test]
    fn even_counts_keep_the_symmetry() {
        for loss in [CountLoss::L0, CountLoss::L1, CountLoss::L2] {
            for n in 1..8 {
                let even = Prior::uniform(n + 1).unwrap();
                let found = remapped_geometric(n, &"0.9".parse().unwrap(), &even, loss).unwrap();
                assert!(check::properties(&found).unwrap().contains(crate::counts::Property::Symmetry), "{n} {loss}");
            }
        }
    }
}
