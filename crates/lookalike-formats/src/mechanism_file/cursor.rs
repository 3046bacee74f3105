//! A place in a JSON text, for reading the long parts of a file as they come.

use crate::text::Tree;
use std::borrow::Cow;

/// Walks along a JSON text. Every step returns `None` where the text is not what was asked for.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(rest.len());
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes this byte.
    pub(super) fn eat(&mut self, expected: u8) -> Option<()> {
        (self.peek()? == expected).then(|| self.at += 1)
    }

    /// After an item: passes a comma (`true`) or the closing bracket (`false`).
    pub(super) fn goes_on(&mut self, close: u8) -> Option<bool> {
        let byte = self.peek()?;
        (byte == b',' || byte == close).then(|| {
            self.at += 1;
            byte == b','
        })
    }

    /// The items of a list.
    pub(super) fn list(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.eat(b'[')?;
        if self.peek()? == b']' {
            return self.eat(b']');
        }
        item(self)?;
        while self.goes_on(b']')? {
            item(self)?;
        }
        Some(())
    }

    /// A text in quotes.
    pub(super) fn text(&mut self) -> Option<Cow<'a, str>> {
        self.eat(b'"')?;
        let (text, start) = (self.text, self.at);
        let mut is_escaped = false;
        loop {
            match text.as_bytes().get(self.at)? {
                b'"' => break,
                b'\\' => {
                    is_escaped = true;
                    self.at += 2;
                }
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        if is_escaped {
            return serde_json::from_str(&text[start - 1..self.at]).ok().map(Cow::Owned);
        }
        Some(Cow::Borrowed(&text[start..self.at - 1]))
    }

    /// This key of a table.
    pub(super) fn key(&mut self, expected: &str) -> Option<()> {
        (self.text()? == expected).then_some(())?;
        self.eat(b':')
    }

    /// A whole number of at most 64 bits, written as JSON writes one.
    pub(super) fn number(&mut self) -> Option<u64> {
        self.peek()?;
        let rest = &self.text[self.at..];
        let digits = &rest[..rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())];
        // 1.0, 1e3 and 01 are for the other reader to judge.
        let ends = matches!(rest.as_bytes().get(digits.len()), Some(b',' | b']' | b' ' | b'\n' | b'\r' | b'\t'));
        self.at += digits.len();
        (ends && (digits == "0" || !digits.starts_with('0'))).then(|| digits.parse().ok())?
    }

    /// All up to and with this byte.
    pub(super) fn through(&mut self, last: u8) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let part = &rest[..rest.bytes().position(|byte| byte == last)? + 1];
        self.at += part.len();
        Some(part)
    }

    /// Any value, as a tree.
    pub(super) fn tree(&mut self) -> Option<Tree> {
        self.peek()?;
        let mut values = serde_json::Deserializer::from_str(&self.text[self.at..]).into_iter::<Tree>();
        let tree = values.next()?.ok()?;
        self.at += values.byte_offset();
        Some(tree)
    }

    /// Whether only white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // What the cursor takes, the JSON parser takes, and it means the same.
        #[test]
        fn texts_and_numbers_are_json(text in "\"([^\"\\\\]|\\\\[\"\\\\nu/x]|\\PC){0,6}\"", number in "[0-9]{1,21}[.,e ]") {
            if let Some(found) = Cursor::new(&text).text() {
                let end = serde_json::Deserializer::from_str(&text).into_iter::<String>().next().unwrap();
                prop_assert_eq!(found.into_owned(), end.unwrap());
            }
            if let Some(found) = Cursor::new(&number).number() {
                prop_assert_eq!(found, serde_json::from_str::<u64>(&number[..number.len() - 1]).unwrap());
            }
        }
    }

    #[test]
    fn lists_and_keys_are_walked() {
        let mut cursor = Cursor::new(" { \"a\\u0062\" :[1 , 2],\"c\": {\"d\": 1.50} } ");
        cursor.eat(b'{').unwrap();
        cursor.key("ab").unwrap();
        let mut numbers = Vec::new();
        cursor.list(|cursor| cursor.number().map(|number| numbers.push(number))).unwrap();
        assert_eq!((numbers, cursor.goes_on(b'}')), (vec![1, 2], Some(true)));
        cursor.key("c").unwrap();
        assert_eq!(cursor.tree(), Tree::from_json("{\"d\": 1.50}").ok());
        assert_eq!(cursor.goes_on(b'}'), Some(false));
        assert!(cursor.is_at_end());
        assert!(Cursor::new("[ ]").list(|_| None).is_some(), "an empty list has no item");
        for wrong in ["[1,]", "[1 2]", "[1", "[01]", "[1.0]", "[1e3]", "[-1]", "[18446744073709551616]"] {
            assert!(Cursor::new(wrong).list(|cursor| cursor.number().map(drop)).is_none(), "{wrong}");
        }
    }
}
