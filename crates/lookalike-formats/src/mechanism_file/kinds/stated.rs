//! Reading a file of any kind, and whether it says its secrets.

use super::super::read::{KEYS_OF_ALL, check_start, summary};
use super::super::{MechanismFile, streamed_parts};
use super::AnyMechanism;
use crate::error::{Error, Result};
use crate::spec::Budgets;
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use lookalike::model::{Noise, Secrets};

impl AnyMechanism {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Content that is not a valid mechanism file. Noise of version 1, which does not say its secrets: only
    /// [`Stated::from_json`] takes it.
    pub fn from_json(text: &str) -> Result<AnyMechanism> {
        Stated::from_json(text)?.yes()
    }

    /// What the largest ε is about.
    pub fn secrets(&self) -> Secrets {
        self.file().secrets()
    }

    /// The `kind` of the file.
    pub fn kind_name(&self) -> &'static str {
        self.file().kind_name()
    }

    /// The largest ε that is claimed.
    pub fn epsilon(&self) -> &Epsilon {
        self.file().epsilon()
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

    /// The same for who only looks, where it is of that kind.
    pub fn channels(&self) -> Option<&MechanismFile> {
        match self {
            AnyMechanism::Finite(file) => Some(file),
            _ => None,
        }
    }
}

/// Whether a file says which secrets its ε is about.
#[derive(Debug, Clone)]
pub enum Stated {
    /// It does, or its kind does.
    Yes(AnyMechanism),
    /// Noise of version 1: numbers at most Δ apart are ε-alike, and whether the secret is such a number, or a moment of a
    /// chain that other moments tell of, nobody can know from the file.
    No(Box<MechanismFile<Noise>>),
}

impl Stated {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Content that is not a valid mechanism file.
    pub fn from_json(text: &str) -> Result<Stated> {
        if let Some(file) = streamed_parts::read(text) {
            return Ok(Stated::Yes(AnyMechanism::Finite(Box::new(file))));
        }
        let tree = Tree::from_json(text)?;
        let fields = Fields::of(&tree)?;
        let version = check_start(&fields)?;
        Ok(match AnyMechanism::of_fields(&fields, fields.required("kind", Tree::text)?)? {
            AnyMechanism::Noise(file) if version == 1 => Stated::No(file),
            mechanism => Stated::Yes(mechanism),
        })
    }

    /// The mechanism, if its secrets are known.
    ///
    /// # Errors
    /// Secrets that are not stated.
    pub fn yes(self) -> Result<AnyMechanism> {
        match self {
            Stated::Yes(mechanism) => Ok(mechanism),
            Stated::No(_) => Err(Error::input(
                "noise in a file of version 1, which does not say which secrets its epsilon is about, expected version 2 \
                 (`lookalike upgrade` writes one for secrets that you name)",
            )),
        }
    }
}

/// The mechanism with what every file may say of it.
pub fn file<M>(fields: &Fields<'_>, mechanism: M) -> Result<MechanismFile<M>> {
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
