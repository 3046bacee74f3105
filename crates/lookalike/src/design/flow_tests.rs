//! What the tests of reachable laws and of transport plans share: random laws, and the plans' linear program.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use proptest::prelude::*;
use std::ops::Range;

/// Two laws over the same domain, often with zeros, equal entries and ties.
pub(super) fn laws(sizes: Range<usize>) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let weight = || prop_oneof![Just(0.0), (1u32..5).prop_map(f64::from), 0.0f64..4.0];
    sizes.prop_flat_map(move |d| {
        let law = move || {
            prop::collection::vec(weight(), d).prop_filter_map("some mass", |weights| {
                let total: f64 = weights.iter().sum();
                (total > 1e-3).then(|| weights.iter().map(|weight| weight / total).collect::<Vec<f64>>())
            })
        };
        (law(), law())
    })
}

/// The least cost of a plan from p to q with every off-diagonal entry within t, by linear programming.
pub(super) fn least_cost(p: &[f64], q: &[f64], t: f64, cost: impl Fn(usize, usize) -> f64) -> Option<f64> {
    let d = p.len();
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let most = |x: usize, y: usize| if x == y { p[x] } else { p[x] * t };
    let plan: Vec<Vec<Variable>> =
        (0..d).map(|x| (0..d).map(|y| problem.add_var(cost(x, y), (0.0, most(x, y)))).collect()).collect();
    for at in 0..d {
        let row: Vec<_> = (0..d).map(|y| (plan[at][y], 1.0)).collect();
        problem.add_constraint(&row[..], ComparisonOp::Eq, p[at]);
        // The last column follows from the others, and may differ in the last bits.
        if at + 1 < d {
            let column: Vec<_> = (0..d).map(|x| (plan[x][at], 1.0)).collect();
            problem.add_constraint(&column[..], ComparisonOp::Eq, q[at]);
        }
    }
    problem.solve().ok().and_then(|solved| solved.into_solution().ok()).map(|solution| solution.objective())
}

/// Whether any plan keeps every off-diagonal entry within t.
pub(super) fn plan_exists(p: &[f64], q: &[f64], t: f64) -> bool {
    least_cost(p, q, t, |_, _| 0.0).is_some()
}
