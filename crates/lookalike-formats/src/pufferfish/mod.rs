//! Chains and frameworks of secrets that correlations give away: chain files and framework files.

mod chain_file;
mod chain_json;
mod chain_toml;
mod framework_file;
mod framework_spec;
mod possible;

pub use chain_file::ChainFile;
pub(crate) use chain_file::{read_initial, read_rows};
pub use framework_file::FrameworkFile;
pub use lookalike::pufferfish::ChainClass;
