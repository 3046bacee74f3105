//! Designs over profiles with limits: against an independent program over the corners of the limits, the orders that must hold,
//! and values found elsewhere.

use crate::oracle::formulation::{optimum_at_worst, optimum_of_corners, worst_value};
use crate::oracle::instance::{Instance, Kind};
use crate::oracle::strategy::{Goals, any_goal, large_groups, one_in, small_instances};
use crate::oracle::*;
use lookalike::certify::certify;
use lookalike::design::{
    Design, MechanismName, Objective, Options, Problem, Solver, Watch, cluster, design, randomized_response, survival,
};
use lookalike::estimate::clopper_pearson;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Categories, Distribution, Epsilon, Limits, Names, OutputLaws, SecretGraph};
use proptest::prelude::*;

/// How far each limit is from its profile, in fiftieths.
type Widths = Vec<(i64, i64)>;

fn widths() -> impl Strategy<Value = Widths> {
    let width = prop_oneof![1 => Just(0i64), 4 => 0..8i64, 1 => 0..50i64];
    prop::collection::vec((width.clone(), width), 36)
}

fn part(n: i64, of: i64) -> Rational {
    Rational::new(n.into(), of.into())
}

/// Limits around each profile of a problem, `scale` times as wide as the widths say.
fn limits(problem: &Problem, widths: &Widths, scale: i64) -> Vec<Limits> {
    let of_profile = |(secret, law): (usize, &Distribution)| {
        let ends = |(x, p): (usize, Rational)| {
            let (down, up) = widths[(secret * law.len() + x) % widths.len()];
            [(&p - part(down * scale, 50)).max(part(0, 1)), (p + part(up * scale, 50)).min(part(1, 1))]
        };
        Limits::new(&law.probabilities().enumerate().map(ends).collect::<Vec<_>>()).unwrap()
    };
    problem.profile_laws().iter().enumerate().map(of_profile).collect()
}

/// The corners of limits: all probabilities but one at an end.
fn corners(limits: &Limits) -> Vec<Vec<f64>> {
    let (d, mut found) = (limits.len(), Vec::<Vec<Rational>>::new());
    for (free, ends) in (0..d).flat_map(|free| (0..1usize << d).map(move |ends| (free, ends))) {
        let mut law: Vec<Rational> = (0..d).map(|x| limits.ends(x)[ends >> x & 1].clone()).collect();
        law[free] = part(0, 1);
        law[free] = part(1, 1) - law.iter().sum::<Rational>();
        let [least, most] = limits.ends(free);
        if least <= law[free] && law[free] <= most && !found.contains(&law) {
            found.push(law);
        }
    }
    found.iter().map(|law| law.iter().map(float).collect()).collect()
}

/// The best design, held against the oracle.
fn check(instance: &Instance, widths: &Widths) {
    let limits = limits(&instance.problem(), widths, 1);
    let optimum = optimum_of_corners(instance, &limits.iter().map(corners).collect::<Vec<_>>());
    let problem = instance.problem().within(limits).unwrap();
    let design = designed_optimally(&problem);
    assert_optimal(instance, &design, &optimum);
    assert_bound(instance, &design, design.objective.lower_bound, &optimum);
    assert_eq!(design.mechanism.limits(), problem.limits());
}

/// The design for the worst laws, held against the oracle; it is at least as good at them as the design for the profiles.
fn check_at_worst(instance: &Instance, widths: &Widths) {
    let limits = limits(&instance.problem(), widths, 1);
    let corners: Vec<_> = limits.iter().map(corners).collect();
    let optimum = optimum_at_worst(instance, &corners);
    assert_narrow(&optimum);
    let problem = instance.problem().within(limits).unwrap();
    let (fitted, design) = (designed_optimally(&problem), designed_optimally(&problem.clone().at_worst()));
    assert!(certify(design.mechanism.clone()).is_ok());
    let found = |design: &Design| {
        worst_value(instance, &corners, |s, x, y| float(&design.mechanism.channel(s as u32).probability(x, y)))
    };
    let (value, allowance) = (design.objective.value, AGREEMENT + repair_allowance(instance, &design));
    assert!((value - found(&design)).abs() < 1e-12, "says {value}, has {}", found(&design));
    assert!(optimum.lower - 1e-9 <= value && value <= optimum.upper + allowance, "{value}, expected {optimum:?}");
    assert!(value <= found(&fitted) + allowance);
    let name = problem.objective();
    assert!(fitted.objective.value <= name.value(&problem, &design.mechanism) + allowance);
    assert_bound(instance, &design, design.objective.lower_bound, &optimum);
}

proptest! {
    #![proptest_config(one_in(3))]

    #[test]
    fn aware_designs_are_optimal(instance in small_instances(Kind::Aware, any_goal()), widths in widths()) {
        check(&instance, &widths);
    }

    #[test]
    fn designs_for_the_worst_laws_are_optimal(
        aware in small_instances(Kind::Aware, any_goal()), shared in small_instances(Kind::Shared, any_goal()), widths in widths(),
    ) {
        check_at_worst(&aware, &widths);
        check_at_worst(&shared, &widths);
    }

    #[test]
    fn shared_designs_are_optimal(instance in small_instances(Kind::Shared, any_goal()), widths in widths()) {
        check(&instance, &widths);
    }
}

/// The value of a design by one method alone, with the bound that it proves.
fn ends(problem: &Problem, watch: Watch<'_>) -> [f64; 2] {
    let design = design(problem, &Options { watch, ..Options::named(MechanismName::SmoothCategorical) }).unwrap();
    assert!(certify(design.mechanism).is_ok());
    [design.objective.lower_bound, design.objective.value]
}

proptest! {
    #![proptest_config(one_in(3))]

    // The method that eliminates profiles against the plain program and two other solvers.
    #[test]
    fn one_program_for_all_profiles_has_the_same_value(
        instance in small_instances(Kind::Aware, any_goal()), widths in widths(),
    ) {
        let problem = instance.problem();
        let problem = problem.clone().within(limits(&problem, &widths, 1)).unwrap();
        let watches = [Watch::default(), Watch::default().by(Solver::InteriorPoint), Watch::default().by(Solver::Clarabel)];
        let [own, one, other] = watches.map(|watch| ends(&problem, watch));
        let allowance = 1e-7 * instance.largest_cost().max(1.0);
        let of = [own, one, other].map(|[bound, _]| bound).into_iter().fold(0.0, f64::max);
        prop_assert!([own, one, other].iter().all(|[_, value]| of <= value + 1e-12), "{own:?} {one:?} {other:?}");
        // Each of the two by itself may stall, which is why one stands behind the other.
        prop_assert!((own[1] - one[1].min(other[1])).abs() <= allowance, "{own:?} {one:?} {other:?}");
    }
}

proptest! {
    #![proptest_config(one_in(16))]

    // Rows with the largest of all others for each member, instead of one for every two.
    #[test]
    fn large_groups_are_exact(instance in large_groups(Just(Goals::ExpectedError).boxed()), widths in widths()) {
        check(&instance, &widths);
    }
}

/// The same problem with every ε a hundredth smaller.
fn at_less(problem: &Problem) -> SecretGraph {
    let mut builder = SecretGraph::builder(problem.graph().names().clone());
    let share = parse_rational("99/100").unwrap();
    for constraint in problem.graph().constraints() {
        for (at, &one) in constraint.members.iter().enumerate() {
            let less = constraint.epsilon.scale(&share).unwrap();
            constraint.members[at + 1..].iter().for_each(|&other| builder.edge(one, other, less.clone()).unwrap());
        }
    }
    builder.build().unwrap()
}

proptest! {
    #![proptest_config(one_in(4))]

    #[test]
    fn costs_rise_with_the_limits_up_to_that_of_randomized_response(
        aware in small_instances(Kind::Aware, any_goal()), shared in small_instances(Kind::Shared, any_goal()), widths in widths(),
    ) {
        for instance in [aware, shared] {
            let point = instance.problem();
            let [narrow, wide] = [1, 2].map(|scale| point.clone().within(limits(&point, &widths, scale)).unwrap());
            let response = randomized_response(&wide).unwrap();
            prop_assert!(certify(response.mechanism.clone()).is_ok());
            let designs = [&point, &narrow, &wide].map(designed_optimally);
            let values: Vec<f64> = designs.iter().map(|design| design.objective.value).chain([response.objective.value]).collect();
            let allowance = 1e-7 * instance.largest_cost().max(1.0);
            prop_assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + allowance), "{values:?}");
            // The closed form in between holds for the limits too, and its noise is the least of its kind.
            let cluster = cluster(&wide).unwrap();
            prop_assert!(certify(cluster.mechanism.clone()).is_ok());
            prop_assert!(designs[2].objective.value <= cluster.objective.value + allowance);
            // Two-sided: what costs anything is not private at one hundredth less, unless an output is given up for it, which
            // is private at any budget.
            let laws = OutputLaws::of(&designs[1].mechanism);
            let is_used = |y: usize| laws.column(y).least_floors().iter().all(|&floor| floor > 1 << 50);
            let always = (0..instance.categories).all(is_used);
            let free = instance.costs().is_none_or(|costs| (0..costs.len()).all(|x| costs[x][x] == 0.0));
            if always && free && designs[1].objective.value > 1e-3 {
                let less = designs[1].mechanism.clone().with_graph(at_less(&narrow)).unwrap();
                prop_assert!(certify(less).is_err());
            }
        }
    }
}

/// The records of examples/workstations: idle, light, busy, full.
const COUNTS: [[u64; 4]; 12] = [
    [22, 46, 72, 67],
    [12, 30, 91, 57],
    [29, 58, 86, 49],
    [16, 43, 61, 105],
    [70, 81, 39, 19],
    [58, 72, 47, 13],
    [81, 83, 34, 3],
    [65, 62, 52, 20],
    [114, 49, 25, 12],
    [92, 56, 10, 8],
    [104, 40, 29, 5],
    [126, 52, 22, 13],
];

/// Fitted from the example's records, with limits at 95 % for each cell.
fn workstations(by_role: bool, epsilon: &str) -> (Problem, Vec<Limits>) {
    let epsilon: Epsilon = epsilon.parse().unwrap();
    let mut builder = SecretGraph::builder(Names::new("profile", (0..12).map(|at| format!("p{at}"))).unwrap());
    if by_role {
        for role in 0..3 {
            builder.group(&format!("r{role}"), (4 * role..4 * role + 4).collect(), epsilon.clone()).unwrap();
        }
    } else {
        builder.complete(&epsilon);
    }
    let laws = COUNTS.map(|counts| Distribution::from_weights(counts.map(Into::into).to_vec()).unwrap());
    let of_profile = |counts: &[u64; 4]| {
        let limit = |value: f64| Rational::from_float(value).unwrap();
        let cell = |&count: &u64| clopper_pearson(count, counts.iter().sum(), 0.05);
        Limits::new(&counts.iter().map(cell).map(|(from, to)| [limit(from), limit(to)]).collect::<Vec<_>>()).unwrap()
    };
    let loads = Categories::new(["idle", "light", "busy", "full"]).unwrap();
    let problem = Problem::profiles(loads, builder.build().unwrap(), laws.to_vec()).unwrap();
    (problem.with_objective(Objective::ExpectedError).unwrap(), COUNTS.iter().map(of_profile).collect())
}

// Found with another solver, from the plain program.
#[test]
fn the_values_of_the_example_are_met() {
    let values = [
        (true, [".0371 .0133 .0018 .0000", ".3606 .1145 .0224 .0019"]),
        (false, [".1848 .1324 .0762 .0105", ".4646 .2207 .1282 .0349"]),
    ];
    for (by_role, [point, limited]) in values {
        let response = ".7107 .6453 .5246 .2888";
        let rows = point.split(' ').zip(limited.split(' ')).zip(response.split(' '));
        for (epsilon, ((point, limited), response)) in ["0.2", "0.5", "1", "2"].into_iter().zip(rows) {
            let (problem, limits) = workstations(by_role, epsilon);
            let within = problem.clone().within(limits).unwrap();
            let options = Options::default();
            let found = [design(&problem, &options).unwrap(), design(&within, &options).unwrap()];
            assert!(found.iter().all(|design| design.objective.gap() < 1e-7), "{:?}", found[1].objective);
            assert!(certify(found[1].mechanism.clone()).is_ok());
            assert!(certify(found[1].mechanism.clone().with_graph(at_less(&within)).unwrap()).is_err());
            let shown = |value: f64| format!("{value:.4}").trim_start_matches('0').to_owned();
            let found = found.map(|design| shown(design.objective.value));
            assert_eq!(found, [point, limited], "{epsilon}, by role: {by_role}");
            assert_eq!(shown(randomized_response(&within).unwrap().objective.value), response);
        }
    }
}

#[test]
fn what_serves_single_laws_only_says_so() {
    let (problem, limits) = workstations(true, "1/2");
    let within = problem.within(limits.clone()).unwrap();
    let names = |problem| MechanismName::applicable(problem).iter().map(|name| name.name()).collect::<Vec<_>>();
    assert_eq!(names(&within), ["smooth-categorical", "cluster", "k-rr"]);
    let complete = |names: Names| {
        let mut builder = SecretGraph::builder(names);
        builder.complete(&"1".parse().unwrap());
        builder.build().unwrap()
    };
    let bits = Problem::profiles(
        Categories::new(["no", "yes"]).unwrap(),
        complete(Names::new("profile", ["ana", "bo"]).unwrap()),
        vec![
            Distribution::new(&[part(1, 4), part(3, 4)]).unwrap(),
            Distribution::new(&[part(1, 2), part(1, 2)]).unwrap(),
        ],
    )
    .unwrap();
    let around = Limits::new(&vec![[part(0, 1), part(1, 1)]; 2]).unwrap();
    let bits = bits.within(vec![around; 2]).unwrap();
    assert_eq!(names(&bits), ["smooth-categorical", "one-bit-cluster", "k-rr"]);
    for name in [MechanismName::TwoProfile, MechanismName::SmoothOneBit] {
        let error = design(&bits, &Options::named(name)).unwrap_err();
        assert!(error.is_inapplicable());
        assert_eq!(
            error.to_string(),
            format!("{name} serves profiles that are one law each, found limits (smooth-categorical serves them)")
        );
    }
    let values = Problem::values(bits.categories().clone(), complete(bits.categories().names().clone())).unwrap();
    let error = values.within(limits).unwrap_err();
    assert_eq!(error.to_string(), "limits of profiles, but the secrets are values");
}

// Nothing known of any profile: the claim between two profiles of one channel is local differential privacy.
#[test]
fn limits_that_say_nothing_need_a_shared_channel_that_hides_every_value() {
    let (problem, _) = workstations(true, "1/2");
    let anything = Limits::new(&vec![[part(0, 1), part(1, 1)]; 4]).unwrap();
    let problem = problem.shared().unwrap().with_objective(Objective::MaxFlip).unwrap();
    let within = problem.within(vec![anything; 12]).unwrap();
    let (found, response) = (designed_optimally(&within), randomized_response(&within).unwrap());
    assert!((found.objective.value - response.objective.value).abs() < 1e-9 && found.objective.gap() < 1e-7);
}

#[test]
fn a_channel_that_always_says_the_same_does_not_look_good() {
    let (problem, limits) = workstations(true, "0.2");
    let within = problem.within(limits).unwrap();
    let found = designed_optimally(&within);
    let kept = survival(&found.mechanism, within.prior());
    let mean: f64 = kept.iter().flatten().sum::<f64>() / 4.0;
    assert!(
        kept.iter().flatten().all(|share| (0.0..=1.0).contains(share)) && mean < 1.0 - found.objective.value,
        "{kept:?}"
    );
}
