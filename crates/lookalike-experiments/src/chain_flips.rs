//! Smooth One Bit against One Bit Cluster on both chains.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::{designed, float};
use crate::settings::{bernoulli_chain, twentieths};
use crate::table::{Cell, Table};
use lookalike::design::MechanismName;
use lookalike::exact::Rational;
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The chains of the paper.
const CHAINS: [u32; 2] = [6, 21];
/// The last ε of the picture, in twentieths.
const LAST: i64 = 20;
/// The mechanisms, the least noisy first.
const MECHANISMS: [MechanismName; 3] =
    [MechanismName::SmoothOneBit, MechanismName::OneBitCluster, MechanismName::RandomizedResponse];

/// A chain at one ε, and the largest flip that each mechanism needs for it.
struct Level {
    count: u32,
    epsilon: String,
    value: Rational,
    flips: Vec<Rational>,
}

/// For both chains and each ε the largest flip of the paper's two mechanisms and of the baseline.
pub(crate) fn run() -> Result<Outcome> {
    let mut levels = Vec::new();
    for count in CHAINS {
        for (at, (text, epsilon)) in (1..).zip(twentieths(LAST)) {
            let problem = bernoulli_chain(count, &epsilon)?;
            let flip = |name| Ok(designed(&problem, name)?.largest_flip());
            let flips = MECHANISMS.into_iter().map(flip).collect::<Result<_>>()?;
            levels.push(Level { count, epsilon: text, value: Rational::new(at.into(), 20.into()), flips });
        }
    }
    Ok(Outcome {
        caption:
            "The largest flip probability that any user of a Bernoulli chain needs. One Bit Cluster (Algorithm 2) \
                  gives every user what the costliest edge asks for; Smooth One Bit (Algorithm 3) lets flip \
                  probabilities differ along the chain, and its largest one is the least possible. Unlike the laws of \
                  Figure 3 this value is the same for all optimal solutions."
                .into(),
        table: table(&levels, &["epsilon", "chain", "smooth_one_bit", "one_bit_cluster", "warner"], |_| true),
        highlights: table(
            &levels,
            &["epsilon", "chain", "smooth one bit", "one bit cluster", "randomized response"],
            |level| ["0.20", "0.50", "1.00"].contains(&&*level.epsilon),
        ),
        charts: CHAINS.into_iter().enumerate().map(|(at, count)| chart(&levels, count, at > 0)).collect(),
        findings: findings(&levels),
        open: Vec::new(),
    })
}

fn table(levels: &[Level], columns: &[&str], shown: impl Fn(&Level) -> bool) -> Table {
    let mut table = Table::new(columns.iter().copied());
    for level in levels.iter().filter(|level| shown(level)) {
        let start = [Cell::from(&*level.epsilon), level.count.to_string().into()];
        table.row(start.into_iter().chain(level.flips.iter().map(Cell::from)));
    }
    table
}

fn chart(levels: &[Level], count: u32, has_suffix: bool) -> Chart {
    let line = |name: &str, mechanism: usize, style: Style| {
        let here = levels.iter().filter(|level| level.count == count);
        let points = here.map(|level| (float(&level.value), float(&level.flips[mechanism]))).collect();
        Series { name: name.into(), points, style }
    };
    let chart = LineChart {
        title: format!("Largest flip on the chain of {count} profiles"),
        x: Axis::new("ε").from_to(0.0, 1.0),
        y: Axis::new("largest flip probability").from_to(0.0, 0.5),
        series: vec![
            line("Warner's randomized response", 2, Style::Baseline),
            line("One Bit Cluster", 1, Style::Plain(2)),
            line("Smooth One Bit", 0, Style::Ours),
        ],
        marks: Vec::new(),
    };
    Chart { suffix: if has_suffix { format!("{count}") } else { String::new() }, chart: chart.into() }
}

fn findings(levels: &[Level]) -> Vec<Finding> {
    let rising = |level: &&Level| level.flips.windows(2).all(|pair| pair[0] < pair[1]);
    let ordered = levels.iter().filter(rising).count();
    vec![Finding {
        statement: "Smooth One Bit needs less noise than One Bit Cluster, and that less than the baseline.".into(),
        holds: ordered == levels.len(),
        evidence: format!("{ordered} of {} designs", levels.len()),
    }]
}
