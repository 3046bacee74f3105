//! Reads shares back from privatized reports.

use super::components::Components;
use super::figure::{Confidence, Estimate, Figure, PredictedInterval, Prediction};
use super::identified::{Identified, dot};
use super::likelihood::most_likely;
use super::misfit::{RARE, misfit};
use super::readings::{Readings, whole};
use super::reported::Reported;
use super::targets::Target;
use super::trust::Trust;
use super::upper_reading::Sampling;
use crate::model::Mechanism;
use crate::{Error, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Reads statistics back from the outputs of a mechanism.
///
/// Reports follow a mix of known laws: which, is what is [trusted](Trust). An interval is the range of a share over all mixes
/// that the reports make plausible.
///
/// # Guarantee
/// For reports drawn independently by the mechanism, however few they are: each interval misses the true share with
/// probability at most 1 − confidence, or any of them does when they are simultaneous. Where nothing is trusted, this is true of
/// the shares among those who reported, and, if these were drawn from a population, of the shares there. Where profiles are
/// trusted it is about the population, and holds if values come from the profiles of the mechanism; where limits are, if those of
/// each profile come from some law within its limits.
///
/// Each end reads the outputs as numbers whose mean is never on the wrong side of the share, whatever the mix; the numbers
/// are chosen from the mechanism and the number of reports alone. Limits for that mean are proved, see `upper_reading.rs`.
///
/// # Example
/// ```
/// use lookalike::estimate::{Confidence, Estimator, Reported, Trust};
/// use lookalike::{design, model::*};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let problem = design::Problem::values(bits, builder.build()?)?;
/// let survey = design::randomized_response(&problem)?.mechanism;
/// // A yes with probability 3/4 if it is true and 1/4 if not: 2(Y − 1/4) estimates the share of those for whom it is.
/// let estimator = Estimator::new(&survey, Trust::Nothing)?;
/// let estimate = estimator.estimate(&Reported::new(vec![600, 400]), Confidence::default())?;
/// let yes = &estimate.histogram[1];
/// assert!((yes.share - 2.0 * (0.4 - 0.25)).abs() < 1e-6);
/// assert!(yes.lower < 0.3 && 0.3 < yes.upper);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub struct Estimator {
    trust: Trust,
    components: Components,
    histogram: usize,
    /// The categories, totals of some of them, and the profiles.
    targets: Vec<Target>,
    /// For each category the output with its label.
    labels: Vec<Option<usize>>,
    /// Whether the profiles are too many for shares of their own.
    crowded: bool,
}

impl Estimator {
    /// The estimator of a mechanism.
    ///
    /// # Errors
    /// More than 2,000 categories; profiles or limits to be trusted where there are none; too many channels to trust nothing, or more
    /// than 100,000 limits to trust these.
    ///
    /// # Complexity
    /// O(k·m²) for k components and m outputs, and O(k²·m) up to 1,000 profiles; with more their own shares are not looked for. Within
    /// limits of k profiles over d values O(k·d·m²), and then a sort of the values of each profile for each law that is looked for.
    pub fn new(mechanism: &Mechanism, trust: Trust) -> Result<Self> {
        Ok(Self::from_components(mechanism, trust, Components::of(mechanism, trust)?))
    }

    fn from_components(mechanism: &Mechanism, trust: Trust, components: Components) -> Self {
        let identified = Identified::new(&components);
        let categories = (0..components.inputs as u32).map(|input| vec![input]);
        let totals = identified.input_groups().into_iter();
        let totals = totals.filter(|group| group.len() > 1 && group.len() < components.inputs);
        let target = |members, is_input| Target::new(&components, &identified, members, is_input);
        let mut targets: Vec<Target> = categories.chain(totals).map(|members| target(members, true)).collect();
        let histogram = targets.len();
        let groups = match (components.are_profiles(), components.regions()) {
            (false, _) => Some(Vec::new()),
            (true, None) => identified.component_groups(),
            // Profiles that could be told apart if they were right; their intervals know that they need not be.
            (true, Some(_)) => Identified::new(&components.fitted()).component_groups(),
        };
        let crowded = groups.is_none();
        // A single group is all of them, which is the whole.
        let groups = groups.unwrap_or_default();
        if groups.len() > 1 {
            targets.extend(groups.into_iter().map(|members| target(members, false)));
        }
        let place = |name: &str| mechanism.outputs().names().place(name).map(|place| place as usize);
        let labels = mechanism.inputs().names().iter().map(place).collect();
        drop(identified);
        Estimator { trust, components, histogram, targets, labels, crowded }
    }

    /// What the figures rest on.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// The mix that [`Estimator::predict`] takes, when profiles are this frequent: their own shares where they are trusted, and
    /// otherwise those of the values that come from them, by channel.
    ///
    /// # Errors
    /// Another number of shares than of profiles, or a mechanism without profiles.
    pub fn mix_of_profiles(&self, mechanism: &Mechanism, shares: &[f64]) -> Result<Vec<f64>> {
        let count = mechanism.profiles().len();
        if shares.len() != count || count == 0 {
            return Err(Error::input(format!("shares of {} profiles, expected {count}", shares.len())));
        }
        Ok(match self.trust {
            Trust::Profiles | Trust::Limits => shares.to_vec(),
            Trust::Nothing => Components::values_of(mechanism, shares),
        })
    }

    /// Whether there are more profiles than shares of their own are looked for; the histogram is not affected.
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// The estimate from reports.
    ///
    /// # Errors
    /// No reports, another number of outputs than the mechanism has, an output that it never gives, or a confidence that
    /// is not between 0 and 1.
    pub fn estimate(&self, reported: &Reported, confidence: Confidence) -> Result<Estimate> {
        let mut all = self.estimate_cohorts(std::slice::from_ref(reported), confidence)?;
        Ok(all.remove(0))
    }

    /// An estimate for each of several cohorts; simultaneous intervals are so over all of them.
    ///
    /// # Errors
    /// As [`Estimator::estimate`].
    pub fn estimate_cohorts(&self, reported: &[Reported], confidence: Confidence) -> Result<Vec<Estimate>> {
        confidence.check()?;
        reported.iter().try_for_each(|cohort| self.check(cohort))?;
        let error = confidence.error(self.targets.len() * reported.len());
        let mut readings: BTreeMap<Class, Readings> = BTreeMap::new();
        for cohort in reported {
            let new = |class: &Class| self.readings(class, cohort, error, confidence.simultaneous);
            readings.entry(Class::of(cohort)).or_insert_with_key(new);
        }
        let rare = RARE / reported.len() as f64;
        let estimate = |cohort: &Reported| self.from(cohort, &readings[&Class::of(cohort)], confidence, rare);
        Ok(reported.par_iter().map(estimate).collect())
    }

    /// The intervals to expect from so many reports, when the mix is this: of profiles where they or their limits are trusted, of
    /// values with a channel each otherwise; by default every profile is as frequent as any other, or every value where there are none.
    ///
    /// # Errors
    /// No reports, a mix of another length, or a confidence that is not between 0 and 1.
    pub fn predict(&self, reports: u64, mix: Option<&[f64]>, confidence: Confidence) -> Result<Prediction> {
        if reports == 0 {
            return Err(Error::input("0 reports, expected at least 1"));
        }
        let own = self.components.own();
        let mut mix = mix.unwrap_or_else(|| &self.components.expected()[..own]).to_vec();
        if mix.len() != own {
            return Err(Error::input(format!("a mix of {}, expected {own}", mix.len())));
        }
        mix.resize(self.components.count, 0.0);
        let counts = whole(&self.components.mixed(&mix), reports);
        let found = self.estimate(&Reported::new(counts), confidence)?;
        let interval = |(target, figure): (&Target, &Figure)| {
            let share = target.of_mix(&self.components, &mix);
            let (members, determined) = (target.members.clone(), figure.unbiased.is_some());
            PredictedInterval { members, share, width: figure.width(), determined }
        };
        let figures = found.histogram.iter().chain(&found.mix);
        let mut histogram: Vec<PredictedInterval> = self.targets.iter().zip(figures).map(interval).collect();
        let mix = histogram.split_off(self.histogram);
        Ok(Prediction { reports, confidence: confidence.level, trust: self.trust, histogram, mix })
    }

    fn check(&self, reported: &Reported) -> Result<()> {
        let (outputs, counts) = (self.components.outputs, reported.counts());
        if counts.len() != outputs {
            return Err(Error::input(format!("counts of {} outputs, expected {outputs}", counts.len())));
        }
        if reported.rows() == 0 {
            return Err(Error::input("no reports, expected at least one"));
        }
        let is_possible = |output: usize| self.components.possible()[output] || reported.stand_ins() > 0;
        if let Some(output) = (0..outputs).find(|&output| counts[output] > 0 && !is_possible(output)) {
            return Err(Error::input(format!(
                "output number {} was reported, which the mechanism never gives (reports of another mechanism?)",
                output + 1
            )));
        }
        Ok(())
    }

    /// How outputs are read for about so many reports.
    fn readings(&self, class: &Class, cohort: &Reported, error: f64, together: bool) -> Readings {
        let reports = 4f64.powi(class.size);
        let components = match cohort.stand_ins() {
            0 => self.components.clone(),
            stand_ins => {
                let outputs = self.components.outputs;
                self.components.among(stand_ins as f64 / cohort.rows() as f64, &vec![1.0 / outputs as f64; outputs])
            }
        };
        Readings::new(components, &self.targets, reports, error, together)
    }

    fn from(&self, cohort: &Reported, readings: &Readings, confidence: Confidence, rare: f64) -> Estimate {
        let (counts, rows) = (cohort.counts(), cohort.rows());
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / rows as f64).collect();
        let components = readings.components();
        let (laws, likely, short) = most_likely(components, &shares);
        // Reports among stand-ins are not draws from one law.
        let is_alike = self.trust.is_about_population() && cohort.stand_ins() == 0;
        let sampling = if is_alike { Sampling::Alike } else { Sampling::Fixed };
        let unbiased: Vec<Option<Vec<f64>>> = self.targets.iter().map(|target| target.reading(components)).collect();
        let figure = |((target, ends), unbiased): ((&Target, [f64; 2]), &Option<Vec<f64>>)| {
            let share = target.of_mix(&laws, &likely);
            let unbiased = unbiased.as_ref().map(|reading| dot(reading, &shares));
            Figure { unbiased, ..Figure::new(target.members.clone(), share, ends) }
        };
        let intervals = readings.intervals(counts, sampling);
        let mut histogram: Vec<Figure> = self.targets.iter().zip(intervals).zip(&unbiased).map(figure).collect();
        let mix = histogram.split_off(self.histogram);
        histogram.iter_mut().for_each(|figure| figure.counted = self.counted(&figure.members, &shares));
        Estimate {
            reports: rows - cohort.stand_ins(),
            stand_ins: cohort.stand_ins(),
            trust: self.trust,
            histogram,
            covariance: covariance(&unbiased[..self.components.inputs], &shares, rows as f64),
            mix,
            confidence: confidence.level,
            simultaneous: confidence.simultaneous,
            misfit: misfit(counts, &laws.mixed(&likely), short, rare),
        }
    }

    /// The share of the reports with the labels of these categories.
    fn counted(&self, members: &[u32], shares: &[f64]) -> Option<f64> {
        members.iter().map(|&member| self.labels[member as usize].map(|output| shares[output])).sum()
    }
}

/// Cohorts that are read alike: the number of reports up to a factor of two, and the stand-ins among them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    /// The number of reports as a power of 4.
    size: i32,
    stand_ins: Option<(u64, u64)>,
}

impl Class {
    fn of(cohort: &Reported) -> Self {
        let rows = cohort.rows();
        let stand_ins = (cohort.stand_ins() > 0).then_some((cohort.stand_ins(), rows));
        Class { size: (rows as f64).log(4.0).round() as i32, stand_ins }
    }
}

fn covariance(readings: &[Option<Vec<f64>>], shares: &[f64], reports: f64) -> Vec<f64> {
    let Some(readings) = readings.iter().map(Option::as_ref).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let centred = |reading: &&Vec<f64>| -> Vec<f64> {
        let mean = dot(reading, shares);
        reading.iter().map(|value| value - mean).collect()
    };
    let centred: Vec<Vec<f64>> = readings.iter().map(centred).collect();
    let size = centred.len();
    let mut covariance = vec![0.0; size * size];
    for (a, row) in centred.iter().enumerate() {
        let weighted: Vec<f64> = row.iter().zip(shares).map(|(value, share)| value * share / reports).collect();
        for (b, other) in centred.iter().enumerate().skip(a) {
            let product = dot(&weighted, other);
            (covariance[a * size + b], covariance[b * size + a]) = (product, product);
        }
    }
    covariance
}

#[cfg(test)]
#[path = "estimator_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "estimator_limits_tests.rs"]
mod limits_tests;
