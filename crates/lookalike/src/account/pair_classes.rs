//! The distinct lists of ε that the pairs of a graph have in several graphs, without writing out the pairs of groups.
//!
//! Secrets that are in the same groups, of all graphs, form a class. What a pair has by groups depends on its two
//! classes alone; what it has by edges is looked up for the few pairs that have an edge. So a group of a million
//! secrets is one class, and one pair of it stands for all.

use crate::exact::Epsilon;
use crate::model::{Budgets, Edge, Names, SecretGraph};
use std::collections::{BTreeMap, HashMap};

/// The distinct ε of each graph, ascending, and lists of places in these, each with an example pair.
pub(super) struct PairLists<'a> {
    pub(super) epsilons: Vec<Vec<&'a Epsilon>>,
    pub(super) lists: Vec<(Vec<u32>, [u32; 2])>,
    /// Whether the lists only bound those of the pairs from above.
    pub(super) are_bounds: bool,
}

/// Beyond so many steps from class to class the lists are bounds.
const MOST_STEPS: usize = 1 << 20;
/// The place of an ε that there is not; larger than any other.
const NONE: u32 = u32::MAX;

/// The distinct lists that the pairs of the first graph have in all graphs. Secrets are matched by name, and all graphs
/// have the same; pairs are in the numbering of the first.
///
/// # Errors
/// A pair of the first graph that another one leaves out.
pub(super) fn lists_of_pairs<'a>(graphs: &[&'a SecretGraph]) -> Result<PairLists<'a>, [u32; 2]> {
    lists_within(graphs, MOST_STEPS)
}

fn lists_within<'a>(graphs: &[&'a SecretGraph], most_steps: usize) -> Result<PairLists<'a>, [u32; 2]> {
    let numbered: Vec<Numbered<'a>> = graphs.iter().map(|graph| Numbered::new(graph, graphs[0].names())).collect();
    let exact = Classes::new(&numbered, graphs[0].names().len()).lists(&numbered, most_steps)?;
    let are_bounds = exact.is_none();
    let lists = match exact {
        Some(lists) => lists,
        None => {
            check_pairs(graphs)?;
            bounds(&numbered)
        }
    };
    let epsilons = numbered.into_iter().map(|graph| graph.epsilons).collect();
    Ok(PairLists { epsilons, lists: lists.into_iter().collect(), are_bounds })
}

/// Distinct lists, each with the first pair that was found to have it.
type Lists = BTreeMap<Vec<u32>, [u32; 2]>;

/// A graph in the numbering of the first, each ε by its place.
struct Numbered<'a> {
    epsilons: Vec<&'a Epsilon>,
    /// Ascending.
    edges: Vec<([u32; 2], u32)>,
    /// Ascending, and so are the members of each.
    groups: Vec<(Vec<u32>, u32)>,
}

impl<'a> Numbered<'a> {
    fn new(graph: &'a SecretGraph, first: &Names) -> Self {
        let budgets = Budgets::of(graph);
        let mut order: Vec<usize> = (0..budgets.distinct().len()).collect();
        order.sort_by_key(|&number| budgets.distinct()[number]);
        let epsilons = order.iter().map(|&number| budgets.distinct()[number]).collect();
        let mut places = vec![NONE; order.len()];
        (0..).zip(order).for_each(|(place, number)| places[number] = place);
        let mut of_constraint = budgets.of_constraints().iter().map(|&number| places[number as usize]);
        let numbers: Vec<u32> = if graph.names() == first {
            (0..first.len() as u32).collect()
        } else {
            graph.names().iter().map(|name| first.place(name).expect("the same names")).collect()
        };
        let numbered = |secrets: &[u32]| {
            let mut secrets: Vec<u32> = secrets.iter().map(|&secret| numbers[secret as usize]).collect();
            secrets.sort_unstable();
            secrets
        };
        let ends = |edge: &Edge| {
            let [a, b] = edge.ends().map(|end| numbers[end as usize]);
            [a.min(b), a.max(b)]
        };
        let mut edges: Vec<_> = graph.edges().iter().map(ends).zip(&mut of_constraint).collect();
        let mut groups: Vec<_> =
            graph.groups().iter().map(|group| numbered(group.members())).zip(of_constraint).collect();
        edges.sort_unstable_by_key(|edge| edge.0);
        groups.sort_unstable();
        Numbered { epsilons, edges, groups }
    }
}

/// Secrets by the groups that they are in.
struct Classes {
    of_secret: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// The groups of each class, ascending, numbered through all graphs.
    groups: Vec<Vec<u32>>,
    /// For each group its graph, and the place of its ε.
    of_group: Vec<(usize, u32)>,
}

impl Classes {
    /// By splitting: each group takes its members out of the classes that they were in.
    fn new(graphs: &[Numbered<'_>], secrets: usize) -> Self {
        let all_groups = || graphs.iter().enumerate().flat_map(|(at, graph)| graph.groups.iter().map(move |g| (at, g)));
        let mut part = vec![0u32; secrets];
        // For each part the last group that took members out of it, and the part that they are in now.
        let mut taken = vec![(NONE, 0u32)];
        for (number, (_, (members, _))) in (0..).zip(all_groups()) {
            for &member in members {
                let part = &mut part[member as usize];
                if taken[*part as usize].0 != number {
                    taken[*part as usize] = (number, taken.len() as u32);
                    taken.push((NONE, 0));
                }
                *part = taken[*part as usize].1;
            }
        }
        let mut classes = Classes { of_secret: part, members: Vec::new(), groups: Vec::new(), of_group: Vec::new() };
        classes.number(taken.len());
        classes.groups = vec![Vec::new(); classes.members.len()];
        for (number, (at, (members, place))) in (0..).zip(all_groups()) {
            classes.of_group.push((at, *place));
            for &member in members {
                let class = classes.of_secret[member as usize] as usize;
                if classes.members[class][0] == member {
                    classes.groups[class].push(number);
                }
            }
        }
        classes
    }

    /// Numbers the parts that are not empty in the order of their first secret.
    fn number(&mut self, parts: usize) {
        let mut numbers = vec![NONE; parts];
        for (secret, class) in (0..).zip(&mut self.of_secret) {
            let number = &mut numbers[*class as usize];
            if *number == NONE {
                *number = self.members.len() as u32;
                self.members.push(Vec::new());
            }
            *class = *number;
            self.members[*class as usize].push(secret);
        }
    }

    /// The lists of the pairs that the first graph protects; `None` after too many steps.
    fn lists(&self, graphs: &[Numbered<'_>], most_steps: usize) -> Result<Option<Lists>, [u32; 2]> {
        let with_edge = pairs_with_edge(graphs);
        let (mut lists, mut counts) = (Lists::new(), HashMap::new());
        for (pair, by_edge) in &with_edge {
            let classes = pair.map(|secret| self.of_secret[secret as usize]);
            *counts.entry([classes[0].min(classes[1]), classes[0].max(classes[1])]).or_insert(0u64) += 1;
            let by_groups = self.by_groups(classes, graphs.len());
            let list = by_groups.iter().zip(by_edge).map(|(group, edge)| *group.min(edge)).collect();
            enter(&mut lists, list, || *pair)?;
        }
        let Some(class_pairs) = self.pairs(graphs[0].groups.len(), most_steps) else { return Ok(None) };
        for classes in class_pairs {
            let size = |class: u32| self.members[class as usize].len() as u64;
            let [a, b] = classes.map(size);
            let pairs = if classes[0] == classes[1] { a * (a - 1) / 2 } else { a * b };
            // Some pair has no edge, and only its groups count.
            if pairs > counts.get(&classes).copied().unwrap_or(0) {
                let list = self.by_groups(classes, graphs.len());
                enter(&mut lists, list, || self.pair_without_edge(classes, &with_edge))?;
            }
        }
        Ok(Some(lists))
    }

    /// The pairs of classes, also of a class with itself, that share one of the first groups.
    fn pairs(&self, first_groups: usize, most_steps: usize) -> Option<Vec<[u32; 2]>> {
        let mut of_group = vec![Vec::new(); first_groups];
        for (class, groups) in (0u32..).zip(&self.groups) {
            let first = groups.iter().take_while(|&&group| (group as usize) < first_groups);
            first.for_each(|&group| of_group[group as usize].push(class));
        }
        let (mut pairs, mut steps, mut seen_by) = (Vec::new(), 0, vec![u32::MAX; self.groups.len()]);
        for (class, groups) in (0u32..).zip(&self.groups) {
            let first = groups.iter().take_while(|&&group| (group as usize) < first_groups);
            for &other in first.flat_map(|&group| &of_group[group as usize]) {
                steps += 1;
                if steps > most_steps {
                    return None;
                }
                if other >= class && seen_by[other as usize] != class {
                    seen_by[other as usize] = class;
                    pairs.push([class, other]);
                }
            }
        }
        Some(pairs)
    }

    /// The list that a pair of these classes has by groups alone.
    fn by_groups(&self, classes: [u32; 2], graphs: usize) -> Vec<u32> {
        let mut list = vec![NONE; graphs];
        let [one, other] = classes.map(|class| &self.groups[class as usize]);
        let mut rest = other.iter().peekable();
        for group in one {
            while rest.next_if(|next| *next < group).is_some() {}
            if rest.peek() == Some(&group) {
                let (graph, place) = self.of_group[*group as usize];
                list[graph] = list[graph].min(place);
            }
        }
        list
    }

    /// A pair of these classes that has no edge, where there is one.
    fn pair_without_edge(&self, classes: [u32; 2], with_edge: &[(Pair, Vec<u32>)]) -> Pair {
        let [one, other] = classes.map(|class| &self.members[class as usize]);
        let pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| [a.min(b), a.max(b)]));
        let plain = |[a, b]: &Pair| a != b && with_edge.binary_search_by_key(&[*a, *b], |(pair, _)| *pair).is_err();
        pairs.into_iter().find(plain).expect("fewer edges than pairs")
    }
}

type Pair = [u32; 2];

/// The pairs that have an edge in some graph, ascending, each with the places of its ε by edges.
fn pairs_with_edge(graphs: &[Numbered<'_>]) -> Vec<(Pair, Vec<u32>)> {
    let of_graph = |(at, graph): (usize, &Numbered<'_>)| {
        graph.edges.iter().map(|&(pair, place)| (pair, at, place)).collect::<Vec<_>>()
    };
    let mut edges: Vec<(Pair, usize, u32)> = graphs.iter().enumerate().flat_map(of_graph).collect();
    edges.sort_unstable();
    let list = |run: &[(Pair, usize, u32)]| {
        let mut list = vec![NONE; graphs.len()];
        run.iter().for_each(|&(_, at, place)| list[at] = place);
        (run[0].0, list)
    };
    edges.chunk_by(|one, next| one.0 == next.0).map(list).collect()
}

/// Enters a list unless it is there, or belongs to a pair that the first graph leaves out.
fn enter(lists: &mut Lists, list: Vec<u32>, pair: impl FnOnce() -> Pair) -> Result<(), Pair> {
    if list[0] == NONE || lists.contains_key(&list) {
        return Ok(());
    }
    if list.contains(&NONE) {
        return Err(pair());
    }
    lists.insert(list, pair());
    Ok(())
}

/// Whether every graph protects the pairs of the first one.
fn check_pairs(graphs: &[&SecretGraph]) -> Result<(), Pair> {
    let names = graphs[0].names();
    let mut builder = SecretGraph::builder(names.clone());
    let largest = graphs.iter().flat_map(|graph| graph.epsilons()).max().expect("a graph has a pair");
    for edge in graphs[0].edges() {
        builder.edge(edge.ends()[0], edge.ends()[1], largest.clone()).expect("an edge of the graph");
    }
    for group in graphs[0].groups() {
        builder.group(group.name(), group.members().to_vec(), largest.clone()).expect("a group of the graph");
    }
    let demanded = builder.build().expect("a graph has a pair");
    match graphs[1..].iter().find_map(|graph| graph.first_pair_short_of(&demanded)) {
        None => Ok(()),
        Some((a, b, _)) => Err([a, b].map(|name| names.place(&name).expect("the same names"))),
    }
}

/// Lists that bound those of all pairs: by edge and group where all graphs have the same, else of the largest ε alone.
fn bounds(graphs: &[Numbered<'_>]) -> Lists {
    let first = &graphs[0];
    let same = |graph: &Numbered<'_>| {
        graph.edges.iter().map(|edge| edge.0).eq(first.edges.iter().map(|edge| edge.0))
            && graph.groups.iter().map(|group| &group.0).eq(first.groups.iter().map(|group| &group.0))
    };
    if !graphs.iter().all(same) {
        let example = first.groups.first().map(|group| ends_of(&group.0));
        let pair = example.or(first.edges.first().map(|edge| edge.0)).expect("a graph has a pair");
        let largest = graphs.iter().map(|graph| graph.epsilons.len() as u32 - 1).collect();
        return Lists::from([(largest, pair)]);
    }
    let mut lists = Lists::new();
    for (at, edge) in first.edges.iter().enumerate() {
        lists.entry(graphs.iter().map(|graph| graph.edges[at].1).collect()).or_insert(edge.0);
    }
    for (at, group) in first.groups.iter().enumerate() {
        let list = graphs.iter().map(|graph| graph.groups[at].1).collect();
        lists.entry(list).or_insert_with(|| ends_of(&group.0));
    }
    lists
}

/// The first and the last member of a group: the pair that a smaller group inside it is the least likely to hold.
fn ends_of(members: &[u32]) -> Pair {
    [members[0], members[members.len() - 1]]
}

#[cfg(test)]
#[path = "pair_classes_tests.rs"]
mod tests;
