//! The members of a JSON object, as they are written.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// A key or a value in the notation of the file: `"busy"`, `1.50`, `true`, `null`, `[1, 2]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a>(&'a str);

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Text,
    Number,
    Boolean,
    /// A list or an object.
    Nested,
}

impl<'a> Token<'a> {
    /// The value that this text spells, if it is one from end to end.
    pub fn read(text: &'a str) -> Option<Self> {
        let mut line = Members { text, at: 0, begun: false };
        let token = line.token()?;
        (token.0.len() == text.len()).then_some(token)
    }

    /// What was read before.
    pub fn known(text: &'a str) -> Self {
        Token(text)
    }

    pub fn kind(self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'"') => Kind::Text,
            Some(b'n') => Kind::Null,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'[' | b'{') => Kind::Nested,
            _ => Kind::Number,
        }
    }

    /// As it is written.
    pub fn raw(self) -> &'a str {
        self.0
    }

    /// The text that it stands for: a string without its quotes, numbers and booleans as they are written, nothing for null.
    ///
    /// `None` for a string with half of a character, which JSON can spell and no text can have.
    #[inline]
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self.kind() {
            Kind::Null => Some(Cow::Borrowed("")),
            Kind::Text if self.0.as_bytes().contains(&b'\\') => serde_json::from_str(self.0).ok().map(Cow::Owned),
            Kind::Text => Some(Cow::Borrowed(&self.0[1..self.0.len() - 1])),
            _ => Some(Cow::Borrowed(self.0)),
        }
    }
}

/// Walks along the members of an object on a line. Values are checked by the JSON parser and not made into anything, so that
/// they can be written again digit by digit.
pub(crate) struct Members<'a> {
    text: &'a str,
    at: usize,
    begun: bool,
}

/// The line is no JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotAnObject;

impl<'a> Members<'a> {
    /// Those of the object that begins the line.
    pub fn of(text: &'a str) -> Result<Self, NotAnObject> {
        let mut members = Members { text, at: 0, begun: false };
        members.eat(b'{')?;
        Ok(members)
    }

    /// The next key and its value; `None` when the object has ended, and the line with it.
    #[inline]
    pub fn next(&mut self) -> Result<Option<(Token<'a>, Token<'a>)>, NotAnObject> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return if self.peek().is_none() { Ok(None) } else { Err(NotAnObject) };
            }
            Some(b',') if self.begun => self.at += 1,
            _ if self.begun => return Err(NotAnObject),
            _ => self.begun = true,
        }
        let key = self.token().filter(|key| key.kind() == Kind::Text).ok_or(NotAnObject)?;
        self.eat(b':')?;
        Ok(Some((key, self.token().ok_or(NotAnObject)?)))
    }

    /// The next byte that is no white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    #[inline]
    fn eat(&mut self, expected: u8) -> Result<(), NotAnObject> {
        if self.peek() != Some(expected) {
            return Err(NotAnObject);
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn token(&mut self) -> Option<Token<'a>> {
        if self.peek()? == b'"' {
            let rest = &self.text.as_bytes()[self.at + 1..];
            let end = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
            if rest[end] == b'"' {
                let start = self.at;
                self.at += end + 2;
                return Some(Token(&self.text[start..self.at]));
            }
        }
        let rest = &self.text[self.at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        let token = &rest[..values.byte_offset()];
        self.at += token.len();
        Some(Token(token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn members(text: &str) -> Result<Vec<(&str, &str)>, NotAnObject> {
        let (mut members, mut all) = (Members::of(text)?, Vec::new());
        while let Some((key, value)) = members.next()? {
            all.push((key.raw(), value.raw()));
        }
        Ok(all)
    }

    #[test]
    fn members_come_as_they_are_written() {
        let text =
            " {\"a\" :1.50 , \"b\\u0062\":\"x\\\"y\",\"\":[1, {\"c\":[]}],\"n\":null,\"e\":-1E+5,\"t\":true}\r\n";
        let expected = [
            ("\"a\"", "1.50"),
            ("\"b\\u0062\"", "\"x\\\"y\""),
            ("\"\"", "[1, {\"c\":[]}]"),
            ("\"n\"", "null"),
            ("\"e\"", "-1E+5"),
            ("\"t\"", "true"),
        ];
        assert_eq!(members(text).unwrap(), expected);
        assert_eq!(members("{}").unwrap(), []);
    }

    #[test]
    fn what_is_no_object_from_end_to_end_is_refused() {
        for text in [
            "",
            "{",
            "}",
            "[]",
            "1",
            "null",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{,\"a\":1}",
            "{\"a\":1 \"b\":2}",
            "{a:1}",
            "{\"a\":1}}",
            "{\"a\":1}{\"a\":2}",
            "{\"a\":1},",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":.5}",
            "{\"a\":+1}",
            "{\"a\":NaN}",
            "{\"a\":tru}",
            "{\"a\":truex}",
            "{\"a\":'b'}",
            "{\"a\":\"b}",
            "{\"a\":\"\t\"}",
            "{\"a\":\"\\x\"}",
            "{\"a\":[1,]}",
            "{\"a\":[}",
            "{1:2}",
            "{\"a\":1x}",
            "\u{feff}{}",
        ] {
            assert_eq!(members(text), Err(NotAnObject), "{text}");
        }
    }

    #[test]
    fn tokens_have_kinds_and_texts() {
        for (raw, kind, text) in [
            ("\"a b\"", Kind::Text, Some("a b")),
            ("\"\\u00e9\\n\"", Kind::Text, Some("é\n")),
            ("\"\\ud83d\\ude00\"", Kind::Text, Some("😀")),
            ("\"\\ud83d\"", Kind::Text, None),
            ("\"\"", Kind::Text, Some("")),
            ("1e0", Kind::Number, Some("1e0")),
            ("-0.10", Kind::Number, Some("-0.10")),
            ("false", Kind::Boolean, Some("false")),
            ("null", Kind::Null, Some("")),
            ("{}", Kind::Nested, Some("{}")),
        ] {
            let token = Token::read(raw).unwrap();
            assert_eq!((token.kind(), token.text().as_deref()), (kind, text), "{raw}");
        }
        for text in ["", "1 ", " 1", "01", "1.", "one", "1,2", "\"a"] {
            assert_eq!(Token::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_thousand_thousand_brackets_are_no_recursion() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(members(&deep).unwrap().len(), 1);
        assert_eq!(members(&deep[..deep.len() / 2]), Err(NotAnObject));
    }

    proptest! {
        // What is taken is what the JSON parser takes, and means the same.
        #[test]
        fn an_object_is_taken_when_the_json_parser_takes_it(
            parts in prop::collection::vec(
                prop::sample::select(&["{", "}", "[", "]", "\"a\"", "\"\\n\"", ":", ":", ",", ",", "1", "-", "0", ".5", "e3", "null", " "][..]),
                0..12,
            ),
        ) {
            for text in [parts.concat(), format!("{{\"k\":{}}}", parts.concat()), format!("{{{}}}", parts.concat())] {
                let parsed = serde_json::from_str::<serde_json::Value>(&text).ok().filter(|value| value.is_object());
                let found = members(&text).ok();
                prop_assert_eq!(found.is_some(), parsed.is_some(), "{}", text);
                for (key, value) in found.into_iter().flatten() {
                    prop_assert!(serde_json::from_str::<serde_json::Value>(value).is_ok() && Token::read(key).is_some());
                }
            }
        }
    }
}
