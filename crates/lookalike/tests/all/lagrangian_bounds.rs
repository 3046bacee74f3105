//! The lower bounds that multipliers of the privacy constraints give: valid for any multipliers, tight for the best.
//!
//! With λ ≥ 0 on each `q_s(y) ≤ e^ε q_s'(y)`, and g_s(y) = Σ λ where s is on the left − Σ e^ε λ where it is on the
//! right, a private mechanism has Σ_s Σ_y q_s(y) g_s(y) ≤ 0. These bounds are what a design's proof rests on.

use crate::oracle::formulation::{Optimum, Price, optimum};
use crate::oracle::instance::{Instance, Kind};
use crate::oracle::strategy::{Goals, any_goal, instances, one_in};
use proptest::prelude::*;

/// g_s(y).
fn charges(instance: &Instance, prices: &[Price]) -> Vec<Vec<f64>> {
    let mut charges = vec![vec![0.0; instance.categories]; instance.laws().len()];
    for price in prices {
        charges[price.left][price.output] += price.multiplier;
        charges[price.right][price.output] -= price.ratio * price.multiplier;
    }
    charges
}

/// The rows that a mechanism may choose apart: for each the input and what each output is charged, in all.
fn rows(instance: &Instance, prices: &[Price]) -> Vec<(usize, Vec<f64>)> {
    let (laws, charges, d) = (instance.laws(), charges(instance, prices), instance.categories);
    let (costs, weights) = (instance.costs(), instance.weights());
    let charge = |secret: usize, x: usize, y: usize| {
        let cost = costs.as_ref().map_or(0.0, |costs| weights[secret] * costs[x][y]);
        laws[secret][x] * (cost + charges[secret][y])
    };
    let own = |secret: usize, x: usize| (x, (0..d).map(|y| charge(secret, x, y)).collect::<Vec<_>>());
    let joint = |x: usize| (x, (0..d).map(|y| (0..laws.len()).map(|secret| charge(secret, x, y)).sum()).collect());
    match instance.kind {
        Kind::Aware => (0..laws.len()).flat_map(|secret| (0..d).map(move |x| own(secret, x))).collect(),
        _ => (0..d).map(joint).collect(),
    }
}

/// Averaged losses: each row puts all on its cheapest output.
fn averaged_bound(instance: &Instance, prices: &[Price]) -> f64 {
    rows(instance, prices).iter().map(|(_, row)| row.iter().copied().fold(f64::INFINITY, f64::min)).sum()
}

/// The least total charge when no wrong output has more than `most`. If it is positive, the largest flip is above it.
fn capped_charge(instance: &Instance, prices: &[Price], most: f64) -> f64 {
    let cheapest = |(x, row): (usize, Vec<f64>)| {
        let mut outputs: Vec<usize> = (0..row.len()).collect();
        outputs.sort_by(|&a, &b| row[a].total_cmp(&row[b]));
        let (mut left, mut sum) = (1f64, 0.0);
        for y in outputs {
            let share = if y == x { left } else { most.min(left) };
            sum += share * row[y];
            left -= share;
        }
        sum
    };
    rows(instance, prices).into_iter().map(cheapest).sum()
}

/// The multipliers, each changed by a factor of its own, and a few that were 0 no longer.
fn shaken(prices: &[Price], factors: &[f64]) -> Vec<Price> {
    let largest = prices.iter().fold(1e-3, |most: f64, price| most.max(price.multiplier));
    let mut shaken = prices.to_vec();
    for (price, factor) in shaken.iter_mut().zip(factors.iter().cycle()) {
        price.multiplier = price.multiplier * factor + if *factor > 1.9 { (factor - 1.9) * largest } else { 0.0 };
    }
    shaken
}

/// What the arithmetic of these sums may be wrong by.
fn rounding(prices: &[Price]) -> f64 {
    1e-12 + 1e-14 * prices.iter().map(|price| price.multiplier * price.ratio).sum::<f64>()
}

fn check(instance: &Instance, factors: &[f64]) {
    let Optimum { lower, upper, prices } = optimum(instance);
    let shaken = shaken(&prices, factors);
    let error = rounding(&shaken) + rounding(&prices);
    if instance.costs().is_some() {
        let (best, other) = (averaged_bound(instance, &prices), averaged_bound(instance, &shaken));
        assert!(best <= upper + error && other <= upper + error, "{best} or {other} above {upper}");
        assert!(best >= lower - 1e-9, "{best} is not {lower}");
        return;
    }
    for prices in [&prices, &shaken] {
        for most in [upper, 1.5 * upper, 1.0] {
            let charge = capped_charge(instance, prices, most);
            assert!(charge <= error, "a charge of {charge} at {most}, which is possible");
        }
    }
    for share in [0.0, 0.5, 0.9, 0.999, 0.999_999] {
        let charge = capped_charge(instance, &prices, share * lower);
        assert!(charge >= (1.0 - share) * lower - 1e-9, "a charge of only {charge} at {share} of {lower}");
    }
}

fn any_factors() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0..2.0, 40)
}

proptest! {
    #![proptest_config(one_in(2))]

    #[test]
    fn bound_aware_mechanisms(instance in instances(Kind::Aware, any_goal()), factors in any_factors()) {
        check(&instance, &factors);
    }

    #[test]
    fn bound_shared_channels(instance in instances(Kind::Shared, any_goal()), factors in any_factors()) {
        check(&instance, &factors);
    }

    #[test]
    fn bound_the_largest_flip(
        aware in instances(Kind::Aware, Just(Goals::MaxFlip).boxed()),
        shared in instances(Kind::Shared, Just(Goals::MaxFlip).boxed()),
        point in instances(Kind::Point, Just(Goals::MaxFlip).boxed()),
        factors in any_factors(),
    ) {
        [aware, shared, point].iter().for_each(|instance| check(instance, &factors));
    }
}
