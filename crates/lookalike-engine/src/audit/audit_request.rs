//! An attack, from what is asked to what its draws say.

use super::audit_outcome::AuditOutcome;
use super::question::Question;
use super::read_audit::AuditSource;
use super::subject::Subject;
use super::written::{Written, WrittenInput};
use crate::release::fresh_key;
use lookalike::audit::{Options, Source, Text, audit, draws, worst_laws};
use lookalike::sample::{RandomKey, Rehearsal};
use lookalike_formats::{Error, Result};
use lookalike_records::at_input;

/// An attack on a mechanism by its draws.
#[derive(Debug, Clone)]
pub struct AuditRequest {
    /// Draws in all, half to choose the tests and half to make them; draws that were written down are used all.
    pub draws: u64,
    /// The probability with which all bounds hold together.
    pub confidence: f64,
    /// Draws reproducibly from a mechanism of ours.
    pub seed: Option<u64>,
}

/// What is told of an attack, and what it is told, from any thread.
#[derive(Clone, Copy)]
pub struct AuditWatch<'w> {
    /// How many draws were made since the last call.
    pub progress: &'w (dyn Fn(u64) + Sync),
    /// Whether to stop.
    pub stop: &'w (dyn Fn() -> bool + Sync),
}

impl AuditRequest {
    /// Attacks a mechanism of ours. What its tests say is held against the proofs about their pairs, where it is between categories
    /// and the bounds are on ε. Where profiles have limits, values are drawn from [the laws within them](worst_laws) at which the pairs
    /// are least alike.
    ///
    /// # Errors
    /// More draws than can be counted, too few, a confidence that is not between 0 and 1, and work that was stopped.
    pub fn of_subject(&self, question: Question, subject: &Subject, watch: AuditWatch<'_>) -> Result<AuditOutcome> {
        let keys = self.keys()?;
        let go_on = || if (watch.stop)() { Err(lookalike::Error::stopped()) } else { Ok(()) };
        let Some(certified) = subject.certified() else {
            let source = draws(&[], |run, first, secrets: &[u32], outputs: &mut [Text]| {
                go_on()?;
                subject.draw(&keys[run as usize], first, secrets, outputs)
            });
            return self.of_source(question, &source, AuditSource::Mechanism, watch);
        };
        let labels: Vec<&str> = certified.mechanism().outputs().names().iter().collect();
        // What is claimed holds for every law within the limits: it is attacked at those where it is the likeliest to fail.
        let worst = worst_laws(certified.mechanism(), question.pairs());
        let rehearsal = match worst.pairs[..] {
            [] => Rehearsal::new(certified),
            _ => Rehearsal::with_laws(certified, &worst.laws)?,
        };
        let source = draws(&labels, |run, first, secrets: &[u32], outputs: &mut [u32]| {
            go_on()?;
            rehearsal.draw(&keys[run as usize], first, secrets, outputs)
        });
        let found = audit(question.pairs(), &source, &self.options(&question, Some(watch.progress)))?;
        let outcome = AuditOutcome::of_mechanism(question, found, certified.mechanism(), self.seed)?;
        Ok(AuditOutcome { least_alike: worst.pairs, ..outcome })
    }

    /// Attacks whatever draws: a program, or a function.
    ///
    /// # Errors
    /// Those of the source, too few draws, and a confidence that is not between 0 and 1.
    pub fn of_source(
        &self,
        question: Question,
        source: &impl Source,
        origin: AuditSource,
        watch: AuditWatch<'_>,
    ) -> Result<AuditOutcome> {
        let found = audit(question.pairs(), source, &self.options(&question, Some(watch.progress)))?;
        Ok(AuditOutcome::new(question, found, origin, self.seed))
    }

    /// Attacks draws that were written down, by a mechanism with these outputs where they are known; `progress` is told the bytes
    /// that were read.
    ///
    /// # Errors
    /// A file that cannot be read, by row and column; no draws, or too few of a secret. Errors name the file.
    pub fn of_records(
        &self,
        question: Question,
        input: &WrittenInput<'_>,
        subject: Option<&Subject>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<AuditOutcome> {
        let here = |error| at_input(error, input.path);
        let outputs = subject.and_then(Subject::outputs);
        let written = Written::read(input, question.names(), outputs, progress).map_err(here)?;
        if written.is_empty() {
            return Err(here(Error::input("no draws, expected at least two for each secret")));
        }
        let found = audit(question.pairs(), &written, &self.options(&question, None));
        let found = found.map_err(|error| here(error.into()))?;
        Ok(AuditOutcome::new(question, found, AuditSource::Records, self.seed))
    }

    fn options<'a>(&self, question: &Question, progress: Option<&'a (dyn Fn(u64) + Sync)>) -> Options<'a> {
        let delta_at = question.delta_at().cloned();
        Options { draws: self.draws, confidence: self.confidence, delta_at, progress, ..Options::default() }
    }

    /// The keys of the two runs.
    fn keys(&self) -> Result<[RandomKey; 2]> {
        let key = |run: u8| match self.seed {
            None => fresh_key("nothing is audited"),
            Some(seed) => {
                let mut bytes = [0; 32];
                bytes[..8].copy_from_slice(&seed.to_le_bytes());
                bytes[8] = 1 + run;
                Ok(RandomKey::from_bytes(bytes))
            }
        };
        Ok([key(0)?, key(1)?])
    }
}
