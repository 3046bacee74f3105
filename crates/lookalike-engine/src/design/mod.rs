//! What is asked of a design, what it will do, and whether a mechanism keeps what was asked for.

mod outlook;
mod scores;
mod shortfall;
mod tupling;
mod wanted;
mod wishes;

pub use outlook::Outlook;
pub use scores::Scores;
pub use shortfall::shortfall;
pub use tupling::{dummy_law, read_dummy_law, tupling_json, uniform_dummies};
pub use wanted::Wanted;
pub use wishes::{Wishes, prove_design};
