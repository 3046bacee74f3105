//! Among the mechanisms with the least largest flip, the design takes one with the least expected error.

use crate::oracle::formulation::{optimum, optimum_within};
use crate::oracle::instance::{Goal, Instance, Kind};
use crate::oracle::strategy::{Goals, instances, one_in};
use crate::oracle::*;
use proptest::prelude::*;

/// How steeply the least error may rise as the cap falls makes a tighter comparison meaningless.
const TOLERANCE: f64 = 1e-6;

/// Whether no budget is tiny.
fn has_room(instance: &Instance) -> bool {
    instance.smallest_budget().1 >= 0.1
}

proptest! {
    #![proptest_config(one_in(2))]

    #[test]
    fn the_second_stage_has_the_least_error_under_the_cap(
        instance in instances(Kind::Aware, Just(Goals::MaxFlip).boxed()),
    ) {
        if has_room(&instance) {
            let mechanism = designed_optimally(&instance.problem()).mechanism;
            let averaged = instance.with_goal(Goal::ExpectedError);
            let least = optimum_within(&averaged, Some(optimum(&instance).upper));
            let error = averaged.value_of(|s, x, y| float(&mechanism.channel(s as u32).probability(x, y)));
            prop_assert!(error <= least.upper + TOLERANCE, "an error of {error}, where {} would do", least.upper);
            prop_assert!(error >= least.lower - TOLERANCE, "an error of {error}, below the least {}", least.lower);
        }
    }
}
