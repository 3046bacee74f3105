//! Mehrotra's predictor-corrector method for programs with bounds on everything.

use super::newton::Newton;
use super::point::{Point, Residuals, largest};
use super::precise::Precise;
use super::program::Program;
use super::reduced::Reduced;
use super::step::Step;
use super::system::{Regularized, System, Unhurried};
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
    /// How far the cost is above the bound that the multipliers prove, pull included.
    #[cfg_attr(not(test), allow(dead_code, reason = "designs prove their bounds themselves"))]
    pub gap: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The caller asked to stop.
    Stopped,
    /// The factorization does not fit the memory, or its first one fails.
    TooLarge,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped => f.write_str("stopped"),
            Failure::TooLarge => f.write_str("the solver's factorization does not fit the memory"),
        }
    }
}

/// Regularizations of the Newton system: the least is the most accurate, and larger ones stand more.
const REGULARIZATIONS: [f64; 3] = [1e-14, 1e-12, 1e-10];
/// Steps after which there is no hope, and steps without progress after which there is none.
const MOST_STEPS: u32 = 120;
const MOST_IDLE: u32 = 12;
/// The largest miss of a row of a good answer, its distance to the optimum beside the objective, and that distance where the
/// objective is next to nothing.
const GOOD_MISS: f64 = 1e-13;
const GOOD_GAP: f64 = 1e-10;
const LEAST_GAP: f64 = 1e-13;
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

/// Solves a program, as well as can be: whoever asks makes a bound of the multipliers, and sees by it how good the answer is.
///
/// `stop` is asked once a step with the step's number.
///
/// # Errors
/// See [`Failure`]. The answer to an infeasible program misses rows.
///
/// # Complexity
/// 10 to 60 factorizations; where the first attempt is not accurate, as many again for each of up to four others.
///
/// # Reference
/// Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2 (1992); bounds on all
/// columns and slacks; separate primal and dual steps.
pub fn solve(program: &Program, stop: &dyn Fn(u32) -> bool) -> Result<Answer, Failure> {
    let reduced = Reduced::new(program);
    let mut newton =
        Newton::new(&reduced.rows, reduced.cost.len(), |row| reduced.is_equation(row)).ok_or(Failure::TooLarge)?;
    let [least, more, most] = REGULARIZATIONS;
    let attempts = [
        (Some(least), Pace::Bold),
        (Some(more), Pace::Bold),
        (None, Pace::Bold),
        (Some(least), Pace::Careful),
        (Some(most), Pace::Bold),
    ];
    let mut best: Option<Reached> = None;
    for (regularization, pace) in attempts {
        let reached = match regularization {
            Some(regularization) => {
                iterate(&reduced, &mut Regularized { newton: &mut newton, regularization }, pace, stop)?
            }
            None => {
                // A small program in more digits.
                let precise = Precise::new(&reduced.rows, reduced.cost.len(), |row| reduced.is_equation(row));
                let Some(precise) = precise else { continue };
                iterate(&reduced, &mut Unhurried { precise, rows: &reduced.rows }, pace, stop)?
            }
        };
        if best.as_ref().is_none_or(|best| reached.merit < best.merit) {
            best = Some(reached);
        }
        if best.as_ref().is_some_and(|best| best.merit <= FAIR) {
            break;
        }
    }
    let best = best.expect("at least one attempt");
    Ok(reduced.answer(program, &best.point, best.steps))
}

/// Where an attempt came closest to the optimum.
struct Reached {
    point: Point,
    /// How many times its misses are those of a good answer.
    merit: f64,
    steps: u32,
}

/// The method from its starting point to the end of its progress.
fn iterate(
    reduced: &Reduced,
    system: &mut dyn System,
    pace: Pace,
    stop: &dyn Fn(u32) -> bool,
) -> Result<Reached, Failure> {
    let mut point = Point::start(reduced);
    let mut best = Reached { point: point.clone(), merit: f64::INFINITY, steps: 0 };
    let (mut idle, mut steps) = (0, 0);
    while steps < MOST_STEPS {
        if stop(steps) {
            return Err(Failure::Stopped);
        }
        let residuals = Residuals::new(reduced, &point);
        let (objective, mut gap) = reduced.proven_gap(&point);
        // With a pull the bound is good before the columns are near their targets: an error counts there by its square.
        if reduced.is_pulled() {
            gap = gap.max(point.mu() * point.products() as f64);
        }
        let good_gap = LEAST_GAP.max(GOOD_GAP * objective.abs()) * reduced.tolerance;
        let merit = largest([residuals.miss() / GOOD_MISS, gap / good_gap].iter());
        if !merit.is_finite() {
            break;
        }
        if merit < 0.9 * best.merit {
            best = Reached { point: point.clone(), merit, steps };
            idle = 0;
        } else {
            idle += 1;
        }
        if merit <= 1.0 || idle > MOST_IDLE {
            break;
        }
        steps += 1;
        let diagonal: Vec<f64> =
            point.columns.curvature().zip(&reduced.pull).map(|(theta, (weight, _))| theta + weight).collect();
        let weights: Vec<f64> = reduced.row_weights(&point);
        if !system.factorize(&diagonal, &weights) {
            break;
        }
        let (mu, enough) = (point.mu(), NEAR_ENOUGH * good_gap / point.products() as f64);
        let mut direction = |centre: f64, affine: Option<&Step>| {
            Step::new(reduced, &point, &residuals, system, (&diagonal, &weights), centre.max(enough), affine)
        };
        if pace == Pace::Careful {
            let step = direction(TOWARDS_CENTRE * mu, None);
            let length = point.central_length(&step);
            point.advance(&step, length, length);
            continue;
        }
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
