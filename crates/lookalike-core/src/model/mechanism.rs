//! Mechanisms: exact integers with a claim.

use super::{Categories, Channel, Distribution, Limits, SecretGraph, Secrets};
use crate::error::{Error, Result};
use crate::exact::Natural;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What the secrets are and who knows them. Unary and hash mechanisms will be kinds of their own; [`super::Noise`] and
/// [`super::NoisyMax`] have no channel and are types of their own.
///
/// It is closed on purpose: what a kind means for a certifier, an account or an estimate must be decided wherever it is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Secrets are profiles; each has its own channel, chosen by a device that knows its profile.
    Aware,
    /// Secrets are profiles; one channel serves all, so that no device need know its profile.
    Shared,
    /// Secrets are the input values themselves; the rows of one channel are their output laws.
    Point,
}

impl Kind {
    /// The name used in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Aware => "aware",
            Kind::Shared => "shared",
            Kind::Point => "point",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Channels for the secrets of a graph, and the claim that their output laws are within e^ε along every edge.
///
/// The claim is only a claim: `lookalike_core::certify::certify` decides it, and only what it passes can be sampled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mechanism {
    kind: Kind,
    inputs: Categories,
    outputs: Categories,
    graph: SecretGraph,
    /// One law a secret; empty for the kind point, where secret s is the value s.
    profiles: Arc<[Distribution]>,
    /// Where profiles are known up to limits only, those of each secret, which hold its profile; else empty.
    limits: Arc<[Limits]>,
    /// Distinct channels; secrets that have the same one share it.
    channels: Vec<Channel>,
    /// For each secret the place of its channel.
    assignment: Arc<[u32]>,
    /// What the claim is about: profiles, or what the values are.
    secrets: Secrets,
}

impl Mechanism {
    /// A mechanism in which each profile has its own channel: secret s uses `channels[assignment[s]]`.
    ///
    /// # Errors
    /// Numbers of profiles, categories and channels that do not fit each other.
    pub fn aware(
        inputs: Categories,
        outputs: Categories,
        graph: SecretGraph,
        profiles: impl Into<Arc<[Distribution]>>,
        channels: Vec<Channel>,
        assignment: Vec<u32>,
    ) -> Result<Self> {
        let (profiles, assignment) = (profiles.into(), assignment.into());
        check_profiles(&graph, &profiles, &inputs)?;
        let (kind, secrets) = (Kind::Aware, Secrets::Profiles);
        Mechanism { kind, inputs, outputs, graph, profiles, limits: [].into(), channels, assignment, secrets }.checked()
    }

    /// A mechanism in which one channel serves all profiles.
    ///
    /// # Errors
    /// Numbers of profiles, categories and the channel's size that do not fit each other.
    pub fn shared(
        inputs: Categories,
        outputs: Categories,
        graph: SecretGraph,
        profiles: impl Into<Arc<[Distribution]>>,
        channel: Channel,
    ) -> Result<Self> {
        let profiles = profiles.into();
        check_profiles(&graph, &profiles, &inputs)?;
        let assignment = vec![0; profiles.len()].into();
        let (kind, channels, secrets) = (Kind::Shared, vec![channel], Secrets::Profiles);
        Mechanism { kind, inputs, outputs, graph, profiles, limits: [].into(), channels, assignment, secrets }.checked()
    }

    /// A mechanism whose secrets are its input values.
    ///
    /// # Errors
    /// A graph over other names than the categories, or a channel of another size.
    pub fn point(inputs: Categories, outputs: Categories, graph: SecretGraph, channel: Channel) -> Result<Self> {
        if graph.names() != inputs.names() {
            return Err(Error::input(format!(
                "a graph over {} secrets that are not the {} categories, expected the same names in the same order",
                graph.names().len(),
                inputs.len()
            )));
        }
        let (profiles, assignment) = ([].into(), vec![0; inputs.len()].into());
        let (kind, channels, secrets) = (Kind::Point, vec![channel], Secrets::Values);
        Mechanism { kind, inputs, outputs, graph, profiles, limits: [].into(), channels, assignment, secrets }.checked()
    }

    /// The same mechanism, whose values are how many of a group there are: 0, 1 and so on.
    ///
    /// # Errors
    /// Another kind than point; categories other than 0, 1, … in order; two counts that differ by one and are no pair.
    pub fn of_counts(self) -> Result<Self> {
        self.check_point("counts")?;
        if let Some((place, name)) =
            self.inputs.names().iter().enumerate().find(|(place, name)| place.to_string() != **name)
        {
            return Err(Error::input(format!("category {name:?} at the place of the count {place}, expected {place}")));
        }
        match self.unpaired_count() {
            Some(count) => {
                Err(Error::input(format!("the counts {} and {count} are no pair, expected an edge", count - 1)))
            }
            None => Ok(Mechanism { secrets: Secrets::Counts, ..self }),
        }
    }

    /// A count that is no pair with the one below it.
    fn unpaired_count(&self) -> Option<u32> {
        (1..self.inputs.len() as u32).find(|&count| self.graph.epsilon_between(count - 1, count).is_none())
    }

    /// The same mechanism, whose values are cells of a grid on the ground.
    ///
    /// # Errors
    /// Another kind than point.
    pub fn of_cells(self) -> Result<Self> {
        self.check_point("cells")?;
        Ok(Mechanism { secrets: Secrets::Cells, ..self })
    }

    fn check_point(&self, secrets: &str) -> Result<()> {
        match self.kind {
            Kind::Point => Ok(()),
            kind => Err(Error::input(format!("{secrets} as secrets of the kind {kind}, expected \"point\""))),
        }
    }

    /// The same mechanism, with the claim for every law within the limits of each profile, each secret its own law. Limits of
    /// one law each leave it as it is.
    ///
    /// # Errors
    /// The kind point, another number of limits than profiles or categories, or a profile outside its limits.
    pub fn within(self, limits: Vec<Limits>) -> Result<Self> {
        self.check_limits(&limits)?;
        if let Some(at) = (0..limits.len()).find(|&at| !limits[at].contains(&self.profiles[at])) {
            let name = self.graph.names().name(at as u32);
            return Err(Error::input(format!("profile {name:?}: its law is not within its limits")));
        }
        let limits = if limits.iter().all(Limits::is_point) { [].into() } else { limits.into() };
        Ok(Mechanism { limits, ..self })
    }

    /// Whether there are limits for each profile, one for each category.
    ///
    /// # Errors
    /// If not: the kind point, or other numbers.
    pub fn check_limits(&self, limits: &[Limits]) -> Result<()> {
        if self.kind == Kind::Point {
            return Err(Error::inapplicable(
                "the secrets are the values themselves, so there are no profiles to be wrong",
            ));
        }
        let (names, size) = (self.graph.names(), self.inputs.len());
        if limits.len() != names.len() {
            return Err(Error::input(format!("limits of {} profiles, expected {}", limits.len(), names.len())));
        }
        match limits.iter().position(|limits| limits.len() != size) {
            None => Ok(()),
            Some(at) => {
                Err(Error::input(format!("{} limits, expected {size}, one for each category", limits[at].len()))
                    .at(format!("profile {:?}", names.name(at as u32))))
            }
        }
    }

    /// That each secret has one output law, which `what` needs.
    ///
    /// # Errors
    /// Profiles known up to limits only: the laws within them have many output laws.
    pub fn check_single_laws(&self, what: &str) -> Result<()> {
        match self.limits.is_empty() {
            true => Ok(()),
            false => Err(Error::inapplicable(format!(
                "{what} needs one output law for each secret, and profiles within limits have many"
            ))),
        }
    }

    /// What the claim is about.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    fn checked(self) -> Result<Self> {
        let secrets = self.graph.names().len();
        if self.assignment.len() != secrets {
            return Err(Error::input(format!("{} channels for {secrets} secrets", self.assignment.len())));
        }
        if let Some(&place) = self.assignment.iter().find(|&&place| place as usize >= self.channels.len()) {
            return Err(Error::input(format!("channel number {place} of {}", self.channels.len())));
        }
        for channel in &self.channels {
            let (found, expected) = ((channel.inputs(), channel.outputs()), (self.inputs.len(), self.outputs.len()));
            if found != expected {
                return Err(Error::input(format!(
                    "a channel of {} inputs and {} outputs, expected {} and {}",
                    found.0, found.1, expected.0, expected.1
                )));
            }
        }
        Ok(self)
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The input categories.
    pub fn inputs(&self) -> &Categories {
        &self.inputs
    }

    /// The output categories; those of the input unless the mechanism was post-processed.
    pub fn outputs(&self) -> &Categories {
        &self.outputs
    }

    /// The claim: which secrets look alike, and how much.
    pub fn graph(&self) -> &SecretGraph {
        &self.graph
    }

    /// The profiles in the order of the secrets; empty for the kind point. Where there are [`Mechanism::limits`], a profile is
    /// one of the laws within them, at which utility is stated, and the claim is about all of them.
    pub fn profiles(&self) -> &[Distribution] {
        &self.profiles
    }

    /// The limits of each profile, in the order of the secrets; empty where each profile is one law, and for the kind point.
    /// The claim is about every law within them.
    pub fn limits(&self) -> &[Limits] {
        &self.limits
    }

    /// The distinct channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// For each secret the place of its channel in [`Mechanism::channels`].
    pub fn assignment(&self) -> &[u32] {
        &self.assignment
    }

    /// The channel of one secret.
    pub fn channel(&self, secret: u32) -> &Channel {
        &self.channels[self.assignment[secret as usize] as usize]
    }

    /// The law of the input given a secret; within limits the profile, which is one of its laws.
    pub fn input_law(&self, secret: u32) -> Cow<'_, Distribution> {
        match self.kind {
            Kind::Point => {
                let mass = |x: usize| if x == secret as usize { Natural::ONE } else { Natural::ZERO };
                let masses = (0..self.inputs.len()).map(mass).collect();
                Cow::Owned(Distribution::from_weights(masses).expect("one of the masses is 1"))
            }
            Kind::Aware | Kind::Shared => Cow::Borrowed(&self.profiles[secret as usize]),
        }
    }

    /// The exact law of the output given a secret and its profile: `q_s = P_s A^s`. Privacy is a statement about these laws
    /// alone, unless the profiles have [`Mechanism::limits`]: then it is about those of all laws within them, and this is one.
    /// What rests on the law being the only one asks [`Mechanism::check_single_laws`] first.
    pub fn output_law(&self, secret: u32) -> Distribution {
        match self.kind {
            Kind::Point => {
                let row = (0..self.outputs.len()).map(|y| self.channels[0].weight(secret as usize, y).into()).collect();
                Distribution::from_weights(row).expect("a row has a positive sum")
            }
            Kind::Aware | Kind::Shared => self.channel(secret).apply(&self.profiles[secret as usize]),
        }
    }

    /// All output laws in the order of the secrets. [`super::OutputLaws`] needs far less memory for many of them.
    pub fn output_laws(&self) -> Vec<Distribution> {
        (0..self.graph.names().len() as u32).map(|secret| self.output_law(secret)).collect()
    }

    /// This mechanism followed by `next` on its output, with the same claim (post-processing costs no privacy,
    /// Observation 3 of Geumlek and Chaudhuri).
    ///
    /// Exact or refused: a deterministic `next` after channels of the form `rows` always works.
    ///
    /// # Errors
    /// Sizes that do not fit, or a product that needs rounding.
    pub fn then(&self, next: &Channel, outputs: Categories) -> Result<Mechanism> {
        let channels = self.channels.iter().map(|channel| channel.then(next)).collect::<Result<Vec<_>>>()?;
        self.with_channels(channels, outputs)
    }

    /// The same secrets and claim with other channels: a new claim, to be certified anew.
    ///
    /// # Errors
    /// Channels whose number or sizes do not fit.
    pub fn with_channels(&self, channels: Vec<Channel>, outputs: Categories) -> Result<Mechanism> {
        let (inputs, graph, profiles) = (self.inputs.clone(), self.graph.clone(), self.profiles.clone());
        let (kind, limits, secrets) = (self.kind, self.limits.clone(), self.secrets.clone());
        let assignment = self.assignment.clone();
        Mechanism { kind, inputs, outputs, graph, profiles, limits, channels, assignment, secrets }.checked()
    }

    /// The same channels with another claim over the same secrets.
    ///
    /// # Errors
    /// A graph over other secrets.
    pub fn with_graph(self, graph: SecretGraph) -> Result<Mechanism> {
        if graph.names() != self.graph.names() {
            return Err(Error::input("a graph over other secrets, expected the same names in the same order"));
        }
        let mechanism = Mechanism { graph, ..self };
        // A claim that leaves out two neighbours is about the values that it has, and no longer about counts.
        match mechanism.secrets == Secrets::Counts && mechanism.unpaired_count().is_some() {
            true => Ok(Mechanism { secrets: Secrets::Values, ..mechanism }),
            false => Ok(mechanism),
        }
    }
}

fn check_profiles(graph: &SecretGraph, profiles: &[Distribution], inputs: &Categories) -> Result<()> {
    if profiles.len() != graph.names().len() {
        return Err(Error::input(format!("{} profiles for {} secrets", profiles.len(), graph.names().len())));
    }
    match profiles.iter().position(|profile| profile.len() != inputs.len()) {
        None => Ok(()),
        Some(at) => Err(Error::input(format!(
            "profile {:?} has {} probabilities, expected {}, one for each category",
            graph.names().name(at as u32),
            profiles[at].len(),
            inputs.len()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Rational;
    use crate::model::{Names, TOTAL};

    fn half() -> Distribution {
        Distribution::new(&[Rational::new(1.into(), 2.into()), Rational::new(1.into(), 2.into())]).unwrap()
    }

    fn parts() -> (Categories, SecretGraph) {
        let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b"]).unwrap());
        builder.chain(&"1".parse().unwrap());
        (Categories::new(["no", "yes"]).unwrap(), builder.build().unwrap())
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let (bits, graph) = parts();
        let identity = |size| Channel::identity(size).unwrap();
        let shared = |profiles, channel| {
            Mechanism::shared(bits.clone(), bits.clone(), graph.clone(), profiles, channel).map_err(|e| e.to_string())
        };
        assert_eq!(shared(vec![half()], identity(2)).unwrap_err(), "1 profiles for 2 secrets");
        assert_eq!(
            shared(vec![half(), half()], identity(3)).unwrap_err(),
            "a channel of 3 inputs and 3 outputs, expected 2 and 2"
        );
        let third = Distribution::from_weights(vec![Natural::ONE; 3]).unwrap();
        assert_eq!(
            shared(vec![half(), third], identity(2)).unwrap_err(),
            "profile \"b\" has 3 probabilities, expected 2, one for each category"
        );
        let aware = |assignment| {
            let profiles = vec![half(), half()];
            Mechanism::aware(bits.clone(), bits.clone(), graph.clone(), profiles, vec![identity(2)], assignment)
                .map_err(|e| e.to_string())
        };
        assert_eq!(aware(vec![0]).unwrap_err(), "1 channels for 2 secrets");
        assert_eq!(aware(vec![0, 1]).unwrap_err(), "channel number 1 of 1");
        assert!(Mechanism::point(bits.clone(), bits.clone(), graph.clone(), identity(2)).is_err());
    }

    #[test]
    fn the_law_of_a_value_is_its_row() {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = SecretGraph::builder(bits.names().clone());
        builder.complete(&"ln(3)".parse().unwrap());
        let rows = vec![vec![3 * (TOTAL / 4), TOTAL / 4], vec![TOTAL / 4, 3 * (TOTAL / 4)]];
        let channel = Channel::rows(rows).unwrap();
        let warner = Mechanism::point(bits.clone(), bits, builder.build().unwrap(), channel.clone()).unwrap();
        assert_eq!(warner.output_law(1), channel.apply(&warner.input_law(1)));
        assert_eq!(warner.output_law(0).probability(1).to_string(), "1/4");
    }

    #[test]
    fn counts_are_values_in_order_with_their_neighbours_as_pairs() {
        let point = |names: [&str; 3], complete: bool| {
            let categories = Categories::new(names).unwrap();
            let mut builder = SecretGraph::builder(categories.names().clone());
            let epsilon = "1".parse().unwrap();
            if complete {
                builder.complete(&epsilon)
            } else {
                builder.edge(0, 1, epsilon).map(|_| ()).unwrap()
            };
            let channel = Channel::identity(3).unwrap();
            Mechanism::point(categories.clone(), categories, builder.build().unwrap(), channel).unwrap()
        };
        let counts = point(["0", "1", "2"], true).of_counts().unwrap();
        assert_eq!((counts.secrets(), point(["0", "1", "2"], true).secrets()), (&Secrets::Counts, &Secrets::Values));
        assert_eq!(
            counts.then(&Channel::identity(3).unwrap(), counts.outputs().clone()).unwrap().secrets(),
            &Secrets::Counts
        );
        let refused = |mechanism: Mechanism| mechanism.of_counts().unwrap_err().to_string();
        assert_eq!(refused(point(["0", "2", "1"], true)), "category \"2\" at the place of the count 1, expected 1");
        assert_eq!(refused(point(["0", "1", "2"], false)), "the counts 1 and 2 are no pair, expected an edge");
        let graph = point(["0", "1", "2"], false).graph().clone();
        assert_eq!(counts.with_graph(graph).unwrap().secrets(), &Secrets::Values, "neighbours are left out");
    }

    #[test]
    fn post_processing_keeps_the_claim_and_changes_the_outputs() {
        let (bits, graph) = parts();
        let swap = Channel::rows(vec![vec![0, TOTAL], vec![TOTAL, 0]]).unwrap();
        let profiles = vec![half(), half()];
        let mechanism = Mechanism::shared(bits.clone(), bits.clone(), graph, profiles, swap.clone()).unwrap();
        let twice = mechanism.then(&swap, Categories::new(["nay", "yea"]).unwrap()).unwrap();
        assert!(twice.channels()[0].is_identity());
        assert_eq!(twice.graph(), mechanism.graph());
        assert_eq!(twice.outputs().names().name(1), "yea");
        assert!(mechanism.then(&swap, Categories::new(["one"]).unwrap()).is_err());
    }
}
