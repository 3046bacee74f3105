//! Tests of [`super::ExponentialCoin`]: doubles against enclosures, and tosses beside their chance.

use super::*;
use crate::sample::RandomKey;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

const EVEN: Odds = Odds { numerator: 1, shift: 0, denominator: 1 };

fn coin(decay: &str) -> ExponentialCoin {
    ExponentialCoin::new(&decay.parse().unwrap())
}

/// Points for which δ·|z| is anywhere from 0 to 40, on the axes and off them.
fn points(decay: &str, count: usize) -> Vec<[i128; 2]> {
    let reach = (40.0 / decay.parse::<Epsilon>().unwrap().to_f64()) as i128 + 1;
    let mut words = RandomKey::from_seed(5).words_from(0);
    let mut below = |bound: i128| i128::from(words.next() >> 1) % bound;
    let random = (0..count).map(|at| {
        let size = if at % 4 == 0 { reach } else { reach / 16 + 1 };
        [below(size), if at % 5 == 0 { 0 } else { below(size) }]
    });
    let random: Vec<_> = random.collect();
    // Every entry of the table at its beginning and just before it.
    let grid = (0..=512i128).flat_map(|i| [0, 1].map(|before| [(reach * i / 640 - before).max(0), 0]));
    random.into_iter().chain(grid.step_by(7)).collect()
}

const DECAYS: [&str; 7] = ["1", "1/16", "1/20", "ln(3)/7", "sqrt(2)/300000", "ln(2)*sqrt(3)/1e8", "1e-12"];

#[test]
fn doubles_are_within_the_proved_error() {
    let one = Rational::one();
    let bound = |bits: u32| Rational::new(BigInt::one(), BigInt::one() << bits);
    for decay in DECAYS {
        let coin = coin(decay);
        for point in points(decay, 300) {
            let exact = coin.chance(point, &EVEN, 100);
            let exact = exact.lower().to_rational();
            let rounded = point.map(|coordinate| coordinate as f64);
            let [at_least, at_most] =
                [coin.at_least(rounded), coin.at_most(rounded)].map(|x| Rational::from_float(x).unwrap());
            assert!(at_least <= exact && exact <= at_most, "{decay} {point:?}");
            match coin.near(rounded) {
                Some(near) => {
                    let error = Rational::from_float(near).unwrap() / &exact - &one;
                    assert!(error.abs() < bound(44), "{decay} {point:?}: {}", error.to_f64().unwrap());
                    assert!(at_most / &exact - &one < bound(38) && &one - at_least / exact < bound(38));
                }
                None => assert!(exact.to_f64().unwrap() < 1.4e-14, "{decay} {point:?}"),
            }
        }
    }
}

#[test]
fn coordinates_beyond_doubles_are_rounded_and_within_the_error_still() {
    // A scale of 2^56 steps: coordinates of up to 61 bits.
    let coin = coin("1.3877787807814457e-17");
    let mut words = RandomKey::from_seed(8).words_from(0);
    for _ in 0..300 {
        let point = [words.next() >> 4, words.next() >> 5].map(i128::from);
        let exact = coin.chance(point, &EVEN, 100).lower().to_rational();
        let near = Rational::from_float(coin.near(point.map(|coordinate| coordinate as f64)).unwrap()).unwrap();
        assert!((near / exact - Rational::one()).abs() * (BigInt::one() << 44u32) < Rational::one());
    }
}

/// Bits at, before and after the chance, and further words that go on with it, or turn off by one at the end.
#[test]
fn tosses_beside_the_chance_fall_on_the_right_side() {
    for decay in DECAYS {
        let coin = coin(decay);
        for (at, point) in points(decay, 24).into_iter().step_by(3).enumerate() {
            let odds = Odds { numerator: 5 + at as u128 % 7, shift: at as u64 % 3, denominator: 50 + at as u64 };
            let chance = coin.chance(point, &odds, 400);
            let leading = chance.lower().to_fixed(152, false);
            assert!(chance.upper().to_rational() <= Rational::one());
            for step in [-1i32, 0, 1] {
                let real = &leading + step;
                if real.is_negative() || real.bits() > 152 {
                    continue;
                }
                let (bits, rest) = real.div_rem(&(BigInt::one() << 128u32));
                let (first, second) = rest.div_rem(&(BigInt::one() << 64u32));
                let words = [first, second].map(|word| word.to_u64().unwrap());
                // Past the given words U comes as near to the chance as it can.
                let mut more = words.into_iter().chain(std::iter::repeat(if step < 0 { u64::MAX } else { 0 }));
                let fallen = coin.decide(point, &odds, bits.to_u32().unwrap(), &mut || more.next().unwrap());
                assert_eq!(fallen, step <= 0, "{decay} {point:?}");
            }
        }
    }
}

#[test]
fn a_look_says_what_enclosures_say() {
    let mut words = RandomKey::from_seed(6).words_from(0);
    for decay in DECAYS {
        let (coin, mut open) = (coin(decay), 0);
        for point in points(decay, 60) {
            let near = coin.chance(point, &EVEN, 64).lower().to_fixed(u64::from(COIN_BITS), false).to_u32().unwrap();
            for bits in [near.saturating_sub(1), near, near + 1, words.next() as u32 >> 8] {
                let bits = bits.min((1 << COIN_BITS) - 1);
                match coin.look(point.map(|coordinate| coordinate as f64), [1.0, 1.0], bits) {
                    Some(fallen) => {
                        assert_eq!(
                            fallen,
                            coin.compare(point, &EVEN, bits, &mut || unreachable!("decided")),
                            "{decay} {point:?} {bits}"
                        );
                    }
                    None => open += 1,
                }
            }
        }
        assert!(open > 0, "the bits at the chance do not decide");
    }
}

#[test]
fn a_toss_is_fair_by_count() {
    // e^(−1/2)·2/3 in 40,000 tosses: five standard deviations, a false alarm in a million seeds.
    let coin = coin("1/10");
    let odds = Odds { numerator: 1, shift: 1, denominator: 3 };
    let mut words = RandomKey::from_seed(12).words_from(0);
    let tosses = 40_000;
    let fallen = (0..tosses).filter(|_| coin.decide([3, -4], &odds, words.next() as u32 >> 8, &mut || unreachable!()));
    let (seen, chance) = (fallen.count() as f64, (-0.5f64).exp() * 2.0 / 3.0);
    let deviation = (f64::from(tosses) * chance * (1.0 - chance)).sqrt();
    assert!((seen - f64::from(tosses) * chance).abs() < 5.0 * deviation, "{seen}");
}
