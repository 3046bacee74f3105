//! D against exact sums over the noise, from both sides, and against every list of counts.

use super::*;
use crate::exact::parse_rational;
use crate::model::Movement;
use num_bigint::BigInt;
use num_traits::Zero;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// Noise with α = 1/2, so that everything about it is a fraction.
fn half() -> NoisyMax {
    NoisyMax::for_epsilon("ln(2)".parse().unwrap(), 1, Movement::Together).unwrap()
}

fn power(z: i64) -> Rational {
    Rational::new(1.into(), BigInt::from(2).pow(z.unsigned_abs() as u32))
}

/// P(Z ≤ w) at α = 1/2.
fn below(w: i64) -> Rational {
    let third = Rational::new(2.into(), 3.into());
    if w >= -1 { Rational::one() - power(w + 1) * third } else { power(w) * third }
}

/// E[1 − F(Z + D)^n] at α = 1/2 within 2^−90, from below and from above.
fn exact_chance(others: u32, behind: i64) -> [Rational; 2] {
    const REACH: i64 = 100;
    let mut sum = Rational::zero();
    for z in -REACH..=REACH {
        let wins = Rational::one() - below(z + behind).pow(others as i32);
        sum += power(z) / Rational::from_integer(3.into()) * wins;
    }
    [sum.clone(), sum + power(90)]
}

#[test]
fn d_is_the_least_that_holds() {
    for others in [1, 2, 7] {
        for confidence in ["0.5", "0.9", "0.95", "0.999", "0.999999"] {
            let rest = Rational::one() - number(confidence);
            let found = most_behind(&half(), others as usize + 1, &number(confidence)).unwrap() as i64;
            assert!(exact_chance(others, found)[1] <= rest, "{others} {confidence}: {found} is enough");
            if found > 0 {
                assert!(exact_chance(others, found - 1)[0] > rest, "{others} {confidence}: {found} is the least");
            }
        }
    }
    assert_eq!(most_behind(&half(), 1, &number("0.999")).unwrap(), 0, "one count is the largest");
    assert!(most_behind(&half(), 2, &number("1")).is_err() && most_behind(&half(), 2, &number("0")).is_err());
}

#[test]
fn no_list_of_counts_is_further_behind() {
    // Three counts, the largest of them 0 and last, so that it loses ties; noise up to 40 steps.
    const REACH: i64 = 40;
    let law: Vec<f64> = (-REACH..=REACH).map(|z| 0.5f64.powi(z.unsigned_abs() as i32) / 3.0).collect();
    let chance = |counts: [i64; 2], behind: i64| {
        let mut bad = 0.0;
        for (i, one) in law.iter().enumerate() {
            for (j, other) in law.iter().enumerate() {
                let sums = [counts[0] + i as i64 - REACH, counts[1] + j as i64 - REACH];
                let best = usize::from(sums[1] > sums[0]);
                if counts[best] < -behind {
                    // The largest count loses to the best of the others, ties included.
                    bad += one * other * crate::exact::to_f64(&below(sums[best]), crate::exact::Direction::Nearest);
                }
            }
        }
        bad
    };
    let behind = most_behind(&half(), 3, &number("0.9")).unwrap() as i64;
    let mut worst = 0.0f64;
    for one in -behind - 4..=0 {
        for other in -behind - 4..=0 {
            worst = worst.max(chance([one, other], behind));
        }
    }
    assert!(worst <= 0.1, "{worst}");
    let all_behind = chance([-behind - 1; 2], behind);
    assert!((worst - all_behind).abs() < 1e-12, "the worst is when all are just too far behind: {worst} {all_behind}");
}

#[test]
fn wide_noise_is_bounded_in_blocks() {
    // D·decay is nearly the same for all wide noise: that of continuous noise.
    let scaled = |epsilon: &str| {
        let max = NoisyMax::for_epsilon(epsilon.parse().unwrap(), 1, Movement::Together).unwrap();
        most_behind(&max, 5, &number("0.95")).unwrap() as f64 * max.decay().to_f64()
    };
    let narrow = scaled("1/1000");
    for epsilon in ["1/10000", "1/1000000", "1/10000000000000"] {
        let wide = scaled(epsilon);
        assert!((wide - narrow).abs() < 3e-3, "{epsilon}: {wide} {narrow}");
    }
}
