//! Where draws come from.

use super::output::Output;
use super::schedule::Schedule;
use crate::Result;
use rayon::prelude::*;

/// The two runs of an audit, each from a fresh start of the mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Run {
    /// The draws that choose what to test.
    Choosing,
    /// The draws that test it.
    Testing,
}

/// A mechanism that can be asked for outputs.
pub trait Source {
    /// What it releases.
    type Output: Output;

    /// Draws the outputs of a schedule from a fresh start and shows each to a collector, with its place in the run.
    /// Collectors that worked side by side are merged; which draws each saw does not matter.
    ///
    /// # Errors
    /// Whatever keeps the mechanism from answering.
    fn run<C: Collect<Self::Output>>(&self, run: Run, schedule: &Schedule, new: &(dyn Fn() -> C + Sync)) -> Result<C>;

    /// How many codes its outputs have, where they are the codes `0..count`.
    fn codes(&self) -> Option<usize> {
        None
    }

    /// The text of a code.
    fn label(&self, code: u64) -> String {
        code.to_string()
    }

    /// Whether a run can be repeated from the start, draw by draw: not so for draws that were written down.
    fn starts_afresh(&self) -> bool {
        true
    }
}

/// Looks at draws.
pub trait Collect<O>: Send {
    /// The output of a secret, which is draw number `place` of the run.
    fn see(&mut self, secret: u32, place: u64, output: &O);

    /// The outputs of secrets, the first of which is draw number `first` of the run.
    fn see_stretch(&mut self, first: u64, secrets: &[u32], outputs: &[O]) {
        for ((place, &secret), output) in (first..).zip(secrets).zip(outputs) {
            self.see(secret, place, output);
        }
    }

    /// Adds what another one saw.
    fn merge(&mut self, other: Self);

    /// Called now and then with the number of draws since the last time.
    fn progress(&self, _draws: u64) {}
}

/// The source of a closure: `draw(run, first, secrets, outputs)` writes to `outputs[i]` what is released for
/// `secrets[i]`, which is draw number `first + i` of the run.
///
/// The closure is called from all threads of the current rayon pool, a stretch of a run at a time. It must draw with
/// fresh randomness for each draw of each run, as the mechanism does for its users. `labels` are the texts of the
/// outputs where they are the codes of a finite mechanism; otherwise it is empty.
///
/// # Example
/// ```
/// use lookalike::audit::{Options, Pair, audit, draws};
/// // A coin that shows the secret one time in two more than it should, with a poor man's randomness.
/// let source = draws(&["no", "yes"], |_, first, secrets: &[u32], outputs: &mut [u32]| {
///     for (i, (output, &secret)) in outputs.iter_mut().zip(secrets).enumerate() {
///         let noise = (first + i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61;
///         *output = if noise == 0 { 1 - secret } else { secret };
///     }
///     Ok(())
/// });
/// let pairs = [Pair { secrets: [0, 1], claimed: Some(3f64.ln()) }];
/// let audit = audit(&pairs, &source, &Options { draws: 100_000, ..Options::default() })?;
/// assert!(audit.worst().is_evidence() && audit.worst().bound > 1.8); // the truth is ln 7 = 1.9459…
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn draws<O, F>(labels: &[&str], draw: F) -> impl Source<Output = O>
where
    O: Output + Clone + Default + Send + Sync,
    F: Fn(Run, u64, &[u32], &mut [O]) -> Result<()> + Sync,
{
    Closure { labels: labels.iter().map(ToString::to_string).collect(), draw, output: std::marker::PhantomData }
}

struct Closure<O, F> {
    labels: Vec<String>,
    draw: F,
    output: std::marker::PhantomData<fn() -> O>,
}

/// Draws that one task makes at a time.
const CHUNK: u64 = 1 << 14;

impl<O, F> Source for Closure<O, F>
where
    O: Output + Clone + Default + Send + Sync,
    F: Fn(Run, u64, &[u32], &mut [O]) -> Result<()> + Sync,
{
    type Output = O;

    fn run<C: Collect<O>>(&self, run: Run, schedule: &Schedule, new: &(dyn Fn() -> C + Sync)) -> Result<C> {
        let chunks = schedule.len().div_ceil(CHUNK);
        let task = |(mut collector, mut buffers): (C, Buffers<O>), chunk: u64| {
            let first = chunk * CHUNK;
            let count = CHUNK.min(schedule.len() - first) as usize;
            let (secrets, outputs) = buffers.of(count);
            schedule.fill(first, secrets);
            (self.draw)(run, first, secrets, outputs)?;
            collector.see_stretch(first, secrets, outputs);
            collector.progress(count as u64);
            Ok((collector, buffers))
        };
        // A stretch of chunks to each task, so that few collectors are made and merged.
        let stretch = chunks.div_ceil(4 * rayon::current_num_threads() as u64).max(1);
        (0..chunks.div_ceil(stretch))
            .into_par_iter()
            .map(|at| {
                let mut own = at * stretch..chunks.min((at + 1) * stretch);
                own.try_fold((new(), Buffers::default()), task).map(|(collector, _)| collector)
            })
            .try_reduce_with(|mut one, other| {
                one.merge(other);
                Ok(one)
            })
            .unwrap_or_else(|| Ok(new()))
    }

    fn codes(&self) -> Option<usize> {
        (!self.labels.is_empty()).then_some(self.labels.len())
    }

    fn label(&self, code: u64) -> String {
        self.labels[code as usize].clone()
    }
}

struct Buffers<O> {
    secrets: Vec<u32>,
    outputs: Vec<O>,
}

impl<O> Default for Buffers<O> {
    fn default() -> Self {
        Buffers { secrets: Vec::new(), outputs: Vec::new() }
    }
}

impl<O: Clone + Default> Buffers<O> {
    fn of(&mut self, count: usize) -> (&mut [u32], &mut [O]) {
        self.secrets.resize(count, 0);
        self.outputs.resize(count, O::default());
        (&mut self.secrets, &mut self.outputs)
    }
}
