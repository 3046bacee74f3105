//! Random problems of every kind that is easy to get wrong.

use super::instance::{Budget, Goal, Instance, Kind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::ops::RangeInclusive;

/// Tiny, usual, exactly rational and huge.
pub const BUDGETS: [Budget; 9] = [
    Budget("0.001", 0.001),
    Budget("0.01", 0.01),
    Budget("0.1", 0.1),
    Budget("0.2", 0.2),
    Budget("0.5", 0.5),
    Budget("1", 1.0),
    Budget("ln(3)", 1.098_612_288_668_109_8),
    Budget("2", 2.0),
    Budget("8", 8.0),
];

/// One case in `share` of the usual number, the same ones in every run.
pub fn one_in(share: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    let cases = usual.cases.div_ceil(share);
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(20_190_321), failure_persistence: None, ..usual }
}

/// Aware or shared problems over profiles, or point problems over values.
pub fn instances(kind: Kind, goals: BoxedStrategy<Goals>) -> impl Strategy<Value = Instance> {
    sized(kind, 2..=5, goals)
}

/// The same with two or three categories, so that limits have few corners.
pub fn small_instances(kind: Kind, goals: BoxedStrategy<Goals>) -> impl Strategy<Value = Instance> {
    sized(kind, 2..=3, goals)
}

/// Aware problems over Bernoulli profiles with the paper's objective.
pub fn one_bit() -> impl Strategy<Value = Instance> {
    sized(Kind::Aware, 2..=2, Just(Goals::MaxFlip).boxed())
}

/// Aware problems in which one group, or two that overlap, hold more profiles than categories.
pub fn large_groups(goals: BoxedStrategy<Goals>) -> impl Strategy<Value = Instance> {
    (2usize..=3, 8usize..=12, goals).prop_flat_map(|(d, k, goals)| {
        let members = prop::sample::subsequence((0..k).collect::<Vec<_>>(), k - 2..=k);
        let groups = prop::collection::vec((members, budget()), 1..=2).prop_map(|groups| (Vec::new(), groups));
        assembled(Kind::Aware, d, k, goals, groups.boxed())
    })
}

/// An objective before the number of categories is known.
#[derive(Debug, Clone, Copy)]
pub enum Goals {
    MaxFlip,
    ExpectedError,
    OrdinalError,
    Loss,
}

/// Any of the objectives.
pub fn any_goal() -> BoxedStrategy<Goals> {
    prop_oneof![Just(Goals::MaxFlip), Just(Goals::ExpectedError), Just(Goals::OrdinalError), Just(Goals::Loss)].boxed()
}

fn sized(
    kind: Kind,
    categories: RangeInclusive<usize>,
    goals: BoxedStrategy<Goals>,
) -> impl Strategy<Value = Instance> {
    (categories, 2usize..=7, goals).prop_flat_map(move |(d, k, goals)| {
        let k = if kind == Kind::Point { d } else { k };
        assembled(kind, d, k, goals, graph(k).boxed())
    })
}

fn assembled(
    kind: Kind,
    d: usize,
    k: usize,
    goals: Goals,
    graph: BoxedStrategy<(Edges, Groups)>,
) -> impl Strategy<Value = Instance> {
    let goal = match goals {
        Goals::MaxFlip => Just(Goal::MaxFlip).boxed(),
        Goals::ExpectedError => Just(Goal::ExpectedError).boxed(),
        Goals::OrdinalError => Just(Goal::OrdinalError).boxed(),
        Goals::Loss => loss(d).prop_map(Goal::Loss).boxed(),
    };
    let prior = prop_oneof![Just(vec![1; k]), prop::collection::vec(0u64..=5, k).prop_map(not_all_zero)];
    (profiles(k, d), graph, goal, prior).prop_map(move |(profiles, (edges, groups), goal, prior)| Instance {
        kind,
        categories: d,
        profiles,
        edges,
        groups,
        goal,
        prior,
    })
}

/// Costs in quarters. The diagonal is mostly free, but nothing says that it must be.
fn loss(d: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let entries = prop::collection::vec(prop::collection::vec(0u32..=8, d), d);
    (entries, prop::bool::weighted(0.8)).prop_map(|(mut entries, free_diagonal)| {
        if free_diagonal {
            entries.iter_mut().enumerate().for_each(|(x, row)| row[x] = 0);
        }
        entries
    })
}

/// Profiles with all weights alike in size, with zeros, point masses, skewed ones; some repeat an earlier one; now and
/// then a category that nobody has.
fn profiles(k: usize, d: usize) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let weights = prop_oneof![
        3 => prop::collection::vec(1u64..=20, d),
        2 => prop::collection::vec(0u64..=3, d),
        1 => (0..d).prop_map(move |at| (0..d).map(|x| u64::from(x == at)).collect()),
        1 => prop::collection::vec((0u32..=4).prop_map(|power| 10u64.pow(power)), d),
    ];
    let repeats = prop::collection::vec(prop::option::weighted(0.15, any::<prop::sample::Index>()), k);
    let unused = prop::option::weighted(0.15, 0..d);
    (prop::collection::vec(weights, k), repeats, unused).prop_map(move |(mut profiles, repeats, unused)| {
        if let Some(x) = unused {
            profiles.iter_mut().for_each(|profile| profile[x] = 0);
        }
        let free = usize::from(unused == Some(0));
        for profile in &mut profiles {
            if profile.iter().all(|&weight| weight == 0) {
                profile[free] = 1;
            }
        }
        for at in 1..k {
            if let Some(earlier) = &repeats[at] {
                profiles[at] = profiles[earlier.index(at)].clone();
            }
        }
        profiles
    })
}

fn not_all_zero(mut weights: Vec<u64>) -> Vec<u64> {
    if weights.iter().all(|&weight| weight == 0) {
        weights[0] = 1;
    }
    weights
}

type Edges = Vec<(usize, usize, Budget)>;
type Groups = Vec<(Vec<usize>, Budget)>;

/// A graph over k secrets in which something must look alike.
fn graph(k: usize) -> impl Strategy<Value = (Edges, Groups)> {
    let shapes = prop_oneof![
        sparse(k, 1).prop_map(|edges| (edges, Vec::new())).boxed(),
        chain(k).prop_map(|edges| (edges, Vec::new())).boxed(),
        star(k).prop_map(|edges| (edges, Vec::new())).boxed(),
        disconnected(k).prop_map(|edges| (edges, Vec::new())).boxed(),
        group(k, k).prop_map(|group| (Vec::new(), vec![group])).boxed(),
        prop::collection::vec(group(k, 2), 2..=3).prop_map(|groups| (Vec::new(), groups)).boxed(),
        (sparse(k, 0), prop::collection::vec(group(k, 2), 1..=2)).boxed(),
    ];
    // Half of the graphs have one budget for all.
    (shapes, prop::option::of(budget())).prop_map(|((mut edges, mut groups), one)| {
        if let Some(one) = one {
            edges.iter_mut().for_each(|edge| edge.2 = one);
            groups.iter_mut().for_each(|group| group.1 = one);
        }
        (edges, groups)
    })
}

fn budget() -> impl Strategy<Value = Budget> {
    prop::sample::select(BUDGETS.to_vec())
}

fn sparse(k: usize, least: usize) -> impl Strategy<Value = Edges> {
    let edge = (0..k, 1..k, budget()).prop_map(move |(a, step, budget)| (a, (a + step) % k, budget));
    prop::collection::vec(edge, least..=k + 1)
}

fn chain(k: usize) -> impl Strategy<Value = Edges> {
    let join =
        |budgets: Vec<Budget>| budgets.into_iter().enumerate().map(|(at, budget)| (at, at + 1, budget)).collect();
    prop::collection::vec(budget(), k - 1).prop_map(join)
}

fn star(k: usize) -> impl Strategy<Value = Edges> {
    let join = move |(hub, budgets): (usize, Vec<Budget>)| {
        budgets.into_iter().enumerate().map(|(at, budget)| (hub, (hub + at + 1) % k, budget)).collect()
    };
    (0..k, prop::collection::vec(budget(), k - 1)).prop_map(join)
}

/// Pairs and triples, with the last secret alone when it is left over.
fn disconnected(k: usize) -> impl Strategy<Value = Edges> {
    (2usize..=3, prop::collection::vec(budget(), k - 1)).prop_map(move |(size, budgets)| {
        let inside = |&(at, _): &(usize, Budget)| (at + 1) % size != 0;
        budgets.into_iter().enumerate().filter(inside).map(|(at, budget)| (at, at + 1, budget)).collect()
    })
}

fn group(k: usize, least: usize) -> impl Strategy<Value = (Vec<usize>, Budget)> {
    (prop::sample::subsequence((0..k).collect::<Vec<_>>(), least..=k), budget())
}
