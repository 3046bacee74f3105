//! GM, the truncated geometric mechanism.

use super::fixed::Fixed;
use super::rounding::{Target, rounded};
use super::{Alpha, Properties, Property, domain};
use crate::Result;
use crate::exact::{Epsilon, Rational};
use crate::model::Mechanism;
use num_traits::One;

/// GM: two-sided geometric noise on the count, cut off at 0 and n.
///
/// `P[i|j] = x·α^|i−j|` for the outputs 0 and n with x = 1/(1+α), and `y·α^|i−j|` with y = (1−α)/(1+α) for the others.
///
/// # Guarantee
/// ε = −ln α, and S, RM, RH. Weak honesty if n ≥ 2α/(1−α) and column monotonicity if α ≤ 1/2, not otherwise (n = 1 is
/// randomized response and has everything). No mechanism without demands has a smaller L_0, which is 2α/(1+α); with the
/// best remap of its outputs it is optimal for every prior and every loss that grows with |i − j|.
///
/// # Errors
/// A bad n, or an α so near to 1 that 2^53 has no room for it.
///
/// # Example
/// ```
/// use lookalike::counts::{CountLoss, geometric, score};
/// use lookalike::{exact::{Direction, to_f64}, model::Prior};
/// let mechanism = geometric(4, &"0.9".parse()?)?;
/// let l0 = to_f64(&score(&mechanism, &Prior::uniform(5)?, CountLoss::L0)?, Direction::Nearest);
/// assert!((l0 - 2.0 * 0.9 / 1.9).abs() < 1e-9);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms (2009).
pub fn geometric(n: usize, alpha: &Alpha) -> Result<Mechanism> {
    domain::check_size(n)?;
    rounded(&target(n, alpha), alpha, properties(n, alpha)?)
}

/// GM in probabilities.
pub(super) fn target(n: usize, alpha: &Alpha) -> Target {
    let powers = Fixed::powers(alpha, n.max(1));
    let (one, alpha) = (&powers[0], &powers[1]);
    let [x, y] = [one.clone(), one.minus(alpha)].map(|numerator| numerator.over(&one.plus(alpha)));
    let [end, inner] = [x, y].map(|factor| powers.iter().map(|power| factor.times(power).probability()).collect());
    let [end, inner]: [Vec<u128>; 2] = [end, inner];
    Target::of(n, |j, i| if i == 0 || i == n { end[i.abs_diff(j)] } else { inner[i.abs_diff(j)] })
}

/// The properties that GM has, decided exactly.
pub(super) fn properties(n: usize, alpha: &Alpha) -> Result<Properties> {
    if n == 1 {
        return Ok(Properties::ALL);
    }
    let mut set = Properties::of(&[Property::Symmetry, Property::RowMonotonicity]);
    if is_weakly_honest(n, alpha)? {
        set = set.with(Property::WeakHonesty);
    }
    // α ≤ 1/2.
    if *alpha.epsilon() >= Epsilon::ln(Rational::one(), Rational::from_integer(2.into()))? {
        set = set.with(Property::ColumnMonotonicity);
    }
    Ok(set.closure())
}

/// Whether n ≥ 2α/(1−α), that is α ≤ n/(n+2).
pub(super) fn is_weakly_honest(n: usize, alpha: &Alpha) -> Result<bool> {
    let least = Epsilon::ln(Rational::one(), Rational::new((n + 2).into(), n.into()))?;
    Ok(n == 1 || *alpha.epsilon() >= least)
}
