//! ε in the forms whose exponential can be compared exactly.

use super::{Direction, Dyadic, Interval, Natural, Rational, enclose_ln, parse_rational, to_f64};
use crate::error::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// A privacy budget ε > 0, in nats: `c`, `c·ln r`, `c·√n` or `c·√n·ln r` with c, r rational and n a whole number.
///
/// Held in a canonical form (n square-free, r > 1 and no perfect power), so that equal values compare equal: `ln(9)`
/// is `2*ln(3)`. Cloning is cheap. Read from text by [`str::parse`]: `0.5`, `1/2`, `ln(3)`, `2*ln(5/2)`, `-ln(0.9)`,
/// `ln(4)/200`, `1/2*sqrt(2)`.
///
/// # Errors
/// Zero, negative and unreasonably large values (above 10⁹), and every other form, are refused.
///
/// # Example
/// ```
/// use lookalike::exact::Epsilon;
/// let epsilon: Epsilon = "0.1".parse()?;
/// assert_eq!(epsilon.to_string(), "1/10");
/// assert_eq!("ln(9)".parse::<Epsilon>()?, "2*ln(3)".parse::<Epsilon>()?);
/// assert!("ln(3)".parse::<Epsilon>()? < "1.1".parse::<Epsilon>()?);
/// assert!("0".parse::<Epsilon>().is_err());
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Clone)]
pub struct Epsilon(Arc<Form>);

struct Form {
    /// c > 0.
    coefficient: Rational,
    /// n, square-free; 1 when there is no root.
    radicand: u64,
    /// r > 1, no perfect power; `None` when there is no logarithm.
    base: Option<Rational>,
    /// e^ε to [`CACHED_BITS`].
    exp: OnceLock<Interval>,
    /// e^ε between two short fractions, which decides nearly every question without allocating.
    bracket: OnceLock<Bracket>,
}

/// `lower/scale ≤ e^ε ≤ upper/scale`, all of about 64 bits unless e^ε is larger itself; beyond any ratio of output
/// laws there is no upper end.
#[derive(Debug, Clone)]
pub(super) struct Bracket {
    pub(super) lower: Natural,
    pub(super) upper: Option<Natural>,
    pub(super) scale: Natural,
}

/// A longer e^ε is not written out for the bracket.
const LONGEST_BRACKET: u64 = 4096;

const CACHED_BITS: u64 = 96;
const LARGEST: u64 = 1_000_000_000;
/// Larger radicands would make the search for square factors slow.
const LARGEST_RADICAND: u64 = 1 << 40;

impl Epsilon {
    /// The rational ε.
    ///
    /// # Errors
    /// Refuses ε ≤ 0 and ε > 10⁹.
    pub fn rational(value: Rational) -> Result<Self> {
        Epsilon::new(value, 1, None)
    }

    /// `coefficient · ln base`.
    ///
    /// # Errors
    /// Refuses values outside (0, 10⁹] and base ≤ 0.
    pub fn ln(coefficient: Rational, base: Rational) -> Result<Self> {
        Epsilon::new(coefficient, 1, Some(base))
    }

    /// This ε times a positive rational.
    ///
    /// # Errors
    /// Refuses a product outside (0, 10⁹].
    pub fn scale(&self, factor: &Rational) -> Result<Self> {
        Epsilon::new(&self.0.coefficient * factor, self.0.radicand, self.0.base.clone())
    }

    fn new(coefficient: Rational, radicand: u64, base: Option<Rational>) -> Result<Self> {
        let (mut coefficient, radicand) = extract_squares(coefficient, radicand)?;
        let base = match base {
            None => None,
            Some(base) if !base.is_positive() => {
                return Err(Error::input(format!("ln({base}) is not defined, expected a positive number")));
            }
            Some(base) if base.is_one() => return Err(not_positive("0")),
            Some(base) => {
                let (base, exponent) = primitive_root(base);
                coefficient *= exponent;
                Some(base)
            }
        };
        let form = Form { coefficient, radicand, base, exp: OnceLock::new(), bracket: OnceLock::new() };
        if !form.coefficient.is_positive() {
            return Err(not_positive(&form.to_string()));
        }
        let epsilon = Epsilon(Arc::new(form));
        if epsilon.enclose(4).upper().to_rational() > Rational::from_integer(LARGEST.into()) {
            return Err(Error::input(format!("epsilon = {epsilon} is above {LARGEST}: nothing would be protected")));
        }
        Ok(epsilon)
    }

    /// An interval of width at most 2^−bits that contains ε.
    pub fn enclose(&self, bits: u64) -> Interval {
        let Form { coefficient, radicand, base, .. } = &*self.0;
        // Each factor is below 2^(its bits); an error in one is multiplied by the other two.
        let guard = coefficient.to_integer().bits() + 64 + 16 + 8;
        let bits = bits + guard;
        let mut value = Interval::of(coefficient, bits);
        if *radicand != 1 {
            let root = Interval::integer(*radicand).sqrt(bits).expect("a radicand is positive");
            value = &value * &root;
        }
        if let Some(base) = base {
            value = &value * &enclose_ln(base, bits).expect("a base is positive");
        }
        value
    }

    /// An interval of relative width at most 2^−bits that contains e^ε.
    pub fn exp(&self, bits: u64) -> Interval {
        if bits <= CACHED_BITS {
            return self.0.exp.get_or_init(|| self.compute_exp(CACHED_BITS)).clone();
        }
        self.compute_exp(bits)
    }

    /// e^ε to about 63 bits.
    pub(super) fn bracket(&self) -> &Bracket {
        self.0.bracket.get_or_init(|| {
            let exp = self.exp(CACHED_BITS);
            // e^ε ≥ 1 has this many bits before the point; a huge one needs no bits behind it.
            let whole = (exp.upper().mantissa().bits() as i64 + exp.upper().exponent()).max(1) as u64;
            if whole > LONGEST_BRACKET {
                let lower = Natural::from(BigUint::one() << LONGEST_BRACKET - 1);
                return Bracket { lower, upper: None, scale: Natural::ONE };
            }
            let fraction = 63u64.saturating_sub(whole);
            let fixed = |end: &Dyadic, up: bool| {
                Natural::from(end.to_fixed(fraction, up).to_biguint().expect("e^ε is positive"))
            };
            Bracket {
                lower: fixed(exp.lower(), false),
                upper: Some(fixed(exp.upper(), true)),
                scale: Natural::from(1u64 << fraction),
            }
        })
    }

    fn compute_exp(&self, bits: u64) -> Interval {
        self.enclose(bits + 2).exp(bits + 2)
    }

    /// e^ε when it is rational: exactly for ε = c·ln r with r^c rational. `None` says that it is irrational.
    ///
    /// The power may be long: ask only when it is needed.
    pub fn rational_exp(&self) -> Option<Rational> {
        let Form { coefficient, radicand, base, .. } = &*self.0;
        let base = base.as_ref()?;
        // The base is no perfect power, so a fractional exponent gives an irrational number.
        if *radicand != 1 || !coefficient.is_integer() {
            return None;
        }
        let exponent = coefficient.to_integer().to_u32().expect("epsilon is at most 10^9 and r at least 1 + 10^-1000");
        Some(Rational::new(base.numer().pow(exponent), base.denom().pow(exponent)))
    }

    /// The double nearest to ε, for tables and plots.
    pub fn to_f64(&self) -> f64 {
        match (&self.0.base, self.0.radicand) {
            (None, 1) => to_f64(&self.0.coefficient, Direction::Nearest),
            _ => to_f64(&self.enclose(120).lower().to_rational(), Direction::Nearest),
        }
    }
}

fn not_positive(found: &str) -> Error {
    Error::input(format!("epsilon = {found}, expected a number above 0"))
}

/// c·√n with the square factors of n moved into c.
fn extract_squares(mut coefficient: Rational, mut radicand: u64) -> Result<(Rational, u64)> {
    if radicand == 0 || radicand > LARGEST_RADICAND {
        return Err(Error::input(format!("sqrt({radicand}), expected a whole number from 1 to {LARGEST_RADICAND}")));
    }
    let mut factor = 2;
    while factor * factor <= radicand {
        while radicand.is_multiple_of(factor * factor) {
            radicand /= factor * factor;
            coefficient *= BigInt::from(factor);
        }
        factor += 1;
    }
    Ok((coefficient, radicand))
}

/// `(r, m)` with `base = r^m`, r > 1 and no perfect power; m is negative when base < 1.
fn primitive_root(base: Rational) -> (Rational, BigInt) {
    let (mut base, mut exponent) =
        if base < Rational::one() { (base.recip(), -BigInt::one()) } else { (base, BigInt::one()) };
    let mut order = 2u32;
    while u64::from(order) <= base.numer().bits() {
        let root = |value: &BigInt| Some(value.nth_root(order)).filter(|root| root.pow(order) == *value);
        match (root(base.numer()), root(base.denom())) {
            (Some(numerator), Some(denominator)) => {
                base = Rational::new(numerator, denominator);
                exponent *= order;
            }
            _ => order += 1,
        }
    }
    (base, exponent)
}

impl FromStr for Epsilon {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
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
                let number = parse_rational(factor).map_err(|_| wrong())?;
                if divides && number == Rational::from_integer(0.into()) {
                    return Err(wrong());
                }
                coefficient = if divides { coefficient / number } else { coefficient * number };
            }
        }
        if coefficient.numer().bits() > 10_000 || coefficient.denom().bits() > 10_000 {
            return Err(wrong());
        }
        Epsilon::new(if negative { -coefficient } else { coefficient }, radicand.unwrap_or(1), base)
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

impl PartialEq for Epsilon {
    /// Canonical forms are unique: 1, √n, ln r and √n·ln r are linearly independent over the rationals, the last
    /// two by Gelfond and Schneider.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        Arc::ptr_eq(a, b) || (a.radicand == b.radicand && a.coefficient == b.coefficient && a.base == b.base)
    }
}

impl Eq for Epsilon {}

impl Hash for Epsilon {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.0.coefficient, self.0.radicand, &self.0.base).hash(state);
    }
}

impl Ord for Epsilon {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let mut bits = 64;
        loop {
            let (a, b) = (self.enclose(bits), other.enclose(bits));
            if a.upper() < b.lower() {
                return Ordering::Less;
            }
            if b.upper() < a.lower() {
                return Ordering::Greater;
            }
            bits *= 2;
        }
    }
}

impl PartialOrd for Epsilon {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
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
        assert_eq!(shown("1e10"), "epsilon = 10000000000 is above 1000000000: nothing would be protected");
        assert_eq!(shown("sqrt(0)"), "sqrt(0), expected a whole number from 1 to 1099511627776");
    }

    #[test]
    fn values_order_across_forms() {
        let ascending = ["1/10", "ln(2)/2", "1/2", "ln(2)", "1", "ln(3)", "sqrt(2)", "sqrt(3)*ln(3)", "2", "ln(8)"];
        let parsed: Vec<Epsilon> = ascending.iter().map(|text| text.parse().unwrap()).collect();
        for pair in parsed.windows(2) {
            assert!(pair[0] < pair[1], "{} < {}", pair[0], pair[1]);
        }
        // A rational next to ln 3, equal to 60 digits.
        let near: Epsilon = "1.098612288668109691395245236922525704647490557822749451734694".parse().unwrap();
        assert!(near < "ln(3)".parse().unwrap());
    }

    #[test]
    fn doubles_are_the_nearest() {
        for (text, expected) in [("0.1", 0.1), ("ln(3)", 1.0986122886681098), ("sqrt(2)", std::f64::consts::SQRT_2)] {
            assert_eq!(text.parse::<Epsilon>().unwrap().to_f64(), expected, "{text}");
        }
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
        fn enclosures_have_the_requested_width_and_nest(n in 1u32.., d in 1u32.., radicand in 1u64..10_000, r in 2u32.., bits in 8u64..200) {
            let text = format!("{n}/{d}*sqrt({radicand})*ln({r})");
            if let Ok(epsilon) = text.parse::<Epsilon>() {
                let (wide, narrow) = (epsilon.enclose(bits), epsilon.enclose(bits + 64));
                prop_assert!(wide.width().to_rational() * (BigInt::one() << bits) <= Rational::one());
                prop_assert!(wide.lower() <= narrow.lower() && narrow.upper() <= wide.upper());
                let exp = epsilon.exp(bits);
                prop_assert!(exp.width().to_rational() * (BigInt::one() << bits) <= exp.lower().to_rational());
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
