//! The examples of a lecture on differential privacy: a survey with two coins, and sensitivities.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::{certified, float};
use crate::sensitivity::{Query, sensitivity};
use crate::settings::survey;
use crate::table::{Cell, Table};
use lookalike::certify::certify;
use lookalike::exact::Rational;
use lookalike::model::Mechanism;
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// How many people are asked; all their reports are enumerated.
const PEOPLE: u32 = 10;
/// Heights in centimetres.
const LARGEST_HEIGHT: i64 = 300;
/// Database sizes for which every pair of neighbours is tried, with the largest height for which that is quick.
const SIZES: [(usize, i64); 5] = [(1, LARGEST_HEIGHT), (2, LARGEST_HEIGHT), (3, 30), (4, 12), (5, 8)];

/// What is expected of a survey in which so many people have a pet.
struct Group {
    truth: Rational,
    reported: Rational,
    estimate: Rational,
}

/// The survey's ε and estimate, and the sensitivities of maximum and mean, all from their definitions.
pub(crate) fn run() -> Result<Outcome> {
    let proved = certified(survey(&"ln(3)".parse()?)?)?;
    let ratio = proved.certificate().worst().ratio();
    let groups: Vec<Group> = (0..=PEOPLE).map(|yes| group(proved.mechanism(), yes)).collect();
    let mut table = survey_table(&groups);
    sensitivity_rows().into_iter().for_each(|row| table.row(row));
    let tighter = certify(survey(&"1.0986".parse()?)?).is_err();
    let unbiased = groups.iter().all(|group| group.estimate == group.truth);
    let halved = groups.iter().all(|group| {
        group.reported == &group.truth / Rational::from_integer(2.into()) + Rational::new(1.into(), 4.into())
    });
    Ok(Outcome {
        caption: format!(
            "People are asked whether they have a pet. A first coin decides between the truth and the answer of a \
             second coin, so the truth is told with probability 3/4. The expectations are over all 2^{PEOPLE} reports \
             of {PEOPLE} people. Sensitivities are the largest change over every pair of databases that differ in one \
             record, heights being 1 to {LARGEST_HEIGHT}."
        ),
        highlights: table.clone(),
        table,
        charts: vec![Chart { suffix: String::new(), chart: chart(&groups).into() }],
        findings: vec![
            Finding {
                statement: "The privacy loss of the survey is ln 3.".into(),
                holds: tighter && ratio == Some(Rational::from_integer(3.into())),
                evidence: "certified at ln(3) with the likelihood ratio 3 exactly, refused at 1.0986".into(),
            },
            Finding {
                statement: "The expected share of yes is X/2 + 1/4, and 2(Y − 1/4) estimates X without bias.".into(),
                holds: halved && unbiased,
                evidence: format!("exactly, for 0 to {PEOPLE} pets among {PEOPLE} people"),
            },
            Finding {
                statement: "The maximum of heights from 1 to 300 has sensitivity 300.".into(),
                holds: of_lecture(Query::Maximum).contains(&Rational::from_integer(300.into())),
                evidence: "it is 299: the change of one record from 1 to 300".into(),
            },
            Finding {
                statement: "Their mean has sensitivity 25.".into(),
                holds: of_lecture(Query::Mean).contains(&Rational::from_integer(25.into())),
                evidence: "it is 299/n for n people: 149.5 for two of them, 24.92 for twelve".into(),
            },
        ],
        open: vec![
            "The number of people behind the mean's 25: not given.".into(),
            "Neighbours: one record is replaced. With records added or removed the mean has another sensitivity."
                .into(),
        ],
    })
}

/// The sensitivities of a query of heights, for the numbers of people that can be tried at the full range.
fn of_lecture(query: Query) -> Vec<Rational> {
    let full = SIZES.into_iter().filter(|(_, largest)| *largest == LARGEST_HEIGHT);
    full.map(|(records, largest)| sensitivity(query, 1..=largest, records)).collect()
}

/// The expectations over every report of a group of which the first `yes` people have a pet.
fn group(mechanism: &Mechanism, yes: u32) -> Group {
    let (zero, one) = (Rational::from_integer(0.into()), Rational::from_integer(1.into()));
    let people = Rational::from_integer(PEOPLE.into());
    let (mut reported, mut estimate) = (zero.clone(), zero);
    for reports in 0u32..1 << PEOPLE {
        let chance = |person: u32| {
            let truth = usize::from(person < yes);
            mechanism.channel(0).probability(truth, (reports >> person & 1) as usize)
        };
        let probability = (0..PEOPLE).map(chance).fold(one.clone(), |product, chance| product * chance);
        let share = Rational::from_integer(reports.count_ones().into()) / &people;
        let quarter = Rational::new(1.into(), 4.into());
        estimate += &probability * (&share - quarter) * Rational::from_integer(2.into());
        reported += probability * share;
    }
    Group { truth: Rational::from_integer(yes.into()) / people, reported, estimate }
}

fn survey_table(groups: &[Group]) -> Table {
    let mut table = Table::new(["example", "setting", "computed", "formula"]);
    table.row(["survey: largest likelihood ratio", "truth told 3/4", "3", "e^ln(3)"].map(Cell::from));
    for group in groups.iter().step_by(5) {
        let setting = format!("share of pets {}", group.truth);
        let quarter = Cell::from("X/2 + 1/4");
        table.row([
            Cell::from("survey: expected share of yes"),
            setting.clone().into(),
            (&group.reported).into(),
            quarter,
        ]);
        table.row([Cell::from("survey: expected 2(Y - 1/4)"), setting.into(), (&group.estimate).into(), "X".into()]);
    }
    table
}

fn sensitivity_rows() -> Vec<[Cell; 4]> {
    let row = |query: Query, name: &str, formula: &str, (records, largest): (usize, i64)| {
        let setting = format!("n = {records} of 1..{largest}");
        let found = sensitivity(query, 1..=largest, records);
        [Cell::from(format!("sensitivity of the {name}")), setting.into(), found.to_string().into(), formula.into()]
    };
    let both = |size| [row(Query::Maximum, "maximum", "M - 1", size), row(Query::Mean, "mean", "(M - 1)/n", size)];
    SIZES.into_iter().flat_map(both).collect()
}

fn chart(groups: &[Group]) -> LineChart {
    let line = |name: &str, style: Style, of: fn(&Group) -> &Rational| {
        let points = groups.iter().map(|group| (float(&group.truth), float(of(group)))).collect();
        Series { name: name.into(), points, style }
    };
    LineChart {
        title: "What the survey reports, and what it estimates".into(),
        x: Axis::new("share of people with a pet").from_to(0.0, 1.0),
        y: Axis::new("expected share").from_to(0.0, 1.0),
        series: vec![
            line("reported yes", Style::Baseline, |group| &group.reported),
            line("estimated by 2(Y − 1/4)", Style::Ours, |group| &group.estimate),
        ],
        marks: Vec::new(),
    }
}
