//! The bound against the full program (6), closed forms and the published values.

use super::category_bound::{CategoryBound, category_bound};
use super::instance::Instance;
use super::{Flips, Problem, smooth_one_bit};
use crate::exact::{Direction, Natural, Rational, parse_rational, to_f64};
use crate::model::{Categories, Distribution, GraphBuilder, Names, SecretGraph};
use microlp::{ComparisonOp, OptimizationDirection, Variable};
use num_traits::Zero;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Edges with tenths of ε, and members of a group.
pub(super) type RandomGraph = (Vec<(u32, u32, u32)>, Vec<u32>);

pub(super) fn random_graph(secrets: u32) -> impl Strategy<Value = RandomGraph> {
    let edges = prop::collection::vec((0..secrets, 0..secrets, 1u32..20), 0..6);
    (edges, prop::collection::btree_set(0..secrets, 0..4).prop_map(|group| group.into_iter().collect()))
}

fn problem(laws: &[Vec<u64>], fill: impl FnOnce(&mut GraphBuilder)) -> Problem {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..laws.len()).map(|at| format!("p{at}"))).unwrap());
    fill(&mut builder);
    let law = |weights: &Vec<u64>| Distribution::from_weights(weights.iter().map(|&w| Natural::from(w)).collect());
    let laws = laws.iter().map(|weights| law(weights).unwrap()).collect::<Vec<_>>();
    let categories = Categories::new((0..laws[0].len()).map(|at| format!("c{at}"))).unwrap();
    Problem::profiles(categories, builder.build().unwrap(), laws).unwrap()
}

/// A connected problem: a chain of large budgets, other edges and one group.
fn random_problem(laws: &[Vec<u64>], (edges, group): &RandomGraph) -> Problem {
    problem(laws, |builder| {
        let epsilon = |tenths: u32| format!("{tenths}/10").parse().unwrap();
        for &(a, b, tenths) in edges.iter().filter(|(a, b, _)| a != b) {
            builder.edge(a, b, epsilon(tenths)).unwrap();
        }
        if group.len() > 1 {
            builder.group("g", group.clone(), epsilon(5)).unwrap();
        }
        builder.chain(&epsilon(15));
    })
}

pub(super) fn instance(laws: &[Vec<u64>], graph: &RandomGraph) -> (Instance, Problem) {
    let problem = random_problem(laws, graph);
    let mut components = Instance::components(&problem);
    assert_eq!(components.len(), 1);
    (components.remove(0), problem)
}

fn bound(problem: &Problem) -> CategoryBound {
    let instance = Instance::components(problem).remove(0);
    let laws: Vec<&Distribution> = instance.secrets.iter().map(|&s| &problem.profile_laws()[s as usize]).collect();
    category_bound(&instance, &laws)
}

/// The optimum of problem (6) by linear programming, over inputs with positive probability.
fn optimum(instance: &Instance) -> f64 {
    let (k, d) = (instance.count(), instance.size);
    let mut program = microlp::Problem::new(OptimizationDirection::Minimize);
    let t = program.add_var(1.0, (0.0, 1.0));
    let mut outputs: Vec<Vec<Variable>> = Vec::new();
    for i in 0..k {
        let law = instance.law(i);
        let q: Vec<Variable> = (0..d).map(|_| program.add_var(0.0, (0.0, 1.0))).collect();
        let plan: Vec<Vec<Variable>> =
            (0..d).map(|x| (0..d).map(|_| program.add_var(0.0, (0.0, law[x]))).collect()).collect();
        for x in 0..d {
            let row: Vec<_> = plan[x].iter().map(|&entry| (entry, 1.0)).collect();
            program.add_constraint(&row[..], ComparisonOp::Eq, law[x]);
            let column: Vec<_> = (0..d).map(|from| (plan[from][x], 1.0)).chain([(q[x], -1.0)]).collect();
            program.add_constraint(&column[..], ComparisonOp::Eq, 0.0);
            for y in (0..d).filter(|&y| y != x) {
                program.add_constraint(&[(plan[x][y], 1.0), (t, -law[x])][..], ComparisonOp::Le, 0.0);
            }
        }
        outputs.push(q);
    }
    for alike in &instance.alike {
        for &a in &alike.members {
            for &b in alike.members.iter().filter(|&&b| b != a) {
                for (&of_a, &of_b) in outputs[a as usize].iter().zip(&outputs[b as usize]) {
                    let edge = [(of_a, 1.0), (of_b, -alike.exp)];
                    program.add_constraint(&edge[..], ComparisonOp::Le, 0.0);
                }
            }
        }
    }
    program.solve().unwrap().into_solution().unwrap().objective()
}

fn check(bound: &CategoryBound) {
    let proven = to_f64(&bound.proven, Direction::Nearest);
    assert!((proven - bound.t).abs() < 1e-13, "{proven} {}", bound.t);
    assert_eq!(bound.binding.is_empty(), bound.proven.is_zero());
    assert!(bound.lower.iter().zip(&bound.upper).all(|(lower, upper)| *lower <= upper + 1e-13));
}

const TABLE_1: [[u64; 4]; 3] = [[2, 3, 4, 1], [3, 3, 3, 1], [4, 4, 1, 1]];

#[test]
fn the_published_chain_has_its_bound_for_optimum() {
    let laws = TABLE_1.map(|law| law.to_vec());
    for (budget, optimum) in
        [("0.1", 0.120847326618), ("0.2", 0.098644444541), ("0.5", 0.056684741688), ("1", 0.008418409498)]
    {
        let bound = bound(&problem(&laws, |builder| builder.chain(&budget.parse().unwrap())));
        check(&bound);
        assert!((bound.t - optimum).abs() < 1e-11, "the third category of the third profile: {}", bound.t);
        assert_eq!((bound.binding[0], bound.output), (2, Some(2)));
    }
    let free = bound(&problem(&laws, |builder| builder.chain(&"ln(3)".parse().unwrap())));
    assert!(free.t < 1e-15 && free.proven <= parse_rational("1e-30").unwrap());
}

#[test]
fn point_masses_ask_for_randomized_response() {
    for d in [2u64, 3, 7] {
        let laws: Vec<Vec<u64>> = (0..d).map(|x| (0..d).map(|y| u64::from(x == y)).collect()).collect();
        let bound = bound(&problem(&laws, |builder| builder.complete(&"ln(3)".parse().unwrap())));
        check(&bound);
        let expected = Rational::new(1.into(), (3 + d - 1).into());
        assert!(bound.proven <= expected && (bound.t - 1.0 / (2.0 + d as f64)).abs() < 1e-15);
    }
}

#[test]
fn chains_of_bits_have_their_bound_for_optimum() {
    for (count, budget) in [(6u64, "0.2"), (6, "0.5"), (6, "1"), (21, "0.2"), (21, "0.5"), (21, "1")] {
        let laws: Vec<Vec<u64>> = (0..count).map(|at| vec![count - 1 - at, at]).collect();
        let problem = problem(&laws, |builder| builder.chain(&budget.parse().unwrap()));
        let bound = bound(&problem);
        check(&bound);
        let optimum = smooth_one_bit(&problem, Flips::Asymmetric).unwrap().objective.value;
        assert!((bound.t - optimum).abs() < 1e-13, "{count} {budget}: {} {optimum}", bound.t);
        assert!(to_f64(&bound.proven, Direction::Down) <= optimum, "proven for a mechanism that exists");
    }
}

#[test]
fn equal_profiles_need_no_noise_and_bind_nothing() {
    let laws = vec![vec![1, 2, 0, 4]; 3];
    let bound = bound(&problem(&laws, |builder| builder.complete(&"0.001".parse().unwrap())));
    check(&bound);
    assert!(bound.t == 0.0 && bound.output.is_none());
    assert!(bound.upper.iter().zip(&bound.lower).all(|(upper, lower)| (upper - lower).abs() < 1e-15));
}

fn random_laws(d: usize) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let law = prop::collection::vec(0u64..6, d).prop_filter("some mass", |law| law.iter().sum::<u64>() > 0);
    prop::collection::vec(law, 4)
}

#[test]
fn the_bound_is_often_the_optimum_and_never_far_below() {
    let mut runner = TestRunner::deterministic();
    let (mut equal, mut noisy, strategy) = (0, 0, (random_laws(5), random_graph(4)));
    for _ in 0..100 {
        let (laws, graph) = strategy.new_tree(&mut runner).unwrap().current();
        let (instance, problem) = instance(&laws, &graph);
        let (bound, optimum) = (bound(&problem), optimum(&instance));
        assert!((0.8 * optimum - 1e-7..optimum + 1e-7).contains(&bound.t), "{} {optimum}", bound.t);
        noisy += i32::from(optimum > 1e-3);
        equal += i32::from(optimum > 1e-3 && bound.t > optimum - 1e-7);
    }
    assert!(noisy > 50 && 2 * equal > noisy, "{equal} of {noisy}");
}

proptest! {
    #[test]
    fn the_bound_is_below_the_optimum(laws in random_laws(3), graph in random_graph(4)) {
        let (instance, problem) = instance(&laws, &graph);
        let (bound, optimum) = (bound(&problem), optimum(&instance));
        check(&bound);
        prop_assert!(bound.t <= optimum + 1e-7, "{} {optimum}", bound.t);
    }

    #[test]
    fn two_one_bit_profiles_have_their_bound_for_optimum(a in 0u64..=20, b in 0u64..=20, tenths in 1u32..20) {
        let laws = [vec![20 - a, a], vec![20 - b, b]];
        let problem = problem(&laws, |builder| builder.chain(&format!("{tenths}/10").parse().unwrap()));
        let bound = bound(&problem);
        check(&bound);
        let optimum = smooth_one_bit(&problem, Flips::Asymmetric).unwrap().objective.value;
        prop_assert!((bound.t - optimum).abs() < 1e-12, "{} {optimum}", bound.t);
    }
}
