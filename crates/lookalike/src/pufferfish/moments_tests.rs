use super::super::brute_force::{chains, true_loss};
use super::super::spectral::tests::chain;
use super::super::{Initial, contract, exact, group_scale};
use super::*;
use crate::certify::certify;
use crate::exact::{Direction, parse_rational, to_f64};
use crate::model::{BinaryBox, Distribution, Noise, Secrets};
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// Noise on a count, with the claim that noise of this scale hides every moment.
fn claimed(moments: Moments, scale: &Rational, epsilon: &Epsilon) -> Noise {
    let rate = Epsilon::rational(scale.clone().inv()).unwrap();
    Noise::for_epsilon(rate, number("1"), 0).unwrap().hiding(moments, epsilon.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// What the search finds, the certifier proves from the file alone; and what it proves is true of all sequences.
    #[test]
    fn claims_about_moments_are_proved_and_true(chain in chains(), length in 1u64..7, which in 0usize..3, tenths in 1u32..40) {
        let epsilon = Epsilon::rational(Rational::new(tenths.into(), 10.into())).unwrap();
        let list = [chain.clone()];
        let scale = match which {
            0 => exact(&list, length, &epsilon).unwrap().scale,
            1 => contract(&list, length, &epsilon).unwrap().scale,
            _ => group_scale(length, &epsilon).unwrap(),
        };
        let claim = moments(ChainClass::Chains(list.to_vec()), length, &scale, &epsilon, &ExactOptions::default()).unwrap();
        let certified = certify(claimed(claim.clone(), &scale, &epsilon)).unwrap();
        let lost = to_f64(&loss::loss(&claim, &scale.clone().inv()).unwrap().unwrap(), Direction::Up);
        let truth = true_loss(&chain, length as usize, to_f64(&scale, Direction::Nearest));
        prop_assert!(truth <= lost + 1e-9, "{truth} above {lost}");
        prop_assert!(truth <= epsilon.to_f64() + 1e-9);
        prop_assert_eq!(certified.mechanism().secrets(), Secrets::Moments { length });
    }

    /// A claim that is false of some sequence is never proved, whatever quilts its file names.
    #[test]
    fn no_quilts_prove_a_false_claim(
        chain in chains(),
        length in 1u64..7,
        distances in prop::collection::vec((prop::option::of(1u64..6), prop::option::of(1u64..6)), 6),
        open in 0u64..8,
        tenths in 1u32..30,
    ) {
        let scale = number("2");
        let distance = |distance: Option<u64>| distance.filter(|&distance| distance <= length);
        let mut runs: Vec<QuiltRun> = (1..=length)
            .map(|node| {
                let (left, right) = distances[node as usize % 6];
                QuiltRun { first: node, last: Some(node), left: distance(left), right: distance(right) }
            })
            .collect();
        runs.truncate(open as usize);
        if let Some(next) = (runs.len() as u64 + 1..=length).next() {
            let (left, right) = distances[0];
            runs.push(QuiltRun { first: next, last: None, left: distance(left), right: distance(right) });
        }
        let class = ChainClass::Chains(vec![chain.clone()]);
        let claim = Moments::new(class, length, MomentsProof::Quilts(vec![runs])).unwrap();
        let epsilon = Epsilon::rational(Rational::new(tenths.into(), 10.into())).unwrap();
        let truth = true_loss(&chain, length as usize, 2.0);
        if certify(claimed(claim, &scale, &epsilon)).is_ok() {
            prop_assert!(truth <= epsilon.to_f64() + 1e-9, "proved at {epsilon}, true {truth}");
        }
    }
}

/// The chain of the documentation: 0 and 1, stationary, [[.9, .1], [.4, .6]].
fn everyday() -> Chain {
    chain(Initial::Stationary, &[vec![9, 1], vec![4, 6]])
}

#[test]
fn the_loss_about_a_moment_is_not_that_about_the_number() {
    let (list, epsilon): (_, Epsilon) = ([everyday()], "1".parse().unwrap());
    let scale = exact(&list, 300, &epsilon).unwrap().scale.min(contract(&list, 300, &epsilon).unwrap().scale);
    let claim = moments(ChainClass::Chains(list.to_vec()), 300, &scale, &epsilon, &ExactOptions::default()).unwrap();
    let certified = certify(claimed(claim.clone(), &scale, &epsilon)).unwrap();
    let form = certified.certificate();
    let (about_number, about_moment) = (form.rate().unwrap().to_f64(), form.achieved().unwrap().to_f64());
    assert!((about_number - 0.2748).abs() < 1e-4, "{about_number}");
    assert!(about_moment > 0.91 && about_moment <= 1.0 + 1e-12, "{about_moment}");
    // The number's own ε, claimed about moments, is false.
    let smaller = certify(claimed(claim.clone(), &scale, &"0.2748".parse().unwrap())).unwrap_err();
    assert!(smaller.to_string().starts_with("a moment of the chain may lose up to"), "{smaller}");
    // Nor will one percent less noise do.
    assert!(certify(claimed(claim.clone(), &(&scale / number("1.01")), &epsilon)).is_err());
    // Three releases lose more than one, and no more than three times as much.
    let together = moments_lost(&claim, &(number("3") / &scale), &ExactOptions::default()).unwrap();
    assert!(together > number("2.8") && together <= number("3"), "{}", to_f64(&together, Direction::Up));
}

#[test]
fn a_stationary_chain_has_one_quilt_for_all_its_moments() {
    // A step that is impossible contracts nothing, so quilts must do.
    let (list, epsilon): (_, Epsilon) = ([chain(Initial::Stationary, &[vec![1, 1], vec![1, 0]])], "1".parse().unwrap());
    let of = |length: u64| {
        let scale = exact(&list, length, &epsilon).unwrap().scale;
        let claim =
            moments(ChainClass::Chains(list.to_vec()), length, &scale, &epsilon, &ExactOptions::default()).unwrap();
        let MomentsProof::Quilts(quilts) = claim.proof().clone() else { panic!("no contraction") };
        assert!(certify(claimed(claim, &scale, &epsilon)).is_ok());
        quilts
    };
    let long = of(1 << 30);
    assert_eq!(long[0].len(), 1);
    assert!(matches!(long[0][0], QuiltRun { first: 1, last: None, left: Some(_), right: Some(_) }));
    assert!(of(40)[0].iter().all(|run| run.left.is_some() || run.right.is_some()));
}

#[test]
fn limits_are_proved_by_contraction_or_not_at_all() {
    let ends = || ["0.35", "0.6"].map(number);
    let class = ChainClass::Box(BinaryBox::new(Initial::Arbitrary, ends(), ends()).unwrap());
    let ChainClass::Box(limits) = &class else { unreachable!() };
    let epsilon = "1".parse().unwrap();
    let scale = contract(&limits.corners(), 100, &epsilon).unwrap().scale;
    let of = |scale: &Rational| moments(class.clone(), 100, scale, &epsilon, &ExactOptions::default());
    assert!(certify(claimed(of(&scale).unwrap(), &scale, &epsilon)).is_ok());
    let error = of(&(scale / number("1.01"))).unwrap_err();
    assert!(error.is_inapplicable() && error.to_string().contains("larger scale"), "{error}");
}

#[test]
fn a_file_cannot_keep_its_reader_busy() {
    let run = QuiltRun { first: 1, last: Some(1 << 40), left: Some(1), right: Some(1) };
    let class = ChainClass::Chains(vec![everyday()]);
    let claim = Moments::new(class, 1 << 40, MomentsProof::Quilts(vec![vec![run]])).unwrap();
    let violation = certify(claimed(claim, &number("10"), &"1".parse().unwrap())).unwrap_err();
    assert!(violation.to_string().contains("one by one"), "{violation}");
}

#[test]
fn a_chain_without_one_stationary_law_proves_nothing() {
    let class = ChainClass::Chains(vec![chain(Initial::Stationary, &[vec![1, 0], vec![0, 1]])]);
    let run = QuiltRun { first: 1, last: None, left: Some(2), right: Some(2) };
    let claim = Moments::new(class, 10, MomentsProof::Quilts(vec![vec![run]])).unwrap();
    let violation = certify(claimed(claim, &number("10"), &"5".parse().unwrap())).unwrap_err();
    assert!(violation.to_string().contains("more than one stationary law"), "{violation}");
}

#[test]
fn many_cycles_of_different_lengths_do_not_keep_a_reader_busy() {
    // The states that are possible come round after 2·3·5·7·11·13·17 moments, and are then taken for all.
    let cycles = [2usize, 3, 5, 7, 11, 13, 17];
    let states: usize = cycles.iter().sum();
    let (mut rows, mut start) = (Vec::new(), vec![0u64; states]);
    for length in cycles {
        let first = rows.len();
        start[first] = 1;
        for at in 0..length {
            let next = first + (at + 1) % length;
            rows.push((0..states).map(|to| u64::from(to == next)).collect::<Vec<u64>>());
        }
    }
    let law = Distribution::from_weights(start.into_iter().map(Into::into).collect()).unwrap();
    let class = ChainClass::Chains(vec![chain(Initial::Given(law), &rows)]);
    let run = QuiltRun { first: 1, last: None, left: None, right: None };
    let claim = Moments::new(class, 1 << 30, MomentsProof::Quilts(vec![vec![run]])).unwrap();
    assert_eq!(loss::loss(&claim, &number("1")).unwrap(), Some(number("1073741824")));
}
