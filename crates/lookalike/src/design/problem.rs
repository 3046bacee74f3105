//! What is to be designed.

use super::Objective;
use crate::model::{Categories, Channel, Constraint, Distribution, Kind, Limits, Loss, Mechanism, Prior, SecretGraph};
use crate::{Error, Result};
use std::sync::Arc;

/// The secrets and their laws, the graph of pairs that must look alike, and what counts as a good mechanism.
#[derive(Debug, Clone)]
pub struct Problem {
    categories: Categories,
    graph: SecretGraph,
    secrets: Secrets,
    /// The limits of each profile; empty where each is one law.
    limits: Arc<[Limits]>,
    /// Whether the objective is that of the worst laws within the limits.
    at_worst: bool,
    kind: Kind,
    objective: Objective,
    prior: Prior,
}

/// What the secrets of a problem are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secrets {
    /// Laws over the categories, one a secret.
    Profiles(Arc<[Distribution]>),
    /// The categories themselves.
    Values,
}

impl Problem {
    /// A problem over profiles, to be solved by one channel per profile (the kind aware).
    ///
    /// # Errors
    /// Profiles that do not fit the graph or the categories.
    pub fn profiles(categories: Categories, graph: SecretGraph, profiles: Vec<Distribution>) -> Result<Self> {
        let count = profiles.len();
        if count != graph.names().len() {
            return Err(Error::input(format!("{count} profiles for {} secrets", graph.names().len())));
        }
        if let Some(at) = profiles.iter().position(|profile| profile.len() != categories.len()) {
            return Err(Error::input(format!(
                "profile {:?} has {} probabilities, expected {}, one for each category",
                graph.names().name(at as u32),
                profiles[at].len(),
                categories.len()
            )));
        }
        let (secrets, prior) = (Secrets::Profiles(profiles.into()), Prior::uniform(count)?);
        let (limits, kind, objective) = ([].into(), Kind::Aware, Objective::MaxFlip);
        Ok(Problem { categories, graph, secrets, limits, at_worst: false, kind, objective, prior })
    }

    /// A problem whose secrets are the categories themselves: local differential privacy and its relatives.
    ///
    /// # Errors
    /// A graph over other names than the categories.
    pub fn values(categories: Categories, graph: SecretGraph) -> Result<Self> {
        if graph.names() != categories.names() {
            return Err(Error::input("a graph over other names than the categories"));
        }
        let (secrets, prior) = (Secrets::Values, Prior::uniform(categories.len())?);
        let (limits, kind, objective) = ([].into(), Kind::Point, Objective::MaxFlip);
        Ok(Problem { categories, graph, secrets, limits, at_worst: false, kind, objective, prior })
    }

    /// The same problem, in which a profile may be any law within its limits: what is designed keeps its claim for all of them,
    /// each secret its own law. The objective stays that of the profiles. Limits of one law each change nothing.
    ///
    /// # Errors
    /// Secrets that are values, another number of limits than profiles or categories, or a profile outside its limits.
    ///
    /// # Example
    /// ```
    /// use lookalike::{design::{self, Options, Problem}, exact::parse_rational};
    /// use lookalike::model::{Categories, Distribution, Limits, Names, SecretGraph};
    /// let number = |text: &str| parse_rational(text).unwrap();
    /// let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"])?);
    /// builder.complete(&"1".parse()?);
    /// let law = |no: &str, yes: &str| Distribution::new(&[number(no), number(yes)]);
    /// let limits = |from: &str, to: &str| Limits::new(&[[number(from), number(to)], [number("0"), number("1")]]);
    /// let problem = Problem::profiles(Categories::new(["no", "yes"])?, builder.build()?, vec![law("0.8", "0.2")?, law("0.5", "0.5")?])?;
    /// let point = design::design(&problem, &Options::default())?;
    /// let within = design::design(&problem.within(vec![limits("0.7", "0.9")?, limits("0.4", "0.6")?])?, &Options::default())?;
    /// assert!(within.objective.value > point.objective.value && within.mechanism.limits().len() == 2);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn within(self, limits: Vec<Limits>) -> Result<Self> {
        let unchanged = Channel::identity(self.categories.len())?;
        // A mechanism knows whether limits fit.
        let limits = match &self.secrets {
            Secrets::Values => return Err(Error::inapplicable("limits of profiles, but the secrets are values")),
            Secrets::Profiles(profiles) => {
                let (inputs, outputs) = (self.categories.clone(), self.categories.clone());
                let mechanism = Mechanism::shared(inputs, outputs, self.graph.clone(), profiles.clone(), unchanged)?;
                mechanism.within(limits)?.limits().into()
            }
        };
        Ok(Problem { limits, ..self })
    }

    /// The same problem, with the largest value of the objective that laws within the limits can give, instead of that of the
    /// profiles: an average takes the worst law of each secret. Without limits there is nothing to choose from.
    #[must_use]
    pub fn at_worst(self) -> Self {
        Problem { at_worst: true, ..self }
    }

    /// The same problem, to be solved by one channel for all profiles.
    ///
    /// # Errors
    /// A problem whose secrets are values: it has one channel anyway.
    pub fn shared(self) -> Result<Self> {
        if self.kind == Kind::Point {
            return Err(Error::input(
                "channel = \"shared\" with secrets = \"values\": values share one channel anyway",
            ));
        }
        Ok(Problem { kind: Kind::Shared, ..self })
    }

    /// The same problem, to be solved by one channel per profile.
    ///
    /// # Errors
    /// A problem whose secrets are values: it has one channel anyway.
    pub fn aware(self) -> Result<Self> {
        if self.kind == Kind::Point {
            return Err(Error::input("channel = \"aware\" with secrets = \"values\": values share one channel"));
        }
        Ok(Problem { kind: Kind::Aware, ..self })
    }

    /// The same problem with another objective.
    ///
    /// # Errors
    /// A loss matrix of another size than there are categories.
    pub fn with_objective(self, objective: Objective) -> Result<Self> {
        let expected = self.categories.len();
        match objective.loss().and_then(Loss::size) {
            Some(size) if size != expected => {
                Err(Error::input(format!("a loss of {size} categories, expected {expected}")))
            }
            _ => Ok(Problem { objective, ..self }),
        }
    }

    /// The same problem with other weights of the secrets.
    ///
    /// # Errors
    /// Another number of weights than there are secrets.
    pub fn with_prior(self, prior: Prior) -> Result<Self> {
        let (found, expected) = (prior.len(), self.graph.names().len());
        if found != expected {
            return Err(Error::input(format!("{found} weights for {expected} secrets")));
        }
        Ok(Problem { prior, ..self })
    }

    /// The categories.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// The graph.
    pub fn graph(&self) -> &SecretGraph {
        &self.graph
    }

    /// The secrets.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The kind of mechanism asked for.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The objective.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The weights of the secrets.
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The limits of each profile; empty where each is one law, and when the secrets are values.
    pub fn limits(&self) -> &[Limits] {
        &self.limits
    }

    /// Whether the objective is that of the worst laws within the limits.
    pub fn is_at_worst(&self) -> bool {
        self.at_worst && !self.limits.is_empty()
    }

    /// That each profile is one law, on which this design rests.
    pub(super) fn check_laws(&self, design: &str) -> Result<()> {
        match self.limits.is_empty() {
            true => Ok(()),
            false => Err(Error::inapplicable(format!(
                "{design} serves profiles that are one law each, found limits (smooth-categorical serves them)"
            ))),
        }
    }

    /// The profiles, or nothing when the secrets are values.
    pub fn profile_laws(&self) -> &[Distribution] {
        match &self.secrets {
            Secrets::Profiles(profiles) => profiles,
            Secrets::Values => &[],
        }
    }

    /// The same problem over another graph on the same secrets.
    pub(super) fn with_graph(self, graph: SecretGraph) -> Self {
        debug_assert_eq!(self.graph.names(), graph.names(), "a graph on the same secrets");
        Problem { graph, ..self }
    }

    /// How many parts can be solved apart: the components that have an edge, or all at once where one channel serves.
    pub(super) fn components_apart(&self) -> usize {
        match self.kind {
            Kind::Aware => self.graph.components().iter().filter(|component| component.len() > 1).count(),
            Kind::Shared | Kind::Point => 1,
        }
    }

    /// The mechanism that gives each part of the secrets one channel.
    pub(super) fn mechanism(&self, parts: Parts, mut channels: Vec<Channel>) -> Result<Mechanism> {
        let (inputs, outputs, graph) = (self.categories.clone(), self.categories.clone(), self.graph.clone());
        let profiles = match &self.secrets {
            Secrets::Profiles(profiles) => profiles.clone(),
            Secrets::Values => [].into(),
        };
        let mechanism = match self.kind {
            Kind::Point => Mechanism::point(inputs, outputs, graph, channels.swap_remove(0)),
            Kind::Shared => Mechanism::shared(inputs, outputs, graph, profiles, channels.swap_remove(0)),
            Kind::Aware => Mechanism::aware(inputs, outputs, graph, profiles, channels, parts.of_secret),
        }?;
        if self.limits.is_empty() { Ok(mechanism) } else { mechanism.within(self.limits.to_vec()) }
    }

    /// The parts of the secrets that one channel serves: the components of the graph, or all of them at once.
    pub(super) fn parts(&self) -> Parts {
        let mut of_secret = vec![0; self.graph.names().len()];
        if self.kind != Kind::Aware {
            return Parts { of_secret, count: 1 };
        }
        let components = self.graph.components();
        for (part, members) in components.iter().enumerate() {
            for &member in members {
                of_secret[member as usize] = part as u32;
            }
        }
        Parts { of_secret, count: components.len() }
    }
}

/// A division of the secrets.
pub(super) struct Parts {
    /// The part of each secret.
    of_secret: Vec<u32>,
    /// How many there are; at least one.
    pub(super) count: usize,
}

impl Parts {
    /// Every secret on its own.
    pub(super) fn apart(secrets: usize) -> Self {
        Parts { of_secret: (0..secrets as u32).collect(), count: secrets }
    }

    /// The part that a constraint belongs to, whole.
    pub(super) fn of(&self, constraint: &Constraint<'_>) -> usize {
        self.of_secret[constraint.members[0] as usize] as usize
    }
}
