//! A direction of the method, and how far it may be followed.

use super::newton::Newton;
use super::point::{Bounded, Point, Residuals};
use super::reduced::Reduced;

/// A direction.
pub(super) struct Step {
    pub(super) columns: Change,
    pub(super) slacks: Change,
    pub(super) y: Vec<f64>,
}

pub(super) struct Change {
    pub(super) x: Vec<f64>,
    pub(super) duals: Vec<(f64, f64)>,
}

impl Step {
    pub(super) fn new(
        reduced: &Reduced,
        point: &Point,
        residuals: &Residuals,
        newton: &mut Newton<'_>,
        (diagonal, weights): (&[f64], &[f64]),
        centre: f64,
        affine: Option<&Step>,
    ) -> Self {
        let wanted = |part: &Bounded, change: Option<&Change>| complementarity(part, change, centre);
        let columns = wanted(&point.columns, affine.map(|step| &step.columns));
        let slacks = wanted(&point.slacks, affine.map(|step| &step.slacks));
        // What complementarity wants of the multipliers of the bounds, put into the balance of a column or slack, which eliminates
        // them: dual change = (wanted − dual · change of x) / room.
        let pushed = |part: &Bounded, wanted: &[(f64, f64)], residual: &[f64]| -> Vec<f64> {
            let push = |at: usize| residual[at] + wanted[at].0 / part.room[at].0 - wanted[at].1 / part.room[at].1;
            (0..residual.len()).map(push).collect()
        };
        let g = pushed(&point.columns, &columns, &residuals.columns);
        let g_slacks = pushed(&point.slacks, &slacks, &residuals.slacks);
        let is_slack = |row: usize| !reduced.is_equation(row);
        // The slack of a row moves by ds = (g − dy)/weight, and A dx − ds = r: what does not hang on dy goes to the right side.
        let h: Vec<f64> = (0..residuals.rows.len())
            .map(|row| residuals.rows[row] + if is_slack(row) { g_slacks[row] / weights[row] } else { 0.0 })
            .collect();
        let (dx, dy) = newton.solve(diagonal, weights, &g, &h);
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
    pub(super) fn lengths(&self, point: &Point, share: f64) -> (f64, f64) {
        // Values and multipliers have lengths of their own: neither has to wait where the other meets a bound.
        let (mut primal, mut dual) = (1.0f64, 1.0f64);
        for (part, change) in [(&point.columns, &self.columns), (&point.slacks, &self.slacks)] {
            let parts = part.room.iter().zip(&part.duals).zip(change.x.iter().zip(&change.duals));
            for ((room, duals), (&x, change)) in parts {
                shorten(&mut primal, share * room.0, x);
                shorten(&mut primal, share * room.1, -x);
                shorten(&mut dual, share * duals.0, change.0);
                shorten(&mut dual, share * duals.1, change.1);
            }
        }
        (primal, dual)
    }
}

/// Shortens a step so that a value does not fall by more than this.
#[inline]
fn shorten(length: &mut f64, most: f64, change: f64) {
    // Most values are far from the end of the step, and a product says so sooner than a quotient; the margin is far above
    // what rounding can make of the two, so none that must shorten the step is passed over.
    if change < 0.0 && most < -1.000_001 * change * *length {
        *length = length.min(-most / change);
    }
}

impl Change {
    pub(super) fn new(part: &Bounded, wanted: &[(f64, f64)], x: Vec<f64>) -> Self {
        let duals = (0..x.len())
            .map(|at| {
                let ((below, above), (lower, upper)) = (part.room[at], part.duals[at]);
                // The room above shrinks as the value grows, hence the other sign.
                ((wanted[at].0 - lower * x[at]) / below, (wanted[at].1 + upper * x[at]) / above)
            })
            .map(|(lower, upper)| (finite(lower), finite(upper)))
            .collect();
        Change { x, duals }
    }
}

/// 0 for the multiplier of a bound that does not exist.
pub(super) fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// How much room × multiplier should change: to the centre, and with the second-order term of the predictor.
pub(super) fn complementarity(part: &Bounded, affine: Option<&Change>, centre: f64) -> Vec<(f64, f64)> {
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
