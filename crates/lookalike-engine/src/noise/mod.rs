//! Noise on numbers, and choices among counts or scores.

mod claim;
mod exponential_design;
mod level;
mod noise_design;
mod noisy_max_release;
mod numbers_release;
mod width;

pub use claim::{NoiseClaim, scale};
pub use exponential_design::{
    ExponentialDesign, ExponentialDesigned, ExponentialFacts, ScoreShortfall, ScoreShortfallFacts,
};
pub use level::{Level, percent};
pub use noise_design::{NoiseDesign, NoiseDesignFacts, NoiseDesigned};
pub use noisy_max_release::{NoisyMaxFacts, NoisyMaxRelease, NoisyMaxReleased};
pub use numbers_release::{
    NumbersRelease, NumbersReleaseFacts, NumbersReleased, OnGrid, ReleasedNumber, ReleasedNumberFacts,
};
pub use width::Width;
