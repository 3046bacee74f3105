//! Exact sums of ε.

use super::epsilon_sum_terms::Terms;
use super::{Direction, Epsilon, Interval, to_f64};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// A sum of ε of any forms, perhaps 0: what releases add up to, and what a budget allows.
///
/// Sums are compared exactly, and the comparison always ends. Two sums are equal exactly when their coefficients are,
/// once logarithms are written in those of pairwise coprime whole numbers: 1 and these logarithms are linearly
/// independent over the algebraic numbers (Baker), and roots of square-free numbers are over the rationals. Sums that
/// differ are told apart by enclosures.
///
/// As text, terms are joined by plus signs; each is an [`Epsilon`] of any size, and `0` is nothing.
///
/// # Example
/// ```
/// use lookalike_core::exact::EpsilonSum;
/// let sum = |text: &str| text.parse::<EpsilonSum>();
/// assert_eq!(sum("ln(2) + ln(3)")?, sum("ln(6)")?);
/// assert_eq!(sum("sqrt(2) + sqrt(8)")?.to_string(), "3*sqrt(2)");
/// assert!(sum("1/2 + ln(3)")? > sum("1.598")? && sum("1/2 + ln(3)")? < sum("1.599")?);
/// let mut spent = EpsilonSum::zero();
/// spent.add(&"0.1".parse()?, 10);
/// assert!(spent <= sum("1")?, "ten tenths are one");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Reference
/// Baker, Linear forms in the logarithms of algebraic numbers (1966).
#[derive(Debug, Clone, Default)]
pub struct EpsilonSum(pub(super) Terms);

impl EpsilonSum {
    /// Nothing.
    pub fn zero() -> Self {
        EpsilonSum::default()
    }

    /// Adds an ε so many times.
    pub fn add(&mut self, epsilon: &Epsilon, times: u64) {
        let form = &epsilon.0;
        self.0.add((form.radicand, form.base.clone()), &form.coefficient * BigInt::from(times));
    }

    /// Adds another sum.
    pub fn add_sum(&mut self, other: &EpsilonSum) {
        self.0.add_terms(&other.0);
    }

    /// Whether nothing was added.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// What this sum leaves of a budget, `budget − self`, as a double rounded as said; 0 where it leaves nothing.
    ///
    /// For people to read. Whether a budget allows something is decided by comparing sums.
    pub fn left_of(&self, budget: &EpsilonSum, direction: Direction) -> f64 {
        let left = budget.0.minus(&self.0);
        rounded(if left.sign() == Ordering::Greater { left } else { Terms::default() }, direction)
    }

    /// An interval of width at most 2^−bits that contains the sum.
    pub fn enclose(&self, bits: u64) -> Interval {
        self.0.enclose(bits)
    }

    /// The double next to the sum in the direction, for tables and JSON.
    pub fn to_f64(&self, direction: Direction) -> f64 {
        rounded(self.0.clone(), direction)
    }
}

/// The double next to a value in a direction.
fn rounded(terms: Terms, direction: Direction) -> f64 {
    let terms = terms.independent();
    if let Some(rational) = terms.as_rational() {
        return to_f64(&rational, direction);
    }
    // The value is irrational: neither a double nor halfway between two, so that close bounds round alike.
    let mut bits = 128;
    loop {
        let value = terms.enclose(bits);
        let [low, high] = [value.lower(), value.upper()].map(|end| to_f64(&end.to_rational(), direction));
        if low.to_bits() == high.to_bits() {
            return low;
        }
        bits *= 2;
    }
}

impl From<Epsilon> for EpsilonSum {
    fn from(epsilon: Epsilon) -> Self {
        let mut sum = EpsilonSum::zero();
        sum.add(&epsilon, 1);
        sum
    }
}

impl Ord for EpsilonSum {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.minus(&other.0).sign()
    }
}

impl PartialOrd for EpsilonSum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for EpsilonSum {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for EpsilonSum {}

#[cfg(test)]
#[path = "epsilon_sum_tests.rs"]
mod tests;
