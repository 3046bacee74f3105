//! The corners of limits, for brute force in tests.

use crate::exact::Rational;
use num_traits::{One, Zero};

/// The corners of a box of laws: all probabilities but one at an end.
pub(crate) fn corners(limits: &[[Rational; 2]]) -> Vec<Vec<Rational>> {
    let mut found = Vec::new();
    for free in 0..limits.len() {
        for ends in 0..1usize << limits.len() {
            let mut law: Vec<Rational> =
                limits.iter().enumerate().map(|(x, ends_of)| ends_of[ends >> x & 1].clone()).collect();
            law[free] = Rational::zero();
            law[free] = Rational::one() - law.iter().sum::<Rational>();
            if limits[free][0] <= law[free] && law[free] <= limits[free][1] {
                found.push(law);
            }
        }
    }
    found
}
