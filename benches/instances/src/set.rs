//! The set.

use crate::graphs::{self, Graph};
use crate::laws;
use crate::windows;
use crate::{Channels, Instance, Objective, Random};
use Channels::{Aware, Point, Shared};

/// All instances, always the same and in the same order; names are unique.
pub fn all() -> Vec<Instance> {
    let mut set = Vec::new();
    set.extend(dirichlet());
    set.extend(fitted());
    set.extend(extremes());
    set.extend(large());
    set.extend(values());
    set.extend(chains());
    set
}

/// Profiles that are uniform over all laws, on random graphs of degree 6 and on chains.
fn dirichlet() -> Vec<Instance> {
    let mut set = Vec::new();
    for (count, categories) in [(30, 8), (60, 12), (100, 16)] {
        for (shape, chained) in [("sparse", false), ("chain", true)] {
            for epsilon in ["0.05", "0.5", "2"] {
                for objective in Objective::ALL {
                    for channels in [Aware, Shared] {
                        let random = &mut Random::new(1);
                        let profiles = laws::dirichlet(random, count, categories);
                        let graph = if chained {
                            graphs::chain(count, epsilon)
                        } else {
                            graphs::sparse(random, count, 6, &[epsilon])
                        };
                        let kind = format!("dirichlet-{shape}-{count}x{categories}-{epsilon}");
                        set.push(instance(&kind, channels, objective, categories, profiles, graph));
                    }
                }
            }
        }
    }
    set
}

/// Profiles from counts of records, on graphs of every kind.
fn fitted() -> Vec<Instance> {
    let one = |seed: u64| {
        let random = &mut Random::new(1000 + seed);
        let (count, categories) = (random.between(5, 60) as usize, random.between(2, 12) as usize);
        let epsilons = ["0.01", "0.1", "0.2", "0.5", "1", "3"];
        let epsilon = *random.pick(&epsilons);
        let profiles = laws::fitted(random, count, categories);
        let (shape, graph) = match seed % 5 {
            0 => ("complete", graphs::complete(count, epsilon)),
            1 => ("star", graphs::star(count, epsilon)),
            2 => ("overlapping", graphs::groups_and_edges(random, count, &epsilons)),
            3 => ("edges", graphs::sparse(random, count, 4, &epsilons)),
            _ => ("chain", graphs::chain(count, epsilon)),
        };
        let objective = Objective::ALL[seed as usize % 4];
        let channels = if random.below(3) == 0 { Shared } else { Aware };
        let kind = format!("fitted-{seed}-{shape}-{count}x{categories}");
        instance(&kind, channels, objective, categories, profiles, graph)
    };
    (0..200).map(one).collect()
}

/// What has stopped solvers: tiny and large ε, nearly equal profiles, rare categories, weights of every size, graphs in
/// several parts, windows along a line.
fn extremes() -> Vec<Instance> {
    let mut set = Vec::new();
    for (at, objective) in Objective::ALL.into_iter().enumerate() {
        for channels in [Aware, Shared] {
            let random = &mut Random::new(7000 + at as u64);
            let laws = |random: &mut Random| laws::dirichlet(random, 24, 6);
            let mut add = |kind: &str, profiles: Vec<Vec<u64>>, graph: Graph| {
                let categories = profiles[0].len();
                set.push(instance(kind, channels, objective, categories, profiles, graph));
            };
            for epsilon in ["0.001", "0.01", "5"] {
                let profiles = laws(random);
                let graph = graphs::sparse(random, 24, 6, &[epsilon]);
                add(&format!("epsilon-{epsilon}"), profiles, graph);
            }
            let profiles = laws::near_ties(random, 24, 6);
            add("near-ties", profiles, graphs::chain(24, "0.001"));
            let profiles = laws::near_ties(random, 12, 6);
            add("near-ties-group", profiles, graphs::complete(12, "0.002"));
            let profiles = laws::rare(random, 24, 6);
            let graph = graphs::sparse(random, 24, 4, &["0.1", "1"]);
            add("rare", profiles, graph);
            add("windows", laws(random), graphs::windows(24, 6, "0.3"));
            add("blocks", laws(random), graphs::blocks(24, 5, "0.3"));
            let profiles = laws(random);
            let graph = graphs::groups_and_edges(random, 24, &["0.05", "0.5"]);
            add("groups-and-edges", profiles, graph);
            let mut equal = laws::dirichlet(random, 1, 6);
            equal.resize(24, equal[0].clone());
            equal[0] = laws::dirichlet(random, 1, 6).remove(0);
            add("equal", equal, graphs::chain(24, "0.2"));
            let profiles = laws(random);
            let graph = graphs::sparse(random, 24, 6, &["0.3"]);
            let mut weighted = instance("weighted", channels, objective, 6, profiles, graph);
            weighted.prior = (0..24).map(|_| 10u64.pow(random.below(13) as u32)).collect();
            set.push(weighted);
        }
    }
    set
}

/// Larger ones, to k·d of 10⁵.
fn large() -> Vec<Instance> {
    let mut set = Vec::new();
    let mut add =
        |seed: u64, (count, categories): (usize, usize), objective: Objective, epsilon: &str, chained: bool| {
            let random = &mut Random::new(seed);
            let profiles = laws::dirichlet(random, count, categories);
            let graph =
                if chained { graphs::chain(count, epsilon) } else { graphs::sparse(random, count, 6, &[epsilon]) };
            let shape = if chained { "chain" } else { "sparse" };
            let kind = format!("large-{shape}-{count}x{categories}-{epsilon}-{seed}");
            set.push(instance(&kind, Aware, objective, categories, profiles, graph));
        };
    for seed in [11, 12, 13] {
        for size in [(60, 12), (80, 16), (100, 20), (150, 24)] {
            add(seed, size, Objective::Ordinal, "0.5", false);
            add(seed, size, Objective::MaxFlip, "0.2", false);
            add(seed, size, Objective::ExpectedError, "0.1", false);
        }
        add(seed, (300, 8), Objective::MaxFlip, "0.2", false);
        add(seed, (40, 20), Objective::Squared, "0.5", false);
    }
    add(14, (200, 32), Objective::MaxFlip, "0.2", false);
    add(14, (400, 16), Objective::Ordinal, "0.5", false);
    for objective in [Objective::ExpectedError, Objective::Ordinal, Objective::MaxFlip] {
        add(15, (2000, 10), objective, "0.5", true);
    }
    add(15, (6000, 16), Objective::ExpectedError, "0.5", true);
    set
}

/// Channels between values.
fn values() -> Vec<Instance> {
    let mut set = Vec::new();
    for categories in [3, 6, 12, 24] {
        for objective in [Objective::ExpectedError, Objective::Ordinal, Objective::Squared] {
            for epsilon in ["0.05", "0.5", "2"] {
                let random = &mut Random::new(90 + categories as u64);
                let sparse = graphs::sparse(random, categories, 3, &[epsilon]);
                for (shape, graph) in [
                    ("chain", graphs::chain(categories, epsilon)),
                    ("complete", graphs::complete(categories, epsilon)),
                    ("sparse", sparse),
                ] {
                    let kind = format!("values-{shape}-{categories}-{epsilon}");
                    set.push(instance(&kind, Point, objective, categories, Vec::new(), graph));
                }
            }
        }
    }
    set
}

/// Counts over windows of a chain, one channel for all: a framework of correlated moments.
fn chains() -> Vec<Instance> {
    let mut set = Vec::new();
    for length in [4, 8, 15] {
        for stay in [0.6, 0.9, 0.99] {
            for epsilon in ["0.1", "1"] {
                for objective in Objective::ALL {
                    let (profiles, graph) = windows::counts_in_a_window(length, stay, epsilon);
                    let kind = format!("chain-window-{length}-{stay}-{epsilon}");
                    set.push(instance(&kind, Shared, objective, length + 1, profiles, graph));
                }
            }
        }
    }
    set
}

fn instance(
    kind: &str,
    channels: Channels,
    objective: Objective,
    categories: usize,
    profiles: Vec<Vec<u64>>,
    graph: Graph,
) -> Instance {
    let name = format!("{kind}-{}-{}", channels.name(), objective.name());
    let Graph { edges, groups } = graph;
    Instance { name, channels, objective, categories, profiles, edges, groups, prior: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_many_instances_with_names_of_their_own() {
        let set = all();
        let names: BTreeSet<&str> = set.iter().map(|instance| instance.name.as_str()).collect();
        assert!(set.len() >= 500 && names.len() == set.len(), "{} instances, {} names", set.len(), names.len());
    }

    #[test]
    fn every_instance_has_profiles_of_its_categories_and_members_that_exist() {
        for instance in all() {
            let secrets = instance.secrets() as u32;
            let fits =
                |profile: &Vec<u64>| profile.len() == instance.categories && profile.iter().any(|&mass| mass > 0);
            assert!(instance.profiles.iter().all(fits), "{}", instance.name);
            assert!(instance.edges.iter().all(|&(a, b, _)| a != b && a < secrets && b < secrets), "{}", instance.name);
            let members = |group: &Vec<u32>| group.len() > 1 && group.iter().all(|&member| member < secrets);
            assert!(instance.groups.iter().all(|(group, _)| members(group)), "{}", instance.name);
            assert!(instance.prior.is_empty() || instance.prior.len() == instance.secrets(), "{}", instance.name);
        }
    }
}
