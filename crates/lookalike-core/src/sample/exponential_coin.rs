//! Coins that fall with probability q·e^(−δ·|z|), decided by doubles where they can and by enclosures where they cannot.

use crate::exact::{Direction, Epsilon, Interval, Rational, to_f64};
use num_bigint::BigInt;

/// The coin with the chance `q·e^(−δ·|z|)` for points z of the plane with whole coordinates and rational q ([`Odds`]).
///
/// # Guarantee
/// For uniform bits the chance is exact. A uniform real U in [0, 1), of which the first [`COIN_BITS`] bits are given, is
/// compared with the chance: first in doubles with a proved bound on their error, and, where these cannot tell (for one
/// toss in sixteen million or so), with enclosures and as many further bits as it takes. Two different numbers
/// are told apart at last, and U is equal to the chance with probability zero.
///
/// # The error of the doubles
/// They are added, multiplied and rooted only, which IEEE 754 rounds correctly: a relative error of at most u = 2^−53
/// each. [`ExponentialCoin::near`] computes x = δ·|z| with a relative error below 8u: two of δ, four of a sum of squares of
/// rounded numbers, which its root halves, one of the root, one of the product, and products of these. x below 32
/// makes that less than 2^−45 in x, and as much, relatively, in e^−x. With i = ⌊16x⌋ and
/// f = x − i/16 < 1/16, which a double holds exactly, e^−x is e^(−i/16) from a table (u) times the series of e^−f to the
/// seventh power. What is left out is less than f^8/8! < 2^−47. Horner's step 1 − (f·q)·(1/j) has an error of at most u/2
/// for the sum, 3u/16 and a little for the product, and a sixteenth of the error of q: less than u altogether. The
/// product with the table adds u. All this is less than 2^−44 of e^−x; [`MARGIN`] is 2^−40, which leaves room for the
/// few products more of a comparison.
///
/// # Reference
/// Von Neumann's lazy comparison; Devroye, Non-Uniform Random Variate Generation (1986), XV.1 for laws with enclosures.
#[derive(Debug, Clone)]
pub(super) struct ExponentialCoin {
    decay: Epsilon,
    /// δ as a double.
    nearest: f64,
    /// e^(−i/16) for x below [`BEYOND`].
    powers: Box<[f64]>,
}

/// The rational factor of a chance: `numerator·2^shift / denominator`. The chance it leads to is at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Odds {
    pub(super) numerator: u128,
    pub(super) shift: u64,
    pub(super) denominator: u64,
}

/// How many bits of U are given.
pub(super) const COIN_BITS: u32 = 24;
/// More than the relative error of a comparison in doubles: 2^−40.
const MARGIN: f64 = 1.0 / (1u64 << 40) as f64;
/// Doubles do not look at e^−x from here on.
const BEYOND: f64 = 32.0;
/// Entries of the table for an x of 1.
const PER_UNIT: f64 = 16.0;
/// Working precision of the table.
const BITS: u64 = 128;

impl ExponentialCoin {
    pub(super) fn new(decay: &Epsilon) -> Self {
        let entries = (BEYOND * PER_UNIT) as usize;
        let ratio = (-&Interval::of(&Rational::new(1.into(), (PER_UNIT as u32).into()), BITS)).exp(BITS);
        let next = |power: &Interval| Some((power * &ratio).outward(BITS));
        let powers = std::iter::successors(Some(Interval::integer(1)), next).take(entries);
        let powers = powers.map(|power| to_f64(&power.lower().to_rational(), Direction::Nearest)).collect();
        ExponentialCoin { decay: decay.clone(), nearest: decay.to_f64(), powers }
    }

    /// e^(−δ·|z|) within a factor of 1 ± 2^−44, for coordinates rounded to doubles; `None` when it is below e^−31 and out
    /// of the range of the table.
    #[inline(always)]
    fn near(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let exponent = self.nearest * (x * x + y * y).sqrt();
        if exponent >= BEYOND {
            return None;
        }
        let place = (exponent * PER_UNIT) as usize;
        let f = exponent - place as f64 * (1.0 / PER_UNIT);
        let series = 1.0 - f * (1.0 / 7.0);
        let series = 1.0 - f * series * (1.0 / 6.0);
        let series = 1.0 - f * series * (1.0 / 5.0);
        let series = 1.0 - f * series * (1.0 / 4.0);
        let series = 1.0 - f * series * (1.0 / 3.0);
        let series = 1.0 - f * series * (1.0 / 2.0);
        Some(self.powers[place] * (1.0 - f * series))
    }

    /// At most 2^−38 more, relatively, than e^(−δ·|z|), and not less; far out, not more than e^−31.
    pub(super) fn at_most(&self, point: [f64; 2]) -> f64 {
        // Beyond the table x is at least 32·(1 − 2^−50), and the last entry is of 31 + 15/16.
        self.near(point).unwrap_or(self.powers[self.powers.len() - 1]) * (1.0 + 2.0 * MARGIN)
    }

    /// At most 2^−38 less, relatively, than e^(−δ·|z|), and not more; far out, 0.
    pub(super) fn at_least(&self, point: [f64; 2]) -> f64 {
        self.near(point).unwrap_or(0.0) * (1.0 - 2.0 * MARGIN)
    }

    /// How the coin with the chance `numerator/denominator·e^(−δ·|z|)` falls, if the first bits of U and doubles can tell.
    /// All numbers may have been rounded to the nearest double.
    #[inline(always)]
    pub(super) fn look(&self, point: [f64; 2], [numerator, denominator]: [f64; 2], bits: u32) -> Option<bool> {
        const UNIT: f64 = 1.0 / (1u64 << COIN_BITS) as f64;
        let chance = numerator * self.near(point)?;
        let [lower, upper] = [f64::from(bits), f64::from(bits) + 1.0].map(|bits| bits * UNIT * denominator);
        if upper <= chance * (1.0 - MARGIN) {
            return Some(true);
        }
        (lower >= chance * (1.0 + MARGIN)).then_some(false)
    }

    /// How the coin falls, with further bits of U where the first ones do not tell.
    pub(super) fn decide(&self, point: [i128; 2], odds: &Odds, bits: u32, next: &mut dyn FnMut() -> u64) -> bool {
        // Where shifts are long e^−x is beyond the table.
        if let Some(power) = 1u64.checked_shl(odds.shift.try_into().unwrap_or(u32::MAX)) {
            let ratio = [odds.numerator as f64 * power as f64, odds.denominator as f64];
            if let Some(fallen) = self.look(point.map(|coordinate| coordinate as f64), ratio, bits) {
                return fallen;
            }
        }
        self.compare(point, odds, bits, next)
    }

    /// The same without doubles.
    fn compare(&self, point: [i128; 2], odds: &Odds, bits: u32, next: &mut dyn FnMut() -> u64) -> bool {
        let (mut drawn, mut length) = (BigInt::from(bits), u64::from(COIN_BITS));
        loop {
            // U is between drawn/2^length, which it may be equal to, and (drawn + 1)/2^length.
            let chance = self.chance(point, odds, length + 32);
            if drawn < chance.lower().to_fixed(length, false) {
                return true;
            }
            if drawn >= chance.upper().to_fixed(length, true) {
                return false;
            }
            drawn = (drawn << u64::BITS) + next();
            length += u64::from(u64::BITS);
        }
    }

    /// An enclosure of the chance, of a relative width of about 2^−bits.
    pub(super) fn chance(&self, point: [i128; 2], odds: &Odds, bits: u64) -> Interval {
        let square: BigInt = point.into_iter().map(BigInt::from).map(|coordinate| &coordinate * &coordinate).sum();
        // An error in δ is multiplied by the distance, and one in the distance by δ, which is below 2^17.
        let precision = bits + square.bits() / 2 + 24;
        let distance = Interval::integer(square).sqrt(precision).expect("a sum of squares is not negative");
        let exponent = &self.decay.enclose(precision) * &distance;
        let numerator = Interval::integer(BigInt::from(odds.numerator) << odds.shift);
        let denominator = Interval::integer(odds.denominator);
        (&numerator * &(-&exponent).exp(bits + 4)).divide(&denominator, bits + 4).expect("a denominator is positive")
    }
}

#[cfg(test)]
#[path = "exponential_coin_tests.rs"]
mod tests;
