//! The distinct budgets of a graph.

use super::{Epsilon, SecretGraph};
use std::collections::HashMap;

/// The distinct ε of a graph by number, so that what is the same for all pairs with one ε is done once.
pub struct Budgets<'a> {
    distinct: Vec<&'a Epsilon>,
    of_constraint: Vec<u32>,
}

impl<'a> Budgets<'a> {
    /// The budgets of a graph.
    pub fn of(graph: &'a SecretGraph) -> Self {
        let mut numbers: HashMap<&Epsilon, u32> = HashMap::new();
        let (mut distinct, mut of_constraint) = (Vec::new(), Vec::with_capacity(graph.edges().len()));
        let mut last: Option<(&Epsilon, u32)> = None;
        for constraint in graph.constraints() {
            let epsilon = constraint.epsilon;
            let number = match last {
                // Neighbours nearly always have the same ε, and then nothing is hashed.
                Some((before, number)) if before == epsilon => number,
                _ => *numbers.entry(epsilon).or_insert_with(|| {
                    distinct.push(epsilon);
                    distinct.len() as u32 - 1
                }),
            };
            last = Some((epsilon, number));
            of_constraint.push(number);
        }
        Budgets { distinct, of_constraint }
    }

    /// The distinct ε in the order in which the graph's constraints first name them.
    pub fn distinct(&self) -> &[&'a Epsilon] {
        &self.distinct
    }

    /// For each constraint of the graph, in order, the place of its ε in [`Budgets::distinct`].
    pub fn of_constraints(&self) -> &[u32] {
        &self.of_constraint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Names;

    #[test]
    fn equal_budgets_have_one_number_however_they_are_written() {
        let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b", "c", "d"]).unwrap());
        for (a, b, epsilon) in [(0, 1, "ln(9)"), (1, 2, "1/2"), (2, 3, "2*ln(3)")] {
            builder.edge(a, b, epsilon.parse().unwrap()).unwrap();
        }
        builder.group("g", vec![0, 3], "0.5".parse().unwrap()).unwrap();
        let graph = builder.build().unwrap();
        let budgets = Budgets::of(&graph);
        assert_eq!(budgets.distinct().iter().map(ToString::to_string).collect::<Vec<_>>(), ["2*ln(3)", "1/2"]);
        assert_eq!(budgets.of_constraints(), [0, 1, 0, 1]);
    }
}
