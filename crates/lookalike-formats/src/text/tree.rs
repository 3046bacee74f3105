//! One tree for TOML and JSON: numbers keep their text, keys keep their order, a key occurs once.

use super::whole::is_like;
use crate::error::{Error, Result};
use lookalike::exact::{Rational, parse_rational};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// The longest fraction that is read, in bits of both its parts: then it has fewer than 1,000 characters.
const LONGEST_FRACTION: u64 = 3_300;

/// The most bytes of TOML. Its parser keeps where everything stands, which takes up to a hundred times the text, where JSON
/// takes twelve times: so both ends need as much memory at most.
const LONGEST_TOML: usize = 32 << 20;

/// A value of a spec or mechanism file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// The number as it was written: 0.1 is not yet a double, and never will be.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// Values by name, in order.
    Table(Vec<(String, Tree)>),
}

impl Tree {
    /// Reads TOML. What is no TOML may be anything, so errors show none of it: they say the line and the column.
    pub fn from_toml(text: &str) -> Result<Tree> {
        if text.len() > LONGEST_TOML {
            let (found, most) = (text.len(), LONGEST_TOML >> 20);
            return Err(Error::input(format!("{found} bytes of TOML, expected at most {most} MiB"))
                .hint("JSON may have 256 MiB; what is longer, profiles and edges, can be tables of their own"));
        }
        let document: toml_edit::Document<String> = text.parse().map_err(|error: toml_edit::TomlError| {
            Error::input(format!("not TOML: {}{}", error.message(), place(text, error.span())))
        })?;
        toml_table(document.as_table().iter(), text)
    }

    /// Reads JSON. Errors show none of it either.
    pub fn from_json(text: &str) -> Result<Tree> {
        serde_json::from_str(text).map_err(|error| {
            let what = if error.is_data() { "" } else { "not JSON: " };
            Error::input(format!("{what}{error}"))
        })
    }

    /// What this is, for errors.
    pub fn kind(&self) -> &'static str {
        match self {
            Tree::Null => "null",
            Tree::Bool(_) => "true or false",
            Tree::Number(_) => "a number",
            Tree::Text(_) => "a text",
            Tree::List(_) => "a list",
            Tree::Table(_) => "a table",
        }
    }

    fn expected(&self, what: &str) -> Error {
        Error::input(format!("found {}, expected {what}", self.kind()))
    }

    /// The text.
    ///
    /// # Errors
    /// Another value.
    pub fn text(&self) -> Result<&str> {
        match self {
            Tree::Text(text) => Ok(text),
            other => Err(other.expected("a text in quotes")),
        }
    }

    /// Yes or no.
    ///
    /// # Errors
    /// Another value.
    pub fn bool(&self) -> Result<bool> {
        match self {
            Tree::Bool(value) => Ok(*value),
            other => Err(other.expected("true or false")),
        }
    }

    /// The items of a list.
    ///
    /// # Errors
    /// Another value.
    pub fn list(&self) -> Result<&[Tree]> {
        match self {
            Tree::List(items) => Ok(items),
            other => Err(other.expected("a list")),
        }
    }

    /// The items of a list through a reader; errors say which one, counted from 1: `edge 3`.
    pub fn each<'a, T>(&'a self, what: &str, mut read: impl FnMut(&'a Tree) -> Result<T>) -> Result<Vec<T>> {
        let item = |(at, tree)| read(tree).map_err(|error| error.at(format!("{what} {}", at + 1)));
        self.list()?.iter().enumerate().map(item).collect()
    }

    /// The texts of a list.
    ///
    /// # Errors
    /// Another value.
    pub fn texts(&self) -> Result<Vec<&str>> {
        self.each("item", Tree::text)
    }

    /// The entries of a table.
    ///
    /// # Errors
    /// Another value.
    pub fn table(&self) -> Result<&[(String, Tree)]> {
        match self {
            Tree::Table(entries) => Ok(entries),
            other => Err(other.expected("a table")),
        }
    }

    /// The text of a number, written as such or in quotes.
    pub fn number_text(&self) -> Result<&str> {
        match self {
            Tree::Number(text) | Tree::Text(text) => Ok(text),
            other => Err(other.expected("a number")),
        }
    }

    /// An exact number.
    pub fn rational(&self) -> Result<Rational> {
        read_rational(self.number_text()?)
    }

    /// An integer that is written as an integer: never read through a double.
    pub fn integer(&self) -> Result<u64> {
        match self {
            Tree::Number(text) => text.parse().map_err(|_| {
                Error::input(format!("found the number {text}, expected a whole number from 0 to 2^64 - 1"))
            }),
            other => Err(other.expected("a whole number")),
        }
    }

    /// The whole numbers of a list.
    ///
    /// # Errors
    /// Another value.
    pub fn integers(&self) -> Result<Vec<u64>> {
        self.each("item", Tree::integer)
    }
}

/// An exact number. One that is written shorter than its fraction, as 1e-1000 is, must not grow beyond what the
/// number parser reads back from a mechanism file.
pub fn read_rational(text: &str) -> Result<Rational> {
    let value = parse_rational(text)?;
    match value.numer().bits() + value.denom().bits() {
        0..=LONGEST_FRACTION => Ok(value),
        bits => Err(Error::input(format!("a fraction of {bits} bits, expected at most {LONGEST_FRACTION} (round it)"))),
    }
}

/// The entries of a table by key.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a>(&'a [(String, Tree)]);

impl<'a> Fields<'a> {
    /// Those of a table.
    ///
    /// # Errors
    /// Another value.
    pub fn of(tree: &'a Tree) -> Result<Self> {
        tree.table().map(Fields)
    }

    /// The entries of a table that has these keys only.
    pub fn with(tree: &'a Tree, known: &[&str]) -> Result<Self> {
        let fields = Fields::of(tree)?;
        fields.only(known)?;
        Ok(fields)
    }

    /// Refuses other keys: a misspelt key must not be silently without effect.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        self.only_beside(known, &[])
    }

    /// The same; some keys are passed over, and are not offered to someone who misspells another.
    pub fn only_beside(&self, known: &[&str], passed: &[&str]) -> Result<()> {
        let is_known = |name: &str| known.contains(&name) || passed.contains(&name);
        match self.0.iter().find(|(name, _)| !is_known(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let found = self.0.iter().position(|(other, _)| other == name).map_or(0, |at| at + 1);
                let is_shown = is_of_its_kind(self.0.iter().map(|(name, _)| name.as_str()), name, &is_known, known);
                let name = if is_shown { format!("{name:?}") } else { found.to_string() };
                Err(Error::input(format!("key {name} is not known, expected one of {}", known.join(", "))))
            }
        }
    }

    /// The entry of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a Tree> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The entry of a key through a reader; errors name the key.
    pub fn read<T>(&self, key: &str, read: impl FnOnce(&'a Tree) -> Result<T>) -> Result<Option<T>> {
        self.get(key).map(|tree| read(tree).map_err(|error| error.at(key))).transpose()
    }

    /// The same for a key that must be there.
    pub fn required<T>(&self, key: &str, read: impl FnOnce(&'a Tree) -> Result<T>) -> Result<T> {
        self.read(key, read)?.ok_or_else(|| Error::input(format!("{key} is missing")))
    }
}

/// Whether a name that is not known may be shown: it is a misspelling of one that is, or most names beside it are known.
/// Otherwise this may be another file than the one that was meant, and its names anybody's.
pub fn is_of_its_kind<'a>(
    names: impl ExactSizeIterator<Item = &'a str>,
    unknown: &str,
    is_known: &dyn Fn(&str) -> bool,
    known: &[&str],
) -> bool {
    let count = names.len();
    known.iter().any(|known| is_like(unknown, known)) || 2 * names.filter(|name| is_known(name)).count() > count
}

/// ` at line 3 column 5`, in the words of JSON's errors.
fn place(text: &str, span: Option<std::ops::Range<usize>>) -> String {
    let before = span.and_then(|span| text.get(..span.start));
    before.map_or(String::new(), |before| {
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!(" at line {} column {column}", before.matches('\n').count() + 1)
    })
}

fn toml_table<'a>(entries: impl Iterator<Item = (&'a str, &'a toml_edit::Item)>, source: &str) -> Result<Tree> {
    let entry = |(key, item): (&str, &toml_edit::Item)| Ok((key.to_owned(), toml_item(item, source)?));
    Ok(Tree::Table(entries.map(entry).collect::<Result<_>>()?))
}

fn toml_item(item: &toml_edit::Item, source: &str) -> Result<Tree> {
    match item {
        toml_edit::Item::None => Ok(Tree::Null),
        toml_edit::Item::Value(value) => toml_value(value, source),
        toml_edit::Item::Table(table) => toml_table(table.iter(), source),
        toml_edit::Item::ArrayOfTables(tables) => {
            Ok(Tree::List(tables.iter().map(|table| toml_table(table.iter(), source)).collect::<Result<_>>()?))
        }
    }
}

fn toml_value(value: &toml_edit::Value, source: &str) -> Result<Tree> {
    let number = || {
        let text = value.span().and_then(|span| source.get(span)).unwrap_or_default();
        // TOML allows 1_000; hexadecimal numbers, inf and nan are refused by the number parser.
        Tree::Number(text.replace('_', ""))
    };
    match value {
        toml_edit::Value::String(text) => Ok(Tree::Text(text.value().clone())),
        toml_edit::Value::Integer(_) | toml_edit::Value::Float(_) => Ok(number()),
        toml_edit::Value::Boolean(value) => Ok(Tree::Bool(*value.value())),
        toml_edit::Value::Datetime(_) => {
            let place = place(source, value.span());
            Err(Error::input(format!("found a date{place}, expected a number or a text")))
        }
        toml_edit::Value::Array(items) => {
            Ok(Tree::List(items.iter().map(|item| toml_value(item, source)).collect::<Result<_>>()?))
        }
        toml_edit::Value::InlineTable(table) => {
            let entry = |(key, value): (&str, &toml_edit::Value)| Ok((key.to_owned(), toml_value(value, source)?));
            Ok(Tree::Table(table.iter().map(entry).collect::<Result<_>>()?))
        }
    }
}

/// How serde_json hands over a number whose text it keeps.
const NUMBER_KEY: &str = "$serde_json::private::Number";

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Tree, E> {
        Ok(Tree::Number(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Tree, E> {
        Ok(Tree::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> std::result::Result<Tree, E> {
        Ok(Tree::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        list.shrink_to_fit();
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Tree, A::Error> {
        let (mut table, mut seen): (Vec<(String, Tree)>, HashSet<String>) = Default::default();
        while let Some(key) = entries.next_key::<String>()? {
            if table.is_empty() && key == NUMBER_KEY {
                return Ok(Tree::Number(entries.next_value()?));
            }
            // A file may hold millions of tables of two keys: those need no set.
            let repeated = match table.len() {
                0..8 => table.iter().any(|(known, _)| *known == key),
                8 => {
                    seen.extend(table.iter().map(|(known, _)| known.clone()));
                    !seen.insert(key.clone())
                }
                _ => !seen.insert(key.clone()),
            };
            if repeated {
                return Err(de::Error::custom("a key occurs twice"));
            }
            table.push((key, entries.next_value()?));
        }
        table.shrink_to_fit();
        Ok(Tree::Table(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn toml_and_json_give_the_same_tree() {
        let toml = Tree::from_toml("b = 0.10\na = [1, \"x\", true]\n[t]\nk = { z = 1_000, y = 1e-3 }\n").unwrap();
        let json = Tree::from_json(r#"{"b": 0.10, "a": [1, "x", true], "t": {"k": {"z": 1000, "y": 1e-3}}}"#).unwrap();
        assert_eq!(toml, json);
        assert_eq!(toml.table().unwrap()[0], ("b".into(), Tree::Number("0.10".into())), "order and text are kept");
    }

    #[test]
    fn toml_may_be_as_long_as_the_limit_and_no_longer() {
        let comment = |length: usize| "#".to_owned() + &"x".repeat(length - 1);
        assert_eq!(Tree::from_toml(&comment(LONGEST_TOML)).unwrap(), Tree::Table(Vec::new()));
        let error = Tree::from_toml(&comment(LONGEST_TOML + 1)).unwrap_err().to_string();
        assert!(error.starts_with("33554433 bytes of TOML, expected at most 32 MiB (JSON may have 256 MiB"), "{error}");
    }

    #[test]
    fn repeated_keys_and_truncated_files_are_refused_with_the_place() {
        let json = |text| Tree::from_json(text).unwrap_err().to_string();
        assert_eq!(json(r#"{"a": 1, "a": 2}"#), "a key occurs twice at line 1 column 12");
        assert!(json(r#"{"a": [1, 2"#).contains("EOF while parsing a list at line 1"));
        assert!(json("{\"a\": 1} x").contains("trailing characters"));
        let toml = |text| Tree::from_toml(text).unwrap_err().to_string();
        assert_eq!(toml("a = 1\na = 2"), "not TOML: duplicate key at line 2 column 1");
        assert_eq!(toml("b = 1\n[t]\na = 1979-05-27"), "found a date at line 3 column 5, expected a number or a text");
    }

    #[test]
    fn large_integers_stay_exact_and_others_are_refused() {
        let tree = Tree::from_json("[9007199254740993, 18446744073709551616, -1, 1.0, 1e3]").unwrap();
        let items = tree.list().unwrap();
        assert_eq!(items[0].integer().unwrap(), 9_007_199_254_740_993);
        assert!(items[1..].iter().all(|item| item.integer().is_err()));
    }

    #[test]
    fn unknown_keys_are_refused() {
        let tree = Tree::from_json(r#"{"known": 1, "knwon": 2}"#).unwrap();
        let error = Fields::with(&tree, &["known", "other"]).unwrap_err();
        assert_eq!(error.to_string(), "key \"knwon\" is not known, expected one of known, other");
        for (text, found) in [
            (r#"{"known": 1, "other": 2, "MARKER": 3}"#, "key \"MARKER\""),
            (r#"{"known": 1, "MARKER": 2}"#, "key 2"),
            (r#"{"MARKER": 2}"#, "key 1"),
        ] {
            let tree = Tree::from_json(text).unwrap();
            let error = Fields::with(&tree, &["known", "other"]).unwrap_err();
            assert_eq!(error.to_string(), format!("{found} is not known, expected one of known, other"));
        }
    }

    #[test]
    fn a_text_that_is_something_else_is_not_shown() {
        for text in [
            "MARKER,310\nMARKER,7\n",
            "MARKER",
            "\"MARKER",
            "MARKER = MARKER",
            "MARKER = 1\nMARKER = 2",
            "MARKER = 1979-05-27",
            "[MARKER]\n[MARKER]",
            "MARKER.MARKER = 1\nMARKER = 1",
            "MARKER = { MARKER = 2020-01-01 }",
            "{\"MARKER\": 1, \"MARKER\": 2}",
            "{\"MARKER\": MARKER",
            "[\"MARKER\"]",
            "\"MARKER\" x",
            "{\"MARKER\": 1e999999999999, \"b\": \"\\uMARKER\"}",
        ] {
            for read in [Tree::from_json, Tree::from_toml] {
                let found = read(text).and_then(|tree| Fields::with(&tree, &["epsilon"]).map(|_| ()));
                let message = found.unwrap_err().to_string();
                assert!(!message.contains("MARKER"), "{text:?}: {message}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_readers_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let text = String::from_utf8_lossy(&bytes);
            for tree in [Tree::from_json(&text), Tree::from_toml(&text)].into_iter().flatten() {
                prop_assert!(!tree.kind().is_empty());
            }
        }
    }
}
