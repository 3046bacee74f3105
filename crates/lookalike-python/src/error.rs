//! Errors on their way to Python.

use crate::spelling::InPython;
use lookalike::Sentence;
use lookalike_engine::FalseClaim;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Why a call failed.
pub enum Failure {
    /// The library refused, or the operating system did.
    Library(lookalike_formats::Error),
    /// A claim is false: the reason, and the facts as JSON.
    Privacy(String, String),
    /// Python code raised, or was interrupted.
    Python(PyErr),
}

/// The result of what is called from Python.
pub type Answer<T> = Result<T, Failure>;

impl Failure {
    /// Input that cannot be used, with the whole message.
    pub fn input(message: impl Into<Sentence>) -> Self {
        Failure::Library(lookalike_formats::Error::input(message))
    }

    /// A claim that is false, with its witness.
    pub fn privacy(claim: &FalseClaim) -> Self {
        Failure::Privacy(claim.reason.clone(), claim.json())
    }
}

impl From<lookalike_formats::Error> for Failure {
    fn from(error: lookalike_formats::Error) -> Self {
        Failure::Library(error)
    }
}

impl From<lookalike::Error> for Failure {
    fn from(error: lookalike::Error) -> Self {
        Failure::Library(error.into())
    }
}

impl From<FalseClaim> for Failure {
    fn from(claim: FalseClaim) -> Self {
        Failure::privacy(&claim)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let made = |name: &str, arguments: Vec<String>| {
            Python::attach(|py| match exception(py, name, arguments) {
                Ok(error) | Err(error) => error,
            })
        };
        match failure {
            Failure::Python(error) => error,
            Failure::Privacy(reason, facts) => made("PrivacyError", vec![reason, facts]),
            Failure::Library(error) if error.is_system() => {
                use std::{error::Error, io};
                let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
                let name = match source.map(io::Error::kind) {
                    Some(io::ErrorKind::NotFound) => "MissingFileError",
                    _ => "FileError",
                };
                made(name, vec![error.spelled(&InPython)])
            }
            Failure::Library(error) if error.is_refusal() => made("RefusedError", vec![error.spelled(&InPython)]),
            Failure::Library(error) => made("InputError", vec![error.spelled(&InPython)]),
        }
    }
}

/// An exception of the family, which is written in Python since its classes have two bases each.
fn exception(py: Python<'_>, name: &str, arguments: Vec<String>) -> PyResult<PyErr> {
    static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let errors = ERRORS.get_or_try_init(py, || py.import("lookalike._errors").map(Bound::unbind))?.bind(py);
    let arguments = pyo3::types::PyTuple::new(py, arguments)?;
    Ok(PyErr::from_value(errors.getattr(name)?.call1(arguments)?))
}
