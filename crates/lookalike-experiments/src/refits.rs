//! What a fit promises: profiles are fitted again and again, and the ε of what is designed for them is measured at the true ones.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::{designed, float};
use crate::table::{Cell, Table};
use crate::words::Words;
use lookalike::certify::{certify_within, within};
use lookalike::design::{MechanismName, Objective, Problem};
use lookalike::estimate::{HoldsFor, LimitsBasis, clopper_pearson};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::model::{Categories, Distribution, Limits, Mechanism, Names, SecretGraph};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The loads of the workstations in the example, in hundredths: engineers, analysts, support.
const PROFILES: [(&str, [u64; 4]); 12] = [
    ("ana", [10, 20, 40, 30]),
    ("bo", [5, 15, 45, 35]),
    ("cleo", [12, 24, 38, 26]),
    ("dan", [8, 18, 34, 40]),
    ("eve", [30, 40, 20, 10]),
    ("finn", [25, 45, 22, 8]),
    ("gus", [36, 38, 20, 6]),
    ("hana", [28, 34, 26, 12]),
    ("ivy", [60, 25, 10, 5]),
    ("jon", [55, 30, 10, 5]),
    ("kim", [62, 22, 12, 4]),
    ("lou", [58, 24, 12, 6]),
];
const LOADS: [&str; 4] = ["idle", "light", "busy", "full"];
const ROLES: [&str; 3] = ["engineers", "analysts", "support"];
/// What is claimed.
const EPSILON: &str = "1/2";
/// Records of each profile in a fit.
const RECORDS: u64 = 200;
/// How often profiles are fitted.
const REFITS: u64 = 1_000;
/// How often limits may miss.
const ERROR: f64 = 0.05;

/// What is taken for granted of fitted profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trusted {
    /// That they are right.
    Profiles,
    /// That each probability is within limits that hold with 95 %, taken by itself.
    EachCell,
    /// That any two profiles named beforehand are within limits that hold with 95 %.
    EachPair,
    /// That all profiles at once are within limits that hold with 95 %.
    AllPairs,
}

/// What came of the designs for fitted profiles, a number for each fit.
#[derive(Debug, Clone, Default)]
pub struct Refitted {
    /// The ε at the true profiles, ascending.
    pub epsilons: Vec<f64>,
    /// How many are above what is claimed, decided exactly.
    pub above: usize,
    /// The expected error at the true profiles, averaged.
    pub error: f64,
}

impl Trusted {
    /// All of them.
    pub const ALL: [Trusted; 4] = [Trusted::Profiles, Trusted::EachCell, Trusted::EachPair, Trusted::AllPairs];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Trusted::Profiles => "profiles",
            Trusted::EachCell => "limits of each cell",
            Trusted::EachPair => "limits of each pair",
            Trusted::AllPairs => "limits of all pairs",
        }
    }

    /// The limits of all profiles, by their counts; none where the profiles are trusted.
    fn limits(self, counts: &[[u64; 4]; 12]) -> Result<Option<Vec<Limits>>> {
        let cell = |count: &u64| clopper_pearson(*count, RECORDS, ERROR).into();
        let all = |holds_for| -> Result<_> { Ok(LimitsBasis::new(parse_rational("0.95")?, holds_for)?.limits(counts)) };
        let ends: Vec<Vec<[f64; 2]>> = match self {
            Trusted::Profiles => return Ok(None),
            Trusted::EachCell => counts.iter().map(|counts| counts.iter().map(cell).collect()).collect(),
            Trusted::EachPair => all(HoldsFor::EachPair)?,
            Trusted::AllPairs => all(HoldsFor::AllPairs)?,
        };
        let exact = |limit: f64| Rational::from_float(limit).expect("a limit is finite");
        let limits = |ends: &Vec<[f64; 2]>| Limits::new(&ends.iter().map(|ends| ends.map(exact)).collect::<Vec<_>>());
        Ok(Some(ends.iter().map(limits).collect::<lookalike::Result<_>>()?))
    }

    /// Fits, designs, and measures at the true profiles so many times, each from its own seed.
    ///
    /// # Errors
    /// A design that fails or does not certify; both would be bugs.
    pub fn refitted(self, refits: u64) -> Result<Refitted> {
        let truth = problem(PROFILES.map(|(_, law)| law))?;
        let laws: Vec<Limits> = truth.profile_laws().iter().map(Limits::of_law).collect();
        let points: Vec<Vec<[Rational; 2]>> =
            laws.iter().map(|law| (0..law.len()).map(|x| law.ends(x)).collect()).collect();
        let mut found = Refitted::default();
        for seed in 0..refits {
            let mechanism = self.design(&counted(seed))?;
            found.above += usize::from(certify_within(&mechanism, &laws)?.is_err());
            let ratio = within(&mechanism, &points)?.ratio().ok_or_else(|| Error::input("a refit has no finite ε"))?;
            found.epsilons.push(float(&ratio).ln());
            found.error += truth.objective().value(&truth, &mechanism) / refits as f64;
        }
        found.epsilons.sort_by(f64::total_cmp);
        Ok(found)
    }

    /// The certified design for the counts of a fit.
    fn design(self, counts: &[[u64; 4]; 12]) -> Result<Mechanism> {
        let fitted = problem(*counts)?;
        let fitted = match self.limits(counts)? {
            None => fitted,
            Some(limits) => fitted.within(limits)?,
        };
        Ok(designed(&fitted, MechanismName::SmoothCategorical)?.mechanism().clone())
    }
}

impl Refitted {
    fn mean(&self) -> f64 {
        self.epsilons.iter().sum::<f64>() / self.epsilons.len() as f64
    }

    /// The least ε that so many of 100 do not exceed.
    pub fn quantile(&self, percent: usize) -> f64 {
        self.epsilons[(self.epsilons.len() * percent).div_ceil(100).max(1) - 1]
    }

    fn largest(&self) -> f64 {
        self.quantile(100)
    }
}

/// The records of a fit, counted: drawn from the true profiles, independently.
fn counted(seed: u64) -> [[u64; 4]; 12] {
    let mut words = Words(seed << 32);
    PROFILES.map(|(_, law)| {
        let law = law.map(|hundredths| hundredths as f64 / 100.0);
        let mut counts = [0; 4];
        (0..RECORDS).for_each(|_| counts[words.draw(&law) as usize] += 1);
        counts
    })
}

/// Who sat there within a role, at the least expected error; profiles by weight.
fn problem(weights: [[u64; 4]; 12]) -> Result<Problem> {
    let epsilon: Epsilon = EPSILON.parse()?;
    let mut builder = SecretGraph::builder(Names::new("profile", PROFILES.map(|(name, _)| name))?);
    for (role, first) in ROLES.into_iter().zip((0u32..).step_by(4)) {
        builder.group(role, (first..first + 4).collect(), epsilon.clone())?;
    }
    let law = |weights: [u64; 4]| Ok(Distribution::from_weights(weights.map(Into::into).to_vec())?);
    let laws = weights.into_iter().map(law).collect::<Result<Vec<_>>>()?;
    let problem = Problem::profiles(Categories::new(LOADS)?, builder.build()?, laws)?;
    Ok(problem.with_objective(Objective::ExpectedError)?)
}

/// Fits the profiles of the workstations again and again, each time from new records of the same people, and designs for what was
/// found.
pub(crate) fn run() -> Result<Outcome> {
    let rows =
        Trusted::ALL.into_iter().map(|trusted| Ok((trusted, trusted.refitted(REFITS)?))).collect::<Result<Vec<_>>>()?;
    let response = designed(&problem(PROFILES.map(|(_, law)| law))?, MechanismName::RandomizedResponse)?;
    let table = table(&rows, response.objective.value);
    Ok(Outcome {
        caption: format!(
            "Twelve profiles are fitted from {RECORDS} records each, {REFITS} times, and a mechanism is designed for what was found, \
             with the least expected error at which profiles of one role look alike at ε = {EPSILON}. Its ε is that at the true \
             profiles, from which the records were drawn; its error too."
        ),
        highlights: table.clone(),
        table,
        charts: vec![chart(&rows)],
        findings: findings(&rows, response.objective.value),
        open: vec![
            "Limits are Clopper and Pearson's: of 95 % for each of the 48 cells by itself, or as fit makes them, for each pair of \
             profiles or for all of them at once, by Bonferroni's inequality."
                .into(),
        ],
    })
}

fn table(rows: &[(Trusted, Refitted)], response: f64) -> Table {
    let mut table =
        Table::new(["trusted", "refits above", "mean epsilon", "95 % quantile", "largest", "claimed", "error"]);
    let number = |value: f64| Cell::from(format!("{value:.3}"));
    for (trusted, found) in rows {
        table.row([
            trusted.name().into(),
            format!("{} of {}", found.above, found.epsilons.len()).into(),
            number(found.mean()),
            number(found.quantile(95)),
            number(found.largest()),
            EPSILON.into(),
            number(found.error),
        ]);
    }
    let nothing = || Cell::from("-");
    table.row(["nothing (k-rr)".into(), nothing(), nothing(), nothing(), nothing(), EPSILON.into(), number(response)]);
    table
}

fn chart(rows: &[(Trusted, Refitted)]) -> Chart {
    let line = |(at, (trusted, found)): (usize, &(Trusted, Refitted))| Series {
        name: format!("trusted: {}", trusted.name()),
        points: (0..=100).step_by(5).map(|percent| (percent as f64, found.quantile(percent))).collect(),
        style: Style::Plain(at),
    };
    let chart = LineChart {
        title: "The true ε of mechanisms that claim 1/2".into(),
        x: Axis::new("refits with at most this ε, in percent").from_to(0.0, 100.0),
        y: Axis::new("ε at the true profiles").from_to(0.0, 1.2),
        series: rows.iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    Chart { suffix: String::new(), chart: chart.into() }
}

fn findings(rows: &[(Trusted, Refitted)], response: f64) -> Vec<Finding> {
    let [(_, points), _, _, (_, all)] = rows else { unreachable!("four rows") };
    let share = |found: &Refitted| found.above as f64 / found.epsilons.len() as f64;
    vec![
        Finding {
            statement: "With limits that hold for all profiles at once, the true ε is above the claim in at most 5 % of the refits.".into(),
            holds: share(all) <= ERROR,
            evidence: format!("{} of {}; 95 % are at most {:.3}", all.above, all.epsilons.len(), all.quantile(95)),
        },
        Finding {
            statement: "Where fitted profiles are taken for the true ones, it is above the claim in most.".into(),
            holds: share(points) > 0.5,
            evidence: format!("{} of {}, up to {:.3}", points.above, points.epsilons.len(), points.largest()),
        },
        Finding {
            statement: "What limits cost lies between trust in the profiles and in nothing.".into(),
            holds: points.error <= all.error && all.error <= response,
            evidence: format!("errors {:.3}, {:.3} and {response:.3}", points.error, all.error),
        },
    ]
}
