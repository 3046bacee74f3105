//! What files of every kind have in common, so that whoever needs no more knows no kind.

use super::super::MechanismFile;
use super::kind::MechanismKind;
use lookalike::exact::Epsilon;
use lookalike::model::Secrets;
use std::io::{Result, Write};

/// A mechanism file of whichever kind.
pub trait AnyFile {
    /// Which mechanism it is; text only, nothing rests on it.
    fn name(&self) -> Option<&str>;

    /// The `kind` of the file.
    fn kind_name(&self) -> &'static str;

    /// The largest ε that is claimed.
    fn epsilon(&self) -> &Epsilon;

    /// What that ε is about.
    fn secrets(&self) -> Secrets;

    /// The ε with what it is about: `epsilon 1 for any one moment of a chain of 300`.
    fn promise(&self) -> String;

    /// The text of the file.
    fn to_json(&self) -> String;

    /// Writes the file: the same mechanism gives the same bytes.
    ///
    /// # Errors
    /// Those of the writer.
    fn write(&self, out: &mut dyn Write) -> Result<()>;
}

impl<M: MechanismKind> AnyFile for MechanismFile<M> {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn kind_name(&self) -> &'static str {
        self.mechanism.kind_name()
    }

    fn epsilon(&self) -> &Epsilon {
        MechanismFile::epsilon(self)
    }

    fn secrets(&self) -> Secrets {
        MechanismFile::secrets(self)
    }

    fn promise(&self) -> String {
        MechanismFile::promise(self)
    }

    fn to_json(&self) -> String {
        MechanismFile::to_json(self)
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        self.write_to(out)
    }
}
