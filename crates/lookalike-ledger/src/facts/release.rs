//! A release as a ledger knows it again: a mechanism on columns.

use lookalike::account::Guarantee;
use lookalike_formats::{AnyMechanism, MechanismFile, MechanismKind, Result, fingerprint, of_kind};

/// What is released: which mechanism on which columns, and what it promises.
#[derive(Debug, Clone)]
pub struct LedgerRelease {
    pub(crate) name: String,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) guarantee: Guarantee,
}

impl LedgerRelease {
    /// A mechanism on columns. A file that differs in its name, objective or certificate only is the same release.
    ///
    /// # Errors
    /// A kind of which no ledger keeps account: noise on places.
    pub fn of(mechanism: &AnyMechanism, columns: &[String]) -> Result<LedgerRelease> {
        of_kind!(mechanism, file => LedgerRelease::of_file(file, columns))
    }

    fn of_file<M: MechanismKind>(file: &MechanismFile<M>, columns: &[String]) -> Result<Self> {
        let guarantee = file.mechanism.guarantee()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&fingerprint(&file.mechanism));
        if file.places.is_some() {
            // The same weights between other cells are another mechanism.
            let plain = MechanismFile { places: file.places.clone(), ..MechanismFile::of(file.mechanism.clone()) };
            plain.write_to(&mut hasher).expect("a hash takes every byte");
        }
        columns.iter().for_each(|column| {
            hasher.update(&(column.len() as u64).to_le_bytes()).update(column.as_bytes());
        });
        let kind = file.name.as_deref().unwrap_or(file.mechanism.kind_name());
        let name = if columns.is_empty() { kind.to_owned() } else { format!("{kind} of {}", columns.join(", ")) };
        Ok(LedgerRelease { name, fingerprint: *hasher.finalize().as_bytes(), guarantee })
    }

    /// What it is called in tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it promises.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }
}
