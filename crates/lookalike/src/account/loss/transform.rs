//! Transforms over a prime field, in which a convolution is a product point by point.

/// The whole numbers modulo a prime p < 2^63 with p − 1 a multiple of 2^40, each number x held as x·2^64 mod p
/// (Montgomery's form, in which a product needs no division).
#[derive(Debug)]
pub(super) struct Field {
    p: u64,
    /// A number whose powers are all of 1 to p − 1.
    generator: u64,
    /// −1/p mod 2^64.
    negated_inverse: u64,
    /// 2^64, 2^128 and 2^192 mod p.
    powers: [u64; 3],
}

/// The longest list has 2^40 points.
const LARGEST_POWER: u32 = 40;

impl Field {
    pub(super) const fn new(p: u64, generator: u64) -> Self {
        // Newton's iteration doubles the bits of 1/p mod 2^64 that are right; p itself has three of them.
        let mut inverse = p;
        let mut step = 0;
        while step < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
            step += 1;
        }
        let one = ((1u128 << 64) % p as u128) as u64;
        let two = (one as u128 * one as u128 % p as u128) as u64;
        let three = (two as u128 * one as u128 % p as u128) as u64;
        Field { p, generator, negated_inverse: inverse.wrapping_neg(), powers: [one, two, three] }
    }

    /// The prime.
    pub(super) const fn prime(&self) -> u64 {
        self.p
    }

    /// `value·2^−64 mod p` for value < p·2^64.
    fn reduce(&self, value: u128) -> u64 {
        let factor = (value as u64).wrapping_mul(self.negated_inverse);
        // Both below 2^127, and the sum is a multiple of 2^64.
        let quotient = ((value + u128::from(factor) * u128::from(self.p)) >> 64) as u64;
        if quotient >= self.p { quotient - self.p } else { quotient }
    }

    /// The product of two forms.
    pub(super) fn times(&self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    fn plus(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.p { sum - self.p } else { sum }
    }

    /// The difference of two forms.
    pub(super) fn minus(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.p - b }
    }

    /// The form of a number below 2^126.
    pub(super) fn form(&self, value: u128) -> u64 {
        self.times(self.reduce(value), self.powers[2])
    }

    /// The number of a form, from 0 to p − 1.
    pub(super) fn number(&self, form: u64) -> u64 {
        self.reduce(form.into())
    }

    fn power(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut square, mut product) = (base, self.powers[0]);
        while exponent > 0 {
            if exponent & 1 == 1 {
                product = self.times(product, square);
            }
            square = self.times(square, square);
            exponent >>= 1;
        }
        product
    }

    /// The product of a number's form with the inverse of another's; the other is not 0.
    pub(super) fn over(&self, a: u64, b: u64) -> u64 {
        self.times(a, self.power(b, self.p - 2))
    }

    /// 1, w, w², … for a root w of 1 of order 2·length, or its inverse.
    fn roots(&self, length: usize, inverse: bool) -> Vec<u64> {
        let order = 2 * length as u64;
        let step = (self.p - 1) / order;
        let root = self.power(self.form(self.generator.into()), if inverse { self.p - 1 - step } else { step });
        std::iter::successors(Some(self.powers[0]), |&power| Some(self.times(power, root))).take(length).collect()
    }

    /// The values at the roots of 1, in bit-reversed order.
    fn forward(&self, values: &mut [u64]) {
        let mut length = values.len() / 2;
        while length > 0 {
            let roots = self.roots(length, false);
            for block in values.chunks_exact_mut(2 * length) {
                let (low, high) = block.split_at_mut(length);
                for ((a, b), root) in low.iter_mut().zip(high).zip(&roots) {
                    (*a, *b) = (self.plus(*a, *b), self.times(self.minus(*a, *b), *root));
                }
            }
            length /= 2;
        }
    }

    /// Undoes [`Field::forward`], times the length.
    fn backward(&self, values: &mut [u64]) {
        let mut length = 1;
        while length < values.len() {
            let roots = self.roots(length, true);
            for block in values.chunks_exact_mut(2 * length) {
                let (low, high) = block.split_at_mut(length);
                for ((a, b), root) in low.iter_mut().zip(high).zip(&roots) {
                    let turned = self.times(*b, *root);
                    (*a, *b) = (self.plus(*a, turned), self.minus(*a, turned));
                }
            }
            length *= 2;
        }
    }

    /// Σ a_i·b_(k−i) mod p for every k, as numbers; the lists are not empty, and their entries are below 2^126.
    pub(super) fn convolve(&self, a: &[u128], b: &[u128]) -> Vec<u64> {
        let length = a.len() + b.len() - 1;
        let size = length.next_power_of_two();
        assert!(size.trailing_zeros() <= LARGEST_POWER, "a list of {size} points");
        let transformed = |list: &[u128]| {
            let mut values: Vec<u64> = list.iter().map(|&value| self.form(value)).collect();
            values.resize(size, 0);
            self.forward(&mut values);
            values
        };
        let mut values = transformed(a);
        if std::ptr::eq(a, b) {
            values.iter_mut().for_each(|value| *value = self.times(*value, *value));
        } else {
            values.iter_mut().zip(transformed(b)).for_each(|(value, other)| *value = self.times(*value, other));
        }
        self.backward(&mut values);
        let scale = self.over(self.powers[0], self.form(size as u128));
        values.truncate(length);
        values.iter_mut().for_each(|value| *value = self.number(self.times(*value, scale)));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::convolution::FIELDS;
    use super::*;
    use proptest::prelude::*;

    /// If g^(p−1) = 1 and g^((p−1)/f) ≠ 1 for every prime f that divides p − 1, then g has order p − 1, and p is prime.
    #[test]
    fn the_moduli_are_primes_with_their_generators() {
        for field in &FIELDS {
            let (mut rest, mut factors) = (field.p - 1, Vec::new());
            for factor in (2..).take_while(|factor| factor * factor <= field.p >> 40) {
                if rest % factor == 0 {
                    factors.push(factor);
                    while rest % factor == 0 {
                        rest /= factor;
                    }
                }
            }
            factors.extend((rest > 1).then_some(rest));
            assert!(field.p % (1 << LARGEST_POWER) == 1 && field.p < 1 << 63);
            let order_divides = |exponent| field.number(field.power(field.form(field.generator.into()), exponent)) == 1;
            assert!(order_divides(field.p - 1));
            assert!(factors.iter().all(|factor| !order_divides((field.p - 1) / factor)), "{factors:?}");
        }
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_modulo_the_prime(a in 0u128..1 << 126, b in any::<u64>()) {
            for field in &FIELDS {
                let p = u128::from(field.p);
                let (a, b) = (a % (p << 63), u128::from(b));
                let [x, y] = [a, b].map(|value| field.form(value));
                prop_assert_eq!(u128::from(field.number(x)), a % p);
                prop_assert_eq!(u128::from(field.number(field.times(x, y))), (a % p) * (b % p) % p);
                prop_assert_eq!(u128::from(field.number(field.plus(x, y))), (a % p + b % p) % p);
                prop_assert_eq!(field.plus(field.minus(x, y), y), x);
                if b % p != 0 {
                    prop_assert_eq!(field.times(field.over(x, y), y), x);
                }
            }
        }

        #[test]
        fn transforms_undo_each_other(list in prop::collection::vec(any::<u64>(), 1..33)) {
            for field in &FIELDS {
                let mut values: Vec<u64> = list.iter().map(|&value| field.form(value.into())).collect();
                values.resize(list.len().next_power_of_two(), 0);
                let before = values.clone();
                field.forward(&mut values);
                field.backward(&mut values);
                let size = field.form(values.len() as u128);
                prop_assert!(values.iter().zip(before).all(|(&after, before)| after == field.times(before, size)));
            }
        }
    }
}
