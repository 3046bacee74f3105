//! The laws that optimal designs keep on every instance, in the objective they minimise, up to the repair's cost.

use crate::oracle::instance::{Budget, Goal, Instance, Kind};
use crate::oracle::strategy::{BUDGETS, any_goal, instances, one_bit, one_in};
use crate::oracle::*;
use lookalike::design::Design;
use lookalike::exact::Rational;
use lookalike::model::Prior;
use proptest::prelude::*;

/// `less` is an optimum, and so not above what `more` reaches.
fn assert_not_above(instance: &Instance, less: &Design, more: &Design) {
    let (value, other) = (less.objective.value, more.objective.value);
    let tolerance = AGREEMENT + repair_allowance(instance, less);
    assert!(value <= other + tolerance, "{} has {value}, {} only {other}", less.name, more.name);
}

/// Both are optima of problems that mean the same.
fn assert_equal(instance: &Instance, one: &Design, other: &Design) {
    assert_not_above(instance, one, other);
    assert_not_above(instance, other, one);
}

fn any_instances() -> impl Strategy<Value = Instance> {
    let kinds = [Kind::Aware, Kind::Shared, Kind::Point].map(|kind| instances(kind, any_goal()).boxed());
    proptest::strategy::Union::new(kinds)
}

fn optimal(instance: &Instance) -> Design {
    designed_optimally(&instance.problem())
}

/// Local privacy for the values, at the smallest ε of the instance, with how often each value occurs as the prior.
fn optimal_local(instance: &Instance) -> Design {
    let d = instance.categories;
    let (edges, groups) = (Vec::new(), vec![((0..d).collect(), instance.smallest_budget())]);
    let local = Instance { kind: Kind::Point, edges, groups, prior: vec![1; d], ..instance.clone() };
    let share = |weights: &[u64], at: usize| Rational::new(weights[at].into(), weights.iter().sum::<u64>().into());
    let secrets = 0..instance.profiles.len();
    let weight = |x| secrets.clone().map(|s| share(&instance.prior, s) * share(&instance.profiles[s], x)).sum();
    let prior = Prior::new(&(0..d).map(weight).collect::<Vec<Rational>>()).unwrap();
    designed_optimally(&local.problem().with_prior(prior).unwrap())
}

impl Instance {
    /// The secrets in another order: `order[new]` is the old place.
    fn with_secrets_reordered(&self, order: &[usize]) -> Instance {
        let place = |old: usize| order.iter().position(|&at| at == old).unwrap();
        Instance {
            profiles: order.iter().map(|&old| self.profiles[old].clone()).collect(),
            prior: order.iter().map(|&old| self.prior[old]).collect(),
            edges: self.edges.iter().map(|&(a, b, budget)| (place(a), place(b), budget)).collect(),
            groups: self
                .groups
                .iter()
                .map(|(all, budget)| (all.iter().map(|&a| place(a)).collect(), *budget))
                .collect(),
            ..self.clone()
        }
    }

    /// The categories in another order, and with them the secrets when these are values.
    fn with_categories_reordered(&self, order: &[usize]) -> Instance {
        let mut reordered = self.clone();
        if self.kind == Kind::Point {
            reordered = self.with_secrets_reordered(order);
        }
        for profile in &mut reordered.profiles {
            *profile = order.iter().map(|&old| profile[old]).collect();
        }
        if let Goal::Loss(quarters) = &self.goal {
            let row = |&x: &usize| order.iter().map(|&y| quarters[x][y]).collect();
            reordered.goal = Goal::Loss(order.iter().map(row).collect());
        }
        reordered
    }

    fn demands(&self) -> usize {
        self.edges.len() + self.groups.len()
    }

    /// Without one of its edges, counted first, or one member of a group; a group of two goes whole. `None` when
    /// nothing would be left to look alike.
    fn without_demand(&self, at: usize, member: usize) -> Option<Instance> {
        let mut fewer = self.clone();
        match at.checked_sub(self.edges.len()) {
            None => drop(fewer.edges.remove(at)),
            Some(group) if self.groups[group].0.len() > 2 => {
                let members = &mut fewer.groups[group].0;
                members.remove(member % members.len());
            }
            Some(group) => drop(fewer.groups.remove(group)),
        }
        (fewer.demands() > 0).then_some(fewer)
    }

    /// With another ε on one of its edges or groups, counted edges first.
    fn with_budget(&self, at: usize, change: impl Fn(Budget) -> Budget) -> Instance {
        let mut changed = self.clone();
        match at.checked_sub(self.edges.len()) {
            None => changed.edges[at].2 = change(changed.edges[at].2),
            Some(group) => changed.groups[group].1 = change(changed.groups[group].1),
        }
        changed
    }
}

proptest! {
    #![proptest_config(one_in(4))]

    #[test]
    fn aware_is_below_shared_is_below_local(shared in instances(Kind::Shared, any_goal())) {
        let (aware, channel) = (shared.of_kind(Kind::Aware), optimal(&shared));
        assert_not_above(&aware, &optimal(&aware), &channel);
        assert_not_above(&shared, &channel, &designed(&shared.problem(), "k-rr"));
        assert_not_above(&shared, &channel, &optimal_local(&shared));
    }

    #[test]
    fn one_bit_cluster_is_above_smooth_one_bit_is_above_categorical(instance in one_bit()) {
        let problem = instance.problem();
        let (cluster, smooth) = (designed(&problem, "one-bit-cluster"), designed(&problem, "smooth-one-bit"));
        assert_not_above(&instance, &smooth, &cluster);
        let categorical = optimal(&instance);
        assert_not_above(&instance, &categorical, &smooth);
        assert_equal(&instance, &categorical, &designed_with_asymmetric_flips(&problem));
    }

    #[test]
    fn a_larger_budget_never_costs(instance in any_instances(), at: prop::sample::Index, step in 1usize..4) {
        let rank = |budget: Budget| BUDGETS.iter().position(|&other| other == budget).unwrap();
        let more = |budget| BUDGETS[(rank(budget) + step).min(BUDGETS.len() - 1)];
        let larger = instance.with_budget(at.index(instance.demands()), more);
        assert_not_above(&larger, &optimal(&larger), &optimal(&instance));
    }

    #[test]
    fn one_edge_less_never_costs(instance in any_instances(), at: prop::sample::Index, member in 0usize..7) {
        if let Some(fewer) = instance.without_demand(at.index(instance.demands()), member) {
            assert_not_above(&fewer, &optimal(&fewer), &optimal(&instance));
        }
    }

    #[test]
    fn the_names_of_profiles_do_not_matter(
        instance in prop_oneof![instances(Kind::Aware, any_goal()), instances(Kind::Shared, any_goal())],
        keys: [u32; 7],
    ) {
        let mut order: Vec<usize> = (0..instance.profiles.len()).collect();
        order.sort_by_key(|&at| keys[at]);
        assert_equal(&instance, &optimal(&instance), &optimal(&instance.with_secrets_reordered(&order)));
    }

    #[test]
    fn the_names_of_categories_do_not_matter(instance in any_instances(), keys: [u32; 5]) {
        let mut order: Vec<usize> = (0..instance.categories).collect();
        match instance.goal {
            // Places are counted: only the direction is free.
            Goal::OrdinalError => order.reverse(),
            _ => order.sort_by_key(|&at| keys[at]),
        }
        assert_equal(&instance, &optimal(&instance), &optimal(&instance.with_categories_reordered(&order)));
    }
}
