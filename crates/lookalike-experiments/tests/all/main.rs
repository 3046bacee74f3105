//! The integration tests of this crate, in one program: each file is about what its name says.

mod common;
mod counts_adult;
mod coverage;
mod golden;
mod notes;
mod places;
mod pufferfish;
mod reference_values;
mod shapes;
