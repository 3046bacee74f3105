//! Every algorithm of every aware design releases what a profile never has by the profile's output law, and those that
//! cannot are found out.

use super::*;
use crate::certify::certify;
use crate::design::group::tests::problem as groups;
use crate::design::{Algorithm, Design, Flips, Objective, Options, design};
use crate::exact::{Natural, parse_rational};
use crate::model::{Categories, Loss, Names, SecretGraph, Utility};
use num_traits::{One, Zero};
use proptest::prelude::*;

/// Bernoulli profiles 0, 1/(count − 1), …, 1 along a chain: the first never has "yes", the last never has "no".
fn chain(count: i64, budget: &str) -> Problem {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap());
    builder.chain(&budget.parse().unwrap());
    let law = |at: i64| {
        let yes = Rational::new(at.into(), (count - 1).into());
        Distribution::new(&[Rational::one() - &yes, yes]).unwrap()
    };
    let bits = Categories::new(["no", "yes"]).unwrap();
    Problem::profiles(bits, builder.build().unwrap(), (0..count).map(law).collect()).unwrap()
}

/// Profiles over three categories with zeros; ε is small enough for noise, or so large that there is none.
fn three(epsilon: &str) -> Problem {
    let laws = [vec![5, 3, 0], vec![1, 1, 8], vec![0, 1, 7], vec![0, 0, 1]];
    groups(&laws, &[(vec![0, 1], epsilon), (vec![1, 2, 3], epsilon)], &[1, 2, 3, 1])
}

/// Fails unless the row of every input that a profile never has is its exact output law, each weight less than one unit
/// of 2^−53 away; gives how many such rows there are.
fn rows_that_are_laws(mechanism: &Mechanism) -> usize {
    let mut rows = 0;
    for (secret, profile) in mechanism.profiles().iter().enumerate() {
        let (channel, law) = (mechanism.channel(secret as u32), mechanism.output_law(secret as u32));
        for x in (0..profile.len()).filter(|&x| profile.probability(x).is_zero()) {
            let Form::Rows { weights, outputs } = channel.form() else { panic!("secret {secret} has no rows") };
            let row = &weights[x * outputs..][..outputs];
            assert_eq!(row.iter().sum::<u64>(), TOTAL);
            for (y, &weight) in row.iter().enumerate() {
                let missed =
                    Rational::from_integer(weight.into()) - law.probability(y) * Rational::from_integer(TOTAL.into());
                assert!(missed < Rational::one() && -missed < Rational::one(), "secret {secret}, row {x}, output {y}");
            }
            rows += 1;
        }
    }
    rows
}

/// The design, certified, whose impossible inputs are all released by law.
#[track_caller]
fn by_law(problem: &Problem, options: &Options<'_>, rows: usize) -> Design {
    let design = design(problem, options).unwrap();
    assert_eq!(rows_that_are_laws(&design.mechanism), rows);
    assert_eq!(ImpossibleInputs::of(&design.mechanism), None);
    assert_eq!(ImpossibleInputs::are_released_by_law(&design.mechanism), rows > 0);
    assert!(certify(design.mechanism.clone()).is_ok());
    design
}

#[test]
fn shortest_paths_release_what_a_profile_never_has_by_its_law() {
    let lattice = Options { algorithm: Some(Algorithm::Lattice), ..Options::default() };
    let asymmetric = Options { flips: Flips::Asymmetric, ..Options::default() };
    for budget in ["0.2", "1", "100"] {
        let problem = chain(6, budget);
        let (found, same) = (by_law(&problem, &lattice, 2), by_law(&problem, &asymmetric, 2));
        assert_eq!(found.mechanism, same.mechanism);
        // The value and the bound are about the inputs that occur.
        let largest =
            (0..6).map(|at| Utility::of(&problem.profile_laws()[at], found.mechanism.channel(at as u32)).max_flip);
        let largest = crate::exact::to_f64(&largest.max().unwrap(), crate::exact::Direction::Nearest);
        assert_eq!(found.objective.value, largest);
        assert!(found.objective.gap() < 1e-9);
    }
}

#[test]
fn a_chain_of_2001_profiles_hides_an_impossible_yes() {
    let design = by_law(&chain(2001, "1/2"), &Options::default(), 2);
    assert_eq!(design.solution.algorithm, Algorithm::Lattice);
    let yes = design.mechanism.channel(0).probability(1, 1);
    let promised = design.mechanism.output_law(0).probability(1);
    let unit = Rational::new(1.into(), TOTAL.into());
    assert!(yes < &promised + &unit && promised < yes.clone() + unit);
    assert!(Rational::new(36.into(), 100_000.into()) < yes && yes < Rational::new(38.into(), 100_000.into()));
}

#[test]
fn programs_and_groups_release_what_a_profile_never_has_by_its_law() {
    let by = |algorithm| Options { algorithm: Some(algorithm), ..Options::default() };
    let matrix = (0..3i64).map(|x| (0..3i64).map(|y| Rational::from_integer((x - y).abs().into())).collect()).collect();
    let loss = Objective::Loss(Loss::matrix(matrix, 3).unwrap());
    for epsilon in ["0.3", "ln(2)", "5", "100"] {
        let objectives = [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError, loss.clone()];
        for objective in objectives {
            let problem = three(epsilon).with_objective(objective).unwrap();
            by_law(&problem, &by(Algorithm::LinearProgram), 4);
        }
        let problem = three(epsilon).with_objective(Objective::ExpectedError).unwrap();
        by_law(&problem, &by(Algorithm::Group), 4);
    }
}

#[test]
fn profiles_that_are_released_as_they_are_have_laws_in_the_rows_of_their_zeros() {
    let laws = [vec![5, 3, 0], vec![4, 4, 0], vec![0, 0, 1]];
    for objective in [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError] {
        let problem = groups(&laws, &[(vec![0, 1], "1")], &[1; 3]).with_objective(objective).unwrap();
        let design = by_law(&problem, &Options::default(), 4);
        assert_eq!(design.objective.value, 0.0);
        assert_eq!(design.mechanism.channel(0).probability(2, 0), Rational::new(5.into(), 8.into()));
        assert_eq!(design.mechanism.channel(2).probability(0, 2), Rational::one(), "the profile without an edge");
    }
}

#[test]
fn mechanisms_that_keep_impossible_values_say_which_and_how_often() {
    let problem = chain(4, "1/2");
    for (name, flips) in
        [(MechanismName::OneBitCluster, Flips::Symmetric), (MechanismName::SmoothOneBit, Flips::Symmetric)]
    {
        let design = design(&problem, &Options { flips, ..Options::named(name) }).unwrap();
        let found = ImpossibleInputs::of(&design.mechanism).unwrap();
        assert_eq!((found.count, found.secret, found.input), (2, 0, 1), "{name}");
        assert_eq!(found.kept, design.mechanism.channel(0).probability(1, 1));
        assert!(name.keeps_impossible_inputs(&problem));
    }
    let shared = three("1").shared().unwrap();
    for name in [MechanismName::Cluster, MechanismName::SmoothCategorical] {
        let design = design(&shared, &Options::named(name)).unwrap();
        let found = ImpossibleInputs::of(&design.mechanism).unwrap();
        let kept = (0..4u32).flat_map(|secret| (0..3usize).map(move |x| (secret, x)));
        let impossible = kept.filter(|&(secret, x)| shared.profile_laws()[secret as usize].probability(x).is_zero());
        let kept: Vec<Rational> = impossible.map(|(_, x)| design.mechanism.channels()[0].probability(x, x)).collect();
        assert_eq!((found.count, Some(&found.kept)), (kept.len() as u64, kept.iter().max()));
        assert!(name.keeps_impossible_inputs(&shared));
    }
    assert_eq!(shared.impossible_inputs(), Some((4, 0, 2)));
}

#[test]
fn a_channel_that_hides_every_value_has_nothing_to_say() {
    for problem in [three("1"), three("1").shared().unwrap(), chain(4, "ln(2)")] {
        let name = MechanismName::RandomizedResponse;
        let design = design(&problem, &Options::named(name)).unwrap();
        assert_eq!(ImpossibleInputs::of(&design.mechanism), None);
        assert!(!name.keeps_impossible_inputs(&problem) && !ImpossibleInputs::are_released_by_law(&design.mechanism));
        // A few units less noise than the least, and the values are no longer hidden.
        let Form::Rows { weights, outputs } = design.mechanism.channels()[0].form() else { panic!("rows") };
        let mut weights = weights.to_vec();
        (weights[0], weights[1]) = (weights[0] + 16, weights[1] - 16);
        let mut channels = design.mechanism.channels().to_vec();
        channels[0] = Channel::from_weights(weights, outputs).unwrap();
        let less = design.mechanism.with_channels(channels, design.mechanism.outputs().clone()).unwrap();
        assert!(ImpossibleInputs::of(&less).is_some());
    }
}

#[test]
fn profiles_without_an_edge_are_promised_nothing() {
    let laws = [vec![5, 3, 1], vec![4, 1, 9], vec![0, 0, 1]];
    let problem = groups(&laws, &[(vec![0, 1], "0.1")], &[1; 3]);
    assert_eq!(problem.impossible_inputs(), None);
    let cluster = design(&problem, &Options::named(MechanismName::Cluster)).unwrap();
    assert_eq!(ImpossibleInputs::of(&cluster.mechanism), None);
}

proptest! {
    #[test]
    fn every_aware_design_releases_impossible_values_by_law(
        weights in prop::collection::vec(prop::collection::vec(prop_oneof![2 => Just(0u64), 3 => 1u64..9], 3), 2..5),
        tenths in 1u32..40, kind in 0usize..3, two in any::<bool>(),
    ) {
        let size = if two { 2 } else { 3 };
        let laws: Vec<Vec<u64>> = weights.iter().map(|law| law[..size].to_vec()).collect();
        prop_assume!(laws.iter().all(|law| law.iter().sum::<u64>() > 0));
        let zeros = laws.iter().flatten().filter(|&&weight| weight == 0).count();
        let epsilon = format!("{tenths}/10");
        let all = (0..laws.len() as u32).collect();
        let objective = [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError][kind].clone();
        let problem = groups(&laws, &[(all, &epsilon)], &vec![1; laws.len()]).with_objective(objective).unwrap();
        let name = MechanismName::SmoothCategorical;
        for algorithm in name.algorithms(&problem) {
            by_law(&problem, &Options { algorithm: Some(algorithm), ..Options::named(name) }, zeros);
        }
        prop_assert_eq!(problem.impossible_inputs().map_or(0, |(count, ..)| count), zeros as u64);
    }
}

#[test]
fn a_law_is_rounded_by_largest_remainder() {
    let law = Distribution::from_weights([1u64, 1, 1].map(Natural::from).to_vec()).unwrap();
    let third = TOTAL / 3;
    assert_eq!(rounded(&law), [third + 1, third + 1, third], "2^53 is 2 more than a multiple of 3");
    let law = Distribution::new(&["0", "0.25", "0.75"].map(|p| parse_rational(p).unwrap())).unwrap();
    assert_eq!(rounded(&law), [0, TOTAL / 4, 3 * (TOTAL / 4)]);
}
