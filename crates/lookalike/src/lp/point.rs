//! A point of the method and what it misses of the optimality conditions.

use super::reduced::Reduced;
use super::step::{Step, finite};

/// Room × multiplier at a start, and the room that every column and row has there where its bounds leave that much.
const NAMED: (f64, f64) = (1e-2, 1e-3);
const MIDDLE: (f64, f64) = (0.25, 0.25);
/// A named start may miss rows by this much.
const NEARLY_WITHIN: f64 = 1e-2;

/// Values between bounds, with the multipliers of the bounds.
#[derive(Clone)]
pub(super) struct Bounded {
    pub(super) x: Vec<f64>,
    /// Distance to the lower and to the upper bound; infinite where there is none.
    pub(super) room: Vec<(f64, f64)>,
    pub(super) duals: Vec<(f64, f64)>,
}

impl Bounded {
    /// Values near the wanted ones and well within the bounds, each multiplier such that room × multiplier is `mu`.
    pub(super) fn new(bounds: &[(f64, f64)], (mu, least): (f64, f64), wanted: impl Fn(usize) -> f64) -> Self {
        let (mut x, mut room, mut duals) = (Vec::new(), Vec::new(), Vec::new());
        for (at, &(lower, upper)) in bounds.iter().enumerate() {
            // A quarter of the way at most, so that the margins of the two bounds never meet.
            let margin = (0.25 * (upper - lower)).min(least);
            let value = wanted(at).clamp(lower + margin, upper - margin);
            x.push(value);
            room.push((value - lower, upper - value));
            duals.push((finite(mu / (value - lower)), finite(mu / (upper - value))));
        }
        Bounded { x, room, duals }
    }

    pub(super) fn curvature(&self) -> impl Iterator<Item = f64> + '_ {
        self.room.iter().zip(&self.duals).map(|((below, above), (lower, upper))| lower / below + upper / above)
    }

    /// The sum of room × multiplier over the finite bounds, and how many those are.
    pub(super) fn products(&self) -> (f64, usize) {
        let (mut sum, mut count) = (0.0, 0);
        for (room, dual) in self.room.iter().zip(&self.duals).flat_map(|(r, d)| [(r.0, d.0), (r.1, d.1)]) {
            if room.is_finite() {
                sum += room * dual;
                count += 1;
            }
        }
        (sum, count)
    }

    /// The least room × multiplier over the finite bounds that are no equations.
    fn least_product(&self) -> f64 {
        let rooms = self.room.iter().zip(&self.duals).flat_map(|(r, d)| [(r.0, d.0), (r.1, d.1)]);
        let free = rooms.filter(|(room, _)| room.is_finite() && *room != 0.0);
        free.map(|(room, dual)| room * dual).fold(f64::INFINITY, f64::min)
    }
}

#[derive(Clone)]
pub(super) struct Point {
    pub(super) columns: Bounded,
    pub(super) slacks: Bounded,
    pub(super) y: Vec<f64>,
}

impl Point {
    /// The start that the program names, if it is nearly within all rows; else the middle of everything.
    pub(super) fn start(reduced: &Reduced) -> Self {
        let named = Point::near(reduced, NAMED, |at| reduced.start[at]);
        if Residuals::new(reduced, &named).miss() <= NEARLY_WITHIN {
            return named;
        }
        Point::near(reduced, MIDDLE, |_| None)
    }

    pub(super) fn near(reduced: &Reduced, room: (f64, f64), wanted: impl Fn(usize) -> Option<f64>) -> Self {
        let middle = |at: usize| 0.5 * (reduced.bounds[at].0 + reduced.bounds[at].1);
        let columns = Bounded::new(&reduced.bounds, room, |at| wanted(at).unwrap_or_else(|| middle(at)));
        // An equation has no slack. One without bounds takes part in no product and leaves the row to its multiplier.
        let free = |row: usize| match reduced.is_equation(row) {
            true => (f64::NEG_INFINITY, f64::INFINITY),
            false => reduced.row_bounds[row],
        };
        let bounds: Vec<(f64, f64)> = (0..reduced.rows.len()).map(free).collect();
        let slacks = Bounded::new(&bounds, room, |row| reduced.rows.dot(row, &columns.x));
        Point { columns, slacks, y: vec![0.0; reduced.rows.len()] }
    }

    pub(super) fn mu(&self) -> f64 {
        let ((one, ones), (other, others)) = (self.columns.products(), self.slacks.products());
        (one + other) / (ones + others).max(1) as f64
    }

    /// How many products of a room and its multiplier there are.
    pub(super) fn products(&self) -> usize {
        (self.columns.products().1 + self.slacks.products().1).max(1)
    }

    pub(super) fn mu_after(&self, step: &Step, primal: f64, dual: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for (part, change) in [(&self.columns, &step.columns), (&self.slacks, &step.slacks)] {
            let parts = part.room.iter().zip(&part.duals).zip(change.x.iter().zip(&change.duals));
            let mut of_part = 0.0;
            for ((room, duals), (x, change)) in parts {
                let (below, above) = (room.0 + primal * x, room.1 - primal * x);
                if below.is_finite() {
                    of_part += below * (duals.0 + dual * change.0);
                    count += 1;
                }
                if above.is_finite() {
                    of_part += above * (duals.1 + dual * change.1);
                    count += 1;
                }
            }
            sum += of_part;
        }
        sum / f64::from(count.max(1))
    }

    /// The length of a step for values and multipliers alike that keeps every product of a room and its multiplier at a
    /// thousandth of their mean at least, and does not raise that mean: so the method follows the central path.
    pub(super) fn central_length(&self, step: &Step) -> f64 {
        let (primal, dual) = step.lengths(self, 0.95);
        let (mut length, mu) = (primal.min(dual), self.mu());
        // 0.7^40 is below a millionth: a step that short is none, and counts as one without progress.
        for _ in 0..40 {
            let mut next = self.clone();
            next.advance(step, length, length);
            let (after, least) = (next.mu(), next.columns.least_product().min(next.slacks.least_product()));
            if after <= mu && least >= 1e-3 * after {
                break;
            }
            length *= 0.7;
        }
        length
    }

    pub(super) fn advance(&mut self, step: &Step, primal: f64, dual: f64) {
        for (part, change) in [(&mut self.columns, &step.columns), (&mut self.slacks, &step.slacks)] {
            for at in 0..part.x.len() {
                // Rooms are moved, not computed again: near a bound the difference of value and bound has lost its digits.
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
pub(super) struct Residuals {
    pub(super) largest_multiplier: f64,
    pub(super) rows: Vec<f64>,
    pub(super) columns: Vec<f64>,
    pub(super) slacks: Vec<f64>,
}

impl Residuals {
    pub(super) fn new(reduced: &Reduced, point: &Point) -> Self {
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

    pub(super) fn miss(&self) -> f64 {
        largest(self.rows.iter())
    }

    /// The largest miss of a column's or slack's balance, beside the largest multiplier.
    pub(super) fn wrong(&self) -> f64 {
        largest(self.columns.iter().chain(&self.slacks)) / (1.0 + self.largest_multiplier)
    }
}

/// The largest absolute value; not a number if one of them is not.
pub(super) fn largest<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.fold(0.0, |most, value| if most.is_nan() || value.abs() <= most { most } else { value.abs() })
}
