//! Tests of [`super::Digit`]: every bound is walked around, word by word.

use super::*;
use crate::exact::parse_rational;
use num_traits::Zero;
use proptest::prelude::*;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

/// C_i for β = q/p, exactly.
fn bound(p: u64, q: u64, i: u32, period: Option<u32>) -> Rational {
    let power = |n: u32| Pow::pow(&Rational::new(q.into(), p.into()), n);
    let one = Rational::one();
    (&one - power(i)) / period.map_or(one.clone(), |period| &one - power(period))
}

/// The words in order, and then a panic: more than these must not be asked for.
fn given(words: &[u64]) -> impl FnMut() -> u64 + '_ {
    let mut words = words.iter().copied();
    move || words.next().expect("no more words are needed")
}

fn cell(digit: &Digit, words: &[u64]) -> u32 {
    digit.decide(words[0], &mut given(&words[1..]))
}

/// The number of bounds at or below the real that begins with these words and goes on with zeros.
fn cell_of_real(bounds: &[Rational], words: &[u64]) -> u32 {
    let whole = words.iter().fold(BigInt::zero(), |sum, &word| (sum << 64u32) + word);
    let real = Rational::new(whole, BigInt::one() << (64 * words.len()));
    bounds.iter().filter(|bound| **bound <= real).count() as u32
}

/// Digits with a rational β and their exact bounds: every word that a bound has in its middle, and the words beside it,
/// lead where the real number lies. Between bounds all words lead to the same cell, so this is the whole law.
#[test]
fn for_rational_laws_every_bound_is_where_it_should_be() {
    for (p, q) in [(2u64, 1u64), (3, 1), (10, 9), (4, 3), (1_001, 1_000)] {
        for (period, cells) in [(Some(2), 2), (Some(3), 3), (Some(16), 16), (Some(64), 64), (None, 2), (None, 40)] {
            let decay = epsilon(&format!("ln({p}/{q})"));
            let digit = match period {
                Some(period) => Digit::of_period(decay, period),
                None => Digit::unbounded(decay, cells - 1),
            };
            let bounds: Vec<Rational> = (1..cells).map(|i| bound(p, q, i, period)).collect();
            assert_eq!(digit.last_cell() as usize, bounds.len());
            let firsts: Vec<u64> = bounds.iter().map(leading_of).collect();
            for (i, exact) in (1..).zip(&bounds) {
                let leading = |n: u64| (exact * (BigInt::one() << n)).floor().to_integer().to_biguint().unwrap();
                assert_eq!(digit.law.leading_bits(i, 128), leading(128), "{p}/{q} {period:?} bound {i}");
                let [first, second] = [leading(64).to_u64().unwrap(), (leading(128) % (1u128 << 64)).to_u64().unwrap()];
                assert_eq!(digit.bounds[i as usize - 1], first);
                for word in [first.saturating_sub(1), first.saturating_add(1)].into_iter().filter(|word| *word != first)
                {
                    if digit.look(word).is_sure {
                        assert_eq!(cell(&digit, &[word]), cell_of_real(&bounds, &[word]), "{p}/{q} {period:?} {i}");
                    }
                }
                assert!(!digit.look(first).is_sure, "a word in the middle of which the bound lies decides nothing");
                for word in [second.wrapping_sub(1), second.wrapping_add(1), 0, u64::MAX] {
                    // Only where the second word decides against this bound and the next does not share the first.
                    if word != second && firsts.iter().filter(|word| **word == first).count() == 1 {
                        let words = [first, word];
                        assert_eq!(
                            cell(&digit, &words),
                            cell_of_real(&bounds, &words),
                            "{p}/{q} {period:?} {i} {word}"
                        );
                    }
                }
            }
        }
    }
}

fn leading_of(bound: &Rational) -> u64 {
    (bound * (BigInt::one() << 64u32)).floor().to_integer().to_u64().unwrap()
}

#[test]
fn bounds_that_share_a_word_are_told_apart_by_the_next() {
    // With β = 2^-40 the bounds 1 − β, 1 − β², 1 − β³ begin with 40, 64 and 64 ones.
    let digit = Digit::unbounded(epsilon("40*ln(2)"), 3);
    assert_eq!(digit.bounds[1..3], [u64::MAX, u64::MAX]);
    let ones = u64::MAX;
    assert_eq!(cell(&digit, &[ones, 0]), 1, "below 1 − 2^-80, which goes on with 16 ones");
    assert_eq!(cell(&digit, &[ones, ones << 48, 7]), 2, "just above it, where a third word is needed to be sure");
    assert_eq!(cell(&digit, &[ones, ones << 49]), 1);
    assert_eq!(cell(&digit, &[ones, ones << 9]), 2, "below 1 − 2^-120, which goes on with 56 ones");
    assert_eq!(cell(&digit, &[ones, ones << 7]), 3, "and above");
}

#[test]
fn a_word_on_an_exact_bound_asks_until_something_follows() {
    // C_1 = 1/2: the word 2^63 is followed by zeros until one is not, and then lies above.
    let digit = Digit::unbounded(epsilon("ln(2)"), 8);
    assert_eq!(cell(&digit, &[1 << 63, 0, 0, 1]), 1);
    assert_eq!(cell(&digit, &[(1 << 63) - 1]), 0);
    // β = 2^-1/2 is irrational and β² is not: C_2 = 1/2, where enclosures alone would never end.
    let digit = Digit::unbounded(epsilon("ln(2)/2"), 8);
    assert_eq!(digit.bounds[1], 1 << 63);
    // C_2 of period 4 is 1/(1 + β²) = 2/3, C_1 is irrational.
    let digit = Digit::of_period(epsilon("ln(2)/2"), 4);
    assert_eq!(digit.bounds[1], u64::MAX / 3 * 2);
    // 1/(1 + 1/3) = 3/4.
    assert_eq!(Digit::of_period(epsilon("ln(3)"), 2).bounds[0], 3 << 62);
}

#[test]
fn the_largest_and_the_smallest_decays_work() {
    let nearly_sure = Digit::unbounded(epsilon("100000"), 1);
    assert_eq!(nearly_sure.bounds[0], u64::MAX);
    assert_eq!(cell(&nearly_sure, &[u64::MAX, 5]), 0);
    let nearly_even = Digit::of_period(epsilon(&format!("1/{}", 1u64 << 44)), 1024);
    for (i, bound) in (1u128..).zip(&nearly_even.bounds[..1023]) {
        let even = (i << 54) as u64;
        assert!(*bound > even && bound - even < 1 << 31, "a little more than {i}/1024");
    }
}

/// The same bounds from scratch by exp of sums, in other precision.
fn independent_bound(decay: &Epsilon, i: u32, period: Option<u32>) -> Interval {
    let falls = |n: u32| {
        let exp = decay.scale(&Rational::from_integer(n.into())).unwrap().exp(500);
        &Interval::integer(1) - &Interval::integer(1).divide(&exp, 500).unwrap()
    };
    period.map_or(falls(i), |period| falls(i).divide(&falls(period), 500).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn irrational_bounds_begin_with_the_right_words(
        decay in prop_oneof![Just("1/10"), Just("1"), Just("sqrt(2)/50"), Just("ln(3)/7"), Just("1e-9"), Just("7/3")],
        period in prop_oneof![Just(None), (1u32..9).prop_map(|bits| Some(1 << bits))],
        at in 0.0f64..1.0
    ) {
        let decay = epsilon(decay);
        let digit = match period {
            Some(period) => Digit::of_period(decay.clone(), period),
            None => Digit::unbounded(decay.clone(), 30),
        };
        let i = 1 + (at * f64::from(digit.last_cell())) as u32;
        let exact = independent_bound(&decay, i, period);
        let words = digit.law.leading_bits(i, 128);
        let unit = Rational::new(BigInt::one(), BigInt::one() << 128u32);
        let below = Rational::from_integer(words.clone().into()) * &unit;
        prop_assert!(below <= exact.lower().to_rational() && exact.upper().to_rational() <= below + unit);
        prop_assert_eq!(words >> 64u32, digit.bounds[i as usize - 1].into());
    }

    #[test]
    fn the_guide_leads_where_a_search_does(word in any::<u64>(), decay in prop_oneof![Just("1/10"), Just("1/300"), Just("5")]) {
        let digit = Digit::unbounded(epsilon(decay), 200);
        let expected = digit.bounds.partition_point(|&bound| bound < word);
        prop_assert_eq!(digit.look(word).cell as usize, expected);
    }
}

#[test]
fn thirds_are_thirds() {
    // Period 2 at ln 2: C_1 = 1/(1 + 1/2) = 2/3, whose bits 1010… never end.
    let digit = Digit::of_period(epsilon("ln(2)"), 2);
    let two_thirds = u64::MAX / 3 * 2;
    assert_eq!(digit.bounds[0], two_thirds);
    assert_eq!(cell(&digit, &[two_thirds, two_thirds, two_thirds, two_thirds - 1]), 0);
    assert_eq!(cell(&digit, &[two_thirds, two_thirds, two_thirds, two_thirds + 1]), 1);
    assert_eq!(digit.law.leading_bits(1, 3), BigUint::from(5u32));
    assert_eq!(parse_rational("2/3").unwrap(), bound(2, 1, 1, Some(2)));
}
