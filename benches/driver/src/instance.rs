//! The instance that both sides of a row run: random channels and random records, all from one seed.

use crate::Failure;
use lookalike::certify::{Certified, certify};
use lookalike::exact::Rational;
use lookalike::model::{Categories, Channel, Distribution, Form, Mechanism, Names, SecretGraph, TOTAL};
use std::path::Path;

/// What an instance is made from.
pub struct Instance {
    /// The number of categories, d.
    pub size: usize,
    /// The number of profiles, each with its own channel.
    pub profiles: usize,
    /// Whether channels have the form `keep` instead of `rows`.
    pub keep: bool,
    /// The number of records.
    pub records: usize,
    /// The seed of channels, records and draws.
    pub seed: u64,
}

impl Instance {
    /// Channels with weights of similar size, certified for a claim that they keep easily: proving is not timed.
    pub fn certified(&self) -> Result<Certified<Mechanism>, Failure> {
        let mut words = SplitMix(self.seed);
        let channels: Result<Vec<Channel>, _> = (0..self.profiles)
            .map(|_| match self.keep {
                true => {
                    let keep = (0..self.size).map(|_| TOTAL / 4 + (words.next() >> 12)).collect();
                    Channel::keep(keep, random_row(&mut words, self.size))
                }
                false => Channel::rows((0..self.size).map(|_| random_row(&mut words, self.size)).collect()),
            })
            .collect();
        let uniform = Distribution::normalized(&vec![Rational::from_integer(1.into()); self.size])?;
        let categories = Categories::new((0..self.size).map(|at| format!("c{at}")))?;
        let mut graph = SecretGraph::builder(Names::new("profile", (0..self.profiles).map(|at| format!("p{at}")))?);
        graph.chain(&"1000".parse()?);
        let laws = vec![uniform; self.profiles];
        let assignment = (0..self.profiles as u32).collect();
        let mechanism = Mechanism::aware(categories.clone(), categories, graph.build()?, laws, channels?, assignment)?;
        Ok(certify(mechanism)?)
    }

    /// Profile and value codes, uniform and independent.
    pub fn records(&self) -> (Vec<u32>, Vec<u32>) {
        let mut words = SplitMix(self.seed ^ 0x5eed_0f2e_c02d_5000);
        let below = |half: u64, count: usize| ((half * count as u64) >> 32) as u32;
        let record = |word: u64| (below(word >> 32, self.profiles), below(word & 0xffff_ffff, self.size));
        (0..self.records).map(|_| record(words.next())).unzip()
    }

    /// Writes records and channels as plain little-endian arrays, for peers in other languages.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let certified = self.certified()?;
        let (profiles, values) = self.records();
        let codes = |codes: Vec<u32>| codes.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        let numbers = |channel: &Channel| match channel.form() {
            Form::Rows { weights, .. } => weights.to_vec(),
            Form::Keep { keep, redraw } => [keep, redraw].concat(),
        };
        let weights = certified.mechanism().channels().iter().flat_map(numbers).flat_map(u64::to_le_bytes);
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("profiles.u32"), codes(profiles))?;
        std::fs::write(folder.join("values.u32"), codes(values))?;
        std::fs::write(folder.join("weights.u64"), weights.collect::<Vec<u8>>())?;
        Ok(())
    }
}

/// Words for draws of one's own.
pub fn words(seed: u64, count: usize) -> Vec<u64> {
    let mut words = SplitMix(!seed);
    (0..count).map(|_| words.next()).collect()
}

/// Weights that sum to 2^53; none is more than nine times another.
fn random_row(words: &mut SplitMix, size: usize) -> Vec<u64> {
    let raw: Vec<u64> = (0..size).map(|_| (1 << 28) + (words.next() >> 33)).collect();
    let sum: u64 = raw.iter().sum();
    let mut row: Vec<u64> =
        raw.iter().map(|&weight| (u128::from(weight) * u128::from(TOTAL) / u128::from(sum)) as u64).collect();
    row[0] += TOTAL - row.iter().sum::<u64>();
    row
}

/// Whether released values follow the law of their channels: Pearson's statistic over all (profile, value, output)
/// is within six standard deviations of its mean, both exact for the number of records of each (profile, value).
pub fn agrees(mechanism: &Mechanism, profiles: &[u32], values: &[u32], outputs: &[u32]) -> bool {
    let (inputs, size) = (mechanism.inputs().len(), mechanism.outputs().len());
    let mut counts = vec![0u32; mechanism.channels().len() * inputs * size];
    for ((&profile, &value), &output) in profiles.iter().zip(values).zip(outputs) {
        counts[(profile as usize * inputs + value as usize) * size + output as usize] += 1;
    }
    let (mut statistic, mut mean, mut variance) = (0.0, 0.0, 0.0);
    for (at, counts) in counts.chunks(size).enumerate().filter(|(_, counts)| counts.iter().any(|&seen| seen > 0)) {
        let channel = &mechanism.channels()[at / inputs];
        let law = (0..size).map(|y| channel.weight(at % inputs, y) as f64 / channel.scale() as f64);
        let (records, size) = (f64::from(counts.iter().sum::<u32>()), size as f64);
        let mut inverses = 0.0;
        for (&seen, probability) in counts.iter().zip(law) {
            statistic += (f64::from(seen) - records * probability).powi(2) / (records * probability);
            inverses += 1.0 / probability;
        }
        mean += size - 1.0;
        variance += 2.0 * (size - 1.0) + (inverses - size * size - 2.0 * size + 2.0) / records;
    }
    (statistic - mean).abs() <= 6.0 * variance.sqrt()
}

/// SplitMix64 (Steele, Lea and Flood 2014): instances need a generator that any language can repeat.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::sample::{RandomKey, Sampler};

    #[test]
    fn draws_of_the_channels_agree_and_records_released_unchanged_do_not() {
        for keep in [false, true] {
            let instance = Instance { size: 5, profiles: 3, keep, records: 20_000, seed: 1 };
            let certified = instance.certified().unwrap();
            let (profiles, values) = instance.records();
            let mut outputs = vec![0; values.len()];
            let key = RandomKey::from_seed(1);
            Sampler::new(&certified).privatize(&key, 0, Some(&profiles), &values, &mut outputs).unwrap();
            assert!(agrees(certified.mechanism(), &profiles, &values, &outputs));
            assert!(!agrees(certified.mechanism(), &profiles, &values, &values));
        }
    }
}
