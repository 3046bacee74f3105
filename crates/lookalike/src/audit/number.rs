//! Numbers as symbols.

/// A number that was released: bits and order are what an attack looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Integer(i128),
    Real(f64),
}

impl Number {
    /// The number that a text is: digits with a sign are an integer, everything else that reads as a finite number is a
    /// real one. `None` for any other text.
    pub(super) fn parse(text: &str) -> Option<Number> {
        let first = text.bytes().next()?;
        if !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) {
            return None;
        }
        if let Ok(integer) = text.parse() {
            return Some(Number::Integer(integer));
        }
        text.parse().ok().filter(|real: &f64| real.is_finite()).map(Number::Real)
    }

    /// A symbol in the order of numbers. Integers beyond 2^53 share one with their neighbours.
    pub(super) fn ordered(self) -> u64 {
        let real = match self {
            Number::Integer(integer) => integer as f64,
            Number::Real(real) => real + 0.0,
        };
        let bits = real.to_bits();
        if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
    }

    /// The number of a symbol of [`Number::ordered`].
    pub(super) fn real(ordered: u64) -> f64 {
        f64::from_bits(if ordered >> 63 == 1 { ordered ^ 1 << 63 } else { !ordered })
    }

    /// The same as text.
    pub(super) fn text(ordered: u64) -> String {
        Number::real(ordered).to_string()
    }

    /// The lowest set bit as a symbol: 0 for zero, else 1,100 plus its place, which is −1,074 at least.
    pub(super) fn lowest_bit(self) -> u64 {
        let place = match self {
            Number::Integer(0) => return 0,
            Number::Integer(integer) => integer.trailing_zeros() as i32,
            Number::Real(0.0) => return 0,
            Number::Real(real) => {
                let (exponent, fraction) = ((real.to_bits() >> 52 & 0x7ff) as i32, real.to_bits() << 12 >> 12);
                let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
                exponent.max(1) - 1_075 + mantissa.trailing_zeros() as i32
            }
        };
        (1_100 + place) as u64
    }

    /// The power of two of a symbol of [`Number::lowest_bit`].
    pub(super) fn power(lowest_bit: u64) -> i64 {
        lowest_bit as i64 - 1_100
    }

    /// The last four bits: of the integer, or of the float's fraction.
    pub(super) fn last_bits(self) -> u64 {
        match self {
            Number::Integer(integer) => (integer & 15) as u64,
            Number::Real(real) => real.to_bits() & 15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symbols_keep_the_order_and_the_number(a in any::<i64>(), b in -1e3f64..1e3) {
            let [one, other] = [Number::Integer((a % 1_000).into()), Number::Real(b)];
            prop_assert_eq!(one.ordered() < other.ordered(), ((a % 1_000) as f64) < b);
            prop_assert_eq!(Number::text(other.ordered()).parse::<f64>().unwrap(), b + 0.0);
        }

        #[test]
        fn the_lowest_bit_divides_the_number_and_twice_it_does_not(real in any::<f64>()) {
            prop_assume!(real.is_finite() && real != 0.0 && real.abs() < 1e300 && real.abs() > 1e-290);
            let power = 2f64.powi(Number::power(Number::Real(real).lowest_bit()) as i32);
            prop_assert_eq!((real / power).fract(), 0.0);
            prop_assert_eq!((real / power) % 2.0, real.signum());
        }
    }

    #[test]
    fn texts_are_read_as_what_they_are() {
        assert_eq!(Number::parse("-12"), Some(Number::Integer(-12)));
        assert_eq!(Number::parse("0.5"), Some(Number::Real(0.5)));
        assert_eq!(Number::parse("1e3"), Some(Number::Real(1e3)));
        for text in ["", "yes", "nan", "inf", "1e999", "1 2"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
        assert_eq!([12, -1, 0].map(|n| Number::Integer(n).lowest_bit()), [1_102, 1_100, 0]);
        assert_eq!([0.75, f64::from_bits(1)].map(|x| Number::Real(x).lowest_bit()), [1_098, 26]);
        assert_eq!([7, -1].map(|n| Number::Integer(n).last_bits()), [7, 15]);
    }
}
