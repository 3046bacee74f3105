//! Texts: whole and no longer than allowed, as trees of TOML or JSON, and written again.

mod json_text;
pub mod toml_text;
pub mod tree;
mod whole;
pub(crate) use json_text::indented;
pub use json_text::json_text;
pub(crate) use toml_text::exact_number;
pub(crate) use toml_text::joined;
pub(crate) use toml_text::key;
pub(crate) use toml_text::number;
pub(crate) use toml_text::quoted;
pub(crate) use tree::Fields;
pub(crate) use tree::Tree;
pub(crate) use tree::is_of_its_kind;
pub(crate) use tree::read_rational;
pub use whole::LONGEST_TABLE;
pub use whole::LONGEST_TEXT;
pub use whole::is_like;
pub use whole::one_of;
pub use whole::text_of;
pub use whole::too_long;
