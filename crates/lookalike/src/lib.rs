//! Makes chosen secrets look alike.
mod error;
pub mod exact;
pub use error::{Error, Result};
