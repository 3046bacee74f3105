//! The encoders of a mechanism's profiles and values.

use super::{Bins, CountLabels, Encoder, Labels};
use crate::Result;
use lookalike::model::{Categories, Kind, Mechanism, Names};

/// The profiles of a mechanism that has a channel for each; `None` for one that takes no profiles.
///
/// # Errors
/// None for a mechanism.
pub fn profile_encoder(mechanism: &Mechanism) -> Result<Option<Encoder>> {
    let names = (mechanism.kind() == Kind::Aware).then(|| mechanism.graph().names());
    names.map(|names| -> Result<Encoder> { Ok(Box::new(labels(names)?)) }).transpose()
}

/// The values that a mechanism takes: bins, counts or names.
///
/// # Errors
/// None for a mechanism.
pub fn value_encoder(mechanism: &Mechanism) -> Result<Encoder> {
    match (mechanism.inputs().bins(), CountLabels::of(mechanism)?) {
        (None, Some(counts)) => Ok(Box::new(counts)),
        _ => category_encoder(mechanism.inputs()),
    }
}

/// Categories: bins or names.
///
/// # Errors
/// None for categories.
pub fn category_encoder(categories: &Categories) -> Result<Encoder> {
    Ok(match categories.bins() {
        Some(_) => Box::new(Bins::new(categories.clone())),
        None => Box::new(labels(categories.names())?),
    })
}

fn labels(names: &Names) -> Result<Labels> {
    Labels::new(names.iter().map(str::to_owned))
}
