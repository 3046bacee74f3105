//! What one profile adds to the normal equations of the bounds.

use super::Frame;
use crate::design::group_block::{Bounds, Normal};
use crate::design::group_cholesky::dot;
use crate::design::group_totals::{add_between, to_totals, totals_of_apart};

impl Frame {
    /// Adds the profile's diagonal, the terms between its groups and its rank one.
    pub(in crate::design) fn add_matrix(&mut self, bounds: &Bounds, normal: &mut Normal) {
        let (size, groups) = (self.size, bounds.shrink.len());
        let wide = size * groups;
        for (g, (&shrink, &away)) in bounds.shrink.iter().zip(&bounds.pull).enumerate() {
            for y in 0..size {
                let (at, width) = (g * size + y, self.width[y]);
                let (upper, lower) = (self.ratio_upper[at], self.ratio_lower[at]);
                // t − width·pull², written so that nothing cancels.
                let others = (0..groups).filter(|&h| h != g).map(|h| h * size + y);
                let others: f64 = others.map(|other| self.ratio_upper[other] + self.ratio_lower[other]).sum();
                let weak = (upper + shrink * shrink * lower) * (self.hold[y] + others);
                normal.diagonal[at] += width * (weak + upper * lower * away * away);
                for h in 0..g {
                    let between = -width * self.pull[at] * self.pull[h * size + y];
                    add_between(&mut normal.matrix, wide, [g * size, h * size], size, y, between);
                }
            }
        }
        match groups {
            1 => totals_of_apart(&self.apart, &mut self.share),
            _ => {
                for at in 0..wide {
                    self.share[at] = self.pull[at] * self.width[at % size];
                }
                self.share.chunks_exact_mut(size).for_each(to_totals);
            }
        }
        for at in 0..wide {
            let scaled = self.share[at] / self.widths;
            let row = &mut normal.matrix[at * wide..at * wide + at + 1];
            row.iter_mut().zip(&self.share).for_each(|(entry, share)| *entry += scaled * share);
        }
    }

    /// Adds the profile's right side, in totals and differences.
    pub(in crate::design) fn add_right(&mut self, bounds: &Bounds, right: &mut [f64]) {
        let size = self.size;
        let sum = dot(&self.rho, &self.width);
        let nu = (self.missing - sum) / self.widths;
        if let [away] = bounds.pull[..] {
            let of = |y: usize| self.error_rho[y] + away * self.right_lower[y] - self.apart[y] * (self.rho[y] + nu);
            let first = of(0);
            right[0] += first + nu;
            (1..size).for_each(|y| right[y] += of(y) - first);
            return;
        }
        for (g, &shrink) in bounds.shrink.iter().enumerate() {
            let of = |y: usize| {
                let at = g * size + y;
                self.right_upper[at] - shrink * self.right_lower[at]
                    + self.pull[at] * self.width[y] * (self.rho[y] + nu)
            };
            let first = of(0);
            right[g * size] += first;
            (1..size).for_each(|y| right[g * size + y] += of(y) - first);
        }
    }

    pub(in crate::design) fn add_sums(&self, bounds: &Bounds, normal: &mut Normal) {
        normal.value += self.weight * dot(&self.slack_a, &self.ones);
        normal.gap += dot(&self.alpha_a, &self.slack_a) + dot(&self.alpha_b, &self.slack_b);
        normal.gap += dot(&self.upper, &self.slack_upper) + dot(&self.lower, &self.slack_lower);
        let rows = normal.residual.chunks_exact_mut(self.size).zip(&bounds.shrink);
        let multipliers = self.upper.chunks_exact(self.size).zip(self.lower.chunks_exact(self.size));
        for ((residual, &shrink), (upper, lower)) in rows.zip(multipliers) {
            for y in 0..self.size {
                residual[y] += shrink * lower[y] - upper[y];
            }
        }
    }
}
