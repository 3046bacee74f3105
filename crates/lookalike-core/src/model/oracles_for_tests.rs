//! Oracles at the least noise of their kind, for tests of what proves and draws them; those of users are designed elsewhere.

use super::{Categories, Encoding, Epsilon, Oracle, TOTAL};
use crate::exact::{Direction, Natural, Rational, exceeds, to_f64};
use std::fmt;

/// A frequency oracle of the literature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    KRr,
    Subset,
    Olh,
    Hadamard,
    Oue,
    Sue,
}

impl Protocol {
    pub(crate) const ALL: [Protocol; 6] =
        [Protocol::KRr, Protocol::Subset, Protocol::Olh, Protocol::Hadamard, Protocol::Oue, Protocol::Sue];
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The oracle over `size` categories that one unit of 2^-53 less noise would make false.
pub(crate) fn oracle(protocol: Protocol, size: u32, epsilon: &Epsilon) -> Oracle {
    let power = to_f64(&epsilon.enclose(60).upper().to_rational(), Direction::Nearest).exp();
    let subset = |members: u32| Encoding::Subset {
        size: members,
        include: most(|weight| [(weight, size - members), (TOTAL - weight, members)], epsilon),
    };
    let encoding = match protocol {
        Protocol::KRr => subset(1),
        Protocol::Subset => subset(((f64::from(size) / (power + 1.0)).round() as u32).clamp(1, size - 1)),
        Protocol::Olh => {
            let buckets = [2, 3, 5, 7, 11, 13].into_iter().rfind(|&prime| f64::from(prime) <= power + 2.0).unwrap_or(2);
            Encoding::Hash { buckets, keep: most(|weight| [(weight, buckets - 1), (TOTAL - weight, 1)], epsilon) }
        }
        Protocol::Hadamard => Encoding::Hadamard { plus: most(|weight| [(weight, 1), (TOTAL - weight, 1)], epsilon) },
        Protocol::Oue => {
            let one = most(|weight| [(weight, 1), (TOTAL - weight, 1)], epsilon);
            Encoding::Unary { one: TOTAL / 2, other: TOTAL - one }
        }
        Protocol::Sue => {
            let half = epsilon.scale(&Rational::new(1.into(), 2.into())).unwrap();
            let one = most(|weight| [(weight, 1), (TOTAL - weight, 1)], &half);
            Encoding::Unary { one, other: TOTAL - one }
        }
    };
    let categories = Categories::new((0..size).map(|x| format!("c{x}"))).unwrap();
    Oracle::new(categories, epsilon.clone(), encoding).unwrap()
}

/// The largest weight at which the first product is at most e^ε times the second.
fn most(products: impl Fn(u64) -> [(u64, u32); 2], epsilon: &Epsilon) -> u64 {
    let private = |weight: &u64| {
        let [more, less] =
            products(*weight).map(|(weight, times)| Natural::from(weight).times(&u64::from(times).into()));
        !exceeds(&more, epsilon, &less)
    };
    // Bit by bit from above: what is private stays so with less weight.
    (0..53).rev().fold(0, |weight, bit| Some(weight | 1 << bit).filter(private).unwrap_or(weight))
}
