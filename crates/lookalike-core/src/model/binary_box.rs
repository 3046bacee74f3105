//! All chains on two states whose transition probabilities lie between limits.

use super::{Chain, Distribution, Initial};
use crate::error::{Error, Result};
use crate::exact::Rational;
use num_traits::{One, Signed};

/// The binary chains with Pr(0 → 1) and Pr(1 → 0) between given ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinaryBox {
    initial: Initial,
    up: [Rational; 2],
    down: [Rational; 2],
}

impl BinaryBox {
    /// The chains with this initial law, `up` between the ends of Pr(0 → 1) and `down` of Pr(1 → 0).
    ///
    /// # Errors
    /// Ends outside 0 to 1 or in the wrong order, or an initial law: what is arbitrary covers it.
    pub fn new(initial: Initial, up: [Rational; 2], down: [Rational; 2]) -> Result<Self> {
        for (ends, name) in [(&up, "0 to 1"), (&down, "1 to 0")] {
            if ends[0].is_negative() || ends[1] > Rational::one() || ends[0] > ends[1] {
                return Err(Error::input(format!(
                    "the probability of a step from {name} lies between {} and {}, expected two numbers from 0 to 1 in \
                     ascending order",
                    ends[0], ends[1]
                )));
            }
        }
        match &initial {
            Initial::Given(_) => Err(Error::inapplicable(
                "a box of chains with one initial law for all, expected an arbitrary or a stationary start",
            )),
            _ => Ok(BinaryBox { initial, up, down }),
        }
    }

    /// Pr(0 → 1) below and above.
    pub fn up(&self) -> &[Rational; 2] {
        &self.up
    }

    /// Pr(1 → 0) below and above.
    pub fn down(&self) -> &[Rational; 2] {
        &self.down
    }

    /// What is known of the first state.
    pub fn initial(&self) -> &Initial {
        &self.initial
    }

    /// The four extreme chains of the box, with its initial law.
    ///
    /// For contraction and for the bound of Ghosh and Kleinberg (2016) they stand for the whole box,
    /// since (1−p)(1−q)/(pq) falls with p and with q. For other bounds they do not.
    pub fn corners(&self) -> Vec<Chain> {
        let law = |stay: Rational, leave: Rational, first: bool| {
            let law = if first { [stay, leave] } else { [leave, stay] };
            Distribution::new(&law).expect("the ends of a box are probabilities")
        };
        let corner = |up: &Rational, down: &Rational| {
            let rows =
                vec![law(Rational::one() - up, up.clone(), true), law(Rational::one() - down, down.clone(), false)];
            Chain::new(self.initial().clone(), rows).expect("two rows of two states")
        };
        self.up().iter().flat_map(|up| self.down().iter().map(move |down| corner(up, down))).collect()
    }
}
