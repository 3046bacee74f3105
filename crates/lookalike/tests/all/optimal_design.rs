//! Every optimal design agrees with an independent dense linear program, for each kind and objective.

use crate::oracle::formulation::{optimum, optimum_of_symmetric_flips};
use crate::oracle::instance::{Instance, Kind};
use crate::oracle::strategy::{Goals, any_goal, instances, large_groups, one_bit, one_in};
use crate::oracle::*;
use proptest::prelude::*;

/// The design of the best mechanism of the instance's kind, held against the oracle.
fn check(instance: &Instance) {
    let (design, optimum) = (designed_optimally(&instance.problem()), optimum(instance));
    assert_optimal(instance, &design, &optimum);
    assert_bound(instance, &design, design.objective.lower_bound, &optimum);
}

proptest! {
    #![proptest_config(one_in(1))]

    #[test]
    fn the_oracle_knows_every_optimum(
        aware in instances(Kind::Aware, any_goal()),
        shared in instances(Kind::Shared, any_goal()),
        point in instances(Kind::Point, any_goal()),
    ) {
        [aware, shared, point].iter().for_each(|instance| assert_narrow(&optimum(instance)));
    }

    #[test]
    fn smooth_one_bit_is_optimal_among_symmetric_flips(instance in one_bit()) {
        let (design, optimum) = (designed(&instance.problem(), "smooth-one-bit"), optimum_of_symmetric_flips(&instance));
        assert_optimal(&instance, &design, &optimum);
        assert_bound(&instance, &design, design.solution.family_bound.unwrap(), &optimum);
    }

    #[test]
    fn smooth_one_bit_with_asymmetric_flips_is_optimal(instance in one_bit()) {
        let (design, optimum) = (designed_with_asymmetric_flips(&instance.problem()), optimum(&instance));
        assert_optimal(&instance, &design, &optimum);
        assert_bound(&instance, &design, design.objective.lower_bound, &optimum);
    }
}

proptest! {
    #![proptest_config(one_in(3))]

    #[test]
    fn aware_for_the_largest_flip(instance in instances(Kind::Aware, Just(Goals::MaxFlip).boxed())) {
        check(&instance);
    }

    #[test]
    fn aware_for_the_expected_error(instance in instances(Kind::Aware, Just(Goals::ExpectedError).boxed())) {
        check(&instance);
    }

    #[test]
    fn aware_for_the_ordinal_error(instance in instances(Kind::Aware, Just(Goals::OrdinalError).boxed())) {
        check(&instance);
    }

    #[test]
    fn aware_for_a_loss(instance in instances(Kind::Aware, Just(Goals::Loss).boxed())) {
        check(&instance);
    }

    #[test]
    fn shared_for_the_largest_flip(instance in instances(Kind::Shared, Just(Goals::MaxFlip).boxed())) {
        check(&instance);
    }

    #[test]
    fn shared_for_the_expected_error(instance in instances(Kind::Shared, Just(Goals::ExpectedError).boxed())) {
        check(&instance);
    }

    #[test]
    fn shared_for_the_ordinal_error(instance in instances(Kind::Shared, Just(Goals::OrdinalError).boxed())) {
        check(&instance);
    }

    #[test]
    fn shared_for_a_loss(instance in instances(Kind::Shared, Just(Goals::Loss).boxed())) {
        check(&instance);
    }

    #[test]
    fn values_for_the_largest_flip(instance in instances(Kind::Point, Just(Goals::MaxFlip).boxed())) {
        check(&instance);
    }

    #[test]
    fn values_for_the_expected_error(instance in instances(Kind::Point, Just(Goals::ExpectedError).boxed())) {
        check(&instance);
    }

    #[test]
    fn values_for_the_ordinal_error(instance in instances(Kind::Point, Just(Goals::OrdinalError).boxed())) {
        check(&instance);
    }

    #[test]
    fn values_for_a_loss(instance in instances(Kind::Point, Just(Goals::Loss).boxed())) {
        check(&instance);
    }

    #[test]
    fn inputs_that_a_profile_never_has_get_its_output_law(
        instance in instances(Kind::Aware, Just(Goals::MaxFlip).boxed()),
    ) {
        let mechanism = designed_optimally(&instance.problem()).mechanism;
        for (secret, law) in instance.laws().iter().enumerate() {
            let (channel, output) = (mechanism.channel(secret as u32), mechanism.output_law(secret as u32));
            for (x, y) in (0..law.len().pow(2)).map(|at| (at / law.len(), at % law.len())).filter(|at| law[at.0] == 0.0) {
                let (entry, expected) = (float(&channel.probability(x, y)), float(&output.probability(y)));
                prop_assert!((entry - expected).abs() <= 1e-12, "row {x} of {secret} has {entry}, not {expected}");
            }
        }
    }
}

proptest! {
    #![proptest_config(one_in(16))]

    #[test]
    fn large_groups_for_any_goal(instance in large_groups(any_goal())) {
        check(&instance);
    }
}
