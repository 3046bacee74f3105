//! How often intervals of shares that are read back cover the truth.

use crate::coverage_kinds::{Kind, Population};
use crate::experiment::{Chart, Finding, Outcome};
use crate::table::{Cell, Table};
use lookalike::estimate::Trust;
use lookalike::exact::Rational;
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The numbers of reports.
const REPORTS: [usize; 7] = [6, 10, 20, 40, 100, 300, 3_000];
/// How often each case is drawn and read back.
const REPETITIONS: usize = 2_000;
/// What the intervals are asked for.
const NOMINAL: f64 = 0.95;
/// What every case must reach, in thousandths: three standard errors of 2,000 repetitions below the level.
const REQUIRED: i64 = 935;

/// One row of the matrix: a mechanism, a population, and what the reader takes for granted.
struct Case {
    kind: Kind,
    trust: Trust,
    population: Population,
    reports: usize,
    read: Covered,
}

/// What happened over all repetitions.
pub struct Covered {
    /// The least share of repetitions in which an interval covers, over all categories and both truths.
    pub least: Rational,
    /// The mean width of the intervals.
    pub width: f64,
    /// In how many repetitions the reports did not fit.
    pub misfits: usize,
}

/// Draws values, releases them, reads them back, and compares with the truth: for five kinds of mechanisms, with few reports and
/// many, for profiles that are right, that are off, and for respondents whom the profiles are not about.
pub(crate) fn run() -> Result<Outcome> {
    let mut cases = Vec::new();
    for (kind, trust, population) in rows() {
        for reports in REPORTS {
            let read = kind.covered(trust, population, reports, REPETITIONS, NOMINAL)?;
            cases.push(Case { kind, trust, population, reports, read });
        }
    }
    Ok(Outcome {
        caption: format!(
            "Values are drawn, released by the mechanism and read back, {REPETITIONS} times in each case; intervals are asked to \
             cover with probability {NOMINAL}. Coverage is the least over the categories. Where nothing is trusted, the share in \
             the population and the share among those who reported must both be covered; where profiles are trusted, it is the \
             share in the population."
        ),
        table: table(&cases),
        highlights: highlights(&cases),
        charts: vec![chart(&cases)],
        findings: findings(&cases),
        open: vec![
            "The mechanisms: an aware and a shared one for the three profiles of Table 1 at ε = 1, k-ary randomized response on \
             four values at ε = 1, GM on groups of 8 at α = 0.9, and optimized unary encoding of six values at ε = 1."
                .into(),
        ],
    })
}

/// The mechanisms, what is trusted, and who reports.
pub fn rows() -> Vec<(Kind, Trust, Population)> {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        rows.extend(kind.populations().iter().map(|population| (kind, Trust::Nothing, *population)));
        if kind == Kind::Aware {
            rows.push((kind, Trust::Profiles, Population::Right));
        }
    }
    rows
}

fn table(cases: &[Case]) -> Table {
    let mut table = Table::new(["kind", "trust", "population", "reports", "coverage", "width", "misfits"]);
    for case in cases {
        table.row([
            Cell::from(case.kind.name()),
            case.trust.name().into(),
            case.population.name().into(),
            case.reports.to_string().into(),
            (&case.read.least).into(),
            format!("{:.3}", case.read.width).into(),
            case.read.misfits.to_string().into(),
        ]);
    }
    table
}

fn highlights(cases: &[Case]) -> Table {
    let start = ["kind", "trust", "population"].map(str::to_owned);
    let mut table = Table::new(start.into_iter().chain(REPORTS.map(|reports| format!("of {reports}"))));
    for row in cases.chunks(REPORTS.len()) {
        let start = [Cell::from(row[0].kind.name()), row[0].trust.name().into(), row[0].population.name().into()];
        table.row(start.into_iter().chain(row.iter().map(|case| Cell::from(&case.read.least))));
    }
    table
}

fn chart(cases: &[Case]) -> Chart {
    let line = |(at, row): (usize, &[Case])| Series {
        name: format!("{}, {}, trust {}", row[0].kind.name(), row[0].population.name(), row[0].trust.name()),
        points: row.iter().map(|case| ((case.reports as f64).log10(), case.read.width)).collect(),
        style: Style::Plain(at),
    };
    let is_right = |row: &&[Case]| row[0].population == Population::Right;
    let chart = LineChart {
        title: "Width of 95 % intervals".into(),
        x: Axis::new("reports, as a power of 10").from_to(0.0, 4.0),
        y: Axis::new("mean width").from_to(0.0, 1.0),
        series: cases.chunks(REPORTS.len()).filter(is_right).enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    Chart { suffix: String::new(), chart: chart.into() }
}

fn findings(cases: &[Case]) -> Vec<Finding> {
    let required = Rational::new(REQUIRED.into(), 1_000.into());
    let covered = cases.iter().filter(|case| case.read.least >= required).count();
    let least = cases.iter().map(|case| &case.read.least).min().expect("some cases");
    let fitting: usize = cases.iter().map(|case| case.read.misfits).sum();
    vec![
        Finding {
            statement: format!("Every interval covers in at least {} % of the repetitions.", REQUIRED as f64 / 10.0),
            holds: covered == cases.len(),
            evidence: format!("{covered} of {} cases, the least {}", cases.len(), Cell::from(least).text()),
        },
        Finding {
            statement: "Reports that fit are said not to fit in at most one of 1,000 repetitions.".into(),
            holds: 1_000 * fitting <= REPETITIONS * cases.len(),
            evidence: format!("{fitting} of {}", REPETITIONS * cases.len()),
        },
    ]
}
