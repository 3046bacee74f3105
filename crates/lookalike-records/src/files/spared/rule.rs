//! The one rule.

use super::file_id::FileId;
use super::{inputs, ledgers};
use lookalike_formats::{Error, Result};
use std::path::Path;

/// Refuses to write in the place of a file that the same command reads, of a ledger, or of a file that belongs to one.
///
/// # Errors
/// Such a place, by any name.
pub fn check_spared(path: &Path) -> Result<()> {
    refusal(path).map_or(Ok(()), |message| Err(Error::input(message).in_file(path)))
}

/// [`check_spared`] for a standard output that leads to a file.
///
/// # Errors
/// A redirection to an input or a ledger.
pub fn check_stdout() -> Result<()> {
    refusal(Path::new("/dev/stdout")).map_or(Ok(()), |message| Err(Error::input(message).at("standard output")))
}

fn refusal(path: &Path) -> Option<&'static str> {
    if FileId::at(path).is_some_and(|file| inputs::is_input(&file)) {
        return Some("this command reads this file, and what is read is never replaced (choose another name)");
    }
    ledgers::belongs_to_a_ledger(path)
        .then_some("this is a ledger, its key or its journal, which no output replaces (choose another name)")
}

#[cfg(test)]
mod tests {
    use super::super::super::atomic::write_atomically;
    use super::super::super::read_text::read_text;
    use super::super::inputs::InputGuard;
    use super::check_spared;

    /// Guards of other tests may be alive at the same time, so nothing here depends on there being none.
    #[test]
    fn what_a_command_reads_is_refused_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["read", "other"] {
            std::fs::write(at(name), "text").unwrap();
        }
        std::fs::create_dir(at("inner")).unwrap();
        std::fs::hard_link(at("read"), at("hard")).unwrap();
        let _command = InputGuard::new();
        write_atomically(&at("read"), true, b"text").unwrap();
        std::fs::remove_file(at("hard")).unwrap();
        std::fs::hard_link(at("read"), at("hard")).unwrap();
        read_text(&at("read")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("read", at("link")).unwrap();
        #[cfg(unix)]
        let names = ["read", "./read", "inner/../read", "hard", "link"];
        #[cfg(not(unix))]
        let names = ["read", "./read", "inner/../read"];
        for name in names {
            for replace in [false, true] {
                let error = write_atomically(&at(name), replace, b"new").unwrap_err().to_string();
                assert!(error.contains("this command reads this file, and what is read is never replaced"), "{error}");
            }
        }
        assert_eq!(std::fs::read(at("read")).unwrap(), b"text");
        check_spared(&at("other")).unwrap();
        write_atomically(&at("other"), true, b"new").unwrap();
    }

    #[test]
    fn an_output_that_is_read_after_it_was_begun_is_refused_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("late");
        std::fs::write(&path, "text").unwrap();
        let _command = InputGuard::new();
        let output = super::super::super::atomic::AtomicFile::create(&path, true).unwrap();
        read_text(&path).unwrap();
        assert!(output.commit().unwrap_err().to_string().contains("never replaced"));
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_descriptor_of_an_input_is_refused_and_so_is_a_ledger_without_being_read() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("read"), "text").unwrap();
        let file = std::fs::OpenOptions::new().append(true).open(at("read")).unwrap();
        let _command = InputGuard::new();
        read_text(&at("read")).unwrap();
        for way in ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"] {
            let path = format!("{way}/{}", file.as_raw_fd());
            assert!(write_atomically(path.as_ref(), true, b"new").is_err(), "{way}");
        }
        assert_eq!(std::fs::read(at("read")).unwrap(), b"text");
        std::fs::write(at("a.ledger"), [&b"SQLite format 3\0"[..], &[0; 52], b"LKLG"].concat()).unwrap();
        std::fs::write(at("a.ledger.key"), "lookalike ledger key 1\n").unwrap();
        let before = std::fs::read(at("a.ledger")).unwrap();
        for name in ["a.ledger", "a.ledger.key", "a.ledger-wal"] {
            let error = write_atomically(&at(name), true, b"new").unwrap_err().to_string();
            assert!(error.contains("this is a ledger, its key or its journal"), "{error}");
        }
        assert_eq!(std::fs::read(at("a.ledger")).unwrap(), before);
    }
}
