//! Figure 2(a): Bernoulli-Couplet.

use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::{designed, float};
use crate::settings::bernoulli_couplet;
use crate::table::{Cell, Table};
use lookalike::design::MechanismName;
use lookalike::exact::{Epsilon, Rational};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The ε of the pictures; the paper names none.
const EPSILONS: [&str; 3] = ["0.5", "0.2", "1"];
/// Differences are multiples of this part of 1.
const STEPS: i64 = 20;
/// Where the profiles lie; the paper gives their difference only.
const BASES: [Base; 2] = [
    Base {
        name: "around 1/2",
        profiles: |difference| {
            let half = Rational::new(1.into(), 2.into());
            [&half - difference * &half, &half + difference * &half]
        },
    },
    Base { name: "from 0", profiles: |difference| [Rational::from_integer(0.into()), difference.clone()] },
];
/// The mechanisms, the baseline last.
const MECHANISMS: [MechanismName; 3] =
    [MechanismName::TwoProfile, MechanismName::SmoothOneBit, MechanismName::RandomizedResponse];
const BASELINE: usize = MECHANISMS.len() - 1;

struct Base {
    name: &'static str,
    /// The two probabilities of a one with this difference.
    profiles: fn(&Rational) -> [Rational; 2],
}

/// One couplet and the largest flip that each mechanism needs for it.
struct Couplet {
    epsilon: &'static str,
    base: usize,
    difference: Rational,
    flips: Vec<Rational>,
}

/// For two profiles at each difference: the flip probability that hides which one it is.
pub(crate) fn run() -> Result<Outcome> {
    let mut couplets = Vec::new();
    for epsilon in EPSILONS {
        for base in 0..BASES.len() {
            for step in 1..=STEPS {
                couplets.push(couplet(epsilon, base, Rational::new(step.into(), STEPS.into()))?);
            }
        }
    }
    Ok(Outcome {
        caption: "Two users whose bit is 1 with probabilities p_i and p_j must look alike. The further apart p_i and \
                  p_j are, the more often the bit must be flipped; randomized response flips as if they were 0 and 1. \
                  Two-profile flips both users' bits alike (Algorithm 1); Smooth One Bit gives each user an own flip \
                  probability, of which the larger is shown (Algorithm 3)."
            .into(),
        table: table(&couplets),
        highlights: highlights(&couplets),
        charts: EPSILONS.iter().enumerate().map(|(at, epsilon)| chart(&couplets, epsilon, at > 0)).collect(),
        findings: findings(&couplets),
        open: vec![
            "The parameter from which the difference is counted: the curve depends on it. Shown are pairs around 1/2 \
             and pairs from 0."
                .into(),
            "The ε: shown are 0.5, 0.2 and 1.".into(),
            "Whether the two profiles share a flip probability: both are shown. For pairs around 1/2 it makes no \
             difference."
                .into(),
        ],
    })
}

fn couplet(epsilon: &'static str, base: usize, difference: Rational) -> Result<Couplet> {
    let problem = bernoulli_couplet(&(BASES[base].profiles)(&difference), &epsilon.parse::<Epsilon>()?)?;
    let flip = |name| Ok(designed(&problem, name)?.largest_flip());
    let flips = MECHANISMS.into_iter().map(flip).collect::<Result<_>>()?;
    Ok(Couplet { epsilon, base, difference, flips })
}

fn table(couplets: &[Couplet]) -> Table {
    let mut table =
        Table::new(["epsilon", "base", "difference", "p_i", "p_j", "two_profile", "smooth_one_bit", "warner"]);
    for couplet in couplets {
        let base = &BASES[couplet.base];
        let [p_i, p_j] = (base.profiles)(&couplet.difference);
        let start =
            [Cell::from(couplet.epsilon), base.name.into(), (&couplet.difference).into(), p_i.into(), p_j.into()];
        table.row(start.into_iter().chain(couplet.flips.iter().map(Cell::from)));
    }
    table
}

fn highlights(couplets: &[Couplet]) -> Table {
    let mut table = Table::new([
        "difference",
        "two-profile around 1/2",
        "two-profile from 0",
        "smooth from 0",
        "randomized response",
    ]);
    for fifth in 1..=5 {
        let difference = Rational::new(fifth.into(), 5.into());
        let at = |base: usize, mechanism: usize| {
            let same = |c: &&Couplet| c.epsilon == EPSILONS[0] && c.base == base && c.difference == difference;
            Cell::from(&couplets.iter().find(same).expect("a multiple of a fifth").flips[mechanism])
        };
        table.row([Cell::from(format!("{fifth}/5")), at(0, 0), at(1, 0), at(1, 1), at(0, BASELINE)]);
    }
    table
}

fn chart(couplets: &[Couplet], epsilon: &str, has_suffix: bool) -> Chart {
    let line = |name: &str, base: usize, mechanism: usize, style: Style| {
        let here = couplets.iter().filter(|couplet| couplet.epsilon == epsilon && couplet.base == base);
        let points = here.map(|couplet| (float(&couplet.difference), float(&couplet.flips[mechanism]))).collect();
        Series { name: name.into(), points, style }
    };
    let series = vec![
        line("randomized response", 0, BASELINE, Style::Baseline),
        line("two-profile, around 1/2", 0, 0, Style::Plain(0)),
        line("two-profile, from 0", 1, 0, Style::Plain(2)),
        line("Smooth One Bit, from 0", 1, 1, Style::Plain(3)),
    ];
    let chart = LineChart {
        title: format!("Noise for two profiles at ε = {epsilon}"),
        x: Axis::new("difference of the two parameters").from_to(0.0, 1.0),
        y: Axis::new("largest flip probability").from_to(0.0, 0.5),
        series,
        marks: Vec::new(),
    };
    Chart { suffix: if has_suffix { format!("epsilon-{epsilon}") } else { String::new() }, chart: chart.into() }
}

fn findings(couplets: &[Couplet]) -> Vec<Finding> {
    let whole = Rational::from_integer(1.into());
    let below = |couplet: &&Couplet| {
        couplet.flips[..BASELINE].iter().all(|flip| *flip < couplet.flips[BASELINE]) || couplet.difference == whole
    };
    let grows = |pair: &&[Couplet]| pair[0].flips.iter().zip(&pair[1].flips).all(|(less, more)| less <= more);
    let neighbours = || {
        let same = |pair: &&[Couplet]| (pair[0].epsilon, pair[0].base) == (pair[1].epsilon, pair[1].base);
        couplets.windows(2).filter(same)
    };
    let (all_below, all_grow) = (couplets.iter().filter(below).count(), neighbours().filter(grows).count());
    vec![
        Finding {
            statement: "The flip probability stays below that of local differential privacy.".into(),
            holds: all_below == couplets.len(),
            evidence: format!("{all_below} of {} pairs; at difference 1 the two are equal", couplets.len()),
        },
        Finding {
            statement: "It grows with the difference.".into(),
            holds: all_grow == neighbours().count(),
            evidence: format!("{all_grow} of {} steps", neighbours().count()),
        },
    ]
}
