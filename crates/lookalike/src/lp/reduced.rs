//! The program as the method sees it: no constant columns, no rows without effect, all scaled.

use super::answer::{Answer, Found};
use super::point::{Point, largest};
use super::program::{Program, Rows};

/// A column whose bounds are closer than this is a constant.
const THIN: f64 = 1e-14;
/// The largest miss of a row of a good answer, its distance to the optimum beside the objective, and that distance where the
/// objective is next to nothing.
const GOOD_MISS: f64 = 1e-13;
const GOOD_GAP: f64 = 1e-10;
const LEAST_GAP: f64 = 1e-13;

/// The program without constant columns, its costs and rows scaled.
pub(super) struct Reduced {
    pub(super) tolerance: f64,
    pub(super) cost: Vec<f64>,
    pub(super) pull: Vec<(f64, f64)>,
    pub(super) start: Vec<Option<f64>>,
    pub(super) bounds: Vec<(f64, f64)>,
    pub(super) rows: Rows,
    pub(super) row_bounds: Vec<(f64, f64)>,
    pub(super) row_scale: Vec<f64>,
    pub(super) cost_scale: f64,
    /// For each column of the program its number here, or its constant value.
    pub(super) places: Vec<Result<u32, f64>>,
}

impl Reduced {
    pub(super) fn new(program: &Program) -> Self {
        let mut places = Vec::with_capacity(program.columns());
        let (mut cost, mut pull, mut bounds, mut start) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // The steepest cost and the largest entry of each row become 1: regularization and tolerances are absolute numbers.
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
            // A row that can never bind would only cost digits; it stays as an empty one, so that rows keep their numbers.
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

    /// The objective of a point, pull included, and how far it is above the bound that its multipliers prove.
    ///
    /// Every column has bounds, so any multipliers prove one: each column takes its best value against them (and no other
    /// condition is needed; Neumaier and Shcherbina 2004). A multiplier of the wrong sign for a row without that bound is 0.
    pub(super) fn proven_gap(&self, columns: &[f64], multipliers: &[f64]) -> (f64, f64) {
        let mut slopes = self.cost.clone();
        let mut bound = 0.0;
        for (row, &y) in multipliers.iter().enumerate() {
            let (lower, upper) = self.row_bounds[row];
            let end = if y > 0.0 { lower } else { upper };
            if end.is_finite() {
                bound += y * end;
                self.rows.add_to(row, -y, &mut slopes);
            }
        }
        let mut objective = 0.0;
        for (at, slope) in slopes.into_iter().enumerate() {
            let ((weight, target), (lower, upper), x) = (self.pull[at], self.bounds[at], columns[at]);
            let pulled = |x: f64| 0.5 * weight * (x - target) * (x - target);
            // With a pull the least of a parabola, brought into the bounds; without one an end.
            let best = match weight > 0.0 {
                true => (target - slope / weight).clamp(lower, upper),
                false if slope > 0.0 => lower,
                false => upper,
            };
            bound += slope * best + pulled(best);
            objective += self.cost[at] * x + pulled(x);
        }
        (objective, objective - bound)
    }

    /// Whether a column is pulled.
    pub(super) fn is_pulled(&self) -> bool {
        self.pull.iter().any(|(weight, _)| *weight > 0.0)
    }

    pub(super) fn is_equation(&self, row: usize) -> bool {
        let (lower, upper) = self.row_bounds[row];
        upper - lower < THIN
    }

    /// What each row adds to the block of the columns; infinite for an equation.
    pub(super) fn row_weights(&self, point: &Point) -> Vec<f64> {
        let curvature = point.slacks.curvature();
        curvature.enumerate().map(|(row, theta)| if self.is_equation(row) { f64::INFINITY } else { theta }).collect()
    }

    /// How far above its bound a good answer of this objective may be.
    pub(super) fn good_gap(&self, objective: f64) -> f64 {
        LEAST_GAP.max(GOOD_GAP * objective.abs()) * self.tolerance
    }

    /// The largest miss of a row of a good answer. Where the optimum need not be as accurate, a part of that is for the rows: what
    /// is made of them is repaired.
    pub(super) fn good_miss(&self) -> f64 {
        GOOD_MISS * self.tolerance.sqrt()
    }

    /// The largest miss of a row at a point.
    pub(super) fn miss(&self, columns: &[f64]) -> f64 {
        let of_row = |(row, &(lower, upper)): (usize, &(f64, f64))| {
            let value = self.rows.dot(row, columns);
            (lower - value).max(value - upper).max(0.0)
        };
        largest(self.row_bounds.iter().enumerate().map(of_row).collect::<Vec<f64>>().iter())
    }

    /// How many times the misses of a point are those of a good answer.
    pub(super) fn merit(&self, found: &Found) -> f64 {
        let (objective, gap) = self.proven_gap(&found.x, &found.y);
        largest([self.miss(&found.x) / self.good_miss(), gap / self.good_gap(objective)].iter())
    }

    pub(super) fn answer(&self, program: &Program, found: &Found) -> Answer {
        let (miss, (_, gap)) = (self.miss(&found.x), self.proven_gap(&found.x, &found.y));
        let value = |place: &Result<u32, f64>| place.as_ref().map_or_else(|fixed| *fixed, |&at| found.x[at as usize]);
        let x: Vec<f64> = self.places.iter().map(value).collect();
        // A multiplier is cost per unit of its row, and both were scaled.
        let multipliers = found.y.iter().zip(&self.row_scale).map(|(y, scale)| y * scale / self.cost_scale).collect();
        let cost = x.iter().zip(&program.cost).map(|(x, cost)| x * cost).sum();
        Answer { x, multipliers, cost, steps: found.steps, miss, gap: gap / self.cost_scale }
    }
}

/// Whether the bounds of the columns alone keep a row within its own.
pub(super) fn is_implied(terms: &[(u32, f64)], bounds: impl Fn(u32) -> (f64, f64), lower: f64, upper: f64) -> bool {
    let (mut least, mut most) = (0.0, 0.0);
    for &(place, value) in terms {
        let (low, high) = bounds(place);
        least += value * if value > 0.0 { low } else { high };
        most += value * if value > 0.0 { high } else { low };
    }
    least >= lower && most <= upper
}
