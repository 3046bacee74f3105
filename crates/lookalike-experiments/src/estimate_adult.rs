//! Hours of UCI Adult, released by race and read back by sex: cohorts that the profiles are not about.

use crate::adult::Adult;
use crate::adult_hours::Hours;
use crate::experiment::{Chart, Finding, Outcome, Picture};
use crate::proved::certified;
use crate::table::{Cell, Table};
use lookalike::design::{Options, Problem, design};
use lookalike::estimate::{Confidence, Estimate, Estimator, Figure, Reported, Trust};
use lookalike::sample::{RandomKey, Sampler};
use lookalike_formats::Result;
use lookalike_report::plot::{Axis, Bar, BarRow, Bars, Style};

/// The promise of the release.
const EPSILON: &str = "1/2";
/// From which seed it is drawn.
const SEED: u64 = 1;

/// What is trusted.
const TRIED: [Trust; 2] = [Trust::Nothing, Trust::Profiles];

/// One share of one cohort: the truth, and what is read back at each level of trust.
struct Share {
    sex: String,
    hours: String,
    truth: f64,
    /// By [`TRIED`].
    figures: Vec<Figure>,
}

impl Share {
    fn is_covered(&self, trust: usize) -> bool {
        (self.figures[trust].lower..=self.figures[trust].upper).contains(&self.truth)
    }
}

/// Profiles are races, records are released by the default design at ε = 1/2 and read back by sex: nothing says that the hours of
/// women follow the profiles of races, and they do not.
pub(crate) fn run(adult: &Adult) -> Result<Outcome> {
    let shares = shares(adult.hours())?;
    let covered = |trust: usize| shares.iter().filter(|share| share.is_covered(trust)).count();
    let (nothing, profiles, all) = (covered(0), covered(1), shares.len());
    let widest = shares.iter().map(|share| share.figures[0].width()).fold(0.0, f64::max);
    Ok(Outcome {
        caption: format!(
            "Hours a week in six bins. Profiles are the laws of the races in the very data, all pairs of which look alike at ε = \
             {EPSILON}; every record is released by the default design and read back by sex, with simultaneous 95 % intervals."
        ),
        table: table(&shares),
        highlights: table(&shares),
        charts: vec![chart(&shares)],
        findings: vec![
            Finding {
                statement: "Where nothing is trusted, every interval has the truth.".into(),
                holds: nothing == all,
                evidence: format!("{nothing} of {all}, the widest {widest:.3}"),
            },
            Finding {
                statement: "Where the profiles are trusted in cohorts that differ from them, most intervals miss."
                    .into(),
                holds: 2 * profiles < all,
                evidence: format!("{profiles} of {all} have the truth"),
            },
        ],
        open: vec![format!("One release, from seed {SEED}.")],
    })
}

fn shares(hours: &Hours) -> Result<Vec<Share>> {
    let (graph, laws) = hours.profiles(EPSILON)?;
    let categories = Hours::categories()?;
    let proved =
        certified(design(&Problem::profiles(categories.clone(), graph, laws)?, &Options::default())?.mechanism)?;
    let mut outputs = vec![0; hours.hours.len()];
    let key = RandomKey::from_seed(SEED);
    Sampler::new(&proved).privatize(&key, 0, Some(&hours.race), &hours.hours, &mut outputs)?;
    let cohort = |sex: usize| {
        let mut counts = vec![0; categories.len()];
        let them = outputs.iter().zip(&hours.sex).filter(|(_, found)| **found as usize == sex);
        them.for_each(|(&output, _)| counts[output as usize] += 1);
        Reported::new(counts)
    };
    let cohorts: Vec<Reported> = (0..hours.sexes.len()).map(cohort).collect();
    let confidence = Confidence { simultaneous: true, ..Confidence::default() };
    let read = |trust: &Trust| Ok(Estimator::new(proved.mechanism(), *trust)?.estimate_cohorts(&cohorts, confidence)?);
    let read: Vec<Vec<Estimate>> = TRIED.iter().map(read).collect::<Result<_>>()?;
    let mut shares = Vec::new();
    for (sex, name) in hours.sexes.iter().enumerate() {
        let counts = hours.counts(&hours.sex, sex as u32);
        let people: u64 = counts.iter().sum();
        for (bin, label) in categories.names().iter().enumerate() {
            shares.push(Share {
                sex: name.clone(),
                hours: label.to_owned(),
                truth: counts[bin] as f64 / people as f64,
                figures: read.iter().map(|estimates| estimates[sex].histogram[bin].clone()).collect(),
            });
        }
    }
    Ok(shares)
}

fn table(shares: &[Share]) -> Table {
    let mut table =
        Table::new(["sex", "hours", "truth", "counted", "trust nothing", "covers", "trust profiles", "covers too"]);
    for share in shares {
        let number = |value: f64| Cell::from(format!("{value:.4}"));
        let interval = |trust: usize| {
            let figure = &share.figures[trust];
            Cell::from(format!("{:.4} to {:.4}", figure.lower, figure.upper))
        };
        let has = |trust: usize| Cell::from(if share.is_covered(trust) { "yes" } else { "no" });
        table.row([
            share.sex.as_str().into(),
            share.hours.as_str().into(),
            number(share.truth),
            number(share.figures[0].counted.unwrap_or(f64::NAN)),
            interval(0),
            has(0),
            interval(1),
            has(1),
        ]);
    }
    table
}

fn chart(shares: &[Share]) -> Chart {
    let row = |share: &Share| {
        let read = share
            .figures
            .iter()
            .map(|figure| Bar { value: figure.share, interval: Some((figure.lower, figure.upper)) });
        BarRow {
            name: format!("{}, {}", share.sex, share.hours),
            bars: std::iter::once(Bar::new(share.truth)).chain(read).collect(),
        }
    };
    let bars = Bars {
        title: "The truth, and what is read back".into(),
        axis: Axis::new("share").from_to(0.0, 0.7),
        series: vec![
            ("truth".into(), Style::Plain(0)),
            ("trust nothing".into(), Style::Plain(1)),
            ("trust the profiles".into(), Style::Plain(2)),
        ],
        rows: shares.iter().map(row).collect(),
    };
    Chart { suffix: String::new(), chart: Picture::Bars(bars) }
}
