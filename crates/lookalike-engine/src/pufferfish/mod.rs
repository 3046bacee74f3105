//! Pufferfish in files: frameworks of secrets and laws, the chains that a sequence may have come from, sequences in
//! records, and what is asked of them.

mod method;
mod query;
mod sequences;

pub use lookalike_formats::pufferfish::{ChainClass, ChainFile, FrameworkFile};
pub use method::{Found, How, Method, Question, better};
pub use query::{Asked, Query};
pub use sequences::{StateEncoder, read_sequences};
