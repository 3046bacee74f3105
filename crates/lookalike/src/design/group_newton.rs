//! One large group: Newton's method on a smoothed error, whose passes over the profiles are cheap.
//!
//! Given u, the error of a profile is `max(A, B)` with `A = Σ_y (p_y − u_y)⁺` and `B = Σ_y (u_y/E − p_y)⁺`
//! (`group_closed_form`), and the sum over many profiles is nearly smooth in u. Replace every `(z)⁺` by the largest
//! `σ z + μ σ (1 − σ)` over σ in [0, 1], that is by a parabola within μ of the kink, and `max(A, B)` by `B + (A − B)⁺`
//! likewise with θ. The σ and θ at the minimum are multipliers, `λ = w θ σ` and `κ = w (1 − θ) σ'`, whose sums balance
//! because the gradient is zero, and whose bound misses the error by less than μ times the few entries near a kink:
//! O(μ²) when there are many profiles. So μ is lowered until the gap is small; no state is kept for a profile.

use super::Watch;
use super::group::MultiplierBlock;
use super::group_cholesky::Symmetric;
use super::instance::Instance;
use crate::Result;
use rayon::prelude::*;

/// The minimum of the smoothed error.
#[derive(Clone)]
pub(super) struct Smoothed {
    /// The outputs that some profile has; the vectors below are over these.
    used: Vec<usize>,
    /// The group's bound.
    pub(super) u: Vec<f64>,
    /// 1/E.
    shrink: f64,
    /// μ for each output, and for A − B.
    widths: Vec<f64>,
    width: f64,
    /// The shares of λ and of κ that make `Σ_s λ = Σ_s κ/E`.
    balance: [Vec<f64>; 2],
}

/// Profiles in a task: the same whatever the number of threads.
pub(super) const ROWS: usize = 4096;
/// μ falls by this factor.
const NARROWER: f64 = 0.25;
const MOST_STEPS: u32 = 200;

/// Lowers μ from a start near the minimum until the relative gap is at most `gap`; `None` if that fails, for then there
/// are too few profiles for their sum to be smooth. Also says how many steps it took.
///
/// # Errors
/// Cancellation by the caller.
pub(super) fn smoothed_minimum(
    instance: &Instance,
    used: &[usize],
    start: Vec<f64>,
    shrink: f64,
    gap: f64,
    watch: &Watch<'_>,
) -> Result<Option<(Smoothed, u32)>> {
    let (scale, mut relative, mut steps) = (start.clone(), 0.05, 0);
    let mut at =
        Smoothed { used: used.to_vec(), u: start, shrink, widths: Vec::new(), width: 0.0, balance: Default::default() };
    while relative > 1e-9 {
        at.widths = scale.iter().map(|u| relative * u).collect();
        at.width = 0.1 * relative;
        let mut here = at.sums(instance);
        // Wide parabolas need no exact minimum.
        while here.slope(&at.u)
            > here.error * if here.gap() <= gap { 0.1 * gap } else { (0.1 * relative).max(0.1 * gap) }
        {
            steps += 1;
            watch.step("solving", steps.into(), None)?;
            if steps > MOST_STEPS {
                return Ok(None);
            }
            match at.line_search(instance, &here) {
                Some(next) => (at, here) = next,
                None => break,
            }
        }
        if here.gap() <= gap && here.slope(&at.u) <= 0.1 * gap * here.error {
            at.balance = here.balance();
            at.move_into_range();
            return Ok(Some((at, steps)));
        }
        relative *= NARROWER;
    }
    Ok(None)
}

/// Sums over profiles.
struct Sums {
    /// Σ w max(A, B), the same smoothed, and the bound that the multipliers prove when they are balanced.
    error: f64,
    smoothed: f64,
    bound: f64,
    /// Σ λ and Σ κ/E, and the gradient: their difference.
    totals: [Vec<f64>; 2],
    gradient: Vec<f64>,
    /// The second derivatives: a diagonal, and a lower triangle.
    diagonal: Vec<f64>,
    matrix: Vec<f64>,
}

impl Sums {
    fn zero(size: usize) -> Self {
        let (zero, matrix) = (|| vec![0.0; size], vec![0.0; size * size]);
        Sums {
            error: 0.0,
            smoothed: 0.0,
            bound: 0.0,
            totals: [zero(), zero()],
            gradient: zero(),
            diagonal: zero(),
            matrix,
        }
    }

    /// The gap as a share of the error.
    fn gap(&self) -> f64 {
        (self.error - self.bound) / self.error
    }

    /// Σ u |gradient|: what balancing the multipliers costs the bound.
    fn slope(&self, u: &[f64]) -> f64 {
        self.gradient.iter().zip(u).map(|(slope, u)| u * slope.abs()).sum()
    }

    fn add(&mut self, other: &Sums) {
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        self.error += other.error;
        self.smoothed += other.smoothed;
        self.bound += other.bound;
        add(&mut self.totals[0], &other.totals[0]);
        add(&mut self.totals[1], &other.totals[1]);
        add(&mut self.gradient, &other.gradient);
        add(&mut self.diagonal, &other.diagonal);
        add(&mut self.matrix, &other.matrix);
    }

    /// The shares of λ and κ to keep.
    fn balance(&self) -> [Vec<f64>; 2] {
        let [upper, lower] = &self.totals;
        let share = |of: f64, other: f64| if of > other { other / of } else { 1.0 };
        let shares = |of: &[f64], other: &[f64]| of.iter().zip(other).map(|(&of, &other)| share(of, other)).collect();
        [shares(upper, lower), shares(lower, upper)]
    }

    /// Newton's direction, damped by |gradient|/(20 μ): an output of which no profile is near its kinks has no
    /// curvature of its own and moves by 20 μ then; near the minimum the damping vanishes.
    fn newton_step(&self, widths: &[f64]) -> Vec<f64> {
        let size = self.gradient.len();
        let mut matrix = Symmetric::zero(size);
        for (i, width) in widths.iter().enumerate() {
            matrix.add(i, i, self.diagonal[i] + self.gradient[i].abs() / (20.0 * width));
            (0..=i).for_each(|j| matrix.add(i, j, self.matrix[i * size + j]));
        }
        matrix.factor();
        let mut step: Vec<f64> = self.gradient.iter().map(|slope| -slope).collect();
        matrix.solve(&mut step);
        step
    }
}

/// The largest σ z + μ σ (1 − σ) over σ in [0, 1], and that σ.
#[inline(always)]
fn soft(z: f64, width: f64, inverse: f64) -> (f64, f64) {
    let share = ((z + width) * inverse).clamp(0.0, 1.0);
    (share * (z + width * (1.0 - share)), share)
}

impl Smoothed {
    /// The longest of the steps 1, 1/2, 1/4, … along Newton's direction that gains enough; `None` at the end of the
    /// floats' precision.
    fn line_search(&self, instance: &Instance, here: &Sums) -> Option<(Smoothed, Sums)> {
        let step = here.newton_step(&self.widths);
        let downhill: f64 = step.iter().zip(&here.gradient).map(|(step, slope)| step * slope).sum();
        let mut share = 1.0;
        while share > 1e-4 {
            // No step takes a bound closer to 0 than a tenth of what it was.
            let moved = |(u, step): (&f64, &f64)| (u + share * step).max(0.1 * u);
            let u = self.u.iter().zip(&step).map(moved).collect();
            let trial = Smoothed { u, ..self.clone() };
            let there = trial.sums(instance);
            // Next to the minimum the gain is below the rounding of the sum, and only the gradient still tells.
            let flat =
                there.smoothed <= here.smoothed * (1.0 + 1e-14) && there.slope(&trial.u) < 0.5 * here.slope(&self.u);
            if flat || there.smoothed <= here.smoothed + 1e-4 * share * downhill {
                return Some((trial, there));
            }
            share *= 0.5;
        }
        None
    }

    /// Laws exist when Σ u/E ≤ 1 ≤ Σ u, which the minimum misses by rounding at most.
    fn move_into_range(&mut self) {
        let sum: f64 = self.u.iter().sum();
        let factor = if sum < 1.0 { (1.0 + 1e-15) / sum } else { (1.0 / (sum * self.shrink)).min(1.0) };
        self.u.iter_mut().for_each(|u| *u *= factor);
    }

    fn sums(&self, instance: &Instance) -> Sums {
        let (count, size) = (instance.count(), self.u.len());
        let blocks: Vec<usize> = (0..count).step_by(ROWS).collect();
        let part = |&first: &usize| {
            let mut sums = Sums::zero(size);
            let mut row = Row::new(size);
            for secret in first..(first + ROWS).min(count) {
                let weight = instance.weights[secret];
                row.evaluate(self, instance.law(secret));
                row.add_to(self, weight, &mut sums);
            }
            sums
        };
        let parts: Vec<Sums> = blocks.par_iter().map(part).collect();
        let mut all = Sums::zero(size);
        parts.iter().for_each(|part| all.add(part));
        all
    }

    /// The multipliers of some profiles.
    pub(super) fn multipliers(&self, instance: &Instance, first: usize) -> MultiplierBlock {
        let last = (first + ROWS).min(instance.count());
        let mut row = Row::new(self.u.len());
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for secret in first..last {
            row.evaluate(self, instance.law(secret));
            let (more, less) = (instance.weights[secret] * row.theta, instance.weights[secret] * (1.0 - row.theta));
            upper.extend(row.upper.iter().zip(&self.balance[0]).map(|(share, kept)| more * share * kept));
            lower.extend(row.lower.iter().zip(&self.balance[1]).map(|(share, kept)| less * share * kept));
        }
        let secrets = (first as u32..last as u32).collect();
        MultiplierBlock { secrets, groups: vec![0], upper, lower }
    }
}

/// One profile at u.
struct Row {
    law: Vec<f64>,
    /// σ and σ' of each output.
    upper: Vec<f64>,
    lower: Vec<f64>,
    /// A and B, and what their σ make of them.
    hard: [f64; 2],
    linear: [f64; 2],
    smoothed: f64,
    theta: f64,
}

impl Row {
    fn new(size: usize) -> Self {
        let zero = || vec![0.0; size];
        let (hard, linear) = ([0.0; 2], [0.0; 2]);
        Row { law: zero(), upper: zero(), lower: zero(), hard, linear, smoothed: 0.0, theta: 0.0 }
    }

    fn evaluate(&mut self, at: &Smoothed, law: &[f64]) {
        let size = at.u.len();
        self.law.iter_mut().zip(&at.used).for_each(|(p, &y)| *p = law[y]);
        let law = &self.law[..size];
        let (u, widths) = (&at.u[..size], &at.widths[..size]);
        let (upper, lower) = (&mut self.upper[..size], &mut self.lower[..size]);
        let mut sums = [0.0; 6];
        for y in 0..size {
            let (p, width) = (law[y], widths[y]);
            let inverse = 0.5 / width;
            let (above, below) = (p - u[y], u[y] * at.shrink - p);
            let ((a, up), (b, down)) = (soft(above, width, inverse), soft(below, width, inverse));
            (upper[y], lower[y]) = (up, down);
            sums[0] += a;
            sums[1] += b;
            sums[2] += above.max(0.0);
            sums[3] += below.max(0.0);
            sums[4] += up * above;
            sums[5] += down * below;
        }
        self.hard = [sums[2], sums[3]];
        self.linear = [sums[4], sums[5]];
        let (more, theta) = soft(sums[0] - sums[1], at.width, 0.5 / at.width);
        (self.smoothed, self.theta) = (sums[1] + more, theta);
    }

    fn add_to(&self, at: &Smoothed, weight: f64, sums: &mut Sums) {
        let (size, theta) = (self.upper.len(), self.theta);
        sums.error += weight * self.hard[0].max(self.hard[1]);
        sums.smoothed += weight * self.smoothed;
        sums.bound += weight * (theta * self.linear[0] + (1.0 - theta) * self.linear[1]);
        let (more, less) = (weight * theta, weight * (1.0 - theta) * at.shrink);
        for y in 0..size {
            let (upper, lower) = (more * self.upper[y], less * self.lower[y]);
            sums.totals[0][y] += upper;
            sums.totals[1][y] += lower;
            sums.gradient[y] += lower - upper;
        }
        for y in 0..size {
            let near = |share: f64| if share > 0.0 && share < 1.0 { 0.5 / at.widths[y] } else { 0.0 };
            sums.diagonal[y] += more * near(self.upper[y]) + less * at.shrink * near(self.lower[y]);
        }
        if theta > 0.0 && theta < 1.0 {
            let bend = weight * 0.5 / at.width;
            let slope: Vec<f64> = (0..size).map(|y| self.upper[y] + at.shrink * self.lower[y]).collect();
            for i in 0..size {
                for j in 0..=i {
                    sums.matrix[i * size + j] += bend * slope[i] * slope[j];
                }
            }
        }
    }
}
