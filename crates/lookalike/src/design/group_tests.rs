use super::*;
use crate::design::Problem;
use crate::design::group_bound::group_bound;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Categories, Distribution, Names, Prior, SecretGraph};
use microlp::{ComparisonOp, OptimizationDirection, SolveOutcome};
use proptest::prelude::*;

/// A problem of groups: whole weights for the laws, members and ε of each group, whole weights of the prior.
pub(in crate::design) fn problem(laws: &[Vec<u64>], groups: &[(Vec<u32>, &str)], prior: &[u64]) -> Problem {
    let whole = |&weight: &u64| Rational::from_integer(weight.into());
    let mut builder = SecretGraph::builder(Names::new("profile", (0..laws.len()).map(|at| format!("p{at}"))).unwrap());
    for (at, (members, epsilon)) in groups.iter().enumerate() {
        builder.group(&format!("g{at}"), members.clone(), epsilon.parse().unwrap()).unwrap();
    }
    let law = |law: &Vec<u64>| Distribution::normalized(&law.iter().map(whole).collect::<Vec<_>>()).unwrap();
    let categories = Categories::new((0..laws[0].len()).map(|y| format!("c{y}"))).unwrap();
    let problem = Problem::profiles(categories, builder.build().unwrap(), laws.iter().map(law).collect()).unwrap();
    problem.with_prior(Prior::new(&prior.iter().map(whole).collect::<Vec<_>>()).unwrap()).unwrap()
}

/// The optimum of the whole linear program over pairs, without bounds u, by a simplex method.
fn optimum_by_simplex(instance: &Instance) -> f64 {
    let mut program = microlp::Problem::new(OptimizationDirection::Minimize);
    let (count, size) = (instance.count(), instance.size);
    let q: Vec<Vec<_>> = (0..count).map(|_| (0..size).map(|_| program.add_var(0.0, (0.0, 1.0))).collect()).collect();
    for s in 0..count {
        let all: Vec<_> = q[s].iter().map(|&q| (q, 1.0)).collect();
        program.add_constraint(&all[..], ComparisonOp::Eq, 1.0);
        for (&q, &p) in q[s].iter().zip(instance.law(s)) {
            let a = program.add_var(instance.weights[s], (0.0, 1.0));
            program.add_constraint([(a, 1.0), (q, 1.0)], ComparisonOp::Ge, p);
        }
    }
    for alike in &instance.alike {
        for (&i, &j) in alike.members.iter().flat_map(|i| alike.members.iter().map(move |j| (i, j))) {
            for y in (0..size).filter(|_| i != j) {
                // That method takes no coefficients of very different sizes; what is left out here changes no digit.
                let shrink = if alike.exp > 1e10 { 0.0 } else { 1.0 / alike.exp };
                let pair = [(q[i as usize][y], shrink), (q[j as usize][y], -1.0)];
                program.add_constraint(pair, ComparisonOp::Le, 0.0);
            }
        }
    }
    match program.solve().unwrap() {
        SolveOutcome::Solution(solution) => solution.objective(),
        SolveOutcome::Interrupted(_) => panic!("no limit was set"),
    }
}

/// Solves every component; checks laws against bounds, value against the proven bound and against the simplex method.
fn check(problem: &Problem) {
    for instance in Instance::components(problem) {
        let solution = group_laws(&instance, &Watch::default()).unwrap();
        for alike in &instance.alike {
            for y in 0..instance.size {
                let of = alike.members.iter().map(|&s| solution.laws[s as usize * instance.size + y]);
                let (most, least) = (of.clone().fold(0.0, f64::max), of.fold(1.0, f64::min));
                assert!(most <= alike.exp * least + 1e-13, "{most} {least}");
            }
        }
        let bound = to_f64(&group_bound(problem, &instance, &solution.multipliers), Direction::Down);
        let optimum = if instance.alike.is_empty() { 0.0 } else { optimum_by_simplex(&instance) };
        let value = solution.value;
        assert!((value - optimum).abs() < 1e-7, "value {value}, simplex {optimum}, {} rounds", solution.rounds);
        // The simplex method has a tolerance of its own; between value and bound there is none.
        assert!((-1e-14..1e-6).contains(&(value - bound)), "bound {bound}, value {value}, {} rounds", solution.rounds);
        // Other multipliers prove less, but nothing wrong.
        for [upper, lower] in [[0.0, 0.0], [0.7, 1.0], [1.0, 1.1], [3.0, 2.0]] {
            let mut others = group_laws(&instance, &Watch::default()).unwrap().multipliers;
            if let Source::Kept(blocks) = &mut others.source {
                for block in blocks {
                    block.upper.iter_mut().step_by(2).for_each(|multiplier| *multiplier *= upper);
                    block.lower.iter_mut().step_by(3).for_each(|multiplier| *multiplier *= lower);
                }
            }
            let bound = to_f64(&group_bound(problem, &instance, &others), Direction::Down);
            assert!(bound <= value + 1e-14, "bound {bound}, value {value}");
        }
    }
}

#[test]
fn two_point_masses_reach_randomized_response() {
    // Half of the error is at each profile, and 1/(1 + E) = 1/4 is Warner's.
    let problem = problem(&[vec![1, 0], vec![0, 1]], &[(vec![0, 1], "ln(3)")], &[1, 1]);
    let solution = group_laws(&Instance::components(&problem)[0], &Watch::default()).unwrap();
    assert!((solution.value - 0.25).abs() < 1e-9, "{}", solution.value);
    check(&problem);
}

#[test]
fn a_group_stops_when_asked() {
    let problem = problem(&[vec![9, 1], vec![0, 1], vec![3, 2]], &[(vec![0, 1, 2], "0.3")], &[1, 1, 1]);
    let at_once = || true;
    let watch = Watch::default().stop_when(&at_once);
    let stopped = group_laws(&Instance::components(&problem)[0], &watch).err().expect("stopped");
    assert!(stopped.is_stopped());
}

#[test]
fn groups_at_the_edges_of_the_range_agree_with_the_simplex_method() {
    let laws = [vec![5, 3, 2, 0], vec![1, 1, 8, 0], vec![0, 0, 7, 0], vec![5, 3, 2, 0], vec![2, 2, 2, 0]];
    for epsilon in ["0.00001", "0.001", "0.1", "1", "5", "40", "600"] {
        for prior in [[1, 1, 1, 1, 1], [0, 3, 1000000, 0, 1]] {
            check(&problem(&laws, &[((0..5).collect(), epsilon)], &prior));
            check(&problem(&laws, &[(vec![0, 1, 2], epsilon), (vec![2, 3, 4], "0.3")], &prior));
            check(&problem(&laws, &[(vec![0, 1], epsilon), (vec![2, 3], "0.3")], &prior));
        }
    }
    let same = vec![vec![0, 4, 0]; 3];
    check(&problem(&same, &[(vec![0, 1, 2], "0.5")], &[1, 2, 3]));
}

#[test]
fn many_profiles_by_newton_are_as_good_as_by_the_interior_point_method() {
    // The third output has no profile, the fourth is rare.
    let mut state = 1u64;
    let mut draw = |most: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % most
    };
    let laws: Vec<Vec<u64>> = (0..MANY)
        .map(|_| vec![draw(1000) + 1, draw(300) * draw(300), 0, draw(3) * draw(9) + draw(2), draw(500)])
        .collect();
    let prior: Vec<u64> = (0..MANY).map(|_| draw(4)).collect();
    for epsilon in ["0.01", "0.5", "3"] {
        let problem = problem(&laws, &[((0..MANY as u32).collect(), epsilon)], &prior);
        let instance = &Instance::components(&problem)[0];
        let solution = group_laws(instance, &Watch::default()).unwrap();
        assert!(matches!(solution.multipliers.source, Source::Smoothed(_)), "{epsilon}");
        let bound = to_f64(&group_bound(&problem, instance, &solution.multipliers), Direction::Down);
        assert!(bound <= solution.value && bound >= (1.0 - 1e-6) * solution.value, "{bound} {}", solution.value);
        if epsilon == "0.5" {
            assert!((interior_point(instance, &Watch::default()).unwrap().value / solution.value - 1.0).abs() < 1e-6);
            let alone = rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .unwrap()
                .install(|| group_laws(instance, &Watch::default()).unwrap());
            assert_eq!(alone.laws, solution.laws, "the number of threads changes nothing");
        }
    }
}

#[test]
fn the_interior_point_method_does_not_depend_on_the_number_of_threads() {
    let laws: Vec<Vec<u64>> = (0..1500).map(|at| vec![at % 7 + 1, at % 11, at % 13]).collect();
    let groups = [((0..1000).collect(), "0.5"), ((800..1500).collect(), "0.2")];
    let problem = problem(&laws, &groups, &[1; 1500]);
    let instance = &Instance::components(&problem)[0];
    let solve = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| group_laws(instance, &Watch::default()).unwrap())
    };
    assert_eq!(solve(1).laws, solve(3).laws);
}

fn laws(size: usize) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let weight = prop_oneof![2 => Just(0u64), 6 => 1u64..20, 1 => 1u64..1000000];
    prop::collection::vec(prop::collection::vec(weight, size), 5).prop_map(|mut laws| {
        laws.iter_mut().filter(|law| law.iter().all(|&weight| weight == 0)).for_each(|law| law[0] = 1);
        laws
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn random_groups_agree_with_the_simplex_method(
        laws in (2usize..5).prop_flat_map(laws), exponents in prop::collection::vec(-40i32..20, 2),
        masks in prop::collection::vec(3u8..32, 2), prior in prop::collection::vec(0u64..4, 5),
    ) {
        let members = |mask: u8| (0..5).filter(|s| mask >> s & 1 == 1).collect::<Vec<u32>>();
        let budgets: Vec<String> = exponents.iter().map(|x| format!("{:e}", 10f64.powf(f64::from(*x) / 10.0))).collect();
        let groups: Vec<_> = masks.iter().zip(&budgets).map(|(&mask, budget)| (members(mask), &budget[..])).collect();
        prop_assume!(groups.iter().any(|(members, _)| members.len() > 1) && prior.iter().any(|&weight| weight > 0));
        check(&problem(&laws, &groups, &prior));
    }
}
