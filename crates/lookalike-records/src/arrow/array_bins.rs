//! Bins of numbers that come as numbers: the exact edges, turned once into thresholds of the column's own type.

use lookalike::exact::{Rational, parse_rational};
use num_bigint::BigInt;
use num_traits::{Pow, ToPrimitive};

/// The bin of a number by thresholds that increase: threshold i is the least number of the type in bin i or above.
///
/// Edges that no number of the type reaches have no threshold, so no comparison is ever rounded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thresholds<T>(Vec<T>);

impl<T: PartialOrd> Thresholds<T> {
    /// The bin; `None` below the first edge.
    #[inline]
    pub fn bin(&self, number: T) -> Option<u32> {
        let above = self.0.partition_point(|threshold| *threshold <= number);
        above.checked_sub(1).map(|place| place as u32)
    }
}

impl Thresholds<i128> {
    /// For whole numbers n that stand for n / 10^scale.
    pub fn scaled(edges: &[Rational], scale: i8) -> Self {
        let power = Rational::from_integer(BigInt::from(10).pow(scale.unsigned_abs()));
        let least = |edge: &Rational| {
            let scaled = if scale < 0 { edge / &power } else { edge * &power };
            let least = scaled.ceil().to_integer();
            let below = least < BigInt::from(i128::MIN);
            if below { Some(i128::MIN) } else { least.to_i128() }
        };
        Thresholds(edges.iter().map_while(least).collect())
    }
}

/// A binary floating-point type, by the order of its finite numbers.
pub(crate) trait Float: Copy + PartialOrd + std::fmt::Display {
    /// How many finite numbers there are, counting both zeros.
    const COUNT: u64;

    /// The finite number at a place in increasing order.
    fn nth(place: u64) -> Self;
}

impl Float for f64 {
    const COUNT: u64 = 2 * 0x7ff0_0000_0000_0000;

    fn nth(place: u64) -> Self {
        let half = Self::COUNT / 2;
        if place < half { -f64::from_bits(half - 1 - place) } else { f64::from_bits(place - half) }
    }
}

impl Float for f32 {
    const COUNT: u64 = 2 * 0x7f80_0000;

    fn nth(place: u64) -> Self {
        let bits = |place: u64| f32::from_bits(u32::try_from(place).expect("below 2^32"));
        let half = Self::COUNT / 2;
        if place < half { -bits(half - 1 - place) } else { bits(place - half) }
    }
}

impl<T: Float> Thresholds<T> {
    /// For floats, each of which stands for its own shortest decimal form: 0.1 is 1/10.
    ///
    /// That form lies among the numbers that round to the float, and so grows with it: a bisection over all floats
    /// finds each threshold.
    pub fn shortest_decimals(edges: &[Rational]) -> Self {
        let reaches = |place: u64, edge: &Rational| {
            parse_rational(&T::nth(place).to_string()).is_ok_and(|decimal| decimal >= *edge)
        };
        let least = |edge: &Rational| {
            let (mut low, mut high) = (0, T::COUNT);
            while low < high {
                let middle = low + (high - low) / 2;
                if reaches(middle, edge) { high = middle } else { low = middle + 1 }
            }
            (low < T::COUNT).then(|| T::nth(low))
        };
        Thresholds(edges.iter().map_while(least).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::model::Categories;
    use proptest::prelude::*;

    fn edges(texts: &[&str]) -> Vec<Rational> {
        texts.iter().map(|text| parse_rational(text).unwrap()).collect()
    }

    #[test]
    fn floats_are_taken_by_their_shortest_decimal_form() {
        let thresholds = Thresholds::<f64>::shortest_decimals(&edges(&["-1/3", "0", "0.1", "0.3"]));
        // The double 0.1 is above 1/10 and the double 0.3 below 3/10, but both are written as such.
        assert_eq!([0.1, 0.3, 0.1f64.next_down(), 0.3f64.next_down()].map(|x| thresholds.bin(x)), {
            [Some(2), Some(3), Some(1), Some(2)]
        });
        assert_eq!([-0.0, 0.0, -1.0 / 3.0, -0.3333333333333334].map(|x| thresholds.bin(x)), {
            [Some(1), Some(1), Some(0), None]
        });
        let singles = Thresholds::<f32>::shortest_decimals(&edges(&["0.1", "16777217"]));
        assert_eq!([0.1f32, 0.1f32.next_down(), 16777216.0, 16777218.0].map(|x| singles.bin(x)), {
            [Some(0), None, Some(0), Some(1)]
        });
    }

    #[test]
    fn edges_out_of_reach_are_never_reached() {
        let far = edges(&["-1e500", "0", "1e500"]);
        assert_eq!([f64::MIN, f64::MAX].map(|x| Thresholds::shortest_decimals(&far).bin(x)), [Some(0), Some(1)]);
        assert_eq!([i128::MIN, i128::MAX].map(|x| Thresholds::scaled(&far, 0).bin(x)), [Some(0), Some(1)]);
    }

    proptest! {
        #[test]
        fn thresholds_decide_as_the_exact_edges_do(
            numerators in prop::collection::btree_set(-1_000_000i64..1_000_000, 1..6),
            denominator in 1i64..2000, number in -1000i32..1000, scale in -2i8..5,
        ) {
            let edges: Vec<Rational> =
                numerators.iter().map(|&n| Rational::new(n.into(), denominator.into())).collect();
            let categories = Categories::from_bins(edges.clone()).unwrap();
            let exact = |text: String| categories.bin_of(&parse_rational(&text).unwrap());
            let (double, single) = (f64::from(number) / 7.0, number as f32 / 7.0);
            prop_assert_eq!(Thresholds::shortest_decimals(&edges).bin(double), exact(double.to_string()));
            prop_assert_eq!(Thresholds::shortest_decimals(&edges).bin(single), exact(single.to_string()));
            let scaled = Thresholds::scaled(&edges, scale).bin(number.into());
            prop_assert_eq!(scaled, exact(format!("{number}e{}", -scale)));
        }
    }
}
