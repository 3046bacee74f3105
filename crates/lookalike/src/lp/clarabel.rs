//! Clarabel, an interior-point method by homogeneous embedding in a library that is well kept.

use super::answer::{Failure, Found, Wish};
use super::reduced::Reduced;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use std::sync::{Mutex, mpsc};

/// What the library is asked for; it ends at the last point that it could improve if that is too much.
const TOLERANCE: f64 = 1e-12;

/// The program as the library has it: `min ½ xᵀ P x + q·x` with `A x + s = b`, s zero for the first rows and not below zero for
/// the others.
struct Conic {
    right: Vec<f64>,
    /// Of each row of ours where it went, with the sign that its multiplier has there.
    multipliers: Vec<(usize, u32, f64)>,
    /// Row, column, value.
    entries: Vec<(usize, u32, f64)>,
    equations: usize,
}

impl Conic {
    fn new(reduced: &Reduced) -> Self {
        let mut conic = Conic { right: Vec::new(), multipliers: Vec::new(), entries: Vec::new(), equations: 0 };
        let is_equation = |row: &usize| reduced.is_equation(*row);
        for row in (0..reduced.rows.len()).filter(is_equation) {
            conic.add(reduced, row, reduced.row_bounds[row].0, 1.0);
        }
        conic.equations = conic.right.len();
        for row in (0..reduced.rows.len()).filter(|row| !is_equation(row) && reduced.rows.count(*row) > 0) {
            let (lower, upper) = reduced.row_bounds[row];
            if upper.is_finite() {
                conic.add(reduced, row, upper, 1.0);
            }
            if lower.is_finite() {
                conic.add(reduced, row, -lower, -1.0);
            }
        }
        for (column, &(lower, upper)) in reduced.bounds.iter().enumerate() {
            for (sign, right) in [(1.0, upper), (-1.0, -lower)] {
                conic.entries.push((conic.right.len(), column as u32, sign));
                conic.right.push(right);
            }
        }
        conic
    }

    fn add(&mut self, reduced: &Reduced, row: usize, right: f64, sign: f64) {
        let at = self.right.len();
        self.right.push(right);
        self.multipliers.push((row, at as u32, -sign));
        self.entries.extend(reduced.rows.terms(row).map(|(column, value)| (at, column as u32, sign * value)));
    }

    /// The matrix, column after column.
    fn matrix(&mut self, columns: usize) -> CscMatrix<f64> {
        self.entries.sort_unstable_by_key(|&(row, column, _)| (column, row));
        let mut starts = vec![0; columns + 1];
        self.entries.iter().for_each(|&(_, column, _)| starts[column as usize + 1] += 1);
        (0..columns).for_each(|column| starts[column + 1] += starts[column]);
        let (rows, values) = self.entries.iter().map(|&(row, _, value)| (row, value)).unzip();
        CscMatrix::new(self.right.len(), columns, starts, rows, values)
    }
}

/// Solves a program. The last point is given back whatever the library thinks of it.
///
/// # Errors
/// Cancellation by the caller, or a program that the library does not take.
pub(super) fn solve(reduced: &Reduced, ask: &dyn Fn(u32) -> Wish) -> Result<Found, Failure> {
    let columns = reduced.cost.len();
    let mut conic = Conic::new(reduced);
    let matrix = conic.matrix(columns);
    let weights = reduced.pull.iter().map(|(weight, _)| *weight);
    let pull = CscMatrix::new(columns, columns, (0..=columns).collect(), (0..columns).collect(), weights.collect());
    let pulled = reduced.cost.iter().zip(&reduced.pull).map(|(cost, (weight, target))| cost - weight * target);
    let pulled: Vec<f64> = pulled.collect();
    let others = conic.right.len() - conic.equations;
    let cones = [SupportedConeT::ZeroConeT(conic.equations), SupportedConeT::NonnegativeConeT(others)];
    let settings = DefaultSettings {
        verbose: false,
        max_threads: 1,
        tol_gap_abs: TOLERANCE,
        tol_gap_rel: TOLERANCE,
        tol_feas: TOLERANCE,
        ..DefaultSettings::default()
    };
    let Ok(mut solver) = DefaultSolver::new(&pull, &pulled, &matrix, &conic.right, &cones, settings) else {
        return Err(Failure::TooLarge);
    };
    let mut wish = Wish::GoOn;
    let solution = if cfg!(target_family = "wasm") {
        // There are no threads, so that nobody can ask: the library ends by itself.
        solver.solve();
        solver.solution
    } else {
        // The library wants a callback that outlives this call, so it runs on a thread of its own and asks through a channel.
        let (asks, asked) = mpsc::channel();
        let (answers, answered) = mpsc::channel();
        let line = Mutex::new((asks, answered));
        std::thread::scope(|scope| {
            let running = scope.spawn(move || {
                solver.set_termination_callback(move |info| {
                    let line = line.lock().expect("one thread asks");
                    line.0.send(info.iterations).is_err() || line.1.recv().unwrap_or(true)
                });
                solver.solve();
                solver.unset_termination_callback();
                solver.solution
            });
            while let Ok(step) = asked.recv() {
                wish = ask(step);
                let _ = answers.send(wish != Wish::GoOn);
            }
            running.join().map_err(|_| Failure::TooLarge)
        })?
    };
    if wish == Wish::Stop {
        return Err(Failure::Stopped);
    }
    let within = |(x, (lower, upper)): (&f64, &(f64, f64))| {
        if x.is_finite() { x.clamp(*lower, *upper) } else { 0.5 * (lower + upper) }
    };
    let mut y = vec![0.0; reduced.rows.len()];
    for &(row, at, sign) in &conic.multipliers {
        let z = solution.z[at as usize];
        y[row] += if z.is_finite() { sign * z } else { 0.0 };
    }
    Ok(Found {
        x: solution.x.iter().zip(&reduced.bounds).map(within).collect(),
        y,
        steps: solution.iterations,
        cut_short: wish == Wish::Enough,
    })
}
