//! Every small problem with simple numbers gets its design: simple numbers make ties, and ties make solvers stumble.

use lookalike::design::{Objective, Options, Problem, design};
use lookalike::exact::parse_rational;
use lookalike::model::{Categories, Distribution, Epsilon, Names, SecretGraph};
use proptest::prelude::*;

fn graph(count: usize, shape: usize, epsilon: &Epsilon) -> SecretGraph {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap());
    match shape {
        0 => builder.chain(epsilon),
        1 => builder.complete(epsilon),
        _ => (1..count as u32).for_each(|at| builder.edge(at / 2, at, epsilon.clone()).unwrap()),
    }
    builder.build().unwrap()
}

fn problem(laws: Vec<Distribution>, shape: usize, epsilon: &Epsilon) -> Problem {
    let categories = Categories::new((0..laws[0].len()).map(|x| format!("c{x}"))).unwrap();
    Problem::profiles(categories, graph(laws.len(), shape, epsilon), laws).unwrap()
}

/// At 3/5 and 4/5 long steps go round in circles.
#[test]
fn a_chain_of_six_is_designed_at_every_epsilon() {
    let law = |p: &str| {
        let p = parse_rational(p).unwrap();
        Distribution::new(&[parse_rational("1").unwrap() - &p, p]).unwrap()
    };
    let laws: Vec<Distribution> = ["0.1", "0.2", "0.35", "0.5", "0.7", "0.9"].map(law).into();
    for step in 1..=60 {
        let epsilon = format!("{step}/20").parse().unwrap();
        let found = design(&problem(laws.clone(), 0, &epsilon), &Options::default());
        let found = found.unwrap_or_else(|error| panic!("{epsilon}: {error}"));
        assert!(found.objective.gap() < 1e-9, "{epsilon}: {}", found.objective.gap());
    }
}

proptest! {
    #[test]
    fn simple_numbers_are_designed(
        (counts, shape) in (2usize..9, 2usize..6).prop_flat_map(|(profiles, size)| {
            (prop::collection::vec(prop::collection::vec(0u64..12, size), profiles), 0usize..3)
        }),
        tenths in 1u32..20,
        objective in 0usize..4,
        shared in prop::bool::weighted(0.2),
    ) {
        let law = |mut counts: Vec<u64>| {
            counts[0] += u64::from(counts.iter().sum::<u64>() == 0);
            Distribution::from_weights(counts.into_iter().map(Into::into).collect()).unwrap()
        };
        let mut problem = problem(counts.into_iter().map(law).collect(), shape, &format!("{tenths}/10").parse().unwrap());
        match objective {
            0 => problem = problem.with_objective(Objective::ExpectedError).unwrap(),
            1 => problem = problem.with_objective(Objective::OrdinalError).unwrap(),
            _ => {}
        }
        if shared {
            problem = problem.shared().unwrap();
        }
        let found = design(&problem, &Options::default());
        prop_assert!(found.is_ok(), "{}", found.unwrap_err());
        prop_assert!(found.unwrap().objective.gap() < 1e-8);
    }
}
