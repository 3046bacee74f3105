//! Pufferfish in files: frameworks of secrets and laws, the chains that a sequence may have come from, sequences in
//! records, and what is asked of them.

mod chain_file;
mod chain_toml;
mod framework_file;
mod framework_spec;
mod method;
mod possible;
mod query;
mod sequences;

pub use chain_file::ChainFile;
pub(crate) use chain_file::{read_initial, read_rows};
pub use framework_file::FrameworkFile;
pub use lookalike::pufferfish::ChainClass;
pub use method::{Found, How, Method, Question, better};
pub use query::{Asked, Query};
pub use sequences::{StateEncoder, read_sequences};
