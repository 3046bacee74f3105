//! ε in the forms whose exponential can be compared exactly.

use super::{Direction, Dyadic, Interval, Natural, Rational, enclose_ln, to_f64};
use crate::error::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A privacy budget ε > 0, in nats: `c`, `c·ln r`, `c·√n` or `c·√n·ln r` with c, r rational and n a whole number.
///
/// Held in a canonical form (n square-free, r > 1 and no perfect power), so that equal values compare equal: `ln(9)`
/// is `2*ln(3)`. Cloning is cheap. Read from text by [`str::parse`]: `0.5`, `1/2`, `ln(3)`, `2*ln(5/2)`, `-ln(0.9)`,
/// `ln(4)/200`, `1/2*sqrt(2)`.
///
/// # Errors
/// Zero, negative and unreasonably large values (above 100,000), and every other form, are refused.
///
/// # Example
/// ```
/// use lookalike_core::exact::Epsilon;
/// let epsilon: Epsilon = "0.1".parse()?;
/// assert_eq!(epsilon.to_string(), "1/10");
/// assert_eq!("ln(9)".parse::<Epsilon>()?, "2*ln(3)".parse::<Epsilon>()?);
/// assert!("ln(3)".parse::<Epsilon>()? < "1.1".parse::<Epsilon>()?);
/// assert!("0".parse::<Epsilon>().is_err());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Epsilon(pub(super) Arc<Form>);

pub(super) struct Form {
    /// c > 0.
    pub(super) coefficient: Rational,
    /// n, square-free; 1 when there is no root.
    pub(super) radicand: u64,
    /// r > 1, no perfect power; `None` when there is no logarithm.
    pub(super) base: Option<Rational>,
    /// e^ε to [`CACHED_BITS`].
    exp: OnceLock<Interval>,
    /// e^ε between two short fractions, which decides nearly every question without allocating.
    bracket: OnceLock<Bracket>,
    /// The nearest double.
    nearest: OnceLock<f64>,
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
/// e^ε is written out in places, and nothing is protected long before this.
const LARGEST: u64 = 100_000;
/// Roots of longer bases would take long to look for.
const LONGEST_BASE: u64 = 1_000;
/// Larger radicands would make the search for square factors slow.
const LARGEST_RADICAND: u64 = 1 << 40;

impl Epsilon {
    /// The rational ε.
    ///
    /// # Errors
    /// Refuses ε ≤ 0 and ε > 100,000.
    pub fn rational(value: Rational) -> Result<Self> {
        Epsilon::new(value, 1, None)
    }

    /// `coefficient · ln base`.
    ///
    /// # Errors
    /// Refuses values outside (0, 100,000], base ≤ 0 and a base of more than 1,000 bits.
    pub fn ln(coefficient: Rational, base: Rational) -> Result<Self> {
        Epsilon::new(coefficient, 1, Some(base))
    }

    /// This ε times a positive rational.
    ///
    /// # Errors
    /// Refuses a product outside (0, 100,000].
    pub fn scale(&self, factor: &Rational) -> Result<Self> {
        Epsilon::new(&self.0.coefficient * factor, self.0.radicand, self.0.base.clone())
    }

    /// This ε times √n: distances in the plane are roots of whole numbers.
    ///
    /// # Errors
    /// Refuses n = 0, a product of roots beyond √2^40, and a product outside (0, 100,000].
    ///
    /// # Example
    /// ```
    /// use lookalike_core::exact::Epsilon;
    /// let root = |text: &str, n| text.parse::<Epsilon>()?.times_root(n);
    /// assert_eq!(root("ln(2)/100", 5)?.to_string(), "1/100*sqrt(5)*ln(2)");
    /// assert_eq!(root("sqrt(2)/4", 8)?.to_string(), "1");
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    pub fn times_root(&self, n: u64) -> Result<Self> {
        let radicand = self.0.radicand.saturating_mul(n);
        Epsilon::new(self.0.coefficient.clone(), radicand, self.0.base.clone())
    }

    /// This ε over another one, where that is a fraction: where both have the same root and the same logarithm.
    pub fn ratio(&self, other: &Epsilon) -> Option<Rational> {
        let (a, b) = (&self.0, &other.0);
        (a.radicand == b.radicand && a.base == b.base).then(|| &a.coefficient / &b.coefficient)
    }

    pub(super) fn new(coefficient: Rational, radicand: u64, base: Option<Rational>) -> Result<Self> {
        Epsilon::of(Form::canonical(coefficient, radicand, base)?)
    }

    pub(super) fn of(form: Form) -> Result<Self> {
        let epsilon = Epsilon(Arc::new(form));
        if epsilon.enclose(4).upper().to_rational() > Rational::from_integer(LARGEST.into()) {
            return Err(Error::input(format!("epsilon = {epsilon} is above {LARGEST}: nothing would be protected")));
        }
        Ok(epsilon)
    }

    /// An interval of width at most 2^−bits that contains ε.
    pub fn enclose(&self, bits: u64) -> Interval {
        let Form { coefficient, radicand, base, .. } = &*self.0;
        enclose_product(coefficient, *radicand, base.as_ref(), bits)
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
                let lower = Natural::from(BigUint::one() << (LONGEST_BRACKET - 1));
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

    /// e^ε when it is a rational whose numerator has at most `longest` bits: for ε = c·ln r with r^c rational.
    ///
    /// `None` says that no fraction with a numerator of at most `longest` bits equals e^ε.
    pub fn rational_exp(&self, longest: u64) -> Option<Rational> {
        let Form { coefficient, radicand, base, .. } = &*self.0;
        let base = base.as_ref()?;
        // The base is no perfect power, so a fractional exponent gives an irrational number.
        if *radicand != 1 || !coefficient.is_integer() {
            return None;
        }
        // n^c has more than c·(bits of n − 1) bits, and n^c/d^c is in lowest terms.
        let least_bits = coefficient.to_integer() * (base.numer().bits() - 1);
        if least_bits > longest.into() {
            return None;
        }
        let exponent = coefficient.to_integer().to_u32()?;
        Some(Rational::new_raw(base.numer().pow(exponent), base.denom().pow(exponent)))
    }

    /// The double nearest to ε, for tables and plots.
    pub fn to_f64(&self) -> f64 {
        *self.0.nearest.get_or_init(|| self.compute_f64())
    }

    fn compute_f64(&self) -> f64 {
        match (&self.0.base, self.0.radicand) {
            (None, 1) => to_f64(&self.0.coefficient, Direction::Nearest),
            _ => {
                // Narrow in proportion to a tiny ε.
                let mut bits = 120;
                loop {
                    let interval = self.enclose(bits);
                    if &interval.width() * &Dyadic::new(BigInt::one(), 60) <= *interval.lower() {
                        return to_f64(&interval.lower().to_rational(), Direction::Nearest);
                    }
                    bits *= 2;
                }
            }
        }
    }
}

impl Form {
    /// From parts that are canonical already.
    pub(super) fn new(coefficient: Rational, radicand: u64, base: Option<Rational>) -> Self {
        let (exp, bracket, nearest) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Form { coefficient, radicand, base, exp, bracket, nearest }
    }

    /// The canonical form of a positive value of any size.
    pub(super) fn canonical(coefficient: Rational, radicand: u64, base: Option<Rational>) -> Result<Self> {
        let (mut coefficient, radicand) = extract_squares(coefficient, radicand)?;
        let base = match base {
            None => None,
            Some(base) if !base.is_positive() => {
                return Err(Error::input(format!("ln({base}) is not defined, expected a positive number")));
            }
            Some(base) if base.numer().bits().max(base.denom().bits()) > LONGEST_BASE => {
                return Err(Error::input(format!(
                    "ln of a fraction of more than {LONGEST_BASE} bits, expected a shorter one"
                )));
            }
            Some(base) if base.is_one() => return Err(not_positive("0")),
            Some(base) => {
                let (base, exponent) = primitive_root(base);
                coefficient *= exponent;
                Some(base)
            }
        };
        let form = Form::new(coefficient, radicand, base);
        if !form.coefficient.is_positive() {
            return Err(not_positive(&form.to_string()));
        }
        Ok(form)
    }
}

/// An interval of width at most 2^−bits that contains `coefficient · √radicand · ln base`, of either sign.
pub(super) fn enclose_product(coefficient: &Rational, radicand: u64, base: Option<&Rational>, bits: u64) -> Interval {
    // Each factor is below 2^(its bits); an error in one is multiplied by the other two.
    let guard = coefficient.to_integer().bits() + 64 + 16 + 8;
    let bits = bits + guard;
    let mut value = Interval::of(coefficient, bits);
    if radicand != 1 {
        let root = Interval::integer(radicand).sqrt(bits).expect("a radicand is positive");
        value = &value * &root;
    }
    if let Some(base) = base {
        value = &value * &enclose_ln(base, bits).expect("a base is positive");
    }
    value
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

fn next_prime(after: u32) -> u32 {
    let is_prime = |n: &u32| (2..).take_while(|factor| factor * factor <= *n).all(|factor| !n.is_multiple_of(factor));
    (after + 1..).find(is_prime).expect("there are infinitely many primes")
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
            _ => order = next_prime(order),
        }
    }
    (base, exponent)
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
        let (a, b) = (&self.0, &other.0);
        if a.radicand == b.radicand && a.base == b.base {
            return a.coefficient.cmp(&b.coefficient);
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
    fn ratios_of_one_form_are_fractions_and_others_are_not() {
        let ratio = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| text.parse::<Epsilon>().unwrap());
            a.ratio(&b).map(|ratio| ratio.to_string())
        };
        assert_eq!(ratio("ln(9)", "3*ln(3)").unwrap(), "2/3");
        assert_eq!(ratio("sqrt(8)", "sqrt(2)").unwrap(), "2");
        assert_eq!(ratio("0.1", "0.4").unwrap(), "1/4");
        assert_eq!((ratio("1", "ln(2)"), ratio("sqrt(2)", "1"), ratio("ln(2)", "ln(3)")), (None, None, None));
    }

    #[test]
    fn doubles_are_the_nearest() {
        for (text, expected) in [("0.1", 0.1), ("ln(3)", 1.0986122886681098), ("sqrt(2)", std::f64::consts::SQRT_2)] {
            assert_eq!(text.parse::<Epsilon>().unwrap().to_f64(), expected, "{text}");
        }
    }

    proptest! {
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

    }
}
