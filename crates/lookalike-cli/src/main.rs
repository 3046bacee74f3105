//! The lookalike command.
fn main() {}
