//! One profile's part of Newton's equations, eliminated in closed form; `group_block` says which equations.

use super::group_block::{Block, Bounds, Change, Corrector, Reach};
use super::group_cholesky::dot;

mod normal;

/// No slack and no multiplier is smaller: rounding must not make one negative.
const LEAST: f64 = 1e-30;

/// One profile's equations; arrays over outputs, or over groups and outputs.
pub(super) struct Frame {
    size: usize,
    ones: Vec<f64>,
    weight: f64,
    missing: f64,
    /// The slacks a and a + q − p, 1 over them, and the multipliers α₁ and α₂.
    slack_a: Vec<f64>,
    slack_b: Vec<f64>,
    inverse_a: Vec<f64>,
    inverse_b: Vec<f64>,
    alpha_a: Vec<f64>,
    alpha_b: Vec<f64>,
    /// α₁/a, α₂/(a + q − p) and 1 over their sum.
    ratio_a: Vec<f64>,
    ratio_b: Vec<f64>,
    inverse_ab: Vec<f64>,
    /// λ, κ, their slacks, 1 over them, and the ratios λ/(u − q) and κ/(q − u/E).
    upper: Vec<f64>,
    lower: Vec<f64>,
    slack_upper: Vec<f64>,
    slack_lower: Vec<f64>,
    inverse_upper: Vec<f64>,
    inverse_lower: Vec<f64>,
    ratio_upper: Vec<f64>,
    ratio_lower: Vec<f64>,
    /// α₁α₂ over (α₁ times the second slack plus α₂ times the first): how stiffly the error holds q.
    hold: Vec<f64>,
    /// What rounding has made of α₂ where it is 0.
    drift: Vec<f64>,
    /// dq = width·(ρ + Σ_g pull_g du_g + dν).
    width: Vec<f64>,
    pull: Vec<f64>,
    rho: Vec<f64>,
    /// The part of ρ that comes from the error, and ρ + dν.
    error_rho: Vec<f64>,
    free: Vec<f64>,
    widths: f64,
    /// 1 − width·pull of a profile in one group: how far it is from following its bounds.
    apart: Vec<f64>,
    /// width·pull in totals and differences.
    share: Vec<f64>,
    /// Right sides, divided by the slacks.
    right_a: Vec<f64>,
    right_b: Vec<f64>,
    right_upper: Vec<f64>,
    right_lower: Vec<f64>,
    /// The direction.
    pub(super) d_nu: f64,
    pub(super) dq: Vec<f64>,
    pub(super) da: Vec<f64>,
    d_alpha: Vec<f64>,
    dz_upper: Vec<f64>,
    dz_lower: Vec<f64>,
    pub(super) d_upper: Vec<f64>,
    pub(super) d_lower: Vec<f64>,
}

impl Frame {
    pub(super) fn new(size: usize, groups: usize) -> Self {
        let (narrow, wide) = (|| vec![0.0; size], || vec![0.0; size * groups]);
        Frame {
            size,
            ones: vec![1.0; size],
            weight: 0.0,
            missing: 0.0,
            slack_a: narrow(),
            slack_b: narrow(),
            inverse_a: narrow(),
            inverse_b: narrow(),
            alpha_a: narrow(),
            alpha_b: narrow(),
            ratio_a: narrow(),
            ratio_b: narrow(),
            inverse_ab: narrow(),
            upper: wide(),
            lower: wide(),
            slack_upper: wide(),
            slack_lower: wide(),
            inverse_upper: wide(),
            inverse_lower: wide(),
            ratio_upper: wide(),
            ratio_lower: wide(),
            hold: narrow(),
            drift: narrow(),
            width: narrow(),
            pull: wide(),
            rho: narrow(),
            error_rho: narrow(),
            free: narrow(),
            widths: 0.0,
            apart: narrow(),
            share: wide(),
            right_a: narrow(),
            right_b: narrow(),
            right_upper: wide(),
            right_lower: wide(),
            d_nu: 0.0,
            dq: narrow(),
            da: narrow(),
            d_alpha: narrow(),
            dz_upper: wide(),
            dz_lower: wide(),
            d_upper: wide(),
            d_lower: wide(),
        }
    }

    /// The coefficients of one profile's equations.
    pub(super) fn eliminate(&mut self, block: &Block, row: usize, bounds: &Bounds) {
        let size = self.size;
        let wide = size * bounds.shrink.len();
        let narrow = row * size..(row + 1) * size;
        let (p, q, a) = (&block.p[narrow.clone()], &block.q[narrow.clone()], &block.a[narrow]);
        self.upper.copy_from_slice(&block.upper[row * wide..(row + 1) * wide]);
        self.lower.copy_from_slice(&block.lower[row * wide..(row + 1) * wide]);
        self.weight = block.weights[row];
        self.missing = 1.0 - dot(q, &self.ones);
        self.alpha_b.fill(-block.nu[row]);
        self.width.fill(0.0);
        for (g, &shrink) in bounds.shrink.iter().enumerate() {
            let range = g * size..(g + 1) * size;
            let (u, upper, lower) = (&bounds.u[range.clone()], &self.upper[range.clone()], &self.lower[range.clone()]);
            let (inverse_upper, inverse_lower) =
                (&mut self.inverse_upper[range.clone()], &mut self.inverse_lower[range.clone()]);
            let (ratio_upper, ratio_lower) =
                (&mut self.ratio_upper[range.clone()], &mut self.ratio_lower[range.clone()]);
            let (slack_upper, slack_lower) =
                (&mut self.slack_upper[range.clone()], &mut self.slack_lower[range.clone()]);
            let pull = &mut self.pull[range];
            for y in 0..size {
                slack_upper[y] = (u[y] - q[y]).max(LEAST);
                slack_lower[y] = (q[y] - u[y] * shrink).max(LEAST);
                inverse_upper[y] = 1.0 / slack_upper[y];
                inverse_lower[y] = 1.0 / slack_lower[y];
                ratio_upper[y] = upper[y] * inverse_upper[y];
                ratio_lower[y] = lower[y] * inverse_lower[y];
                pull[y] = ratio_upper[y] + shrink * ratio_lower[y];
                self.alpha_b[y] += upper[y] - lower[y];
                self.width[y] += ratio_upper[y] + ratio_lower[y];
            }
        }
        if self.weight == 0.0 {
            self.eliminate_without_weight();
        } else {
            self.eliminate_error(p, q, a);
        }
        self.widths = dot(&self.width, &self.ones);
        if let [away] = bounds.pull[..] {
            for y in 0..size {
                self.apart[y] = (self.hold[y] + self.ratio_lower[y] * away) * self.width[y];
            }
        }
    }

    fn eliminate_error(&mut self, p: &[f64], q: &[f64], a: &[f64]) {
        for y in 0..self.size {
            let alpha = self.alpha_b[y].clamp(LEAST, self.weight);
            self.drift[y] = 0.0;
            self.alpha_b[y] = alpha;
            self.alpha_a[y] = (self.weight - alpha).max(LEAST);
            self.slack_a[y] = a[y].max(LEAST);
            self.slack_b[y] = (a[y] + q[y] - p[y]).max(LEAST);
            self.inverse_a[y] = 1.0 / self.slack_a[y];
            self.inverse_b[y] = 1.0 / self.slack_b[y];
            self.ratio_a[y] = self.alpha_a[y] * self.inverse_a[y];
            self.ratio_b[y] = alpha * self.inverse_b[y];
            self.inverse_ab[y] = 1.0 / (self.ratio_a[y] + self.ratio_b[y]);
            self.hold[y] = self.ratio_a[y] * self.ratio_b[y] * self.inverse_ab[y];
            self.width[y] = 1.0 / (self.width[y] + self.hold[y]);
        }
    }

    /// The same when the profile's error does not count: a is no unknown then, and α₁ = α₂ = 0.
    fn eliminate_without_weight(&mut self) {
        self.slack_a.fill(1.0);
        self.slack_b.fill(1.0);
        for y in 0..self.size {
            self.drift[y] = self.alpha_b[y];
            self.width[y] = 1.0 / self.width[y];
        }
        for zero in [&mut self.alpha_a, &mut self.alpha_b, &mut self.inverse_a, &mut self.inverse_b] {
            zero.fill(0.0);
        }
        for zero in [&mut self.ratio_a, &mut self.ratio_b, &mut self.inverse_ab, &mut self.hold] {
            zero.fill(0.0);
        }
    }

    /// Right sides of the predictor: slack times multiplier becomes 0.
    pub(super) fn predict(&mut self) {
        let negate = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to = -from);
        negate(&mut self.right_a, &self.alpha_a);
        negate(&mut self.right_b, &self.alpha_b);
        negate(&mut self.right_upper, &self.upper);
        negate(&mut self.right_lower, &self.lower);
        self.gather();
    }

    /// Right sides of the corrector, from the predictor's direction.
    pub(super) fn correct(&mut self, target: f64) {
        for y in 0..self.size {
            let (da, db, d_alpha) = (self.da[y], self.da[y] + self.dq[y], self.d_alpha[y]);
            self.right_a[y] = (target + da * d_alpha) * self.inverse_a[y] - self.alpha_a[y];
            self.right_b[y] = (target - db * d_alpha) * self.inverse_b[y] - self.alpha_b[y];
        }
        for at in 0..self.upper.len() {
            let (upper, lower) = (self.dz_upper[at] * self.d_upper[at], self.dz_lower[at] * self.d_lower[at]);
            self.right_upper[at] = (target - upper) * self.inverse_upper[at] - self.upper[at];
            self.right_lower[at] = (target - lower) * self.inverse_lower[at] - self.lower[at];
        }
        self.gather();
    }

    /// ρ from the right sides.
    fn gather(&mut self) {
        let size = self.size;
        for y in 0..size {
            self.error_rho[y] = (self.ratio_a[y] * self.right_b[y] - self.ratio_b[y] * self.right_a[y])
                * self.inverse_ab[y]
                - self.drift[y];
        }
        self.rho.copy_from_slice(&self.error_rho);
        for (upper, lower) in self.right_upper.chunks_exact(size).zip(self.right_lower.chunks_exact(size)) {
            for y in 0..size {
                self.rho[y] += lower[y] - upper[y];
            }
        }
    }

    /// The profile's direction for a direction of the bounds.
    ///
    /// Slacks of active bounds shrink to 1e-12 and less, so their changes are not taken as differences of du and dq.
    pub(super) fn follow(&mut self, bounds: &Bounds, change: &Change) {
        let (size, du) = (self.size, &change.du[..]);
        let own = dot(&self.rho, &self.width);
        let moved: f64 = match &change.totals[..] {
            [total] => total - dot(&self.apart, du),
            _ => {
                let pulled = self.pull.chunks_exact(size).zip(du.chunks_exact(size));
                pulled.map(|(pull, du)| (0..size).map(|y| pull[y] * self.width[y] * du[y]).sum::<f64>()).sum()
            }
        };
        self.d_nu = (self.missing - own - moved) / self.widths;
        for y in 0..size {
            self.free[y] = self.rho[y] + self.d_nu;
            self.dq[y] = self.free[y];
        }
        for (pull, du) in self.pull.chunks_exact(size).zip(du.chunks_exact(size)) {
            for y in 0..size {
                self.dq[y] += pull[y] * du[y];
            }
        }
        for y in 0..size {
            let dq = self.width[y] * self.dq[y];
            let da = (self.right_a[y] + self.right_b[y] - self.ratio_b[y] * dq) * self.inverse_ab[y];
            self.dq[y] = dq;
            self.da[y] = da;
            self.d_alpha[y] = self.ratio_a[y] * da - self.right_a[y];
        }
        for (g, (&shrink, &away)) in bounds.shrink.iter().zip(&bounds.pull).enumerate() {
            let range = g * size..(g + 1) * size;
            let du_g = &du[range.clone()];
            let (ratio_upper, ratio_lower) = (&self.ratio_upper[range.clone()], &self.ratio_lower[range.clone()]);
            let (dz_upper, dz_lower) = (&mut self.dz_upper[range.clone()], &mut self.dz_lower[range.clone()]);
            for y in 0..size {
                let (hold, free) = (self.hold[y], self.free[y]);
                dz_upper[y] = (hold + ratio_lower[y] * away) * du_g[y] - free;
                dz_lower[y] = (ratio_upper[y] * away - shrink * hold) * du_g[y] + free;
            }
            for (h, &other) in bounds.shrink.iter().enumerate().filter(|(h, _)| *h != g) {
                for y in 0..size {
                    let (at, du_h) = (h * size + y, du[h * size + y]);
                    let (upper, lower) = (self.ratio_upper[at], self.ratio_lower[at]);
                    dz_upper[y] += upper * (du_g[y] - du_h) + lower * (du_g[y] - other * du_h);
                    dz_lower[y] += upper * (du_h - shrink * du_g[y]) + lower * (other * du_h - shrink * du_g[y]);
                }
            }
            let (right_upper, right_lower) = (&self.right_upper[range.clone()], &self.right_lower[range.clone()]);
            let (d_upper, d_lower) = (&mut self.d_upper[range.clone()], &mut self.d_lower[range]);
            for y in 0..size {
                dz_upper[y] *= self.width[y];
                dz_lower[y] *= self.width[y];
                d_upper[y] = right_upper[y] - ratio_upper[y] * dz_upper[y];
                d_lower[y] = right_lower[y] - ratio_lower[y] * dz_lower[y];
            }
        }
    }

    /// Everything from the state to the direction.
    pub(super) fn direct(
        &mut self,
        block: &Block,
        row: usize,
        bounds: &Bounds,
        corrector: Option<&Corrector>,
        change: &Change,
    ) {
        self.eliminate(block, row, bounds);
        self.predict();
        if let Some(corrector) = corrector {
            self.follow(bounds, &corrector.predicted);
            self.correct(corrector.target);
        }
        self.follow(bounds, change);
    }

    /// Takes the direction into account, output by output.
    pub(super) fn reach(&self, reach: &mut [Reach]) {
        if self.weight > 0.0 {
            for (y, reach) in reach.iter_mut().enumerate() {
                let (da, db, d_alpha) = (self.da[y], self.da[y] + self.dq[y], self.d_alpha[y]);
                reach.pair([self.slack_a[y], self.inverse_a[y], da], [self.alpha_a[y], -d_alpha]);
                reach.pair([self.slack_b[y], self.inverse_b[y], db], [self.alpha_b[y], d_alpha]);
            }
        }
        for g in 0..self.upper.len() / self.size {
            for (y, reach) in reach.iter_mut().enumerate() {
                let at = g * self.size + y;
                let upper = [self.slack_upper[at], self.inverse_upper[at], self.dz_upper[at]];
                let lower = [self.slack_lower[at], self.inverse_lower[at], self.dz_lower[at]];
                reach.pair(upper, [self.upper[at], self.d_upper[at]]);
                reach.pair(lower, [self.lower[at], self.d_lower[at]]);
            }
        }
    }
}
