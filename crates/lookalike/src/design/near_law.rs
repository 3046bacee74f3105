//! An exact law within limits near a solver's floats.

use crate::exact::Natural;
use crate::model::Limits;
use num_bigint::BigInt;

/// Bits that the law has beyond those of its limits.
pub(super) const BITS: u32 = 62;

/// A law within the limits, over their denominator times 2^BITS, whose probabilities are about so far above the lower limits.
/// Whatever the floats are, it is a law within them.
pub(super) fn near_law(limits: &Limits, above: &[f64]) -> Vec<BigInt> {
    let grid = |number: &Natural| whole(number) << BITS as usize;
    let (total, mut spare) = (whole(&limits.denominator()), grid(&limits.spare()));
    let mut law: Vec<BigInt> = (0..limits.len()).map(|x| grid(&limits.lower(x))).collect();
    let mut room: Vec<BigInt> = (0..limits.len()).map(|x| grid(&limits.room(x))).collect();
    let mut add = |x: usize, asked: &BigInt, spare: &mut BigInt| {
        let more = asked.min(&room[x]).min(spare).clone();
        law[x] += &more;
        room[x] -= &more;
        *spare -= more;
    };
    for (x, part) in above.iter().enumerate() {
        let asked = &total * (part.clamp(0.0, 1.0) * f64::exp2(f64::from(BITS))) as i128;
        add(x, &asked, &mut spare);
    }
    // What is left goes wherever there is room.
    (0..limits.len()).for_each(|x| add(x, &spare.clone(), &mut spare));
    law
}

/// The number as one with a sign.
pub(super) fn whole(number: &Natural) -> BigInt {
    number.to_big().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Direction, Natural, Rational, to_f64};
    use crate::model::Distribution;
    use proptest::prelude::*;

    fn limits() -> impl Strategy<Value = Limits> {
        prop::collection::vec((1u64..100, 0u64..100, 0u64..100), 4).prop_map(|cells| {
            let sum: u64 = cells.iter().map(|cell| cell.0).sum();
            let part = |n: u64| Rational::new(n.into(), sum.into());
            let ends = |&(p, down, up): &(u64, u64, u64)| [part(p.saturating_sub(down)), part((p + up).min(sum))];
            Limits::new(&cells.iter().map(ends).collect::<Vec<_>>()).unwrap()
        })
    }

    fn law(limits: &Limits, above: &[f64]) -> Distribution {
        let masses: Vec<Natural> = near_law(limits, above).iter().map(|mass| mass.magnitude().clone().into()).collect();
        assert!(
            masses.iter().fold(Natural::ZERO, |sum, mass| sum.plus(mass)).to_big()
                == limits.denominator().to_big() << BITS
        );
        Distribution::from_weights(masses).unwrap()
    }

    proptest! {
        #[test]
        fn any_floats_give_a_law_within_the_limits(
            limits in limits(), above in prop::collection::vec(prop_oneof![any::<f64>(), 0.0..1.0, Just(f64::NAN)], 4),
        ) {
            prop_assert!(limits.contains(&law(&limits, &above)));
        }

        #[test]
        fn floats_of_a_law_give_that_law(limits in limits(), weights in prop::collection::vec(any::<u128>(), 4)) {
            let wanted = &limits.extreme_laws(|x| weights[x])[0];
            let above = |x: usize| to_f64(&(wanted.probability(x) - &limits.ends(x)[0]), Direction::Nearest);
            let found = law(&limits, &(0..4).map(above).collect::<Vec<_>>());
            let apart = |x: usize| to_f64(&(found.probability(x) - wanted.probability(x)), Direction::Nearest).abs();
            prop_assert!((0..4).all(|x| apart(x) < 1e-15));
        }
    }
}
