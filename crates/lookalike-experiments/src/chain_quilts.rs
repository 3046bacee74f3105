//! The examples of Markov quilts: one chain, the scores of its quilts, and the noise of each mechanism.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::float;
use crate::table::{Cell, Table};
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::Distribution;
use lookalike::pufferfish::{
    Calibration, Chain, ExactOptions, Initial, Mixing, Quilt, States, approximate, exact_with, group_scale, influence,
};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Mark, Series, Style};

/// From each of the two states, the probability of each.
const STEPS: [[&str; 2]; 2] = [["0.9", "0.1"], ["0.4", "0.6"]];
const SHORT: u64 = 3;
const LONG: u64 = 100;
/// The node whose quilts are drawn, and how far.
const MIDDLE: u64 = 50;
const FARTHEST: u64 = 20;

/// One value of the source, and what is found here.
struct Example {
    length: u64,
    epsilon: &'static str,
    what: &'static str,
    place: String,
    printed: &'static str,
    found: Rational,
}

impl Example {
    fn of(
        length: u64,
        epsilon: &'static str,
        what: &'static str,
        printed: &'static str,
        found: &Calibration,
    ) -> Example {
        let place = format!("X_{} with {}", found.node, named(found.node, found.quilt));
        Example { length, epsilon, what, place, printed, found: found.scale.clone() }
    }

    /// Whether it is the printed value to its four decimals.
    fn agrees(&self) -> bool {
        self.printed.parse::<f64>().is_ok_and(|printed| (float(&self.found) - printed).abs() < 5.1e-5)
    }
}

/// The scores of quilts of a chain of three, and the noise of a chain of a hundred by every mechanism.
pub(crate) fn run() -> Result<Outcome> {
    let stationary = chain(Initial::Stationary)?;
    let mut examples = short(&stationary)?;
    examples.extend(long(&stationary)?);
    let agreeing = examples.iter().filter(|example| example.agrees()).count();
    let ordered = examples[examples.len() - 6..].windows(2).all(|pair| pair[0].found >= pair[1].found);
    Ok(Outcome {
        caption: "A chain of two states that keeps the first with probability 0.9 and the second with 0.6. Which state a node \
                  has is the secret. A quilt of a node stands between it and all that is far away; it needs noise of scale \
                  card/(ε − e), where card nodes are on the near side and e is what the quilt tells of the node. The node \
                  whose best quilt needs the most decides. The count of a state is released with σ·Lap(1)."
            .into(),
        table: table(&examples),
        highlights: table(&examples),
        charts: vec![chart(&stationary)?],
        findings: vec![
            Finding {
                statement: "The scores and scales are the reference values.".into(),
                holds: agreeing == examples.len(),
                evidence: format!("{agreeing} of {} to four decimals", examples.len()),
            },
            Finding {
                statement: "Group DP needs the most noise; then come the two approximate bounds, the exact search over all \
                            states, over those that can occur, and from the stationary law."
                    .into(),
                holds: ordered,
                evidence: "the last six rows in this order".into(),
            },
        ],
        open: vec![
            "Algorithm 2 prints σ/ε for the scale of the noise, which divides by ε twice, and leaves out quilts with one node; \
             shown is σ with all four shapes of quilts."
                .into(),
        ],
    })
}

fn chain(initial: Initial) -> Result<Chain> {
    let rows = STEPS.map(|[stay, leave]| Ok(Distribution::new(&[parse_rational(stay)?, parse_rational(leave)?])?));
    Ok(Chain::new(initial, rows.into_iter().collect::<Result<Vec<_>>>()?)?)
}

/// The four quilts of the middle of three, and the best of all nodes.
fn short(chain: &Chain) -> Result<Vec<Example>> {
    let quilts =
        [(Some(1), None, "0.2437"), (None, Some(1), "0.2437"), (Some(1), Some(1), "0.1558"), (None, None, "0.3")];
    let mut examples = Vec::new();
    for (left, right, printed) in quilts {
        let quilt = Quilt { left, right };
        let found = score(chain, SHORT, 2, quilt, 10)?.unwrap_or_default();
        let place = format!("X_2 with {}", named(2, quilt));
        examples.push(Example { length: SHORT, epsilon: "10", what: "score of a quilt", place, printed, found });
    }
    let found = exact_with(std::slice::from_ref(chain), SHORT, &"10".parse()?, &ExactOptions::default())?;
    examples.push(Example::of(SHORT, "10", "exact, stationary", "0.1558", &found));
    Ok(examples)
}

/// A chain of a hundred: group DP, both approximate bounds, and the exact search in three ways, by falling noise.
fn long(stationary: &Chain) -> Result<Vec<Example>> {
    let epsilon = "1".parse()?;
    let known =
        chain(Initial::Given(Distribution::new(&["1", "0"].map(|text| parse_rational(text).expect("a constant")))?))?;
    let all = ExactOptions { states: States::All, ..ExactOptions::default() };
    let possible = ExactOptions::default();
    // The general formula has g = 3/4: the eigenvalues of PP* are 1 and 1/4.
    let general = Mixing::from_bounds(Rational::new(1.into(), 5.into()), Rational::new(3.into(), 4.into()), false)?;
    let arbitrary = chain(Initial::Arbitrary)?;
    let group = Example {
        length: LONG,
        epsilon: "1",
        what: "group DP",
        place: "all nodes".into(),
        printed: "100",
        found: group_scale(LONG, &epsilon)?,
    };
    let of = |what, printed, found: &Calibration| Example::of(LONG, "1", what, printed, found);
    let exact = |chain: &Chain, options| exact_with(std::slice::from_ref(chain), LONG, &epsilon, options);
    Ok(vec![
        group,
        of("approximate, g = 3/4 (general)", "31.7098", &general.calibrate(LONG, &epsilon)?),
        of("approximate, g = 1 (reversible)", "23.5060", &approximate(&[arbitrary], LONG, &epsilon)?),
        of("exact from the first state, all states", "13.0219", &exact(&known, &all)?),
        of("exact from the first state, possible states", "12.9341", &exact(&known, &possible)?),
        of("exact, stationary", "12.8400", &exact(stationary, &possible)?),
    ])
}

/// card/(ε − e), or none where e is not below ε.
fn score(chain: &Chain, length: u64, node: u64, quilt: Quilt, epsilon: u32) -> Result<Option<Rational>> {
    let Some(influence) = influence(chain, length, node, quilt, States::Possible)? else { return Ok(None) };
    let left = Rational::from_integer(epsilon.into()) - influence.upper().to_rational();
    let card = Rational::from_integer(quilt.card(node, length).into());
    Ok((left > Rational::default()).then(|| card / left))
}

/// `{X_1 X_3}`.
fn named(node: u64, quilt: Quilt) -> String {
    let (left, right) = (quilt.left.map(|distance| node - distance), quilt.right.map(|distance| node + distance));
    let names: Vec<String> = left.into_iter().chain(right).map(|node| format!("X_{node}")).collect();
    format!("{{{}}}", names.join(" "))
}

fn table(examples: &[Example]) -> Table {
    let mut table = Table::new(["length", "epsilon", "what", "where", "reference", "found"]);
    for example in examples {
        let texts = [&example.length.to_string(), example.epsilon, example.what, &example.place, example.printed];
        table.row(texts.map(Cell::from).into_iter().chain([Cell::from(&example.found)]));
    }
    table
}

/// What one node tells of another, and what it makes of the score of the quilt on both sides, over the distance.
fn chart(chain: &Chain) -> Result<Chart> {
    let (mut influences, mut scores) = (Vec::new(), Vec::new());
    for distance in 1..=FARTHEST {
        let quilt = Quilt { left: Some(distance), right: Some(distance) };
        if let Some(e) = influence(chain, LONG, MIDDLE, quilt, States::Possible)? {
            influences.push((distance as f64, float(&e.upper().to_rational())));
        }
        if let Some(score) = score(chain, LONG, MIDDLE, quilt, 1)? {
            scores.push((distance as f64, float(&score)));
        }
    }
    let best = scores.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |best| best.0);
    let chart = LineChart {
        title: format!("Quilts of X_{MIDDLE} of {LONG}, stationary, ε = 1"),
        x: Axis::new("distance of both nodes of the quilt"),
        y: Axis::new("influence, and score").logarithmic(),
        series: vec![
            Series { name: "influence e".into(), points: influences, style: Style::Plain(2) },
            Series { name: "score card/(ε − e)".into(), points: scores, style: Style::Ours },
        ],
        marks: vec![Mark { x: best, label: "least noise".into() }],
    };
    Ok(Chart { suffix: String::new(), chart: chart.into() })
}
