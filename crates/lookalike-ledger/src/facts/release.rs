//! A release as a ledger knows it again: a mechanism on columns.

use lookalike::account::Guarantee;
use lookalike::model::Noise;
use lookalike_formats::{AnyMechanism, Error, MechanismFile, Result, Stored, chain_digest, fingerprint};

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
    /// Noise on places.
    pub fn of(mechanism: &AnyMechanism, columns: &[String]) -> Result<LedgerRelease> {
        match mechanism {
            AnyMechanism::Finite(file) => {
                LedgerRelease::of_file(file, Guarantee::of_mechanism(&file.mechanism)?, columns)
            }
            AnyMechanism::Oracle(file) => LedgerRelease::of_file(file, Guarantee::of_oracle(&file.mechanism)?, columns),
            AnyMechanism::Noise(file) => LedgerRelease::of_file(file, noise_guarantee(&file.mechanism)?, columns),
            // Its ε is for each metre and leaves out what rounding adds, which depends on where places are.
            AnyMechanism::Planar(_) => Err(Error::refused(
                "noise on places, whose epsilon is for each metre: a ledger counts categories, values and numbers",
            )),
        }
    }

    fn of_file<M: Stored + Clone>(file: &MechanismFile<M>, guarantee: Guarantee, columns: &[String]) -> Result<Self> {
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

/// What noise promises. Moments are known again by their chains and length, not by who proved the noise or how.
fn noise_guarantee(noise: &Noise) -> Result<Guarantee> {
    let Some(moments) = noise.moments() else { return Ok(Guarantee::of_noise(noise)?) };
    let digest = chain_digest(moments)[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let name = format!("a chain of {} ({digest})", moments.length());
    Ok(Guarantee::of_chain(&name, noise.epsilon())?)
}
