//! The best reading of what a mechanism releases.

use crate::design::post_process;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Channel, Form, Kind, Loss, Mechanism, Prior, TOTAL, Utility};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use rayon::prelude::*;

/// A mechanism whose outputs were replaced by better ones, and which by which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remapped {
    /// The mechanism, with the same claim.
    pub mechanism: Mechanism,
    /// For each output of the mechanism before what is released instead.
    pub map: Vec<u32>,
}

/// The mechanism with each output z replaced by the z' that costs least given it: argmin Σ_x π_x·K(z|x)·loss(x, z').
///
/// Replacing outputs is post-processing: the claim stays as it is, and columns of whole weights are added up, exactly. Of
/// outputs that cost the same the first is taken; an output that never occurs under the prior stays.
///
/// # Guarantee
/// The expected loss under the prior is never larger than before, exactly.
///
/// # Errors
/// A mechanism between profiles or with other outputs than inputs, and a prior or a loss of another size.
///
/// # Complexity
/// O(cells³) float operations, and exact ones for near ties only.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::{Cells, GeoLoss, expected_loss, planar, remap}, model::Prior};
/// let cells = Cells::new(4, 4, parse_rational("1")?)?;
/// let noisy = planar(&cells, &"1/2".parse()?)?.mechanism;
/// let (prior, loss) = (Prior::uniform(16)?, GeoLoss::Euclidean.of(&cells)?);
/// let better = remap(&noisy, &prior, &loss)?;
/// assert!(expected_loss(&better.mechanism, &prior, &loss)? < expected_loss(&noisy, &prior, &loss)?);
/// // A corner gathers what was drawn far outside; the true place is rather nearer to the middle.
/// assert_eq!(better.map[0], 5);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Chatzikokolakis, ElSalamouny and Palamidessi, Efficient Utility Improvement for Location Privacy (2017), section 3.
pub fn remap(mechanism: &Mechanism, prior: &Prior, loss: &Loss) -> Result<Remapped> {
    let channel = checked(mechanism, prior, loss)?;
    let response = BestResponse::new(prior, loss);
    let map: Vec<u32> = (0..channel.outputs()).into_par_iter().map(|z| response.to(channel, z) as u32).collect();
    let outputs = mechanism.outputs().clone();
    let mechanism = match channel.form() {
        Form::Rows { weights, outputs: count } => {
            let mut merged = vec![0; weights.len()];
            for (row, into) in weights.chunks_exact(count).zip(merged.chunks_exact_mut(count)) {
                row.iter().zip(&map).for_each(|(weight, &z)| into[z as usize] += weight);
            }
            mechanism.with_channels(vec![Channel::from_weights(merged, count)?], outputs)?
        }
        Form::Keep { .. } => {
            let row = |&best: &u32| (0..map.len() as u32).map(|z| if z == best { TOTAL } else { 0 }).collect();
            post_process(mechanism, &Channel::rows(map.iter().map(row).collect())?, outputs)?.mechanism
        }
    };
    Ok(Remapped { mechanism, map })
}

/// The expected loss of a mechanism over cells under a prior, exactly.
///
/// # Errors
/// As [`remap`].
pub fn expected_loss(mechanism: &Mechanism, prior: &Prior, loss: &Loss) -> Result<Rational> {
    Ok(Utility::expected_loss(prior.weights(), checked(mechanism, prior, loss)?, loss))
}

/// The one channel of a mechanism over cells, if prior and loss fit it.
fn checked<'a>(mechanism: &'a Mechanism, prior: &Prior, loss: &Loss) -> Result<&'a Channel> {
    let count = mechanism.inputs().len();
    if let Some(size) = loss.size().filter(|&size| size != count) {
        return Err(Error::input(format!("a loss of {size} cells, expected {count}")));
    }
    point_channel(mechanism, prior)
}

/// The one channel of a mechanism between values whose outputs are its inputs, if the prior fits it.
///
/// # Errors
/// A mechanism between profiles or with other outputs than inputs, and a prior of another size.
pub(super) fn point_channel<'a>(mechanism: &'a Mechanism, prior: &Prior) -> Result<&'a Channel> {
    if mechanism.kind() != Kind::Point || mechanism.inputs() != mechanism.outputs() {
        return Err(Error::input(format!(
            "a mechanism of kind {} from {} inputs to {} outputs, expected one of kind point whose outputs are its inputs",
            mechanism.kind(),
            mechanism.inputs().len(),
            mechanism.outputs().len()
        )));
    }
    if prior.len() != mechanism.inputs().len() {
        return Err(Error::input(format!("a prior over {} cells, expected {}", prior.len(), mechanism.inputs().len())));
    }
    Ok(&mechanism.channels()[0])
}

/// Costs that floats find this much apart, as a share, are apart: sums of terms above 0 are far more accurate.
const APART: f64 = 1e-9;

/// A prior and a loss, ready to judge outputs.
struct BestResponse {
    masses: Vec<BigInt>,
    float_masses: Vec<f64>,
    /// Costs over their common denominator, by what is released and then by the truth.
    costs: Vec<Vec<BigInt>>,
    float_costs: Vec<Vec<f64>>,
}

impl BestResponse {
    fn new(prior: &Prior, loss: &Loss) -> Self {
        let size = prior.len();
        let masses: Vec<BigInt> = prior.weights().numerators().map(|mass| mass.to_big().into()).collect();
        let costs = |z: usize| (0..size).map(|x| loss.cost(x, z)).collect::<Vec<Rational>>();
        let costs: Vec<Vec<Rational>> = (0..size).map(costs).collect();
        let common = costs.iter().flatten().fold(BigInt::one(), |common, cost| common.lcm(cost.denom()));
        let whole = |cost: &Rational| cost.numer() * (&common / cost.denom());
        let float = |value: &Rational| to_f64(value, Direction::Nearest);
        BestResponse {
            masses,
            float_masses: prior.weights().probabilities().map(|mass| float(&mass)).collect(),
            float_costs: costs.iter().map(|row| row.iter().map(float).collect()).collect(),
            costs: costs.iter().map(|row| row.iter().map(whole).collect()).collect(),
        }
    }

    /// What costs least given an output.
    fn to(&self, channel: &Channel, output: usize) -> usize {
        let size = self.masses.len();
        let weights: Vec<u128> = (0..size).map(|x| channel.weight(x, output)).collect();
        let possible: Vec<usize> = (0..size).filter(|&x| weights[x] > 0 && !self.masses[x].is_zero()).collect();
        if possible.is_empty() {
            return output;
        }
        let joint: Vec<(usize, f64)> =
            possible.iter().map(|&x| (x, self.float_masses[x] * weights[x] as f64)).collect();
        let cost = |z: usize| joint.iter().map(|&(x, mass)| mass * self.float_costs[z][x]).sum();
        let floats: Vec<f64> = (0..size).map(cost).collect();
        let least = floats.iter().copied().fold(f64::INFINITY, f64::min);
        let near: Vec<usize> = (0..size).filter(|&z| floats[z] <= least * (1.0 + APART)).collect();
        if let [only] = near[..] {
            return only;
        }
        let exact =
            |z: usize| possible.iter().map(|&x| &self.masses[x] * weights[x] * &self.costs[z][x]).sum::<BigInt>();
        near.into_iter().min_by_key(|&z| exact(z)).expect("there is a cell")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::design::{Problem, randomized_response};
    use crate::exact::parse_rational;
    use crate::geo::{Cells, GeoLoss, all_pairs, planar, truncated};
    use proptest::prelude::*;

    fn cells(columns: u32, rows: u32) -> Cells {
        Cells::new(columns, rows, parse_rational("1").unwrap()).unwrap()
    }

    #[test]
    fn equal_costs_go_to_the_first_and_impossible_outputs_stay() {
        let grid = cells(2, 1);
        let even = Channel::rows(vec![vec![TOTAL / 2, TOTAL / 2]; 2]).unwrap();
        let names = grid.categories().unwrap();
        let graph = all_pairs(&grid, &"1".parse().unwrap()).unwrap();
        let mechanism =
            |channel: Channel| Mechanism::point(names.clone(), names.clone(), graph.clone(), channel).unwrap();
        let loss = GeoLoss::Euclidean.of(&grid).unwrap();
        let uniform = Prior::uniform(2).unwrap();
        assert_eq!(remap(&mechanism(even), &uniform, &loss).unwrap().map, [0, 0]);
        let always_first = Channel::rows(vec![vec![TOTAL, 0]; 2]).unwrap();
        assert_eq!(remap(&mechanism(always_first), &uniform, &loss).unwrap().map, [0, 1]);
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let grid = cells(2, 2);
        let mechanism = planar(&grid, &"1".parse().unwrap()).unwrap().mechanism;
        let loss = GeoLoss::Squared.of(&grid).unwrap();
        let message = remap(&mechanism, &Prior::uniform(3).unwrap(), &loss).unwrap_err().to_string();
        assert_eq!(message, "a prior over 3 cells, expected 4");
        let other = GeoLoss::Squared.of(&cells(3, 2)).unwrap();
        let message = remap(&mechanism, &Prior::uniform(4).unwrap(), &other).unwrap_err().to_string();
        assert_eq!(message, "a loss of 6 cells, expected 4");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn a_remap_is_never_worse_and_no_other_is_better(
            columns in 1u32..4, rows in 2u32..4, tenths in 1i64..30, weights in prop::collection::vec(0i64..5, 9), which in 0usize..3, law in 0usize..3,
        ) {
            let grid = cells(columns, rows);
            let weights: Vec<Rational> = weights[..grid.len()].iter().map(|&weight| Rational::from_integer(weight.into())).collect();
            prop_assume!(weights.iter().any(|weight| !weight.is_zero()));
            let prior = Prior::new(&weights).unwrap();
            let epsilon = crate::exact::Epsilon::rational(Rational::new(tenths.into(), 10.into())).unwrap();
            let loss = [GeoLoss::Euclidean, GeoLoss::Squared, GeoLoss::Beyond(parse_rational("1").unwrap())][which].of(&grid).unwrap();
            let mechanism = match law {
                0 => planar(&grid, &epsilon).unwrap().mechanism,
                1 => truncated(&grid, &epsilon).unwrap().mechanism,
                _ => {
                    let problem = Problem::values(grid.categories().unwrap(), all_pairs(&grid, &epsilon).unwrap()).unwrap();
                    randomized_response(&problem).unwrap().mechanism
                }
            };
            let found = remap(&mechanism, &prior, &loss).unwrap();
            let (before, after) = (expected_loss(&mechanism, &prior, &loss).unwrap(), expected_loss(&found.mechanism, &prior, &loss).unwrap());
            if law < 2 {
                prop_assert!(after <= before);
                // The oracle takes the least of all for each output, in fractions.
                let channel = &mechanism.channels()[0];
                let cost = |z: usize, to: usize| (0..grid.len()).map(|x| prior.weight(x) * channel.probability(x, z) * loss.cost(x, to)).sum::<Rational>();
                let least: Rational = (0..grid.len()).map(|z| (0..grid.len()).map(|to| cost(z, to)).min().unwrap()).sum();
                prop_assert_eq!(after, least);
            } else {
                // Whole weights of the form keep may need rounding.
                prop_assert!(to_f64(&(after - before), Direction::Up) < 1e-12);
            }
            prop_assert!(certify(found.mechanism).is_ok());
        }
    }
}
