//! Values as TOML writes them.

use lookalike::exact::{Direction, Rational, decimal, parse_rational};
use toml_edit::{Key, Value};

pub(crate) fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

pub(crate) fn key(name: &str) -> String {
    Key::new(name).display_repr().into_owned()
}

/// A number as a decimal where it is a short one, else as a fraction in quotes.
pub(crate) fn exact_number(number: &Rational) -> String {
    const MOST_DECIMALS: u32 = 20;
    let decimals = (0..=MOST_DECIMALS).map(|decimals| decimal(number, decimals, Direction::Nearest));
    let exact = decimals.into_iter().find(|text| parse_rational(text).is_ok_and(|read| read == *number));
    exact.unwrap_or_else(|| format!("\"{number}\""))
}
