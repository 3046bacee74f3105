//! The nodes of a chain, and the influence that each has on each of its quilts.

use super::influence::{IMPOSSIBLE, Parts, Side, largest_sum, prior_of_law};
use super::powers::{Enclosure, Powers, PowersOf, Steps, enclose};
use super::supports::Supports;
use crate::error::Result;
use crate::model::{Chain, Initial};
use std::rc::Rc;

/// Over which states the max-influence is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum States {
    /// Those that can occur at the node and at its quilt.
    #[default]
    Possible,
    /// All, also those that cannot occur: never less noise, and more for a chain that starts from a known state.
    All,
}

/// What is known of the first state.
pub enum Start {
    /// Every node has the same law, with these quotients ln Pr(x')/Pr(x).
    Same(Rc<[i64]>),
    /// This law, and how it moves on.
    Law(Enclosure, Rc<Steps>),
    /// Nothing.
    Arbitrary,
}

/// A chain, or a set of chains with one bound for all of them.
pub struct Nodes<P> {
    /// How many nodes there are.
    pub length: u64,
    /// What is known of the first.
    pub start: Start,
    /// The two sides of influences.
    pub parts: Parts<P>,
    supports: Supports,
    side: Side,
}

/// A node, or many nodes with one bound for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The node at this place; the first is 1.
    Node(u64),
    /// All nodes after this many.
    After(u64),
}

/// What the influences of a node have in common.
pub struct Place {
    /// Which node, or nodes.
    pub which: Which,
    /// ln Pr(X_i = x')/Pr(X_i = x), and never for pairs that cannot occur.
    pub prior: Rc<[i64]>,
    /// 0 for pairs that can occur.
    possible: Rc<[i64]>,
}

impl Nodes<Powers> {
    /// The nodes of one chain.
    pub fn of_chain(chain: &Chain, length: u64, states: States, side: Side) -> Result<Self> {
        let powers = Powers::of(chain);
        let start = match chain.initial() {
            Initial::Given(law) => Start::Law(enclosed(law), powers.steps.clone()),
            Initial::Stationary => Start::Same(prior_of_law(&enclosed(&chain.stationary()?), side).into()),
            Initial::Arbitrary => Start::Arbitrary,
        };
        let first = match (states, chain.initial()) {
            (States::All, _) | (_, Initial::Arbitrary) => None,
            (_, Initial::Given(law)) => Some(law.clone()),
            (_, Initial::Stationary) => Some(chain.stationary()?),
        };
        let first = first.map(|law| law.numerators().map(|numerator| !numerator.is_zero()).collect());
        Ok(Nodes::new(powers, start, first, length, states, side))
    }
}

fn enclosed(law: &crate::model::Distribution) -> Enclosure {
    let [lower, upper] = enclose(law);
    Enclosure { states: law.len(), lower, upper }
}

impl<P: PowersOf> Nodes<P> {
    /// `first` are the possible first states; all of them unless given.
    pub fn new(mut powers: P, start: Start, first: Option<Vec<bool>>, length: u64, states: States, side: Side) -> Self {
        let all = vec![true; powers.states()];
        let supports = match states {
            States::All => Supports::always(all),
            States::Possible => Supports::new(first.unwrap_or(all), &powers.power(1), length),
        };
        Nodes { length, start, parts: Parts::new(powers, side), supports, side }
    }

    /// The law of a node, where the chain starts from a known one.
    pub fn law(&mut self, node: u64) -> Option<Enclosure> {
        match &self.start {
            Start::Law(first, _) if node == 1 => Some(first.clone()),
            Start::Law(first, _) => Some(self.parts.powers.power(node - 1).applied_to(first)),
            Start::Same(_) | Start::Arbitrary => None,
        }
    }

    /// The law one step after a law.
    pub fn next_law(&self, law: &Enclosure) -> Enclosure {
        match &self.start {
            Start::Law(_, steps) => steps.step(law),
            Start::Same(_) | Start::Arbitrary => law.clone(),
        }
    }

    /// What node i has: its law is given where the chain starts from a known law.
    pub fn place(&mut self, node: u64, law: Option<&Enclosure>) -> Place {
        let number = self.supports.at(node);
        let possible = self.possible_pairs([number]);
        let prior = match (&self.start, law) {
            (Start::Same(prior), _) => prior.clone(),
            (Start::Law(..), law) => prior_of_law(law.expect("the law of the node is given"), self.side).into(),
            // No node stands to the left of the first.
            (Start::Arbitrary, _) if node == 1 => possible.clone(),
            // Every law of the first state is possible. Where all states have a trace of it, all that can be reached
            // occurs together, and the rest of the law is free: so the quotient comes as near as one likes to its
            // bound, and no pair and no s may be left out.
            (Start::Arbitrary, _) => {
                let all = vec![true; self.parts.powers.states()];
                self.parts.prior_after(node - 1, &all).into()
            }
        };
        Place { which: Which::Node(node), prior: masked(&prior, &possible), possible }
    }

    /// What all nodes after the first `before` have at most. A chain with one law for all nodes may have none before.
    pub fn place_after(&mut self, before: u64) -> Place {
        let numbers = self.supports.numbers_since(before + 1);
        let possible = self.possible_pairs(numbers);
        let prior = match &self.start {
            Start::Same(prior) => prior.clone(),
            Start::Law(..) | Start::Arbitrary => {
                let number = self.supports.since(1);
                self.parts.prior_after(before, self.supports.set(number)).into()
            }
        };
        Place { which: Which::After(before), prior: masked(&prior, &possible), possible }
    }

    /// 0 for pairs of states that can occur at one of these moments, and else never.
    fn possible_pairs(&self, numbers: impl IntoIterator<Item = usize>) -> Rc<[i64]> {
        let states = self.parts.powers.states();
        let mut pairs = vec![IMPOSSIBLE; states * states];
        for number in numbers {
            let set = self.supports.set(number);
            for (place, pair) in pairs.iter_mut().enumerate() {
                if set[place / states] && set[place % states] {
                    *pair = 0;
                }
            }
        }
        pairs.into()
    }

    /// The influence on a quilt at these distances; none where it is infinite.
    ///
    /// For one node i a left distance of i and a right distance of T − i + 1 mean that no node stands there. For all
    /// nodes after some the quilt has both nodes. Where one of them would lie beyond an end of the chain, that node
    /// has the same quilt without it, which has no larger near side and no larger influence.
    pub fn influence(&mut self, place: &Place, left: u64, right: u64) -> Option<i64> {
        let (has_left, has_right) = match place.which {
            Which::Node(node) => (left < node, right < self.length - node + 1),
            Which::After(_) => (true, true),
        };
        let number = match place.which {
            _ if !has_left => None,
            Which::Node(node) => Some(self.supports.at(node - left)),
            Which::After(before) => Some(self.supports.since((before + 1).saturating_sub(left).max(1))),
        };
        let left = number.map(|number| self.parts.left(left, number, self.supports.set(number)));
        let right = has_right.then(|| self.parts.right(right));
        let prior = if has_left { &place.prior } else { &place.possible };
        largest_sum(prior, left.as_deref(), right.as_deref())
    }
}

impl<P: PowersOf> Nodes<P> {
    /// The influence on a quilt at these distances of every moment after the first `before`, whichever sides of the quilt
    /// lie on the chain; none where it is infinite.
    pub fn influence_after(&mut self, before: u64, left: u64, right: u64) -> Option<i64> {
        if before == 0 && !matches!(self.start, Start::Same(_)) {
            return None;
        }
        let place = self.place_after(before);
        let number = self.supports.since((before + 1).saturating_sub(left).max(1));
        let left = self.parts.left(left, number, self.supports.set(number));
        let right = self.parts.right(right);
        let both = largest_sum(&place.prior, Some(&left), Some(&right))?;
        let left_alone = largest_sum(&place.prior, Some(&left), None)?;
        let right_alone = largest_sum(&place.possible, None, Some(&right))?;
        Some(both.max(left_alone).max(right_alone).max(0))
    }
}

fn masked(prior: &[i64], possible: &[i64]) -> Rc<[i64]> {
    prior.iter().zip(possible).map(|(&prior, &possible)| if possible == 0 { prior } else { IMPOSSIBLE }).collect()
}
