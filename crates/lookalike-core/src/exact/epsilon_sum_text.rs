//! Sums of ε as text: `1/2 + 2*ln(3)`, and `0` for nothing.

use super::EpsilonSum;
use super::epsilon::Form;
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// Longer texts are a mistake or an attack.
const LONGEST_TEXT: usize = 20_000;

impl fmt::Display for EpsilonSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let terms: Vec<String> = self.0.forms().map(|form| form.to_string()).collect();
        f.write_str(&terms.join(" + "))
    }
}

impl FromStr for EpsilonSum {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.len() > LONGEST_TEXT {
            let found = text.len();
            return Err(Error::input(format!("a sum of {found} characters, expected at most {LONGEST_TEXT}")));
        }
        let mut sum = EpsilonSum::zero();
        if text.trim() != "0" {
            for term in summands(text) {
                let Form { coefficient, radicand, base, .. } = Form::read(term)?;
                sum.0.add((radicand, base), coefficient);
            }
        }
        Ok(sum)
    }
}

/// The parts between plus signs outside parentheses; a plus sign right after an e is that of an exponent.
fn summands(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut before) = (Vec::new(), 0usize, 0, b' ');
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'+' if depth == 0 && !before.eq_ignore_ascii_case(&b'e') => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = byte;
    }
    parts.push(&text[start..]);
    parts
}
