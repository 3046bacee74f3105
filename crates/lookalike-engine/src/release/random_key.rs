//! The words that a run draws with.

use lookalike::Sentence;
use lookalike::sample::RandomKey;
use lookalike_formats::Result;

/// A key from the operating system; without one, `refusal` says what is not done.
///
/// # Errors
/// A system without randomness.
pub fn fresh_key(refusal: &str) -> Result<RandomKey> {
    lookalike_records::os_random(refusal).map(RandomKey::from_bytes)
}

/// The key of a seed, for tests and experiments, or a fresh one.
///
/// # Errors
/// Those of [`fresh_key`].
pub fn key_of(seed: Option<u64>, refusal: &str) -> Result<RandomKey> {
    seed.map_or_else(|| fresh_key(refusal), |seed| Ok(RandomKey::from_seed(seed)))
}

/// What everybody should know of a draw that can be made again.
pub fn seed_warning(seed: Option<u64>) -> Option<Sentence> {
    seed.map(|seed| format!("seeded with {seed}: reproducible, hence not private").into())
}
