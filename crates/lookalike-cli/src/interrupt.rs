//! Ctrl-C and SIGTERM while something is computed.

use indicatif::ProgressBar;
use std::io::Write;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

/// The exit code of a run that was stopped, as shells have it for SIGINT.
pub const STOPPED: i32 = 130;

/// Ends the process on Ctrl-C, SIGTERM or SIGHUP: the bar is cleared, and the message says what was written.
///
/// Files have no name until they are complete, so a run that ends anywhere leaves nothing half-written.
pub struct Interrupt {
    phase: Arc<Mutex<Phase>>,
}

#[derive(Clone, Copy)]
enum Phase {
    Computing,
    Writing,
}

impl Phase {
    fn message(self) -> &'static str {
        match self {
            Phase::Computing => "stopped; nothing was written",
            Phase::Writing => "stopped while writing; a file is there complete or not at all",
        }
    }
}

impl Interrupt {
    /// From now on.
    pub fn new(bar: &ProgressBar) -> Self {
        Interrupt::then(bar, || {})
    }

    /// From now on; a folder in which files wait is removed, since its owner has no time left to do it.
    pub fn removing(bar: &ProgressBar, folder: PathBuf) -> Self {
        Interrupt::then(bar, move || {
            let _ = std::fs::remove_dir_all(&folder);
        })
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
        let phase = Arc::new(Mutex::new(Phase::Computing));
        // Not a bar of its own: one that is left behind after an error would go on drawing.
        let (seen, bar) = (Arc::clone(&phase), bar.downgrade());
        // Fails where signals cannot be caught; then they end the process without a word.
        let _ = ctrlc::set_handler(move || {
            // Held to the end of the process: nothing is written after the message says so.
            let phase = seen.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(bar) = bar.upgrade() {
                bar.finish_and_clear();
            }
            let _ = writeln!(std::io::stderr(), "{}", said(*phase));
            process::exit(STOPPED);
        });
        Interrupt { phase }
    }

    /// The computing is over.
    pub fn writing(&self) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Phase::Writing;
    }
}
