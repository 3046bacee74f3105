//! Where the words of a draw come from.

use lookalike::Sentence;
use lookalike::sample::RandomKey;
use lookalike_formats::Result;
use lookalike_records::fresh_bytes;

/// The key of a draw: from the operating system, or from a seed. `refusal` says what is not done without one.
///
/// # Errors
/// An operating system that gives no random bytes.
pub fn draw_key(seed: Option<u64>, refusal: &str) -> Result<RandomKey> {
    seed.map_or_else(|| fresh_bytes(refusal).map(RandomKey::from_bytes), |seed| Ok(RandomKey::from_seed(seed)))
}

/// What everybody should know of a draw that can be made again.
pub fn seed_warning(seed: Option<u64>) -> Option<Sentence> {
    seed.map(|seed| format!("seeded with {seed}: reproducible, hence not private").into())
}
