//! Lengths, places and budgets per metre, as texts say them.

mod epsilon_per_metre;
mod length;
mod origin;

pub use epsilon_per_metre::EpsilonPerMetre;
pub use length::Length;
pub use origin::Origin;
