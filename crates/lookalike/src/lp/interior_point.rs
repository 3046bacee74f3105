//! Mehrotra's predictor-corrector method for programs with bounds on everything.

use super::newton::Newton;
use super::precise::Precise;
use super::program::{Program, Rows};
use std::fmt;

/// The answer to a [`Program`].
#[derive(Debug, Clone)]
pub struct Answer {
    /// The columns.
    pub x: Vec<f64>,
    /// The multipliers of the rows: how much the optimum rises with a row's binding bound.
    pub multipliers: Vec<f64>,
    /// Cost of the columns, without the pull.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub cost: f64,
    /// Steps taken.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub steps: u32,
    /// The largest miss of a row.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub miss: f64,
    /// The estimated distance to the optimum.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub gap: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The caller asked to stop.
    Stopped,
    /// No more progress at this miss of the rows and distance to the optimum.
    Stalled {
        /// The largest miss of a row.
        miss: f64,
        /// The estimated distance to the optimum.
        gap: f64,
    },
    /// The factorization does not fit the memory.
    TooLarge,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped => f.write_str("stopped"),
            Failure::Stalled { miss, gap } => {
                write!(f, "the solver made no more progress, rows missed by {miss:.1e} and {gap:.1e} from the optimum")
            }
            Failure::TooLarge => f.write_str("the solver's factorization does not fit the memory"),
        }
    }
}

/// Regularizations of the Newton system, tried in turn: the least first, which is the most accurate. After it a small
/// program is solved in more digits.
const REGULARIZATIONS: [f64; 3] = [1e-12, 1e-10, 1e-8];
/// Steps after which there is no hope.
const MOST_STEPS: u32 = 120;
/// Misses and gaps below which the answer is as good as floats allow.
const GOOD_MISS: f64 = 1e-13;
const GOOD_GAP: f64 = 1e-12;
const GOOD_WRONG: f64 = 1e-9;
/// Misses and gaps that are still accepted when there is no more progress.
const FAIR_MISS: f64 = 1e-9;
const FAIR_GAP: f64 = 1e-8;
const FAIR_WRONG: f64 = 1e-8;
/// How far towards the nearest bound a step goes.
const NEARLY: f64 = 0.9995;
/// Room × multiplier at a start, and the room that every column and row has there where its bounds leave that much.
const NAMED: (f64, f64) = (1e-2, 1e-3);
const MIDDLE: (f64, f64) = (0.25, 0.25);
/// A named start may miss rows by this much.
const NEARLY_WITHIN: f64 = 1e-2;
/// A column whose bounds are closer than this is a constant.
const THIN: f64 = 1e-14;

/// Solves a program.
///
/// `stop` is asked once a step with the step's number.
///
/// # Errors
/// See [`Failure`]. An infeasible program stalls.
///
/// # Complexity
/// 10 to 60 factorizations.
///
/// # Reference
/// Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2 (1992); bounds on all
/// columns and slacks; separate primal and dual steps.
pub fn solve(program: &Program, stop: &dyn Fn(u32) -> bool) -> Result<Answer, Failure> {
    let reduced = Reduced::new(program);
    let mut newton =
        Newton::new(&reduced.rows, reduced.cost.len(), |row| reduced.is_equation(row)).ok_or(Failure::TooLarge)?;
    let mut failure = None;
    let mut attempt = |system: &mut dyn System| match iterate(&reduced, system, stop) {
        Ok((point, steps)) => Some(Ok(reduced.answer(program, &point, steps))),
        Err(stalled @ Failure::Stalled { .. }) => {
            failure.get_or_insert(stalled);
            None
        }
        Err(other) => Some(Err(other)),
    };
    let precise = || Precise::new(&reduced.rows, reduced.cost.len(), |row| reduced.is_equation(row));
    let answer = attempt(&mut Regularized { newton: &mut newton, regularization: REGULARIZATIONS[0] })
        .or_else(|| precise().and_then(|precise| attempt(&mut Unhurried { precise, rows: &reduced.rows })));
    let answer = REGULARIZATIONS[1..].iter().fold(answer, |answer, &regularization| {
        answer.or_else(|| attempt(&mut Regularized { newton: &mut newton, regularization }))
    });
    answer.unwrap_or_else(|| Err(failure.expect("at least one attempt")))
}

/// The Newton system, factored for one step and solved twice.
trait System {
    fn factorize(&mut self, diagonal: &[f64], weights: &[f64]) -> bool;
    fn solve(&mut self, diagonal: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>);
}

struct Regularized<'a, 'b> {
    newton: &'a mut Newton<'b>,
    regularization: f64,
}

impl System for Regularized<'_, '_> {
    fn factorize(&mut self, diagonal: &[f64], weights: &[f64]) -> bool {
        self.newton.factorize(diagonal, weights, self.regularization)
    }

    fn solve(&mut self, diagonal: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.newton.solve(diagonal, weights, g, h)
    }
}

struct Unhurried<'a> {
    precise: Precise,
    rows: &'a Rows,
}

impl System for Unhurried<'_> {
    fn factorize(&mut self, diagonal: &[f64], weights: &[f64]) -> bool {
        self.precise.factorize(self.rows, diagonal, weights);
        true
    }

    fn solve(&mut self, _: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.precise.solve(self.rows, weights, g, h)
    }
}

/// The method from its starting point to the end of its progress.
fn iterate(reduced: &Reduced, system: &mut dyn System, stop: &dyn Fn(u32) -> bool) -> Result<(Point, u32), Failure> {
    let mut point = Point::start(reduced);
    let mut best: Option<(f64, Point)> = None;
    let mut idle = 0;
    let mut steps = 0;
    while steps < MOST_STEPS {
        if stop(steps) {
            return Err(Failure::Stopped);
        }
        let residuals = Residuals::new(reduced, &point);
        let (miss, wrong, gap) = (residuals.miss(), residuals.wrong(), point.gap());
        let merit = largest([miss / GOOD_MISS, wrong / GOOD_WRONG, gap / (GOOD_GAP * reduced.tolerance)].iter());
        if !merit.is_finite() {
            break;
        }
        if best.as_ref().is_none_or(|(least, _)| merit < 0.9 * least) {
            best = Some((merit, point.clone()));
            idle = 0;
        } else {
            idle += 1;
        }
        if merit <= 1.0 || idle > 15 {
            break;
        }
        steps += 1;
        let diagonal: Vec<f64> =
            point.columns.curvature().zip(&reduced.pull).map(|(theta, (weight, _))| theta + weight).collect();
        let weights: Vec<f64> = reduced.row_weights(&point);
        if !system.factorize(&diagonal, &weights) {
            break;
        }
        let mu = point.mu();
        let mut direction = |centre: f64, affine: Option<&Step>| {
            Step::new(reduced, &point, &residuals, system, (&diagonal, &weights), centre, affine)
        };
        let predictor = direction(0.0, None);
        let (primal, dual) = predictor.lengths(&point, 1.0);
        let ahead = point.mu_after(&predictor, primal, dual);
        let centre = mu * (ahead / mu).powi(3).clamp(1e-8, 1.0);
        let corrector = direction(centre, Some(&predictor));
        let (primal, dual) = corrector.lengths(&point, NEARLY);
        point.advance(&corrector, primal, dual);
    }
    let (_, point) = best.ok_or(Failure::Stalled { miss: f64::NAN, gap: f64::NAN })?;
    let residuals = Residuals::new(reduced, &point);
    let (miss, gap) = (residuals.miss(), point.gap());
    if !(miss <= FAIR_MISS
        && gap <= FAIR_GAP * reduced.tolerance
        && residuals.wrong() <= FAIR_WRONG * reduced.tolerance)
    {
        return Err(Failure::Stalled { miss, gap });
    }
    Ok((point, steps))
}

/// The program without constant columns, its costs and rows scaled.
struct Reduced {
    tolerance: f64,
    cost: Vec<f64>,
    pull: Vec<(f64, f64)>,
    start: Vec<Option<f64>>,
    bounds: Vec<(f64, f64)>,
    rows: Rows,
    row_bounds: Vec<(f64, f64)>,
    row_scale: Vec<f64>,
    cost_scale: f64,
    /// For each column of the program its number here, or its constant value.
    places: Vec<Result<u32, f64>>,
}

impl Reduced {
    fn new(program: &Program) -> Self {
        let mut places = Vec::with_capacity(program.columns());
        let (mut cost, mut pull, mut bounds, mut start) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let steepest = program.cost.iter().chain(program.pull.iter().map(|(weight, _)| weight));
        let steepest = steepest.fold(0.0f64, |most, value| most.max(value.abs()));
        let cost_scale = if steepest > 0.0 { 1.0 / steepest } else { 1.0 };
        for column in 0..program.columns() {
            let (lower, upper) = (program.lower[column], program.upper[column]);
            if upper - lower < THIN {
                places.push(Err(0.5 * (lower + upper)));
                continue;
            }
            places.push(Ok(cost.len() as u32));
            cost.push(program.cost[column] * cost_scale);
            let (weight, target) = program.pull[column];
            pull.push((weight * cost_scale, target));
            bounds.push((lower, upper));
            start.push(program.start[column]);
        }
        let (mut rows, mut row_bounds, mut row_scale) = (Rows::default(), Vec::new(), Vec::new());
        for row in 0..program.rows() {
            let (mut constant, mut terms) = (0.0, Vec::new());
            for (column, value) in program.rows.terms(row) {
                match places[column] {
                    Ok(place) => terms.push((place, value)),
                    Err(fixed) => constant += value * fixed,
                }
            }
            let bounds_of = |place: u32| bounds[place as usize];
            let (lower, upper) = (program.row_lower[row] - constant, program.row_upper[row] - constant);
            if is_implied(&terms, bounds_of, lower, upper) {
                terms.clear();
            }
            let largest = terms.iter().fold(0.0f64, |most, (_, value)| most.max(value.abs()));
            let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            // A row without terms asks for nothing that the solver could do.
            row_bounds.push(if terms.is_empty() { (-1.0, 1.0) } else { (lower * scale, upper * scale) });
            rows.push(terms.into_iter().map(|(place, value)| (place, value * scale)));
            row_scale.push(scale);
        }
        Reduced {
            tolerance: program.tolerance,
            cost,
            pull,
            start,
            bounds,
            rows,
            row_bounds,
            row_scale,
            cost_scale,
            places,
        }
    }

    fn is_equation(&self, row: usize) -> bool {
        let (lower, upper) = self.row_bounds[row];
        upper - lower < THIN
    }

    /// What each row adds to the block of the columns; infinite for an equation.
    fn row_weights(&self, point: &Point) -> Vec<f64> {
        let curvature = point.slacks.curvature();
        curvature.enumerate().map(|(row, theta)| if self.is_equation(row) { f64::INFINITY } else { theta }).collect()
    }

    fn answer(&self, program: &Program, point: &Point, steps: u32) -> Answer {
        let (miss, gap) = (Residuals::new(self, point).miss(), point.gap());
        let value =
            |place: &Result<u32, f64>| place.as_ref().map_or_else(|fixed| *fixed, |&at| point.columns.x[at as usize]);
        let x: Vec<f64> = self.places.iter().map(value).collect();
        let multipliers = point.y.iter().zip(&self.row_scale).map(|(y, scale)| y * scale / self.cost_scale).collect();
        let cost = x.iter().zip(&program.cost).map(|(x, cost)| x * cost).sum();
        Answer { x, multipliers, cost, steps, miss, gap: gap / self.cost_scale }
    }
}

/// Whether the bounds of the columns alone keep a row within its own.
fn is_implied(terms: &[(u32, f64)], bounds: impl Fn(u32) -> (f64, f64), lower: f64, upper: f64) -> bool {
    let (mut least, mut most) = (0.0, 0.0);
    for &(place, value) in terms {
        let (low, high) = bounds(place);
        least += value * if value > 0.0 { low } else { high };
        most += value * if value > 0.0 { high } else { low };
    }
    least >= lower && most <= upper
}

/// Values between bounds, with the multipliers of the bounds.
#[derive(Clone)]
struct Bounded {
    x: Vec<f64>,
    /// Distance to the lower and to the upper bound; infinite where there is none.
    room: Vec<(f64, f64)>,
    duals: Vec<(f64, f64)>,
}

impl Bounded {
    /// Values near the wanted ones and well within the bounds, each multiplier such that room × multiplier is `mu`.
    fn new(bounds: &[(f64, f64)], (mu, least): (f64, f64), wanted: impl Fn(usize) -> f64) -> Self {
        let (mut x, mut room, mut duals) = (Vec::new(), Vec::new(), Vec::new());
        for (at, &(lower, upper)) in bounds.iter().enumerate() {
            let margin = (0.25 * (upper - lower)).min(least);
            let value = wanted(at).clamp(lower + margin, upper - margin);
            x.push(value);
            room.push((value - lower, upper - value));
            duals.push((finite(mu / (value - lower)), finite(mu / (upper - value))));
        }
        Bounded { x, room, duals }
    }

    fn curvature(&self) -> impl Iterator<Item = f64> + '_ {
        self.room.iter().zip(&self.duals).map(|((below, above), (lower, upper))| lower / below + upper / above)
    }

    /// The sum of room × multiplier over the finite bounds, and how many those are.
    fn products(&self) -> (f64, usize) {
        let (mut sum, mut count) = (0.0, 0);
        for (room, dual) in self.room.iter().zip(&self.duals).flat_map(|(r, d)| [(r.0, d.0), (r.1, d.1)]) {
            if room.is_finite() {
                sum += room * dual;
                count += 1;
            }
        }
        (sum, count)
    }
}

#[derive(Clone)]
struct Point {
    columns: Bounded,
    slacks: Bounded,
    y: Vec<f64>,
}

impl Point {
    /// The start that the program names, if it is nearly within all rows; else the middle of everything.
    fn start(reduced: &Reduced) -> Self {
        let named = Point::near(reduced, NAMED, |at| reduced.start[at]);
        if Residuals::new(reduced, &named).miss() <= NEARLY_WITHIN {
            return named;
        }
        Point::near(reduced, MIDDLE, |_| None)
    }

    fn near(reduced: &Reduced, room: (f64, f64), wanted: impl Fn(usize) -> Option<f64>) -> Self {
        let middle = |at: usize| 0.5 * (reduced.bounds[at].0 + reduced.bounds[at].1);
        let columns = Bounded::new(&reduced.bounds, room, |at| wanted(at).unwrap_or_else(|| middle(at)));
        let free = |row: usize| match reduced.is_equation(row) {
            true => (f64::NEG_INFINITY, f64::INFINITY),
            false => reduced.row_bounds[row],
        };
        let bounds: Vec<(f64, f64)> = (0..reduced.rows.len()).map(free).collect();
        let slacks = Bounded::new(&bounds, room, |row| reduced.rows.dot(row, &columns.x));
        Point { columns, slacks, y: vec![0.0; reduced.rows.len()] }
    }

    fn mu(&self) -> f64 {
        let ((one, ones), (other, others)) = (self.columns.products(), self.slacks.products());
        (one + other) / (ones + others).max(1) as f64
    }

    fn gap(&self) -> f64 {
        self.columns.products().0 + self.slacks.products().0
    }

    fn mu_after(&self, step: &Step, primal: f64, dual: f64) -> f64 {
        let mut next = self.clone();
        next.advance(step, primal, dual);
        next.mu()
    }

    fn advance(&mut self, step: &Step, primal: f64, dual: f64) {
        for (part, change) in [(&mut self.columns, &step.columns), (&mut self.slacks, &step.slacks)] {
            for at in 0..part.x.len() {
                part.x[at] += primal * change.x[at];
                part.room[at].0 += primal * change.x[at];
                part.room[at].1 -= primal * change.x[at];
                part.duals[at].0 += dual * change.duals[at].0;
                part.duals[at].1 += dual * change.duals[at].1;
            }
        }
        self.y.iter_mut().zip(&step.y).for_each(|(y, change)| *y += dual * change);
    }
}

/// What a point misses of the optimality conditions.
struct Residuals {
    largest_multiplier: f64,
    rows: Vec<f64>,
    columns: Vec<f64>,
    slacks: Vec<f64>,
}

impl Residuals {
    fn new(reduced: &Reduced, point: &Point) -> Self {
        let miss = |row: usize| {
            let wanted = if reduced.is_equation(row) { reduced.row_bounds[row].0 } else { point.slacks.x[row] };
            wanted - reduced.rows.dot(row, &point.columns.x)
        };
        let mut columns: Vec<f64> = (0..reduced.cost.len())
            .map(|at| {
                let ((weight, target), (lower, upper)) = (reduced.pull[at], point.columns.duals[at]);
                lower - upper - reduced.cost[at] - weight * (point.columns.x[at] - target)
            })
            .collect();
        for row in 0..reduced.rows.len() {
            reduced.rows.add_to(row, point.y[row], &mut columns);
        }
        let slack = |(y, (lower, upper)): (&f64, &(f64, f64))| lower - upper - y;
        Residuals {
            largest_multiplier: largest(point.y.iter()),
            rows: (0..reduced.rows.len()).map(miss).collect(),
            columns,
            slacks: (point.y.iter().zip(&point.slacks.duals).enumerate())
                .map(|(row, pair)| if reduced.is_equation(row) { 0.0 } else { slack(pair) })
                .collect(),
        }
    }

    fn miss(&self) -> f64 {
        largest(self.rows.iter())
    }

    /// The largest miss of a column's or slack's balance, beside the largest multiplier.
    fn wrong(&self) -> f64 {
        largest(self.columns.iter().chain(&self.slacks)) / (1.0 + self.largest_multiplier)
    }
}

/// The largest absolute value; not a number if one of them is not.
fn largest<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.fold(0.0, |most, value| if most.is_nan() || value.abs() <= most { most } else { value.abs() })
}

/// A direction.
struct Step {
    columns: Change,
    slacks: Change,
    y: Vec<f64>,
}

struct Change {
    x: Vec<f64>,
    duals: Vec<(f64, f64)>,
}

impl Step {
    fn new(
        reduced: &Reduced,
        point: &Point,
        residuals: &Residuals,
        system: &mut dyn System,
        (diagonal, weights): (&[f64], &[f64]),
        centre: f64,
        affine: Option<&Step>,
    ) -> Self {
        let wanted = |part: &Bounded, change: Option<&Change>| complementarity(part, change, centre);
        let columns = wanted(&point.columns, affine.map(|step| &step.columns));
        let slacks = wanted(&point.slacks, affine.map(|step| &step.slacks));
        let pushed = |part: &Bounded, wanted: &[(f64, f64)], residual: &[f64]| -> Vec<f64> {
            let push = |at: usize| residual[at] + wanted[at].0 / part.room[at].0 - wanted[at].1 / part.room[at].1;
            (0..residual.len()).map(push).collect()
        };
        let g = pushed(&point.columns, &columns, &residuals.columns);
        let g_slacks = pushed(&point.slacks, &slacks, &residuals.slacks);
        let is_slack = |row: usize| !reduced.is_equation(row);
        let h: Vec<f64> = (0..residuals.rows.len())
            .map(|row| residuals.rows[row] + if is_slack(row) { g_slacks[row] / weights[row] } else { 0.0 })
            .collect();
        let (dx, dy) = system.solve(diagonal, weights, &g, &h);
        // Either the row or its multiplier takes what the solve leaves over, whichever is the smaller error.
        let slack = |row: usize| match weights[row] {
            _ if !is_slack(row) => 0.0,
            steep if steep > 1.0 => (g_slacks[row] - dy[row]) / steep,
            _ => reduced.rows.dot(row, &dx) - residuals.rows[row],
        };
        let ds: Vec<f64> = (0..dy.len()).map(slack).collect();
        Step {
            columns: Change::new(&point.columns, &columns, dx),
            slacks: Change::new(&point.slacks, &slacks, ds),
            y: dy,
        }
    }

    /// How far the values and the multipliers may go, at most 1.
    fn lengths(&self, point: &Point, share: f64) -> (f64, f64) {
        let (mut primal, mut dual) = (1.0f64, 1.0f64);
        for (part, change) in [(&point.columns, &self.columns), (&point.slacks, &self.slacks)] {
            for at in 0..part.x.len() {
                let limit = |value: f64, change: f64| if change < 0.0 { -share * value / change } else { 1.0 };
                primal = primal.min(limit(part.room[at].0, change.x[at])).min(limit(part.room[at].1, -change.x[at]));
                dual = dual.min(limit(part.duals[at].0, change.duals[at].0));
                dual = dual.min(limit(part.duals[at].1, change.duals[at].1));
            }
        }
        (primal, dual)
    }
}

impl Change {
    fn new(part: &Bounded, wanted: &[(f64, f64)], x: Vec<f64>) -> Self {
        let duals = (0..x.len())
            .map(|at| {
                let ((below, above), (lower, upper)) = (part.room[at], part.duals[at]);
                ((wanted[at].0 - lower * x[at]) / below, (wanted[at].1 + upper * x[at]) / above)
            })
            .map(|(lower, upper)| (finite(lower), finite(upper)))
            .collect();
        Change { x, duals }
    }
}

/// 0 for the multiplier of a bound that does not exist.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// How much room × multiplier should change: to the centre, and with the second-order term of the predictor.
fn complementarity(part: &Bounded, affine: Option<&Change>, centre: f64) -> Vec<(f64, f64)> {
    (0..part.x.len())
        .map(|at| {
            let ((below, above), (lower, upper)) = (part.room[at], part.duals[at]);
            let (second_lower, second_upper) = affine
                .map_or((0.0, 0.0), |change| (change.x[at] * change.duals[at].0, -change.x[at] * change.duals[at].1));
            let of = |room: f64, dual: f64, second: f64| {
                if room.is_finite() { centre - room * dual - second } else { 0.0 }
            };
            (of(below, lower, second_lower), of(above, upper, second_upper))
        })
        .collect()
}

#[cfg(test)]
#[path = "interior_point_tests.rs"]
mod tests;
