//! Every design of a set that was chosen for what stops solvers comes back, certified and as good as it can be.
//!
//! A tenth of the set; all of it with `LOOKALIKE_INSTANCES=all`, as in `make soak`.

use lookalike::certify::certify;
use lookalike::design::{MechanismName, Objective as Goal, Options, Problem, design};
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Loss, Names, Prior, SecretGraph};
use lookalike_instances::{Channels, Instance, Objective, all};

/// The gap beside the value that each design may have, and the one that 99 of 100 must have.
const ALL_WITHIN: f64 = 1e-6;
const NEARLY_ALL_WITHIN: f64 = 1e-8;

fn whole(number: u64) -> Rational {
    Rational::from_integer(number.into())
}

fn problem(instance: &Instance) -> Problem {
    let categories = Categories::new((0..instance.categories).map(|x| format!("c{x}"))).unwrap();
    let names = match instance.channels {
        Channels::Point => categories.names().clone(),
        _ => Names::new("profile", (0..instance.secrets()).map(|at| format!("p{at}"))).unwrap(),
    };
    let mut builder = SecretGraph::builder(names);
    for (a, b, epsilon) in &instance.edges {
        builder.edge(*a, *b, epsilon.parse().unwrap()).unwrap();
    }
    for (at, (members, epsilon)) in instance.groups.iter().enumerate() {
        builder.group(&format!("g{at}"), members.clone(), epsilon.parse().unwrap()).unwrap();
    }
    let graph = builder.build().unwrap();
    let law =
        |weights: &Vec<u64>| Distribution::from_weights(weights.iter().map(|&mass| mass.into()).collect()).unwrap();
    let problem = match instance.channels {
        Channels::Point => Problem::values(categories, graph).unwrap(),
        _ => Problem::profiles(categories, graph, instance.profiles.iter().map(law).collect()).unwrap(),
    };
    let problem = if instance.channels == Channels::Shared { problem.shared().unwrap() } else { problem };
    let problem = problem.with_objective(goal(instance)).unwrap();
    if instance.prior.is_empty() {
        return problem;
    }
    let weights: Vec<Rational> = instance.prior.iter().map(|&weight| whole(weight)).collect();
    problem.with_prior(Prior::new(&weights).unwrap()).unwrap()
}

fn goal(instance: &Instance) -> Goal {
    let size = instance.categories;
    match instance.objective {
        Objective::MaxFlip => Goal::MaxFlip,
        Objective::ExpectedError => Goal::ExpectedError,
        Objective::Ordinal => Goal::OrdinalError,
        Objective::Squared => {
            let row = |x: usize| (0..size).map(|y| whole(instance.objective.cost(x, y))).collect();
            Goal::Loss(Loss::matrix((0..size).map(row).collect(), size).unwrap())
        }
    }
}

#[test]
fn every_design_comes_back_certified_and_within_its_gap() {
    let step = if std::env::var("LOOKALIKE_INSTANCES").is_ok_and(|chosen| chosen == "all") { 1 } else { 10 };
    let options = Options::named(MechanismName::SmoothCategorical);
    let (mut designs, mut coarse) = (0, Vec::new());
    for instance in all().iter().step_by(step) {
        let found = design(&problem(instance), &options).unwrap_or_else(|error| panic!("{}: {error}", instance.name));
        let gap = found.objective.relative_gap();
        assert!(gap <= ALL_WITHIN, "{}: a gap of {gap:.1e} beside its value", instance.name);
        let rule = found.solution.tie_break.unwrap_or_default();
        assert!(!rule.starts_with("none") && !rule.contains("not proven"), "{}: chosen by {rule:?}", instance.name);
        certify(found.mechanism).unwrap_or_else(|violation| panic!("{}: {violation}", instance.name));
        designs += 1;
        if gap > NEARLY_ALL_WITHIN {
            coarse.push(instance.name.clone());
        }
    }
    assert!(100 * coarse.len() <= designs, "{} of {designs} designs are coarse: {coarse:?}", coarse.len());
}
