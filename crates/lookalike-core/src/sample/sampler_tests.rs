//! Tests of the sampler: its law is enumerated exactly, its results are pinned and do not depend on the cut.

use super::*;
use crate::certify::certify;
use crate::exact::Rational;
use crate::model::Channel;
use crate::model::{Categories, Distribution, Names, SecretGraph, TOTAL, TOTAL_BITS};
use crate::sample::alias::enumerated;
use proptest::prelude::*;

/// An aware mechanism that claims little, so that any channels certify: their rows have no zero.
fn certified(channels: Vec<Channel>) -> Certified<Mechanism> {
    let size = channels[0].inputs();
    let names = Names::new("profile", (0..channels.len()).map(|at| format!("p{at}"))).unwrap();
    let mut builder = SecretGraph::builder(names);
    builder.chain(&"1000".parse().unwrap());
    let uniform = Distribution::normalized(&vec![Rational::from_integer(1.into()); size]).unwrap();
    let categories = Categories::new((0..size).map(|at| format!("c{at}"))).unwrap();
    let assignment = (0..channels.len() as u32).collect();
    let profiles = vec![uniform; channels.len()];
    let mechanism =
        Mechanism::aware(categories.clone(), categories, builder.build().unwrap(), profiles, channels, assignment);
    certify(mechanism.unwrap()).unwrap()
}

/// How many of the 2^53 points (or 2^106 pairs of points) draw each output.
fn enumerated_law(sampler: &Sampler, secret: usize, value: u32, outputs: usize) -> Vec<u128> {
    let start = sampler.starts[secret];
    if !sampler.two_words {
        let table = (start + value as usize) * sampler.layout.columns();
        let counts = enumerated(sampler.layout, outputs, |word| sampler.layout.draw(&sampler.columns, table, word));
        return counts.into_iter().map(u128::from).collect();
    }
    let keep = sampler.cells[start + value as usize].keep;
    let word = |point: u64| point << (u64::BITS - TOTAL_BITS);
    let mut counts = vec![0; outputs];
    if keep > 0 {
        assert_eq!(sampler.draw(start, value, word(keep - 1) | 0x7ff, u64::MAX), value);
        counts[value as usize] += u128::from(keep) << TOTAL_BITS;
    }
    if keep < TOTAL {
        let drawn = enumerated(sampler.layout, outputs, |second| sampler.draw(start, value, word(keep), second));
        for (count, drawn) in counts.iter_mut().zip(drawn) {
            *count += u128::from(TOTAL - keep) * u128::from(drawn);
        }
    }
    counts
}

fn row(size: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(1..TOTAL / 8, size - 1).prop_map(|mut row| {
        row.push(TOTAL - row.iter().sum::<u64>());
        row
    })
}

fn channels(size: usize) -> impl Strategy<Value = Channel> {
    prop_oneof![
        prop::collection::vec(row(size), size).prop_map(|rows| Channel::rows(rows).unwrap()),
        (prop::collection::vec(0..=TOTAL, size), row(size))
            .prop_map(|(keep, redraw)| Channel::keep(keep, redraw).unwrap()),
    ]
}

proptest! {
    #[test]
    fn the_samplers_law_is_the_certified_channel(channels in (2usize..=4).prop_flat_map(|size| prop::collection::vec(channels(size), 2))) {
        let sampler = Sampler::new(&certified(channels.clone()));
        for (secret, channel) in channels.iter().enumerate() {
            for x in 0..channel.inputs() {
                // A channel of rows in a mechanism that takes two words is counted over 2^106 like the others.
                let scale = if sampler.two_words { u128::from(TOTAL) << TOTAL_BITS } else { u128::from(TOTAL) };
                let weight = |y| channel.weight(x, y) * (scale / channel.scale());
                let expected: Vec<u128> = (0..channel.outputs()).map(weight).collect();
                prop_assert_eq!(enumerated_law(&sampler, secret, x as u32, channel.outputs()), expected);
            }
        }
    }

    #[test]
    fn results_do_not_depend_on_how_a_run_is_cut(cut in 1usize..150_000, two_words in any::<bool>()) {
        let sampler = Sampler::new(&certified(mixed(two_words)));
        let (profiles, values) = records(150_000);
        let key = RandomKey::from_seed(3);
        let run = |threads: usize, cut: usize| {
            let mut outputs = vec![0; values.len()];
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (head, tail) = outputs.split_at_mut(cut);
                sampler.privatize(&key, 0, Some(&profiles[..cut]), &values[..cut], head).unwrap();
                sampler.privatize(&key, cut as u64, Some(&profiles[cut..]), &values[cut..], tail).unwrap();
            });
            outputs
        };
        prop_assert_eq!(run(1, values.len()), run(2, cut));
    }
}

fn mixed(two_words: bool) -> Vec<Channel> {
    let rows = Channel::rows(vec![vec![TOTAL / 2, TOTAL / 4, TOTAL / 4]; 3]).unwrap();
    let third = TOTAL / 3;
    let keep = Channel::keep(vec![TOTAL / 2; 3], vec![third, third, TOTAL - 2 * third]).unwrap();
    vec![rows.clone(), if two_words { keep } else { rows }]
}

fn records(count: u32) -> (Vec<u32>, Vec<u32>) {
    ((0..count).map(|at| at % 2).collect(), (0..count).map(|at| at % 3).collect())
}

#[test]
fn outputs_for_a_seed_are_pinned() {
    let (profiles, values) = records(24);
    let run = |two_words| {
        let mut outputs = vec![9; 24];
        let sampler = Sampler::new(&certified(mixed(two_words)));
        sampler.privatize(&RandomKey::from_seed(7), 5, Some(&profiles), &values, &mut outputs).unwrap();
        outputs
    };
    assert_eq!(run(false), PINNED_ROWS);
    assert_eq!(run(true), PINNED_KEEP);
}

// Both computed by an independent program from the definitions of ChaCha12 and of the tables.
const PINNED_ROWS: [u32; 24] = [2, 2, 0, 2, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1, 2, 0, 0, 1];
const PINNED_KEEP: [u32; 24] = [0, 0, 0, 2, 2, 2, 0, 1, 0, 0, 0, 2, 0, 1, 0, 0, 1, 2, 0, 2, 0, 1, 1, 2];

#[test]
fn frequencies_agree_with_the_law() {
    // A chi-square with 2 degrees of freedom on 300,000 draws; 27.6 is exceeded by chance once in a million seeds.
    let sampler = Sampler::new(&certified(mixed(true)));
    let mut outputs = vec![0; 300_000];
    sampler.privatize(&RandomKey::from_seed(11), 0, Some(&vec![1; 300_000]), &vec![0; 300_000], &mut outputs).unwrap();
    let expected = [2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0].map(|p| p * 300_000.0);
    let statistic: f64 = (0..3)
        .map(|y| {
            let seen = outputs.iter().filter(|&&output| output == y as u32).count() as f64;
            (seen - expected[y]).powi(2) / expected[y]
        })
        .sum();
    assert!(statistic < 27.6, "{statistic}");
}

#[test]
fn codes_out_of_range_are_refused_by_row_without_the_value() {
    let sampler = Sampler::new(&certified(mixed(false)));
    let run = |profiles: Option<&[u32]>, values: &[u32]| {
        let mut outputs = vec![0; 2];
        let error = sampler.privatize(&RandomKey::from_seed(1), 10, profiles, values, &mut outputs).unwrap_err();
        assert_eq!(outputs, [0, 0], "nothing is released");
        error.to_string()
    };
    assert_eq!(run(Some(&[0, 1]), &[0, 77]), "row 12: value code out of range, expected a code below 3");
    assert_eq!(run(Some(&[66, 1]), &[0, 0]), "row 11: profile code out of range, expected a code below 2");
    assert_eq!(run(None, &[0, 0]), "no profiles, expected one for each row of an aware mechanism");
    assert_eq!(run(Some(&[0]), &[0, 0]), "2 values and 1 profiles, expected equally many");
    assert_eq!(run(Some(&[0]), &[0]), "1 values and 2 outputs, expected equally many");
}

#[test]
fn given_words_draw_as_those_of_a_key() {
    for two_words in [false, true] {
        let sampler = Sampler::new(&certified(mixed(two_words)));
        let (profiles, values) = records(70_000);
        let (key, mut outputs, mut again) = (RandomKey::from_seed(5), vec![0; 70_000], vec![0; 70_000]);
        let mut bytes = vec![0; 8 * 70_000 * sampler.words_per_row()];
        key.words_from(9 * sampler.words_per_row() as u128).fill(&mut bytes);
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|&bytes| word(bytes)).collect();
        sampler.privatize(&key, 9, Some(&profiles), &values, &mut outputs).unwrap();
        sampler.privatize_with_words(&words, 9, Some(&profiles), &values, &mut again).unwrap();
        assert!(outputs == again);
        let error = sampler.privatize_with_words(&words[1..], 9, Some(&profiles), &values, &mut again).unwrap_err();
        assert!(error.to_string().contains("words of randomness, expected"), "{error}");
    }
}
