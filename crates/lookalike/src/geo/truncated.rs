//! Exponential noise cut off at the edge of the grid, at the decay that really certifies.

use super::{Cells, all_pairs};
use crate::Result;
use crate::design::{Repaired, WEIGHT_BITS, in_proportion, inverse_exp, repair};
use crate::exact::{Direction, Epsilon, Rational, to_f64};
use crate::model::{Channel, Mechanism};
use std::collections::BTreeMap;

/// Cut-off noise that is private at ε, and the decay it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Truncated {
    /// The mechanism; it claims ε·distance for all pairs.
    pub mechanism: Mechanism,
    /// ε': the law is in proportion to e^(−ε'·distance).
    pub decay: Epsilon,
    /// The share of every row that was given up for the rounding to whole weights.
    pub repair_cost: f64,
}

/// ε' is a multiple of ε/2^20.
const DECAY_BITS: u32 = 20;

/// The mechanism P(z|x) ∝ e^(−ε'·|z − x|) over the cells, with the largest ε' ≤ ε that keeps ε·distance for all pairs.
///
/// On a finite grid the sum of the weights depends on x: it is smaller near an edge. With ε' = ε that gives away up to
/// another ε; see [`truncated_at`]. ε/2 is always enough, and most grids allow more. Among the multiples of ε/2^20 the
/// largest is taken that is private up to the rounding of its weights, for which [`repair`] then makes room. Floats
/// propose; exact arithmetic decides each candidate.
///
/// # Errors
/// An ε so large that the budget of the two farthest cells is above 100,000.
///
/// # Complexity
/// A few passes over pairs × cells.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, exact::parse_rational, geo::{Cells, truncated}};
/// let cells = Cells::new(5, 5, parse_rational("1")?)?;
/// let found = truncated(&cells, &"1".parse()?)?;
/// assert_eq!(format!("{:.3}", found.decay.to_f64()), "0.702");
/// assert!(certify(found.mechanism).is_ok());
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn truncated(cells: &Cells, epsilon: &Epsilon) -> Result<Truncated> {
    let whole = 1u32 << DECAY_BITS;
    let proposed = proposed_share(cells, epsilon) * f64::from(whole);
    let allowance = rounding_allowance(cells, epsilon);
    // One above the proposal, in case that floats were timid.
    let mut units = (proposed as u32 + 1).clamp(whole / 2, whole);
    loop {
        let decay = epsilon.scale(&Rational::new(units.into(), whole.into()))?;
        let Repaired { mechanism, cost } = repair(truncated_at(cells, &decay, epsilon)?)?;
        if cost <= allowance || units <= whole / 2 {
            return Ok(Truncated { mechanism, decay, repair_cost: cost });
        }
        units -= 1;
    }
}

/// The mechanism P(z|x) ∝ e^(−decay·|z − x|) over the cells, with the claim that all pairs are within ε·distance.
///
/// The claim may well be false: it is for decay = ε on every grid, since the sum of the weights depends on x. On 5×5 cells
/// of side 1 with decay 1 the true ε is 1.321 a unit. [`truncated`] finds a decay for which it is true.
///
/// # Errors
/// An ε so large that the budget of the two farthest cells is above 100,000.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, exact::parse_rational, geo::{Cells, truncated_at}};
/// let cells = Cells::new(5, 5, parse_rational("1")?)?;
/// assert!(certify(truncated_at(&cells, &"1".parse()?, &"1".parse()?)?).is_err());
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn truncated_at(cells: &Cells, decay: &Epsilon, epsilon: &Epsilon) -> Result<Mechanism> {
    let count = cells.len() as u32;
    let mut weights: BTreeMap<u64, u128> = BTreeMap::from([(0, 1 << WEIGHT_BITS)]);
    for squared in (0..count).map(|cell| cells.squared_steps(0, cell)).filter(|&squared| squared > 0) {
        if let std::collections::btree_map::Entry::Vacant(place) = weights.entry(squared) {
            place.insert(inverse_exp(&cells.over(squared, decay)?));
        }
    }
    let row = |x: u32| in_proportion(&(0..count).map(|z| weights[&cells.squared_steps(x, z)]).collect::<Vec<_>>());
    let (channel, categories) = (Channel::rows((0..count).map(row).collect())?, cells.categories()?);
    Mechanism::point(categories.clone(), categories, all_pairs(cells, epsilon)?, channel)
}

/// About the largest share of ε for the decay.
///
/// Between x and x' the largest ratio is at z = x: e^(ε'·d) times the ratio of the two sums of weights.
fn proposed_share(cells: &Cells, epsilon: &Epsilon) -> f64 {
    let a = epsilon.to_f64() * to_f64(cells.step(), Direction::Nearest);
    let count = cells.len() as u32;
    let steps = |x: u32, z: u32| (cells.squared_steps(x, z) as f64).sqrt();
    let fits = |share: f64| {
        let sum = |x: u32| (0..count).map(|z| (-share * a * steps(x, z)).exp()).sum::<f64>().ln();
        let sums: Vec<f64> = (0..count).map(sum).collect();
        let gap = |x: u32, z: u32| (sums[x as usize] - sums[z as usize]).abs() - (1.0 - share) * a * steps(x, z);
        (0..count).all(|x| (x + 1..count).all(|z| gap(x, z) <= 0.0))
    };
    let (mut low, mut high) = (0.5, 1.0);
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// What [`repair`] may take for the rounding of weights to 2^-53 alone: it is most for the nearest cells.
fn rounding_allowance(cells: &Cells, epsilon: &Epsilon) -> f64 {
    let a = (epsilon.to_f64() * to_f64(cells.step(), Direction::Nearest)).min(500.0);
    16.0 * cells.len() as f64 * f64::EPSILON * (a.exp() + 1.0) / a.exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::exact::parse_rational;
    use crate::geo::graph::pairs;
    use proptest::prelude::*;

    fn cells(columns: u32, rows: u32, step: &str) -> Cells {
        Cells::new(columns, rows, parse_rational(step).unwrap()).unwrap()
    }

    /// The largest ln of a likelihood ratio over the distance.
    fn true_epsilon(cells: &Cells, mechanism: &Mechanism) -> f64 {
        let channel = &mechanism.channels()[0];
        let of_pair = |(a, b): (u32, u32)| {
            let ratio = |z: usize| channel.weight(a as usize, z) as f64 / channel.weight(b as usize, z) as f64;
            let largest = (0..cells.len()).map(|z| ratio(z).ln().abs()).fold(0.0, f64::max);
            largest / cells.distance(a, b)
        };
        pairs(cells).map(of_pair).fold(0.0, f64::max)
    }

    #[test]
    fn a_sum_of_weights_that_depends_on_the_place_gives_it_away() {
        let grid = cells(5, 5, "1");
        let naive = truncated_at(&grid, &"1".parse().unwrap(), &"1".parse().unwrap()).unwrap();
        assert!((true_epsilon(&grid, &naive) - 1.321).abs() < 5e-4);
        let violation = certify(naive).unwrap_err();
        assert!(violation.to_string().contains("exceeds"), "{violation}");
        // The same law keeps the ε that it has.
        assert!(certify(truncated_at(&grid, &"1".parse().unwrap(), &"1.322".parse().unwrap()).unwrap()).is_ok());
    }

    #[test]
    fn the_next_larger_decay_is_not_private() {
        for (grid, epsilon) in [(cells(5, 5, "1"), "1"), (cells(3, 4, "100"), "ln(4)/200"), (cells(1, 6, "1"), "1/10")]
        {
            let epsilon: Epsilon = epsilon.parse().unwrap();
            let found = truncated(&grid, &epsilon).unwrap();
            assert!(certify(found.mechanism).is_ok() && found.repair_cost <= rounding_allowance(&grid, &epsilon));
            let unit = Rational::new(1.into(), (1 << DECAY_BITS).into());
            let next = epsilon.scale(&(found.decay.ratio(&epsilon).unwrap() + unit)).unwrap();
            assert!(certify(truncated_at(&grid, &next, &epsilon).unwrap()).is_err(), "{next}");
        }
    }

    #[test]
    fn weights_far_below_the_last_bit_and_next_to_none_are_served() {
        for (grid, epsilon) in [(cells(12, 2, "1"), "20"), (cells(2, 2, "1"), "1/1000000"), (cells(3, 3, "1"), "900")] {
            assert!(certify(truncated(&grid, &epsilon.parse().unwrap()).unwrap().mechanism).is_ok(), "{epsilon}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn what_is_found_certifies_between_half_and_all_of_epsilon(columns in 1u32..5, rows in 2u32..5, n in 1i64..40, step in 1i64..4) {
            let grid = Cells::new(columns, rows, Rational::new(step.into(), 2.into())).unwrap();
            let epsilon = Epsilon::rational(Rational::new(n.into(), 10.into())).unwrap();
            let found = truncated(&grid, &epsilon).unwrap();
            let share = found.decay.ratio(&epsilon).unwrap();
            prop_assert!(share >= Rational::new(1.into(), 2.into()) && share <= Rational::from_integer(1.into()));
            prop_assert!(certify(found.mechanism).is_ok());
        }
    }
}
