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
    let mut attempt = |system: &mut dyn System, pace: Pace| match iterate(&reduced, system, pace, stop) {
        Ok((point, steps)) => Some(Ok(reduced.answer(program, &point, steps))),
        Err(stalled @ Failure::Stalled { .. }) => {
            failure.get_or_insert(stalled);
            None
        }
        Err(other) => Some(Err(other)),
    };
    let precise = || Precise::new(&reduced.rows, reduced.cost.len(), |row| reduced.is_equation(row));
    let answer = attempt(&mut Regularized { newton: &mut newton, regularization: REGULARIZATIONS[0] }, Pace::Bold);
    let answer = answer.or_else(|| {
        let mut system = Regularized { newton: &mut newton, regularization: REGULARIZATIONS[0] };
        attempt(&mut system, Pace::Careful)
    });
    let answer = answer
        .or_else(|| precise().and_then(|precise| attempt(&mut Unhurried { precise, rows: &reduced.rows }, Pace::Bold)));
    let answer = REGULARIZATIONS[1..].iter().fold(answer, |answer, &regularization| {
        answer.or_else(|| attempt(&mut Regularized { newton: &mut newton, regularization }, Pace::Bold))
    });
    answer.unwrap_or_else(|| Err(failure.expect("at least one attempt")))
}

/// The method from its starting point to the end of its progress.
fn iterate(
    reduced: &Reduced,
    system: &mut dyn System,
    pace: Pace,
    stop: &dyn Fn(u32) -> bool,
) -> Result<(Point, u32), Failure> {
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
