use super::*;
use crate::certify::certify;
use crate::exact::parse_rational;
use crate::model::{Names, SecretGraph};
use crate::pufferfish::{Framework, Values};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::slice;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

fn whole(number: i64) -> Rational {
    Rational::from_integer(number.into())
}

/// W of the sum by writing out every sequence of states, as a framework of joint laws.
fn by_brute_force(rows: &[Distribution], initial: &Distribution, weights: &[Rational], length: usize) -> Rational {
    let states = rows.len();
    let points = states.pow(length as u32);
    let state = |point: usize, moment: usize| point / states.pow(moment as u32) % states;
    let sum = |point: usize| (0..length).map(|moment| weights[state(point, moment)].clone()).sum::<Rational>();
    let probability = |point: usize| {
        let steps = (1..length).map(|t| rows[state(point, t - 1)].probability(state(point, t)));
        steps.fold(initial.probability(state(point, 0)), |product, step| product * step)
    };
    let values: Vec<Rational> = (0..points).map(sum).collect::<BTreeSet<_>>().into_iter().collect();
    let names = (0..length).flat_map(|t| (0..states).map(move |x| format!("X{t} is {x}")));
    let mut pairs = SecretGraph::builder(Names::new("secret", names).unwrap());
    for moment in 0..length {
        let members = (0..states).map(|x| (moment * states + x) as u32).collect();
        pairs.group("moment", members, "1".parse().unwrap()).unwrap();
    }
    let joint = Distribution::new(&(0..points).map(probability).collect::<Vec<_>>()).unwrap();
    let holds = |secret: usize, point: usize| state(point, secret / states) == secret % states;
    let place = |point: usize| values.binary_search(&sum(point)).unwrap();
    let domain = Values::numbers(values.clone()).unwrap();
    let framework = Framework::from_joint(pairs.build().unwrap(), domain, holds, place, &[("chain", joint)]);
    match framework {
        Ok(framework) => framework.wasserstein().unwrap().distance().clone(),
        // No moment has two possible states.
        Err(error) => {
            assert!(error.to_string().contains("nothing would be protected"), "{error}");
            whole(0)
        }
    }
}

fn rows(states: usize) -> impl Strategy<Value = Vec<Distribution>> {
    let row = prop::collection::vec(0u64..4, states)
        .prop_filter_map("zero sum", |weights| (weights.iter().sum::<u64>() > 0).then(|| law(&weights)));
    prop::collection::vec(row, states)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_program_agrees_with_all_sequences(
        (rows, initial) in (2usize..4).prop_flat_map(|states| (rows(states), prop::collection::vec(0u64..3, states))),
        weights in prop::collection::vec((-3i64..4, 1i64..3), 3), length in 1usize..6,
    ) {
        prop_assume!(initial.iter().sum::<u64>() > 0);
        let weights: Vec<Rational> =
            weights[..rows.len()].iter().map(|&(n, d)| Rational::new(n.into(), d.into())).collect();
        let initial = law(&initial);
        let chain = Chain::new(Initial::Given(initial.clone()), rows.clone()).unwrap();
        let found = sum_distance(&[chain], &weights, length as u64).unwrap();
        prop_assert_eq!(&found.distance, &by_brute_force(&rows, &initial, &weights, length));
        prop_assert!(found.exact);
        let stationary = Chain::new(Initial::Stationary, rows.clone()).unwrap();
        if let Ok(initial) = stationary.stationary() {
            let found = sum_distance(&[stationary], &weights, length as u64).unwrap();
            prop_assert_eq!(&found.distance, &by_brute_force(&rows, &initial, &weights, length));
        }
        // Whatever the first state's law is, the bound for all of them holds.
        let any = sum_distance(&[Chain::new(Initial::Arbitrary, rows.clone()).unwrap()], &weights, length as u64).unwrap();
        prop_assert!(any.distance >= found.distance && !any.exact);
    }
}

#[test]
fn a_chain_that_never_moves_costs_the_whole_length_and_one_without_memory_one() {
    let (zero, one) = (number("0"), number("1"));
    let stuck = Chain::new(Initial::Given(law(&[1, 1])), vec![law(&[1, 0]), law(&[0, 1])]).unwrap();
    let found = sum_distance(slice::from_ref(&stuck), &[zero.clone(), one.clone()], 7).unwrap();
    assert_eq!((found.distance.clone(), found.states), (number("7"), [0, 1]));
    assert!(certify(found.noise(&"1".parse().unwrap(), 0).unwrap()).is_ok());
    let free = Chain::new(Initial::Given(law(&[1, 3])), vec![law(&[1, 3]), law(&[1, 3])]).unwrap();
    assert_eq!(sum_distance(slice::from_ref(&free), &[zero.clone(), one.clone()], 7).unwrap().distance, number("1"));
    // The mean of the states, and the worst chain of the class.
    let share = [zero.clone(), number("1/7")];
    let found = sum_distance(&[free, stuck], &share, 7).unwrap();
    assert_eq!((found.distance, found.chain), (number("1"), 1));
}

#[test]
fn states_that_weigh_the_same_need_no_noise() {
    let chain = Chain::new(Initial::Arbitrary, vec![law(&[1, 1]), law(&[1, 2])]).unwrap();
    let found = sum_distance(&[chain], &[number("2"), number("2")], 5).unwrap();
    assert_eq!(found.distance, number("0"));
    assert!(found.noise(&"1".parse().unwrap(), 0).unwrap_err().to_string().starts_with("W = 0"));
}

#[test]
fn wrong_and_too_large_questions_are_refused() {
    let chain = || Chain::new(Initial::Stationary, vec![law(&[9, 1]), law(&[4, 6])]).unwrap();
    let weights = [number("0"), number("1")];
    let message =
        |class: &[Chain], weights: &[Rational], length| sum_distance(class, weights, length).unwrap_err().to_string();
    assert_eq!(message(&[], &weights, 3), "the class has no chain, expected at least one");
    assert_eq!(message(&[chain()], &weights, 0), "a sequence of length 0, expected at least one moment");
    assert_eq!(message(&[chain()], &weights[..1], 3), "chain 1: 1 weights for 2 states");
    assert!(
        message(&[chain()], &weights, 1_000_000).starts_with("chain 1: the exact laws of a sum over 1000000 moments")
    );
    let stuck = Chain::new(Initial::Stationary, vec![law(&[1, 0]), law(&[0, 1])]).unwrap();
    assert!(message(&[stuck], &weights, 3).starts_with("chain 1: "));
}
