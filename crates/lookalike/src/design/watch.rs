//! A design that is watched: it says how far it is, and stops when asked.

use crate::lp::{Solver, Wish};
use crate::{Error, Result};
use std::fmt;

/// What a long design calls on its way: a report of progress, a question whether to stop, both, or neither.
///
/// The library has no clock and no terminal; whoever has them looks in through here. Both functions may be called
/// from any thread, often, and should be quick.
///
/// # Example
/// ```
/// use lookalike::design::{self, Options, Watch};
/// use lookalike::model::{Categories, SecretGraph};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let problem = design::Problem::values(bits, builder.build()?)?;
/// let at_once = || true;
/// let options = Options { watch: Watch::default().stop_when(&at_once), ..Options::default() };
/// assert!(design::design(&problem, &options).unwrap_err().is_stopped());
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    most_steps: Option<u32>,
    solver: Option<Solver>,
}

/// How far a design is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, in a word or two.
    pub stage: &'static str,
    /// How many steps of the stage are done.
    pub done: u64,
    /// How many there will be, where that is known.
    pub total: Option<u64>,
}

impl<'a> Watch<'a> {
    /// The same watch, which reports progress to this function.
    #[must_use]
    pub fn on_progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Watch { progress: Some(progress), ..self }
    }

    /// The same watch, which stops the design once this function says so.
    #[must_use]
    pub fn stop_when(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Watch { stop: Some(stop), ..self }
    }

    /// The same watch, which takes the best point that a solver has come to after so many steps on a program.
    ///
    /// The mechanism is certified all the same, its gap says how good it is, and it is no noisier than a closed form.
    #[must_use]
    pub fn take_after(self, steps: u32) -> Self {
        Watch { most_steps: Some(steps), ..self }
    }

    /// The same watch, which asks one solver only.
    #[must_use]
    pub fn by(self, solver: Solver) -> Self {
        Watch { solver: Some(solver), ..self }
    }

    /// The solver that alone is to be asked.
    pub(super) fn solver(&self) -> Option<Solver> {
        self.solver
    }

    /// Reports a step of a solver and says whether to go on.
    pub(super) fn wish(&self, stage: &'static str, step: u32) -> Wish {
        match self.step(stage, u64::from(step), None) {
            Err(_) => Wish::Stop,
            Ok(()) if self.most_steps.is_some_and(|most| step >= most) => Wish::Enough,
            Ok(()) => Wish::GoOn,
        }
    }

    /// The same watch without reports, for designs that are steps of something longer.
    pub(super) fn silent(self) -> Self {
        Watch { progress: None, ..self }
    }

    /// Reports a step and asks whether to go on: the one call in a loop, of a solver or of a job with several steps.
    ///
    /// # Errors
    /// The error for which [`Error::is_stopped`] holds, when the caller has asked to stop.
    pub fn step(&self, stage: &'static str, done: u64, total: Option<u64>) -> Result<()> {
        if self.stop.is_some_and(|stop| stop()) {
            return Err(Error::stopped());
        }
        if let Some(progress) = self.progress {
            progress(Progress { stage, done, total });
        }
        Ok(())
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = |given: bool| if given { "given" } else { "none" };
        f.debug_struct("Watch")
            .field("progress", &given(self.progress.is_some()))
            .field("stop", &given(self.stop.is_some()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn steps_are_reported_until_the_caller_has_had_enough() {
        let (asked, seen) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let enough = || asked.fetch_add(1, Ordering::Relaxed) == 2;
        let note = |progress: Progress| seen.lock().unwrap().push(progress.done);
        let watch = Watch::default().on_progress(&note).stop_when(&enough);
        let ended = (0..10).find_map(|step| watch.step("counting", step, Some(10)).err()).unwrap();
        assert!(ended.is_stopped() && !ended.is_input() && !ended.is_inapplicable());
        assert_eq!(*seen.lock().unwrap(), [0, 1]);
        assert_eq!(format!("{watch:?}"), "Watch { progress: \"given\", stop: \"given\" }");
    }

    #[test]
    fn nobody_watching_costs_nothing_and_stops_nothing() {
        assert!((0..10).all(|step| Watch::default().step("counting", step, None).is_ok()));
    }
}
