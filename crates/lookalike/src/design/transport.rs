//! The plan that moves the least mass from a law to a reachable one while every wrong output has probability at most t.

use super::reach::least_flip;

/// The mass 1 in whole units: plans are computed in integers, so that nothing is lost on the way and "used up" is
/// decided exactly.
const UNITS: i64 = 1 << 61;
/// A solver's law may miss what t allows by this much of t; beyond it the law itself gives way.
const MOST_RAISED: f64 = 1e-11;
/// A law that no plan comes nearer to than this was not meant to be reachable.
const MOST_MISSED: f64 = 1e-9;

/// A plan π from p to q with `π_xy ≤ t·p_x` for x ≠ y that moves the least mass, and the dual solution that proves it.
pub(super) struct CappedPlan {
    /// Row after row: how much mass goes from x to y.
    pub(super) plan: Vec<f64>,
    /// The mass off the diagonal: the probability that the output is wrong.
    pub(super) moved: f64,
    /// The t within which the plan stays.
    #[cfg_attr(not(test), allow(dead_code, reason = "the tests prove the plan by it"))]
    pub(super) flip: f64,
    /// The mass by which the plan's output law differs from q.
    #[cfg_attr(not(test), allow(dead_code, reason = "the tests prove the plan by it"))]
    pub(super) missed: f64,
    /// With `beta` the dual solution: `alpha_x + beta_x ≤ 0`, and for every law q'
    /// `cost(q') ≥ Σ_y beta_y q'_y + Σ_x alpha_x p_x − Σ_{x≠y} (alpha_x + beta_y − 1)⁺ t p_x`, with equality at q.
    #[cfg_attr(not(test), allow(dead_code, reason = "the tests prove the plan by it"))]
    pub(super) alpha: Vec<f64>,
    /// See `alpha`. Both are whole numbers.
    #[cfg_attr(not(test), allow(dead_code, reason = "the tests prove the plan by it"))]
    pub(super) beta: Vec<f64>,
}

/// The plan from p to q within t that moves the least mass.
///
/// A solver's q may be out of reach in the last bits. Then t is raised to what q needs, by at most 1e-11; if q needs
/// more, the plan leads to the nearest law in total variation that is within reach of that t, and `missed` says how
/// far it is. `None` if that is more than 1e-9. Laws are rounded to multiples of 2^−61.
///
/// Keeping all that both laws share costs nothing; the rest is routed along shortest augmenting paths. Costs are 0 on
/// the diagonal and 1 off it, so path lengths are whole numbers and few, and all paths of one length are one maximum
/// flow (Ford and Fulkerson's primal-dual method, with Dinic's blocking flows).
///
/// # Complexity
/// O(d²) a blocking flow in practice; a handful of them.
pub(super) fn capped_plan(p: &[f64], q: &[f64], t: f64) -> Option<CappedPlan> {
    Some(plan(p, q, least_flip(p, q).clamp(t, t + MOST_RAISED))).filter(|plan| plan.missed <= MOST_MISSED)
}

/// The plan from p to q that moves the least mass within t, or within the least flip with which p reaches q where that is more.
pub(super) fn plan_at_any_flip(p: &[f64], q: &[f64], t: f64) -> CappedPlan {
    plan(p, q, least_flip(p, q).max(t))
}

/// The plan from p that moves the least mass within `flip`, to q or as near to it as that leads.
fn plan(p: &[f64], q: &[f64], flip: f64) -> CappedPlan {
    let mut flow = Flow::keep_what_is_shared(in_units(p), in_units(q), flip);
    while let Some(length) = flow.shortest_paths() {
        while flow.layers(length) {
            flow.block(length);
        }
    }
    let (alpha, beta) = flow.potentials();
    let missed = flow.leave_the_rest() as f64 / UNITS as f64;
    let plan: Vec<f64> = flow.plan.iter().map(|&units| units as f64 / UNITS as f64).collect();
    let d = p.len();
    let moved = (0..d * d).filter(|at| at / d != at % d).map(|at| plan[at]).sum();
    CappedPlan { plan, moved, flip, missed, alpha, beta }
}

/// The law in whole units that sum to [`UNITS`].
fn in_units(law: &[f64]) -> Vec<i64> {
    let total: f64 = law.iter().map(|mass| mass.max(0.0)).sum();
    let mut units: Vec<i64> = law.iter().map(|mass| (mass.max(0.0) / total * UNITS as f64).round() as i64).collect();
    let rest = UNITS - units.iter().sum::<i64>();
    if let Some(largest) = units.iter_mut().max() {
        *largest += rest;
    }
    units
}

/// A flow from inputs (nodes 0 to d − 1) to outputs (nodes d to 2d − 1) that is the cheapest for what it routes.
struct Flow {
    d: usize,
    /// The most that an input may send to each other output.
    most: Vec<i64>,
    plan: Vec<i64>,
    /// For an input what it has still to send, for an output what it has still to get.
    open: Vec<i64>,
    /// The costs of the cheapest paths from the inputs with open mass.
    distance: Vec<i32>,
    /// The lengths of the shortest among the cheapest paths.
    layer: Vec<u32>,
    /// The neighbours before this one lead nowhere.
    next: Vec<usize>,
    queue: Vec<usize>,
}

const FAR: i32 = i32::MAX / 2;
const NO_LAYER: u32 = u32::MAX;

impl Flow {
    fn keep_what_is_shared(supply: Vec<i64>, demand: Vec<i64>, flip: f64) -> Self {
        let d = supply.len();
        let most = supply.iter().map(|&mass| ((mass as f64 * flip) as i64).min(mass)).collect();
        let (mut plan, mut open) = (vec![0; d * d], [supply, demand].concat());
        for x in 0..d {
            let shared = open[x].min(open[d + x]);
            plan[x * d + x] = shared;
            open[x] -= shared;
            open[d + x] -= shared;
        }
        let nodes = 2 * d;
        let (distance, layer) = (vec![FAR; nodes], vec![NO_LAYER; nodes]);
        Flow { d, most, plan, open, distance, layer, next: vec![0; nodes], queue: Vec::with_capacity(nodes) }
    }

    /// What may still go from a node to the `at`-th of the other side, and its cost a unit.
    fn residual(&self, node: usize, at: usize) -> (i64, i32) {
        let (d, wrong) = (self.d, i32::from(node % self.d != at));
        match node < d {
            true if wrong == 0 => (i64::MAX, 0),
            true => (self.most[node] - self.plan[node * d + at], 1),
            false => (self.plan[at * d + node - d], -wrong),
        }
    }

    fn opposite(&self, node: usize, at: usize) -> usize {
        if node < self.d { self.d + at } else { at }
    }

    /// The length of the cheapest paths from open inputs to open outputs; `None` when there is none.
    fn shortest_paths(&mut self) -> Option<i32> {
        for x in 0..self.d {
            self.distance[x] = if self.open[x] > 0 { 0 } else { FAR };
        }
        self.distance[self.d..].fill(FAR);
        self.settle();
        (self.d..2 * self.d).filter(|&y| self.open[y] > 0).map(|y| self.distance[y]).min().filter(|&cost| cost < FAR)
    }

    /// Lowers distances until no residual arc offers a shorter way (Bellman and Ford).
    fn settle(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..2 * self.d {
                if self.distance[node] == FAR {
                    continue;
                }
                for at in 0..self.d {
                    let ((residual, cost), to) = (self.residual(node, at), self.opposite(node, at));
                    if residual > 0 && self.distance[node] + cost < self.distance[to] {
                        self.distance[to] = self.distance[node] + cost;
                        changed = true;
                    }
                }
            }
        }
    }

    /// Whether an arc lies on a cheapest path and has room.
    fn leads_on(&self, node: usize, at: usize) -> bool {
        let (residual, cost) = self.residual(node, at);
        residual > 0 && self.distance[node] + cost == self.distance[self.opposite(node, at)]
    }

    fn ends_in(&self, node: usize, length: i32) -> bool {
        node >= self.d && self.open[node] > 0 && self.distance[node] == length
    }

    /// Layers of the nodes on cheapest paths; whether they reach an open output.
    fn layers(&mut self, length: i32) -> bool {
        self.layer.fill(NO_LAYER);
        self.next.fill(0);
        self.queue.clear();
        self.queue.extend((0..self.d).filter(|&x| self.open[x] > 0));
        self.queue.iter().for_each(|&x| self.layer[x] = 0);
        let (mut head, mut reached) = (0, false);
        while head < self.queue.len() {
            let node = self.queue[head];
            head += 1;
            reached |= self.ends_in(node, length);
            for at in 0..self.d {
                let to = self.opposite(node, at);
                if self.layer[to] == NO_LAYER && self.leads_on(node, at) {
                    self.layer[to] = self.layer[node] + 1;
                    self.queue.push(to);
                }
            }
        }
        reached
    }

    /// A flow that blocks every path through the layers.
    fn block(&mut self, length: i32) {
        for x in 0..self.d {
            if self.open[x] > 0 {
                self.open[x] -= self.push(x, self.open[x], length);
            }
        }
    }

    /// Sends up to `amount` on from a node, and says how much.
    fn push(&mut self, node: usize, amount: i64, length: i32) -> i64 {
        let mut left = amount;
        if self.ends_in(node, length) {
            let taken = left.min(self.open[node]);
            self.open[node] -= taken;
            left -= taken;
        }
        while left > 0 && self.next[node] < self.d {
            let at = self.next[node];
            let to = self.opposite(node, at);
            if self.layer[to] == self.layer[node] + 1 && self.leads_on(node, at) {
                let sent = self.push(to, left.min(self.residual(node, at).0), length);
                if node < self.d {
                    self.plan[node * self.d + at] += sent;
                } else {
                    self.plan[at * self.d + node - self.d] -= sent;
                }
                left -= sent;
                if left == 0 {
                    break;
                }
            }
            self.next[node] += 1;
        }
        amount - left
    }

    /// Potentials in which no residual arc has a negative cost, as the dual solution (alpha, beta).
    fn potentials(&mut self) -> (Vec<f64>, Vec<f64>) {
        self.distance.fill(0);
        self.settle();
        let (inputs, outputs) = self.distance.split_at(self.d);
        (inputs.iter().map(|&cost| -f64::from(cost)).collect(), outputs.iter().map(|&cost| f64::from(cost)).collect())
    }

    /// Keeps what could not be routed where it is, and says how much that was.
    fn leave_the_rest(&mut self) -> i64 {
        for x in 0..self.d {
            self.plan[x * self.d + x] += self.open[x];
        }
        self.open[..self.d].iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::flow_tests::{laws, least_cost};
    use super::*;
    use proptest::prelude::*;

    fn wrong(x: usize, y: usize) -> f64 {
        if x == y { 0.0 } else { 1.0 }
    }

    /// What the dual solution says of the cost of reaching a law within t.
    fn cut(plan: &CappedPlan, p: &[f64], q: &[f64], t: f64) -> f64 {
        let d = p.len();
        let priced = |at: usize| (plan.alpha[at / d] + plan.beta[at % d] - 1.0).max(0.0) * t * p[at / d];
        let caps: f64 = (0..d * d).filter(|at| at / d != at % d).map(priced).sum();
        (0..d).map(|at| plan.beta[at] * q[at] + plan.alpha[at] * p[at]).sum::<f64>() - caps
    }

    #[test]
    fn the_cap_can_cost_more_than_total_variation() {
        // 0.15 must leave the first category, and only 0.075 may go to each other one: half of it goes by the third.
        let (p, q, t) = ([0.3, 0.4, 0.3], [0.15, 0.55, 0.3], 0.25);
        let plan = capped_plan(&p, &q, t).unwrap();
        assert!((plan.moved - least_cost(&p, &q, t, wrong).unwrap()).abs() < 1e-12);
        assert!(plan.moved > 0.15 + 0.05, "total variation is 0.15: {}", plan.moved);
        assert!((capped_plan(&p, &q, 1.0).unwrap().moved - 0.15).abs() < 1e-15);
    }

    #[test]
    fn laws_far_out_of_reach_have_no_plan_but_at_a_larger_flip() {
        assert!(capped_plan(&[0.5, 0.5], &[0.75, 0.25], 0.49).is_none());
        assert!(capped_plan(&[0.5, 0.5], &[0.75, 0.25], 0.5).is_some());
        let needed = plan_at_any_flip(&[0.5, 0.5], &[0.75, 0.25], 0.25);
        assert!((needed.flip - 0.5).abs() < 1e-15 && needed.missed < 1e-15 && (needed.moved - 0.25).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn plans_are_within_caps_lead_to_the_law_and_cost_the_least((p, q) in laws(2..7), share in 0.0f64..1.0) {
            let least = least_flip(&p, &q);
            let t = least + share * share * (1.0 - least).max(0.0);
            let (d, plan) = (p.len(), capped_plan(&p, &q, t).unwrap());
            prop_assert!(plan.flip <= t + 1e-14 && plan.missed < 1e-15);
            for x in 0..d {
                let row = &plan.plan[x * d..(x + 1) * d];
                prop_assert!((row.iter().sum::<f64>() - p[x]).abs() < 1e-15);
                prop_assert!((0..d).all(|y| row[y] >= 0.0 && (x == y || row[y] <= t * p[x] * (1.0 + 1e-15) + 1e-18)));
                let column: f64 = (0..d).map(|input| plan.plan[input * d + x]).sum();
                prop_assert!((column - q[x]).abs() < 1e-15);
            }
            let program = least_cost(&p, &q, t + 1e-9, wrong).unwrap();
            prop_assert!((plan.moved - program).abs() < 1e-6, "{} {program}", plan.moved);
            prop_assert!((cut(&plan, &p, &q, plan.flip) - plan.moved).abs() < 1e-14);
        }

        #[test]
        fn the_dual_solution_bounds_the_cost_of_every_other_law((p, q) in laws(4..5), (r, _) in laws(4..5), t in 0.05f64..0.6) {
            let t = t.max(least_flip(&p, &q));
            let plan = capped_plan(&p, &q, t).unwrap();
            prop_assert!((0..4).all(|x| plan.alpha[x] + plan.beta[x] <= 0.0));
            let near: Vec<f64> = q.iter().zip(&r).map(|(q, r)| 0.9 * q + 0.1 * r).collect();
            for other in [r, near] {
                if let Some(plan_of_other) = capped_plan(&p, &other, t) {
                    prop_assert!(cut(&plan, &p, &other, t) <= plan_of_other.moved + 1e-9);
                }
            }
        }

        #[test]
        fn a_law_just_out_of_reach_is_met_at_a_t_just_above((p, q) in laws(2..20), error in 0.0f64..1e-12) {
            let least = least_flip(&p, &q);
            let plan = capped_plan(&p, &q, least - error).unwrap();
            prop_assert!(plan.flip <= least + 1e-15 && plan.missed < 1e-14);
        }
    }
}
