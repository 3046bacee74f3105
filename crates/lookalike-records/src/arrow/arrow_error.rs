//! What Parquet and Arrow say when they fail, in our own words: theirs might quote the data.

use std::{
    cell::Cell,
    io::{self, ErrorKind},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use super::ipc_check::Oversized;
use lookalike_formats::{Error, Result};

/// An error while reading a file of the format `what`.
fn unreadable(error: impl Into<Failure>, what: &str) -> Error {
    let error = error.into();
    if let Some(oversized) = error.oversized() {
        return Error::input(oversized.to_string());
    }
    match error.0 {
        // A place before the beginning, as a file that is too short seems to name, is an invalid argument.
        Some(error) if error.raw_os_error().is_some() && error.kind() != ErrorKind::InvalidInput => {
            Error::system("cannot read", error)
        }
        _ => Error::input(format!("damaged, cut short, or not {what} (is the file complete?)")),
    }
}

/// What a decoder of the format `what` makes of a file; its errors, and its panics, are told by [`unreadable`].
///
/// Decoders panic on some damaged files, with messages that might quote the data.
pub(crate) fn decoded<T, E: Into<Failure>>(
    what: &str,
    decode: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<T> {
    silence_decoders();
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    match decoded {
        Ok(decoded) => decoded.map_err(|error| unreadable(error, what)),
        Err(_) => Err(unreadable(Failure(None), what)),
    }
}

thread_local! {
    /// Whether this thread is inside a decoder.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the messages of panics inside decoders from standard error; all others are told as before.
fn silence_decoders() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                told(panic);
            }
        }));
    });
}

/// An error while writing.
pub(crate) fn unwritable(error: impl Into<Failure>) -> Error {
    match error.into().0 {
        Some(error) => Error::system("cannot write", error),
        None => Error::input("cannot write: the kept columns cannot be written in this format"),
    }
}

/// The error of the operating system behind another error, if there is one.
pub(crate) struct Failure(Option<io::Error>);

impl Failure {
    /// What our own check of sizes says.
    fn oversized(&self) -> Option<&Oversized> {
        self.0.as_ref()?.get_ref()?.downcast_ref()
    }
}

impl From<ParquetError> for Failure {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => Failure(error.downcast::<io::Error>().ok().map(|error| *error)),
            _ => Failure(None),
        }
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => Failure(Some(error)),
            ArrowError::ExternalError(error) => match error.downcast::<ParquetError>() {
                Ok(error) => Failure::from(*error),
                Err(error) => Failure(error.downcast::<io::Error>().ok().map(|error| *error)),
            },
            _ => Failure(None),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        // Errors of decoders come with texts of their own.
        Failure(Some(error).filter(|error| error.kind() != ErrorKind::InvalidData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_decoder_is_an_error() {
        let text = "damaged, cut short, or not Parquet (is the file complete?)";
        let failed = decoded("Parquet", || -> std::result::Result<(), ArrowError> { panic!("SECRETMARKER") });
        assert_eq!(failed.unwrap_err().to_string(), text);
        assert_eq!(decoded("Parquet", || Ok::<_, ArrowError>(7)).unwrap(), 7);
    }

    #[test]
    fn the_system_is_quoted_and_decoders_are_not() {
        let full = || io::Error::from_raw_os_error(28);
        for error in [
            unwritable(ParquetError::from(full())),
            unwritable(ArrowError::from(full())),
            unwritable(ArrowError::from_external_error(Box::new(ParquetError::from(full())))),
        ] {
            assert_eq!(error.to_string(), "cannot write: No space left on device (os error 28)");
            assert!(error.is_system());
        }
        for error in [
            unreadable(ParquetError::General("SECRETMARKER".into()), "Parquet"),
            unreadable(ParquetError::External("SECRETMARKER".into()), "Parquet"),
            unreadable(ArrowError::ParseError("SECRETMARKER".into()), "Parquet"),
            unreadable(io::Error::new(ErrorKind::InvalidData, "SECRETMARKER"), "Parquet"),
        ] {
            assert_eq!(error.to_string(), "damaged, cut short, or not Parquet (is the file complete?)");
        }
    }
}
