//! Tests of tupling: published values, brute force over ordered tuples, and what must be so for every law.

use super::*;
use crate::certify::delta_at;
use crate::exact::parse_rational;
use crate::model::{Categories, Channel, Names, SecretGraph};
use crate::strategies::channel;
use num_traits::Signed;
use proptest::prelude::*;
use std::cmp::Ordering;

fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn rational(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// Both directions of Σ (P₀(t) − power·P₁(t))⁺ over all ordered tuples, from the definition.
fn by_brute_force(laws: [&Distribution; 2], dummy: &Distribution, dummies: u32, power: &Rational) -> Rational {
    let vector = |law: &Distribution| law.probabilities().collect::<Vec<_>>();
    let (laws, dummy, length) = (laws.map(vector), vector(dummy), dummies as usize + 1);
    let mut sums = [Rational::zero(), Rational::zero()];
    for number in 0..dummy.len().pow(dummies + 1) {
        let tuple: Vec<usize> = (0..length).map(|place| number / dummy.len().pow(place as u32) % dummy.len()).collect();
        let probability = |law: &Vec<Rational>| {
            let at = |place: usize| {
                let others = (0..length).filter(|&other| other != place).map(|other| &dummy[tuple[other]]);
                &law[tuple[place]] * others.product::<Rational>()
            };
            (0..length).map(at).sum::<Rational>() / BigInt::from(length)
        };
        let [p, q] = laws.each_ref().map(probability);
        for (sum, gain) in sums.iter_mut().zip([&p - power * &q, &q - power * &p]) {
            *sum += if gain.is_positive() { gain } else { Rational::zero() };
        }
    }
    let [one, other] = sums;
    one.max(other)
}

#[test]
fn the_published_values_for_four_outputs_come_out() {
    let (one, other, uniform) = (law(&[4, 3, 2, 1]), law(&[1, 2, 3, 4]), law(&[1; 4]));
    for (dummies, expected) in [(0, "0.2351"), (1, "0.1101"), (2, "0.0642"), (4, "0.0284"), (8, "0.0075")] {
        let delta = tupled_delta([&one, &other], &uniform, dummies, &epsilon("0.5")).unwrap();
        let [lower, upper] = [delta.enclosure().lower().to_rational(), delta.enclosure().upper().to_rational()];
        assert!(rational(expected) - rational("0.00005") <= lower && upper <= rational(expected) + rational("0.00005"));
    }
}

fn any_law(size: usize) -> impl Strategy<Value = Distribution> {
    let weight = prop_oneof![1 => Just(0u64), 4 => 1u64..6, 1 => 1u64..1_000_000_000_000];
    prop::collection::vec(weight, size).prop_filter_map("no weight", |weights| {
        Distribution::from_weights(weights.into_iter().map(Into::into).collect()).ok()
    })
}

fn three_laws() -> impl Strategy<Value = [Distribution; 3]> {
    (1usize..5).prop_flat_map(|size| [any_law(size), any_law(size), any_law(size)])
}

fn power() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop_oneof![Just(("ln(3/2)", "3/2")), Just(("ln(2)", "2")), Just(("ln(101/100)", "101/100")), Just(("ln(7)", "7"))]
}

proptest! {
    // Brute force in fractions is slow.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn delta_is_that_of_all_ordered_tuples([one, other, dummy] in three_laws(), dummies in 0u32..4, (text, power) in power()) {
        let delta = tupled_delta([&one, &other], &dummy, dummies, &epsilon(text)).unwrap();
        prop_assert_eq!(delta.exact().unwrap(), by_brute_force([&one, &other], &dummy, dummies, &rational(power)));
    }

    // Where e^ε is irrational: between the brute force at the two ends of an enclosure.
    #[test]
    fn an_irrational_power_is_as_exact([one, other, dummy] in three_laws(), dummies in 0u32..3) {
        let epsilon = epsilon("0.3");
        let found = tupled_delta([&one, &other], &dummy, dummies, &epsilon).unwrap().enclosure();
        let wide = epsilon.exp(200);
        let [least, most] = [wide.upper(), wide.lower()]
            .map(|power| by_brute_force([&one, &other], &dummy, dummies, &power.to_rational()));
        prop_assert!(found.lower().to_rational() <= most && least <= found.upper().to_rational());
        prop_assert_eq!(found.is_positive(), most.is_positive());
    }
}

proptest! {
    #[test]
    fn delta_falls_with_dummies_and_no_further_than_what_they_never_are([one, other, dummy] in three_laws(), text in prop_oneof![Just("ln(2)"), Just("1/5")]) {
        let epsilon = epsilon(text);
        let delta = |dummies| tupled_delta([&one, &other], &dummy, dummies, &epsilon).unwrap();
        let deltas: Vec<Excess> = [0, 1, 2, 3, 5, 9].map(delta).into();
        prop_assert!(deltas.windows(2).all(|pair| pair[1].compare(&pair[0]) != Ordering::Greater));
        let power = epsilon.exp(100).upper().to_rational();
        let exposed = (0..dummy.len()).filter(|&output| dummy.numerator(output).is_zero());
        let gain = exposed.map(|output| one.probability(output) - &power * other.probability(output));
        let floor: Rational = gain.filter(Signed::is_positive).sum();
        prop_assert!(deltas.last().unwrap().enclosure().upper().to_rational() >= floor);
    }

    #[test]
    fn without_dummies_it_is_the_delta_of_the_mechanism(channel in channel(3), profiles in prop::collection::vec(any_law(3), 4), dummy in any_law(3), text in prop_oneof![Just("1/10"), Just("ln(2)")]) {
        let abc = Categories::new(["a", "b", "c"]).unwrap();
        let mut builder = SecretGraph::builder(Names::new("profile", ["p", "q", "r", "s"]).unwrap());
        builder.edge(3, 0, epsilon("1")).unwrap();
        builder.group("g", vec![0, 1, 2], epsilon("1")).unwrap();
        let mechanism = Mechanism::shared(abc.clone(), abc, builder.build().unwrap(), profiles, channel).unwrap();
        let found = tupling(&mechanism, &dummy, &[0, 2], &epsilon(text)).unwrap();
        let (plain, tupled) = (delta_at(&mechanism, &epsilon(text)).unwrap(), &found[0]);
        prop_assert_eq!(tupled.delta().probabilities(), plain.probabilities());
        prop_assert_eq!((tupled.secrets(), tupled.dummies()), (plain.secrets(), 0));
        // With dummies it is the largest of the pairs.
        let laws: Vec<Distribution> = (0..4).map(|secret| mechanism.output_law(secret)).collect();
        let of = |[a, b]: [usize; 2]| tupled_delta([&laws[a], &laws[b]], &dummy, 2, &epsilon(text)).unwrap();
        let deltas = [[0, 1], [0, 2], [1, 2], [0, 3]].map(of);
        let largest = deltas.iter().max_by(|one, other| one.compare(other)).unwrap();
        prop_assert_eq!(largest.compare(found[1].delta()), Ordering::Equal);
    }
}

#[test]
fn outputs_that_no_dummy_is_stay_telling() {
    let (one, other) = (law(&[8, 1, 1]), law(&[1, 1, 8]));
    let delta = |dummy: &[u64], dummies| tupled_delta([&one, &other], &law(dummy), dummies, &epsilon("ln(2)")).unwrap();
    // Dummies are always the second output: 8/10 − 2·1/10, however many there are.
    for dummies in [0, 1, 7, 256] {
        assert_eq!(delta(&[0, 1, 0], dummies).exact(), Some(rational("0.6")));
    }
    assert!(delta(&[1, 1, 1], 50).exact().unwrap() < rational("0.001"));
    // Nothing remains of laws that are equal.
    assert!(tupled_delta([&one, &one], &law(&[1, 0, 1]), 3, &epsilon("0.001")).unwrap().is_zero());
}

#[test]
fn outputs_of_one_kind_are_one_so_many_are_no_obstacle() {
    // 60 outputs of two kinds.
    let weights = |flip: bool| (0..60u64).map(|at| if (at % 2 == 0) == flip { 3 } else { 1 }).collect::<Vec<_>>();
    let (one, other, uniform) = (law(&weights(true)), law(&weights(false)), law(&[1; 60]));
    let two = [law(&[3, 1]), law(&[1, 3]), law(&[1, 1])];
    for dummies in [0, 1, 10, 256] {
        let many = tupled_delta([&one, &other], &uniform, dummies, &epsilon("0.5")).unwrap();
        let few = tupled_delta([&two[0], &two[1]], &two[2], dummies, &epsilon("0.5")).unwrap();
        assert_eq!(many, few);
    }
}

#[test]
fn what_would_take_too_long_is_refused_with_its_size() {
    let names = Categories::new((0..30).map(|at| format!("v{at}"))).unwrap();
    let mut builder = SecretGraph::builder(names.names().clone());
    builder.complete(&epsilon("1"));
    let identity = Channel::identity(30).unwrap();
    let mechanism = Mechanism::point(names.clone(), names, builder.build().unwrap(), identity).unwrap();
    let message = |dummy: &Distribution, dummies: &[u32]| {
        tupling(&mechanism, dummy, dummies, &epsilon("1")).unwrap_err().to_string()
    };
    let uneven = law(&(1..=30).collect::<Vec<u64>>());
    assert_eq!(message(&law(&[1; 30]), &[1, 257]), "257 dummies, expected at most 256");
    assert_eq!(message(&law(&[1; 3]), &[1]), "dummies over 3 outputs, expected the 30 of the reports");
    // The identity tells three kinds apart: one value, the other, and the rest.
    assert!(tupling(&mechanism, &uneven, &[0, 3], &epsilon("1")).is_ok());
    let spread = law(&(0..30).map(|at| 1 << at).collect::<Vec<u64>>());
    let error = tupled_delta([&spread, &uneven], &law(&[1; 30]), 20, &epsilon("1")).unwrap_err();
    assert!(error.is_inapplicable());
    assert_eq!(
        error.to_string(),
        "1 pair of secrets with 30 kinds of outputs and 20 dummies make 78099837432848 cases, expected at most 4000000 \
         (ask for fewer dummies, or about a mechanism with fewer outputs)"
    );
}
