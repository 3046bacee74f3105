//! The secret graph: which secrets must look alike, and how much.

use super::{Budgets, Constraint, Edge, Epsilon, Group, Names};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Named secrets with an undirected budget ε for every pair that must look alike.
///
/// A group of k mutually alike secrets is stored as a group, not as k² edges. Where a pair is named twice, the
/// smaller ε holds. Cloning is cheap.
///
/// # Example
/// ```
/// use lookalike_core::model::{Names, SecretGraph};
/// let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo", "cleo"])?);
/// builder.edge(0, 1, "1/2".parse()?)?;
/// builder.group("everyone", vec![0, 1, 2], "ln(3)".parse()?)?;
/// let graph = builder.build()?;
/// assert_eq!(graph.pairs(), 3);
/// assert_eq!(graph.epsilon_between(1, 0).unwrap().to_string(), "1/2");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SecretGraph(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    names: Names,
    edges: Vec<Edge>,
    groups: Vec<Group>,
    /// For each secret the first one of its component.
    first_of_component: OnceLock<Vec<u32>>,
}

/// Collects edges and groups; [`GraphBuilder::build`] makes the graph.
#[derive(Debug, Clone)]
pub struct GraphBuilder {
    names: Names,
    edges: Vec<Edge>,
    groups: Vec<Group>,
}

impl GraphBuilder {
    /// The secrets.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Two secrets, in either order, must look alike within ε.
    ///
    /// # Errors
    /// A secret that does not exist, or twice the same.
    pub fn edge(&mut self, a: u32, b: u32, epsilon: Epsilon) -> Result<()> {
        self.known(a)?;
        self.known(b)?;
        if a == b {
            return Err(Error::input(format!(
                "edge from {:?} to itself, expected two different secrets",
                self.names.name(a)
            )));
        }
        self.edges.push(Edge { ends: [a.min(b), a.max(b)], epsilon });
        Ok(())
    }

    /// Every two members must look alike within ε. A group of one asks for nothing.
    ///
    /// # Errors
    /// No member, a member that does not exist, or one that occurs twice.
    pub fn group(&mut self, name: &str, mut members: Vec<u32>, epsilon: Epsilon) -> Result<()> {
        members.sort_unstable();
        for &member in &members {
            self.known(member).map_err(|error| error.at(format!("group {name:?}")))?;
        }
        if members.is_empty() {
            return Err(Error::input(format!("group {name:?} is empty, expected at least two members")));
        }
        if let Some(pair) = members.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::input(format!("group {name:?} names {:?} twice", self.names.name(pair[0]))));
        }
        if members.len() > 1 {
            self.groups.push(Group { name: name.to_owned(), members, epsilon });
        }
        Ok(())
    }

    /// Each secret and the next one.
    pub fn chain(&mut self, epsilon: &Epsilon) {
        self.within(1, epsilon);
    }

    /// The first secret and each other one.
    pub fn star(&mut self, epsilon: &Epsilon) {
        let count = self.names.len() as u32;
        self.edges.extend((1..count).map(|leaf| Edge { ends: [0, leaf], epsilon: epsilon.clone() }));
    }

    /// Every two secrets, stored as one group.
    pub fn complete(&mut self, epsilon: &Epsilon) {
        let members: Vec<u32> = (0..self.names.len() as u32).collect();
        if members.len() > 1 {
            self.groups.push(Group { name: "all".to_owned(), members, epsilon: epsilon.clone() });
        }
    }

    /// Secrets at most `distance` places apart, for ordered values.
    pub fn within(&mut self, distance: u32, epsilon: &Epsilon) {
        let count = self.names.len() as u32;
        if count > 2 && distance >= count - 1 {
            return self.complete(epsilon);
        }
        for a in 0..count {
            let last = a.saturating_add(distance).min(count - 1);
            self.edges.extend((a + 1..=last).map(|b| Edge { ends: [a, b], epsilon: epsilon.clone() }));
        }
    }

    /// The graph.
    ///
    /// # Errors
    /// A graph in which nothing must look alike.
    pub fn build(mut self) -> Result<SecretGraph> {
        if self.edges.is_empty() && self.groups.is_empty() {
            return Err(Error::input(
                "the graph has no edge, so nothing would be protected (expected edges, a group of two or more, or a shape)",
            ));
        }
        // Stable by pair, smallest ε first, so that the first of equals is the one that holds.
        self.edges.sort_by(|one, other| one.ends.cmp(&other.ends).then_with(|| one.epsilon.cmp(&other.epsilon)));
        self.edges.dedup_by_key(|edge| edge.ends);
        self.edges.shrink_to_fit();
        let GraphBuilder { names, edges, groups } = self;
        Ok(SecretGraph(Arc::new(Inner { names, edges, groups, first_of_component: OnceLock::new() })))
    }

    fn known(&self, secret: u32) -> Result<()> {
        let count = self.names.len();
        if (secret as usize) < count {
            return Ok(());
        }
        Err(Error::input(format!("secret number {secret}, expected a number below {count}")))
    }
}

impl SecretGraph {
    /// Starts a graph over these secrets.
    pub fn builder(names: Names) -> GraphBuilder {
        GraphBuilder { names, edges: Vec::new(), groups: Vec::new() }
    }

    /// The secrets.
    pub fn names(&self) -> &Names {
        &self.0.names
    }

    /// The edges, ascending by their ends, each pair once.
    pub fn edges(&self) -> &[Edge] {
        &self.0.edges
    }

    /// The groups in the order given.
    pub fn groups(&self) -> &[Group] {
        &self.0.groups
    }

    /// Edges, then groups, seen alike.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint<'_>> {
        let edges = self.0.edges.iter().map(|edge| Constraint { members: &edge.ends, epsilon: &edge.epsilon });
        let groups = self.0.groups.iter().map(|group| Constraint { members: &group.members, epsilon: &group.epsilon });
        edges.chain(groups)
    }

    /// The distinct budgets, ascending.
    pub fn epsilons(&self) -> Vec<&Epsilon> {
        let mut distinct = Budgets::of(self).distinct().to_vec();
        distinct.sort();
        distinct
    }

    /// The budget of a pair: the smallest ε of its edge and of the groups that hold both. `None` when the pair need
    /// not look alike.
    ///
    /// Takes time linear in the number of groups.
    pub fn epsilon_between(&self, a: u32, b: u32) -> Option<&Epsilon> {
        let inside = |group: &&Group| [a, b].iter().all(|end| group.members.binary_search(end).is_ok());
        self.0.groups.iter().filter(inside).map(|group| &group.epsilon).chain(self.edge_between(a, b)).min()
    }

    fn edge_between(&self, a: u32, b: u32) -> Option<&Epsilon> {
        let ends = [a.min(b), a.max(b)];
        self.0.edges.binary_search_by(|edge| edge.ends.cmp(&ends)).ok().map(|at| &self.0.edges[at].epsilon)
    }

    /// How many pairs must look alike, each counted once.
    ///
    /// Secrets that are in the same groups form a class; a class is joined to another when they share a group, so
    /// overlapping groups are counted without writing out their pairs.
    pub fn pairs(&self) -> u64 {
        let classes: Vec<(Vec<u32>, u64)> = self.classes().into_iter().collect();
        let mut of_group = vec![Vec::new(); self.0.groups.len()];
        for (at, (groups, _)) in classes.iter().enumerate() {
            groups.iter().for_each(|&group| of_group[group as usize].push(at));
        }
        let (mut pairs, mut seen_by) = (0, vec![usize::MAX; classes.len()]);
        for (at, (groups, size)) in classes.iter().enumerate() {
            pairs += size * (size - 1) / 2;
            for &other in groups.iter().flat_map(|&group| &of_group[group as usize]) {
                if other > at && seen_by[other] != at {
                    seen_by[other] = at;
                    pairs += size * classes[other].1;
                }
            }
        }
        let memberships = self.memberships();
        let of = |secret: u32| memberships.get(&secret).map_or(&[][..], Vec::as_slice);
        pairs + self.0.edges.iter().filter(|edge| !shares(of(edge.ends[0]), of(edge.ends[1]))).count() as u64
    }

    /// The groups of each secret that is in one, ascending.
    fn memberships(&self) -> BTreeMap<u32, Vec<u32>> {
        let mut memberships: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (at, group) in self.0.groups.iter().enumerate() {
            for &member in &group.members {
                memberships.entry(member).or_default().push(at as u32);
            }
        }
        memberships
    }

    fn classes(&self) -> BTreeMap<Vec<u32>, u64> {
        let mut classes = BTreeMap::new();
        for groups in self.memberships().into_values() {
            *classes.entry(groups).or_insert(0) += 1;
        }
        classes
    }

    /// The connected components, each ascending, in the order of their first secret. Secrets without an edge are
    /// components of one.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let firsts = self.first_of_component();
        let mut place = vec![0u32; firsts.len()];
        let mut components: Vec<Vec<u32>> = Vec::new();
        for (secret, &first) in (0u32..).zip(firsts) {
            if secret == first {
                place[secret as usize] = components.len() as u32;
                components.push(Vec::new());
            }
            components[place[first as usize] as usize].push(secret);
        }
        components
    }

    /// For each secret the first one that a chain of edges connects it to: itself, or an earlier one.
    ///
    /// Found once and kept.
    pub fn first_of_component(&self) -> &[u32] {
        self.0.first_of_component.get_or_init(|| {
            let mut roots: Vec<u32> = (0..self.0.names.len() as u32).collect();
            for constraint in self.constraints() {
                let mut least = root(&mut roots, constraint.members[0]);
                for &member in &constraint.members[1..] {
                    let other = root(&mut roots, member);
                    // The earliest secret is the root.
                    let (low, high) = (least.min(other), least.max(other));
                    roots[high as usize] = low;
                    least = low;
                }
            }
            // A root comes before its tree, so one pass flattens it.
            for secret in 0..roots.len() {
                roots[secret] = roots[roots[secret] as usize];
            }
            roots
        })
    }

    /// The first pair that `demanded` protects and this graph does not, or protects at a larger ε. Secrets are
    /// matched by name.
    ///
    /// A demanded group is looked for as a group first; only where that fails are its pairs tried one by one.
    pub fn first_pair_short_of(&self, demanded: &SecretGraph) -> Option<(String, String, Epsilon)> {
        let place = |secret: u32| self.0.names.place(demanded.0.names.name(secret));
        let memberships = self.memberships();
        let groups_of =
            |place: u32| memberships.get(&place).into_iter().flatten().map(|&at| &self.0.groups[at as usize]);
        let covered = |a: u32, b: u32, epsilon: &Epsilon| match (place(a), place(b)) {
            (Some(a), Some(b)) => {
                let inside = groups_of(a).filter(|group| group.members.binary_search(&b).is_ok());
                inside.map(|group| &group.epsilon).chain(self.edge_between(a, b)).any(|ours| ours <= epsilon)
            }
            _ => false,
        };
        let short = |a: u32, b: u32, epsilon: &Epsilon| {
            let name = |secret| demanded.0.names.name(secret).to_owned();
            (name(a), name(b), epsilon.clone())
        };
        for constraint in demanded.constraints() {
            let places: Option<Vec<u32>> = constraint.members.iter().map(|&member| place(member)).collect();
            let inside = |group: &Group, places: &[u32]| {
                group.epsilon <= *constraint.epsilon
                    && places.iter().all(|place| group.members.binary_search(place).is_ok())
            };
            if places.is_some_and(|places| groups_of(places[0]).any(|group| inside(group, &places))) {
                continue;
            }
            for (at, &a) in constraint.members.iter().enumerate() {
                for &b in &constraint.members[at + 1..] {
                    if !covered(a, b, constraint.epsilon) {
                        return Some(short(a, b, constraint.epsilon));
                    }
                }
            }
        }
        None
    }
}

/// The root of a secret's tree, halving the way to it.
fn root(roots: &mut [u32], mut secret: u32) -> u32 {
    while roots[secret as usize] != secret {
        roots[secret as usize] = roots[roots[secret as usize] as usize];
        secret = roots[secret as usize];
    }
    secret
}

impl PartialEq for SecretGraph {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        std::ptr::eq(a, b) || (a.names == b.names && a.edges == b.edges && a.groups == b.groups)
    }
}

impl Eq for SecretGraph {}

/// Whether two ascending lists have a common element.
fn shares(one: &[u32], other: &[u32]) -> bool {
    one.iter().any(|element| other.binary_search(element).is_ok())
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
