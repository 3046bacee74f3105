//! Logarithms of probabilities in fixed point, by integers alone, with the error on a named side.

use crate::exact::{Rational, enclose_ln};
use num_traits::ToPrimitive;
use std::sync::LazyLock;

/// A probability p is the whole number p·2^62.
pub const PROBABILITY_BITS: u32 = 62;
/// Probability one.
pub const ONE: u64 = 1 << PROBABILITY_BITS;
/// A logarithm l is the whole number l·2^44.
pub const LOGARITHM_BITS: u32 = 44;

/// What is computed inside has this many bits behind the point.
const INNER_BITS: u32 = 60;
/// The error of what is computed inside, in its last place; [`inner_logarithm`] says why it is less.
const INNER_ERROR: i128 = 128;

/// Reciprocals of the middles of 128 parts of [1, 2), in 2^-16, and the logarithms of what they divide by.
struct Table {
    reciprocals: [u32; 128],
    logarithms: [i64; 128],
    of_two: i64,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let reciprocals = std::array::from_fn(|part| (1 << 24) / (257 + 2 * part as u32));
    let logarithm = |number: Rational| {
        let enclosure = enclose_ln(&number, u64::from(INNER_BITS) + 8).expect("the number is positive");
        enclosure.lower().to_fixed(INNER_BITS.into(), false).to_i64().expect("the number is at most 2")
    };
    Table {
        reciprocals,
        logarithms: reciprocals.map(|reciprocal| logarithm(Rational::new((1 << 16).into(), reciprocal.into()))),
        of_two: logarithm(Rational::from_integer(2.into())),
    }
});

/// Whole numbers below and above ln(p)·2^44, at most two apart, for a probability p > 0 in units of 2^-62.
pub fn logarithm(probability: u64) -> (i64, i64) {
    let inner = inner_logarithm(probability);
    let drop = INNER_BITS - LOGARITHM_BITS;
    (((inner - INNER_ERROR) >> drop) as i64, ((inner + INNER_ERROR) >> drop) as i64 + 1)
}

/// ln(p)·2^60, with an error below 70.
///
/// p = m·2^k with m in [1, 2), and m·r = 1 + z with |z| < 2^-7.9 for the reciprocal r of the part of m. Seven terms
/// of ln(1 + z) leave less than 2^-66. Each step rounds a constant and a product, which makes 2 units, and what is
/// carried on shrinks by z: below 4 units with the rounding of z itself. The table adds 1, and ln 2 at most 62.
fn inner_logarithm(probability: u64) -> i128 {
    let table = &*TABLE;
    let exponent = 63 - probability.leading_zeros();
    let mantissa = probability << (63 - exponent);
    // The seven bits behind the leading one.
    let part = (mantissa >> 56) as usize & 127;
    // Exact, with 63 + 16 bits behind the point.
    let exact = i128::from(mantissa) * i128::from(table.reciprocals[part]) - (1 << 79);
    let z = (exact >> (79 - INNER_BITS)) as i64;
    let times_z = |value: i64| ((i128::from(value) * i128::from(z)) >> INNER_BITS) as i64;
    let one = 1i64 << INNER_BITS;
    let mut sum = one / 7;
    for term in (1..7).rev() {
        sum = one / term - times_z(sum);
    }
    let whole = i128::from(exponent) - i128::from(PROBABILITY_BITS);
    whole * i128::from(table.of_two) + i128::from(table.logarithms[part]) + i128::from(times_z(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn encloses(probability: u64) {
        let (below, above) = logarithm(probability);
        let exact = enclose_ln(&Rational::new(probability.into(), ONE.into()), 100).unwrap();
        let unit = Rational::new(1.into(), BigInt::from(1) << LOGARITHM_BITS);
        assert!(&unit * BigInt::from(below) <= exact.lower().to_rational(), "{probability}");
        assert!(&unit * BigInt::from(above) >= exact.upper().to_rational(), "{probability}");
        assert!(above - below <= 2, "{probability}: {below} to {above}");
    }

    #[test]
    fn edges_of_the_table_and_of_the_range() {
        for power in 0..64 {
            for probability in [(1u64 << power) - 1, 1 << power, (1 << power) + 1] {
                if probability > 0 {
                    encloses(probability);
                }
            }
        }
        for part in 0..=128u64 {
            let edge = ONE - (part << 54);
            [edge - 1, edge, edge + 1].into_iter().for_each(encloses);
        }
        encloses(u64::MAX);
    }

    proptest! {
        #[test]
        fn the_logarithm_lies_between_the_two_numbers(probability in 1u64.., shift in 0u32..63) {
            encloses((probability >> shift).max(1));
        }

        #[test]
        fn seventy_units_are_room_enough(probability in 1u64..) {
            let exact = enclose_ln(&Rational::new(probability.into(), ONE.into()), 100).unwrap();
            let inner = BigInt::from(inner_logarithm(probability));
            let distance = (exact.lower().to_fixed(60, false) - inner).to_i64().unwrap();
            prop_assert!(distance.abs() < 70, "{distance}");
        }
    }
}
