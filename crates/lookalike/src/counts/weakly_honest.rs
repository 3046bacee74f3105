//! WM, the weakly honest mechanism, in closed form.
//!
//! Where GM is weakly honest it is WM. Elsewhere let c = 1/(n+1) and j₀ = ⌊n/2⌋. Privacy bounds the middle row from below:
//! `P[i|j₀] ≥ α^|i−j₀|·P[i|i]`, and the row sums to 1. (For odd n there are two middle rows; take the mean.) Of the
//! diagonal the two ends weigh the least there, so `Σ P[i|i]` is largest if all others are c and the ends take the
//! rest. That bound is reached:
//!
//! - middle row: `P[i|j₀] = α^(j₀−i)·D_i` for i ≤ j₀ with D_i = c but for the ends, whose D makes the row sum to 1;
//! - from row j+1 to row j < j₀: outputs i ≤ j grow by the factor 1/α, as towards their diagonal they must, and all
//!   others shrink by one factor t that makes the row sum to 1;
//! - the other half is the mirror image.
//!
//! With A the mass that row j+1 gives to the outputs up to j, `t = (1 − A/α)/(1 − A) ≤ 1`, and t ≥ α if and only if
//! A ≤ α/(1+α). In the middle A is (1−c)/2 for even n and α/(1+α) for odd n; c ≥ (1−α)/(1+α), since GM is not weakly
//! honest, makes the first one small enough. Then A' = A/α − c ≤ 1/(1+α) − (1−α)/(1+α) = α/(1+α) in the next row.
//! All factors being within [α, 1] or exactly 1/α towards the diagonal, the mechanism is private and has RM.

use super::fixed::Fixed;
use super::rounding::{Target, rounded};
use super::{Alpha, Properties, Property, domain, geometric};
use crate::Result;
use crate::model::Mechanism;

/// WM: the mechanism with the least L_0 among those that release the truth at least as often as a guess would.
///
/// There are several; this one also has S and RM, and away from the middle each row leaves the outputs on its inner side
/// in proportion. Where n ≥ 2α/(1−α) it is GM.
///
/// # Guarantee
/// ε = −ln α, and S, RM, RH, WH. Column monotonicity costs more: ask [`super::optimal`] for it.
///
/// # Errors
/// A bad n, or an α so near to 1 that 2^53 has no room for it.
///
/// # Example
/// ```
/// use lookalike::counts::{Property, properties, weakly_honest};
/// let found = properties(&weakly_honest(4, &"0.9".parse()?)?)?;
/// assert!(found.contains(Property::WeakHonesty) && found.contains(Property::RowMonotonicity));
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Cormode, Kulkarni and Srivastava (2018), who find it by linear program. The closed form is derived in this file.
pub fn weakly_honest(n: usize, alpha: &Alpha) -> Result<Mechanism> {
    domain::check_size(n)?;
    if geometric::is_weakly_honest(n, alpha)? {
        return geometric::geometric(n, alpha);
    }
    let keeps = Properties::of(&[Property::Symmetry, Property::RowMonotonicity, Property::WeakHonesty]);
    rounded(&target(n, alpha), alpha, keeps.closure())
}

/// WM in probabilities, where GM is not weakly honest.
fn target(n: usize, alpha: &Alpha) -> Target {
    let powers = Fixed::powers(alpha, n);
    let (one, alpha) = (&powers[0], &powers[1]);
    let mut row = middle_row(n, &powers);
    let mut rows = vec![Vec::new(); n + 1];
    for j in (0..=n / 2).rev() {
        rows[j] = row.iter().map(Fixed::probability).collect();
        rows[n - j] = rows[j].iter().rev().copied().collect();
        if let Some(next) = j.checked_sub(1) {
            let mass = row[..=next].iter().fold(Fixed::zero(), |sum, entry| sum.plus(entry));
            let shrink = one.minus(&mass.over(alpha)).over(&one.minus(&mass));
            for (i, entry) in row.iter_mut().enumerate() {
                *entry = if i <= next { entry.over(alpha) } else { entry.times(&shrink) };
            }
        }
    }
    Target { n, rows }
}

/// The row of the count ⌊n/2⌋.
fn middle_row(n: usize, powers: &[Fixed]) -> Vec<Fixed> {
    let (one, alpha, middle) = (&powers[0], &powers[1], n / 2);
    let guess = Fixed::ratio(1, n + 1);
    let mut row: Vec<Fixed> = (0..=middle).map(|i| guess.times(&powers[middle - i])).collect();
    let inner = row[1..].iter().fold(Fixed::zero(), |sum, entry| sum.plus(entry));
    // What the outputs up to the middle have in all: of an odd number of counts the middle one is in both halves.
    let half =
        if n.is_multiple_of(2) { one.plus(&guess).times(&Fixed::ratio(1, 2)) } else { one.over(&one.plus(alpha)) };
    row[0] = half.minus(&inner);
    for i in middle + 1..=n {
        let mirrored = row[n - i].clone();
        row.push(if n.is_multiple_of(2) { mirrored } else { mirrored.times(alpha) });
    }
    row
}
