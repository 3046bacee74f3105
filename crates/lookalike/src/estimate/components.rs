//! What a report is drawn from: a mix of known output laws.

use super::trust::Trust;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Kind, Mechanism, OutputLaws};
use crate::{Error, Result};

/// The output laws whose mix the reports follow, and what each of them says about the true values.
///
/// Where nothing is assumed, a component is a value with one of the channels, and its law a row of that channel: the reports do
/// not name it, and every mix is possible. Where profiles are trusted a component is a profile with its output law.
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

    /// The rows of all channels.
    fn rows(mechanism: &Mechanism) -> Self {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        let channels = mechanism.channels();
        let mut laws = Vec::with_capacity(channels.len() * inputs * outputs);
        for channel in channels {
            let scale = channel.scale() as f64;
            for x in 0..inputs {
                laws.extend((0..outputs).map(|y| channel.weight(x, y) as f64 / scale));
            }
        }
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
        Self::from_laws(laws_of_secrets(mechanism), [inputs, outputs], profiles, vec![1.0 / count as f64; count])
    }

    fn from_laws(laws: Vec<f64>, [inputs, outputs]: [usize; 2], profiles: Vec<f64>, expected: Vec<f64>) -> Self {
        let mut possible = vec![false; outputs];
        for law in laws.chunks_exact(outputs) {
            possible.iter_mut().zip(law).for_each(|(possible, p)| *possible |= *p > 0.0);
        }
        Components { count: expected.len(), outputs, laws, inputs, profiles, possible, expected, fixed: None }
    }

    /// The same among reports of which a share is drawn from a fixed law instead.
    pub(super) fn among(&self, share: f64, fixed: &[f64]) -> Self {
        let mixed = |(at, p): (usize, &f64)| (1.0 - share) * p + share * fixed[at % self.outputs];
        let laws = self.laws.iter().enumerate().map(mixed).collect();
        let mixed = Self::from_laws(laws, [self.inputs, self.outputs], self.profiles.clone(), self.expected.clone());
        Components { fixed: Some((share, fixed.to_vec())), ..mixed }
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
