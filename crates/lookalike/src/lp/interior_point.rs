//! Mehrotra's predictor-corrector method for programs with bounds on everything.

use super::answer::{Failure, Found, Wish};
use super::newton::Newton;
use super::point::{Point, Residuals, largest};
use super::reduced::Reduced;
use super::step::Step;

/// Regularization of the Newton system: more of it would be missed by the rows in the end.
const REGULARIZATION: f64 = 1e-14;
/// Steps after which there is no hope, and steps without progress after which there is none.
const MOST_STEPS: u32 = 120;
const MOST_IDLE: u32 = 6;
/// How many times worse an answer may be that is taken without another attempt.
const FAIR: f64 = 30.0;
/// The central path is followed to this share of the distance that is good enough, and no further: beyond it the Newton
/// systems lose the digits that the rows need.
const NEAR_ENOUGH: f64 = 0.1;
/// How far towards the nearest bound a step goes.
const NEARLY: f64 = 0.9995;

/// A miss of the multipliers that a step with a pull may leave.
const GOOD_WRONG: f64 = 1e-9;

/// How the method goes.
#[derive(Clone, Copy, PartialEq)]
enum Pace {
    /// Mehrotra's long steps: few of them, but they may leave the central path and, with a pull, go round in circles.
    Bold,
    /// Steps that stay near the central path, which always arrive; more of them.
    Careful,
}

/// What careful steps aim at, as a share of where they are.
const TOWARDS_CENTRE: f64 = 0.2;

/// Solves a program, as well as can be; `ask` is called once a step with the step's number.
///
/// # Errors
/// See [`Failure`]. The answer to an infeasible program misses rows.
///
/// # Complexity
/// 10 to 40 factorizations; where long steps are not accurate, as many again for careful ones.
///
/// # Reference
/// Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2 (1992); bounds on all
/// columns and slacks; separate primal and dual steps.
pub(super) fn solve(reduced: &Reduced, ask: &dyn Fn(u32) -> Wish) -> Result<Found, Failure> {
    let mut newton =
        Newton::new(&reduced.rows, reduced.cost.len(), |row| reduced.is_equation(row)).ok_or(Failure::TooLarge)?;
    let mut best = iterate(reduced, &mut newton, Pace::Bold, ask)?;
    // Careful steps take more factorizations, so they are for programs on which long ones have failed.
    if best.merit > FAIR && !best.cut_short {
        let careful = iterate(reduced, &mut newton, Pace::Careful, ask)?;
        let cut_short = careful.cut_short;
        best = if careful.merit < best.merit { careful } else { best };
        best.cut_short = cut_short;
    }
    Ok(Found { x: best.point.columns.x, y: best.point.y, steps: best.steps, cut_short: best.cut_short })
}

/// Where an attempt came closest to the optimum.
struct Reached {
    point: Point,
    /// How many times its misses are those of a good answer.
    merit: f64,
    steps: u32,
    cut_short: bool,
}

/// The method from its starting point to the end of its progress.
fn iterate(
    reduced: &Reduced,
    newton: &mut Newton<'_>,
    pace: Pace,
    ask: &dyn Fn(u32) -> Wish,
) -> Result<Reached, Failure> {
    let mut point = Point::start(reduced);
    let mut best = Reached { point: point.clone(), merit: f64::INFINITY, steps: 0, cut_short: false };
    let (mut idle, mut steps) = (0, 0);
    while steps < MOST_STEPS {
        match ask(steps) {
            Wish::GoOn => {}
            Wish::Enough => {
                best.cut_short = true;
                break;
            }
            Wish::Stop => return Err(Failure::Stopped),
        }
        let residuals = Residuals::new(reduced, &point);
        let (objective, mut gap) = reduced.proven_gap(&point.columns.x, &point.y);
        // With a pull the bound is good before the columns are near their targets: an error counts there by its square.
        if reduced.is_pulled() {
            gap = gap.max(point.mu() * point.products() as f64);
        }
        let good_gap = reduced.good_gap(objective);
        let merit = largest([residuals.miss() / reduced.good_miss(), gap / good_gap].iter());
        if !merit.is_finite() {
            break;
        }
        // Rounding alone makes a point a little better; only more than that is progress.
        if merit < 0.9 * best.merit {
            best = Reached { point: point.clone(), merit, steps, cut_short: false };
            idle = 0;
        } else {
            idle += 1;
        }
        if merit <= 1.0 || idle > MOST_IDLE {
            break;
        }
        steps += 1;
        // Slacks and the multipliers of bounds can be eliminated from the Newton system, for each is tied to one value. What is
        // left is a diagonal for the columns and a weight for each row.
        let diagonal: Vec<f64> =
            point.columns.curvature().zip(&reduced.pull).map(|(theta, (weight, _))| theta + weight).collect();
        let weights: Vec<f64> = reduced.row_weights(&point);
        if !newton.factorize(&diagonal, &weights, REGULARIZATION) {
            break;
        }
        let (mu, enough) = (point.mu(), NEAR_ENOUGH * good_gap / point.products() as f64);
        let mut direction = |centre: f64, affine: Option<&Step>| {
            Step::new(reduced, &point, &residuals, newton, (&diagonal, &weights), centre.max(enough), affine)
        };
        if pace == Pace::Careful {
            let step = direction(TOWARDS_CENTRE * mu, None);
            let length = point.central_length(&step);
            point.advance(&step, length, length);
            continue;
        }
        // The predictor aims at the optimum itself; how far it gets says how much centring the corrector needs. The cube is
        // Mehrotra's rule of thumb: a predictor that gets far is trusted almost entirely.
        let predictor = direction(0.0, None);
        let (primal, dual) = predictor.lengths(&point, 1.0);
        let ahead = point.mu_after(&predictor, primal, dual);
        let centre = mu * (ahead / mu).powi(3).clamp(1e-8, 1.0);
        let corrector = direction(centre, Some(&predictor));
        let (primal, dual) = balanced(reduced, &residuals, &corrector, corrector.lengths(&point, NEARLY));
        point.advance(&corrector, primal, dual);
    }
    Ok(best)
}

/// The two lengths of a step, or twice the smaller one where a pull ties the multipliers to the values: then lengths
/// that differ add `(primal − dual) · weight · dx` to what the multipliers miss.
fn balanced(reduced: &Reduced, residuals: &Residuals, step: &Step, (primal, dual): (f64, f64)) -> (f64, f64) {
    let missed = |at: usize| {
        let (weight, _) = reduced.pull[at];
        ((1.0 - dual) * residuals.columns[at] - (primal - dual) * weight * step.columns.x[at]).abs()
    };
    let wrong = (0..residuals.columns.len()).map(missed).fold(0.0, f64::max);
    if wrong <= residuals.wrong().max(GOOD_WRONG) { (primal, dual) } else { (primal.min(dual), primal.min(dual)) }
}

#[cfg(test)]
#[path = "interior_point_tests.rs"]
mod tests;
