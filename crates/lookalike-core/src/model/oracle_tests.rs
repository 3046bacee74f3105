//! Tests of oracles: their laws are written out and give the stated probabilities of support.

use super::*;
use num_traits::Zero;
use proptest::prelude::*;

fn oracle(size: u32, encoding: Encoding) -> Result<Oracle> {
    let categories = Categories::new((0..size).map(|x| format!("c{x}")))?;
    Oracle::new(categories, "ln(3)".parse()?, encoding)
}

fn encoding() -> impl Strategy<Value = (u32, Encoding)> {
    let weight = || prop_oneof![Just(TOTAL), Just(TOTAL / 2), 0..=TOTAL];
    let unary = (2u32..7, weight(), weight()).prop_map(|(d, one, other)| (d, Encoding::Unary { one, other }));
    let hash = (2u32..12, prop::sample::select(vec![2u32, 3, 5]), weight())
        .prop_map(|(d, buckets, keep)| (d, Encoding::Hash { buckets, keep }));
    let hadamard = (2u32..20, weight()).prop_map(|(d, plus)| (d, Encoding::Hadamard { plus }));
    let subset = (2u32..8).prop_flat_map(move |d| {
        (1..d, weight()).prop_map(move |(size, include)| (d, Encoding::Subset { size, include }))
    });
    prop_oneof![unary, hash, hadamard, subset]
}

proptest! {
    // The whole law for every pair of categories: it sums to one, and supports are as stated, exactly.
    #[test]
    fn the_law_written_out_has_the_stated_support((size, encoding) in encoding()) {
        let Ok(oracle) = oracle(size, encoding) else {
            // What is refused says nothing: the other categories are supported as often.
            return Ok(());
        };
        let (all, [own, other]) = (oracle.all_reports(2_000).unwrap(), oracle.support());
        prop_assert_eq!(all.len() as u64, oracle.count_of_reports().unwrap());
        let scale = BigInt::from(oracle.scale().to_big());
        for x in 0..size {
            let mut supports = vec![Rational::zero(); size as usize];
            let mut sum = Rational::zero();
            for report in all.iter() {
                let probability = Rational::new(oracle.weight(x, report).to_big().into(), scale.clone());
                for y in (0..size).filter(|y| oracle.supports(report, *y)) {
                    supports[y as usize] += &probability;
                }
                sum += probability;
            }
            prop_assert_eq!(sum, Rational::from_integer(1.into()));
            for (y, support) in (0..).zip(supports) {
                prop_assert_eq!(&support, if x == y { &own } else { &other });
            }
        }
        let (masses, whole) = oracle.apart();
        for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))).filter(|(x, y)| x != y) {
            let apart = all.iter().filter(|report| oracle.supports(*report, x) && !oracle.supports(*report, y));
            let sums = apart.fold([Rational::zero(), Rational::zero()], |[own, other], report| {
                let [more, less] = [x, y].map(|truth| BigInt::from(oracle.weight(truth, report).to_big()));
                [own + Rational::new(more, scale.clone()), other + Rational::new(less, scale.clone())]
            });
            let stated = masses.each_ref().map(|mass| Rational::new(mass.to_big().into(), whole.to_big().into()));
            prop_assert_eq!(sums, stated);
        }
    }

    #[test]
    fn encodings_are_read_from_their_numbers((_, encoding) in encoding()) {
        let numbers = encoding.numbers();
        let read = |key: &'static str| -> Result<u64> { Ok(numbers.iter().find(|(name, _)| *name == key).unwrap().1) };
        prop_assert!(Encoding::NAMES.contains(&encoding.name()));
        prop_assert_eq!(Encoding::of_numbers(encoding.name(), read).unwrap(), Some(encoding));
        prop_assert_eq!(Encoding::of_numbers("unknown", read).unwrap(), None);
    }
}

#[test]
fn numbers_that_are_too_large_are_named() {
    let read = |_: &'static str| -> Result<u64> { Ok(1 << 32) };
    let error = Encoding::of_numbers("hash", read).unwrap_err().to_string();
    assert_eq!(error, "buckets: 4294967296, expected a number below 2^32");
}

#[test]
fn encodings_that_cannot_be_are_refused() {
    let refused = |size, encoding| oracle(size, encoding).unwrap_err().to_string();
    let hadamard = Encoding::Hadamard { plus: TOTAL };
    assert_eq!(refused(1, hadamard), "1 category, expected at least 2: there is nothing to hide");
    assert_eq!(
        refused(2, Encoding::Hadamard { plus: TOTAL + 1 }),
        "a weight of 9007199254740993, expected at most 2^53 = 9007199254740992"
    );
    assert_eq!(
        refused(2, Encoding::Hash { buckets: 6, keep: TOTAL }),
        "6 buckets, expected a prime number of at most 65521"
    );
    for size in [0, 3, 4] {
        let message = refused(3, Encoding::Subset { size, include: TOTAL });
        assert_eq!(message, format!("sets of {size}, expected from 1 to 2"));
    }
    assert_eq!(
        refused(3, Encoding::Unary { one: TOTAL / 2, other: TOTAL / 2 }),
        "a report supports its own category with probability 1/2 and any other with 1/2, expected less: nothing could \
         be read back"
    );
    // At include/T = k/d a set holds everyone alike.
    assert!(oracle(4, Encoding::Subset { size: 2, include: TOTAL / 2 }).is_err());
    assert!(oracle(4, Encoding::Subset { size: 2, include: TOTAL / 2 + 1 }).is_ok());
}

#[test]
fn rows_of_the_matrix_are_orthogonal_to_each_other_and_to_nobody() {
    for size in [2u32, 3, 4, 7, 8, 30] {
        let columns = oracle(size, Encoding::Hadamard { plus: TOTAL }).unwrap().columns() as u32;
        assert!(columns > size && columns <= 2 * size);
        let sign = |x: u32, y: u32| if is_plus(x, y) { 1i32 } else { -1 };
        for one in 0..size {
            assert_eq!((0..columns).map(|y| sign(one, y)).sum::<i32>(), 0, "as many +1 as −1");
            for other in 0..one {
                assert_eq!((0..columns).map(|y| sign(one, y) * sign(other, y)).sum::<i32>(), 0);
            }
        }
    }
}
