//! One value a call, as a device does it.

use crate::{Failure, Flags, instance, report, timed};
use lookalike::sample::Sampler;
use lookalike_device::{Generator, Table};
use lookalike_formats::device_table;
use std::convert::Infallible;
use std::hint::black_box;

/// Words that are there already: the generator is not timed.
struct Given<'a>(std::slice::Iter<'a, u64>);

impl Generator for Given<'_> {
    type Error = Infallible;

    #[inline]
    fn word(&mut self) -> Result<u64, Infallible> {
        Ok(*self.0.next().expect("enough words"))
    }
}

/// Times [`Table::privatize`], a call a value, once its outputs were found to be those of the library for the same words.
pub fn run(flags: &Flags) -> Result<(), Failure> {
    let instance = instance(flags)?;
    let certified = instance.certified()?;
    let sampler = Sampler::new(&certified);
    let (_, values) = instance.records();
    let words: Vec<u64> = crate::instance::words(instance.seed, values.len() * sampler.words_per_row());
    let mut expected = vec![0; values.len()];
    sampler.privatize_with_words(&words, 0, Some(&vec![0; values.len()]), &values, &mut expected)?;
    let bytes = device_table(&certified, 0)?.bytes;
    let table = Table::read(&bytes)?;
    let mut outputs = vec![0; values.len()];
    let mut release = || {
        let mut generator = Given(words.iter());
        for (output, &value) in outputs.iter_mut().zip(&values) {
            *output = black_box(&table).privatize(value, &mut generator)?;
        }
        Ok::<(), Failure>(())
    };
    let times = timed(flags.number("repetitions")?, &mut release)?;
    if outputs != expected {
        return Err("the device and the library differ for the same words".into());
    }
    report(values.len(), times);
    Ok(())
}
