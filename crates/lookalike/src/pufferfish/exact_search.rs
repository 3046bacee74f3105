//! The exact Markov Quilt mechanism: the best quilt of every node of every chain, and the noise of the worst.

use super::branch_and_bound::{Cost, Found, Objective, search};
use super::influence::{IMPOSSIBLE, Side, number};
use super::logarithm::LOGARITHM_BITS;
use super::nodes::{Nodes, Start, States};
use super::powers::{Enclosure, PowersOf};
use super::{Calibration, Chain, Quilt, group};
use crate::design::Watch;
use crate::error::{Error, Result};
use crate::exact::{Direction, Dyadic, Epsilon, Interval, Rational};

/// Chains are at most this long.
pub(super) const LONGEST: u64 = 1 << 40;

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
/// numbers are rounded so that the noise is never too small. Where no quilt is admissible, the empty quilt remains, and
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

/// A node with the quilt that hides it best.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worst {
    pub(super) chain: usize,
    pub(super) node: u64,
    pub(super) found: Found,
}

impl Worst {
    pub(super) const NOBODY: Worst =
        Worst { chain: 0, node: 1, found: Found { cost: Cost::NOTHING, left: 1, right: 1, influence: 0 } };

    pub(super) fn calibration(
        &self,
        length: u64,
        epsilon: &Epsilon,
        objective: Objective,
        searched: u64,
    ) -> Calibration {
        let Worst { chain, node, found } = *self;
        let group = group::scale(length, epsilon);
        let whole = Quilt { left: None, right: None };
        let own = found.cost.is_finite().then(|| rounded_up(&objective.number(found.cost)));
        match own.filter(|scale| *scale < group) {
            Some(scale) => {
                let quilt = Quilt {
                    left: (found.left < node).then_some(found.left),
                    right: (found.right < length - node + 1).then_some(found.right),
                };
                let influence = number(found.influence).to_rational();
                Calibration { scale, chain, node, quilt, card: quilt.card(node, length), influence, searched }
            }
            None => {
                let influence = Rational::from_integer(0.into());
                Calibration { scale: group, chain, node, quilt: whole, card: length, influence, searched }
            }
        }
    }
}

/// To 50 bits: short in files, and by no more than a millionth of a millionth too large.
pub(super) fn rounded_up(number: &Rational) -> Rational {
    Dyadic::quotient(number.numer(), number.denom(), 50, Direction::Up).round(50, Direction::Up).to_rational()
}

pub(super) fn check_length(length: u64) -> Result<()> {
    if (1..=LONGEST).contains(&length) {
        return Ok(());
    }
    Err(Error::input(format!("a chain of {length} nodes, expected 1 to {LONGEST}")))
}

fn worst_of_all(
    theta: &[Chain],
    length: u64,
    objective: Objective,
    options: &ExactOptions<'_>,
) -> Result<(Worst, u64)> {
    super::chains::check(theta)?;
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

/// A search through all nodes of one chain, or of a set of chains with one bound.
pub(super) struct Walk<'a, P> {
    nodes: Nodes<P>,
    objective: Objective,
    watch: Watch<'a>,
    pub(super) searched: u64,
    /// The last quilt that was good: it is good for the next node, most often.
    guess: [u64; 2],
}

impl<'a, P: PowersOf> Walk<'a, P> {
    pub(super) fn new(nodes: Nodes<P>, objective: Objective, watch: Watch<'a>) -> Self {
        Walk { nodes, objective, watch, searched: 0, guess: [1, 1] }
    }

    /// The worst node where it is worse than the one that is known, and else that one.
    pub(super) fn worst(&mut self, chain: usize, known: Worst) -> Result<Worst> {
        match self.deep_inside()? {
            Some((node, before, found)) => {
                let known = if found.cost > known.found.cost { Worst { chain, node, found } } else { known };
                self.worst_of_first(before, chain, known)
            }
            None => {
                // Where a start is never forgotten the last node is the worst most often, and else the middle.
                let (last, mut worst) = (self.nodes.length, known);
                for node in [last, last.div_ceil(2)] {
                    let law = self.nodes.law(node);
                    worst = self.worse(chain, node, law.as_ref(), worst)?;
                }
                self.worst_of_first(last, chain, worst)
            }
        }
    }

    /// The worst of the first nodes, one after another.
    pub(super) fn worst_of_first(&mut self, last: u64, chain: usize, mut worst: Worst) -> Result<Worst> {
        let mut law = self.nodes.law(1);
        for node in 1..=last {
            // No node needs more than the empty quilt.
            if self.whole(node).cost <= worst.found.cost {
                break;
            }
            self.watch.step("searching quilts of nodes", node, Some(last))?;
            worst = self.worse(chain, node, law.as_ref(), worst)?;
            law = law.map(|law| self.nodes.next_law(&law));
        }
        Ok(worst)
    }

    fn worse(&mut self, chain: usize, node: u64, law: Option<&Enclosure>, worst: Worst) -> Result<Worst> {
        let found = self.best(node, law, worst.found.cost)?;
        self.guess = [found.left, found.right];
        Ok(if found.cost > worst.found.cost { Worst { chain, node, found } } else { worst })
    }

    /// The empty quilt of a node.
    fn whole(&self, node: u64) -> Found {
        let length = self.nodes.length;
        let cost = self.objective.cost(length, Some(0));
        Found { cost, left: node, right: length - node + 1, influence: 0 }
    }

    /// The best quilt of one node, or one that costs no more than `enough`.
    fn best(&mut self, node: u64, law: Option<&Enclosure>, enough: Cost) -> Result<Found> {
        let place = self.nodes.place(node, law);
        let mut best = self.whole(node);
        let [left, right] = [self.guess[0].min(node), self.guess[1].min(self.nodes.length - node + 1)];
        self.searched += 1;
        let guessed = self.nodes.influence(&place, left, right);
        let cost = self.objective.cost(left + right - 1, guessed);
        if let Some(influence) = guessed
            && cost < best.cost
        {
            best = Found { cost, left, right, influence };
        }
        if best.cost <= enough {
            return Ok(best);
        }
        let ends = [node, self.nodes.length - node + 1];
        let Walk { nodes, objective, watch, searched, .. } = self;
        search(*objective, ends, best, enough, watch, searched, |a, b| nodes.influence(&place, a, b))
    }

    /// A quilt that serves all nodes after the first few, and a node for which there is no better one; how many nodes
    /// come before. None where the chain is too short for that, or never forgets its start.
    fn deep_inside(&mut self) -> Result<Option<(u64, u64, Found)>> {
        let length = self.nodes.length;
        let Some(before) = self.forgotten_after() else { return Ok(None) };
        let place = self.nodes.place_after(before);
        let Walk { nodes, objective, watch, searched, .. } = self;
        let nothing = Found { cost: objective.cost(length, Some(0)), left: length, right: length, influence: 0 };
        let influence = |a, b| nodes.influence(&place, a, b);
        let found = search(*objective, [length, length], nothing, Cost::NOTHING, watch, searched, influence)?;
        // Quilts without a left or a right node have at least this many nodes on their near side.
        let node = (before + 1 + length) / 2;
        let least = node.min(length - node + 1);
        Ok((objective.cost(least, Some(0)) >= found.cost).then_some((node, before, found)))
    }

    /// After how many nodes the law of a node no longer depends on the start, but for next to nothing.
    fn forgotten_after(&mut self) -> Option<u64> {
        if matches!(self.nodes.start, Start::Same(_)) {
            return Some(0);
        }
        let (ample, enough) = match self.objective {
            Objective::Scale { epsilon } => (epsilon >> 12, epsilon >> 30),
            Objective::Loss { .. } => (1 << (LOGARITHM_BITS - 12), 1 << (LOGARITHM_BITS - 30)),
        };
        let (mut before, mut last) = (1, i64::MAX);
        while before < self.nodes.length / 2 {
            let spread = self.spread_after(before);
            if spread <= enough || (last <= ample && spread > last / 2) {
                return Some(before);
            }
            (before, last) = (2 * before, spread);
        }
        None
    }

    /// How far ln Pr(X_i = x')/Pr(X_i = x) of nodes after these can lie apart.
    fn spread_after(&mut self, before: u64) -> i64 {
        let prior = self.nodes.place_after(before).prior;
        let states = self.nodes.parts.powers.states();
        let back = |place: usize| prior[place % states * states + place / states];
        let sums = (0..prior.len()).filter(|&place| prior[place] != IMPOSSIBLE).map(|place| prior[place] + back(place));
        sums.fold(0, i64::max)
    }
}
