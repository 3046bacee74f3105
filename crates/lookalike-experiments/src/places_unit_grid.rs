//! Places on a grid of 5×5 cells: the reference values, and the trap of noise that is cut off.

use crate::experiment::{Chart, Finding, Outcome};
use crate::place_mechanisms::{Candidate, OPTIMAL, PLANAR, REMAPPED, TRUNCATED, candidates, is_at_most, labels, style};
use crate::proved::float;
use crate::table::{Cell, Table};
use lookalike::certify::certify;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::geo::{Cells, GeoLoss, optimal, truncated_at};
use lookalike::model::{Loss, Mechanism, Prior};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, CellMap, LineChart, Series};

/// Cells a side.
const SIDE: u32 = 5;
/// A unit of length is a kilometre, so that maps have a scale.
const METRES: f64 = 1_000.0;
const EPSILONS: [&str; 3] = ["0.5", "1", "2"];
const DILATIONS: [&str; 2] = ["1.05", "1.5"];
/// Where the reference values are: at this ε, loss by dilation and number of edges, each with (ε/δ)·distance.
const EPSILON: &str = "1";
const LOSSES: [(&str, &str, usize); 3] = [("1", "1.22868", 200), ("1.05", "1.26576", 120), ("1.5", "1.38595", 40)];
/// What noise gives away that is cut off at the edge with decay 1.
const TRAP: &str = "1.321";
/// The cell whose output laws are shown: one off the middle.
const SHOWN: u32 = 6;

/// The mechanisms at one ε.
struct Level {
    epsilon: &'static str,
    found: Vec<Candidate>,
    /// The ε that noise of decay ε really has, and whether exact arithmetic agrees on both sides of it.
    trap: (f64, bool),
}

/// For each ε the expected loss of each mechanism, and what cut-off noise gives away.
pub(crate) fn run() -> Result<Outcome> {
    let cells = Cells::new(SIDE, SIDE, Rational::from_integer(1.into()))?;
    let (prior, loss) = (Prior::uniform(cells.len())?, GeoLoss::Euclidean.of(&cells)?);
    let level = |epsilon: &'static str| {
        let budget: Epsilon = epsilon.parse()?;
        let found = candidates(&cells, &budget, (&prior, &loss), &DILATIONS)?;
        Ok(Level { epsilon, found, trap: trap(&cells, &budget)? })
    };
    let levels = EPSILONS.into_iter().map(level).collect::<Result<Vec<_>>>()?;
    let reference = levels.iter().find(|level| level.epsilon == EPSILON).expect("it is one of them");
    Ok(Outcome {
        caption: "A place in one of 5×5 cells of side 1 is released as one of them, so that cells at distance d are alike within \
                  ε·d. All cells are equally likely, and the loss is the distance of what is released. Planar noise is drawn on \
                  the endless grid and brought to the nearest cell; remapping replaces what is released by what is best under \
                  the prior. The optimum is that of a linear program over all 300 pairs, or over the edges of a spanner whose \
                  paths are at most δ times as long as the straight lines, at ε/δ' for the δ' ≤ δ that it turns out to have. \
                  Every mechanism is certified for all pairs. \
                  On maps the unit is a kilometre."
            .into(),
        table: table(&levels),
        highlights: table(std::slice::from_ref(reference)),
        charts: charts(&levels, reference),
        findings: findings(&levels, reference, &as_published(&cells, (&prior, &loss))?)?,
        open: vec![
            "The reference values of the optimum are those of an independent program; the papers print no numbers for this grid."
                .into(),
        ],
    })
}

/// Loss and edges of the optimum with ε/δ on each edge, δ being what was asked for: at ε·δ'/δ our edges have just that.
fn as_published(cells: &Cells, aims: (&Prior, &Loss)) -> Result<Vec<(f64, usize)>> {
    let of_dilation = |(dilation, ..): (&str, &str, usize)| {
        let (dilation, epsilon) = (parse_rational(dilation)?, EPSILON.parse::<Epsilon>()?);
        let own = optimal(cells, &epsilon, aims, &dilation, &Watch::default())?.dilation;
        let found = optimal(cells, &epsilon.scale(&(own / &dilation))?, aims, &dilation, &Watch::default())?;
        Ok((found.value, found.edges))
    };
    LOSSES.into_iter().map(of_dilation).collect()
}

/// The ε of noise that is cut off with decay ε; a claim a millionth above it must certify, and one below it must not.
fn trap(cells: &Cells, epsilon: &Epsilon) -> Result<(f64, bool)> {
    let found = true_epsilon(cells, &truncated_at(cells, epsilon, epsilon)?);
    let certifies = |claim: f64| -> Result<bool> {
        let claim = Epsilon::rational(Rational::from_float(claim).expect("finite"))?;
        Ok(certify(truncated_at(cells, epsilon, &claim)?).is_ok())
    };
    Ok((found, certifies(found + 1e-6)? && !certifies(found - 1e-6)?))
}

/// The largest logarithm of a likelihood ratio over the distance.
fn true_epsilon(cells: &Cells, mechanism: &Mechanism) -> f64 {
    let (channel, count) = (&mechanism.channels()[0], cells.len() as u32);
    let weight = |x: u32, z: usize| channel.weight(x as usize, z) as f64;
    let of_pair = |(a, b): (u32, u32)| {
        let largest = (0..cells.len()).map(|z| (weight(a, z) / weight(b, z)).ln()).fold(0.0, f64::max);
        largest / cells.distance(a, b)
    };
    let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b);
    pairs.map(of_pair).fold(0.0, f64::max)
}

fn table(levels: &[Level]) -> Table {
    let mut table = Table::new(["what", "epsilon", "value", "reference"]);
    for level in levels {
        let known = |what: usize| level.epsilon == EPSILON && what == OPTIMAL;
        for (at, (label, one)) in labels(&DILATIONS).iter().zip(&level.found).enumerate() {
            let pairs =
                one.edges.filter(|_| at > OPTIMAL).map_or_else(String::new, |edges| format!(" of {edges} edges"));
            let reference = if known(at) { LOSSES[0].1 } else { "-" };
            let what = format!("loss: {label}{pairs}");
            table.row([what.into(), level.epsilon.into(), Cell::from(&one.loss), reference.into()]);
        }
        let decay = level.found[TRUNCATED].decay.as_ref().map_or(0.0, Epsilon::to_f64);
        let reference = if level.epsilon == EPSILON { TRAP } else { "-" };
        table.row(["decay: cut-off noise private at ε".into(), level.epsilon.into(), number(decay), "-".into()]);
        table.row([
            "true ε: noise cut off with decay ε".into(),
            level.epsilon.into(),
            number(level.trap.0),
            reference.into(),
        ]);
    }
    table
}

fn number(value: f64) -> Cell {
    Rational::from_float(value).map_or_else(|| Cell::from("-"), Cell::from)
}

fn charts(levels: &[Level], reference: &Level) -> Vec<Chart> {
    let line = |(at, name): (usize, String)| Series {
        name,
        points: levels
            .iter()
            .map(|level| (level.epsilon.parse().unwrap_or(0.0), float(&level.found[at].loss)))
            .collect(),
        style: style(at),
    };
    let losses = LineChart {
        title: "5×5 cells: expected loss".into(),
        x: Axis::new("ε a unit").logarithmic(),
        y: Axis::new("expected distance"),
        series: labels(&DILATIONS).into_iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    let law = |at: usize, name: &str| {
        let channel = &reference.found[at].proved.mechanism().channels()[0];
        CellMap {
            title: format!("{name} for one cell at ε = {EPSILON}"),
            columns: SIDE as usize,
            step: METRES,
            values: (0..channel.outputs()).map(|z| float(&channel.probability(SHOWN as usize, z))).collect(),
            truth: Some(SHOWN as usize),
        }
    };
    vec![
        Chart { suffix: String::new(), chart: losses.into() },
        Chart { suffix: "planar".into(), chart: law(PLANAR, "Planar noise").into() },
        Chart { suffix: "optimum".into(), chart: law(OPTIMAL, "The optimum").into() },
    ]
}

fn findings(levels: &[Level], reference: &Level, published: &[(f64, usize)]) -> Result<Vec<Finding>> {
    let half_of_the_last = 5e-6;
    let is_met = |((_, expected, edges), (value, found)): (&(&str, &str, usize), &(f64, usize))| {
        edges == found
            && expected.parse::<f64>().is_ok_and(|expected| (value - expected).abs() < half_of_the_last * 1.001)
    };
    let shown: Vec<String> = published.iter().map(|(value, _)| format!("{value:.5}")).collect();
    let better: Vec<f64> = reference.found[OPTIMAL + 1..].iter().map(|found| float(&found.loss)).collect();
    let is_better = better.iter().zip(&published[1..]).all(|(better, (value, _))| better < value);
    let (true_epsilon, is_decided) = reference.trap;
    let trap = float(&parse_rational(TRAP)?);
    Ok(vec![
        Finding {
            statement: "At ε = 1 the least loss is 1.22868 on all pairs; with ε/δ on the edges of spanners it is 1.26576 for δ = 1.05 \
                        (120 edges) and 1.38595 for δ = 1.5 (40 edges)."
                .into(),
            holds: LOSSES.iter().zip(published).all(is_met),
            evidence: shown.join(", "),
        },
        Finding {
            statement: "Spanners have a smaller dilation than they are asked for; spending it costs less.".into(),
            holds: is_better,
            evidence: better.iter().map(|value| format!("{value:.5}")).collect::<Vec<_>>().join(", "),
        },
        Finding {
            statement: "Noise that is cut off at the edge with decay 1 gives away 1.321 a unit, not 1.".into(),
            holds: is_decided && (true_epsilon - trap).abs() < 5e-4,
            evidence: format!(
                "{true_epsilon:.6}; exact arithmetic {} between a millionth less and a millionth more. At decay {:.4} it is 1",
                if is_decided { "puts it" } else { "does not put it" },
                reference.found[TRUNCATED].decay.as_ref().map_or(0.0, Epsilon::to_f64)
            ),
        },
        order(levels.iter().map(|level| level.found.as_slice())),
    ])
}

/// The order of the losses, over all settings of an experiment.
pub(crate) fn order<'a>(settings: impl Iterator<Item = &'a [Candidate]> + Clone) -> Finding {
    let is_ordered = |found: &&[Candidate]| {
        let spanners = &found[OPTIMAL + 1..];
        found[REMAPPED].loss <= found[PLANAR].loss
            && [REMAPPED, TRUNCATED].into_iter().all(|other| is_at_most(&found[OPTIMAL].loss, &found[other].loss))
            && spanners.iter().all(|spanner| is_at_most(&found[OPTIMAL].loss, &spanner.loss))
    };
    let (all, ordered) = (settings.clone().count(), settings.clone().filter(is_ordered).count());
    let gap = |found: &[Candidate]| {
        let (loss, bound) = (float(&found[OPTIMAL].loss), found[OPTIMAL].lower_bound.unwrap_or(0.0));
        (loss - bound) / loss
    };
    let is_proven = settings.map(gap).all(|gap| gap < 1e-6);
    Finding {
        statement: "Remapped noise costs at most what it costs plain, the optimum at most that or cut-off noise, and a spanner at \
                    least the optimum."
            .into(),
        holds: ordered == all && is_proven,
        evidence: format!(
            "at {ordered} of {all} ε; a proven bound is {} a millionth of the optimum",
            if is_proven { "within" } else { "not within" }
        ),
    }
}
