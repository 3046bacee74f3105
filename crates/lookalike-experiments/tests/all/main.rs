//! The integration tests of this crate, in one program: each file is about what its name says.

mod adult_limits;
mod command;
mod common;
mod counts_adult;
mod coverage;
mod golden;
#[path = "../../../lookalike-cli/tests/all/common/mod.rs"]
#[allow(dead_code, reason = "the tests of the other command use more of it")]
mod harness;
mod notes;
mod places;
mod pufferfish;
mod reference_values;
mod refits;
mod shapes;

/// The program under test: its name, and where it is.
const PROGRAM: (&str, &str) = ("lookalike-experiments", env!("CARGO_BIN_EXE_lookalike-experiments"));
