//! Times exact noise on a column of whole numbers.

use crate::{Failure, Flags, report, timed};
use lookalike::certify::{Certified, certify};
use lookalike::exact::parse_rational;
use lookalike::model::Noise;
use lookalike::sample::{NoiseSampler, RandomKey};
use std::path::Path;

/// Adds discrete Laplace noise of sensitivity 1 to a column of 64-bit integers, and writes what it releases for the
/// check that follows. Certifying and the tables are not timed: they are made once for any number of rows.
pub fn run(flags: &Flags) -> Result<(), Failure> {
    let sampler = NoiseSampler::new(&certified(flags.text("epsilon")?)?);
    let values = integers(&std::fs::read(flags.text("input")?)?);
    let mut outputs = vec![0; values.len()];
    let key = RandomKey::from_seed(flags.number("seed")?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(flags.number("threads")?).build()?;
    let times = timed(flags.number("repetitions")?, || pool.install(|| sampler.add(&key, 0, &values, &mut outputs)))?;
    let bytes: Vec<u8> = outputs.iter().flat_map(|output| output.to_le_bytes()).collect();
    std::fs::write(Path::new(flags.text("output")?), bytes)?;
    report(values.len(), times);
    Ok(())
}

fn certified(epsilon: &str) -> Result<Certified<Noise>, Failure> {
    Ok(certify(Noise::for_epsilon(epsilon.parse()?, parse_rational("1")?, 0)?)?)
}

fn integers(bytes: &[u8]) -> Vec<i64> {
    bytes.as_chunks().0.iter().map(|&eight| i64::from_le_bytes(eight)).collect()
}
