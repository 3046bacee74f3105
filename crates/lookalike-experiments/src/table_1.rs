//! Table 1: the profiles of Categorical-Chain, and the least noise that hides them.

use crate::experiment::{Chart, Finding, Outcome};
use crate::figure_2b::LAST;
use crate::proved::{designed, float};
use crate::settings::{categorical_chain, twentieths};
use crate::table::{Cell, Table};
use lookalike::design::MechanismName;
use lookalike::exact::Rational;
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The mechanisms, the least noisy first.
const MECHANISMS: [MechanismName; 3] =
    [MechanismName::SmoothCategorical, MechanismName::Cluster, MechanismName::RandomizedResponse];

/// The largest flip of each mechanism at one ε, and what none can go below.
struct Level {
    epsilon: String,
    value: Rational,
    flips: Vec<Rational>,
    lower_bound: f64,
}

/// For the profiles of Table 1 and each ε the least possible largest flip, with its proof from below.
pub(crate) fn run() -> Result<Outcome> {
    let mut levels = Vec::new();
    for (at, (text, epsilon)) in (1..).zip(twentieths(LAST)) {
        let problem = categorical_chain(&epsilon)?;
        let proved = MECHANISMS.into_iter().map(|name| designed(&problem, name)).collect::<Result<Vec<_>>>()?;
        levels.push(Level {
            epsilon: text,
            value: Rational::new(at.into(), 20.into()),
            flips: proved.iter().map(crate::Proved::largest_flip).collect(),
            lower_bound: proved[0].objective.lower_bound,
        });
    }
    Ok(Outcome {
        caption: "P1 = (0.2, 0.3, 0.4, 0.1), P2 = (0.3, 0.3, 0.3, 0.1) and P3 = (0.4, 0.4, 0.1, 0.1), P1 alike P2 and \
                  P2 alike P3. The largest transition probability off the diagonal: the least possible, problem (6); \
                  that of the cluster mechanism, Algorithm 2's idea for any number of categories; and that of 4-ary \
                  randomized response, 1/(e^ε + 3). The least possible value is the same for all optimal solutions."
            .into(),
        table: table(levels.iter(), ["epsilon", "smooth_categorical", "cluster", "k_rr"]),
        highlights: table(
            levels.iter().filter(|level| ["0.10", "0.20", "0.50", "1.00", "1.10"].contains(&&*level.epsilon)),
            ["epsilon", "smooth categorical", "cluster", "k-rr"],
        ),
        charts: vec![Chart { suffix: String::new(), chart: chart(&levels).into() }],
        findings: findings(&levels),
        open: Vec::new(),
    })
}

fn table<'a>(levels: impl Iterator<Item = &'a Level>, columns: [&str; 4]) -> Table {
    let mut table = Table::new(columns);
    for level in levels {
        table.row(std::iter::once(Cell::from(&*level.epsilon)).chain(level.flips.iter().map(Cell::from)));
    }
    table
}

fn chart(levels: &[Level]) -> LineChart {
    let line = |name: &str, mechanism: usize, style: Style| {
        let points = levels.iter().map(|level| (float(&level.value), float(&level.flips[mechanism]))).collect();
        Series { name: name.into(), points, style }
    };
    LineChart {
        title: "Largest flip for the profiles of Table 1".into(),
        x: Axis::new("ε").from_to(0.0, 1.2),
        y: Axis::new("largest flip probability").from_to(0.0, 0.25),
        series: vec![
            line("4-ary randomized response", 2, Style::Baseline),
            line("cluster", 1, Style::Plain(2)),
            line("Smooth Categorical", 0, Style::Ours),
        ],
        marks: Vec::new(),
    }
}

fn findings(levels: &[Level]) -> Vec<Finding> {
    let close = |level: &&Level| float(&level.flips[0]) - level.lower_bound < 1e-9;
    let below = |level: &&Level| level.flips[0] <= level.flips[1] && level.flips[1] < level.flips[2];
    let (proven, better) = (levels.iter().filter(close).count(), levels.iter().filter(below).count());
    vec![
        Finding {
            statement: "The transition matrices are optimal for (6).".into(),
            holds: proven == levels.len(),
            evidence: format!("a proven lower bound is within 1e-9 at {proven} of {} ε", levels.len()),
        },
        Finding {
            statement: "Profile-based privacy never needs more noise than local differential privacy (Theorem 9)."
                .into(),
            holds: better == levels.len(),
            evidence: format!("less at {better} of {} ε", levels.len()),
        },
    ]
}
