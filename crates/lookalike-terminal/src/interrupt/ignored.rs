//! Signals that a process was told to ignore before it began.

/// Holds back what `nohup`, or a shell that starts something in the background, has told this process to ignore, since a
/// handler of our own would undo that; and the signal of a file that grows beyond its limit, so that it is an error that
/// the program can tell of. Programs that this one starts have the usual signals.
#[cfg(unix)]
pub fn stay_ignored() {
    use nix::sys::signal::{SigSet, Signal};
    #[allow(clippy::disallowed_methods, reason = "no input of a command")]
    let ignored = std::fs::File::open("/proc/self/status").map_or(0, mask);
    let mut held = SigSet::from(Signal::SIGXFSZ);
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        if ignored >> (signal as u32 - 1) & 1 == 1 {
            held.add(signal);
        }
    }
    // Fails only for arguments that are not there.
    let _ = held.thread_block();
}

/// There are no such signals elsewhere.
#[cfg(not(unix))]
pub fn stay_ignored() {}

/// The ignored signals in a description of a process: bit n - 1 for signal n.
#[cfg(unix)]
fn mask(mut status: impl std::io::Read) -> u64 {
    let mut text = String::new();
    let read = status.read_to_string(&mut text);
    let digits = read.ok().and_then(|_| text.lines().find_map(|line| line.strip_prefix("SigIgn:")));
    digits.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::mask;

    #[test]
    fn the_mask_is_read_from_its_line() {
        let status =
            "Name:\tlookalike\nSigBlk:\t00000000ffffffff\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000440\n";
        assert_eq!(mask(status.as_bytes()), 0x1001);
        assert_eq!((mask(&b"SigIgn:\tnonsense\n"[..]), mask(&b""[..]), mask(&b"\xff"[..])), (0, 0, 0));
    }
}
