//! How fast a chain forgets: a lower bound of its spectral gap that is proved without floats.

use super::semidefinite::{FRACTION, ONE, is_shown_semidefinite};
use super::{Chain, Initial};
use crate::exact::{Epsilon, Interval, Rational};
use crate::model::Distribution;
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// How fast every chain of a class forgets where it was: π, a lower bound of every stationary probability, and g, a
/// lower bound of the spectral gap.
///
/// # Guarantee
/// For all states and every t, |P^t(x, y)/π(y) − 1| ≤ e^(−gt/2)/π. For the norm of P − 1πᵀ in the space of functions
/// with weights π is the root of the largest eigenvalue of PP* but one, at most √(1 − g); or, for a reversible chain, the
/// largest |λ| but one, at most 1 − g/2. Both are at most e^(−g/2) a step.
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), section 4.4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixing {
    pub(super) least: Rational,
    pub(super) gap: Rational,
    pub(super) stationary: bool,
}

/// Bits of a root of a stationary probability.
const BITS: u64 = 96;

impl Mixing {
    /// The bounds of one chain: its least stationary probability, and the better of the two gaps that apply.
    ///
    /// # Errors
    /// The bound does not apply: the chain has states that it leaves for good or groups that it never leaves, or
    /// eigenvalue 1 of PP* occurs twice, or the gap is too small to be shown. The exact search needs none of this.
    ///
    /// # Complexity
    /// O(d³) products of machine numbers for each of some 50 tests: 51 states take well below a second.
    ///
    /// # Example
    /// ```
    /// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Chain, Initial, Mixing}};
    /// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
    /// let chain = Chain::new(Initial::Stationary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])])?;
    /// let mixing = Mixing::of(&chain)?;
    /// assert_eq!(mixing.least(), &parse_rational("1/5")?);
    /// // The eigenvalues are 1 and 1/2.
    /// assert!(mixing.gap() <= &parse_rational("1")? && mixing.gap() > &parse_rational("0.999999999")?);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn of(chain: &Chain) -> Result<Self> {
        let law = positive_stationary(chain)?;
        let reversible = is_reversible(chain, &law);
        Mixing::by(chain, &law, reversible)
    }

    /// By the formula for reversible chains, or by the general one.
    pub(super) fn by(chain: &Chain, law: &Distribution, reversible: bool) -> Result<Self> {
        if !forgets(chain) {
            return Err(inapplicable(
                "eigenvalue 1 of PP* occurs more than once, so that the spectral gap is 0 (after one step some states \
                 still tell from which part of the states the chain came)",
            ));
        }
        let gap = if reversible { reversible_gap(chain, law) } else { general_gap(chain, law) };
        if gap.is_zero() {
            return Err(inapplicable("the spectral gap is too small to be shown in 56 bits"));
        }
        let least = law.probabilities().min().expect("a chain has states");
        Ok(Mixing { least, gap, stationary: matches!(chain.initial(), Initial::Stationary) })
    }

    /// Bounds that were found otherwise: for every chain of the class each stationary probability is at least `least`
    /// and the spectral gap at least `gap`. `stationary` says that every chain starts from its stationary law. The
    /// guarantee is only as good as these numbers.
    ///
    /// # Errors
    /// π outside (0, 1], or g outside (0, 2].
    pub fn from_bounds(least: Rational, gap: Rational, stationary: bool) -> Result<Self> {
        let within = |value: &Rational, high: u32| value.is_positive() && *value <= BigInt::from(high).into();
        if !within(&least, 1) || !within(&gap, 2) {
            return Err(Error::input(format!(
                "a least stationary probability of {least} and a spectral gap of {gap}, expected 0 < π ≤ 1 and 0 < g ≤ 2"
            )));
        }
        Ok(Mixing { least, gap, stationary })
    }

    /// π: no stationary probability is below it.
    pub fn least(&self) -> &Rational {
        &self.least
    }

    /// g, rounded down.
    pub fn gap(&self) -> &Rational {
        &self.gap
    }

    /// The paper's a* = 2⌈ln((e^(ε/6) + 1)/((e^(ε/6) − 1)π))/g⌉, rounded up: in chains of 8a* nodes and more the noise no
    /// longer grows. `None` when it is beyond 64 bits.
    pub fn a_star(&self, epsilon: &Epsilon) -> Option<u64> {
        let sixth = epsilon.scale(&Rational::new(1.into(), 6.into())).ok()?.exp(2 * BITS);
        let one = Interval::integer(1);
        let below = &(&sixth - &one) * &Interval::of(&self.least, 2 * BITS);
        let logarithm = (&sixth + &one).divide(&below, BITS)?.ln(BITS)?;
        ((logarithm.upper().to_rational() / &self.gap).ceil().to_integer() * 2u32).to_u64()
    }
}

pub(super) fn inapplicable(reason: &str) -> Error {
    Error::inapplicable(format!("the approximate quilt bound does not apply: {reason}; use the exact search"))
}

/// The stationary law, if it gives every state a probability.
pub(super) fn positive_stationary(chain: &Chain) -> Result<Distribution> {
    match &chain.closed_classes()[..] {
        [class] if class.len() == chain.states() => chain.stationary(),
        [_] => Err(inapplicable("the chain leaves some states for good")),
        _ => Err(inapplicable("the chain has more than one group of states that it never leaves")),
    }
}

/// Detailed balance, exactly.
pub(super) fn is_reversible(chain: &Chain, law: &Distribution) -> bool {
    let flow = |from: usize, to: usize| law.probability(from) * chain.transition()[from].probability(to);
    (0..chain.states()).all(|x| (0..x).all(|y| flow(x, y) == flow(y, x)))
}

/// Whether eigenvalue 1 of P*P, and so of PP*, is simple. P*P is reversible and no eigenvalue of it is negative, so
/// eigenvalue 1 occurs once for each part of the graph that joins the states which one state can lead to.
fn forgets(chain: &Chain) -> bool {
    let mut joined = vec![false; chain.states()];
    joined[0] = true;
    let mut before = 0;
    while before < chain.states() {
        for row in chain.transition() {
            let leads: Vec<usize> =
                row.numerators().enumerate().filter(|(_, weight)| !weight.is_zero()).map(|(place, _)| place).collect();
            if leads.iter().any(|&state| joined[state]) {
                leads.iter().for_each(|&state| joined[state] = true);
            }
        }
        let now = joined.iter().filter(|&&joined| joined).count();
        if now == before {
            return false;
        }
        before = now;
    }
    true
}

/// 2(1 − |λ|) of a reversible chain: with S = D^½ P D^−½, which is symmetric, |λ| ≤ l where l ∓ (S − √π√πᵀ) ⪰ 0.
fn reversible_gap(chain: &Chain, law: &Distribution) -> Rational {
    let (symmetric, roots) = symmetrized(chain, law);
    let matrix = lower_triangle(chain.states(), |i, j| symmetric[i][j] - roots[i][j]);
    let opposite = lower_triangle(chain.states(), |i, j| -matrix[i][j]);
    // Each of the two numbers is within two units.
    complement(|level| within(&matrix, level, 4) && within(&opposite, level, 4)) * BigInt::from(2)
}

/// 1 − λ for the largest eigenvalue λ of P*P but one: SᵀS is similar to it, and λ ≤ l where l − (SᵀS − √π√πᵀ) ⪰ 0. P*P
/// and PP* have the same eigenvalues, being products of the same two square matrices.
fn general_gap(chain: &Chain, law: &Distribution) -> Rational {
    let (symmetric, roots) = symmetrized(chain, law);
    let states = chain.states();
    let product = |i: usize, j: usize| symmetric.iter().map(|row| row[i] * row[j]).sum::<i128>() >> FRACTION;
    let matrix = lower_triangle(states, |i, j| product(i, j) - roots[i][j]);
    // The squares of a column of S sum to at most 1, so that its entries, each within two units, add at most 2√d; twice.
    complement(|level| within(&matrix, level, 4 * states as i128 + 6))
}

/// √(π_x/π_y)·P(x, y), which is at most 1, and √(π_x π_y); each in fixed point, at most two units below.
fn symmetrized(chain: &Chain, law: &Distribution) -> (Vec<Vec<i128>>, Vec<Vec<i128>>) {
    let root = |p: Rational| Interval::of(&p, BITS).sqrt(BITS).expect("a probability is not negative").outward(BITS);
    let roots: Vec<Interval> = law.probabilities().map(root).collect();
    let fixed = |value: Interval| value.lower().to_fixed(FRACTION.into(), false).to_i128().expect("at most 1");
    let step = |x: usize, y: usize| match chain.transition()[x].probability(y) {
        p if p.is_zero() => 0,
        p => {
            let flow = &roots[x] * &Interval::of(&p, BITS);
            fixed(flow.divide(&roots[y], BITS).expect("a stationary probability is positive"))
        }
    };
    let square = |entry: &dyn Fn(usize, usize) -> i128| {
        (0..roots.len()).map(|x| (0..roots.len()).map(|y| entry(x, y)).collect()).collect()
    };
    (square(&step), square(&|x, y| fixed(&roots[x] * &roots[y])))
}

fn lower_triangle(size: usize, entry: impl Fn(usize, usize) -> i128) -> Vec<Vec<i128>> {
    (0..size).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect()
}

/// Whether level − M is shown to be semidefinite.
fn within(matrix: &[Vec<i128>], level: i128, error: i128) -> bool {
    let shifted = lower_triangle(matrix.len(), |i, j| if i == j { level - matrix[i][j] } else { -matrix[i][j] });
    is_shown_semidefinite(&shifted, error)
}

/// The largest h, to some ten digits, for which the level 1 − h is shown; 0 where none is.
fn complement(shown: impl Fn(i128) -> bool) -> Rational {
    let (mut low, mut high) = (0, ONE);
    while high - low > 1 + (low >> 32) {
        let middle = (low + high) / 2;
        if shown(ONE - middle) { low = middle } else { high = middle }
    }
    Rational::new(low.into(), ONE.into())
}

#[cfg(test)]
#[path = "spectral_tests.rs"]
pub(super) mod tests;
