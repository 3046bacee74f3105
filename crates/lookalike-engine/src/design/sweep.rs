//! The trade-off between privacy and utility: a design at each of many ε.

use super::design_facts::BaselineFacts;
use super::overrides::{DesignChoices, DesignOverrides, prove_design};
use lookalike::certify::Certified;
use lookalike::design::{Design, Grid, MechanismName, Watch, sweep};
use lookalike::estimate::LimitsBasis;
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
use lookalike_formats::{MechanismFile, ObjectiveFacts, Result, Spec};
use serde::Serialize;

/// A sweep that is asked for.
#[derive(Debug, Clone)]
pub struct SweepRequest {
    /// The problem.
    pub spec: Spec,
    /// What takes the place of the spec's own choices.
    pub overrides: DesignOverrides,
    /// By what it is to be solved.
    pub choices: DesignChoices,
    /// The largest budget of each design.
    pub epsilons: Grid,
}

/// One point of a trade-off, designed and proved.
#[derive(Debug)]
pub struct SweptDesign {
    /// The largest budget of any pair.
    pub epsilon: Epsilon,
    /// What the limits of the profiles rest on, as the spec states it.
    pub limits_basis: Option<LimitsBasis>,
    /// The design.
    pub design: Design,
    /// The mechanism with its proof.
    pub certified: Certified<Mechanism>,
    /// The objective of local DP.
    pub baseline: f64,
    /// How often the output differs from the value, averaged over the secrets by the prior.
    pub expected_error: f64,
}

/// What is said of a point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweepPointFacts {
    /// The largest budget of any pair.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// Which mechanism it is.
    pub mechanism: &'static str,
    /// How it was found.
    pub algorithm: &'static str,
    /// What was kept small, and what no mechanism can go below.
    pub objective: ObjectiveFacts,
    /// What local DP would cost.
    pub baseline: BaselineFacts,
    /// How often the output differs from the value, averaged over the secrets by the prior.
    pub expected_error: f64,
    /// The share of every row that was given up for exactness.
    pub repair_cost: f64,
    /// Always: what cannot be proved is an error.
    pub certified: bool,
}

impl SweepRequest {
    /// Designs and proves each point; `keep` takes of it what is wanted, so that many mechanisms need not be in memory.
    ///
    /// # Errors
    /// Those of [`DesignOverrides::applied`] and of every design.
    pub fn run<T>(self, watch: Watch<'_>, mut keep: impl FnMut(SweptDesign) -> T) -> Result<Vec<T>> {
        let Spec { problem, limits_basis, .. } = self.spec;
        let problem = self.overrides.applied(problem)?;
        let options = self.choices.options(watch);
        let designed = sweep(&problem, &self.epsilons, &options).map(|point| {
            let point = point?;
            let certified = prove_design(point.design.mechanism.clone())?;
            Ok(keep(SweptDesign {
                epsilon: point.epsilon,
                limits_basis: limits_basis.clone(),
                design: point.design,
                certified,
                baseline: point.baseline,
                expected_error: point.expected_error,
            }))
        });
        designed.collect()
    }
}

impl SweptDesign {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        MechanismFile::new(self.design.clone(), &self.certified).resting_on(self.limits_basis.clone())
    }

    /// All that is said of it.
    pub fn facts(&self) -> SweepPointFacts {
        SweepPointFacts {
            epsilon: self.epsilon.to_f64(),
            epsilon_text: self.epsilon.to_string(),
            mechanism: self.design.name.name(),
            algorithm: self.design.solution.algorithm.name(),
            objective: ObjectiveFacts::of(&self.design),
            baseline: BaselineFacts { name: MechanismName::RandomizedResponse.name(), value: self.baseline },
            expected_error: self.expected_error,
            repair_cost: self.design.solution.repair_cost,
            certified: true,
        }
    }
}
