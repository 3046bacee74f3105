//! Which mechanism it is, in 32 bytes.

use super::MechanismKind;
use super::stream::Stream;
use lookalike::model::Secrets;
use std::io::{BufWriter, Result, Write};

/// The BLAKE3 hash of what a mechanism does and claims: its kind and the keys of its kind, as a file has them.
///
/// Its name, its objective and the summary of a proof, on which nothing rests, make no difference, nor does the version of
/// the format. Mechanisms that draw by other weights, or claim something about other secrets, have other fingerprints; the ε that
/// noise claims is not in it, since the same noise may claim less than it keeps.
///
/// # Example
/// ```
/// use lookalike::{design, model::{Categories, SecretGraph}};
/// let bits = Categories::new(["no", "yes"])?;
/// let at = |epsilon: &str| -> Result<_, Box<dyn std::error::Error>> {
///     let mut builder = SecretGraph::builder(bits.names().clone());
///     builder.complete(&epsilon.parse()?);
///     let problem = design::Problem::values(bits.clone(), builder.build()?)?;
///     Ok(lookalike_formats::fingerprint(&design::randomized_response(&problem)?.mechanism))
/// };
/// assert_eq!(at("ln(3)")?, at("ln(3)")?);
/// assert_ne!(at("ln(3)")?, at("ln(2)")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fingerprint(mechanism: &impl MechanismKind) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    write(mechanism, &mut hasher).expect("a hash takes every byte");
    hasher.finalize().into()
}

fn write(mechanism: &impl MechanismKind, hasher: &mut blake3::Hasher) -> Result<()> {
    let mut out = BufWriter::new(hasher);
    let mut stream = Stream::new(&mut out as &mut dyn Write);
    stream.open('{')?;
    stream.key("kind")?;
    stream.text(mechanism.kind_name())?;
    mechanism.write_keys(&mut stream)?;
    // All other secrets follow from the kind and its keys, and mechanisms of version 1 keep their fingerprints.
    if matches!(mechanism.secrets(), Secrets::Moments { .. }) {
        mechanism.write_secrets(&mut stream)?;
    }
    stream.close('}')?;
    stream.end()
}
