//! Reads shares back from privatized reports.

use super::components::Components;
use super::dense::Symmetric;
use super::figure::{Confidence, Estimate, Figure, PredictedError, Prediction};
use super::identified::{Identified, dot};
use super::interval::interval;
use super::likelihood::most_likely_mix;
use crate::error::{Error, Result};
use crate::model::Mechanism;

/// Reads statistics back from the outputs of a mechanism.
///
/// A report is drawn from a mix of known output laws: of the rows of one channel, or of the output laws of profiles that
/// each have their own. The estimate is what the reports say of the mix, and through it of the true values. Only shares
/// of profiles that the law of the reports determines are given; where it does not tell some apart, they are one figure
/// with their total. Every category has a figure. Where it is not determined either, because there are more profiles than
/// outputs to tell them by, its interval has room for all that the reports leave open, which is little when the noise is.
///
/// Reports are taken as independent draws; the intervals are for the shares in the population they are drawn from. Under
/// one channel for all they cover the shares among the very values reported on at least as often; where each profile has
/// its own, the values are known through the profiles only, and they need not.
///
/// # Example
/// ```
/// use lookalike::estimate::{Confidence, Estimator};
/// use lookalike::{design, model::*};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let problem = design::Problem::values(bits, builder.build()?)?;
/// let survey = design::randomized_response(&problem)?.mechanism;
/// // A yes with probability 3/4 if it is true and 1/4 if not: 2(Y − 1/4) estimates the share of those for whom it is.
/// let estimate = Estimator::new(&survey)?.estimate(&[600, 400], Confidence::default())?;
/// let yes = &estimate.histogram[1];
/// assert!((yes.unbiased - 2.0 * (0.4 - 0.25)).abs() < 1e-12);
/// assert!(yes.lower < 0.3 && 0.3 < yes.upper);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub struct Estimator {
    components: Components,
    /// Orthonormal readings that change no mean, see [`Identified::idle`].
    idle: Vec<Vec<f64>>,
    histogram: Vec<Target>,
    mix: Vec<Target>,
    /// Whether the profiles are too many for shares of their own.
    crowded: bool,
}

/// A share that can be estimated.
struct Target {
    members: Vec<u32>,
    /// What each output says about it, on average right.
    reading: Vec<f64>,
    is_input: bool,
    /// How far the reading is off on average, for each component; empty where it is right for all.
    off: Vec<f64>,
    /// The least and the largest of these.
    bias: [f64; 2],
}

/// A bias that is the rounding of floats.
const ROUNDING: f64 = 1e-6;

impl Estimator {
    /// The estimator of a mechanism.
    ///
    /// # Errors
    /// More than 2,000 categories.
    ///
    /// # Complexity
    /// O(k·m²) for k profiles or inputs and m outputs, and O(k²·m) up to 1,000 profiles; with more their own shares are
    /// not looked for.
    pub fn new(mechanism: &Mechanism) -> Result<Self> {
        let components = Components::of(mechanism)?;
        let identified = Identified::new(&components);
        let categories = (0..components.inputs as u32).map(|input| vec![input]);
        let totals = identified.input_groups().into_iter();
        let totals = totals.filter(|group| group.len() > 1 && group.len() < components.inputs);
        let histogram = categories.chain(totals);
        let histogram = histogram.map(|members| Target::new(&components, &identified, members, true)).collect();
        let groups = if components.are_profiles() { identified.component_groups() } else { Some(Vec::new()) };
        let crowded = groups.is_none();
        let mix = groups.unwrap_or_default().into_iter();
        let mix = mix.map(|members| Target::new(&components, &identified, members, false)).collect();
        let idle = identified.idle().map(<[f64]>::to_vec).collect();
        Ok(Estimator { idle, histogram, mix, crowded, components })
    }

    /// Whether there are more profiles than shares of their own are looked for; the histogram is not affected.
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// The estimate from the number of reports of each output.
    ///
    /// # Errors
    /// No reports, another number of outputs than the mechanism has, an output that it never gives, or a confidence that
    /// is not between 0 and 1.
    pub fn estimate(&self, counts: &[u64], confidence: Confidence) -> Result<Estimate> {
        self.check(counts, confidence)?;
        let reports: u64 = counts.iter().sum();
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 / reports as f64).collect();
        let likely = most_likely_mix(&self.components, &shares);
        let law = self.smoothed(&self.components.mixed(&likely), reports);
        let possible: Vec<bool> = (0..counts.len()).map(|y| self.components.laws().any(|law| law[y] > 0.0)).collect();
        let z = confidence.deviations(self.histogram.len() + self.mix.len());
        let figure = |(target, reading): (&Target, &Vec<f64>)| {
            let (below, above) = interval(reading, &shares, &possible, reports as f64, z);
            // What the reports leave open is taken as in the most likely mix.
            let off: f64 = target.off.iter().zip(&likely).map(|(off, weight)| off * weight).sum();
            let unbiased = dot(reading, &shares) - off;
            let bias = f64::max(off - target.bias[0], target.bias[1] - off).abs();
            let likelihood = (0..likely.len()).map(|k| likely[k] * target.share(&self.components, k)).sum();
            let ends = [below - target.bias[1], above - target.bias[0]];
            Figure::new(target.members.clone(), unbiased, bias, likelihood, ends)
        };
        let best = |targets: &[Target]| self.least_noisy(targets, &law);
        let (histogram, mix) = (best(&self.histogram), best(&self.mix));
        Ok(Estimate {
            reports,
            covariance: covariance(&histogram, &shares, reports as f64),
            histogram: self.histogram.iter().zip(&histogram).map(figure).collect(),
            mix: self.mix.iter().zip(&mix).map(figure).collect(),
            confidence: confidence.level,
            simultaneous: confidence.simultaneous,
        })
    }

    /// The error to expect from so many reports, when the mix of secrets is this: of profiles where each has its own
    /// channel, of input values otherwise.
    ///
    /// # Errors
    /// No reports, or a mix of another length.
    pub fn predict(&self, reports: u64, mix: &[f64]) -> Result<Prediction> {
        if reports == 0 {
            return Err(Error::input("0 reports, expected at least 1"));
        }
        if mix.len() != self.components.count {
            return Err(Error::input(format!("a mix of {}, expected {}", mix.len(), self.components.count)));
        }
        let law = self.components.mixed(mix);
        let weights = self.smoothed(&law, reports);
        let deviations = |targets: &[Target]| {
            let readings = self.least_noisy(targets, &weights);
            let deviation = |(target, reading): (&Target, Vec<f64>)| {
                let mean = dot(&reading, &law);
                let variance: f64 = reading.iter().zip(&law).map(|(c, p)| p * (c - mean) * (c - mean)).sum();
                let (members, bias) = (target.members.clone(), target.largest_bias());
                PredictedError { members, deviation: (variance / reports as f64).sqrt(), bias }
            };
            targets.iter().zip(readings).map(deviation).collect()
        };
        Ok(Prediction { reports, histogram: deviations(&self.histogram), mix: deviations(&self.mix) })
    }

    fn check(&self, counts: &[u64], confidence: Confidence) -> Result<()> {
        let outputs = self.components.outputs;
        if counts.len() != outputs {
            return Err(Error::input(format!("counts of {} outputs, expected {outputs}", counts.len())));
        }
        if counts.iter().all(|&count| count == 0) {
            return Err(Error::input("no reports, expected at least one"));
        }
        let never = |&y: &usize| counts[y] > 0 && self.components.laws().all(|law| law[y] == 0.0);
        if let Some(output) = (0..outputs).find(never) {
            return Err(Error::input(format!(
                "output number {} was reported, which the mechanism never gives (reports of another mechanism?)",
                output + 1
            )));
        }
        confidence.check()
    }

    /// A law of the model in which no output is impossible, near the given one: as if a report an output more had come
    /// from every component alike. An output that no component has does not matter, as long as it has some weight.
    fn smoothed(&self, law: &[f64], reports: u64) -> Vec<f64> {
        let even = self.components.mixed(&vec![1.0 / self.components.count as f64; self.components.count]);
        let (reports, size) = (reports as f64, law.len() as f64);
        let weight =
            |(p, even): (&f64, f64)| if even > 0.0 { (reports * p + size * even) / (reports + size) } else { 1.0 };
        law.iter().zip(even).map(weight).collect()
    }

    /// The readings with the least variance under an output law: where there are fewer components than outputs, many
    /// readings are right on average.
    fn least_noisy(&self, targets: &[Target], law: &[f64]) -> Vec<Vec<f64>> {
        if self.idle.is_empty() {
            return targets.iter().map(|target| target.reading.clone()).collect();
        }
        let weighted = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(law).map(|((a, b), p)| a * b * p).sum::<f64>();
        let size = self.idle.len();
        let mut gram = Symmetric::zero(size);
        for output in 0..law.len() {
            let row: Vec<f64> = self.idle.iter().map(|idle| idle[output]).collect();
            gram.add_outer(law[output], &row);
        }
        let improved = |target: &Target| {
            let right: Vec<f64> = self.idle.iter().map(|idle| weighted(idle, &target.reading)).collect();
            let mut reading = target.reading.clone();
            for (idle, amount) in self.idle.iter().zip(gram.solve(&right)) {
                reading.iter_mut().zip(idle).for_each(|(c, z)| *c -= amount * z);
            }
            reading
        };
        targets.iter().map(improved).collect()
    }
}

impl Target {
    fn new(components: &Components, identified: &Identified<'_>, members: Vec<u32>, is_input: bool) -> Self {
        let mut target = Target { members, reading: Vec::new(), is_input, off: Vec::new(), bias: [0.0; 2] };
        target.reading = identified.reading(&|component| target.share(components, component));
        let off =
            |component: usize| dot(&target.reading, components.law(component)) - target.share(components, component);
        let off: Vec<f64> = (0..components.count).map(off).collect();
        let bias = off.iter().fold([0.0f64; 2], |[least, most], off| [least.min(*off), most.max(*off)]);
        if bias[1] - bias[0] > ROUNDING {
            (target.off, target.bias) = (off, bias);
        }
        target
    }

    /// The bias at most, when its middle is taken away.
    fn largest_bias(&self) -> f64 {
        0.5 * (self.bias[1] - self.bias[0])
    }

    /// How much of this share a component contributes.
    fn share(&self, components: &Components, component: usize) -> f64 {
        match self.is_input {
            true => self.members.iter().map(|&input| components.input(component, input as usize)).sum(),
            false => f64::from(u8::from(self.members.binary_search(&(component as u32)).is_ok())),
        }
    }
}

fn covariance(readings: &[Vec<f64>], shares: &[f64], reports: f64) -> Vec<f64> {
    let means: Vec<f64> = readings.iter().map(|reading| dot(reading, shares)).collect();
    let mut covariance = Vec::with_capacity(means.len() * means.len());
    for (a, mean_a) in readings.iter().zip(&means) {
        for (b, mean_b) in readings.iter().zip(&means) {
            let product = a.iter().zip(b).zip(shares).map(|((a, b), share)| (a - mean_a) * (b - mean_b) * share);
            covariance.push(product.sum::<f64>() / reports);
        }
    }
    covariance
}

#[cfg(test)]
#[path = "estimator_tests.rs"]
mod tests;
