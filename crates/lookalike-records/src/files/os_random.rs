//! Random bytes from the operating system, or from the browser.

use lookalike_formats::{Error, Result};

/// Bytes for a key; without them, `refusal` says what is not done.
///
/// # Errors
/// An operating system that gives none. On `wasm32-unknown-unknown` it is the feature `wasm_js` that asks the browser; without it
/// there are none.
pub fn os_random(refusal: &str) -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    fill(&mut bytes).map_err(|error| Error::input(format!("{error}: {refusal}")))?;
    Ok(bytes)
}

#[cfg(any(feature = "wasm_js", not(all(target_family = "wasm", target_os = "unknown"))))]
fn fill(bytes: &mut [u8; 32]) -> std::result::Result<(), String> {
    getrandom::fill(bytes).map_err(|error| format!("the operating system gives no random numbers ({error})"))
}

/// An application chooses where random numbers come from, and this one has not.
#[cfg(not(any(feature = "wasm_js", not(all(target_family = "wasm", target_os = "unknown")))))]
fn fill(_: &mut [u8; 32]) -> std::result::Result<(), String> {
    Err("this build of Lookalike has no random numbers (it is without the feature \"wasm_js\")".into())
}
