//! Tests of the audit on laws that are known.

use super::*;
use crate::audit::{Text, draws};

/// A word of its own for each draw of each run, from SplitMix64.
fn word(seed: u64, run: Run, number: u64) -> u64 {
    let mut z = seed.wrapping_mul(3).wrapping_add(run as u64).wrapping_mul(0xd134_2543_de82_ef95);
    z = z.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn uniform(seed: u64, run: Run, number: u64) -> f64 {
    (word(seed, run, number) >> 11) as f64 / (1u64 << 53) as f64
}

/// Outputs of a function of the secret and a uniform number.
fn source<O: crate::audit::Output + Clone + Default + Send + Sync>(
    labels: &[&str],
    seed: u64,
    release: impl Fn(u32, f64) -> O + Sync,
) -> impl Source<Output = O> {
    draws(labels, move |run, first, secrets, outputs| {
        for ((number, output), &secret) in (first..).zip(outputs).zip(secrets) {
            *output = release(secret, uniform(seed, run, number));
        }
        Ok(())
    })
}

fn two(claimed: f64) -> [Pair; 1] {
    [Pair { secrets: [0, 1], claimed: Some(claimed) }]
}

fn only(family: Family, draws: u64, confidence: f64) -> Options<'static> {
    Options { draws, confidence, families: vec![family], ..Options::default() }
}

#[test]
fn bounds_of_warner_are_the_expected_ones_within_their_spread() {
    // Half of the draws test, half of those each secret: n of each. The bound varies with the standard deviation of
    // ln p₁ − ln p₂, √((1/3 + 3)/n); five of them are a false alarm in three million.
    for (n, expected) in [(1_000, 0.954), (10_000, 1.053), (100_000, 1.084)] {
        let bounds: Vec<f64> = (0..20)
            .map(|seed| {
                let warner = source(&["no", "yes"], seed, |secret, u| if u < 0.25 { 1 - secret } else { secret });
                let audit = audit(&two(3f64.ln()), &warner, &only(Family::Single, 4 * n, 0.95)).unwrap();
                assert_eq!((audit.chosen_on, audit.tested_on, audit.tests.len()), (2 * n, 2 * n, 1));
                audit.worst().bound
            })
            .collect();
        let spread = (10.0 / 3.0 / n as f64).sqrt();
        assert!(bounds.iter().all(|bound| (bound - expected).abs() < 5.0 * spread), "{n}: {bounds:?}");
        let mean = bounds.iter().sum::<f64>() / 20.0;
        assert!((mean - expected).abs() < 5.0 * spread / 20f64.sqrt() + 0.001, "{n}: {mean}");
    }
}

#[test]
fn a_perfect_attack_reaches_the_ceiling() {
    for (n, ceiling) in [(1_000, "5.60"), (10_000, "7.90"), (100_000, "10.21"), (1_000_000, "12.51")] {
        let clear = source(&["no", "yes"], 1, |secret, _| secret);
        let audit = audit(&two(0.1), &clear, &only(Family::Single, 4 * n, 0.95)).unwrap();
        assert_eq!(format!("{:.2}", audit.worst().bound), ceiling);
        assert_eq!(audit.worst().event, "the output is \"no\"");
        assert!(audit.worst().is_evidence());
    }
}

#[test]
fn delta_is_bounded_at_a_given_epsilon() {
    // One time in ten the secret itself; else nothing. δ = 0.1 at every ε.
    let leaky = source(&["0", "1", "nothing"], 4, |secret, u| if u < 0.1 { secret } else { 2 });
    let options = Options { delta_at: Some("1".parse().unwrap()), draws: 400_000, ..Options::default() };
    let found = audit(&[Pair { secrets: [0, 1], claimed: Some(0.05) }], &leaky, &options).unwrap();
    let worst = found.worst();
    assert!(worst.bound > 0.09 && worst.bound < 0.1 && worst.is_evidence(), "{worst:?}");
    let honest = audit(&[Pair { secrets: [0, 1], claimed: Some(0.1) }], &leaky, &options).unwrap();
    assert!(!honest.worst().is_evidence());
}

#[test]
fn the_pair_with_the_most_excess_is_found_among_many() {
    // Sixteen secrets that look alike, but for one.
    let source = source(&["a", "b", "c"], 9, |secret, u| {
        let odd = if secret == 11 { 0.45 } else { 0.3 };
        if u < odd { 1 } else { 2 * u32::from(u < 0.6) }
    });
    let pairs: Vec<Pair> = (0..16u32)
        .flat_map(|one| (0..one).map(move |other| Pair { secrets: [other, one], claimed: Some(0.2) }))
        .collect();
    let audit = audit(&pairs, &source, &Options { draws: 2_000_000, ..Options::default() }).unwrap();
    let worst = audit.worst();
    assert!(worst.secrets.contains(&11) && worst.is_evidence(), "{worst:?}");
    // c falls from 0.3 to 0.15 there: ln 2.
    assert!(worst.bound < 2f64.ln() && worst.bound > 0.65, "{worst:?}");
    assert!(worst.seen[0].draws > 200_000, "the testing draws go to the chosen pairs");
}

#[test]
fn sets_of_outputs_say_more_than_single_ones() {
    // 64 outputs, half of them 1.5 times as likely for the first secret: alone they are too rare to prove it.
    let labels: Vec<String> = (0..64).map(|code| code.to_string()).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let source = source(&labels, 2, |secret, u| {
        let below = if secret == 0 { 0.6 } else { 0.4 };
        if u < below { (u / below * 32.0) as u32 } else { 63 - ((1.0 - u) / (1.0 - below) * 31.9) as u32 }
    });
    let options = Options { draws: 20_000, ..Options::default() };
    let audit = audit(&two(0.1), &source, &options).unwrap();
    assert_eq!(audit.worst().family, Family::Set, "{audit:?}");
    assert!(audit.worst().event.starts_with("the output is one of "), "{audit:?}");
}

#[test]
fn thresholds_find_noise_that_is_too_small() {
    // Laplace noise with scale 1 where 2 was promised, on 0 and 1.
    let laplace = |secret: u32, u: f64| {
        let noise = if u < 0.5 { (2.0 * u).max(1e-300).ln() } else { -(2.0 - 2.0 * u).max(1e-300).ln() };
        f64::from(secret) + noise
    };
    let source = source(&[], 3, laplace);
    let audit = audit(&two(0.5), &source, &only(Family::Threshold, 200_000, 0.999)).unwrap();
    let worst = audit.worst();
    assert!(worst.is_evidence() && worst.bound > 0.9 && worst.bound < 1.0, "{worst:?}");
    let words = ["the output is at most ", "the output is above "];
    assert!(words.iter().any(|words| worst.event.starts_with(words)), "{}", worst.event);
}

#[test]
fn a_repeated_run_is_noticed() {
    // Both runs use the same noise, which an honest mechanism never does: each draw alone looks private.
    let repeated = draws(&["no", "yes"], |_, first, secrets: &[u32], outputs: &mut [u32]| {
        for ((number, output), &secret) in (first..).zip(outputs).zip(secrets) {
            *output = if uniform(7, Run::Choosing, number) < 0.25 { 1 - secret } else { secret };
        }
        Ok(())
    });
    let audit = audit(&two(3f64.ln()), &repeated, &Options { draws: 200_000, ..Options::default() }).unwrap();
    assert_eq!(audit.worst().family, Family::Replay);
    assert!(audit.worst().is_evidence() && audit.worst().bound > 5.0, "{audit:?}");
}

#[test]
fn lengths_letters_and_bits_are_looked_at() {
    let texts = |release: fn(u32, f64) -> String| {
        let source = source(&[], 6, move |secret, u| Text::new(&release(secret, u)));
        audit(&two(0.1), &source, &Options { draws: 20_000, ..Options::default() }).unwrap()
    };
    let longer = texts(|secret, u| format!("{:.12}{}", u, "0".repeat(secret as usize)));
    assert!(longer.worst().family == Family::Length && longer.worst().bound > 5.0, "{longer:?}");
    let eighth = texts(|secret, u| format!("{:07}{secret}{:07}", (u * 1e7) as u32, (u * 1e14) as u64 % 10_000_000));
    assert!(eighth.worst().family == Family::Letter && eighth.worst().bound > 5.0, "{eighth:?}");
    assert!(eighth.worst().event.starts_with("character 8 of the output is '"), "{eighth:?}");
    let odd = texts(|secret, u| (2 * (u * 1e12) as u64 + u64::from(secret)).to_string());
    assert!(odd.tests.iter().any(|test| test.family == Family::LowBits && test.bound > 5.0), "{odd:?}");
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let source = source(&[], 8, |secret, u| (f64::from(secret) + u).mul_add(100.0, 0.0).round());
            audit(&two(0.1), &source, &Options { draws: 300_000, ..Options::default() }).unwrap()
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let clear = source(&["no", "yes"], 1, |secret, _| secret);
    let refused = |pairs: &[Pair], options: &Options<'_>| audit(pairs, &clear, options).unwrap_err().to_string();
    let fine = Options::default();
    assert_eq!(refused(&[], &fine), "no pair to attack, expected at least one");
    let self_pair = [Pair { secrets: [1, 1], claimed: None }];
    assert_eq!(refused(&self_pair, &fine), "a pair of secret 1 and itself, expected two");
    let sure = Options { confidence: 1.0, ..Options::default() };
    assert_eq!(refused(&two(1.0), &sure), "a confidence of 1, expected at least 0.5 and less than 1");
    let few = Options { draws: 7, ..Options::default() };
    let message = "7 draws for 2 secrets, expected at least 8: two for each to choose, and two to test";
    assert_eq!(refused(&two(1.0), &few), message);
    let none = Options { families: Vec::new(), ..Options::default() };
    assert_eq!(refused(&two(1.0), &none), "no family of events to attack, expected at least one");
}

#[test]
fn a_counter_or_the_time_of_day_is_not_taken_for_the_secret() {
    // Outputs that say nothing about the secret, but which draw of the run they are.
    let counter = draws(&[], |_, first, _: &[u32], outputs: &mut [i64]| {
        outputs.iter_mut().enumerate().for_each(|(at, output)| *output = first as i64 + at as i64);
        Ok(())
    });
    for secrets in [2u32, 3, 16] {
        let pairs: Vec<Pair> = (1..secrets).map(|one| Pair { secrets: [0, one], claimed: Some(0.01) }).collect();
        let audit = audit(&pairs, &counter, &Options { draws: 200_000, ..Options::default() }).unwrap();
        assert!(audit.tests.iter().all(|test| !test.is_evidence()), "{audit:?}");
    }
}

#[test]
fn delta_can_be_bounded_where_e_to_the_epsilon_is_beyond_all_doubles() {
    let clear = source(&["no", "yes"], 1, |secret, _| secret);
    for (epsilon, least) in [("600", 0.0), ("800", 0.0), ("1", 0.98)] {
        let options = Options { delta_at: Some(epsilon.parse().unwrap()), draws: 10_000, ..Options::default() };
        let found = audit(&[Pair { secrets: [0, 1], claimed: Some(1.0) }], &clear, &options).unwrap();
        assert!(found.worst().bound >= least && !found.worst().is_evidence(), "{epsilon}: {found:?}");
    }
}

#[test]
fn the_error_is_split_over_all_tests() {
    let families = [Family::Single, Family::Set, Family::Echo];
    let shares = super::shares(&families, 0.99);
    assert!((shares.iter().sum::<f64>() - 0.01).abs() < 1e-12);
    assert!((shares[2] - 0.001).abs() < 1e-12 && shares[0] == shares[1]);
    // What an echo may use does not depend on how many other tests there are.
    assert_eq!(super::shares(&[Family::Echo], 0.99), super::shares(&families, 0.99)[2..]);
    assert!((super::shares(&[Family::Single], 0.95)[0] - 0.05).abs() < 1e-12);
}

#[test]
fn many_secrets_with_many_outputs_are_chosen_from_in_bounded_work() {
    // Every pair and a thousand outputs: only the frequent ones are looked at.
    let source = source(&[], 3, |secret, u| if secret == 77 && u < 0.5 { -1i64 } else { (u * 1_000.0) as i64 });
    let pairs: Vec<Pair> = (0..150u32)
        .flat_map(|one| (0..one).map(move |other| Pair { secrets: [other, one], claimed: Some(0.5) }))
        .collect();
    let audit = audit(&pairs, &source, &Options { draws: 200_000, ..Options::default() }).unwrap();
    assert!(audit.worst().secrets.contains(&77) && audit.worst().is_evidence(), "{audit:?}");
}
