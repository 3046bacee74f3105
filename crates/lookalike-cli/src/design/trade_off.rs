//! `design --sweep`: the trade-off between privacy and utility.

use super::report::decimal_text;
use crate::terminal::{Terminal, figure, small, whole_table};
use lookalike::exact::Epsilon;
use lookalike_engine::{SweepPointFacts, SweptDesign};
use lookalike_formats::{Result, json_of};

/// What is shown of a point; the mechanism itself is not kept.
pub struct Row {
    epsilon: Epsilon,
    facts: SweepPointFacts,
}

impl Row {
    pub fn of(point: SweptDesign) -> Row {
        Row { facts: point.facts(), epsilon: point.epsilon }
    }

    fn cells(&self) -> Vec<String> {
        let SweepPointFacts { objective, baseline, expected_error, algorithm, .. } = &self.facts;
        vec![
            decimal_text(&self.epsilon),
            figure(objective.value),
            figure(objective.lower_bound),
            small(objective.gap),
            figure(baseline.value),
            figure(*expected_error),
            "yes".to_owned(),
            (*algorithm).to_owned(),
        ]
    }
}

/// The table for people, or an array for machines.
pub fn print(rows: &[Row], terminal: &Terminal) -> Result<()> {
    let objective = rows.first().map_or("objective", |row| row.facts.objective.name);
    let header = ["epsilon", objective, "lower bound", "gap", "local DP", "error", "certified", "algorithm"];
    let facts: Vec<&SweepPointFacts> = rows.iter().map(|row| &row.facts).collect();
    terminal.answer(json_of(&facts), || whole_table(&header, rows.iter().map(Row::cells)))
}
