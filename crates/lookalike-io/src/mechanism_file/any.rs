//! A file of any kind.

use super::read::{KEYS_OF_ALL, check_start, finite, summary};
use super::read_long::{self, Long};
use super::{MechanismFile, Stored, noise, oracle, planar};
use crate::spec::Budgets;
use crate::tree::{Fields, Tree};
use crate::{Error, Result};
use lookalike::exact::Epsilon;
use lookalike::model::{Noise, Oracle, PlanarNoise};
use std::path::Path;

/// A mechanism of any kind, with what its file says of it.
#[derive(Debug, Clone)]
pub enum AnyMechanism {
    /// Channels between finite sets: the kinds `aware`, `shared` and `point`.
    Finite(Box<MechanismFile>),
    /// A frequency oracle: `unary`, `hash`, `hadamard` and `subset`.
    Oracle(Box<MechanismFile<Oracle>>),
    /// Noise on numbers: `noise`.
    Noise(Box<MechanismFile<Noise>>),
    /// Noise on places: `noise` of the law `planar-laplace`.
    Planar(Box<MechanismFile<PlanarNoise>>),
}

impl AnyMechanism {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, or content that is not a valid mechanism file; the error says where.
    pub fn read(path: &Path) -> Result<AnyMechanism> {
        AnyMechanism::from_json(&crate::read_text(path)?).map_err(|error| error.in_file(path))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Content that is not a valid mechanism file.
    pub fn from_json(text: &str) -> Result<AnyMechanism> {
        if let Some(file) = read_long::read(text) {
            return Ok(AnyMechanism::Finite(Box::new(file)));
        }
        let tree = Tree::from_json(text)?;
        let fields = Fields::of(&tree)?;
        check_start(&fields)?;
        match fields.required("kind", Tree::text)? {
            kind @ ("unary" | "hash" | "hadamard" | "subset") => {
                Ok(AnyMechanism::Oracle(Box::new(file(&fields, oracle::read(&fields, kind)?)?)))
            }
            "noise" if fields.read("law", Tree::text)? == Some(planar::LAW) => {
                Ok(AnyMechanism::Planar(Box::new(file(&fields, planar::read(&fields)?)?)))
            }
            "noise" => Ok(AnyMechanism::Noise(Box::new(file(&fields, noise::read(&fields)?)?))),
            _ => Ok(AnyMechanism::Finite(Box::new(finite(&fields, Long::default())?))),
        }
    }

    /// The `kind` of the file.
    pub fn kind_name(&self) -> &'static str {
        match self {
            AnyMechanism::Finite(file) => file.mechanism.kind_name(),
            AnyMechanism::Oracle(file) => file.mechanism.kind_name(),
            AnyMechanism::Noise(file) => file.mechanism.kind_name(),
            AnyMechanism::Planar(file) => file.mechanism.kind_name(),
        }
    }

    /// The largest ε that is claimed.
    pub fn epsilon(&self) -> &Epsilon {
        match self {
            AnyMechanism::Finite(file) => file.epsilon(),
            AnyMechanism::Oracle(file) => file.epsilon(),
            AnyMechanism::Noise(file) => file.epsilon(),
            AnyMechanism::Planar(file) => file.epsilon(),
        }
    }

    /// The channels between finite sets.
    ///
    /// # Errors
    /// Another kind.
    pub fn finite(self) -> Result<MechanismFile> {
        match self {
            AnyMechanism::Finite(file) => Ok(*file),
            other => Err(Error::input(format!(
                "kind: {:?}, expected \"aware\", \"shared\" or \"point\": this works on channels between categories",
                other.kind_name()
            ))),
        }
    }
}

/// The mechanism with what every file may say of it.
pub(super) fn file<M>(fields: &Fields<'_>, mechanism: M) -> Result<MechanismFile<M>> {
    let name = fields.read("mechanism", |tree| Ok(tree.text()?.to_owned()))?;
    let objective = fields.read("objective", summary)?;
    let certificate = fields.read("certificate", summary)?;
    Ok(MechanismFile { name, objective, certificate, ..MechanismFile::of(mechanism) })
}

/// The ε of the whole file, with only keys of its kind beside those of every file.
pub(super) fn claim(fields: &Fields<'_>, keys: &[&str]) -> Result<Epsilon> {
    fields.only(&[&KEYS_OF_ALL[..], keys].concat())?;
    Budgets::default().of(fields)?.ok_or_else(|| Error::input("epsilon is missing"))
}
