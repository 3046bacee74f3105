//! The exact Markov Quilt mechanism: the best quilt of every node of every chain, and the noise of the worst.

use super::branch_and_bound::Objective;
use super::influence::{Side, number};
use super::nodes::{Nodes, States};
use super::walk::{Walk, Worst};
use super::{Calibration, Chain, Quilt};
use crate::design::Watch;
use crate::exact::{Epsilon, Interval, Rational};
use crate::model::LONGEST;
use crate::{Error, Result};

/// Which states count, and who watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExactOptions<'a> {
    /// Over which states influences are taken.
    pub states: States,
    /// Who is told of progress and may stop the search.
    pub watch: Watch<'a>,
}

/// The noise that hides every node of a chain of `length` nodes, whichever chain of Θ the data came from.
///
/// # Guarantee
/// As [`Calibration`]: for every chain and node there is a quilt with card/σ + e ≤ ε. The quilt may differ from chain
/// to chain, since the guarantee is about each chain by itself: Pr(output | x, θ) ≤ e^ε Pr(output | x', θ). All
/// numbers are rounded so that the noise is never too small; probabilities are known to 2^-62, so that σ is larger than
/// it need be by next to nothing unless states are rarer than about 2^-40. Where no quilt is admissible, the empty quilt remains, and
/// σ is that of group privacy, length/ε.
///
/// # Errors
/// No chain, chains over different numbers of states, a length outside 1 to 2^40, or a chain started from its stationary
/// law that has several.
///
/// # Complexity
/// Chains that start from their stationary law, and others once they have forgotten their start, cost the same for any
/// length: about √n powers of P and n sums over pairs of states, for n nodes on the near side of the best quilt.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Chain, Initial, exact}};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// let chain = Chain::new(Initial::Stationary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])])?;
/// let found = exact(&[chain], 1_000_000, &"1".parse()?)?;
/// // Group privacy would need a scale of 1,000,000.
/// assert!(found.scale > parse_rational("12.8399")? && found.scale < parse_rational("12.8401")?);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), algorithm 3.
pub fn exact(theta: &[Chain], length: u64, epsilon: &Epsilon) -> Result<Calibration> {
    exact_with(theta, length, epsilon, &ExactOptions::default())
}

/// As [`exact`], over the states that the options say, and watched.
///
/// # Errors
/// As [`exact`]; and when the caller has asked to stop.
pub fn exact_with(theta: &[Chain], length: u64, epsilon: &Epsilon, options: &ExactOptions<'_>) -> Result<Calibration> {
    let objective = Objective::scale(epsilon);
    let (worst, searched) = worst_of_all(theta, length, objective, options)?;
    Ok(worst.calibration(length, epsilon, objective, searched))
}

/// The loss of noise that decays by `rate` for each node that changes: the largest over chains and nodes of the least
/// e + rate·card over quilts, rounded up.
///
/// Releases with scales σ_1, …, σ_K from one sequence lose together at most the loss at the rate Σ 1/σ_k: one quilt
/// serves all of them, and its influence is paid once.
///
/// # Errors
/// As [`exact_with`]; and a rate below 0 or beyond 2^20.
pub fn exact_loss(theta: &[Chain], length: u64, rate: &Rational, options: &ExactOptions<'_>) -> Result<Rational> {
    let objective = Objective::loss(rate)?;
    let (worst, _) = worst_of_all(theta, length, objective, options)?;
    Ok(objective.number(worst.found.cost))
}

/// An enclosure of the max-influence of a node on a quilt; none where it is infinite, or too large to be told from it.
///
/// # Errors
/// A length outside 1 to 2^40, a node or a quilt that does not lie on the chain, or no stationary law where one is needed.
pub fn influence(chain: &Chain, length: u64, node: u64, quilt: Quilt, states: States) -> Result<Option<Interval>> {
    check_length(length)?;
    if !(1..=length).contains(&node) {
        return Err(Error::input(format!("node {node}, expected one from 1 to {length}")));
    }
    let [left, right] = [quilt.left.unwrap_or(node), quilt.right.unwrap_or(length - node + 1)];
    let beyond = |side: Option<u64>, end: u64| side.is_some_and(|distance| !(1..end).contains(&distance));
    if beyond(quilt.left, node) || beyond(quilt.right, length - node + 1) {
        return Err(Error::input(format!("a quilt of node {node} with a node outside of the chain 1 to {length}")));
    }
    let mut bounds = Vec::new();
    for side in [Side::Below, Side::Above] {
        let mut nodes = Nodes::of_chain(chain, length, states, side)?;
        let law = nodes.law(node);
        let place = nodes.place(node, law.as_ref());
        bounds.push(nodes.influence(&place, left, right));
    }
    Ok(match bounds[..] {
        [Some(below), Some(above)] => Some(Interval::new(number(below), number(above))),
        _ => None,
    })
}

pub(super) fn check_length(length: u64) -> Result<()> {
    if (1..=LONGEST).contains(&length) {
        return Ok(());
    }
    Err(Error::input(format!("a chain of {length} nodes, expected 1 to {LONGEST}")))
}

pub(super) fn worst_of_all(
    theta: &[Chain],
    length: u64,
    objective: Objective,
    options: &ExactOptions<'_>,
) -> Result<(Worst, u64)> {
    super::check_chains(theta)?;
    check_length(length)?;
    let (mut worst, mut searched) = (Worst::NOBODY, 0);
    for (chain, model) in theta.iter().enumerate() {
        let place = |error: Error| if theta.len() > 1 { error.at(format_args!("chain {}", chain + 1)) } else { error };
        let nodes = Nodes::of_chain(model, length, options.states, Side::Above).map_err(place)?;
        let mut walk = Walk::new(nodes, objective, options.watch);
        worst = walk.worst(chain, worst)?;
        searched += walk.searched;
    }
    Ok((worst, searched))
}
