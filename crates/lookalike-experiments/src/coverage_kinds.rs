//! Mechanisms and populations on which intervals are tried.

use crate::coverage::Covered;
use crate::proved::{certified, float};
use crate::settings::categorical_chain;
use crate::words::Words;
use lookalike::certify::certify;
use lookalike::counts::CLOSED_FORMS;
use lookalike::design::{Options, Problem, design, randomized_response};
use lookalike::estimate::{Confidence, Estimate, Estimator, Reported, SupportEstimator, SupportTally, Trust};
use lookalike::exact::Rational;
use lookalike::local::{Protocol, oracle};
use lookalike::model::{Categories, Mechanism, SecretGraph};
use lookalike::sample::{OracleSampler, RandomKey, Sampler};
use lookalike_formats::{Error, Result};

/// A kind of mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A channel for each profile.
    Aware,
    /// One channel for all profiles.
    Shared,
    /// A channel for values.
    Point,
    /// A channel for counts of groups.
    Counts,
    /// An oracle, of whose reports the support is counted.
    Oracle,
}

/// Who reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Population {
    /// Values come from the profiles of the mechanism.
    Right,
    /// Each profile is off by this many hundredths: so much moves from its likeliest value to the last one.
    Off(u32),
    /// A cohort that the profiles are not about: everybody has one of two values, by profile.
    Apart,
}

impl Population {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Population::Right => "right",
            Population::Off(2) => "off by 0.02",
            Population::Off(5) => "off by 0.05",
            Population::Off(_) => "off by 0.10",
            Population::Apart => "another cohort",
        }
    }

    /// The law of values of the people whose profile is given.
    fn law(self, profile: &[f64], number: usize) -> Vec<f64> {
        let last = profile.len() - 1;
        let mut law = profile.to_vec();
        match self {
            Population::Right => {}
            Population::Off(hundredths) => {
                let likeliest = (0..last).max_by(|&a, &b| law[a].total_cmp(&law[b])).expect("several values");
                law[likeliest] -= f64::from(hundredths) / 100.0;
                law[last] += f64::from(hundredths) / 100.0;
            }
            Population::Apart => {
                law.fill(0.0);
                law[if number.is_multiple_of(2) { last } else { 0 }] = 1.0;
            }
        }
        law
    }
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Aware, Kind::Shared, Kind::Point, Kind::Counts, Kind::Oracle];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Aware => "aware",
            Kind::Shared => "shared",
            Kind::Point => "point",
            Kind::Counts => "counts",
            Kind::Oracle => "oracle",
        }
    }

    /// Those that make a difference to it.
    pub fn populations(self) -> &'static [Population] {
        use Population::{Apart, Off, Right};
        match self {
            Kind::Aware | Kind::Shared => &[Right, Off(2), Off(5), Off(10), Apart],
            _ => &[Right, Apart],
        }
    }

    /// Draws, releases and reads back so many times.
    ///
    /// # Errors
    /// A design that fails or does not certify; both would be bugs.
    pub fn covered(
        self,
        trust: Trust,
        population: Population,
        reports: usize,
        repetitions: usize,
        level: f64,
    ) -> Result<Covered> {
        let confidence = Confidence { level, simultaneous: false };
        let respondents = Respondents::new(self, population)?;
        let drawn: Vec<Drawn> =
            (0..repetitions as u64).map(|repetition| respondents.draw(repetition, reports)).collect();
        let estimates = match self {
            Kind::Oracle => supported(&drawn, confidence)?,
            _ => reported(self, trust, &drawn, confidence)?,
        };
        Ok(tally(&respondents.shares, trust, &drawn, &estimates))
    }

    /// The mechanism; oracles are none.
    fn mechanism(self) -> Result<Mechanism> {
        let one = "1".parse()?;
        match self {
            Kind::Aware => Ok(design(&categorical_chain(&one)?, &Options::default())?.mechanism),
            Kind::Shared => Ok(design(&categorical_chain(&one)?.shared()?, &Options::default())?.mechanism),
            Kind::Point => {
                let categories = Categories::new(["a", "b", "c", "d"])?;
                let mut builder = SecretGraph::builder(categories.names().clone());
                builder.complete(&one);
                Ok(randomized_response(&Problem::values(categories, builder.build()?)?)?.mechanism)
            }
            Kind::Counts => Ok(CLOSED_FORMS[0].1(GROUP, &"0.9".parse()?)?),
            Kind::Oracle => Err(Error::input("an oracle has no channels")),
        }
    }

    /// The laws of values by profile.
    fn profiles(self) -> Result<Vec<Vec<f64>>> {
        let even = |values: usize| vec![1.0 / values as f64; values];
        Ok(match self {
            Kind::Aware | Kind::Shared => {
                let law = |law: &lookalike::model::Distribution| law.probabilities().map(|p| float(&p)).collect();
                self.mechanism()?.profiles().iter().map(law).collect()
            }
            Kind::Point => vec![vec![0.6, 0.3, 0.1, 0.0]],
            Kind::Counts => vec![even(GROUP + 1)],
            Kind::Oracle => vec![vec![0.5, 0.3, 0.15, 0.05, 0.0, 0.0]],
        })
    }
}

/// The people of a group whose counts are released.
const GROUP: usize = 8;
/// How frequent the profiles are where there are several.
const MIX: [f64; 3] = [0.5, 0.3, 0.2];
/// The oracle's categories.
const CATEGORIES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Who is asked.
struct Respondents {
    mix: Vec<f64>,
    laws: Vec<Vec<f64>>,
    /// The share of each value in the population.
    shares: Vec<f64>,
}

/// What one repetition asks.
struct Drawn {
    repetition: u64,
    secrets: Vec<u32>,
    values: Vec<u32>,
}

impl Respondents {
    fn new(kind: Kind, population: Population) -> Result<Self> {
        let laws = kind.profiles()?;
        let laws: Vec<Vec<f64>> = laws.iter().enumerate().map(|(at, law)| population.law(law, at)).collect();
        let mix = if laws.len() == 1 { vec![1.0] } else { MIX.to_vec() };
        let share = |x: usize| mix.iter().zip(&laws).map(|(weight, law)| weight * law[x]).sum();
        let shares = (0..laws[0].len()).map(share).collect();
        Ok(Respondents { mix, laws, shares })
    }

    fn draw(&self, repetition: u64, reports: usize) -> Drawn {
        let mut words = Words(repetition << 32 | reports as u64);
        let secrets: Vec<u32> = (0..reports).map(|_| words.draw(&self.mix)).collect();
        let values = secrets.iter().map(|&secret| words.draw(&self.laws[secret as usize])).collect();
        Drawn { repetition, secrets, values }
    }
}

fn reported(kind: Kind, trust: Trust, drawn: &[Drawn], confidence: Confidence) -> Result<Vec<Estimate>> {
    let proved = certified(kind.mechanism()?)?;
    let (sampler, estimator) = (Sampler::new(&proved), Estimator::new(proved.mechanism(), trust)?);
    let is_aware = proved.mechanism().channels().len() > 1;
    let release = |drawn: &Drawn| {
        let mut outputs = vec![0; drawn.values.len()];
        let secrets = is_aware.then_some(&drawn.secrets[..]);
        sampler.privatize(&RandomKey::from_seed(drawn.repetition), 0, secrets, &drawn.values, &mut outputs)?;
        let mut counts = vec![0; proved.mechanism().outputs().len()];
        outputs.iter().for_each(|&output| counts[output as usize] += 1);
        Ok(Reported::new(counts))
    };
    let reported = drawn.iter().map(release).collect::<Result<Vec<_>>>()?;
    Ok(estimator.estimate_cohorts(&reported, confidence)?)
}

fn supported(drawn: &[Drawn], confidence: Confidence) -> Result<Vec<Estimate>> {
    let made = oracle(Protocol::Oue, Categories::new(CATEGORIES)?, "1".parse()?)?;
    let proved = certify(made).map_err(|violation| {
        Error::input(format!("an oracle does not certify, which is a bug to report: {violation}"))
    })?;
    let (sampler, estimator) = (OracleSampler::new(&proved), SupportEstimator::new(proved.mechanism()));
    let estimate = |drawn: &Drawn| {
        let reports = sampler.privatize(&RandomKey::from_seed(drawn.repetition), 0, &drawn.values)?;
        let mut tally = SupportTally::new(proved.mechanism());
        tally.add(&reports)?;
        Ok(estimator.estimate(&tally.counts(), tally.reports(), 0, confidence)?)
    };
    drawn.iter().map(estimate).collect()
}

/// How often the intervals of single values cover the share in the population, and that among those who were asked where
/// nothing is trusted.
fn tally(shares: &[f64], trust: Trust, drawn: &[Drawn], estimates: &[Estimate]) -> Covered {
    let (mut covered, mut width) = (vec![[0u32; 2]; shares.len()], 0.0);
    for (drawn, estimate) in drawn.iter().zip(estimates) {
        let mut asked = vec![0.0; shares.len()];
        drawn.values.iter().for_each(|&value| asked[value as usize] += 1.0 / drawn.values.len() as f64);
        for (x, figure) in estimate.histogram[..shares.len()].iter().enumerate() {
            // What floats lose when shares are added up.
            let is_inside = |truth: f64| figure.lower - 1e-9 <= truth && truth <= figure.upper + 1e-9;
            assert!(figure.lower <= figure.share && figure.share <= figure.upper, "an estimate lies in its interval");
            covered[x][0] += u32::from(is_inside(shares[x]));
            covered[x][1] += u32::from(trust == Trust::Profiles || is_inside(asked[x]));
            width += figure.width() / (shares.len() * estimates.len()) as f64;
        }
    }
    let least = covered.into_iter().flatten().min().expect("some values");
    let misfits = estimates.iter().filter(|estimate| estimate.misfit.is_some()).count();
    Covered { least: Rational::new(least.into(), estimates.len().into()), width, misfits }
}
