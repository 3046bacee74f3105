//! Names as they may be shown: nothing in them moves a cursor, rings a bell or turns the order of the text around.

use std::borrow::Cow;
use std::fmt;

/// The text for one line or one cell of a terminal: characters that a terminal acts on are written out, as `\u{1b}`.
///
/// These are all control characters, line ends and tabs among them, the marks and overrides of the direction of text, and
/// the separators of lines and paragraphs. Files keep names as they are.
///
/// # Example
/// ```
/// use lookalike_formats::shown;
/// assert_eq!(shown("a\u{1b}[31m\nb\u{202e}"), "a\\u{1b}[31m\\nb\\u{202e}");
/// assert_eq!(shown("Ána, 東京"), "Ána, 東京");
/// ```
pub fn shown(text: &str) -> Cow<'_, str> {
    written_out(text, is_acted_on, |c, out| out.extend(c.escape_default()))
}

/// [`shown`] for a text of several lines, whose line ends stay.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    written_out(text, |c| c != '\n' && is_acted_on(c), |c, out| out.extend(c.escape_default()))
}

/// [`shown_lines`] for JSON: the text means the same, for such characters stand in strings only, and are escaped there.
pub fn shown_json(text: &str) -> Cow<'_, str> {
    let escape = |c: char, out: &mut String| *out += &format!("\\u{:04x}", u32::from(c));
    written_out(text, |c| c != '\n' && is_acted_on(c), escape)
}

/// Whether a terminal does something else with the character than to show it.
fn is_acted_on(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

fn written_out(text: &str, acts: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.contains(&acts) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    text.chars().for_each(|c| if acts(c) { write(c, &mut out) } else { out.push(c) });
    out.into()
}

/// Passes on what is written to it as [`shown`] has it.
pub(crate) struct ShownTo<'a, 'b>(pub &'a mut fmt::Formatter<'b>);

impl fmt::Write for ShownTo<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_str(&shown(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_acts_is_written_out_and_no_other() {
        for code in (0..0x20).chain(0x7f..0xa0).chain([0x61c, 0x200e, 0x200f, 0x2028, 0x2029]) {
            let c = char::from_u32(code).unwrap();
            let name = format!("a{c}b");
            assert!(!shown(&name).contains(c) && shown(&name).starts_with('a') && shown(&name).ends_with('b'));
            assert_eq!(shown_lines(&name).contains(c), c == '\n');
        }
        for c in ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}') {
            assert_eq!(shown(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
        }
        // Joiners, marks and wide characters are parts of names.
        for name in ["", " a b ", "naïve", "e\u{301}", "👩\u{200d}🔬", "שלום", "\u{a0}x"] {
            assert!(matches!(shown(name), Cow::Borrowed(text) if text == name));
        }
    }

    #[test]
    fn json_keeps_its_meaning() {
        let name = "a\u{9b}31m\u{202e}\u{7f}\u{1b}";
        let text = serde_json::to_string_pretty(&[name]).unwrap();
        let safe = shown_json(&text);
        assert!(safe.chars().all(|c| c == '\n' || !is_acted_on(c)), "{safe}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&safe).unwrap(), [name]);
    }
}
