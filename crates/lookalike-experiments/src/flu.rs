//! The flu in a clique of four: the Wasserstein mechanism against group privacy.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::float;
use crate::table::{Cell, Table};
use lookalike::certify::certify;
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::model::{Distribution, Names, Noise, SecretGraph};
use lookalike::pufferfish::{Framework, Theta, Values};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The people of the clique.
const PEOPLE: u32 = 4;
/// How many of them are ill: the probability of 0, 1, … 4.
const ILL: [&str; 5] = ["0.1", "0.15", "0.5", "0.15", "0.1"];
/// What the paper has for one who is well, and for one who is ill.
const PRINTED: [[&str; 5]; 2] = [["0.2", "0.225", "0.5", "0.075", "0"], ["0", "0.075", "0.5", "0.225", "0.2"]];
/// What the paper has for W.
const PRINTED_DISTANCE: u32 = 2;
const EPSILONS: [&str; 3] = ["0.2", "1", "5"];

/// How many are ill is released, and whether any one of them is ill is the secret.
pub(crate) fn run() -> Result<Outcome> {
    let ill = law(&ILL)?;
    let framework = framework(&ill, "1")?;
    let laws = [0, 1].map(|secret| framework.class()[0].law(secret).cloned());
    let [Some(well), Some(sick)] = laws else { return Err(Error::input("a secret that is impossible")) };
    let (distance, group) = (framework.wasserstein()?.distance().clone(), framework.span()?);
    Ok(Outcome {
        caption: "Four people live together and infect each other: how many of them have the flu has a law that everybody \
                  knows. The number is released with noise, and whether any one of them is ill is the secret. The Wasserstein \
                  mechanism adds noise of scale W/ε, where W is the farthest that mass moves between the law given a person \
                  who is well and that given one who is ill. Group privacy hides all four at once."
            .into(),
        table: table(&ill, &well, &sick),
        highlights: highlights(&ill)?,
        charts: vec![chart(&ill, &well, &sick)],
        findings: vec![
            Finding {
                statement: "Given one who is well the number has the law (.2, .225, .5, .075, 0), and given one who is ill \
                            (0, .075, .5, .225, .2)."
                    .into(),
                holds: well == law(&PRINTED[0])? && sick == law(&PRINTED[1])?,
                evidence: "the same fractions".into(),
            },
            Finding {
                statement: "The Wasserstein mechanism needs half the noise of group privacy.".into(),
                holds: distance == Rational::from_integer(PRINTED_DISTANCE.into())
                    && group == Rational::from_integer(PEOPLE.into()),
                evidence: format!("W = {distance}, and the number of ill people ranges over {group}"),
            },
        ],
        open: Vec::new(),
    })
}

fn law(texts: &[&str]) -> Result<Distribution> {
    let probabilities = texts.iter().map(|text| Ok(parse_rational(text)?)).collect::<Result<Vec<Rational>>>()?;
    Ok(Distribution::new(&probabilities)?)
}

fn framework(ill: &Distribution, epsilon: &str) -> Result<Framework> {
    let mut pairs = SecretGraph::builder(Names::new("secret", ["well", "ill"])?);
    pairs.edge(0, 1, epsilon.parse()?)?;
    Ok(Framework::new(pairs.build()?, Values::count(PEOPLE)?, vec![Theta::of_group("flu", ill)?])?)
}

fn table(ill: &Distribution, well: &Distribution, sick: &Distribution) -> Table {
    let mut table = Table::new(["ill_people", "probability", "given_one_is_well", "given_one_is_ill"]);
    for count in 0..ill.len() {
        let cells = [ill, well, sick].map(|law| Cell::from(law.probability(count)));
        table.row([Cell::from(count.to_string())].into_iter().chain(cells));
    }
    table
}

/// The mean distance of the released number from the true one, for noise that is certified.
fn highlights(ill: &Distribution) -> Result<Table> {
    let mut table = Table::new([
        "epsilon",
        "scale, Wasserstein",
        "scale, group DP",
        "mean error, Wasserstein",
        "mean error, group DP",
    ]);
    for epsilon in EPSILONS {
        let framework = framework(ill, epsilon)?;
        let budget: Epsilon = epsilon.parse()?;
        let ours = framework.wasserstein()?.noise(0)?;
        let group = Noise::for_epsilon(budget, framework.span()?, 0)?;
        let [ours, group] = [ours, group].map(scale);
        let ([ours, our_error], [group, group_error]) = (ours?, group?);
        table.row([Cell::from(epsilon), ours.into(), group.into(), our_error.into(), group_error.into()]);
    }
    Ok(table)
}

/// Where noise decays by e, and how far it is from 0 on average.
fn scale(noise: Noise) -> Result<[Rational; 2]> {
    let certified = certify(noise).map_err(|violation| {
        Error::input(format!("noise of an experiment does not certify, which is a bug to report: {violation}"))
    })?;
    let decay = certified.mechanism().decay().to_f64();
    let exact = |number: f64| Rational::from_float(number).ok_or_else(|| Error::input("no finite number"));
    Ok([exact(1.0 / decay)?, exact(1.0 / decay.sinh())?])
}

fn chart(ill: &Distribution, well: &Distribution, sick: &Distribution) -> Chart {
    let line = |(name, law, style): (&str, &Distribution, Style)| Series {
        name: name.into(),
        points: (0..law.len()).map(|count| (count as f64, float(&law.probability(count)))).collect(),
        style,
    };
    let lines = [
        ("everybody", ill, Style::Baseline),
        ("given one who is well", well, Style::Plain(0)),
        ("given one who is ill", sick, Style::Plain(2)),
    ];
    let chart = LineChart {
        title: "How many of four have the flu".into(),
        x: Axis::new("ill people"),
        y: Axis::new("probability").from_to(0.0, 0.6),
        series: lines.into_iter().map(line).collect(),
        marks: Vec::new(),
    };
    Chart { suffix: String::new(), chart: chart.into() }
}
