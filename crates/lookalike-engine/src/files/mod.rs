//! Reading by path, and saving.

mod by_path;

pub use by_path::{ReadFile, SaveFile};
