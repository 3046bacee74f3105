//! Random bytes from the operating system.

use lookalike_formats::{Error, Result};

/// Bytes for a key; without them, `refusal` says what is not done.
///
/// # Errors
/// An operating system that gives none.
pub fn os_random(refusal: &str) -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::input(format!("the operating system gives no random numbers ({error}): {refusal}")))?;
    Ok(bytes)
}
