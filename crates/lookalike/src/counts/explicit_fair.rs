//! EM, the explicit fair mechanism.

use super::fixed::Fixed;
use super::rounding::{Target, rounded};
use super::{Alpha, Properties, domain};
use crate::Result;
use crate::model::Mechanism;

/// EM: the best fair mechanism for L_0, in closed form. `P[i|j] = y·α^k`, where k is d = |i−j| below
/// m = min(j, n−j) and ⌈(d+m)/2⌉ from there on; each row is a permutation of the same numbers, so that one y serves all.
///
/// # Guarantee
/// ε = −ln α and all seven properties. L_0 = (1−y)(n+1)/n, the least of any fair mechanism: the middle row has the
/// smallest numbers that privacy allows beside its y, so y cannot be larger.
///
/// # Errors
/// A bad n, or an α so near to 1 that 2^53 has no room for it.
///
/// # Example
/// ```
/// use lookalike::counts::{Properties, explicit_fair, properties};
/// let mechanism = explicit_fair(7, &"0.9".parse()?)?;
/// assert_eq!(properties(&mechanism)?, Properties::ALL);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Cormode, Kulkarni and Srivastava, Constrained Private Mechanisms for Count Data (2018), section V.
pub fn explicit_fair(n: usize, alpha: &Alpha) -> Result<Mechanism> {
    domain::check_size(n)?;
    rounded(&target(n, alpha), alpha, Properties::ALL)
}

/// EM in probabilities.
fn target(n: usize, alpha: &Alpha) -> Target {
    let powers = Fixed::powers(alpha, n.div_ceil(2));
    let sum = (0..=n).fold(Fixed::zero(), |sum, i| sum.plus(&powers[exponent(n, 0, i)]));
    let y = powers[0].over(&sum);
    let probabilities: Vec<u128> = powers.iter().map(|power| y.times(power).probability()).collect();
    Target::of(n, |j, i| probabilities[exponent(n, j, i)])
}

/// The exponent of α for input j and output i, d = |i−j| apart: d below m = min(j, n−j), then it grows half as fast.
pub(super) fn exponent(n: usize, j: usize, i: usize) -> usize {
    let (d, m) = (i.abs_diff(j), j.min(n - j));
    if d < m { d } else { (d + m).div_ceil(2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponents_for_seven_are_those_of_the_slide() {
        // Rows are outputs there.
        let slide = [
            [0, 1, 2, 3, 4, 4, 4, 4],
            [1, 0, 1, 2, 3, 3, 3, 3],
            [1, 1, 0, 1, 2, 3, 3, 3],
            [2, 2, 1, 0, 1, 2, 2, 2],
            [2, 2, 2, 1, 0, 1, 2, 2],
            [3, 3, 3, 2, 1, 0, 1, 1],
            [3, 3, 3, 3, 2, 1, 0, 1],
            [4, 4, 4, 4, 3, 2, 1, 0],
        ];
        for (i, row) in slide.iter().enumerate() {
            for (j, &k) in row.iter().enumerate() {
                assert_eq!(exponent(7, j, i), k, "output {i}, input {j}");
            }
        }
    }

    #[test]
    fn every_row_has_the_same_exponents() {
        for n in 1..30 {
            let sorted = |j: usize| {
                let mut exponents: Vec<usize> = (0..=n).map(|i| exponent(n, j, i)).collect();
                exponents.sort_unstable();
                exponents
            };
            assert!((1..=n).all(|j| sorted(j) == sorted(0)), "n = {n}");
        }
    }
}
