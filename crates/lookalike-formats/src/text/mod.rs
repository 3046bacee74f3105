//! Texts: whole and no longer than allowed, as trees of TOML or JSON, and written again.

mod json_text;
pub mod toml_text;
pub mod tree;
mod whole;

pub(crate) use json_text::indented;
pub use json_text::json_text;
pub(crate) use toml_text::{exact_number, joined, key, number, quoted};
pub(crate) use tree::{Fields, Tree, is_of_its_kind, read_rational};
pub use whole::{LONGEST_TABLE, LONGEST_TEXT, is_like, one_of, text_of, too_long};
