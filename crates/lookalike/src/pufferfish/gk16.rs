//! The influence-matrix bound of Ghosh and Kleinberg, a baseline.

use super::walk::rounded_up;
use super::{Chain, group};
use crate::exact::{Direction, Dyadic, Epsilon, Rational, decimal, enclose_ln};
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The scale by the influence matrix, and the bound of the norm of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gk16 {
    /// σ, rounded up, as in [`Contraction::scale`](super::Contraction::scale).
    pub scale: Rational,
    /// What the spectral norm of the influence matrix of a long chain comes to, rounded up; below 1.
    pub norm: Rational,
    /// The place in Θ of the chain that needs the most noise.
    pub chain: usize,
}

/// The scale that the influence matrix of a chain gives, for any length.
///
/// # Reading
/// Γ holds for each two nodes i, j half of the largest |ln| by which a change of X_j alone changes the probability of a
/// state of X_i, all other nodes being known. In a chain only neighbours count: γ₋ for the node before and γ₊ for the one
/// after. Where the spectral norm of Γ is below 1, a mechanism that changes by e^(1/σ) with one node lets the odds of
/// two states of node i change by at most e to the 2·Σ_j Φ_ij/σ, with Φ = (I − Γ)^−1. For long chains the norm comes to
/// γ₋ + γ₊, and so σ = 2/((1 − γ₋ − γ₊)ε). Both ends, where a node has one neighbour, are left out of the reading.
///
/// # Guarantee
/// That of [`Contraction`](super::Contraction), at every length, by an argument that does not rest on the reading: with c
/// of [`contract`](super::contract), γ₋ ≥ c and γ₊ ≥ c, and so σ·ε is at least 1 + 2c + 4c² + …, which is more than the
/// 1 + 2c + 2c² + … that are enough.
///
/// # Errors
/// No chain, chains over different numbers of states; or it does not apply, since the norm is 1 or more. The error says the norm.
///
/// # Complexity
/// O(d³) comparisons of fractions.
///
/// # Reference
/// Ghosh and Kleinberg, Inferential Privacy Guarantees for Differentially Private Mechanisms (2016), section 4; as a
/// baseline in Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017).
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, pufferfish::{BinaryBox, Initial, gk16}};
/// let corners = |low: &str, high: &str| {
///     let ends = [low, high].map(|text| parse_rational(text).unwrap());
///     BinaryBox::new(Initial::Arbitrary, ends.clone(), ends).unwrap().corners()
/// };
/// assert!(gk16(&corners("0.4", "0.6"), &"1".parse()?)?.norm < parse_rational("0.7")?);
/// assert!(gk16(&corners("0.1", "0.9"), &"1".parse()?).unwrap_err().is_inapplicable());
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn gk16(theta: &[Chain], epsilon: &Epsilon) -> Result<Gk16> {
    super::check_chains(theta)?;
    let mut worst: Option<(usize, Rational)> = None;
    for (chain, one) in theta.iter().enumerate() {
        let norm = norm(one).ok_or_else(|| {
            inapplicable("a transition probability is 0, so that the norm is infinite")
                .at(format_args!("chain {}", chain + 1))
        })?;
        if worst.as_ref().is_none_or(|(_, worst)| norm > *worst) {
            worst = Some((chain, norm));
        }
    }
    let (chain, norm) = worst.expect("Θ has a chain");
    if norm >= Rational::one() {
        let shown = decimal(&norm, 4, Direction::Up);
        return Err(inapplicable(&format!("its norm is {shown}")).at(format_args!("chain {}", chain + 1)));
    }
    let scale = group::scale(1, epsilon) * BigInt::from(2) / (Rational::one() - &norm);
    Ok(Gk16 { scale: rounded_up(&scale), norm: rounded_up(&norm), chain })
}

fn inapplicable(reason: &str) -> Error {
    Error::inapplicable(format!(
        "the influence-matrix bound does not apply: {reason}, expected a spectral norm below 1; use another bound"
    ))
}

/// γ₋ + γ₊, rounded up.
fn norm(chain: &Chain) -> Option<Rational> {
    let states = chain.states();
    let step: Vec<Vec<Rational>> = chain.transition().iter().map(|row| row.probabilities().collect()).collect();
    let across = |step: &dyn Fn(usize, usize) -> Rational| -> Vec<Vec<Rational>> {
        (0..states).map(|x| (0..states).map(|y| step(x, y)).collect()).collect()
    };
    let two_steps = across(&|x, y| (0..states).map(|z| &step[x][z] * &step[z][y]).sum());
    // Pr(z | s, t) = P(s,z)P(z,t)/P²(s,t): of its change with s the parts in z and in t are apart, and with t likewise.
    let (step_back, two_back) = (across(&|x, y| step[y][x].clone()), across(&|x, y| two_steps[y][x].clone()));
    let (before, after) = (largest_change(&step, &two_steps)?, largest_change(&step_back, &two_back)?);
    let half_ln = |ratio: &Rational| enclose_ln(ratio, 96).map(|ln| ln.upper().clone().max(Dyadic::zero()));
    Some((half_ln(&before)?.to_rational() + half_ln(&after)?.to_rational()) / BigInt::from(2))
}

/// The largest P(s,z)/P(s',z)·Q(s',t)/Q(s,t), or `None` where it is infinite.
fn largest_change(step: &[Vec<Rational>], two_steps: &[Vec<Rational>]) -> Option<Rational> {
    let largest_ratio = |above: &[Rational], below: &[Rational]| {
        let mut largest = Rational::zero();
        for (a, b) in above.iter().zip(below).filter(|(a, _)| !a.is_zero()) {
            if b.is_zero() {
                return None;
            }
            largest = largest.max(a / b);
        }
        Some(largest)
    };
    let mut largest = Rational::one();
    for (s, row) in step.iter().enumerate() {
        for (other, other_row) in step.iter().enumerate() {
            largest = largest.max(largest_ratio(row, other_row)? * largest_ratio(&two_steps[other], &two_steps[s])?);
        }
    }
    Some(largest)
}

#[cfg(test)]
mod tests {
    use super::super::spectral::tests::chain;
    use super::super::{Initial, contract};
    use super::*;
    use crate::exact::{parse_rational, to_f64};
    use proptest::prelude::*;

    #[test]
    fn the_symmetric_chain_in_closed_form() {
        // Both neighbours 0, then one of them 1: the probability of 1 goes from a²/((1−a)²+a²) to 1/2.
        let found = gk16(&[chain(Initial::Arbitrary, &[vec![6, 4], vec![4, 6]])], &"1".parse().unwrap()).unwrap();
        let norm = (0.52f64 / 0.32).ln();
        assert!((to_f64(&found.norm, Direction::Up) - norm).abs() < 1e-12);
        assert!((to_f64(&found.scale, Direction::Up) - 2.0 / (1.0 - norm)).abs() < 1e-9);
    }

    #[test]
    fn where_it_does_not_apply() {
        let epsilon = "1".parse().unwrap();
        let sticky = chain(Initial::Arbitrary, &[vec![9, 1], vec![1, 9]]);
        let error = gk16(&[chain(Initial::Arbitrary, &[vec![1, 1], vec![1, 1]]), sticky], &epsilon).unwrap_err();
        assert!(error.is_inapplicable() && error.to_string().starts_with("chain 2: the influence-matrix bound"));
        let error = gk16(&[chain(Initial::Arbitrary, &[vec![1, 0], vec![1, 1]])], &epsilon).unwrap_err();
        assert!(error.is_inapplicable() && error.to_string().contains("a transition probability is 0"));
        assert!(gk16(&[], &epsilon).unwrap_err().is_input());
    }

    #[test]
    fn independent_nodes_have_no_influence() {
        let found = gk16(&[chain(Initial::Arbitrary, &[vec![1, 3], vec![1, 3]])], &"1/2".parse().unwrap()).unwrap();
        assert_eq!((found.norm.to_string(), found.scale.to_string()), ("0".into(), "4".into()));
    }

    proptest! {
        #[test]
        fn what_it_claims_is_enough_by_contraction(rows in (2usize..4).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(5u64..15, d), d)), length in 1u64..1000) {
            let (chains, epsilon) = ([chain(Initial::Arbitrary, &rows)], "1".parse().unwrap());
            if let Ok(found) = gk16(&chains, &epsilon) {
                let contraction = contract(&chains, length, &epsilon).unwrap();
                prop_assert!(found.scale >= contraction.scale);
                prop_assert!(found.norm >= &contraction.coefficient * BigInt::from(2) - parse_rational("1e-15").unwrap());
            }
        }
    }
}
