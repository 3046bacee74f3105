//! The optimal mechanism by a program with a column for each entry, or for each class of equal ones.

use super::check::{Cell, demands};
use super::explicit_fair::exponent;
use super::fixed::{PROBABILITY_BITS, Probability};
use super::rounding::Target;
use super::rows_program::{Column, Demand, Factor, RowsProgram};
use super::unknowns::Unknowns;
use super::{Alpha, CountLoss, Properties, Property};
use crate::Result;
use crate::design::Watch;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::Prior;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The mechanism with the least expected loss among those with the properties, and a lower bound on that loss.
///
/// Of several optima it is near the one with the least squared error over even counts, or for the loss L_2 the one that
/// is wrong least often.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
pub(super) fn solve(
    n: usize,
    alpha: &Alpha,
    properties: Properties,
    (prior, loss): (&Prior, CountLoss),
    watch: &Watch<'_>,
) -> Result<(Target, Rational)> {
    let unknowns = Unknowns::new(n, properties);
    let program = RowsProgram {
        alpha,
        columns: columns(&unknowns, alpha, properties, (prior, loss)),
        rows: unknowns.inputs().map(|input| unknowns.row(input)).collect(),
        guesses: n as u32 + 1,
        shared: properties.contains(Property::Fairness).then(|| unknowns.column(Cell { input: 0, output: 0 })),
        demands: all_demands(&unknowns, properties),
    };
    let solved = program.solve(watch)?;
    let probabilities: Vec<Probability> = solved.columns.iter().map(|&value| probability(value)).collect();
    let target = Target::of(n, |input, output| probabilities[unknowns.column(Cell { input, output }) as usize]);
    Ok((target, solved.bound))
}

/// A solver's float as a probability.
pub(super) fn probability(value: f64) -> Probability {
    (value.clamp(0.0, 1.0) * f64::exp2(f64::from(PROBABILITY_BITS))) as Probability
}

/// A mechanism strictly inside all demands, to start from: EM for a larger α, and some of the ladder of `rounding` since
/// EM has equal neighbours. Rows are inputs.
pub(super) fn inside(n: usize, alpha: &Alpha) -> Vec<Vec<f64>> {
    let (size, alpha) = (n as f64 + 1.0, alpha.to_f64());
    let wider = alpha.powf(WIDER);
    let fair = |j: usize, i: usize| wider.powi(exponent(n, j, i) as i32);
    let sum: f64 = (0..=n).map(|i| fair(0, i)).sum();
    // At most half of what keeps entries above 0, and neighbours within α.
    let slope = (0.5 / n as f64).min((1.0 - alpha) / 8.0);
    let entry = |j: usize, i: usize| {
        let (d, m) = (i.abs_diff(j) as f64, j.min(n - j) as f64);
        let ladder = if i == j { 0.0 } else { d + d.min(m) - m / n as f64 };
        let even = (1.0 + slope * (n as f64 / 2.0 - ladder)) / size;
        EVEN * even + (1.0 - EVEN) * fair(j, i) / sum
    };
    (0..=n).map(|j| (0..=n).map(|i| entry(j, i)).collect()).collect()
}

/// The start's EM has α to this power.
const WIDER: f64 = 0.7;
/// The share of the ladder in the start.
const EVEN: f64 = 0.1;

/// One unit of a column costs the weights of its entries' inputs times the costs of their distances.
fn columns(
    unknowns: &Unknowns,
    alpha: &Alpha,
    properties: Properties,
    (prior, loss): (&Prior, CountLoss),
) -> Vec<Column> {
    let n = unknowns.n();
    let by_distance: Vec<Rational> = (0..=n).map(|d| loss.cost(d)).collect();
    let other = if loss == CountLoss::L2 { CountLoss::L0 } else { CountLoss::L2 };
    let least = by_distance.iter().find(|cost| !cost.is_zero()).cloned().unwrap_or_else(Rational::one);
    let unit = least / other.cost(n) / BigInt::from(n + 1);
    let ties: Vec<f64> = (0..=n).map(|d| to_f64(&(other.cost(d) * &unit), Direction::Nearest)).collect();
    let (honest, start) = (properties.contains(Property::WeakHonesty), inside(n, alpha));
    let column = |cell: &Cell| Column {
        cost: Rational::zero(),
        tie: 0.0,
        start: start[cell.input][cell.output],
        honest: honest && cell.input == cell.output,
    };
    let mut columns: Vec<Column> = unknowns.cells().iter().map(column).collect();
    for input in 0..=n {
        let weight = prior.weight(input);
        for output in 0..=n {
            let column = &mut columns[unknowns.column(Cell { input, output }) as usize];
            let d = input.abs_diff(output);
            column.cost += &weight * &by_distance[d];
            column.tie += ties[d];
        }
    }
    columns
}

/// Privacy and the properties that no other one implies, each pair of columns once.
fn all_demands(unknowns: &Unknowns, properties: Properties) -> Vec<Demand> {
    let n = unknowns.n();
    let mut found = Vec::new();
    let mut add = |more: Cell, less: Cell, factor: Factor| {
        let (more, less) = (unknowns.column(more), unknowns.column(less));
        if more != less {
            found.push((more, less, factor));
        }
    };
    // Where the nearer entry is at least the further one, the other direction of privacy follows.
    let monotone = properties.contains(Property::RowMonotonicity);
    for output in 0..=n {
        for input in 1..=n {
            let (a, b) = (Cell { input: input - 1, output }, Cell { input, output });
            let (nearer, further) = if input <= output { (b, a) } else { (a, b) };
            add(further, nearer, Factor::MinusAlpha);
            if !monotone {
                add(nearer, further, Factor::MinusAlpha);
            }
        }
    }
    for property in properties.essential().iter() {
        // Equations are in the columns already.
        if property != Property::Fairness && property != Property::Symmetry {
            demands(property, n, &mut |more, less| add(more, less, Factor::Whole(-1)));
        }
    }
    found.sort_unstable();
    found.dedup();
    let demand =
        |(more, less, factor)| Demand { terms: vec![(more, Factor::Whole(1)), (less, factor)], necessary: true };
    found.into_iter().map(demand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::geometric;

    fn floats(target: &Target) -> Vec<Vec<f64>> {
        let float = |&entry: &Probability| entry as f64 / f64::exp2(f64::from(PROBABILITY_BITS));
        target.rows.iter().map(|row| row.iter().map(float).collect()).collect()
    }

    // The method ends inside the set of optima, not at its rim. GM is a vertex, so that it ends there says that there is
    // no other optimum.
    #[test]
    fn gm_is_the_only_optimum_for_l0() {
        for n in 1..=12 {
            for text in ["1/10", "1/3", "1/2", "0.7", "0.9", "0.98"] {
                let (alpha, prior) = (text.parse().unwrap(), Prior::uniform(n + 1).unwrap());
                let asked = (&prior, CountLoss::L0);
                let (found, _) = solve(n, &alpha, Properties::NONE, asked, &Watch::default()).unwrap();
                let expected = floats(&geometric::target(n, &alpha));
                for (found, expected) in floats(&found).iter().flatten().zip(expected.iter().flatten()) {
                    assert!((found - expected).abs() < 1e-6, "n {n} alpha {text}: {found} and {expected}");
                }
            }
        }
    }

    #[test]
    fn the_start_is_strictly_inside() {
        for (n, text) in (1..=9).flat_map(|n| ["0.01", "1/2", "0.9", "0.999"].map(|text| (n, text))) {
            let alpha: Alpha = text.parse().unwrap();
            let start = inside(n, &alpha);
            for row in &start {
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "n {n} alpha {text}");
            }
            let at = |cell: Cell| start[cell.input][cell.output];
            for (j, i) in (0..n).flat_map(|j| (0..=n).map(move |i| (j, i))) {
                let ratio = start[j][i] / start[j + 1][i];
                assert!(ratio < 1.0 / alpha.to_f64() && ratio > alpha.to_f64(), "n {n} alpha {text}");
            }
            for property in [Property::RowMonotonicity, Property::ColumnMonotonicity] {
                demands(property, n, &mut |more, less| assert!(at(more) > at(less), "n {n} alpha {text} {property}"));
            }
            assert!((1..=n).all(|j| (start[j][j] - start[0][0]).abs() < 1e-12 && start[j][j] * (n as f64 + 1.0) > 1.0));
        }
    }
}
