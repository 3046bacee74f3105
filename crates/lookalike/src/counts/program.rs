//! The optimal mechanism as a linear program, and a proven lower bound from its multipliers.

use super::check::{Cell, demands};
use super::fixed::{PROBABILITY_BITS, Probability};
use super::loss::CountLoss;
use super::rounding::Target;
use super::unknowns::Unknowns;
use super::{Alpha, Properties, Property};
use crate::design::{LinearAnswer, LinearProgram, Watch};
use crate::error::Result;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::Prior;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// What the tie-break weighs beside the loss.
const TIE_WEIGHT: f64 = 1e-8;
/// Bits behind the point of multipliers and costs in the bound.
const BOUND_BITS: u32 = 96;

/// What a program found.
pub(super) struct Solved {
    pub(super) target: Target,
    /// No mechanism with the properties has a smaller expected loss.
    pub(super) bound: Rational,
}

/// `more ≥ less`, or `more ≥ α·less` between two columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Demand {
    more: u32,
    less: u32,
    by_alpha: bool,
}

/// The mechanism with the least expected loss among those with the properties.
///
/// Of several, the one with the least squared error; for the loss L_2, the one that is wrong least often.
///
/// # Errors
/// A solver that makes no progress, or the caller's wish to stop.
pub(super) fn solve(
    n: usize,
    alpha: &Alpha,
    properties: Properties,
    (prior, loss): (&Prior, CountLoss),
    watch: &Watch<'_>,
) -> Result<Solved> {
    let unknowns = Unknowns::new(n, properties);
    let demands = all_demands(&unknowns, properties);
    let costs = expected_costs(&unknowns, prior, |d| loss.cost(d));
    let answer = program(&unknowns, alpha, &demands, properties, &costs, (prior, loss)).solve(watch)?;
    let equations = unknowns.inputs().count();
    let bound = Bound { unknowns: &unknowns, alpha, properties }.of(&costs, &demands, &answer.multipliers[equations..]);
    Ok(Solved { target: target(&unknowns, &answer), bound })
}

/// Columns, row sums, privacy and properties.
fn program(
    unknowns: &Unknowns,
    alpha: &Alpha,
    demands: &[Demand],
    properties: Properties,
    costs: &[Rational],
    (prior, loss): (&Prior, CountLoss),
) -> LinearProgram {
    let (n, alpha) = (unknowns.n(), alpha.to_f64());
    let mut program = LinearProgram::new();
    let floats: Vec<f64> = costs.iter().map(|cost| to_f64(cost, Direction::Nearest)).collect();
    let other = if loss == CountLoss::L2 { CountLoss::L0 } else { CountLoss::L2 };
    let ties = expected_costs(unknowns, prior, |d| other.cost(d) / other.cost(n));
    let tie_weight = TIE_WEIGHT * to_f64(&loss.cost(n), Direction::Nearest);
    for (column, (cost, tie)) in floats.iter().zip(&ties).enumerate() {
        let guess = unknowns.is_diagonal(column) && properties.contains(Property::WeakHonesty);
        let lower = if guess { 1.0 / (n as f64 + 1.0) } else { 0.0 };
        let cost = cost + tie_weight * to_f64(tie, Direction::Nearest);
        program.column(cost, lower, inside(n, alpha, unknowns.cells()[column]));
    }
    for input in unknowns.inputs() {
        program.equation(unknowns.row(input).into_iter().map(|(column, count)| (column, f64::from(count))), 1.0);
    }
    for demand in demands {
        program.at_least(demand.more, if demand.by_alpha { alpha } else { 1.0 }, demand.less);
    }
    program
}

/// A mechanism strictly inside all demands, to start from: the ladder of `rounding` on an even draw.
fn inside(n: usize, alpha: f64, cell: Cell) -> f64 {
    let (n, d) = (n as f64, cell.input.abs_diff(cell.output) as f64);
    let m = (cell.input as f64).min(n - cell.input as f64);
    let ladder = if d == 0.0 { 0.0 } else { d + d.min(m) - m / n };
    // At most half of what keeps entries above 0, and neighbours within α.
    let slope = (0.5 / n).min((1.0 - alpha) / 8.0);
    (1.0 + slope * (n / 2.0 - ladder)) / (n + 1.0)
}

/// Privacy and the properties that no other one implies, each pair of columns once.
fn all_demands(unknowns: &Unknowns, properties: Properties) -> Vec<Demand> {
    let n = unknowns.n();
    let mut found = Vec::new();
    let mut add = |more: Cell, less: Cell, by_alpha: bool| {
        let (more, less) = (unknowns.column(more), unknowns.column(less));
        if more != less {
            found.push(Demand { more, less, by_alpha });
        }
    };
    // Where the nearer entry is at least the further one, the other direction of privacy follows.
    let monotone = properties.contains(Property::RowMonotonicity);
    for output in 0..=n {
        for input in 1..=n {
            let (a, b) = (Cell { input: input - 1, output }, Cell { input, output });
            let (nearer, further) = if input <= output { (b, a) } else { (a, b) };
            add(further, nearer, true);
            if !monotone {
                add(nearer, further, true);
            }
        }
    }
    for property in properties.essential().iter() {
        // Equations are in the columns already.
        if property != Property::Fairness && property != Property::Symmetry {
            demands(property, n, &mut |more, less| add(more, less, false));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What one unit of each column costs: the weight of its entries' inputs times the cost of their distance.
fn expected_costs(unknowns: &Unknowns, prior: &Prior, cost: impl Fn(usize) -> Rational) -> Vec<Rational> {
    let n = unknowns.n();
    let by_distance: Vec<Rational> = (0..=n).map(cost).collect();
    let mut costs = vec![Rational::zero(); unknowns.len()];
    for input in 0..=n {
        let weight = prior.weight(input);
        for output in 0..=n {
            let column = unknowns.column(Cell { input, output }) as usize;
            costs[column] += &weight * &by_distance[input.abs_diff(output)];
        }
    }
    costs
}

/// The answer as probabilities.
fn target(unknowns: &Unknowns, answer: &LinearAnswer) -> Target {
    let scaled = |value: f64| (value.clamp(0.0, 1.0) * f64::exp2(f64::from(PROBABILITY_BITS))) as Probability;
    let columns: Vec<Probability> = answer.columns.iter().copied().map(scaled).collect();
    Target::of(unknowns.n(), |input, output| columns[unknowns.column(Cell { input, output }) as usize])
}

/// Lower bounds from any multipliers λ ≥ 0 of the demands.
///
/// With `g = cost − Σ λ·(more − factor·less)` no mechanism with the properties costs less than the least of Σ g·x over
/// rows that sum to 1: each row puts everything on its cheapest entry, but for a diagonal that must be 1/(n+1) or the
/// same in all rows. Evaluated in integers, rounded down, so that nothing of the solver need be trusted.
struct Bound<'a> {
    unknowns: &'a Unknowns,
    alpha: &'a Alpha,
    properties: Properties,
}

impl Bound<'_> {
    fn of(&self, costs: &[Rational], demands: &[Demand], multipliers: &[f64]) -> Rational {
        let unit = BigInt::one() << BOUND_BITS;
        let mut gains: Vec<BigInt> = costs.iter().map(|cost| (cost * &unit).floor().to_integer()).collect();
        let alpha = BigInt::from(self.alpha.scaled(BOUND_BITS.into(), Direction::Down));
        for (demand, &multiplier) in demands.iter().zip(multipliers).filter(|(_, multiplier)| **multiplier > 0.0) {
            // Any multipliers are valid: none where a solver went astray.
            let whole =
                Rational::from_float(multiplier).map_or_else(BigInt::zero, |exact| (exact * &unit).to_integer());
            let less = if demand.by_alpha { (&whole * &alpha) >> BOUND_BITS } else { whole.clone() };
            gains[demand.more as usize] -= whole;
            gains[demand.less as usize] += less;
        }
        Rational::new(self.least(&gains), unit).max(Rational::zero())
    }

    /// The least of Σ g·x over rows that sum to 1, rounded down.
    fn least(&self, gains: &[BigInt]) -> BigInt {
        let fair = self.properties.contains(Property::Fairness);
        let size = BigInt::from(self.unknowns.n() + 1);
        // What a row costs if its diagonal is 0, and what the diagonal costs on top; per row.
        let parts: Vec<(BigInt, BigInt)> = self.unknowns.inputs().map(|input| self.row(input, gains)).collect();
        let rest: BigInt = parts.iter().map(|(rest, _)| rest).sum();
        let guess = |diagonal: &BigInt, rest: &BigInt| floor((diagonal - rest) + rest * &size, &size);
        let honest = self.properties.contains(Property::WeakHonesty);
        if fair {
            // One diagonal for all rows, anywhere from its lower bound to 1.
            let diagonal = &gains[0];
            let lowest = if honest { guess(diagonal, &rest) } else { rest };
            return lowest.min(diagonal.clone());
        }
        parts.into_iter().fold(BigInt::zero(), |sum, (rest, diagonal)| {
            let best = rest.clone().min(diagonal.clone());
            sum + if honest { floor(diagonal + best * (&size - 1), &size) } else { best }
        })
    }

    /// The cheapest entry of a row other than the diagonal, a whole row's worth of it, and the diagonal.
    fn row(&self, input: usize, gains: &[BigInt]) -> (BigInt, BigInt) {
        let diagonal = self.unknowns.column(Cell { input, output: input });
        let others = self.unknowns.row(input).into_iter().filter(|(column, _)| *column != diagonal);
        let cheapest = others.map(|(column, count)| floor(gains[column as usize].clone(), &count.into())).min();
        (cheapest.expect("a row has two entries"), gains[diagonal as usize].clone())
    }
}

fn floor(numerator: BigInt, denominator: &BigInt) -> BigInt {
    num_integer::Integer::div_floor(&numerator, denominator)
}
