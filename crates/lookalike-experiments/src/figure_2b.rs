//! Figure 2(b): Categorical-Chain under the baseline.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::{designed, distance, float};
use crate::settings::{categorical_chain, twentieths};
use crate::table::{Cell, Table};
use crate::transition_range::costs;
use lookalike::design::MechanismName;
use lookalike::exact::Rational;
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The last ε of the picture, in twentieths; beyond ln 3 Figure 2(c) is flat.
pub(crate) const LAST: i64 = 24;

/// The costs of the four categories at one ε.
struct Level {
    epsilon: String,
    value: Rational,
    costs: Vec<Rational>,
}

/// For the profiles of Table 1 under k-ary randomized response: how far each category's probability moves.
pub(crate) fn run() -> Result<Outcome> {
    let mut levels = Vec::new();
    for (at, (text, epsilon)) in (1..).zip(twentieths(LAST)) {
        let proved = designed(&categorical_chain(&epsilon)?, MechanismName::RandomizedResponse)?;
        let value = Rational::new(at.into(), 20.into());
        levels.push(Level { epsilon: text, value, costs: costs(proved.mechanism()) });
    }
    Ok(Outcome {
        caption: "The three profiles of Table 1 under 4-ary randomized response. The cost of a category is the most \
                  that any profile's probability of it moves: |P_i(j) − (P_i A)(j)|, definition (8). Randomized \
                  response draws every probability towards 1/4 alike."
            .into(),
        table: table(levels.iter()),
        highlights: table(
            levels.iter().filter(|level| ["0.05", "0.10", "0.20", "0.50", "1.00"].contains(&&*level.epsilon)),
        ),
        charts: vec![Chart { suffix: String::new(), chart: chart(&levels).into() }],
        findings: vec![alike(&levels)],
        open: vec!["The range of ε: shown is 0.05 to 1.2.".into()],
    })
}

fn table<'a>(levels: impl Iterator<Item = &'a Level>) -> Table {
    let mut table = Table::new(["epsilon", "category_1", "category_2", "category_3", "category_4"]);
    for level in levels {
        table.row(std::iter::once(Cell::from(&*level.epsilon)).chain(level.costs.iter().map(Cell::from)));
    }
    table
}

fn chart(levels: &[Level]) -> LineChart {
    let points = levels.iter().map(|level| (float(&level.value), float(&level.costs[0]))).collect();
    LineChart {
        title: "Cost of a category, k-ary randomized response".into(),
        x: Axis::new("ε").from_to(0.0, 1.2),
        y: Axis::new("largest error of the category's probability").from_to(0.0, COST),
        series: vec![Series { name: "each of the four categories".into(), points, style: Style::Baseline }],
        marks: Vec::new(),
    }
}

/// The top of the axis of costs, the same for Figures 2(b) and 2(c).
pub(crate) const COST: f64 = 0.2;

fn alike(levels: &[Level]) -> Finding {
    let spread =
        |level: &Level| distance(level.costs.iter().max().expect("four"), level.costs.iter().min().expect("four"));
    let widest = levels.iter().map(spread).max().expect("an epsilon");
    Finding {
        statement: "The baseline exploits none of the structure.".into(),
        holds: widest < Rational::new(1.into(), 1_000_000_000_000i64.into()),
        evidence: "all four categories cost the same at every ε: 0.6/(e^ε + 3)".into(),
    }
}
