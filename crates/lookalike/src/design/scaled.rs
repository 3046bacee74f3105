//! The same problem at another ε.

use super::Problem;
use crate::Result;
use crate::exact::{Direction, Epsilon, Rational};
use crate::model::SecretGraph;
use std::collections::HashMap;

/// Bits of a proportion that is no fraction.
const BITS: u64 = 48;

impl Problem {
    /// The same problem with its budgets scaled by one factor, so that the largest becomes `epsilon`.
    ///
    /// Where all pairs have one ε that is a replacement. Where budgets differ their proportions stay: with budgets of
    /// 1 and 1/4, `epsilon` = 2 gives 2 and 1/2. A proportion that is no fraction, such as 1/4 to ln 2, is rounded
    /// down by a share of about 2^−48, so no pair gets more than its part. The proportions do not depend on
    /// `epsilon`: a larger one gives every pair a larger budget.
    ///
    /// # Errors
    /// A scaled budget outside (0, 100,000].
    ///
    /// # Complexity
    /// O(edges · log edges).
    pub fn with_epsilon(self, epsilon: &Epsilon) -> Result<Self> {
        let graph = scaled(self.graph(), epsilon)?;
        Ok(self.with_graph(graph))
    }
}

/// The graph with every ε multiplied by `epsilon` over its largest one.
fn scaled(graph: &SecretGraph, epsilon: &Epsilon) -> Result<SecretGraph> {
    let budgets = graph.epsilons();
    let largest = *budgets.last().expect("a graph has an edge");
    let scale = |&before: &&Epsilon| Ok((before.clone(), epsilon.scale(&proportion(before, largest))?));
    let scaled = budgets.iter().map(scale).collect::<Result<HashMap<Epsilon, Epsilon>>>()?;
    let mut builder = SecretGraph::builder(graph.names().clone());
    for edge in graph.edges() {
        let [a, b] = edge.ends();
        builder.edge(a, b, scaled[edge.epsilon()].clone())?;
    }
    for group in graph.groups() {
        builder.group(group.name(), group.members().to_vec(), scaled[group.epsilon()].clone())?;
    }
    builder.build()
}

/// `budget / largest`, rounded down where it is no fraction.
fn proportion(budget: &Epsilon, largest: &Epsilon) -> Rational {
    if let Some(exact) = budget.ratio(largest) {
        return exact;
    }
    // Enclosures have an absolute width; a tiny budget needs narrower ones.
    let mut bits = 2 * BITS;
    loop {
        let quotient = budget.enclose(bits).divide(&largest.enclose(bits), 2 * BITS);
        match quotient.filter(|quotient| quotient.is_positive() && quotient.lower().mantissa().bits() > BITS) {
            Some(quotient) => return quotient.lower().round(BITS, Direction::Down).to_rational(),
            None => bits *= 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Options, design};
    use crate::exact::{parse_rational, to_f64};
    use crate::model::{Categories, Distribution, Names};
    use proptest::prelude::*;

    fn problem(budgets: [&str; 3]) -> Problem {
        let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b", "c"]).unwrap());
        let [ab, bc, all] = budgets.map(|text| text.parse::<Epsilon>().unwrap());
        builder.edge(0, 1, ab).unwrap();
        builder.edge(1, 2, bc).unwrap();
        builder.group("all", vec![0, 1, 2], all).unwrap();
        let law = |p: &str| {
            let p = parse_rational(p).unwrap();
            Distribution::new(&[Rational::from_integer(1.into()) - &p, p]).unwrap()
        };
        let laws = ["0.1", "0.5", "0.8"].map(law).to_vec();
        Problem::profiles(Categories::new(["no", "yes"]).unwrap(), builder.build().unwrap(), laws).unwrap()
    }

    fn budgets(problem: &Problem) -> Vec<String> {
        problem.graph().constraints().map(|constraint| constraint.epsilon.to_string()).collect()
    }

    #[test]
    fn one_budget_is_replaced_and_several_keep_their_proportions() {
        let at = |text: &str| text.parse::<Epsilon>().unwrap();
        let one = problem(["1/2", "1/2", "1/2"]).with_epsilon(&at("ln(3)")).unwrap();
        assert_eq!(budgets(&one), ["ln(3)", "ln(3)", "ln(3)"]);
        let several = problem(["1/2", "1/4", "1"]).with_epsilon(&at("2")).unwrap();
        assert_eq!(budgets(&several), ["1", "1/2", "2"]);
        let logarithms = problem(["ln(2)", "ln(8)", "ln(4)"]).with_epsilon(&at("0.3")).unwrap();
        assert_eq!(budgets(&logarithms), ["1/10", "3/10", "1/5"]);
        assert!(problem(["1", "1", "1"]).with_epsilon(&at("100000")).is_ok());
    }

    #[test]
    fn a_proportion_that_is_no_fraction_is_rounded_down_and_hardly() {
        for (small, large) in [("1/4", "ln(2)"), ("1e-30", "ln(2)"), ("sqrt(2)", "ln(5)"), ("ln(2)", "ln(3)")] {
            let [small, large] = [small, large].map(|text| text.parse::<Epsilon>().unwrap());
            let found = proportion(&small, &large);
            assert!(large.scale(&found).unwrap() < small);
            let (found, expected) = (to_f64(&found, Direction::Nearest), small.to_f64() / large.to_f64());
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
        }
    }

    proptest! {
        #[test]
        fn a_larger_epsilon_gives_every_pair_more_and_never_costs_more(tenths in 1u32..30, more in 1u32..30) {
            let problem = problem(["ln(2)", "1/4", "1/2"]);
            let at = |tenths: u32| {
                let epsilon = format!("{tenths}/10").parse().unwrap();
                problem.clone().with_epsilon(&epsilon).unwrap()
            };
            let (small, large) = (at(tenths), at(tenths + more));
            for (small, large) in small.graph().constraints().zip(large.graph().constraints()) {
                prop_assert!(small.epsilon < large.epsilon);
            }
            let value = |problem: &Problem| design(problem, &Options::default()).unwrap().objective.value;
            prop_assert!(value(&large) <= value(&small) + 1e-10);
        }
    }
}
