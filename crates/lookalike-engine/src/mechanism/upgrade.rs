//! Files of version 1, with the secrets that their version could not say.

use super::claim::{FalseClaim, prove_claim};
use crate::files::ReadFile;
use lookalike::exact::Epsilon;
use lookalike::model::{ChainClass, Noise};
use lookalike::pufferfish::{ExactOptions, moments};
use lookalike_formats::{AnyMechanism, Error, MechanismFile, MechanismKind, Result, Stated, json_of, of_kind};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Secrets that somebody names for a file that does not say them.
#[derive(Debug, Clone)]
pub enum StatedSecrets {
    /// The numbers that noise is added to.
    Numbers,
    /// The counts of a group.
    Counts,
    /// The moments of a chain.
    Moments {
        /// The chains that sequences may come from.
        class: Box<ChainClass>,
        /// How many moments a sequence has.
        length: u64,
        /// The promise about any one of them.
        epsilon: Epsilon,
    },
}

impl FromStr for StatedSecrets {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "numbers" => Ok(StatedSecrets::Numbers),
            "counts" => Ok(StatedSecrets::Counts),
            _ => Err("expected numbers or counts".to_owned()),
        }
    }
}

/// A file that is to say its secrets.
#[derive(Debug, Clone)]
pub struct UpgradeRequest {
    /// The file.
    pub path: PathBuf,
    /// The secrets, where the file does not tell them.
    pub secrets: Option<StatedSecrets>,
}

/// A mechanism file that says its secrets, with the proof of its claim.
#[derive(Debug, Clone)]
pub struct UpgradeOutcome {
    /// The mechanism, whose file has the facts of its proof.
    pub mechanism: AnyMechanism,
}

/// What is said of it.
#[derive(Debug, Clone, Serialize)]
pub struct UpgradeFacts {
    /// What ε is about, in a word.
    pub secrets: &'static str,
    /// The largest ε that is claimed.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// The file that was written.
    pub file: String,
}

impl UpgradeRequest {
    /// The mechanism with its secrets, proved, or what is against its claim.
    ///
    /// # Errors
    /// A file that cannot be read; noise of version 1 for which no secrets are named; secrets that its kind does not have, or
    /// that the file says otherwise; a chain for which no proof can be written down.
    pub fn run(self) -> Result<std::result::Result<UpgradeOutcome, FalseClaim>> {
        let proved = of_kind!(stated(&self.path, self.secrets)?, file => proved(*file).map(AnyMechanism::from));
        Ok(proved.map(|mechanism| UpgradeOutcome { mechanism }))
    }
}

impl UpgradeOutcome {
    /// All that is said of it; the path is that of its file.
    pub fn facts(&self, file: &Path) -> UpgradeFacts {
        let epsilon = self.mechanism.epsilon();
        UpgradeFacts {
            secrets: self.mechanism.secrets().word(),
            epsilon: epsilon.to_f64(),
            epsilon_text: epsilon.to_string(),
            file: file.display().to_string(),
        }
    }
}

/// The file with the facts of its proof.
fn proved<M: MechanismKind>(file: MechanismFile<M>) -> std::result::Result<MechanismFile<M>, FalseClaim> {
    let certified = prove_claim(file.mechanism.clone())?;
    let certificate = Some(json_of(&file.mechanism.facts(certified.certificate())));
    Ok(MechanismFile { certificate, ..file })
}

/// The mechanism of a file, with secrets that the file says or its kind tells, or that are named here: a claim like any other.
fn stated(path: &Path, named: Option<StatedSecrets>) -> Result<AnyMechanism> {
    let upgraded = match (Stated::read(path)?, named) {
        (Stated::Yes(mechanism), None) => Ok(mechanism),
        (Stated::Yes(AnyMechanism::Finite(mut file)), Some(StatedSecrets::Counts)) => {
            file.mechanism = file.mechanism.of_counts().map_err(|error| Error::from(error).in_file(path))?;
            Ok(AnyMechanism::Finite(file))
        }
        (Stated::No(file), Some(StatedSecrets::Numbers)) => Ok(AnyMechanism::Noise(file)),
        (Stated::No(mut file), Some(StatedSecrets::Moments { class, length, epsilon })) => {
            file.mechanism = about_moments(file.mechanism, *class, length, epsilon)?;
            Ok(AnyMechanism::Noise(file))
        }
        (Stated::No(_), None) => Err(Error::input(
            "noise of version 1 does not say its secrets, expected them to be named: numbers, or the moments of a chain",
        )),
        (Stated::Yes(mechanism), Some(_)) => Err(Error::input(format!(
            "the file is about {}, which cannot be changed, expected no other secrets",
            mechanism.secrets()
        ))),
        (Stated::No(_), Some(StatedSecrets::Counts)) => Err(Error::input(
            "counts are secrets of channels between categories, and this is noise, expected numbers or the moments of a chain",
        )),
    };
    upgraded.map_err(|error| error.in_file(path))
}

fn about_moments(noise: Noise, class: ChainClass, length: u64, epsilon: Epsilon) -> Result<Noise> {
    // The scale for each moment that changes; its own claim is that of a moment by itself.
    let alone = noise.clone().prove().map_err(|violation| Error::input(violation.to_string()))?;
    let rate = alone.certificate().rate_at_most().ok_or_else(|| Error::input("noise that hides nothing"))?;
    let moments = moments(class, length, &rate.recip(), &epsilon, &ExactOptions::default())?;
    Ok(noise.hiding(moments, epsilon))
}
