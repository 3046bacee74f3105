//! A program that is started, fed, read and in the end always gone.

use lookalike::{Error, Result};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The program that is running, if one is. It has not been waited for, so that its number is its own and that of its group
/// even if it has ended: whoever waits for it takes it out.
type Slot = Arc<Mutex<Option<Child>>>;

fn locked(slot: &Slot) -> MutexGuard<'_, Option<Child>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a program from another thread, for a signal that ends this process.
#[derive(Debug, Clone, Default)]
pub struct Stopper(Slot);

impl Stopper {
    /// Kills the program and keeps whoever waits for it waiting: this process is about to end, and what the other
    /// thread would say of the program's death is not worth saying.
    pub fn stop_for_good(&self) {
        let mut running = locked(&self.0);
        running.as_mut().map(kill);
        std::mem::forget(running);
    }

    /// The process that runs.
    #[cfg(test)]
    pub(super) fn id(&self) -> Option<u32> {
        locked(&self.0).as_ref().map(Child::id)
    }
}

/// A program with its pipes. It is killed and waited for when this is dropped.
pub(super) struct Process {
    slot: Slot,
    pieces: Receiver<Vec<u8>>,
    started: Instant,
    /// When the program last took something, in milliseconds from the start.
    taken: Arc<AtomicU64>,
    /// When it last gave something.
    given: Instant,
    timeout: Duration,
}

/// No byte was taken and none given for the timeout.
pub(super) struct Hung;

impl Process {
    /// Starts the program and streams to it all that `input` gives, from a thread of its own; then its input is closed.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub(super) fn start(
        command: &[OsString],
        input: impl Iterator<Item = Vec<u8>> + Send + 'static,
        timeout: Duration,
        stopper: &Stopper,
    ) -> Result<Self> {
        let mut running = locked(&stopper.0);
        let mut child = spawn(command)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.expect("both are piped");
        let (started, taken) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let (sender, pieces) = sync_channel(PIECES);
        let clock = Arc::clone(&taken);
        // Not joined: a grandchild that keeps a pipe open must not keep us.
        std::thread::spawn(move || write(stdin, input, || clock.store(millis(started), Ordering::Relaxed)));
        std::thread::spawn(move || read(stdout, &sender));
        *running = Some(child);
        let slot = Arc::clone(&stopper.0);
        Ok(Process { slot, pieces, started, taken, given: started, timeout })
    }

    /// The next bytes of the program; `None` at their end.
    ///
    /// # Errors
    /// No byte was taken and none given for the whole timeout.
    pub(super) fn piece(&mut self) -> std::result::Result<Option<Vec<u8>>, Hung> {
        loop {
            let taken = self.started + Duration::from_millis(self.taken.load(Ordering::Relaxed));
            let idle = self.given.max(taken).elapsed();
            match self.pieces.recv_timeout(self.timeout.saturating_sub(idle)) {
                Ok(piece) => {
                    self.given = Instant::now();
                    return Ok(Some(piece));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if idle >= self.timeout => return Err(Hung),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended, once it has closed its output; `None` if it runs on.
    ///
    /// What it started and left behind is ended with it.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        let closed = Instant::now();
        while !self.has_ended() {
            if closed.elapsed() >= self.timeout {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.end()
    }

    /// Whether the program itself has ended; what it started may run on.
    pub(super) fn has_ended(&self) -> bool {
        locked(&self.slot).as_mut().is_none_or(has_ended)
    }

    /// Kills the program and its group, and waits for it.
    ///
    /// In this order: after the wait the number of the group may be that of another one.
    fn end(&mut self) -> Option<ExitStatus> {
        let mut child = locked(&self.slot).take()?;
        kill(&mut child);
        child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Pieces of output that wait to be looked at.
const PIECES: usize = 4;
/// Bytes of a piece.
const PIECE: usize = 1 << 16;
/// Bytes that are written at once: a pipe takes them whole when it takes any.
const WRITTEN: usize = 1 << 12;

fn spawn(words: &[OsString]) -> Result<Child> {
    let (program, arguments) = words.split_first().expect("a program has a name");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    // A group of its own, so that what the program starts is ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => " (a program that is not on the path needs its folder, as in ./noise)",
            ErrorKind::PermissionDenied => {
                " (chmod +x makes a file a program; a script can be named after its interpreter)"
            }
            _ => "",
        };
        Error::failed(format!("cannot be started: {error}{hint}"))
    })
}

/// Whether the program has ended. It can still be waited for.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(Some(_)))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

/// Kills the program and what it started. It must still be waited for, and not have been.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = rustix::process::Pid::from_child(child);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// A program that closes its input early is no error here: it may have read enough to answer.
fn write(mut stdin: ChildStdin, input: impl Iterator<Item = Vec<u8>>, taken: impl Fn()) {
    for piece in input {
        for part in piece.chunks(WRITTEN) {
            if stdin.write_all(part).is_err() {
                return;
            }
            taken();
        }
    }
}

fn read(mut stdout: ChildStdout, pieces: &SyncSender<Vec<u8>>) {
    loop {
        let mut piece = vec![0; PIECE];
        match stdout.read(&mut piece) {
            Ok(0) => return,
            Ok(count) => piece.truncate(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // As good as closed; what is missing is noticed by counting.
            Err(_) => return,
        }
        // The other side is gone when it has seen something wrong.
        if pieces.send(piece).is_err() {
            return;
        }
    }
}

fn millis(started: Instant) -> u64 {
    started.elapsed().as_millis() as u64
}

/// `ended with status 3`, `was killed by signal 9`, `ended`.
pub(super) fn words(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        Some(0) | None => "ended".to_owned(),
        Some(code) => format!("ended with status {code}"),
    }
}
