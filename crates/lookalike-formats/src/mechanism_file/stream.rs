//! JSON as [`crate::text::json_text`] writes it, piece by piece: a file of a million profiles is never a tree in memory.

use serde_json::Value;
use std::fmt::Display;
use std::io::{Result, Write};

/// Writes one JSON value to `out`. Keys and items come between an opening and its close.
pub struct Stream<W> {
    out: W,
    depth: usize,
    is_first: bool,
}

impl<W: Write> Stream<W> {
    pub(super) fn new(out: W) -> Self {
        Stream { out, depth: 0, is_first: true }
    }

    /// Begins a table or a list whose items have a line each; it must get an item before it is closed.
    pub(super) fn open(&mut self, bracket: char) -> Result<()> {
        (self.depth, self.is_first) = (self.depth + 1, true);
        write!(self.out, "{bracket}")
    }

    /// Ends what was opened last.
    pub(super) fn close(&mut self, bracket: char) -> Result<()> {
        (self.depth, self.is_first) = (self.depth - 1, false);
        self.out.write_all(b"\n")?;
        self.indent()?;
        write!(self.out, "{bracket}")
    }

    /// Begins the next item of a list.
    pub(super) fn item(&mut self) -> Result<()> {
        self.out.write_all(if std::mem::take(&mut self.is_first) { b"\n" } else { b",\n" })?;
        self.indent()
    }

    /// Begins the next entry of a table.
    pub(super) fn key(&mut self, key: &str) -> Result<()> {
        self.item()?;
        self.text(key)?;
        self.out.write_all(b": ")
    }

    /// A text in quotes.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        Ok(serde_json::to_writer(&mut self.out, text)?)
    }

    /// A whole number.
    pub(super) fn number(&mut self, number: u64) -> Result<()> {
        write!(self.out, "{number}")
    }

    /// Text in quotes that needs no escape: a number.
    pub(super) fn quoted(&mut self, number: impl Display) -> Result<()> {
        write!(self.out, "\"{number}\"")
    }

    /// A list of plain values, on one line.
    pub(super) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut one: impl FnMut(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        self.out.write_all(b"[")?;
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.out.write_all(b", ")?;
            }
            one(self, item)?;
        }
        self.out.write_all(b"]")
    }

    /// Texts in quotes, on one line.
    pub(super) fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) -> Result<()> {
        self.list(texts, Stream::text)
    }

    /// Whole numbers, on one line.
    pub(super) fn numbers(&mut self, numbers: &[u64]) -> Result<()> {
        self.list(numbers, |stream, &number| stream.number(number))
    }

    /// Items with a line each, or `[]`.
    pub(super) fn block<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut one: impl FnMut(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        if items.len() == 0 {
            return self.out.write_all(b"[]");
        }
        self.open('[')?;
        for item in items {
            self.item()?;
            one(self, item)?;
        }
        self.close(']')
    }

    /// A value that is there already, and small.
    pub(super) fn value(&mut self, value: &Value) -> Result<()> {
        self.out.write_all(crate::text::indented(value, self.depth).as_bytes())
    }

    /// Ends the file.
    pub(super) fn end(mut self) -> Result<()> {
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    fn indent(&mut self) -> Result<()> {
        (0..self.depth).try_for_each(|_| self.out.write_all(b"  "))
    }
}
