//! The examples of the lecture on differential privacy, from their definitions.

use lookalike::certify::{Achieved, certify};
use lookalike::exact::{Rational, parse_rational};
use lookalike::sample::{RandomKey, Sampler};
use lookalike_experiments::{Query, sensitivity, survey};

#[test]
fn the_survey_with_two_coins_is_private_at_ln_3_and_not_at_less() {
    let certified = certify(survey(&"ln(3)".parse().unwrap()).unwrap()).unwrap();
    let worst = certified.certificate().worst();
    assert_eq!(worst.ratio(), Some(Rational::from_integer(3.into())));
    assert!(matches!(worst.achieved(), Achieved::Within(_)));
    for less in ["1.0986", "ln(2.9999999)", "1"] {
        assert!(certify(survey(&less.parse().unwrap()).unwrap()).is_err(), "{less}");
    }
    assert!(certify(survey(&"1.0987".parse().unwrap()).unwrap()).is_ok());
}

#[test]
fn twice_the_share_of_yes_less_a_quarter_estimates_the_truth() {
    let certified = certify(survey(&"ln(3)".parse().unwrap()).unwrap()).unwrap();
    let (people, seeds) = (20_000usize, 20u64);
    for (tenths, name) in [(0, "none"), (3, "three tenths"), (10, "all")] {
        let truth: Vec<u32> = (0..people).map(|person| u32::from(person % 10 < tenths)).collect();
        let mut errors = Vec::new();
        for seed in 0..seeds {
            let mut reports = vec![0; people];
            Sampler::new(&certified).privatize(&RandomKey::from_seed(seed), 0, None, &truth, &mut reports).unwrap();
            let share = reports.iter().sum::<u32>() as f64 / people as f64;
            errors.push(2.0 * (share - 0.25) - tenths as f64 / 10.0);
        }
        // Var = 4 · (3/16)/n for any truth, so one error is 0.0061 and their mean 0.0014: five of each is the limit.
        let deviation = (4.0 * 3.0 / 16.0 / people as f64).sqrt();
        assert!(errors.iter().all(|error| error.abs() < 5.0 * deviation), "{name}: {errors:?}");
        let mean = errors.iter().sum::<f64>() / seeds as f64;
        assert!(mean.abs() < 5.0 * deviation / (seeds as f64).sqrt(), "{name}: {mean}");
    }
}

#[test]
fn heights_from_1_to_300_have_sensitivity_299_in_the_maximum_and_299_over_n_in_the_mean() {
    for records in [1, 2] {
        assert_eq!(sensitivity(Query::Maximum, 1..=300, records).to_string(), "299");
        let mean = sensitivity(Query::Mean, 1..=300, records);
        assert_eq!(mean, parse_rational(&format!("299/{records}")).unwrap());
    }
    // More people with a smaller range: the same law, (M − 1)/n.
    for (records, largest) in [(3, 20), (4, 9), (5, 6)] {
        assert_eq!(sensitivity(Query::Maximum, 1..=largest, records).to_string(), (largest - 1).to_string());
        let mean = Rational::new((largest - 1).into(), (records as i64).into());
        assert_eq!(sensitivity(Query::Mean, 1..=largest, records), mean);
    }
}
