//! What a claim over profiles with limits asks of the ends of their probabilities: the same at every output.
//!
//! An edge asks `H_s ≤ E h_s'` and the reverse. So does every pair of a group, exactly, but not of a profile and itself. Beyond a
//! few members that takes a tree: each node knows the largest H of its members and the largest H of all others, so that a member's
//! h meets the largest H of the others alone. As many rows as members, and ways as long as the tree is high.

use super::instance::Alike;

/// Members of a group up to which every two of them have rows of their own.
const FEW: usize = 7;

/// An end of a probability, or a largest one among several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The largest that a secret's laws make of an output.
    Most(u32),
    /// The least.
    Least(u32),
    /// A number between ends, of all those of an instance.
    Between(u32),
}

impl End {
    /// The number of the node in arcs: secrets come first.
    pub(super) fn node(self, secrets: usize) -> u32 {
        match self {
            End::Most(secret) | End::Least(secret) => secret,
            End::Between(at) => secrets as u32 + at,
        }
    }
}

/// `more ≤ less`, or `more ≤ E less` for the E of the constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClaimArc {
    pub(super) more: End,
    pub(super) less: End,
    pub(super) is_alike: bool,
}

/// The arcs of one constraint.
pub(super) struct ClaimArcs {
    pub(super) arcs: Vec<ClaimArc>,
    /// For each number between ends how far it is on the way from all H to all E h, above 0 and below 1.
    pub(super) between: Vec<f64>,
}

impl ClaimArcs {
    /// The arcs of a constraint whose numbers between ends are counted from `first`.
    pub(super) fn of(alike: &Alike, first: u32) -> Self {
        let mut claim = Claim { first, arcs: Vec::new(), levels: Vec::new() };
        let members = &alike.members[..];
        if members.len() <= FEW {
            for &more in members {
                for &less in members.iter().filter(|&&less| less != more) {
                    claim.alike(End::Most(more), less);
                }
            }
        } else {
            let tree = claim.tree(members);
            let height = tree.height;
            claim.descend(&tree, None, height);
        }
        let top = claim.levels.iter().max().map_or(1, |&top| top + 1);
        let between = claim.levels.iter().map(|&level| f64::from(level) / f64::from(top)).collect();
        ClaimArcs { arcs: claim.arcs, between }
    }
}

/// Members, and the largest H among them.
struct Tree {
    top: End,
    height: u32,
    children: Option<Box<[Tree; 2]>>,
}

/// Arcs under construction, with how far from the H's each number between ends is.
struct Claim {
    first: u32,
    arcs: Vec<ClaimArc>,
    levels: Vec<u32>,
}

impl Claim {
    fn between(&mut self, level: u32) -> End {
        self.levels.push(level);
        End::Between(self.first + self.levels.len() as u32 - 1)
    }

    fn below(&mut self, more: End, less: End) {
        self.arcs.push(ClaimArc { more, less, is_alike: false });
    }

    fn alike(&mut self, more: End, less: u32) {
        self.arcs.push(ClaimArc { more, less: End::Least(less), is_alike: true });
    }

    fn tree(&mut self, members: &[u32]) -> Tree {
        if let [member] = members {
            return Tree { top: End::Most(*member), height: 0, children: None };
        }
        let (left, right) = members.split_at(members.len() / 2);
        let children = [self.tree(left), self.tree(right)];
        let height = 1 + children.iter().map(|child| child.height).max().expect("two children");
        let top = self.between(height);
        children.iter().for_each(|child| self.below(child.top, top));
        Tree { top, height, children: Some(Box::new(children)) }
    }

    /// Meets the least of every member with the largest of all others, those outside of the node among them.
    fn descend(&mut self, node: &Tree, outside: Option<End>, level: u32) {
        let Some(children) = &node.children else { return };
        for (child, sibling) in [(&children[0], &children[1]), (&children[1], &children[0])] {
            let others = outside.into_iter().chain([sibling.top]);
            if let (End::Most(member), None) = (child.top, &child.children) {
                others.for_each(|other| self.alike(other, member));
                continue;
            }
            let outside = match outside {
                None => sibling.top,
                Some(_) => {
                    let outside = self.between(level + 1);
                    others.for_each(|other| self.below(other, outside));
                    outside
                }
            };
            self.descend(child, Some(outside), level + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // What reaches the least of a member through arcs: the largest of every other member once factors are counted, never its own.
        #[test]
        fn every_member_meets_all_others_and_not_itself(count in 2u32..60, first in 0u32..9) {
            let members: Vec<u32> = (0..count).map(|at| 3 * at).collect();
            let alike = Alike { members: members.clone(), epsilon: "1".parse().unwrap(), exp: 1f64.exp() };
            let claim = ClaimArcs::of(&alike, first);
            prop_assert!(claim.between.iter().all(|&level| 0.0 < level && level < 1.0));
            prop_assert!(claim.arcs.len() <= 6 * members.len().max(7));
            for &member in &members {
                let (mut met, mut seen) = (Vec::new(), vec![End::Least(member)]);
                while let Some(end) = seen.pop() {
                    for arc in claim.arcs.iter().filter(|arc| arc.less == end) {
                        prop_assert_eq!(arc.is_alike, matches!(end, End::Least(_)));
                        match arc.more {
                            End::Most(other) => met.push(other),
                            more => seen.push(more),
                        }
                    }
                }
                met.sort_unstable();
                met.dedup();
                prop_assert_eq!(met, members.iter().copied().filter(|&other| other != member).collect::<Vec<_>>());
            }
            // Along an arc numbers grow, so that all of them can start apart.
            let level = |end: End| match end {
                End::Most(_) => 0.0,
                End::Least(_) => 1.0,
                End::Between(at) => claim.between[(at - first) as usize],
            };
            prop_assert!(claim.arcs.iter().all(|arc| level(arc.more) < level(arc.less)));
        }
    }
}
