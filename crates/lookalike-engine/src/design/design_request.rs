//! A design: a problem, what is asked beside it, and the mechanism with its proof and what it is compared with.

use super::design_facts::{BaselineFacts, DesignFacts, EpsilonForFacts, KeptFacts, ProfileFacts, nearest};
use super::overrides::{DesignChoices, DesignOverrides, prove_design};
use super::wanted::Wanted;
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::{
    Design, EpsilonFor, Objective, Options, Problem, Watch, design, randomized_response, survival,
};
use lookalike::estimate::{Confidence, LimitsBasis};
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Utility};
use lookalike_formats::{
    Error, LimitsBasisFacts, MaxGap, MechanismFile, ObjectiveFacts, ProofFacts, Result, SolutionFacts, Spec, check_gap,
    gap_warning, impossible_values, largest_epsilon, promised,
};
use std::path::Path;

/// A design that is asked for.
#[derive(Debug, Clone)]
pub struct DesignRequest {
    /// The problem, with its secrets without an edge.
    pub spec: Spec,
    /// What takes the place of the spec's own choices.
    pub overrides: DesignOverrides,
    /// By what it is to be solved.
    pub choices: DesignChoices,
    /// The smallest ε for this is looked for, instead of the spec's budgets.
    pub epsilon_for: Option<EpsilonTarget>,
    /// How far from the least noise there is the design may be.
    pub max_gap: Option<MaxGap>,
}

/// What is to be reached at the smallest ε.
#[derive(Debug, Clone)]
pub struct EpsilonTarget {
    /// What, as [`Wanted::parse`] reads it: `expected-error=0.1`, `width=0.02`.
    pub text: String,
    /// For a width: from how many reports.
    pub reports: Option<u64>,
    /// For a width: how often an interval is to cover the truth.
    pub confidence: f64,
}

/// A design with its proof and what it is compared with.
#[derive(Debug)]
pub struct DesignOutcome {
    /// The problem that was solved.
    pub problem: Problem,
    /// Its secrets without an edge.
    pub unprotected: Vec<String>,
    /// What the limits of its profiles rest on, as its spec states it.
    pub limits_basis: Option<LimitsBasis>,
    /// The design.
    pub design: Design,
    /// Randomized response: what local DP would cost.
    pub baseline: Design,
    /// The mechanism with its proof.
    pub certified: Certified<Mechanism>,
    /// What was wanted and the smallest ε that reaches it, where that was asked for.
    pub reached: Option<Reached>,
    /// What its owner should know.
    pub warnings: Vec<DesignWarning>,
}

/// What was wanted and the smallest ε that reaches it.
#[derive(Debug, Clone)]
pub struct Reached {
    /// What was wanted.
    pub wanted: Wanted,
    /// The smallest ε.
    pub epsilon: Epsilon,
    /// What was measured there.
    pub value: f64,
    /// The value one step lower, which is too much; `None` at the smallest ε that is tried.
    pub one_step_lower: Option<f64>,
}

/// What the owner of a design should know.
#[derive(Debug, Clone, PartialEq)]
pub enum DesignWarning {
    /// Values that their profiles never have are not hidden should they occur.
    ImpossibleValues(Sentence),
    /// A solver stopped early: there may be a design with noticeably less noise.
    Gap(Sentence),
}

impl DesignWarning {
    /// It in words.
    pub fn sentence(&self) -> &Sentence {
        match self {
            DesignWarning::ImpossibleValues(sentence) | DesignWarning::Gap(sentence) => sentence,
        }
    }

    /// What it is about, in a word: `privacy` or `gap`.
    pub fn name(&self) -> &'static str {
        match self {
            DesignWarning::ImpossibleValues(_) => "privacy",
            DesignWarning::Gap(_) => "gap",
        }
    }
}

impl DesignRequest {
    /// The design of a spec with nothing else asked for.
    pub fn new(spec: Spec) -> Self {
        let (overrides, choices) = (DesignOverrides::default(), DesignChoices::default());
        DesignRequest { spec, overrides, choices, epsilon_for: None, max_gap: None }
    }

    /// Designs, proves, and compares with randomized response.
    ///
    /// # Errors
    /// Those of [`DesignOverrides::applied`], [`Wanted::parse`] and [`design`], an objective beside one for which ε is looked for,
    /// and a gap larger than asked for.
    pub fn run(self, watch: Watch<'_>) -> Result<DesignOutcome> {
        let DesignRequest { spec, overrides, choices, epsilon_for, max_gap } = self;
        let Spec { problem, unprotected, limits_basis } = spec;
        let problem = overrides.applied(problem)?;
        let options = choices.options(watch);
        let (problem, design, reached) = match &epsilon_for {
            None => {
                let proposal = design(&problem, &options)?;
                (problem, proposal, None)
            }
            Some(target) => target.reached(&problem, overrides.objective.is_some(), &options)?,
        };
        max_gap.as_ref().map_or(Ok(()), |most| check_gap(&design.objective, most))?;
        watch.step("certifying", 0, None)?;
        let baseline = randomized_response(&problem)?;
        let certified = prove_design(design.mechanism.clone())?;
        let impossible =
            impossible_values(certified.mechanism()).map(|line| DesignWarning::ImpossibleValues(line.into()));
        let gap = gap_warning(&design).map(|line| DesignWarning::Gap(line.into()));
        let warnings = impossible.into_iter().chain(gap).collect();
        Ok(DesignOutcome { problem, unprotected, limits_basis, design, baseline, certified, reached, warnings })
    }
}

impl EpsilonTarget {
    /// The design at the smallest ε for this, and its problem there. What is wanted of a utility is also what the design keeps
    /// small, so another objective beside it is refused.
    fn reached(
        &self,
        problem: &Problem,
        has_objective: bool,
        options: &Options<'_>,
    ) -> Result<(Problem, Design, Option<Reached>)> {
        let epsilon_for = || Sentence::new().option("epsilon-for");
        let confidence = Confidence { level: self.confidence, simultaneous: false };
        let wanted = Wanted::parse(&self.text, problem, self.reports, confidence)
            .map_err(|error| error.at_option(epsilon_for()))?;
        if has_objective && matches!(wanted, Wanted::Utility(_)) {
            let message = Sentence::from("that of ").then(epsilon_for()).text(" is what the design minimizes");
            return Err(Error::input(message).at_option(Sentence::new().option("objective")));
        }
        let EpsilonFor { epsilon, problem, design, value, one_step_lower } = wanted.smallest(problem, options)?;
        Ok((problem, design, Some(Reached { wanted, epsilon, value, one_step_lower })))
    }
}

impl DesignOutcome {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        MechanismFile::new(self.design.clone(), &self.certified).resting_on(self.limits_basis.clone())
    }

    /// What it promises, in a sentence.
    pub fn promised(&self) -> String {
        promised(&self.certified, self.limits_basis.as_ref())
    }

    /// How much of each category is released unchanged: an error may be small because a mechanism says what is frequent.
    pub fn kept(&self) -> Vec<KeptFacts> {
        let mechanism = self.certified.mechanism();
        let categories = mechanism.inputs().names().iter();
        let kept = survival(mechanism, self.problem.prior());
        categories.zip(kept).map(|(name, kept)| KeptFacts { category: name.to_owned(), kept }).collect()
    }

    /// All that is said of it; the path is that of its file.
    pub fn facts(&self, file: Option<&Path>) -> DesignFacts {
        let mechanism = self.certified.mechanism();
        let epsilon = largest_epsilon(mechanism);
        DesignFacts {
            mechanism: self.design.name.name(),
            kind: mechanism.kind().name(),
            epsilon: epsilon.to_f64(),
            epsilon_text: epsilon.to_string(),
            promised: self.promised(),
            objective: ObjectiveFacts::of(&self.design),
            baseline: BaselineFacts { name: self.baseline.name.name(), value: self.baseline.objective.value },
            expected_error: Objective::ExpectedError.value(&self.problem, mechanism),
            kept: self.kept(),
            profiles: profiles(mechanism).collect(),
            limits_basis: self.limits_basis.as_ref().map(LimitsBasisFacts::of),
            certificate: ProofFacts::of_channels(mechanism, self.certified.certificate()),
            unprotected: self.unprotected.clone(),
            file: file.map(|path| path.display().to_string()),
            solution: SolutionFacts::of(&self.design),
            epsilon_for: self.reached.as_ref().map(EpsilonForFacts::of),
        }
    }
}

fn profiles(mechanism: &Mechanism) -> impl Iterator<Item = ProfileFacts> + '_ {
    (0..).zip(mechanism.graph().names().iter()).zip(utilities(mechanism)).map(|((secret, name), utility)| {
        ProfileFacts {
            name: name.to_owned(),
            keep_probability: nearest(&utility.keep_probability),
            expected_error: nearest(&utility.expected_error),
            max_flip: nearest(&utility.max_flip),
            output: mechanism.output_law(secret).probabilities().map(|p| nearest(&p)).collect(),
        }
    })
}

/// Each secret's figures.
pub fn utilities(mechanism: &Mechanism) -> impl ExactSizeIterator<Item = Utility> + '_ {
    let secrets = 0..mechanism.graph().names().len() as u32;
    secrets.map(|secret| Utility::of(&mechanism.input_law(secret), mechanism.channel(secret)))
}

#[cfg(test)]
#[path = "design_tests.rs"]
mod tests;
