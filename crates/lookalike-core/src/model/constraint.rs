//! What must look alike: pairs, and groups of mutually alike secrets.

use super::{Distribution, Epsilon};
use std::cmp::Ordering;

/// Two secrets that must look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) epsilon: Epsilon,
}

impl Edge {
    /// The two secrets, the earlier one first.
    pub fn ends(&self) -> [u32; 2] {
        self.ends
    }

    /// The budget of this pair.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }
}

/// Secrets of which every two must look alike, stored once and not as pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub(super) name: String,
    pub(super) members: Vec<u32>,
    pub(super) epsilon: Epsilon,
}

impl Group {
    /// The name given to the group.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The secrets, ascending; at least two.
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    /// The budget of every pair inside.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }
}

/// An edge or a group, seen alike: `members` of which every two must stay within `epsilon`.
#[derive(Debug, Clone, Copy)]
pub struct Constraint<'a> {
    /// At least two secrets.
    pub members: &'a [u32],
    /// The budget of every pair among them.
    pub epsilon: &'a Epsilon,
}

impl Constraint<'_> {
    /// The members whose laws give output `y` the most and the least probability.
    ///
    /// If any pair of the constraint breaks `q_s(y) ≤ e^ε q_s'(y)`, this pair does, so a group of k costs k
    /// comparisons and not k².
    pub fn extremes(&self, laws: &[Distribution], y: usize) -> (u32, u32) {
        self.extremes_by(|a, b| laws[a as usize].compare_at(&laws[b as usize], y))
    }

    /// The greatest and the least member in an order, two different ones.
    pub fn extremes_by(&self, compare: impl Fn(u32, u32) -> Ordering) -> (u32, u32) {
        let (mut most, mut least) = (self.members[0], self.members[0]);
        for &member in &self.members[1..] {
            if compare(member, most) == Ordering::Greater {
                most = member;
            } else if compare(member, least) == Ordering::Less {
                least = member;
            }
        }
        // Where all are equal, still two of them.
        (most, if most == least { self.members[usize::from(most == self.members[0])] } else { least })
    }
}
