//! What a report is drawn from: a mix of known output laws.

use crate::error::{Error, Result};
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Kind, Mechanism, OutputLaws};

/// The output laws whose mix the reports follow, and what each of them says about the true values.
///
/// Under one channel for all, a component is an input value and its law a row of the channel. Where every profile has
/// its own channel, a component is a profile with its output law: the reports do not name it.
pub(super) struct Components {
    /// How many components there are.
    pub(super) count: usize,
    /// How many outputs there are.
    pub(super) outputs: usize,
    /// One output law after the other.
    laws: Vec<f64>,
    /// How many input values there are.
    pub(super) inputs: usize,
    /// One input law after the other; empty where component x is the input x itself.
    profiles: Vec<f64>,
}

/// The largest number of outputs: reading back takes its third power in time.
const MOST_OUTPUTS: usize = 2_000;

impl Components {
    /// Those of a mechanism.
    ///
    /// # Errors
    /// More outputs than can be handled.
    pub(super) fn of(mechanism: &Mechanism) -> Result<Self> {
        let (inputs, outputs) = (mechanism.inputs().len(), mechanism.outputs().len());
        if outputs.max(inputs) > MOST_OUTPUTS {
            return Err(Error::inapplicable(format!(
                "{} categories, expected at most {MOST_OUTPUTS} to read statistics back (merge some before releasing)",
                outputs.max(inputs)
            )));
        }
        let (count, laws) = match mechanism.kind() {
            Kind::Aware => (mechanism.graph().names().len(), laws_of_secrets(mechanism)),
            Kind::Shared | Kind::Point => {
                let channel = &mechanism.channels()[0];
                let scale = channel.scale() as f64;
                let row = |x: usize| (0..outputs).map(move |y| channel.weight(x, y) as f64 / scale);
                (inputs, (0..inputs).flat_map(row).collect())
            }
        };
        let profiles = match mechanism.kind() {
            Kind::Aware => mechanism.profiles().iter().flat_map(|law| law.probabilities()).map(nearest).collect(),
            Kind::Shared | Kind::Point => Vec::new(),
        };
        Ok(Components { count, outputs, laws, inputs, profiles })
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
            false => f64::from(u8::from(component == input)),
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
    let all = OutputLaws::of(mechanism);
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
