//! Values as TOML writes them.

use crate::shown::{shown, shown_json};
use lookalike::exact::{Direction, Rational, decimal, parse_rational};
use std::borrow::Cow;
use toml_edit::{Key, Value};

/// Items with commas between them.
pub fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// A text on one line, with escapes for all that a terminal would act on: the spec may go to standard output.
pub fn quoted(text: &str) -> String {
    match shown(text) {
        Cow::Borrowed(text) => Value::from(text).to_string(),
        // The escapes of JSON are TOML's too.
        Cow::Owned(_) => shown_json(&serde_json::Value::from(text).to_string()).into_owned(),
    }
}

/// A name as a key, with escapes as in [`quoted`].
pub fn key(name: &str) -> String {
    match shown(name) {
        Cow::Borrowed(name) => Key::new(name).display_repr().into_owned(),
        Cow::Owned(_) => quoted(name),
    }
}

/// A number as a decimal where it is a short one, else as a fraction in quotes.
pub fn exact_number(number: &Rational) -> String {
    const MOST_DECIMALS: u32 = 20;
    let decimals = (0..=MOST_DECIMALS).map(|decimals| decimal(number, decimals, Direction::Nearest));
    let exact = decimals.into_iter().find(|text| parse_rational(text).is_ok_and(|read| read == *number));
    exact.unwrap_or_else(|| format!("\"{number}\""))
}

/// Digits as they are, everything else in quotes.
pub fn number(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.to_owned() } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn every_name_comes_back_from_one_line_that_no_terminal_acts_on() {
        for name in
            ["ana", "a b", "é", "a\"b'c", "\u{1b}[2J", "a\nepsilon = 9", "\u{9b}1m", "\u{202e}", "\t", "\u{7f}\\", ""]
        {
            let line = format!("{} = {}", key(name), quoted(name));
            assert!(matches!(shown(&line), Cow::Borrowed(_)), "{line:?}");
            let read = Tree::from_toml(&line).unwrap();
            assert_eq!(read.table().unwrap(), [(name.to_owned(), Tree::Text(name.to_owned()))], "{line}");
        }
    }
}
