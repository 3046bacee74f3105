//! Long work that Python can watch and interrupt.

use crate::error::{Answer, Failure};
use lookalike::design::{Progress, Watch};
use lookalike_engine::InputGuard;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often the caller is told of progress, and signals are looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// What work says of itself, and what it is told.
#[derive(Default)]
pub struct Link {
    latest: Mutex<Option<Progress>>,
    stopped: AtomicBool,
}

impl Link {
    /// Says how far the work is.
    pub fn report(&self, progress: Progress) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    /// Whether to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Does something that takes a watch of the library.
    pub fn watch<T>(&self, work: impl FnOnce(Watch<'_>) -> T) -> T {
        let (progress, stop) = (|progress| self.report(progress), || self.is_stopped());
        work(Watch::default().on_progress(&progress).stop_when(&stop))
    }
}

/// Does work without the lock of the interpreter; Python functions may run meanwhile.
///
/// Work that is not `short` goes to a thread of its own. The thread of the caller looks for Ctrl-C and calls
/// `callback(stage, done, total)`, both about twenty times a second; an exception from either stops the work, and is
/// what the caller gets.
pub fn watched<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    short: bool,
    work: impl FnOnce(&Link) -> Answer<T> + Send,
) -> Answer<T> {
    let link = Link::default();
    // What one call reads, the same call does not replace; a later one may.
    let _inputs = InputGuard::new();
    if short && callback.is_none() {
        return py.detach(|| work(&link));
    }
    py.detach(|| {
        std::thread::scope(|scope| {
            let (ended, end) = channel::<()>();
            let link = &link;
            let worker = scope.spawn(move || {
                // Dropped when the work is done, or has panicked.
                let _ended = ended;
                work(link)
            });
            let attended = attend(&end, link, callback);
            if attended.is_err() {
                link.stopped.store(true, Ordering::Relaxed);
            }
            let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            attended.map_err(Failure::Python)?;
            done
        })
    })
}

/// Waits for the end of the work.
fn attend(end: &Receiver<()>, link: &Link, callback: Option<&Py<PyAny>>) -> PyResult<()> {
    loop {
        let running = matches!(end.recv_timeout(PAUSE), Err(RecvTimeoutError::Timeout));
        let latest = link.latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        if running || (callback.is_some() && latest.is_some()) {
            Python::attach(|py| {
                py.check_signals()?;
                if let (Some(callback), Some(Progress { stage, done, total })) = (callback, latest) {
                    callback.call1(py, (stage, done, total))?;
                }
                PyResult::Ok(())
            })?;
        }
        if !running {
            return Ok(());
        }
    }
}
