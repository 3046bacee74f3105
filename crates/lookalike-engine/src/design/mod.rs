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
pub use tupling::dummy_law;
pub use tupling::read_dummy_law;
pub use tupling::tupling_json;
pub use tupling::uniform_dummies;
pub use wanted::Wanted;
pub use wishes::Wishes;
pub use wishes::prove_design;
