//! Newton's equations of one profile with limits, in which only the ends are left.
//!
//! With θ the multiplier over the slack of each pair, σ goes first: it leaves `c = θ_p θ_q/(θ_p + θ_q)` on `(dA − dλ)²`, and the share
//! `α = θ_q/(θ_p + θ_q)` of the room, so that `a = l + α r` stands for the worst law. Then the entries of an input are a diagonal
//! D = θ_z + Σ c under a fixed sum, which leaves `C = diag(w) − w wᵀ/W` with w = 1/D and W their sum. The thresholds λ go next.
//! What is left is `dG = F − S dη`: how the ends answer to their multipliers. All of it takes O(d³) steps.
//!
//! Near the optimum w differs by many powers of ten between entries, so that nothing here is a difference of sums: C has what the
//! other outputs weigh on its diagonal, and S and the equations of λ are sums of squares.

use super::group_cholesky::{Symmetric, dot};
use super::limits_block::{Block, Pairs, Point};

/// What is added to the diagonal of S, which is next to singular where limits are narrow: the sum of all ends of one law stays.
const REGULARIZATION: f64 = 1e-14;

/// A profile's equations, and the right side that is being solved for.
pub(super) struct Elimination {
    /// w by entry, and 1/W by input.
    free: Vec<f64>,
    whole: Vec<f64>,
    /// The output at which an input's w is largest.
    freest: Vec<usize>,
    /// c, α, 1/(θ_p + θ_q) and a by end and input.
    curvature: Vec<f64>,
    share: Vec<f64>,
    soft: Vec<f64>,
    law: Vec<f64>,
    /// The equations of the thresholds, and how each end's multiplier meets them, a row for each multiplier.
    thresholds: Symmetric,
    cross: Vec<f64>,
    /// S and its inverse, row by row.
    compliance: Vec<f64>,
    pub(super) stiffness: Vec<f64>,
    right: Right,
}

/// A right side after the unknowns before it are gone.
#[derive(Default)]
struct Right {
    /// F.
    answer: Vec<f64>,
    entries: Vec<f64>,
    above: Vec<f64>,
    thresholds: Vec<f64>,
    rows: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

impl Elimination {
    /// The equations at the block's point.
    pub(super) fn new(block: &Block) -> Self {
        let (n, size, ends, count) = (block.inputs.len(), block.size, block.ends, block.count());
        let at = &block.at;
        let theta: Vec<f64> = at.z.iter().zip(&at.entries).map(|(z, entry)| z / entry).collect();
        let mut diagonal = theta.clone();
        let ends_of = || vec![0.0; count * n];
        let (mut curvature, mut share, mut soft, mut law) = (ends_of(), ends_of(), ends_of(), ends_of());
        let (mut slope, mut softness) = (vec![block.spare; count], vec![0.0; count]);
        for k in 0..count {
            for i in 0..n {
                let place = k * n + i;
                law[place] = block.lower[i];
                if !block.has_room(i) {
                    continue;
                }
                let (first, second) = (at.p[place] / at.above[place], at.q[place] / at.slack[place]);
                soft[place] = 1.0 / (first + second);
                share[place] = second * soft[place];
                curvature[place] = first * share[place];
                let part = share[place] * block.room[i];
                law[place] += part;
                slope[k] -= part;
                softness[k] += block.room[i] * block.room[i] * soft[place];
                diagonal[k / ends * n + i] += curvature[place];
            }
        }
        let free: Vec<f64> = diagonal.iter().map(|diagonal| 1.0 / diagonal).collect();
        let (whole, others) = sums(&free, n);
        let freest = (0..n)
            .map(|i| (0..size).max_by(|&a, &b| free[a * n + i].total_cmp(&free[b * n + i])).unwrap_or(0))
            .collect();
        // The diagonal of C, and for each end w a/√W and w c/√W: what is off the diagonal of C is made of these.
        let own: Vec<f64> = (0..size * n).map(|at| free[at] * others[at] * whole[at % n]).collect();
        let scaled = |values: &[f64]| -> Vec<f64> {
            (0..count * n).map(|at| values[at] * free[at / n / ends * n + at % n] * whole[at % n].sqrt()).collect()
        };
        let (laws, pulls) = (scaled(&law), scaled(&curvature));
        let of = |k: usize| k * n..(k + 1) * n;
        let same =
            |one: &[f64], other: &[f64], y: usize| -> f64 { (0..n).map(|i| one[i] * other[i] * own[y * n + i]).sum() };
        let mut compliance = Symmetric::zero(count);
        for (k, softness) in softness.into_iter().enumerate() {
            for j in 0..=k {
                let (y, of_k, of_j) = (k / ends, of(k), of(j));
                let entry = match y == j / ends {
                    true => same(&law[of_k], &law[of_j], y) + if j == k { softness } else { 0.0 },
                    false => -dot(&laws[of_k], &laws[of_j]),
                };
                compliance.add(k, j, entry);
            }
        }
        let mut thresholds = Symmetric::zero(if ends == 2 { count } else { 0 });
        let mut cross = Vec::new();
        if ends == 2 {
            for k in 0..count {
                for j in 0..=k {
                    let mut entry = dot(&pulls[of(k)], &pulls[of(j)]);
                    let y = k / 2;
                    if y == j / 2 {
                        // c − c²/D for an end by itself, c c'/D for the two of an output.
                        let of_entry = |i: usize| {
                            let (mine, its) = (curvature[k * n + i], curvature[j * n + i]);
                            let rest = theta[y * n + i] + if j == k { curvature[(k ^ 1) * n + i] } else { 0.0 };
                            free[y * n + i] * if j == k { mine * rest } else { -mine * its }
                        };
                        entry += (0..n).map(of_entry).sum::<f64>();
                    }
                    thresholds.add(k, j, entry);
                }
            }
            thresholds.factor();
            cross = vec![0.0; count * count];
            for (j, row) in cross.chunks_exact_mut(count).enumerate() {
                for (k, entry) in row.iter_mut().enumerate() {
                    *entry = match k / 2 == j / 2 {
                        true => same(&curvature[of(k)], &law[of(j)], k / 2) + if j == k { slope[k] } else { 0.0 },
                        false => -dot(&pulls[of(k)], &laws[of(j)]),
                    };
                }
            }
            let mut half = cross.clone();
            half.chunks_exact_mut(count).for_each(|row| thresholds.solve_half(row));
            for k in 0..count {
                for j in 0..=k {
                    compliance.add(k, j, dot(&half[k * count..][..count], &half[j * count..][..count]));
                }
            }
        }
        let (compliance, stiffness) = (compliance.rows(), inverse(compliance, count));
        let right = Right::default();
        Elimination {
            free,
            whole,
            freest,
            curvature,
            share,
            soft,
            law,
            thresholds,
            cross,
            compliance,
            stiffness,
            right,
        }
    }

    /// Entries of which each input's sum to `rows`, for pushes on entries.
    fn entries(&self, block: &Block, pushes: &[f64], rows: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (n, size) = (block.inputs.len(), block.size);
        let (mut entries, mut nu) = (vec![0.0; size * n], vec![0.0; n]);
        for i in 0..n {
            // Beside the push on the freest output, whose entry takes what the others leave.
            let freest = self.freest[i];
            let base = pushes[freest * n + i];
            let mean: f64 =
                (0..size).map(|y| self.free[y * n + i] * (pushes[y * n + i] - base)).sum::<f64>() * self.whole[i];
            let more = rows[i] * self.whole[i];
            let mut sum = 0.0;
            for y in (0..size).filter(|&y| y != freest) {
                let at = y * n + i;
                entries[at] = self.free[at] * (pushes[at] - base - mean + more);
                sum += entries[at];
            }
            entries[freest * n + i] = rows[i] - sum;
            nu[i] = more - mean - base;
        }
        (entries, nu)
    }

    /// F for a right side, which becomes that of the directions to come.
    pub(super) fn right(&mut self, block: &Block, eta: &[f64], aim: &Pairs) {
        let (n, size, ends, count) = (block.inputs.len(), block.size, block.ends, block.count());
        let at = &block.at;
        let wanted = |aim: &[f64], slack: &[f64], dual: &[f64]| -> Vec<f64> {
            (0..slack.len()).map(|place| aim[place] / slack[place] - dual[place]).collect()
        };
        let z = wanted(&aim.entries, &at.entries, &at.z);
        let p = wanted(&aim.above, &at.above, &at.p);
        let q = wanted(&aim.slack, &at.slack, &at.q);
        let mut entries: Vec<f64> =
            (0..size * n).map(|place| block.nu[place % n] + at.z[place] + z[place] - block.cost[place]).collect();
        let (mut above, mut thresholds, mut answer) = (vec![0.0; count * n], vec![0.0; count], vec![0.0; count]);
        for k in 0..count {
            let (y, sign) = (k / ends, block.sign(k));
            let mut missing = -block.spare * eta[k];
            for i in 0..n {
                let (place, entry) = (k * n + i, y * n + i);
                entries[entry] -= block.lower[i] * eta[k];
                if !block.has_room(i) {
                    continue;
                }
                above[place] = at.p[place] + at.q[place] - sign * block.room[i] * eta[k] + p[place] + q[place];
                let left = self.share[place] * above[place];
                entries[entry] += sign * (left - at.q[place] - q[place]);
                missing += sign * (at.q[place] + q[place] - left);
                answer[k] += sign * block.room[i] * above[place] * self.soft[place];
            }
            thresholds[k] = missing;
        }
        let rows: Vec<f64> = (0..n).map(|i| 1.0 - (0..size).map(|y| at.entries[y * n + i]).sum::<f64>()).collect();
        let (moved, _) = self.entries(block, &entries, &rows);
        for k in 0..count {
            let moved = &moved[k / ends * n..][..n];
            answer[k] += dot(&self.law[k * n..][..n], moved);
            thresholds[k] += dot(&self.curvature[k * n..][..n], moved);
        }
        if ends == 2 {
            let mut solved = thresholds.clone();
            self.thresholds.solve(&mut solved);
            answer
                .iter_mut()
                .zip(self.cross.chunks_exact(count))
                .for_each(|(answer, row)| *answer += dot(row, &solved));
        }
        self.right = Right { answer, entries, above, thresholds, rows, z, p, q };
    }

    /// How the ends change with a change of their multipliers: F − S times it.
    pub(super) fn ends(&self, change: &[f64]) -> Vec<f64> {
        let moved = self.compliance.chunks_exact(change.len()).map(|row| dot(row, change));
        self.right.answer.iter().zip(moved).map(|(answer, moved)| answer - moved).collect()
    }

    /// S⁻¹ F, for the equations in the ends.
    pub(super) fn pushed(&self) -> Vec<f64> {
        self.stiff(&self.right.answer)
    }

    /// How the multipliers of the ends answer to a change of these: S⁻¹ times it.
    pub(super) fn stiff(&self, ends: &[f64]) -> Vec<f64> {
        self.stiffness.chunks_exact(ends.len()).map(|row| dot(row, ends)).collect()
    }

    /// The direction for changes of the multipliers of all ends, with that of ν.
    pub(super) fn direction(&self, block: &Block, change: &[f64]) -> (Point, Vec<f64>) {
        let (n, ends, count) = (block.inputs.len(), block.ends, block.count());
        let (at, right) = (&block.at, &self.right);
        let mut threshold = vec![0.0; count];
        if ends == 2 {
            threshold.copy_from_slice(&right.thresholds);
            for (row, change) in self.cross.chunks_exact(count).zip(change) {
                threshold.iter_mut().zip(row).for_each(|(threshold, cross)| *threshold -= cross * change);
            }
            self.thresholds.solve(&mut threshold);
        }
        let mut pushes = right.entries.clone();
        for k in 0..count {
            for i in 0..n {
                pushes[k / ends * n + i] += self.curvature[k * n + i] * threshold[k] - self.law[k * n + i] * change[k];
            }
        }
        let (entries, nu) = self.entries(block, &pushes, &right.rows);
        let z =
            (0..entries.len()).map(|entry| right.z[entry] - at.z[entry] / at.entries[entry] * entries[entry]).collect();
        let ends_of = || vec![0.0; count * n];
        let (mut above, mut slack, mut p, mut q) = (ends_of(), ends_of(), ends_of(), ends_of());
        for k in 0..count {
            let sign = block.sign(k);
            for i in (0..n).filter(|&i| block.has_room(i)) {
                let place = k * n + i;
                let apart = sign * (entries[k / ends * n + i] - threshold[k]);
                let push = right.above[place] - sign * block.room[i] * change[k];
                let (of_p, of_q) = (at.p[place] / at.above[place], at.q[place] / at.slack[place]);
                above[place] = push * self.soft[place] + self.share[place] * apart;
                // Not as a difference of the two, which are nearly the same where the knapsack takes an input.
                slack[place] = (push - of_p * apart) * self.soft[place];
                p[place] = right.p[place] - of_p * above[place];
                q[place] = right.q[place] - of_q * slack[place];
            }
        }
        (Point { entries, z, threshold, above, slack, p, q }, nu)
    }
}

/// For each input 1 over the sum of all outputs' numbers, and for each entry the sum of those of all other outputs.
fn sums(free: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut others = vec![0.0; free.len()];
    let mut before = vec![0.0; n];
    for at in 0..free.len() {
        others[at] = before[at % n];
        before[at % n] += free[at];
    }
    let mut after = vec![0.0; n];
    for at in (0..free.len()).rev() {
        others[at] += after[at % n];
        after[at % n] += free[at];
    }
    (before.into_iter().map(|sum| 1.0 / sum).collect(), others)
}

/// The inverse of a matrix that is next to singular, row by row.
fn inverse(mut matrix: Symmetric, size: usize) -> Vec<f64> {
    let scale: Vec<f64> = (0..size).map(|k| 1.0 / matrix.entry(k, k).sqrt()).collect();
    matrix.scale(&scale);
    (0..size).for_each(|k| matrix.add(k, k, REGULARIZATION));
    matrix.factor();
    let mut inverse = vec![0.0; size * size];
    for (k, column) in inverse.chunks_exact_mut(size).enumerate() {
        column[k] = 1.0;
        matrix.solve(column);
        column.iter_mut().zip(&scale).for_each(|(entry, other)| *entry *= scale[k] * other);
    }
    inverse
}
