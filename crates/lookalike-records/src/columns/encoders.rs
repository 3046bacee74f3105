//! The encoders of a mechanism's profiles and values.

use super::bins::Bins;
use super::counts::CountLabels;
use super::encode::{Encoder, Labels};
use lookalike::Sentence;
use lookalike::model::{Categories, Kind, Mechanism, Names};
use lookalike_formats::{Error, Result};

/// The profiles of a mechanism that has a channel for each; `None` for one that takes no profiles.
///
/// # Errors
/// None for a mechanism.
pub fn profile_encoder(mechanism: &Mechanism) -> Result<Option<Encoder>> {
    let names = (mechanism.kind() == Kind::Aware).then(|| mechanism.graph().names());
    names.map(|names| -> Result<Encoder> { Ok(Box::new(labels(names)?)) }).transpose()
}

/// The values that a mechanism takes: bins, counts or names, and the code of all others, perhaps the wanted one.
///
/// Counts have no such code: n may be wanted, and then it stands for larger counts and for nothing else.
///
/// # Errors
/// Another count than n for those that are no counts up to n: it would not be a neighbour of larger ones.
pub fn value_encoder(mechanism: &Mechanism, unknown: Option<u32>) -> Result<(Encoder, Option<u32>)> {
    let counts = CountLabels::of(mechanism)?.filter(|_| mechanism.inputs().bins().is_none());
    let Some(counts) = counts else {
        return Ok((category_encoder(mechanism.inputs())?, unknown));
    };
    let largest = counts.largest();
    match unknown {
        None => Ok((Box::new(counts), None)),
        Some(code) if code as usize == largest => Ok((Box::new(counts.cut_at_largest()), None)),
        Some(code) => {
            let found = format!("a count above {largest} is a neighbour of {largest} and of no other, expected ");
            let unknown = |count: usize| Sentence::new().option("unknown").number(count);
            Err(Error::input(Sentence::from(found).then(unknown(largest))).at_option(unknown(code as usize)))
        }
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
