//! Tests of what lies beside the optimum: extreme budgets, rare inputs, priors without weight, and what a design says.

use super::*;
use crate::certify::certify;
use crate::design::{Options, Solver, cluster, design, randomized_response};
use crate::exact::{Direction, parse_rational, to_f64};
use crate::model::{Categories, Distribution, Limits, Mechanism, Names, Prior, SecretGraph};

fn law(texts: &[&str]) -> Distribution {
    Distribution::normalized(&texts.iter().map(|text| parse_rational(text).unwrap()).collect::<Vec<_>>()).unwrap()
}

fn problem(laws: &[&[&str]], edges: &[(u32, u32, &str)]) -> Problem {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..laws.len()).map(|at| format!("p{at}"))).unwrap());
    edges.iter().for_each(|&(a, b, epsilon)| builder.edge(a, b, epsilon.parse().unwrap()).unwrap());
    let categories = Categories::new((0..laws[0].len()).map(|at| format!("c{at}"))).unwrap();
    Problem::profiles(categories, builder.build().unwrap(), laws.iter().map(|texts| law(texts)).collect()).unwrap()
}

fn optimum(problem: &Problem) -> Design {
    let design = smooth_categorical(problem, None, Watch::default()).unwrap();
    assert!(certify(design.mechanism.clone()).is_ok());
    design
}

const THREE: [&[&str]; 3] = [&["0.7", "0.2", "0.1"], &["0.2", "0.3", "0.5"], &["0.1", "0.1", "0.8"]];

#[test]
fn an_edge_with_a_huge_budget_does_not_spoil_the_others() {
    let at = |large: &str| optimum(&problem(&THREE, &[(0, 1, "0.5"), (1, 2, large)])).objective.value;
    for large in ["709", "710", "100000"] {
        assert!((at(large) - at("40")).abs() < 1e-9, "{large}");
    }
    let apart: [&[&str]; 3] = [&["0.5", "0.5", "0"], &["0.2", "0.3", "0.5"], &["0", "0", "1"]];
    for objective in [Objective::ExpectedError, Objective::OrdinalError] {
        let huge = problem(&apart, &[(0, 1, "709"), (1, 2, "709"), (0, 2, "709")]).with_objective(objective).unwrap();
        assert!(optimum(&huge).objective.value < 1e-9);
        assert!(optimum(&huge.shared().unwrap()).objective.value < 1e-9);
    }
}

#[test]
fn a_probability_below_the_floats_is_still_a_probability() {
    let rare: [&[&str]; 3] = [&["1e-400", "6", "4"], &["2", "3", "5"], &["1", "1", "8"]];
    let problem = problem(&rare, &[(0, 1, "0.5"), (1, 2, "0.5")]);
    let (ours, local) = (optimum(&problem).objective, randomized_response(&problem).unwrap().objective.value);
    assert!(ours.value < local && ours.gap() < 1e-9, "{ours:?}");
}

#[test]
fn secrets_without_weight_are_released_as_well_as_the_others_allow() {
    let weightless = Prior::new(&["1", "0", "0"].map(|text| parse_rational(text).unwrap())).unwrap();
    let edges = [(0, 1, "0.5")];
    let averaged = problem(&THREE, &edges).with_objective(Objective::ExpectedError).unwrap();
    let design = optimum(&averaged.with_prior(weightless).unwrap());
    assert!(design.objective.value < 1e-6, "all the noise can be on the other: {}", design.objective.value);
    assert!(design.mechanism.channel(2).is_identity());
    let tiny = Prior::new(&["1", "1", "1e-320", "1e-320"].map(|text| parse_rational(text).unwrap())).unwrap();
    let four: [&[&str]; 4] = [THREE[0], THREE[1], THREE[2], THREE[0]];
    let averaged = problem(&four, &[(0, 1, "0.5"), (2, 3, "0.5")]).with_objective(Objective::ExpectedError).unwrap();
    let light = optimum(&averaged.clone().with_prior(tiny).unwrap()).mechanism.channel(2).probability(0, 0);
    let even = optimum(&averaged).mechanism.channel(2).probability(0, 0);
    assert!(to_f64(&(light - even), Direction::Nearest).abs() < 1e-6, "a component without weight is solved as any");
}

#[test]
fn losses_of_any_size_have_a_bound_that_is_reached() {
    for unit in ["1e20", "1e-25", "3"] {
        let unit = parse_rational(unit).unwrap();
        let cost = |x: i64, y: i64| Rational::from_integer((2 + (x - y).abs()).into()) * &unit;
        let matrix = (0..3).map(|x| (0..3).map(|y| cost(x, y)).collect()).collect();
        let loss = Objective::Loss(Loss::matrix(matrix, 3).unwrap());
        let aware = problem(&THREE, &[(0, 1, "0.5"), (1, 2, "1")]).with_objective(loss).unwrap();
        for problem in [aware.clone(), aware.shared().unwrap()] {
            let objective = optimum(&problem).objective;
            assert!(objective.value > 0.0 && objective.gap() < 1e-7 * objective.value, "{objective:?}");
        }
    }
}

#[test]
fn a_loss_that_is_the_expected_error_by_another_name_is_solved_like_it() {
    let four: [&[&str]; 4] = [THREE[0], THREE[1], THREE[2], THREE[2]];
    let by = |objective| problem(&four, &[(0, 1, "0.5"), (2, 3, "0.5")]).with_objective(objective).unwrap();
    let named = optimum(&by(Objective::ExpectedError)).objective.value;
    assert_eq!(optimum(&by(Objective::Loss(Loss::ZeroOne))).objective.value, named);
}

#[test]
fn what_set_the_optimum_is_an_edge_of_the_graph_or_nothing() {
    let two: [&[&str]; 4] = [THREE[0], THREE[1], &["0.3", "0.3", "0.4"], &["0.3", "0.4", "0.3"]];
    let apart = problem(&two, &[(0, 1, "0.2"), (2, 3, "0.2")]).shared().unwrap();
    let binding = optimum(&apart).solution.binding;
    assert!(binding == [0, 1] || binding == [1, 0], "{binding:?}");
    let alike: [&[&str]; 2] = [&["1"], &["1"]];
    let matrix = Loss::matrix(vec![vec![parse_rational("3").unwrap()]], 1).unwrap();
    let single = problem(&alike, &[(0, 1, "1")]).with_objective(Objective::Loss(matrix)).unwrap();
    assert!(optimum(&single).solution.binding.is_empty());
}

#[test]
fn a_bound_over_symmetric_flips_is_told_of_their_largest_flip_only() {
    let bits: [&[&str]; 3] = [&["1", "9"], &["5", "5"], &["8", "2"]];
    let chain = problem(&bits, &[(0, 1, "0.5"), (1, 2, "0.5")]);
    let family = |problem: &Problem, flips| {
        let options = Options { flips, ..Options::named(MechanismName::SmoothOneBit) };
        design(problem, &options).unwrap().solution.family_bound
    };
    assert!(family(&chain, Flips::Symmetric).is_some() && family(&chain, Flips::Asymmetric).is_none());
    let averaged = chain.with_objective(Objective::ExpectedError).unwrap();
    assert!(family(&averaged, Flips::Symmetric).is_none());
}

#[test]
fn every_algorithm_finds_the_same_optimum() {
    let bits: [&[&str]; 4] = [&["1", "9"], &["5", "5"], &["8", "2"], &["3", "7"]];
    let chain = problem(&bits, &[(0, 1, "0.5"), (1, 2, "0.3"), (2, 3, "1")]);
    let by = |problem: &Problem, algorithm| {
        let design = smooth_categorical(problem, Some(algorithm), Watch::default()).unwrap();
        assert_eq!(design.solution.algorithm, algorithm);
        design.objective.value
    };
    let (program, lattice) = (by(&chain, Algorithm::LinearProgram), by(&chain, Algorithm::Lattice));
    assert!((program - lattice).abs() < 1e-10, "{program} {lattice}");
    let averaged = problem(&THREE, &[(0, 1, "0.5"), (1, 2, "0.3")]).with_objective(Objective::ExpectedError).unwrap();
    let (program, group) = (by(&averaged, Algorithm::LinearProgram), by(&averaged, Algorithm::Group));
    assert!((program - group).abs() < 1e-9 && program <= cluster(&averaged).unwrap().objective.value);
}

/// Two components of three profiles, of which one needs far more noise, and a profile alone.
fn apart() -> Problem {
    let seven: [&[&str]; 7] =
        [THREE[0], THREE[1], THREE[2], &["5", "3", "2"], &["4", "4", "2"], &["4", "3", "3"], THREE[0]];
    problem(&seven, &[(0, 1, "0.3"), (1, 2, "0.3"), (3, 4, "0.1"), (4, 5, "0.1")])
}

/// Every objective and both channels over the same profiles.
fn kinds() -> Vec<Problem> {
    let squared = |x: i64, y: i64| Rational::from_integer(((x - y) * (x - y)).into());
    let matrix = (0..3).map(|x| (0..3).map(|y| squared(x, y)).collect()).collect();
    let squared = Objective::Loss(Loss::matrix(matrix, 3).unwrap());
    let objectives = [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError, squared];
    let aware = objectives.map(|objective| apart().with_objective(objective).unwrap());
    aware.into_iter().flat_map(|aware| [aware.clone(), aware.shared().unwrap()]).collect()
}

#[test]
fn a_solver_that_stops_early_leaves_a_certified_mechanism_with_its_gap_and_none_noisier_than_a_closed_form() {
    let mut coarse = 0;
    for problem in kinds() {
        let value = |design: Result<Design>| design.unwrap().objective.value;
        let closed = value(cluster(&problem)).min(value(randomized_response(&problem)));
        let least = value(design(&problem, &Options::default()));
        for steps in 0..12 {
            let watch = Watch::default().take_after(steps);
            let found = design(&problem, &Options { watch, ..Options::default() }).unwrap();
            let objective = found.objective;
            assert!(certify(found.mechanism).is_ok());
            assert!(objective.value <= closed + 1e-9, "{steps}: {objective:?} where {closed} needs no solver");
            assert!(
                objective.lower_bound <= least && objective.value >= least - 1e-9,
                "{steps}: {objective:?} {least}"
            );
            coarse += u32::from(objective.relative_gap() > 1e-3);
        }
    }
    assert!(coarse >= 20, "the solver was to be stopped before it was done");
}

#[test]
fn either_solver_finds_the_optimum() {
    for problem in kinds() {
        let by = |solver| {
            let watch = Watch::default().by(solver);
            let found = design(&problem, &Options { watch, ..Options::default() }).unwrap();
            assert!(certify(found.mechanism).is_ok() && found.objective.relative_gap() < 1e-7, "{:?}", found.objective);
            found.objective.value
        };
        let (ours, other) = (by(Solver::InteriorPoint), by(Solver::Clarabel));
        assert!((ours - other).abs() < 1e-7 * ours, "{ours} {other}");
    }
}

#[test]
fn a_component_has_the_flips_of_the_noisiest_one_where_that_lowers_its_error() {
    let found = optimum(&apart());
    let edges = [(0, 1, "0.1"), (1, 2, "0.1")];
    let alone = problem(&[&["5", "3", "2"], &["4", "4", "2"], &["4", "3", "3"]], &edges);
    let least = optimum(&alone);
    assert!(least.objective.value < 0.5 * found.objective.value);
    let errors = |mechanism: &Mechanism, first: usize| {
        let laws = mechanism.profiles();
        let wrong = |at: usize| {
            let kept = |x: usize| laws[at].probability(x) * mechanism.channel(at as u32).probability(x, x);
            1.0 - to_f64(&(0..3).map(kept).sum::<Rational>(), Direction::Nearest)
        };
        (first..first + 3).map(wrong).sum::<f64>()
    };
    let (within, apart) = (errors(&found.mechanism, 3), errors(&least.mechanism, 0));
    let averaged = optimum(&alone.with_objective(Objective::ExpectedError).unwrap());
    assert!(within < apart - 1e-4, "{within} {apart}");
    assert!(within >= errors(&averaged.mechanism, 0) - 1e-9);
}

// Every two members by themselves, against the few that decide.
#[test]
fn members_are_private_within_their_limits_exactly_when_every_two_are() {
    let part = |n: u64| Rational::new(n.into(), 30.into());
    let mut verdicts = [0, 0];
    for seed in 0..400u64 {
        let digit = |at: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7 * at as u32) >> 60;
        let count = 3 + seed % 4;
        let masses: Vec<u64> = (0..count).map(|s| 9 + digit(s) % 6).collect();
        let law = |&mass: &u64| Distribution::new(&[part(mass), part(30 - mass)]).unwrap();
        let limits = masses.iter().enumerate().map(|(s, &mass)| {
            let (down, up) = (digit(s as u64 + 10) % 4, digit(s as u64 + 20) % 4);
            Limits::new(&[[part(mass - down), part(mass + up)], [part(0), part(30)]]).unwrap()
        });
        let limits: Vec<Limits> = limits.collect();
        let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap());
        builder.complete(&"ln(3/2)".parse().unwrap());
        let categories = Categories::new(["no", "yes"]).unwrap();
        let problem =
            Problem::profiles(categories, builder.build().unwrap(), masses.iter().map(law).collect()).unwrap();
        let problem = problem.within(limits.clone()).unwrap();
        if problem.limits().is_empty() {
            // Each of them is one law.
            continue;
        }
        let instance = Instance::components(&problem).swap_remove(0);
        let pair = |one: &Limits, other: &Limits, y: usize| {
            one.ends(y)[1].clone() <= other.ends(y)[0].clone() * Rational::new(3.into(), 2.into())
        };
        let expected = (0..limits.len()).all(|one| {
            (0..limits.len()).all(|other| one == other || (0..2).all(|y| pair(&limits[one], &limits[other], y)))
        });
        assert_eq!(is_private_within(&problem, &instance, &instance.alike[0]), expected, "{limits:?}");
        verdicts[usize::from(expected)] += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 20), "{verdicts:?}");
}
