//! Convolutions of lists of masses: exact sums of products, rounded up once.

use super::fixed::MASS_BITS;
use super::transform::Field;
use rayon::prelude::*;

/// Three primes next below 2^63, of the form c·2^40 + 1. Their product is above 2^188.99.
pub(super) static FIELDS: [Field; 3] =
    [Field::new(0x7fff_fe00_0000_0001, 7), Field::new(0x7fff_ef00_0000_0001, 5), Field::new(0x7fff_e900_0000_0001, 7)];

/// Σ_i a_i·b_(k−i) for every k, in the unit of the masses, rounded up.
///
/// The sums are found modulo three primes and put together exactly: each list has masses of at most 4 in all, so no sum
/// reaches 2^188.
pub(super) fn convolve_up(a: &[u128], b: &[u128]) -> Vec<u128> {
    debug_assert!([a, b].iter().all(|list| list.iter().sum::<u128>() <= 4 << MASS_BITS));
    let residues: Vec<Vec<u64>> = FIELDS.par_iter().map(|field| field.convolve(a, b)).collect();
    let [first, second, third] = &residues[..] else { unreachable!("three primes") };
    let places = first.par_iter().zip(second).zip(third);
    let whole = Mixed::new();
    places.map(|((&first, &second), &third)| whole.rounded_up([first, second, third])).collect()
}

/// Puts residues together: x = r₁ + p₁·(t₂ + p₂·t₃), with each t below its prime (Garner).
struct Mixed {
    /// The forms of p₁ modulo p₂ and p₃, and of p₂ modulo p₃, inverted.
    inverses: [u64; 3],
}

impl Mixed {
    fn new() -> Self {
        let [one, two, three] = &FIELDS;
        let inverse = |field: &Field, prime: u64| field.over(field.form(1), field.form(prime.into()));
        Mixed { inverses: [inverse(two, one.prime()), inverse(three, one.prime()), inverse(three, two.prime())] }
    }

    /// x·2^−92, rounded up, for the x below p₁·p₂·p₃ that has these residues.
    fn rounded_up(&self, [first, second, third]: [u64; 3]) -> u128 {
        let [one, two, three] = &FIELDS;
        let step = |field: &Field, number: u64, less: u64, inverse: u64| {
            field.times(field.minus(field.form(number.into()), field.form(less.into())), inverse)
        };
        let of_second = two.number(step(two, second, first, self.inverses[0]));
        let partial = three.number(step(three, third, first, self.inverses[1]));
        let of_third = three.number(step(three, partial, of_second, self.inverses[2]));
        let upper = u128::from(of_second) + u128::from(two.prime()) * u128::from(of_third);
        // x = r₁ + p₁·upper in words of 64 bits: p₁ has 63 bits and upper 126.
        let low = u128::from(first) + u128::from(one.prime()) * (upper & u128::from(u64::MAX));
        let high = u128::from(one.prime()) * (upper >> 64) + (low >> 64);
        let dropped = (high & ((1 << (MASS_BITS - 64)) - 1)) | (low & u128::from(u64::MAX));
        (high >> (MASS_BITS - 64)) + u128::from(dropped != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixed::ONE;
    use super::*;
    use num_bigint::BigUint;
    use num_integer::Integer;
    use proptest::prelude::*;

    fn by_hand(a: &[u128], b: &[u128]) -> Vec<BigUint> {
        let mut sums = vec![BigUint::ZERO; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                sums[i + j] += BigUint::from(*x) * *y;
            }
        }
        sums.iter().map(|sum| sum.div_ceil(&BigUint::from(ONE))).collect()
    }

    #[track_caller]
    fn agrees(a: &[u128], b: &[u128]) {
        let found: Vec<BigUint> = convolve_up(a, b).into_iter().map(BigUint::from).collect();
        assert_eq!(found, by_hand(a, b));
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        agrees(&[4 * ONE], &[4 * ONE]);
        agrees(&[2 * ONE, 2 * ONE], &[2 * ONE, ONE, ONE]);
        agrees(&[ONE - 1, 1, 0, ONE], &[1, 0, ONE - 1]);
    }

    proptest! {
        #[test]
        fn sums_are_those_of_big_integers(a in prop::collection::vec(0..ONE / 8, 1..32), b in prop::collection::vec(0..ONE / 8, 1..32)) {
            agrees(&a, &b);
            agrees(&a, &a);
        }
    }
}
