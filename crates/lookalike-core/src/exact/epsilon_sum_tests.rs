//! Tests of sums of ε: equality across forms, and order against enclosures that know nothing of the theorems.

use super::*;
use crate::exact::{Rational, parse_rational};
use num_traits::One;
use proptest::prelude::*;

fn sum(text: &str) -> EpsilonSum {
    text.parse().unwrap()
}

#[test]
fn equal_sums_are_equal_across_forms() {
    for (one, other) in [
        ("1/2 + 1/2", "1"),
        ("ln(2) + ln(3)", "ln(6)"),
        ("sqrt(2) + sqrt(8)", "3*sqrt(2)"),
        ("ln(4) + ln(9)", "2*ln(6)"),
        ("ln(6/5) + ln(10/9) + ln(3/2)", "ln(2)"),
        ("sqrt(2)*ln(2) + sqrt(2)*ln(3) + 1", "1/2 + sqrt(2)*ln(6) + 1/2"),
        ("1/2*ln(12) + 1/2*ln(3)", "ln(6)"),
        ("ln(2) + 1/3", "1/3 + ln(2)"),
        ("0", "0"),
        // Numbers that no one factors: p·q over q·r times r is p.
        ("ln(1000036000099/1000037)+ln(1000037)", "ln(1000036000099)"),
    ] {
        assert_eq!(sum(one), sum(other), "{one} = {other}");
    }
}

#[test]
fn sums_next_to_each_other_are_told_apart() {
    for (less, more) in [
        ("0", "1e-300"),
        ("ln(2) + ln(3)", "ln(6) + 1e-500"),
        ("ln(2) + ln(3)", "ln(7)"),
        ("1.098612288668109691395245236922525704647490557822749451734694", "ln(3)"),
        ("sqrt(2)*ln(2) + sqrt(3)*ln(2)", "sqrt(2)*ln(2) + sqrt(3)*ln(2) + 1e-99"),
        // They agree to six digits.
        ("sqrt(5) + sqrt(6) + sqrt(18)", "sqrt(4) + sqrt(12) + sqrt(12)"),
        ("99999999999999999999/100000000000000000000", "1"),
    ] {
        assert!(sum(less) < sum(more), "{less} < {more}");
        assert!(sum(more) > sum(less) && sum(more) != sum(less));
    }
}

#[test]
fn large_numbers_of_releases_stay_exact() {
    let (tenth, log): (Epsilon, Epsilon) = ("0.1".parse().unwrap(), "100000".parse().unwrap());
    let mut spent = EpsilonSum::zero();
    for _ in 0..3 {
        spent.add(&tenth, u64::MAX);
    }
    assert_eq!(spent.to_string(), "11068046444225730969/2");
    spent.add(&log, u64::MAX);
    assert_eq!(sum(&spent.to_string()), spent, "a sum beyond the largest epsilon reads back");
    let (mut all, mut one_less) = (EpsilonSum::zero(), EpsilonSum::zero());
    let ln3 = "ln(3)".parse().unwrap();
    all.add(&ln3, u64::MAX);
    one_less.add(&ln3, u64::MAX - 1);
    assert!(one_less < all);
    one_less.add(&ln3, 1);
    assert_eq!(one_less, all);
    all.add(&tenth, 0);
    assert_eq!(one_less.0.minus(&all.0).forms().count(), 0, "nothing leaves no term");
}

#[test]
fn text_is_a_sum_of_terms_and_zero_is_zero() {
    for (text, shown) in [
        ("0", "0"),
        (" 0 ", "0"),
        ("1/2 + 2*ln(3)", "1/2 + 2*ln(3)"),
        ("2*ln(3)+0.5", "1/2 + 2*ln(3)"),
        ("1e+2 + 1E+0", "101"),
        ("ln(1e+1) + sqrt(3)", "ln(10) + sqrt(3)"),
        ("-ln(0.9) + 1", "1 + ln(10/9)"),
        ("1000000", "1000000"),
    ] {
        assert_eq!(sum(text).to_string(), shown, "{text}");
    }
    let refused = |text: &str| text.parse::<EpsilonSum>().unwrap_err().to_string();
    assert_eq!(refused("1 + 0"), "epsilon = 0, expected a number above 0");
    assert_eq!(refused("1 + -1"), "epsilon = -1, expected a number above 0");
    for text in ["", "+", "1 +", "+ 1", "1 ++ 1", "x", "1 - 1", "1e+", "ln(2"] {
        assert!(refused(text).contains("is not understood"), "{text}: {}", refused(text));
    }
    assert_eq!(refused(&"1+".repeat(10_001)), "a sum of 20002 characters, expected at most 20000");
}

#[test]
fn what_is_left_of_a_budget_is_rounded_as_said() {
    use Direction::{Down, Nearest, Up};
    let left = |spent: &str, budget: &str, direction| sum(spent).left_of(&sum(budget), direction);
    assert_eq!(left("0", "1", Down), 1.0);
    assert_eq!(left("2", "1", Up), 0.0);
    // A difference that is a fraction only after the logarithms cancel, and a double besides.
    assert_eq!([Down, Nearest, Up].map(|to| left("ln(2) + ln(3)", "1/2 + ln(6)", to)), [0.5; 3]);
    assert_eq!([Down, Nearest, Up].map(|to| left("ln(2) + ln(3)", "ln(6)", to)), [0.0; 3]);
    assert_eq!(left("1", "1.1", Nearest), 0.1);
    assert!(left("1", "1.1", Down) < left("1", "1.1", Up));
    assert_eq!(left("0", "ln(3)", Nearest), 1.0986122886681098);
    assert_eq!(left("0", "ln(3)", Up), left("0", "ln(3)", Down).next_up());
    assert_eq!(EpsilonSum::zero().to_f64(Down), 0.0);
    assert_eq!(sum("ln(3) + 1e-300").to_f64(Up), sum("ln(3)").to_f64(Up));
    assert_eq!(sum("1 + 1e-300").to_f64(Up), 1f64.next_up());
}

/// An ε of any form, from a few factors so that sums often meet.
fn epsilon() -> impl Strategy<Value = Epsilon> {
    let coefficient = (1u32..5, 1u32..4).prop_map(|(n, d)| format!("{n}/{d}"));
    let root = prop::sample::select(vec!["", "*sqrt(2)", "*sqrt(3)", "*sqrt(8)", "*sqrt(12)"]);
    let log = prop::sample::select(vec![
        "",
        "",
        "*ln(2)",
        "*ln(3)",
        "*ln(6)",
        "*ln(3/2)",
        "*ln(12)",
        "*ln(35/6)",
        "*ln(5/4)",
    ]);
    (coefficient, root, log).prop_map(|(c, root, log)| format!("{c}{root}{log}").parse().unwrap())
}

fn epsilons() -> impl Strategy<Value = Vec<(Epsilon, u64)>> {
    prop::collection::vec((epsilon(), prop_oneof![8 => 0u64..5, 1 => any::<u64>()]), 0..5)
}

fn of(parts: &[(Epsilon, u64)]) -> EpsilonSum {
    let mut sum = EpsilonSum::zero();
    parts.iter().for_each(|(epsilon, times)| sum.add(epsilon, *times));
    sum
}

/// A value to 300 bits, term by term: another way than that of the sum.
fn enclosed(parts: &[(Epsilon, u64)]) -> Interval {
    let product = |(epsilon, times): &(Epsilon, u64)| &epsilon.enclose(400) * &Interval::integer(*times);
    parts.iter().map(product).fold(Interval::integer(0), |sum, term| &sum + &term)
}

proptest! {
    #[test]
    fn order_agrees_with_enclosures(a in epsilons(), b in epsilons()) {
        let (value_a, value_b) = (enclosed(&a), enclosed(&b));
        match of(&a).cmp(&of(&b)) {
            Ordering::Less => prop_assert!(value_a.upper() < value_b.lower()),
            Ordering::Greater => prop_assert!(value_b.upper() < value_a.lower()),
            Ordering::Equal => {
                // 300 bits tell these small numbers apart wherever they differ.
                let difference = &value_a - &value_b;
                prop_assert!(difference.contains(&Rational::from_integer(0.into())));
            }
        }
        let exact = of(&a).enclose(100);
        prop_assert!(exact.lower() <= value_a.upper() && value_a.lower() <= exact.upper());
        prop_assert!(exact.width().to_rational() * (BigInt::one() << 100) <= Rational::one());
    }

    #[test]
    fn splitting_logarithms_changes_nothing(parts in epsilons(), numbers in prop::collection::vec(2u64..1000, 1..6)) {
        // Σ ln n = ln Π n, and every partial product divides the next.
        let mut apart = of(&parts);
        numbers.iter().for_each(|n| apart.add(&format!("ln({n})").parse().unwrap(), 1));
        let mut whole = of(&parts);
        let product: BigInt = numbers.iter().map(|&n| BigInt::from(n)).product();
        whole.add(&Epsilon::ln(Rational::one(), product.into()).unwrap(), 1);
        prop_assert_eq!(&apart, &whole);
        whole.add(&"1e-60".parse().unwrap(), 1);
        prop_assert!(apart < whole);
    }

    #[test]
    fn sums_commute_and_associate(a in epsilons(), b in epsilons(), c in epsilons()) {
        let [a, b, c] = [a, b, c].map(|parts| of(&parts));
        let plus = |one: &EpsilonSum, other: &EpsilonSum| {
            let mut sum = one.clone();
            sum.add_sum(other);
            sum
        };
        prop_assert_eq!(plus(&a, &b), plus(&b, &a));
        prop_assert_eq!(plus(&plus(&a, &b), &c), plus(&a, &plus(&b, &c)));
        prop_assert!(plus(&a, &b) >= a && (b.is_zero() == (plus(&a, &b) == a)));
        prop_assert_eq!(plus(&a, &c).cmp(&plus(&b, &c)), a.cmp(&b));
        prop_assert_eq!(a.to_string().parse::<EpsilonSum>().unwrap().to_string(), a.to_string());
    }

    #[test]
    fn doubles_are_next_to_the_value(parts in epsilons(), other in epsilons()) {
        let (value, spent) = (of(&parts), of(&other));
        let back = |double: f64| Rational::from_float(double).unwrap();
        let (down, up) = (value.to_f64(Direction::Down), value.to_f64(Direction::Up));
        let nearest = value.to_f64(Direction::Nearest);
        let exact = enclosed(&parts);
        prop_assert!(back(down) <= exact.upper().to_rational() && exact.lower().to_rational() <= back(up));
        prop_assert!(up == down || up == down.next_up());
        prop_assert!(nearest == down || nearest == up);
        let left = spent.left_of(&value, Direction::Down);
        prop_assert_eq!(left > 0.0, value > spent);
        prop_assert!(left <= up);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[0-9ensqrtl*/()+. -]{0,30}") {
        if let Ok(sum) = text.parse::<EpsilonSum>() {
            prop_assert_eq!(sum.to_string().parse::<EpsilonSum>().unwrap(), sum);
        }
    }
}

#[test]
fn a_rational_that_is_given_is_the_rational_that_is_kept() {
    let third = parse_rational("1/3").unwrap();
    let kept = EpsilonSum::from(Epsilon::rational(third.clone()).unwrap());
    assert_eq!(kept.0.as_rational(), Some(third));
}
