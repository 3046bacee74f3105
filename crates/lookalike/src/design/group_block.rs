//! A block of profiles inside the interior point method for groups: each is eliminated in closed form.
//!
//! Profile s, output y, the groups g that hold s. Unknowns q, a and u^g with the slacks
//!
//! | slack | is at least 0 because | multiplier |
//! |---|---|---|
//! | a | the error counts no negative part | α₁ = w − α₂ |
//! | a + q − p | a is the part of p that q lacks | α₂ = Σ_g λ_g − Σ_g κ_g − ν |
//! | u^g − q | the group's upper bound | λ_g |
//! | q − u^g/E_g | its lower bound | κ_g |
//!
//! and ν for Σ_y q = 1. The formulas for α₁ and α₂ are dual feasibility, so every iterate is feasible and the sum of
//! slack times multiplier is the gap. Newton's equations of one profile are a diagonal plus the one row Σ_y dq = 0, so
//! that eliminating the profile costs O(d) steps and leaves a diagonal plus a rank one in the unknowns u.

use super::group_frame::Frame;

/// Profiles that are in the same groups.
pub(super) struct Block {
    /// The solvers' numbers of the profiles.
    pub(super) secrets: Vec<u32>,
    /// The groups that hold them all.
    pub(super) groups: Vec<u32>,
    /// The number of outputs.
    size: usize,
    pub(super) weights: Vec<f64>,
    pub(super) nu: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) a: Vec<f64>,
    /// λ: for each profile, for each group, for each output.
    pub(super) upper: Vec<f64>,
    /// κ, in the same order.
    pub(super) lower: Vec<f64>,
}

/// What the profiles of a block see of its groups.
pub(super) struct Bounds {
    /// u^g, one group after the other.
    pub(super) u: Vec<f64>,
    /// 1/E of each group.
    pub(super) shrink: Vec<f64>,
    /// 1 − 1/E of each group, accurate for a small ε.
    pub(super) pull: Vec<f64>,
}

/// A block's part of the normal equations: of a lower triangle, of the right side, and of sums over profiles.
pub(super) struct Normal {
    /// In totals and differences, see `group_totals`; all but the diagonal.
    pub(super) matrix: Vec<f64>,
    /// The diagonal, in u itself.
    pub(super) diagonal: Vec<f64>,
    /// In totals and differences.
    pub(super) right: Vec<f64>,
    /// Σ_s κ/E − λ.
    pub(super) residual: Vec<f64>,
    /// Σ of slack times multiplier.
    pub(super) gap: f64,
    /// Σ of weight times error.
    pub(super) value: f64,
}

/// How far a direction can be followed, and what becomes of the gap.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    /// The largest −dz/z: 1 over the step to the boundary.
    pub(super) primal: f64,
    pub(super) dual: f64,
    /// Σ of multiplier times change of slack, of slack times change of multiplier, and of both changes.
    pub(super) slack: f64,
    pub(super) multiplier: f64,
    pub(super) both: f64,
}

impl Reach {
    pub(super) fn join(self, other: Reach) -> Reach {
        Reach {
            primal: self.primal.max(other.primal),
            dual: self.dual.max(other.dual),
            slack: self.slack + other.slack,
            multiplier: self.multiplier + other.multiplier,
            both: self.both + other.both,
        }
    }

    /// A slack, 1 over it and its change; its multiplier and the change of that.
    #[inline(always)]
    pub(super) fn pair(&mut self, [z, inverse, dz]: [f64; 3], [m, dm]: [f64; 2]) {
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        self.primal = larger(-dz * inverse, self.primal);
        self.dual = larger(-dm / m, self.dual);
        self.slack += m * dz;
        self.multiplier += z * dm;
        self.both += dz * dm;
    }
}

/// A direction of the bounds of some groups.
#[derive(Clone)]
pub(super) struct Change {
    /// du, one group after the other.
    pub(super) du: Vec<f64>,
    /// Σ_y du_y of each group, to more digits than the sum would have.
    pub(super) totals: Vec<f64>,
}

/// The second stage of a direction: Mehrotra's corrector.
pub(super) struct Corrector {
    /// The predictor.
    pub(super) predicted: Change,
    /// What slack times multiplier should become.
    pub(super) target: f64,
}

impl Block {
    /// A block whose profiles start at the even law, on the central path as nearly as they can.
    pub(super) fn new(secrets: Vec<u32>, groups: Vec<u32>, weights: Vec<f64>, p: Vec<f64>, start: &Start) -> Self {
        let (rows, size) = (secrets.len(), p.len() / secrets.len());
        let even = 1.0 / size as f64;
        let row_of = |values: &[f64]| groups.iter().flat_map(|&g| vec![values[g as usize]; size]).collect::<Vec<f64>>();
        let (upper, lower) = (row_of(&start.upper), row_of(&start.lower));
        let tilt: f64 = groups.iter().map(|&g| start.upper[g as usize] - start.lower[g as usize]).sum();
        let slack = |weight: f64| if weight > 0.0 { (2.0 * start.target / weight).max(0.5 * even) } else { 1.0 };
        let a = (p.chunks_exact(size).zip(&weights))
            .flat_map(|(p, &weight)| p.iter().map(move |p| (p - even).max(0.0) + slack(weight)))
            .collect();
        Block {
            size,
            nu: weights.iter().map(|weight| tilt - 0.5 * weight).collect(),
            q: vec![even; rows * size],
            a,
            upper: upper.repeat(rows),
            lower: lower.repeat(rows),
            p,
            weights,
            groups,
            secrets,
        }
    }

    /// How many pairs of slack and multiplier there are.
    pub(super) fn pairs(&self) -> usize {
        let counted = self.weights.iter().filter(|&&weight| weight > 0.0).count();
        2 * self.size * (counted + self.groups.len() * self.secrets.len())
    }

    /// The block's part of the normal equations in u, for the predictor or, without the matrix, for the corrector.
    pub(super) fn normal(&self, bounds: &Bounds, corrector: Option<&Corrector>) -> Normal {
        let (wide, mut frame) = (self.groups.len() * self.size, Frame::new(self.size, self.groups.len()));
        let entries = if corrector.is_none() { wide * wide } else { 0 };
        let mut normal = Normal {
            matrix: vec![0.0; entries],
            diagonal: vec![0.0; wide],
            right: vec![0.0; wide],
            residual: vec![0.0; wide],
            gap: 0.0,
            value: 0.0,
        };
        for row in 0..self.secrets.len() {
            frame.eliminate(self, row, bounds);
            match corrector {
                None => {
                    frame.predict();
                    frame.add_matrix(bounds, &mut normal);
                    frame.add_sums(bounds, &mut normal);
                }
                Some(corrector) => {
                    frame.predict();
                    frame.follow(bounds, &corrector.predicted);
                    frame.correct(corrector.target);
                }
            }
            frame.add_right(bounds, &mut normal.right);
        }
        normal
    }

    /// How far the direction can be followed.
    pub(super) fn reach(&self, bounds: &Bounds, corrector: Option<&Corrector>, change: &Change) -> Reach {
        let mut frame = Frame::new(self.size, self.groups.len());
        // One an output, so that the processor need not wait for one sum.
        let mut reach = vec![Reach::default(); self.size];
        for row in 0..self.secrets.len() {
            frame.direct(self, row, bounds, corrector, change);
            frame.reach(&mut reach);
        }
        reach.into_iter().fold(Reach::default(), Reach::join)
    }

    /// Follows the direction by a primal and a dual step.
    pub(super) fn advance(&mut self, bounds: &Bounds, corrector: &Corrector, change: &Change, steps: [f64; 2]) {
        let [primal, dual] = steps;
        let (size, wide) = (self.size, self.groups.len() * self.size);
        let mut frame = Frame::new(size, self.groups.len());
        for row in 0..self.secrets.len() {
            frame.direct(self, row, bounds, Some(corrector), change);
            let add = |values: &mut [f64], step: f64, change: &[f64]| {
                values.iter_mut().zip(change).for_each(|(value, change)| *value += step * change);
            };
            add(&mut self.q[row * size..(row + 1) * size], primal, &frame.dq);
            add(&mut self.a[row * size..(row + 1) * size], primal, &frame.da);
            add(&mut self.upper[row * wide..(row + 1) * wide], dual, &frame.d_upper);
            add(&mut self.lower[row * wide..(row + 1) * wide], dual, &frame.d_lower);
            self.nu[row] += dual * frame.d_nu;
        }
    }
}

/// Where the method starts: the same for every profile and output.
pub(super) struct Start {
    /// λ of each group.
    pub(super) upper: Vec<f64>,
    /// κ of each group.
    pub(super) lower: Vec<f64>,
    /// Slack times multiplier.
    pub(super) target: f64,
}
