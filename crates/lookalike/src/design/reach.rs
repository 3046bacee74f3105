//! Which output laws a law reaches when every wrong output has probability at most t.
//!
//! Mass p_x leaves input x; at most t·p_x of it may go to each other output. By max-flow/min-cut the law q is reachable
//! exactly when `q(S) ≤ P(S) + min(1, t·|S|)·(1 − P(S))` for every set S of outputs: what is not of S reaches each
//! member of S with at most t of its mass. The minimum with 1 is trivial, since q(S) ≤ 1. An input without mass has no
//! say, so this is about the inputs with p_x > 0.

use std::cmp::Ordering;

/// Rounds after which floats cannot gain any more.
const MOST_ROUNDS: u32 = 100;

/// For every size m from 1 to d − 1 the set that asks most of t, if it asks for more than there is:
/// `q(S) > P(S) + t·m·(1 − P(S)) + slack`.
///
/// None is returned exactly when q is reachable within t, up to `slack`. Members ascend. O(d²) steps.
pub(super) fn violated_sets(p: &[f64], q: &[f64], t: f64, slack: f64) -> Vec<Vec<u32>> {
    let mut violated = Vec::new();
    tightest_sets(p, q, t, |set, _| {
        let (inside_q, inside_p) = (sum(q, set), sum(p, set));
        if inside_q > inside_p + t * set.len() as f64 * (1.0 - inside_p) + slack {
            let mut set = set.to_vec();
            set.sort_unstable();
            violated.push(set);
        }
    });
    violated
}

/// The least t for which q is reachable from p.
///
/// From t = 0: the tightest set of each size asks for `t ≥ (q(S) − P(S)) / (|S|·(1 − P(S)))`; raise t to the largest
/// of these and repeat (Dinkelbach's method). Each round changes the sets, so this ends; O(d²) steps a round.
pub(super) fn least_flip(p: &[f64], q: &[f64]) -> f64 {
    let mut t = 0.0;
    for _ in 0..MOST_ROUNDS {
        let mut needed = t;
        tightest_sets(p, q, t, |set, rest| {
            let outside = sum(p, rest);
            if outside > 0.0 {
                // q(S) − P(S) seen from outside: there it is small when the divisor is, so that rounding stays small.
                needed = f64::max(needed, (outside - sum(q, rest)) / (set.len() as f64 * outside));
            }
        });
        if needed <= t * (1.0 + 4.0 * f64::EPSILON) {
            return needed;
        }
        t = needed;
    }
    t
}

/// Visits for every m from 1 to d − 1 the set of m outputs with the largest `q(S) − P(S) − t·m·(1 − P(S))`, and the
/// outputs that are not in it: the top m of `q − (1 − t·m)·p`.
fn tightest_sets(p: &[f64], q: &[f64], t: f64, mut visit: impl FnMut(&[u32], &[u32])) {
    let mut order: Vec<u32> = (0..p.len() as u32).collect();
    let mut gain = vec![0.0; p.len()];
    for m in 1..p.len() {
        let kept = 1.0 - t * m as f64;
        if kept <= 0.0 {
            return;
        }
        gain.iter_mut().zip(p.iter().zip(q)).for_each(|(gain, (p, q))| *gain = q - kept * p);
        let first = |a: &u32, b: &u32| -> Ordering { gain[*b as usize].total_cmp(&gain[*a as usize]).then(a.cmp(b)) };
        order.select_nth_unstable_by(m - 1, first);
        let (set, rest) = order.split_at(m);
        visit(set, rest);
    }
}

fn sum(values: &[f64], places: &[u32]) -> f64 {
    places.iter().map(|&place| values[place as usize]).sum()
}

#[cfg(test)]
mod tests {
    use super::super::flow_tests::{laws, plan_exists};
    use super::*;
    use proptest::prelude::*;

    /// By the criterion, over all sets.
    fn least_flip_by_sets(p: &[f64], q: &[f64]) -> f64 {
        let (d, mut least) = (p.len(), 0.0);
        for bits in 1..(1u32 << d) - 1 {
            let (set, rest): (Vec<u32>, Vec<u32>) = (0..d as u32).partition(|y| bits >> y & 1 == 1);
            if sum(p, &rest) > 0.0 {
                least = f64::max(least, (sum(p, &rest) - sum(q, &rest)) / (set.len() as f64 * sum(p, &rest)));
            }
        }
        least
    }

    #[test]
    fn a_point_mass_reaches_every_law_whose_other_outputs_are_small() {
        assert!((least_flip(&[1.0, 0.0, 0.0], &[0.2, 0.5, 0.3]) - 0.5).abs() < 1e-15);
        assert_eq!(least_flip(&[0.3, 0.7], &[0.3, 0.7]), 0.0);
        assert_eq!(violated_sets(&[1.0, 0.0, 0.0], &[0.2, 0.5, 0.3], 0.45, 1e-9), [[1]]);
        // More mass than one output may take, though t(d − 1) > 1.
        assert_eq!(least_flip(&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]), 1.0);
    }

    #[test]
    fn a_category_of_no_account_asks_for_no_flips() {
        let (p, q) = ([0.5, 0.5 - 1e-17, 1e-17], [0.5, 0.5, 0.0]);
        assert!(least_flip(&p, &q) <= 0.5);
    }

    proptest! {
        #[test]
        fn the_least_flip_is_what_all_sets_ask_for((p, q) in laws(2..8)) {
            let (found, expected) = (least_flip(&p, &q), least_flip_by_sets(&p, &q));
            prop_assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            prop_assert!(violated_sets(&p, &q, found + 1e-12, 1e-12).is_empty());
            prop_assert!(found < 1e-6 || !violated_sets(&p, &q, found * 0.999, 0.0).is_empty());
        }

        // The flow itself, by linear programming, whose tolerance is 1e-7: a plan exists at the least flip, and none
        // where a set is clearly violated.
        #[test]
        fn the_least_flip_is_that_of_a_flow((p, q) in laws(2..6), share in 0.0f64..1.0) {
            let least = least_flip(&p, &q);
            prop_assert!(plan_exists(&p, &q, least + 1e-7));
            let violated = !violated_sets(&p, &q, share * least, 1e-5).is_empty();
            prop_assert!(!violated || !plan_exists(&p, &q, share * least));
        }

        #[test]
        fn every_violated_size_is_reported_with_its_worst_set((p, q) in laws(3..7), t in 0.0f64..0.5) {
            let found = violated_sets(&p, &q, t, 1e-9);
            let excess = |set: &[u32]| sum(&q, set) - sum(&p, set) - t * set.len() as f64 * (1.0 - sum(&p, set));
            for m in 1..p.len() {
                let sets = (1..1u32 << p.len()).filter(|bits| bits.count_ones() as usize == m);
                let members = |bits: u32| (0..p.len() as u32).filter(move |y| bits >> y & 1 == 1).collect::<Vec<_>>();
                let worst = sets.map(|bits| excess(&members(bits))).fold(f64::MIN, f64::max);
                match found.iter().find(|set| set.len() == m) {
                    Some(set) => prop_assert!((excess(set) - worst).abs() < 1e-12),
                    None => prop_assert!(worst < 1e-9 + 1e-12),
                }
            }
        }
    }
}
