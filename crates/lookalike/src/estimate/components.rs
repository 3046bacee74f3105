//! What a report is drawn from: a mix of known output laws.

use super::envelope::Envelope;
use super::identified::dot;
use super::regions::{RegionLaw, Regions};
use super::trust::Trust;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Kind, Limits, Mechanism, OutputLaws};
use crate::{Error, Result};
use std::borrow::Cow;
use std::sync::Arc;

/// The output laws whose mix the reports follow, and what each of them says about the true values.
///
/// Where nothing is assumed, a component is a value with one of the channels, and its law a row of that channel: the reports do
/// not name it, and every mix is possible. Where profiles are trusted a component is a profile with its output law. Where limits
/// are, it is a profile with one of the laws within them; these are too many to list, so that there are some of them here, to find
/// readings with, and what is claimed of readings is asked of [`Components::short`] and [`Components::envelope`], which know all.
#[derive(Debug, Clone)]
pub(super) struct Components {
    /// How many components there are.
    pub(super) count: usize,
    /// How many outputs there are.
    pub(super) outputs: usize,
    /// One output law after the other.
    laws: Vec<f64>,
    /// How many input values there are.
    pub(super) inputs: usize,
    /// One input law after the other; empty where component k is the input k modulo their number.
    profiles: Vec<f64>,
    /// The profile of each component; empty where components are no profiles.
    of_profile: Vec<u32>,
    /// The laws that profiles may have, where they are known up to limits.
    regions: Option<Arc<Regions>>,
    /// Which outputs can occur.
    possible: Vec<bool>,
    /// The mix to be expected: every profile as frequent as any other, or every value where there are no profiles.
    expected: Vec<f64>,
    /// How many of the reports are drawn from a fixed law instead, and this law.
    fixed: Option<(f64, Vec<f64>)>,
}

/// The largest number of outputs: reading back takes its third power in time.
const MOST_OUTPUTS: usize = 2_000;

/// The largest number of probabilities in all laws.
const MOST_ENTRIES: usize = 50_000_000;

/// The largest number of limits, each of which is looked at whenever a reading is.
const MOST_LIMITS: usize = 100_000;

impl Components {
    /// Those of a mechanism.
    ///
    /// # Errors
    /// More than can be handled, or profiles that are to be trusted where there are none.
    pub(super) fn of(mechanism: &Mechanism, trust: Trust) -> Result<Self> {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        if outputs.max(inputs) > MOST_OUTPUTS {
            return Err(Error::inapplicable(format!(
                "{} categories, expected at most {MOST_OUTPUTS} to read statistics back (merge some before releasing)",
                outputs.max(inputs)
            )));
        }
        match trust {
            Trust::Profiles if mechanism.kind() == Kind::Point => Err(Error::inapplicable(
                "trust in profiles, but the secrets of this mechanism are values: it has no profiles",
            )),
            Trust::Profiles => Ok(Self::profiles(mechanism)),
            Trust::Limits => Self::limits(mechanism, mechanism.limits()),
            Trust::Nothing => {
                let channels = mechanism.channels().len();
                if channels * inputs * outputs > MOST_ENTRIES {
                    return Err(Error::inapplicable(format!(
                        "{channels} channels of {inputs} categories are too many to read statistics back without trusting the \
                         profiles"
                    )));
                }
                Ok(Self::rows(mechanism))
            }
        }
    }

    /// The laws within these limits: those of the profiles themselves, and as many more as span all of them.
    ///
    /// # Errors
    /// No limits, or too many.
    pub(super) fn limits(mechanism: &Mechanism, limits: &[Limits]) -> Result<Self> {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        if limits.is_empty() {
            return Err(Error::inapplicable("trust in limits, but the profiles of this mechanism have none"));
        }
        let (found, rows) = (limits.len() * inputs, mechanism.channels().len() * inputs * outputs);
        if found > MOST_LIMITS || rows > MOST_ENTRIES {
            return Err(Error::inapplicable(format!(
                "{} profiles with {inputs} limits each are too many to read statistics back within them, expected at most \
                 {MOST_LIMITS} limits",
                limits.len()
            )));
        }
        let regions = Arc::new(Regions::new(mechanism, limits, rows_of_channels(mechanism)));
        let fitted = Self::profiles(mechanism);
        let more = regions.spanning();
        Ok(Components { regions: Some(regions), ..fitted }.with(more))
    }

    /// Whether limits of these numbers are not too many.
    pub(super) fn can_hold_limits(mechanism: &Mechanism) -> bool {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        mechanism.limits().len() * inputs <= MOST_LIMITS
            && mechanism.channels().len() * inputs * outputs <= MOST_ENTRIES
            && outputs.max(inputs) <= MOST_OUTPUTS
    }

    /// The same with more of the laws within the limits; none of them is expected.
    pub(super) fn with(mut self, more: Vec<RegionLaw>) -> Self {
        let regions = self.regions.clone().expect("laws within limits");
        for law in more {
            self.laws.extend(regions.law(&law));
            self.profiles.extend(&law.inputs);
            self.of_profile.push(law.profile);
            self.expected.push(0.0);
            self.count += 1;
        }
        let (laws, outputs) = (&self.laws, self.outputs);
        for law in laws.chunks_exact(outputs) {
            self.possible.iter_mut().zip(law).for_each(|(possible, p)| *possible |= *p > 0.0);
        }
        self
    }

    /// The laws of the profiles themselves alone; what is asked of all laws stays the same.
    pub(super) fn fitted(&self) -> Self {
        let count = self.own();
        Components {
            count,
            laws: self.laws[..count * self.outputs].to_vec(),
            profiles: self.profiles[..count * self.inputs].to_vec(),
            of_profile: self.of_profile[..count].to_vec(),
            expected: self.expected[..count].to_vec(),
            ..self.clone()
        }
    }

    /// How many components stand for themselves: all, or with limits one for each profile.
    pub(super) fn own(&self) -> usize {
        self.regions.as_ref().map_or(self.count, |regions| regions.profiles())
    }

    /// The rows of all channels.
    fn rows(mechanism: &Mechanism) -> Self {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        let laws = rows_of_channels(mechanism);
        let expected = match mechanism.kind() {
            Kind::Point => vec![1.0 / inputs as f64; inputs],
            Kind::Aware | Kind::Shared => {
                let count = mechanism.profiles().len();
                Self::values_of(mechanism, &vec![1.0 / count as f64; count])
            }
        };
        Self::from_laws(laws, [inputs, outputs], Vec::new(), expected)
    }

    /// How frequent each value is in each channel when profiles are this frequent.
    pub(super) fn values_of(mechanism: &Mechanism, shares: &[f64]) -> Vec<f64> {
        let inputs = mechanism.inputs().len();
        let mut values = vec![0.0; mechanism.channels().len() * inputs];
        for (secret, (law, share)) in mechanism.profiles().iter().zip(shares).enumerate() {
            let channel = mechanism.assignment().get(secret).map_or(0, |&channel| channel as usize);
            let row = &mut values[channel * inputs..][..inputs];
            row.iter_mut().zip(law.probabilities()).for_each(|(sum, p)| *sum += share * nearest(p));
        }
        values
    }

    /// The output laws of all profiles.
    fn profiles(mechanism: &Mechanism) -> Self {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        let profiles = mechanism.profiles().iter().flat_map(|law| law.probabilities()).map(nearest).collect();
        let count = mechanism.profiles().len();
        let expected = vec![1.0 / count as f64; count];
        let of_profile = (0..count as u32).collect();
        Components { of_profile, ..Self::from_laws(laws_of_secrets(mechanism), [inputs, outputs], profiles, expected) }
    }

    fn from_laws(laws: Vec<f64>, [inputs, outputs]: [usize; 2], profiles: Vec<f64>, expected: Vec<f64>) -> Self {
        let mut possible = vec![false; outputs];
        for law in laws.chunks_exact(outputs) {
            possible.iter_mut().zip(law).for_each(|(possible, p)| *possible |= *p > 0.0);
        }
        let (count, of_profile, regions, fixed) = (expected.len(), Vec::new(), None, None);
        Components { count, outputs, laws, inputs, profiles, of_profile, regions, possible, expected, fixed }
    }

    /// The same among reports of which a share is drawn from a fixed law instead.
    pub(super) fn among(&self, share: f64, fixed: &[f64]) -> Self {
        let mixed = |(at, p): (usize, &f64)| (1.0 - share) * p + share * fixed[at % self.outputs];
        let laws = self.laws.iter().enumerate().map(mixed).collect();
        let mixed = Self::from_laws(laws, [self.inputs, self.outputs], self.profiles.clone(), self.expected.clone());
        let regions = self.regions.as_ref().map(|regions| Arc::new(regions.among(share, fixed)));
        Components { fixed: Some((share, fixed.to_vec())), of_profile: self.of_profile.clone(), regions, ..mixed }
    }

    /// What [`Components::among`] was told.
    pub(super) fn fixed(&self) -> Option<(f64, &[f64])> {
        self.fixed.as_ref().map(|(share, law)| (*share, &law[..]))
    }

    /// Which outputs can occur.
    pub(super) fn possible(&self) -> &[bool] {
        &self.possible
    }

    /// The law of the reports to be expected, before there are any.
    pub(super) fn expected_law(&self) -> Vec<f64> {
        self.mixed(&self.expected)
    }

    /// The mix to be expected.
    pub(super) fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// The output law of a component.
    pub(super) fn law(&self, component: usize) -> &[f64] {
        &self.laws[component * self.outputs..][..self.outputs]
    }

    /// All output laws in order.
    pub(super) fn laws(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.laws.chunks_exact(self.outputs)
    }

    /// Whether components are profiles rather than inputs.
    pub(super) fn are_profiles(&self) -> bool {
        !self.profiles.is_empty()
    }

    /// The laws that profiles may have, where they are known up to limits.
    pub(super) fn regions(&self) -> Option<&Arc<Regions>> {
        self.regions.as_ref()
    }

    /// How many parts a share is given by: components, or profiles with a value where there are limits.
    pub(super) fn parts(&self) -> usize {
        self.regions.as_ref().map_or(self.count, |regions| regions.parts())
    }

    /// What each component has of a share that is given by part.
    pub(super) fn shares<'s>(&self, parts: &'s [f64]) -> Cow<'s, [f64]> {
        if self.regions.is_none() {
            return parts.into();
        }
        let of = |(law, &profile): (&[f64], &u32)| dot(law, &parts[profile as usize * self.inputs..][..self.inputs]);
        self.profiles.chunks_exact(self.inputs).zip(&self.of_profile).map(of).collect()
    }

    /// How far the mean of readings can be below a share, given by part, over all mixes; 0 if it never is.
    pub(super) fn short(&self, readings: &[f64], parts: &[f64]) -> f64 {
        match &self.regions {
            Some(regions) => regions.short(readings, parts),
            None => self.laws().zip(parts).map(|(law, share)| share - dot(readings, law)).fold(0.0, f64::max),
        }
    }

    /// Over all mixes with a given mean of the readings, the largest mean square of their distance from the centre.
    pub(super) fn squares(&self, values: &[f64], centre: f64) -> Envelope {
        if let Some(regions) = &self.regions {
            let squares: Vec<f64> = values.iter().map(|g| (g - centre) * (g - centre)).collect();
            return regions.envelope(values, &squares);
        }
        let square = |law: &[f64]| law.iter().zip(values).map(|(p, g)| p * (g - centre) * (g - centre)).sum::<f64>();
        Envelope::over(self.laws().map(|law| (dot(values, law), square(law))))
    }

    /// The probability of an input under a component.
    pub(super) fn input(&self, component: usize, input: usize) -> f64 {
        match self.are_profiles() {
            true => self.profiles[component * self.inputs + input],
            false => f64::from(u8::from(component % self.inputs == input)),
        }
    }

    /// The mixed output law.
    pub(super) fn mixed(&self, mix: &[f64]) -> Vec<f64> {
        let mut law = vec![0.0; self.outputs];
        for (weight, component) in mix.iter().zip(self.laws()) {
            law.iter_mut().zip(component).for_each(|(sum, p)| *sum += weight * p);
        }
        law
    }
}

/// The rows of all channels, one channel after the other.
fn rows_of_channels(mechanism: &Mechanism) -> Vec<f64> {
    let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
    let channels = mechanism.channels();
    let mut laws = Vec::with_capacity(channels.len() * inputs * outputs);
    for channel in channels {
        let scale = channel.scale() as f64;
        for x in 0..inputs {
            laws.extend((0..outputs).map(|y| channel.weight(x, y) as f64 / scale));
        }
    }
    laws
}

fn laws_of_secrets(mechanism: &Mechanism) -> Vec<f64> {
    let (secrets, outputs) = (mechanism.graph().names().len(), mechanism.outputs().len());
    let all = OutputLaws::of_profiles(mechanism);
    let mut laws = vec![0.0; secrets * outputs];
    for output in 0..outputs {
        for (secret, &floor) in all.column(output).floors().iter().enumerate() {
            laws[secret * outputs + output] = floor as f64 / (1u64 << 62) as f64;
        }
    }
    laws
}

fn nearest(value: Rational) -> f64 {
    to_f64(&value, Direction::Nearest)
}
