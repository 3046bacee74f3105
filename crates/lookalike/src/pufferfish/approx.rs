//! The approximate Markov Quilt mechanism: the scale from the spectral gap alone, flat in the length of the chain.

use super::exact_search::check_length;
use super::walk::rounded_up;
use super::{Calibration, Chain, Mixing, Quilt};
use crate::Result;
use crate::exact::{Epsilon, Interval, Rational, enclose_exp};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::cell::RefCell;
use std::collections::HashMap;

/// The scale that hides every node of a chain of Θ of this length, by bounds from its spectral gap.
///
/// Each chain has its own π and g ([`Mixing::of`]); the chain that needs the most noise decides.
///
/// # Guarantee
/// That of [`Calibration`]. The influence of a quilt is bounded from above by
/// `ln[(π+e^(−gb/2))/(π−e^(−gb/2))]` for the node at distance b to the right and by twice the same for the one at distance
/// a to the left, or once where the chain starts stationary. For P^t(x, y) is within π(y)(1 ± e^(−gt/2)/π), and so is the
/// law of a node that has t nodes before it. All numbers are rounded towards more noise.
///
/// # Errors
/// No chain, chains over different numbers of states, a length outside 1 to 2^40; and for chains to which the bound does not apply, as [`Mixing::of`].
///
/// # Complexity
/// That of [`Mixing::of`] a chain, and then some thousand logarithms: the length does not matter.
///
/// # Example
/// ```
/// use lookalike::{exact::{parse_rational, to_f64, Direction}, model::Distribution};
/// use lookalike::pufferfish::{Chain, Initial, approximate};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// let chain = Chain::new(Initial::Arbitrary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])])?;
/// let calibration = approximate(&[chain], 1_000_000, &"1".parse()?)?;
/// assert!((to_f64(&calibration.scale, Direction::Up) - 23.5060).abs() < 1e-4);
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), algorithm 4 (MQMApprox).
pub fn approximate(theta: &[Chain], length: u64, epsilon: &Epsilon) -> Result<Calibration> {
    super::check_chains(theta)?;
    worst(theta.len(), |place| {
        Mixing::of(&theta[place])
            .map_err(|error| error.at(format_args!("chain {}", place + 1)))?
            .calibrate(length, epsilon)
    })
}

/// The calibration of the chain that needs the most noise, the first of several.
pub(super) fn worst(chains: usize, calibrate: impl Fn(usize) -> Result<Calibration>) -> Result<Calibration> {
    let mut worst: Option<Calibration> = None;
    let mut searched = 0;
    for chain in 0..chains {
        let one = calibrate(chain)?;
        searched += one.searched;
        if worst.as_ref().is_none_or(|worst| one.scale > worst.scale) {
            worst = Some(Calibration { chain, ..one });
        }
    }
    let worst = worst.expect("Θ has a chain");
    Ok(Calibration { searched, ..worst })
}

impl Mixing {
    /// The scale that hides every node of any chain within these bounds: see [`approximate`].
    ///
    /// # Errors
    /// No node, or more than 2^40 of them.
    pub fn calibrate(&self, length: u64, epsilon: &Epsilon) -> Result<Calibration> {
        check_length(length)?;
        let search = Search::new(self, length, epsilon);
        let best = search.best_of_long_chains();
        // Of the node in the middle a one-sided quilt leaves half of the chain on the near side, itself included. If that alone needs more
        // noise than the best quilt with two sides, the middle needs that; and no node ever needs more.
        let middle = length.div_ceil(2);
        let (node, choice) = match best {
            Some(best) if best.score.is_at_most(&Score { card: middle, slack: search.budget }) => (middle, best),
            _ if length <= LONGEST_BY_NODE => search.worst_node(),
            Some(best) if best.score.is_at_most(&search.empty().score) => (best.left + 1, best),
            _ => (1, search.empty()),
        };
        Ok(search.calibration(node, choice))
    }
}

/// Longer chains than this are not searched node by node: where that matters, the bound for long chains is used.
pub(super) const LONGEST_BY_NODE: u64 = 1024;

/// Influences are counted in units of 2^−64.
pub(super) const FRACTION: u64 = 64;

/// Beyond this e^(−gt/2) is as good as 0, and a longer number would only take room.
const FARTHEST: u32 = 1000;

/// card/(ε − e), where the slack ε − e > 0 is rounded down.
#[derive(Debug, Clone, Copy)]
struct Score {
    card: u64,
    slack: u128,
}

impl Score {
    /// Slacks are below 2^81 and cards up to 2^40.
    fn is_at_most(&self, other: &Score) -> bool {
        u128::from(self.card) * other.slack <= u128::from(other.card) * self.slack
    }
}

/// A quilt with its score; a distance of 0 says that nothing stands on that side.
#[derive(Debug, Clone, Copy)]
struct Choice {
    left: u64,
    right: u64,
    score: Score,
}

impl Choice {
    fn better(self, other: Option<Choice>) -> Choice {
        other.filter(|other| !self.score.is_at_most(&other.score)).unwrap_or(self)
    }
}

struct Search<'a> {
    mixing: &'a Mixing,
    length: u64,
    epsilon: &'a Epsilon,
    /// ε, rounded down.
    budget: u128,
    /// Influences by distance, rounded up.
    known: RefCell<HashMap<u64, Option<u128>>>,
    searched: RefCell<u64>,
}

impl<'a> Search<'a> {
    fn new(mixing: &'a Mixing, length: u64, epsilon: &'a Epsilon) -> Self {
        let budget = epsilon.enclose(FRACTION + 16).lower().to_fixed(FRACTION, false);
        let budget = budget.to_u128().expect("ε is positive and bounded");
        Search { mixing, length, epsilon, budget, known: RefCell::default(), searched: RefCell::new(0) }
    }

    /// `ln[(π+e^(−gt/2))/(π−e^(−gt/2))]` rounded up, or `None` where t is too near.
    fn influence(&self, distance: u64) -> Option<u128> {
        *self.known.borrow_mut().entry(distance).or_insert_with(|| influence_bound(self.mixing, distance))
    }

    /// What is left of ε beside the influence on nodes at these distances; 0 stands for no node.
    fn slack(&self, left: u64, right: u64) -> Option<u128> {
        *self.searched.borrow_mut() += 1;
        let of = |distance: u64| if distance == 0 { Some(0) } else { self.influence(distance) };
        let times = if self.mixing.stationary { 1 } else { 2 };
        let slack = self.budget.checked_sub(of(left)?.checked_mul(times)?)?.checked_sub(of(right)?)?;
        (slack > 0).then_some(slack)
    }

    /// A quilt of `node`, if its influence is below ε.
    fn choice(&self, node: u64, left: u64, right: u64) -> Option<Choice> {
        let card = quilt(left, right).card(node, self.length);
        Some(Choice { left, right, score: Score { card, slack: self.slack(left, right)? } })
    }

    /// A quilt with two sides, whose score does not depend on the node.
    fn two_sided(&self, left: u64, right: u64) -> Option<Choice> {
        Some(Choice { left, right, score: Score { card: left + right - 1, slack: self.slack(left, right)? } })
    }

    /// The quilt of no nodes. With an ε too small for the slack, the scale is computed from ε itself.
    fn empty(&self) -> Choice {
        Choice { left: 0, right: 0, score: Score { card: self.length, slack: self.budget } }
    }

    /// The best quilt {i−a, i+b} of a node that is far from both ends.
    ///
    /// No node of any chain needs more noise than this or the empty quilt. If i ≤ a then {i+b} alone has a smaller card,
    /// i+b−1, and less influence; if i+b > T the same holds of {i−a}; and if both, of the empty quilt.
    fn best_of_long_chains(&self) -> Option<Choice> {
        let best_right = |left: u64| self.lowest(|right| self.two_sided(left, right));
        let coarse = self.lowest(best_right)?;
        // Bounds of a ratio of a linear to a concave function have one valley; whole numbers make it a little uneven.
        let near = |centre: u64| centre.saturating_sub(4).max(1)..=centre + 4;
        let lefts = near(coarse.left).flat_map(|left| near(coarse.right).map(move |right| (left, right)));
        Some(lefts.fold(coarse, |best, (left, right)| best.better(self.two_sided(left, right))))
    }

    /// The best of the distances `1..length` by halving. What is too near has no score and lies before the valley.
    fn lowest(&self, choice: impl Fn(u64) -> Option<Choice>) -> Option<Choice> {
        let (mut low, mut high) = (1, self.length.saturating_sub(1).max(1));
        while low < high {
            let middle = low + (high - low) / 2;
            let falls = match (choice(middle), choice(middle + 1)) {
                (Some(here), Some(next)) => !here.score.is_at_most(&next.score),
                _ => true,
            };
            if falls { low = middle + 1 } else { high = middle }
        }
        choice(low)
    }

    /// The node that needs the most noise in a short chain, with its best quilt.
    fn worst_node(&self) -> (u64, Choice) {
        let bests: Vec<Option<u64>> = (0..self.length)
            .map(|left| self.lowest(|right| self.two_sided(left.max(1), right)).map(|best| best.right))
            .collect();
        let nodes = (1..=self.length).map(|node| (node, self.best_of(node, &bests)));
        nodes.reduce(|worst, next| if next.1.score.is_at_most(&worst.1.score) { worst } else { next }).expect("a node")
    }

    /// The best quilt of one node, given for each left distance the best right one in a long chain.
    fn best_of(&self, node: u64, bests: &[Option<u64>]) -> Choice {
        let (before, after) = (node - 1, self.length - node);
        let one_sided = (1..=after).map(|right| self.choice(node, 0, right));
        let left = (1..=before).flat_map(|left| {
            let right = bests[left as usize].map(|best| best.min(after)).filter(|&right| right > 0);
            [self.choice(node, left, 0), right.and_then(|right| self.choice(node, left, right))]
        });
        one_sided.chain(left).fold(self.empty(), Choice::better)
    }

    fn calibration(&self, node: u64, choice: Choice) -> Calibration {
        let quilt = quilt(choice.left, choice.right);
        let Score { card, slack } = choice.score;
        let unit = BigInt::one() << FRACTION;
        let (scale, influence) = if choice.left == 0 && choice.right == 0 {
            (super::group::scale(self.length, self.epsilon), BigInt::ZERO)
        } else {
            (rounded_up(&Rational::new(&unit * card, slack.into())), BigInt::from(self.budget - slack))
        };
        let influence = Rational::new(influence, unit);
        Calibration { scale, chain: 0, node, quilt, card, influence, searched: *self.searched.borrow() }
    }
}

fn quilt(left: u64, right: u64) -> Quilt {
    let side = |distance: u64| (distance > 0).then_some(distance);
    Quilt { left: side(left), right: side(right) }
}

/// The bound of the influence over a distance, rounded up, in units of 2^−64.
pub(super) fn influence_bound(mixing: &Mixing, distance: u64) -> Option<u128> {
    const BITS: u64 = 96;
    let exponent = (&mixing.gap * BigInt::from(distance) / BigInt::from(2)).min(BigInt::from(FARTHEST).into());
    let (least, decay) = (Interval::of(&mixing.least, BITS), enclose_exp(&-exponent, BITS));
    let ratio = (&least + &decay).divide(&(&least - &decay), BITS)?;
    // Where e^(−gt/2) is above π the ratio is negative and has no logarithm.
    ratio.ln(BITS)?.upper().to_fixed(FRACTION, true).to_u128()
}

#[cfg(test)]
#[path = "approx_tests.rs"]
mod tests;
