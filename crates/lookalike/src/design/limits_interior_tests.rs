//! The method by itself, without the other one behind it.

use super::*;
use crate::design::limits_design::cost;
use crate::design::{Objective, Problem};
use crate::exact::Rational;
use crate::model::{Categories, Distribution, GraphBuilder, Names, SecretGraph};

/// Profiles from a few records with limits that are wide for some and narrow for others, one of them a point, one without a category.
fn problem(count: u32, size: u64, graph: impl Fn(&mut GraphBuilder)) -> Problem {
    let mass = |s: u64, x: u64| if s == 2 && x == 1 { 0 } else { 1 + (7 * s + 5 * x + s * x * x) % 11 };
    let rows: Vec<Vec<u64>> = (0..u64::from(count)).map(|s| (0..size).map(|x| mass(s, x)).collect()).collect();
    let limits = |s: usize| {
        let total: u64 = rows[s].iter().sum();
        let width = (s as u64 * 3) % 4;
        let part = |n: u64| Rational::new(n.into(), (10 * total).into());
        let ends =
            |n: &u64| [part((10 * n).saturating_sub(width * n)), part((10 * n + width + width * n).min(10 * total))];
        Limits::new(&rows[s].iter().map(ends).collect::<Vec<_>>()).unwrap()
    };
    let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap());
    graph(&mut builder);
    let laws = rows.iter().map(|row| Distribution::from_weights(row.iter().map(|&n| n.into()).collect()).unwrap());
    let categories = Categories::new((0..size).map(|x| format!("c{x}"))).unwrap();
    let problem = Problem::profiles(categories, builder.build().unwrap(), laws.collect()).unwrap();
    let problem = problem.with_objective(Objective::OrdinalError).unwrap();
    problem.within((0..count as usize).map(limits).collect()).unwrap()
}

fn solved(problem: &Problem) -> LimitsSolution {
    let [instance] = &Instance::components(problem)[..] else { panic!("one component") };
    let cost = cost(instance, problem.objective().loss().unwrap());
    interior_point(instance, |s| &problem.limits()[s], cost, &Watch::default()).unwrap()
}

#[test]
fn edges_and_groups_take_few_steps() {
    let ring = problem(12, 5, |builder| {
        (0..12u32).for_each(|s| builder.edge(s, (s + 1) % 12, "1/2".parse().unwrap()).unwrap());
    });
    let group = problem(30, 4, |builder| builder.complete(&"1/3".parse().unwrap()));
    let steep = problem(9, 3, |builder| {
        (0..8u32).for_each(|s| builder.edge(s, s + 1, ["1/50", "3", "40"][s as usize % 3].parse().unwrap()).unwrap());
    });
    for problem in [ring, group, steep] {
        let found = solved(&problem);
        assert!(found.gap <= 1e-7 && found.gap >= -1e-12, "{:e} after {} steps", found.gap, found.rounds);
        assert!(found.rounds <= 40, "{} steps", found.rounds);
    }
}
