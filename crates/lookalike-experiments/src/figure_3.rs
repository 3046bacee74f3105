//! Figure 3: Bernoulli-Chain, the baseline in (a) and (b), our method in (c) and (d).

use crate::experiment::{Chart, Finding, Outcome};
use crate::one_bit_range::{OneBitRange, one_bit_range};
use crate::proved::{designed, distance, float};
use crate::settings::{bernoulli_chain, twentieths};
use crate::table::{Cell, Table};
use lookalike::design::MechanismName;
use lookalike::exact::{Direction, Rational, decimal};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Mark, Series, Style};

/// The last ε of the picture, in twentieths.
const LAST: i64 = 20;
/// The ε at which the paper draws a vertical line, in twentieths.
const LINE: usize = 4;

/// The output laws of a chain at one ε, under the mechanism and under the baseline.
struct Level {
    epsilon: String,
    value: Rational,
    ours: Vec<Rational>,
    range: OneBitRange,
    baseline: Vec<Rational>,
}

/// Figure 3(a): the baseline on six profiles.
pub(crate) fn a() -> Result<Outcome> {
    baseline(6)
}

/// Figure 3(b): the baseline on 21 profiles.
pub(crate) fn b() -> Result<Outcome> {
    baseline(21)
}

/// Figure 3(c): our method on six profiles.
pub(crate) fn c() -> Result<Outcome> {
    ours(6)
}

/// Figure 3(d): our method on 21 profiles.
pub(crate) fn d() -> Result<Outcome> {
    ours(21)
}

/// For each profile of the chain and each ε the probability that Warner's randomized response releases a one.
fn baseline(count: u32) -> Result<Outcome> {
    let mut levels = Vec::new();
    for (at, (text, epsilon)) in (1..).zip(twentieths(LAST)) {
        let problem = bernoulli_chain(count, &epsilon)?;
        let laws = ones(&problem, MechanismName::RandomizedResponse)?;
        let range = OneBitRange { least: laws.clone(), greatest: laws.clone() };
        let value = Rational::new(at.into(), 20.into());
        levels.push(Level { epsilon: text, value, ours: laws.clone(), range, baseline: laws });
    }
    let spread = spread(&levels[LINE - 1].baseline);
    Ok(Outcome {
        caption: format!(
            "{count} users whose bit is 1 with probabilities evenly spaced on 0..1. Each line is one user: the \
             probability that the released bit is 1 under Warner's randomized response. Lines that lie further apart \
             tell more about the data."
        ),
        table: table(&levels, false),
        highlights: highlights(&levels, false),
        charts: vec![lines(&levels, "Warner's randomized response", Style::Baseline)],
        findings: vec![Finding {
            statement: "For small ε every output is close to a fair coin.".into(),
            holds: spread < Rational::new(1.into(), 10.into()),
            evidence: format!("at ε = 0.2 the outputs lie within {} of each other", shown(&spread)),
        }],
        open: vec![RANGE_OF_EPSILON.into()],
    })
}

/// The same under Smooth One Bit, in the stated solution and over all optimal ones.
fn ours(count: u32) -> Result<Outcome> {
    let (mut levels, mut tie_break) = (Vec::new(), "");
    for (at, (text, epsilon)) in (1..).zip(twentieths(LAST)) {
        let problem = bernoulli_chain(count, &epsilon)?;
        let smooth = designed(&problem, MechanismName::SmoothOneBit)?;
        tie_break = smooth.solution.tie_break.unwrap_or(tie_break);
        levels.push(Level {
            epsilon: text,
            value: Rational::new(at.into(), 20.into()),
            ours: smooth.mechanism().output_laws().iter().map(|law| law.probability(1)).collect(),
            range: one_bit_range(&problem, smooth.objective.value)?,
            baseline: ones(&problem, MechanismName::RandomizedResponse)?,
        });
    }
    Ok(Outcome {
        caption: format!(
            "{count} users whose bit is 1 with probabilities evenly spaced on 0..1, each of whom must look like the \
             next. Each line is one user: the probability that the bit released by Smooth One Bit is 1. Lines that lie \
             further apart tell more about the data. The second picture cuts the first at ε = 0.2; the third \
             shows how far optimal solutions lie apart."
        ),
        table: table(&levels, true),
        highlights: highlights(&levels, true),
        charts: vec![lines(&levels, "Smooth One Bit", Style::Plain(0)), cut(&levels[LINE - 1]), widths(&levels)],
        findings: findings(&levels),
        open: vec![
            format!(
                "Which optimal solution is plotted: (5) fixes the largest flip only. In the stated one {tie_break}; \
                 beside it stand the smallest and the largest probability over all optimal solutions, and every value \
                 between them is reached too. {}",
                how_far_apart(&levels)
            ),
            RANGE_OF_EPSILON.into(),
        ],
    })
}

const RANGE_OF_EPSILON: &str = "The range of ε: shown is 0.05 to 1.";

/// The probability of a one of each profile under a certified mechanism.
fn ones(problem: &lookalike::design::Problem, name: MechanismName) -> Result<Vec<Rational>> {
    let proved = designed(problem, name)?;
    Ok(proved.mechanism().output_laws().iter().map(|law| law.probability(1)).collect())
}

/// The profile at a place of the chain.
fn profile(at: usize, count: usize) -> Rational {
    Rational::new((at as i64).into(), (count as i64 - 1).into())
}

/// How far the outputs of the two ends lie apart.
fn spread(laws: &[Rational]) -> Rational {
    laws.iter().max().expect("profiles") - laws.iter().min().expect("profiles")
}

fn shown(value: &Rational) -> String {
    decimal(value, 4, Direction::Nearest)
}

fn table(levels: &[Level], has_range: bool) -> Table {
    let mut columns = vec!["epsilon", "p", "output_1"];
    columns.extend(if has_range { &["smallest", "largest"][..] } else { &[] });
    let mut table = Table::new(columns);
    for level in levels {
        for (at, law) in level.ours.iter().enumerate() {
            let mut row = vec![Cell::from(&*level.epsilon), profile(at, level.ours.len()).into(), law.into()];
            if has_range {
                row.extend([Cell::from(&level.range.least[at]), Cell::from(&level.range.greatest[at])]);
            }
            table.row(row);
        }
    }
    table
}

fn highlights(levels: &[Level], has_range: bool) -> Table {
    let mut columns = vec!["epsilon", "lowest output", "highest output", "spread"];
    columns.extend(if has_range { &["spread of randomized response"][..] } else { &[] });
    let mut table = Table::new(columns);
    for level in levels.iter().filter(|level| ["0.05", "0.10", "0.20", "0.50", "1.00"].contains(&&*level.epsilon)) {
        let (lowest, highest) =
            (level.ours.iter().min().expect("profiles"), level.ours.iter().max().expect("profiles"));
        let mut row = vec![Cell::from(&*level.epsilon), lowest.into(), highest.into(), spread(&level.ours).into()];
        row.extend(has_range.then(|| Cell::from(spread(&level.baseline))));
        table.row(row);
    }
    table
}

/// The picture of the paper: a line for each profile, and a vertical one at ε = 0.2.
fn lines(levels: &[Level], mechanism: &str, style: Style) -> Chart {
    let count = levels[0].ours.len();
    let line = |at: usize| {
        let name = if at == 0 { format!("each of the {count} profiles, {mechanism}") } else { String::new() };
        let points = levels.iter().map(|level| (float(&level.value), float(&level.ours[at]))).collect();
        Series { name, points, style }
    };
    let chart = LineChart {
        title: format!("Output laws of {count} profiles, {mechanism}"),
        x: Axis::new("ε").from_to(0.0, 1.0),
        y: Axis::new("probability that the output is 1").from_to(0.0, 1.0),
        series: (0..count).map(line).collect(),
        marks: vec![Mark { x: float(&levels[LINE - 1].value), label: "ε = 0.2".into() }],
    };
    Chart { suffix: String::new(), chart: chart.into() }
}

/// All optimal solutions at one ε.
fn cut(level: &Level) -> Chart {
    let count = level.ours.len();
    let line = |name: &str, laws: &[Rational], style: Style| {
        let point = |(at, law): (usize, &Rational)| (float(&profile(at, count)), float(law));
        Series { name: name.into(), points: laws.iter().enumerate().map(point).collect(), style }
    };
    let chart = LineChart {
        title: format!("The {count} profiles at ε = 0.2, over all optimal solutions"),
        x: Axis::new("probability that the input is 1").from_to(0.0, 1.0),
        y: Axis::new("probability that the output is 1").from_to(0.0, 1.0),
        series: vec![
            line("Warner's randomized response", &level.baseline, Style::Baseline),
            line("the stated solution", &level.ours, Style::Ours),
            line("smallest and largest over all optima", &level.range.least, Style::Bound),
            line("", &level.range.greatest, Style::Bound),
        ],
        marks: Vec::new(),
    };
    Chart { suffix: "at-epsilon-0.2".into(), chart: chart.into() }
}

/// How far the optimal solutions lie apart, for the profile for which they do most.
fn width(level: &Level) -> Rational {
    let ends = level.range.greatest.iter().zip(&level.range.least);
    ends.map(|(greatest, least)| distance(greatest, least)).max().expect("profiles")
}

fn how_far_apart(levels: &[Level]) -> String {
    let widest = levels.iter().max_by_key(|level| width(level)).expect("an epsilon");
    let noise = Rational::new(1.into(), 1_000_000.into());
    let same = levels.iter().take_while(|level| width(level) < noise).last();
    let until = same.map_or_else(String::new, |level| {
        format!("; up to ε = {} all release the same laws, to six decimals", level.epsilon)
    });
    format!("They lie at most {} apart, at ε = {}{until}.", shown(&width(widest)), widest.epsilon)
}

/// What is open, over ε.
fn widths(levels: &[Level]) -> Chart {
    let points = levels.iter().map(|level| (float(&level.value), float(&width(level)))).collect();
    let chart = LineChart {
        title: format!("How far optimal solutions for {} profiles lie apart", levels[0].ours.len()),
        x: Axis::new("ε").from_to(0.0, 1.0),
        y: Axis::new("range of the probability of a 1, widest profile").from_to(0.0, 0.04),
        series: vec![Series { name: "over all optimal solutions".into(), points, style: Style::Bound }],
        marks: Vec::new(),
    };
    Chart { suffix: "range".into(), chart: chart.into() }
}

fn findings(levels: &[Level]) -> Vec<Finding> {
    // Whatever the optimal solution: the last profile has at least its smallest output, the first at most its largest.
    let least_spread = |level: &Level| {
        let last = level.ours.len() - 1;
        &level.range.least[last] - &level.range.greatest[0]
    };
    let at_line = &levels[LINE - 1];
    let (least, theirs) = (least_spread(at_line), spread(&at_line.baseline));
    let wider = levels.iter().filter(|level| least_spread(level) > spread(&level.baseline)).count();
    let grows = levels.windows(2).filter(|pair| spread(&pair[0].ours) <= spread(&pair[1].ours)).count();
    vec![
        Finding {
            statement: "At ε = 0.2 the spread is larger than the baseline's, whatever the optimal solution.".into(),
            holds: least > theirs,
            evidence: format!("at least {} against {}", shown(&least), shown(&theirs)),
        },
        Finding {
            statement: "Smooth One Bit does better than the baseline at every ε, whatever the optimal solution.".into(),
            holds: wider == levels.len(),
            evidence: format!("a larger spread at {wider} of {} ε", levels.len()),
        },
        Finding {
            statement: "The outputs spread out as ε grows.".into(),
            holds: grows == levels.len() - 1,
            evidence: format!("{grows} of {} steps", levels.len() - 1),
        },
    ]
}
