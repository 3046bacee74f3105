//! ε as text: `0.5`, `ln(3)`, `2*ln(5/2)`, `1/2*sqrt(2)`.

use super::epsilon::{Epsilon, Form};
use super::{Rational, parse_rational};
use crate::error::{Error, Result};
use num_traits::{One, Zero};
use std::fmt;
use std::str::FromStr;

/// Longer texts are a mistake or an attack.
const LONGEST_TEXT: usize = 4_000;
/// The bits of the longest coefficient that is read.
const LONGEST_COEFFICIENT: u64 = 10_000;

impl FromStr for Epsilon {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.len() > LONGEST_TEXT {
            let found = text.len();
            return Err(Error::input(format!("epsilon has {found} characters, expected at most {LONGEST_TEXT}")));
        }
        Epsilon::of(Form::read(text)?)
    }
}

impl Form {
    /// The positive value of any size that a text denotes.
    pub(super) fn read(text: &str) -> Result<Self> {
        let wrong = || {
            Error::input(format!(
                "epsilon = {text:?} is not understood, expected a form like 0.5, 1/2, ln(3), 2*ln(5/2) or 1/2*sqrt(2)"
            ))
        };
        let (negative, product) = match text.trim().strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.trim()),
        };
        let (mut coefficient, mut radicand, mut base) = (Rational::one(), None, None);
        for (divides, factor) in factors(product) {
            if let Some(argument) = call(factor, "ln") {
                if divides || base.replace(parse_rational(argument)?).is_some() {
                    return Err(wrong());
                }
            } else if let Some(argument) = call(factor, "sqrt") {
                let number = argument.trim().parse::<u64>().map_err(|_| wrong())?;
                if divides || radicand.replace(number).is_some() {
                    return Err(wrong());
                }
            } else {
                if factor.starts_with(['-', '+']) {
                    return Err(wrong());
                }
                let number = parse_rational(factor).map_err(|_| wrong())?;
                if divides && number.is_zero() {
                    return Err(wrong());
                }
                coefficient = if divides { coefficient / number } else { coefficient * number };
                if coefficient.numer().bits().max(coefficient.denom().bits()) > LONGEST_COEFFICIENT {
                    return Err(wrong());
                }
            }
        }
        Form::canonical(if negative { -coefficient } else { coefficient }, radicand.unwrap_or(1), base)
    }
}

/// The factors of a product outside parentheses; `true` for those that divide.
fn factors(text: &str) -> Vec<(bool, &str)> {
    let (mut parts, mut depth, mut start, mut divides) = (Vec::new(), 0usize, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'*' | b'/' if depth == 0 => {
                parts.push((divides, text[start..at].trim()));
                (start, divides) = (at + 1, byte == b'/');
            }
            _ => {}
        }
    }
    parts.push((divides, text[start..].trim()));
    parts
}

/// The argument of `name(argument)`.
fn call<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut factors = Vec::new();
        if !self.coefficient.is_one() || (self.radicand == 1 && self.base.is_none()) {
            factors.push(self.coefficient.to_string());
        }
        if self.radicand != 1 {
            factors.push(format!("sqrt({})", self.radicand));
        }
        if let Some(base) = &self.base {
            factors.push(format!("ln({base})"));
        }
        f.write_str(&factors.join("*"))
    }
}

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Epsilon({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        text.parse::<Epsilon>().map_or_else(|error| error.to_string(), |epsilon| epsilon.to_string())
    }

    #[test]
    fn forms_are_read_and_shown_canonically() {
        for (text, expected) in [
            ("0.5", "1/2"),
            ("0.1", "1/10"),
            ("1e-3", "1/1000"),
            ("ln(3)", "ln(3)"),
            ("2*ln(5/2)", "2*ln(5/2)"),
            ("ln(9)", "2*ln(3)"),
            ("ln(8)/3", "ln(2)"),
            ("-ln(0.9)", "ln(10/9)"),
            ("ln(4)/200", "1/100*ln(2)"),
            ("1/2*sqrt(8)", "sqrt(2)"),
            ("sqrt(4)", "2"),
            (" 2 * sqrt( 3 ) * ln( 2 ) / 5 ", "2/5*sqrt(3)*ln(2)"),
            ("1/2*3/4", "3/8"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused_with_the_way_out() {
        for text in [
            "",
            "x",
            "e",
            "ln 3",
            "ln(3",
            "1/ln(3)",
            "ln(2)*ln(3)",
            "sqrt(1/2)",
            "1+1",
            "nan",
            "inf",
            "1//2",
            "--1",
            "-2*-3",
            "2*+3",
            "*",
            "1/0",
        ] {
            let message = shown(text);
            assert!(message.contains("expected a form like") || message.contains("not a number"), "{text}: {message}");
        }
        assert_eq!(shown("0"), "epsilon = 0, expected a number above 0");
        assert_eq!(shown("-0.5"), "epsilon = -1/2, expected a number above 0");
        assert_eq!(shown("ln(1)"), "epsilon = 0, expected a number above 0");
        assert_eq!(shown("ln(0.5)"), "epsilon = -1*ln(2), expected a number above 0");
        assert_eq!(shown("ln(0)"), "ln(0) is not defined, expected a positive number");
        assert_eq!(shown("1e6"), "epsilon = 1000000 is above 100000: nothing would be protected");
        assert_eq!(shown(&"9e999*".repeat(1000)), "epsilon has 6000 characters, expected at most 4000");
        assert!(shown(&"9e999*".repeat(600)).contains("expected a form like"));
        assert_eq!(shown("ln(1e400)"), "ln of a fraction of more than 1000 bits, expected a shorter one");
        assert_eq!(shown("sqrt(0)"), "sqrt(0), expected a whole number from 1 to 1099511627776");
    }

    proptest! {
        #[test]
        fn text_reads_back(n in 1u32.., d in 1u32.., radicand in 1u64..1000, base in prop::option::of((1u32..1_000_000, 1u32..1_000_000))) {
            let mut text = format!("{n}/{d}*sqrt({radicand})");
            if let Some((more, q)) = base {
                text += &format!("*ln({}/{q})", q + more);
            }
            if let Ok(epsilon) = text.parse::<Epsilon>() {
                let again: Epsilon = epsilon.to_string().parse().unwrap();
                prop_assert_eq!(&again, &epsilon);
                prop_assert_eq!(again.to_string(), epsilon.to_string());
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[0-9a-z*/(). -]{0,30}") {
            if let Ok(epsilon) = text.parse::<Epsilon>() {
                prop_assert!(epsilon.exp(64).lower().to_rational() >= Rational::one());
            }
        }
    }
}
