//! Pufferfish in files: the chains that a sequence may have come from, and sequences in records.

mod chain_file;
mod chain_toml;

pub use chain_file::{ChainClass, ChainFile};
