//! Cells that spreadsheets take for formulas.

use std::borrow::Cow;

/// The text with an apostrophe in front where a spreadsheet would take it for a formula: it begins with `=`, `+`, `-`, `@`, one
/// of their full-width forms, a tab, a line feed or a carriage return, and is no number.
///
/// # Example
/// ```
/// use lookalike_records::escape_formula;
/// assert_eq!(["=cmd()", "-x", "-1.5", "+1e3", "a=b"].map(|text| escape_formula(text)), ["'=cmd()", "'-x", "-1.5", "+1e3", "a=b"]);
/// ```
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    if is_formula(text.as_bytes()) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// What [`escape_formula`] made an escaped text from; `None` for a text that it never returns in this form.
pub fn unescaped(text: &str) -> Option<&str> {
    text.strip_prefix('\'').filter(|rest| is_formula(rest.as_bytes()))
}

#[inline]
pub(crate) fn is_formula(cell: &[u8]) -> bool {
    let begins = match cell.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\n' | b'\r') => true,
        // A spreadsheet may take them for the usual ones.
        Some(0xef) => ["＝", "＋", "－", "＠"].iter().any(|sign| cell.starts_with(sign.as_bytes())),
        _ => false,
    };
    begins && !is_number(cell)
}

/// A number that means the same with an apostrophe or without, so that it stays one: digits with a sign, a point, an exponent.
fn is_number(cell: &[u8]) -> bool {
    let plain = cell.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let number = || std::str::from_utf8(cell).ok().and_then(|text| text.parse::<f64>().ok());
    plain && number().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_from_numbers_and_other_texts() {
        let formulas = [
            "=1+1",
            "=cmd|' /C calc'!A0",
            "+x",
            "-x",
            "@SUM(A1)",
            "\tx",
            "\rx",
            "\n=x",
            "＝1+1",
            "＋x",
            "－1",
            "＠SUM(A1)",
            "=",
            "-",
            "+",
            "@",
            "-1+1",
            "-inf",
            "-10..0",
        ];
        for text in formulas {
            assert_eq!(escape_formula(text), format!("'{text}"), "{text:?}");
            assert_eq!(unescaped(&escape_formula(text)), Some(text));
        }
        for text in ["", "a", "a=1", "1", "-1", "+1.5", "-1e-3", "-.5", "'=x", "'", " =x", "0..10", "ａ", "（=x"] {
            assert!(matches!(escape_formula(text), Cow::Borrowed(_)), "{text:?}");
        }
        for text in ["=x", "'a", "'-1", "''=x", "'", ""] {
            assert_eq!(unescaped(text), None, "{text:?}");
        }
    }
}
