//! How much noise hides every node of a network, and which quilt shows it.

use crate::Result;
use crate::exact::Rational;
use crate::model::{Epsilon, Noise};
use num_traits::Inv;

/// A Markov quilt of one node of a chain: how far away its nodes stand. Without both it is the empty quilt, which
/// hides the whole chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quilt {
    /// `Some(a)`: X_{i−a} stands to the left.
    pub left: Option<u64>,
    /// `Some(b)`: X_{i+b} stands to the right.
    pub right: Option<u64>,
}

impl Quilt {
    /// How many nodes stand on the near side, node `i` of `1..=length` itself included and the quilt excluded:
    /// `a + b − 1`, with a = i where nothing stands to the left and b = length − i + 1 where nothing stands to the
    /// right.
    pub fn card(&self, node: u64, length: u64) -> u64 {
        self.left.unwrap_or(node) + self.right.unwrap_or(length - node + 1) - 1
    }
}

/// The scale σ of a quilt mechanism, and the node and the quilt it comes from.
///
/// # Guarantee
/// For every chain of Θ and every node there is a quilt with `card/σ + e ≤ ε`. So `F + L·σ·Lap(1)`, where one node
/// changes F by at most L in all (in the sum of its coordinates), is ε-Pufferfish private for the states of each node.
/// The same holds for whole-number noise of that scale, since it too changes by at most e^(d/(Lσ)) over a distance d.
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), theorem 4.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibration {
    /// σ, rounded up.
    pub scale: Rational,
    /// The place in Θ of the chain that needs the most noise.
    pub chain: usize,
    /// Its node that needs the most noise; the first is 1.
    pub node: u64,
    /// The best quilt of that node.
    pub quilt: Quilt,
    /// How many nodes stand on the near side of the quilt.
    pub card: u64,
    /// The max-influence of the node on its quilt, rounded up.
    pub influence: Rational,
    /// How many quilts were looked at.
    pub searched: u64,
}

impl Calibration {
    /// Whole-number noise for each number of a query that one node changes by at most `lipschitz` in all, on a grid of
    /// 2^exponent.
    ///
    /// A query of several numbers must have all of them on the grid already, as counts are on whole numbers: rounded
    /// one by one they could change by a step each where together they change by less. One number may be rounded: over
    /// a distance of card·L it moves by at most card·⌈L/g⌉ steps.
    ///
    /// The claim of the noise is about one node alone, 1/σ; what the calibration adds is that ε holds for correlated
    /// nodes too.
    ///
    /// # Errors
    /// As [`Noise::for_epsilon`].
    pub fn noise(&self, lipschitz: &Rational, exponent: i32) -> Result<Noise> {
        Noise::for_epsilon(Epsilon::rational(self.scale.clone().inv())?, lipschitz.clone(), exponent)
    }

    /// Whole-number noise for each count of a histogram of the states: one node moves from one count to another.
    ///
    /// # Errors
    /// As [`Noise::for_epsilon`].
    pub fn histogram_noise(&self) -> Result<Noise> {
        self.noise(&Rational::from_integer(2.into()), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    #[test]
    fn the_near_side_of_all_four_shapes() {
        let card = |left, right| Quilt { left, right }.card(8, 100);
        assert_eq!(card(Some(5), Some(5)), 9, "X_4 to X_12");
        assert_eq!(card(Some(5), None), 97, "X_4 to X_100");
        assert_eq!(card(None, Some(5)), 12, "X_1 to X_12");
        assert_eq!(card(None, None), 100);
    }

    #[test]
    fn the_noise_decays_by_one_over_the_scale_a_unit_of_the_query() {
        let quilt = Quilt { left: None, right: None };
        let number = |text| parse_rational(text).unwrap();
        let (scale, influence) = (number("15"), number("0"));
        let calibration = Calibration { scale, chain: 0, node: 1, quilt, card: 15, influence, searched: 1 };
        let noise = calibration.histogram_noise().unwrap();
        assert_eq!(noise.decay().to_string(), "1/30");
        // A number that changes by 3 moves by at most one step of 8 a node, and by one step for any part of it.
        assert_eq!(calibration.noise(&number("3"), 3).unwrap().decay().to_string(), "1/15");
        assert!(crate::certify::certify(noise).is_ok());
    }
}
