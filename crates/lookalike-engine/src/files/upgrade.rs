//! Files of version 1, with the secrets that their version could not say.

use super::by_path::ReadFile;
use lookalike::exact::Epsilon;
use lookalike::model::{ChainClass, Noise};
use lookalike::pufferfish::{ExactOptions, moments};
use lookalike_formats::{AnyMechanism, Error, Result, Stated};
use std::path::Path;
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

/// The mechanism of a file, with secrets that the file says or its kind tells, or that are named here.
///
/// Nothing is proved yet: what is returned is a claim like any other.
///
/// # Errors
/// A file that cannot be read; noise of version 1 for which no secrets are named; secrets that its kind does not have, or
/// that the file says otherwise; a chain for which no proof can be written down.
pub fn upgrade(path: &Path, named: Option<StatedSecrets>) -> Result<AnyMechanism> {
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
    let alone =
        lookalike_formats::Proof::prove(noise.clone()).map_err(|violation| Error::input(violation.to_string()))?;
    let rate = alone.certificate().rate_at_most().ok_or_else(|| Error::input("noise that hides nothing"))?;
    let moments = moments(class, length, &rate.recip(), &epsilon, &ExactOptions::default())?;
    Ok(noise.hiding(moments, epsilon))
}
