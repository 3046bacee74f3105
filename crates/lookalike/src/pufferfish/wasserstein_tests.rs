use super::*;
use crate::certify::certify;
use crate::exact::parse_rational;
use crate::model::{Names, SecretGraph};
use crate::pufferfish::{Theta, Values, learned_from_noise};
use num_bigint::BigInt;
use num_traits::{One, Pow, ToPrimitive};
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

fn framework(values: Values, epsilon: &str, laws: [&[u64]; 2]) -> Framework {
    let mut pairs = SecretGraph::builder(Names::new("secret", ["well", "ill"]).unwrap());
    pairs.edge(0, 1, epsilon.parse().unwrap()).unwrap();
    let theta = Theta::new("flu", laws.map(|weights| Some(law(weights))).to_vec());
    Framework::new(pairs.build().unwrap(), values, vec![theta]).unwrap()
}

/// The largest likelihood ratio of released grid points, over all of them, for noise of e^−decay = α.
fn largest_ratio(framework: &Framework, noise: &Noise, alpha: &Rational) -> Rational {
    let steps: Vec<BigInt> = framework.values().as_numbers().unwrap().iter().map(|value| noise.round(value)).collect();
    let (least, most) = (steps.iter().min().unwrap().clone(), steps.iter().max().unwrap().clone());
    let likelihood = |of: u32, z: &BigInt| {
        let law = framework.class()[0].law(of).unwrap();
        let term = |(place, step): (usize, &BigInt)| {
            law.probability(place) * Pow::pow(alpha.clone(), (z - step).magnitude().to_u32().unwrap())
        };
        steps.iter().enumerate().map(term).sum::<Rational>()
    };
    let mut z = least - BigInt::from(2);
    let mut largest = Rational::zero();
    while z <= &most + BigInt::from(2) {
        let [p, q] = [0, 1].map(|of| likelihood(of, &z));
        largest = largest.max(&p / &q).max(q / p);
        z += BigInt::one();
    }
    largest
}

#[test]
fn the_flu_clique_is_two_apart_and_half_the_noise_is_too_little() {
    let flu = framework(Values::count(4).unwrap(), "2*ln(2)", [&[8, 9, 20, 3, 0], &[0, 3, 20, 9, 8]]);
    let found = flu.wasserstein().unwrap();
    assert_eq!((found.distance().to_string(), found.farthest().secrets), ("2".into(), [0, 1]));
    let noise = found.noise(0).unwrap();
    assert_eq!(noise.decay().to_string(), "ln(2)");
    assert!(certify(noise.clone()).is_ok());
    assert!(largest_ratio(&flu, &noise, &number("1/2")) <= number("4"));
    // The ends are one apart only, so half the noise may still do for this query; for one that moves as a whole not.
    let moved = framework(Values::count(4).unwrap(), "2*ln(2)", [&[1, 1, 1, 0, 0], &[0, 0, 1, 1, 1]]);
    let noise = moved.wasserstein().unwrap().noise(0).unwrap();
    assert_eq!(largest_ratio(&moved, &noise, &number("1/2")), number("4"), "tight");
    assert!(largest_ratio(&moved, &noise, &number("1/4")) > number("4"), "half the noise");
}

#[test]
fn pairs_with_a_smaller_epsilon_decide_where_they_need_more_noise() {
    let mut pairs = SecretGraph::builder(Names::new("secret", ["a", "b", "c"]).unwrap());
    pairs.edge(0, 1, "1".parse().unwrap()).unwrap();
    pairs.edge(1, 2, "1/4".parse().unwrap()).unwrap();
    let laws = [&[1, 1, 0, 0][..], &[0, 0, 1, 1], &[0, 1, 1, 0]].map(|weights| Some(law(weights)));
    let class = vec![Theta::new("all", laws.to_vec())];
    let framework = Framework::new(pairs.build().unwrap(), Values::count(3).unwrap(), class).unwrap();
    let found = framework.wasserstein().unwrap();
    assert_eq!(found.distance(), &number("2"), "a and b");
    let noise = found.noise(0).unwrap();
    assert_eq!((noise.decay().to_string(), noise.epsilon().to_string()), ("1/4".into(), "1/4".into()), "b and c");
    // At the larger distance 2 the decay costs 1/2, which is within the pair's ε of 1.
    assert_eq!(found.by_epsilon().len(), 2);
}

#[test]
fn a_query_that_tells_nothing_needs_no_noise() {
    let same = framework(Values::count(1).unwrap(), "1", [&[1, 3], &[2, 6]]);
    let found = same.wasserstein().unwrap();
    assert!(found.distance().is_zero());
    let error = found.noise(0).unwrap_err();
    assert!(error.is_inapplicable());
    assert!(error.to_string().ends_with("it tells nothing about them and needs no noise"), "{error}");
}

#[test]
fn distances_of_values_off_the_grid_are_rounded_up_to_steps() {
    let values = Values::numbers(["0", "0.3", "0.9"].map(number).to_vec()).unwrap();
    let shares = framework(values, "1", [&[1, 1, 0], &[0, 1, 1]]);
    let found = shares.wasserstein().unwrap();
    assert_eq!(found.distance(), &number("0.6"));
    // On quarters 0.3 and 0.9 are 1 and 4 steps: three, as ⌈0.6/0.25⌉.
    let noise = found.noise(-2).unwrap();
    assert_eq!(noise.steps().to_string(), "3");
    assert!(certify(noise).is_ok());
}

proptest! {
    #[test]
    fn noise_for_the_distance_is_private_and_what_is_learned_is_found(
        one in prop::collection::vec(0u64..5, 5), other in prop::collection::vec(0u64..5, 5),
        gaps in prop::collection::vec(1i32..9, 5), exponent in -2i32..1,
    ) {
        prop_assume!(one.iter().sum::<u64>() > 0 && other.iter().sum::<u64>() > 0);
        let mut value = Rational::zero();
        let values = gaps.iter().map(|&gap| { value += Rational::new(gap.into(), 5.into()); value.clone() }).collect();
        // ε is a whole multiple of ln 2 for the steps at hand, so that α = 1/2 is a fraction and the ratios are exact.
        let probe = framework(Values::numbers(values).unwrap(), "1", [&one, &other]);
        let found = probe.wasserstein().unwrap();
        prop_assume!(!found.distance().is_zero());
        let steps = found.noise(exponent).unwrap().steps();
        let framework = framework(probe.values().clone(), &format!("{steps}*ln(2)"), [&one, &other]);
        let noise = framework.wasserstein().unwrap().noise(exponent).unwrap();
        prop_assert_eq!(noise.decay().to_string(), "ln(2)");
        let ratio = largest_ratio(&framework, &noise, &number("1/2"));
        prop_assert!(ratio <= Rational::from_integer(Pow::pow(BigInt::from(2), steps.to_u32().unwrap())));
        let half = number("1/2");
        let believed = [[0, 1], [1, 0]].map(|pair| learned_from_noise(&framework, 0, pair, &noise, &half).unwrap().achieved);
        let most = believed.into_iter().max().unwrap();
        let expected = &ratio / (&ratio + Rational::one());
        prop_assert!(most >= expected && &most - &expected < number("1e-40"), "{} and {}", most, expected);
    }
}
