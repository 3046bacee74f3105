//! Ctrl-C, SIGTERM and SIGHUP, from the first line of a command to its last.

mod ignored;

use indicatif::{ProgressBar, WeakProgressBar};
use lookalike_engine::Unfinished;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a run that was stopped, by whichever signal.
pub const STOPPED: i32 = 130;

/// Ends the process on Ctrl-C, SIGTERM or SIGHUP: the bar is cleared, and the message says what was written.
///
/// Files have no name until they are complete, so a run that ends anywhere leaves nothing half-written.
pub struct Interrupt(());

static NOW: Mutex<Now> = Mutex::new(Now { phase: Phase::Unknown, is_due: false, bar: None, said: None });

/// What a signal finds.
struct Now {
    phase: Phase,
    /// Whether a signal came that had to wait.
    is_due: bool,
    bar: Option<WeakProgressBar>,
    /// What is left to do, and then to say.
    said: Option<Box<dyn Fn(Phase) -> String + Send>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The verb has said nothing.
    Unknown,
    Computing,
    Writing,
    /// Folders are made, or several files are put in place, all of them or none: a signal waits for the end.
    Moving,
    Moved,
}

impl Phase {
    fn message(self) -> &'static str {
        match self {
            Phase::Unknown => "stopped; a file is there complete or not at all",
            Phase::Computing => "stopped; nothing was written",
            Phase::Writing | Phase::Moving => "stopped while writing; a file is there complete or not at all",
            Phase::Moved => "stopped; the files are all in place",
        }
    }
}

fn now() -> MutexGuard<'static, Now> {
    NOW.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on signals end the process with [`STOPPED`], but for those that whoever started it has told it to ignore, as
/// `nohup` does. To be called before there is another thread.
pub fn install() {
    ignored::stay_ignored();
    // Fails where signals cannot be caught; then they end the process without a word.
    let _ = ctrlc::set_handler(|| {
        // Held to the end of the process: nothing is written after the message says so.
        let mut now = now();
        match now.phase {
            Phase::Moving => now.is_due = true,
            _ => now.stop(),
        }
    });
}

/// The verb is over, and its exit code is the one that counts: a signal from now on has no effect, and one that is being
/// answered ends the process here.
pub fn over() {
    std::mem::forget(now());
}

impl Now {
    fn stop(&self) -> ! {
        if let Some(bar) = self.bar.as_ref().and_then(WeakProgressBar::upgrade) {
            bar.finish_and_clear();
        }
        let said = self.said.as_ref().map_or_else(|| self.phase.message().to_owned(), |said| said(self.phase));
        crate::terminal::tell(&said);
        process::exit(STOPPED);
    }
}

impl Interrupt {
    /// From now on.
    pub fn new(bar: &ProgressBar) -> Self {
        Interrupt::then(bar, || {})
    }

    /// From now on what waits in the folder of a run is removed, since its owner has no time left to do it. A signal that had
    /// to wait until the folder was made is answered.
    pub fn removing(&self, bar: &ProgressBar, unfinished: Unfinished) {
        Interrupt::saying(bar, move |phase| {
            if phase == Phase::Computing {
                unfinished.remove();
            }
            phase.message().to_owned()
        });
    }

    /// From now on; `out` says what has left already and cannot be called back, if there is anything.
    pub fn of_stream(bar: &ProgressBar, out: impl Fn() -> Option<String> + Send + 'static) -> Self {
        Interrupt::saying(bar, move |phase| {
            out().map_or_else(|| phase.message().to_owned(), |out| format!("stopped; {out}"))
        })
    }

    /// From now on; `last` is what is left to do when it happens.
    pub fn then(bar: &ProgressBar, last: impl Fn() + Send + 'static) -> Self {
        Interrupt::saying(bar, move |phase| {
            last();
            phase.message().to_owned()
        })
    }

    fn saying(bar: &ProgressBar, said: impl Fn(Phase) -> String + Send + 'static) -> Self {
        // Not a bar of its own: one that is left behind after an error would go on drawing.
        let bar = Some(bar.downgrade());
        let mut now = now();
        let is_due = now.is_due;
        *now = Now { phase: Phase::Computing, is_due: false, bar, said: Some(Box::new(said)) };
        if is_due {
            now.stop();
        }
        Interrupt(())
    }

    /// The computing is over.
    pub fn writing(&self) {
        now().phase = Phase::Writing;
    }

    /// Folders are made, or several files are put in place: signals wait until [`Interrupt::removing`] or
    /// [`Interrupt::moved`].
    pub fn moving(&self) {
        now().phase = Phase::Moving;
    }

    /// They are in place.
    pub fn moved(&self) {
        let mut now = now();
        now.phase = Phase::Moved;
        if now.is_due {
            now.stop();
        }
    }
}
