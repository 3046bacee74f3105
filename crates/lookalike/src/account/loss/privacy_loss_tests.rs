//! Tests of exact losses: against all sequences of outputs, closed forms and the certifier's δ.

use super::super::tests_support::{laws, losses, small};
use super::*;
use crate::certify::delta_at;
use crate::exact::parse_rational;
use crate::model::{Categories, Channel, Mechanism, SecretGraph};
use crate::strategies;
use proptest::prelude::*;

/// With ties: ratios of small numbers are often exactly e^ε.
const EPSILONS: [&str; 9] = ["ln(2)", "ln(3)", "ln(3/2)", "ln(4/3)", "2*ln(2)", "1/10", "1/2", "2", "1e-9"];

/// The probabilities of every sequence of outputs under both laws.
fn sequences(parts: &[([Distribution; 2], u32)]) -> Vec<[Rational; 2]> {
    let mut all = vec![[Rational::one(), Rational::one()]];
    for (laws, k) in parts {
        for _ in 0..*k {
            let next = |[p, q]: &[Rational; 2]| {
                let outputs = 0..laws[0].len();
                let step = |output| [p * laws[0].probability(output), q * laws[1].probability(output)];
                outputs.map(step).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(next).collect();
        }
    }
    all
}

/// Σ P and Σ Q over the sequences beyond e^ε.
fn enumerated(sequences: &[[Rational; 2]], epsilon: &Epsilon) -> [Rational; 2] {
    let whole = |a: &BigInt, b: &BigInt| Natural::from((a * b).to_biguint().unwrap());
    let beyond = |[p, q]: &&[Rational; 2]| exceeds(&whole(p.numer(), q.denom()), epsilon, &whole(q.numer(), p.denom()));
    let mut sums = [Rational::zero(), Rational::zero()];
    for sequence in sequences.iter().filter(beyond) {
        sums.iter_mut().zip(sequence).for_each(|(sum, probability)| *sum += probability);
    }
    sums
}

/// Σ (P − factor·Q)⁺.
fn hockey_stick(sequences: &[[Rational; 2]], factor: &Rational) -> Rational {
    sequences.iter().map(|[p, q]| (p - factor * q).max(Rational::zero())).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn several_releases_are_what_all_sequences_are(pair in laws(4), k in 1u32..5) {
        let all = sequences(&[(pair.clone(), k)]);
        let loss = PrivacyLoss::of(&pair[0], &pair[1]).unwrap().times(k).unwrap();
        for text in EPSILONS {
            let epsilon = text.parse().unwrap();
            prop_assert_eq!(loss.delta(&epsilon).probabilities().clone(), enumerated(&all, &epsilon), "{}", text);
        }
    }

    #[test]
    fn different_releases_are_what_all_sequences_are_in_any_order(one in laws(3), other in laws(4), k in 0u32..3, l in 0u32..3) {
        let all = sequences(&[(one.clone(), k), (other.clone(), l)]);
        let [a, b] = [&one, &other].map(|pair| PrivacyLoss::of(&pair[0], &pair[1]).unwrap());
        let loss = PrivacyLoss::composed(&[(&a, k), (&b, l)]).unwrap();
        prop_assert_eq!(&loss, &PrivacyLoss::composed(&[(&b, l), (&a, k)]).unwrap());
        for text in EPSILONS {
            let epsilon = text.parse().unwrap();
            prop_assert_eq!(loss.delta(&epsilon).probabilities().clone(), enumerated(&all, &epsilon), "{}", text);
        }
    }

    #[test]
    fn epsilon_is_the_least_that_is_enough(pair in laws(4), k in 1u32..4, n in 0u32..=60) {
        let all = sequences(&[(pair.clone(), k)]);
        let delta = Rational::new(n.into(), 60.into());
        let loss = PrivacyLoss::of(&pair[0], &pair[1]).unwrap().times(k).unwrap();
        match loss.exp_epsilon(&delta) {
            None => prop_assert!(loss.infinite() > delta),
            Some(power) => {
                prop_assert!(hockey_stick(&all, &power) <= delta);
                let less = &power * Rational::new(999_999.into(), 1_000_000.into());
                prop_assert!(power.is_one() || hockey_stick(&all, &less) > delta);
            }
        }
    }

    #[test]
    fn the_trade_off_curve_is_convex_falls_and_no_test_is_below_it(pair in laws(5), k in 1u32..3, picks in any::<u64>()) {
        let loss = PrivacyLoss::of(&pair[0], &pair[1]).unwrap().times(k).unwrap();
        let curve = loss.trade_off();
        prop_assert!(curve[0][0].is_zero() && curve[curve.len() - 1] == [Rational::one(), Rational::zero()]);
        let slope = |piece: &[[Rational; 2]]| (&piece[1][1] - &piece[0][1]) / (&piece[1][0] - &piece[0][0]);
        let slopes: Vec<Rational> = curve.windows(2).map(slope).collect();
        prop_assert!(slopes.windows(2).all(|pair| pair[0] < pair[1]) && slopes.iter().all(|slope| *slope <= Rational::zero()));
        // Any set of sequences is a test.
        let set = sequences(&[(pair, k)]).into_iter().enumerate().filter(|(at, _)| picks >> (at % 64) & 1 == 1);
        let [power, alpha] = set.fold([Rational::zero(), Rational::zero()], |[p, q], (_, sequence)| [p + &sequence[0], q + &sequence[1]]);
        let piece = curve.windows(2).find(|piece| piece[1][0] >= alpha).unwrap();
        let beta = &piece[0][1] + slope(piece) * (&alpha - &piece[0][0]);
        prop_assert!(Rational::one() - power >= beta);
    }

    #[test]
    fn the_reverse_of_the_reverse_is_the_loss(loss in losses(5)) {
        prop_assert_eq!(loss.reversed().reversed(), loss);
    }

    #[test]
    fn one_release_is_what_the_certifier_says(rows in prop::collection::vec(strategies::row(4), 3)) {
        let outputs = Categories::new(["a", "b", "c", "d"]).unwrap();
        let inputs = Categories::new(["x", "y", "z"]).unwrap();
        let mut builder = SecretGraph::builder(inputs.names().clone());
        builder.chain(&"1".parse().unwrap());
        let mechanism = Mechanism::point(inputs, outputs, builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap();
        let [x, y, z] = [0, 1, 2].map(|secret| mechanism.output_law(secret));
        for text in EPSILONS {
            let epsilon = text.parse().unwrap();
            let expected = delta_at(&mechanism, &epsilon).unwrap();
            let pairs = [(&x, &y), (&y, &x), (&y, &z), (&z, &y)];
            let found = pairs.map(|(one, other)| PrivacyLoss::of(one, other).unwrap().times(1).unwrap().delta(&epsilon));
            let largest = found.iter().max_by(|one, other| one.compare(other)).unwrap();
            prop_assert_eq!(largest.compare(expected.excess()), Ordering::Equal);
        }
    }
}

#[test]
fn randomized_response_is_the_binomial_law() {
    // Warner at ln 3: with j of k answers as they are, 3^j against 3^(k−j) out of 4^k.
    let once = small(&[3, 1], &[1, 3]);
    for k in [1u32, 2, 3, 7, 20, 100, 317, 1000] {
        let loss = once.times(k).unwrap();
        let (three, mut ways) = (BigUint::from(3u32), BigUint::one());
        let mut masses = [BigUint::ZERO, BigUint::ZERO];
        assert_eq!(loss.whole, BigUint::from(4u32).pow(k));
        assert_eq!((loss.ratios(), &loss.vertices[0]), (k as usize + 1, &masses));
        for (wrong, vertex) in (0..=k).zip(&loss.vertices[1..]) {
            masses[0] += &ways * three.pow(k - wrong);
            masses[1] += &ways * three.pow(wrong);
            assert_eq!(vertex, &masses, "{k} {wrong}");
            ways = ways * (k - wrong) / (wrong + 1);
        }
    }
}

#[test]
fn a_thousand_answers_have_the_epsilon_of_exact_fractions() {
    // 21:19 is ε = 0.10008 each. By fractions in another language.
    let loss = small(&[21, 19], &[19, 21]);
    for (k, least) in [
        (1u32, "0.1000815537932637133263223"),
        (10, "1.0002057407167141513458335"),
        (100, "4.7789004987785040777723095"),
        (1000, "19.364816135132688591829430"),
    ] {
        let power = loss.times(k).unwrap().exp_epsilon(&parse_rational("1e-6").unwrap()).unwrap();
        let found = crate::exact::enclose_ln(&power, 100).unwrap();
        let least = parse_rational(least).unwrap();
        assert!(found.lower().to_rational() >= least, "{k}");
        assert!(found.upper().to_rational() <= least + parse_rational("1e-23").unwrap(), "{k}");
    }
}

#[test]
fn what_would_take_long_is_refused() {
    let loss = small(&[1, 2, 3, 4, 5], &[5, 4, 3, 2, 2]);
    assert!(loss.times(20).is_ok());
    let error = loss.times(100).unwrap_err();
    assert!(error.is_inapplicable());
    assert_eq!(
        error.to_string(),
        "4598126 outcomes of the releases in numbers of 800 bits, expected at most 20000 and less work (a loss on a grid \
         has no such limit)"
    );
    let other = PrivacyLoss::of(&super::super::tests_support::law(&[1]), &super::super::tests_support::law(&[1, 1]));
    assert_eq!(other.unwrap_err().to_string(), "laws over 1 and 2 outputs, expected the same outputs");
}

#[test]
fn what_only_one_law_makes_is_kept_apart() {
    let loss = small(&[1, 3, 0], &[0, 3, 1]);
    assert_eq!((loss.ratios(), loss.infinite().to_string()), (1, "1/4".to_owned()));
    // Twice: all but two middle ones tell P, (1 − 9/16).
    let twice = loss.times(2).unwrap();
    assert_eq!(twice.infinite().to_string(), "7/16");
    assert_eq!(twice.exp_epsilon(&parse_rational("0.4").unwrap()), None);
    assert_eq!(twice.exp_epsilon(&parse_rational("7/16").unwrap()), Some(Rational::one()));
    let apart = small(&[1, 0], &[0, 1]).times(3).unwrap();
    assert_eq!((apart.ratios(), apart.infinite()), (0, Rational::one()));
    assert_eq!(apart.exp_epsilon(&Rational::one()), Some(Rational::one()));
}
