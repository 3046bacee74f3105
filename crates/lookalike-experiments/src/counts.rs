//! Counts of small groups: the four mechanisms, their properties, and L_0 over n and α.

use crate::experiment::{Chart, Finding, Outcome, Picture};
use crate::proved::{certified, float};
use crate::table::{Cell, Table};
use lookalike::counts::{
    Alpha, CLOSED_FORMS, ClosedForm, CountLoss, Property, expected_loss, explicit_fair, geometric, optimal, properties,
    score, uniform, weakly_honest,
};
use lookalike::design::Watch;
use lookalike::exact::Rational;
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, HeatMap, LineChart, Mark, Series, Style};

/// The α of the curves over n; the first is that of the picture.
const ALPHAS: [&str; 5] = ["9/10", "1/2", "2/3", "19/25", "10/11"];
/// The largest group: WM meets GM within it for all of [`ALPHAS`].
const LARGEST: usize = 24;
/// The group of the curve over α.
const GROUP: usize = 8;
/// The group of the heat maps and of the summary.
const SMALL: usize = 4;
/// The α of the heat maps: the slides say 9/10, and the entries of their GM are those of this one.
const HEAT_MAP: &str = "10/11";
/// What the rounding of weights to 2^−53 may cost.
const ROUNDING: f64 = 1e-9;

/// L_0 of each mechanism at one n and α.
struct Point {
    alpha: Rational,
    n: usize,
    costs: Vec<Rational>,
}

impl Point {
    /// All four, certified.
    fn at(alpha: &Rational, n: usize) -> Result<Point> {
        let (prior, privacy) = (Prior::uniform(n + 1)?, Alpha::new(alpha.clone())?);
        let cost = |(_, build): (_, ClosedForm)| {
            let proved = certified(build(n, &privacy)?)?;
            Ok(score(proved.mechanism(), &prior, CountLoss::L0)?)
        };
        let costs = CLOSED_FORMS.into_iter().map(cost).collect::<Result<_>>()?;
        Ok(Point { alpha: alpha.clone(), n, costs })
    }

    /// Whether GM is weakly honest: n ≥ 2α/(1−α).
    fn is_past_the_meeting(&self) -> bool {
        Rational::from_integer(self.n.into()) >= meeting(&self.alpha)
    }

    fn cost(&self, mechanism: usize) -> f64 {
        float(&self.costs[mechanism])
    }
}

/// For groups up to 24 and a range of α: how often each mechanism is wrong, which properties it has, and where the
/// weakly honest one is the geometric one.
pub(crate) fn run() -> Result<Outcome> {
    let alphas = ALPHAS.map(|text| lookalike::exact::parse_rational(text).expect("a constant"));
    let over_n = alphas.iter().flat_map(|alpha| (1..=LARGEST).map(move |n| Point::at(alpha, n)));
    let over_n = over_n.collect::<Result<Vec<_>>>()?;
    let over_alpha = (1..20).map(|at: i64| Point::at(&Rational::new(at.into(), 20.into()), GROUP));
    let over_alpha = over_alpha.collect::<Result<Vec<_>>>()?;
    let mut charts = vec![chart_over_n(&over_n[..LARGEST]), chart_over_alpha(&over_alpha)];
    for (name, build) in CLOSED_FORMS {
        charts.push(heat_map(name, &build(SMALL, &HEAT_MAP.parse()?)?));
    }
    let points: Vec<Point> = over_n.into_iter().chain(over_alpha).collect();
    Ok(Outcome {
        caption: "How many of n people have something is released so that counts that differ by one person look alike: \
                  their probabilities differ at most by the factor α. L_0 is how often a wrong count is released, on a \
                  scale where guessing has 1; every count is equally frequent. GM is geometric noise cut off at 0 and n, \
                  WM the best that is no worse than guessing for any count (WH), EM the best that is fair (F), UM a \
                  guess. In the heat maps rows are true counts and columns released ones."
            .into(),
        table: table(&points),
        highlights: summary()?,
        charts,
        findings: findings(&points)?,
        open: vec![
            "EM and WM are not the only optima. The EM of the paper is one; the WM here is symmetric and row monotone, \
             with the inner outputs of each row in proportion."
                .into(),
            "The slides also show errors on the UCI Adult data, which are not part of this program: with --adult FILE, \
             the path of adult.data, they are the experiment counts-adult."
                .into(),
        ],
    })
}

/// 2α/(1−α), from which n on GM is weakly honest.
fn meeting(alpha: &Rational) -> Rational {
    let one = Rational::from_integer(1.into());
    alpha * Rational::from_integer(2.into()) / (one - alpha)
}

fn table(points: &[Point]) -> Table {
    let mut table = Table::new(["alpha", "n", "gm", "wm", "em", "um"]);
    for point in points {
        let start = [Cell::from(point.alpha.to_string()), point.n.to_string().into()];
        table.row(start.into_iter().chain(point.costs.iter().map(Cell::from)));
    }
    table
}

/// The properties of each mechanism, and its errors, for four people at α = 9/10.
fn summary() -> Result<Table> {
    let columns = Property::ALL.map(Property::code);
    let mut table = Table::new(["n = 4, α = 9/10"].into_iter().chain(columns).chain(["L_0", "mean squared error"]));
    let prior = Prior::uniform(SMALL + 1)?;
    for (name, build) in CLOSED_FORMS {
        let mechanism = build(SMALL, &ALPHAS[0].parse()?)?;
        let found = properties(&mechanism)?;
        let has = |property| Cell::from(if found.contains(property) { "yes" } else { "no" });
        let errors = [
            score(&mechanism, &prior, CountLoss::L0)?.into(),
            expected_loss(&mechanism, &prior, CountLoss::L2)?.into(),
        ];
        table.row([Cell::from(name)].into_iter().chain(Property::ALL.map(has)).chain(errors));
    }
    Ok(table)
}

fn series(points: &[Point], x: impl Fn(&Point) -> f64) -> Vec<Series> {
    let styles = [Style::Plain(0), Style::Plain(2), Style::Plain(3), Style::Baseline];
    let line = |(mechanism, style): (usize, Style)| Series {
        name: CLOSED_FORMS[mechanism].0.into(),
        points: points.iter().map(|point| (x(point), point.cost(mechanism))).collect(),
        style,
    };
    styles.into_iter().enumerate().map(line).collect()
}

fn chart_over_n(points: &[Point]) -> Chart {
    let chart = LineChart {
        title: format!("Wrong counts at α = {}", ALPHAS[0]),
        x: Axis::new("n, the people of a group"),
        y: Axis::new("L_0"),
        series: series(points, |point| point.n as f64),
        marks: vec![Mark { x: float(&meeting(&points[0].alpha)), label: "WM meets GM".into() }],
    };
    Chart { suffix: String::new(), chart: chart.into() }
}

fn chart_over_alpha(points: &[Point]) -> Chart {
    let chart = LineChart {
        title: format!("Wrong counts for groups of {GROUP}"),
        x: Axis::new("α; to the right there is more privacy").from_to(0.0, 1.0),
        y: Axis::new("L_0").from_to(0.0, 1.0),
        series: series(points, |point| float(&point.alpha)),
        marks: vec![Mark { x: GROUP as f64 / (GROUP + 2) as f64, label: "WM leaves GM".into() }],
    };
    Chart { suffix: "alpha".into(), chart: chart.into() }
}

fn heat_map(name: &str, mechanism: &Mechanism) -> Chart {
    let counts: Vec<String> = (0..=SMALL).map(|count| count.to_string()).collect();
    let channel = &mechanism.channels()[0];
    let row = |input| (0..=SMALL).map(|output| float(&channel.probability(input, output))).collect();
    let map = HeatMap {
        title: format!("{name}, n = {SMALL}, α = {HEAT_MAP}"),
        row_label: "true".into(),
        column_label: "released".into(),
        rows: counts.clone(),
        columns: counts,
        values: (0..=SMALL).map(row).collect(),
    };
    Chart { suffix: name.to_lowercase(), chart: Picture::HeatMap(map) }
}

fn findings(points: &[Point]) -> Result<Vec<Finding>> {
    let count = |holds: &dyn Fn(&Point) -> bool| points.iter().filter(|point| holds(point)).count();
    let all = |statement: &str, holds: &dyn Fn(&Point) -> bool| Finding {
        statement: statement.into(),
        holds: count(holds) == points.len(),
        evidence: format!("{} of {} pairs of n and α", count(holds), points.len()),
    };
    let meets = |point: &Point| point.cost(1) - point.cost(0) < ROUNDING;
    Ok(vec![
        all("GM has L_0 = 2α/(1+α), whatever n is.", &|point| {
            let alpha = float(&point.alpha);
            (point.cost(0) - 2.0 * alpha / (1.0 + alpha)).abs() < ROUNDING
        }),
        all("GM costs no more than WM, WM no more than EM, and EM no more than guessing.", &|point| {
            (1..CLOSED_FORMS.len()).all(|at| point.cost(at - 1) < point.cost(at) + ROUNDING)
        }),
        // For one person all but UM are randomized response.
        all("WM is GM from n = 2α/(1−α) on, and for n = 1, and nowhere else.", &|point| {
            meets(point) == (point.n == 1 || point.is_past_the_meeting())
        }),
        slide()?,
        column_monotonicity()?,
        squared_error()?,
    ])
}

/// The slides' heat map of GM in thousandths, with a true count a row.
const SLIDE: [[i64; SMALL + 1]; SMALL + 1] = [
    [524, 43, 39, 36, 358],
    [476, 48, 43, 39, 394],
    [433, 43, 48, 43, 433],
    [394, 39, 43, 48, 476],
    [358, 36, 39, 43, 524],
];

/// How many entries of the slides' heat map GM has at an α.
fn slide() -> Result<Finding> {
    let matching = |alpha: &str| -> Result<usize> {
        let mechanism = geometric(SMALL, &alpha.parse()?)?;
        let channel = &mechanism.channels()[0];
        let thousandths = |j: usize, i: usize| (1000.0 * float(&channel.probability(j, i))).round() as i64;
        let cells = (0..=SMALL).flat_map(|j| (0..=SMALL).map(move |i| (j, i)));
        Ok(cells.filter(|&(j, i)| thousandths(j, i) == SLIDE[j][i]).count())
    };
    let (labelled, found) = (matching(ALPHAS[0])?, matching(HEAT_MAP)?);
    Ok(Finding {
        statement: "The heat map of GM on the slides is that of α = 0.9.".into(),
        holds: labelled == 25,
        evidence: format!("{labelled} of its 25 entries are; {found} are those of α = {HEAT_MAP}"),
    })
}

/// The slides' summary has a tick for WM and CM.
fn column_monotonicity() -> Result<Finding> {
    let (n, alpha): (usize, Alpha) = (7, "19/25".parse()?);
    let (prior, found) = (Prior::uniform(n + 1)?, weakly_honest(n, &alpha)?);
    let with = optimal(n, &alpha, "WH,CM".parse()?, (&prior, CountLoss::L0), &Watch::default())?;
    Ok(Finding {
        statement: "WM has column monotonicity and is GM from n = 2α/(1−α) on.".into(),
        holds: properties(&found)?.contains(Property::ColumnMonotonicity),
        evidence: format!(
            "not both for α above 1/2: for n = 7 and α = 0.76 it costs {:.5}, and with CM {:.5}",
            float(&score(&found, &prior, CountLoss::L0)?),
            float(&with.score)
        ),
    })
}

fn squared_error() -> Result<Finding> {
    let (prior, alpha) = (Prior::uniform(SMALL + 1)?, ALPHAS[0].parse()?);
    let root = |build: ClosedForm| -> Result<f64> {
        Ok(float(&expected_loss(&build(SMALL, &alpha)?, &prior, CountLoss::L2)?).sqrt())
    };
    let [gm, em, um] = [root(geometric)?, root(explicit_fair)?, root(uniform)?];
    Ok(Finding {
        statement: "For four people at α = 9/10 GM has a larger root mean squared error than guessing; EM has not."
            .into(),
        holds: em < um && um < gm,
        evidence: format!("GM {gm:.3}, EM {em:.3}, UM {um:.3}"),
    })
}
