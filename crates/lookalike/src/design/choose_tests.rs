//! Tests of the choice: what is asked for is done, or refused with what applies.

use super::*;
use crate::design::Watch;
use crate::exact::Rational;
use crate::model::{Categories, Distribution, Names, SecretGraph};

/// Profiles over `size` categories along a chain, and one apart from it.
fn problem(size: usize) -> Problem {
    let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b", "c", "d"]).unwrap());
    for edge in [0, 1] {
        builder.edge(edge, edge + 1, "1/2".parse().unwrap()).unwrap();
    }
    let law = |at: i64| {
        let weights: Vec<Rational> = (0..size as i64).map(|y| Rational::from_integer((1 + at * y).into())).collect();
        Distribution::normalized(&weights).unwrap()
    };
    let categories = Categories::new((0..size).map(|y| y.to_string())).unwrap();
    Problem::profiles(categories, builder.build().unwrap(), (0..4).map(law).collect()).unwrap()
}

fn by(algorithm: Algorithm) -> Options<'static> {
    Options { algorithm: Some(algorithm), ..Options::default() }
}

#[test]
fn an_algorithm_chooses_the_best_mechanism_that_it_finds() {
    for (size, algorithm, name) in [
        (2, Algorithm::ClosedForm, MechanismName::OneBitCluster),
        (2, Algorithm::Lattice, MechanismName::SmoothCategorical),
        (3, Algorithm::LinearProgram, MechanismName::SmoothCategorical),
        (3, Algorithm::ClosedForm, MechanismName::Cluster),
    ] {
        let design = design(&problem(size), &by(algorithm)).unwrap();
        assert_eq!((design.name, design.solution.algorithm), (name, algorithm));
        assert_eq!(design.solution.components, 1, "a secret without an edge needs no solving");
    }
}

#[test]
fn what_does_not_apply_is_refused_with_what_does() {
    let refused = |size, options: &Options<'_>| {
        let error = design(&problem(size), options).unwrap_err();
        assert!(error.is_inapplicable());
        error.to_string()
    };
    let lattice = by(Algorithm::Lattice);
    assert_eq!(refused(3, &lattice), "lattice does not apply to this problem, expected closed-form or linear-program");
    let named = Options { mechanism: Some(MechanismName::Cluster), ..lattice };
    assert_eq!(refused(2, &named), "lattice does not find cluster, expected closed-form");
    let named = Options { mechanism: Some(MechanismName::SmoothOneBit), ..by(Algorithm::ClosedForm) };
    assert_eq!(refused(2, &named), "closed-form does not find smooth-one-bit, expected lattice");
    let flips = Options { flips: Flips::Asymmetric, ..Options::named(MechanismName::RandomizedResponse) };
    assert_eq!(refused(2, &flips), "asymmetric flips are for smooth-one-bit, found k-rr");
}

#[test]
fn every_applicable_mechanism_can_be_designed_and_the_first_is_the_best() {
    for size in [2, 3] {
        let problem = problem(size);
        let values: Vec<f64> = MechanismName::applicable(&problem)
            .into_iter()
            .map(|name| design(&problem, &Options::named(name)).unwrap().objective.value)
            .collect();
        let best = design(&problem, &Options::default()).unwrap();
        assert_eq!(best.name, MechanismName::best(&problem));
        assert!(values.iter().all(|value| *value > best.objective.value - 1e-11));
    }
}

#[test]
fn the_default_is_the_optimum_and_for_values_randomized_response_is_it() {
    let shared = problem(2).shared().unwrap();
    let averaged = problem(2).with_objective(Objective::ExpectedError).unwrap();
    for problem in [&problem(2), &problem(3), &shared, &averaged] {
        assert_eq!(MechanismName::best(problem), MechanismName::SmoothCategorical);
    }
    let bits = Categories::new(["no", "maybe", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.chain(&"1".parse().unwrap());
    let values = Problem::values(bits, builder.build().unwrap()).unwrap();
    assert_eq!(MechanismName::best(&values), MechanismName::RandomizedResponse);
    let program = design(&values, &Options::named(MechanismName::SmoothCategorical)).unwrap().objective.value;
    assert!((program - design(&values, &Options::default()).unwrap().objective.value).abs() < 1e-10);
    let asymmetric = Options { flips: Flips::Asymmetric, ..Options::default() };
    for problem in [&problem(2), &averaged] {
        assert_eq!(design(problem, &asymmetric).unwrap().name, MechanismName::SmoothOneBit);
    }
    assert!(design(&problem(3), &asymmetric).unwrap_err().to_string().contains("needs 2 categories"));
}

#[test]
fn a_program_of_more_than_30_000_columns_is_solved_on_request_only() {
    let chain = |count: usize| {
        let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| at.to_string())).unwrap());
        builder.chain(&"1".parse().unwrap());
        let law = Distribution::normalized(&vec![Rational::from_integer(1.into()); 3]).unwrap();
        let categories = Categories::new(["a", "b", "c"]).unwrap();
        Problem::profiles(categories, builder.build().unwrap(), vec![law; count]).unwrap()
    };
    assert_eq!(MechanismName::best(&chain(10_000)), MechanismName::SmoothCategorical);
    assert_eq!(MechanismName::best(&chain(10_001)), MechanismName::Cluster);
}

#[test]
fn a_stopped_design_says_so() {
    let stop = || true;
    let options = Options { watch: Watch::default().stop_when(&stop), ..Options::default() };
    assert!(design(&problem(2), &options).unwrap_err().is_stopped());
}
