//! The plan that moves mass least far along ordered categories, and the channel rows of any plan.

/// The monotone plan from p to q, row after row: optimal for every cost that is a convex function of y − x, such as
/// |y − x| (north-west corner rule).
///
/// Rows sum to p exactly as its floats do; what the rounding of q leaves over goes to the last output. O(d²) numbers,
/// O(d) steps.
pub(super) fn monotone_coupling(p: &[f64], q: &[f64]) -> Vec<f64> {
    let d = p.len();
    let mut plan = vec![0.0; d * d];
    let (mut x, mut y) = (0, 0);
    let (mut left, mut room) = (p[0], q[0].max(0.0));
    while x < d {
        if left <= room || y + 1 == d {
            plan[x * d + y] += left;
            room -= left;
            x += 1;
            left = p.get(x).copied().unwrap_or(0.0);
        } else {
            plan[x * d + y] += room;
            left -= room;
            y += 1;
            room = q[y].max(0.0);
        }
    }
    plan
}

/// The rows of the channel that a plan from p to q stands for: `A_x = π_x / p_x`.
///
/// An input without probability gets the row q: should it occur after all, the release still has the promised law. An
/// input too rare for the plan's precision keeps its value.
pub(super) fn rows_of_plan(p: &[f64], q: &[f64], plan: &[f64]) -> Vec<Vec<f64>> {
    let shares = |masses: &[f64]| -> Option<Vec<f64>> {
        let total: f64 = masses.iter().map(|mass| mass.max(0.0)).sum();
        (total > 0.0).then(|| masses.iter().map(|mass| mass.max(0.0) / total).collect())
    };
    let identity = |x: usize| (0..p.len()).map(|y| f64::from(u8::from(x == y))).collect();
    let row = |(x, masses): (usize, &[f64])| {
        let masses = if p[x] > 0.0 { masses } else { q };
        shares(masses).unwrap_or_else(|| identity(x))
    };
    plan.chunks(p.len()).enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::flow_tests::{laws, least_cost};
    use super::super::transport::capped_plan;
    use super::*;
    use proptest::prelude::*;

    fn distance(x: usize, y: usize) -> f64 {
        x.abs_diff(y) as f64
    }

    proptest! {
        #[test]
        fn the_monotone_plan_is_optimal_for_distances((p, q) in laws(2..7)) {
            let (d, plan) = (p.len(), monotone_coupling(&p, &q));
            let cost: f64 = (0..d * d).map(|at| distance(at / d, at % d) * plan[at]).sum();
            prop_assert!((cost - least_cost(&p, &q, 1.0, distance).unwrap()).abs() < 1e-6);
            let (mut by_distribution_functions, mut difference) = (0.0, 0.0f64);
            for at in 0..d {
                difference += p[at] - q[at];
                by_distribution_functions += difference.abs();
            }
            prop_assert!((cost - by_distribution_functions).abs() < 1e-13);
        }

        #[test]
        fn rows_lead_to_the_law_and_unlikely_inputs_get_it((p, q) in laws(2..20)) {
            let d = p.len();
            let capped = capped_plan(&p, &q, 1.0).unwrap();
            for plan in [monotone_coupling(&p, &q), capped.plan] {
                let rows = rows_of_plan(&p, &q, &plan);
                for y in 0..d {
                    let output: f64 = (0..d).map(|x| p[x] * rows[x][y]).sum();
                    prop_assert!((output - q[y]).abs() < 1e-14);
                }
                for (x, row) in rows.iter().enumerate() {
                    prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14 && row.iter().all(|&share| share >= 0.0));
                    prop_assert!(p[x] > 0.0 || row.iter().zip(&q).all(|(row, q)| (row - q).abs() < 1e-15));
                }
            }
        }
    }
}
