//! The framework (S, Q, Θ) as data.

use super::{Theta, Values};
use crate::design::Problem;
use crate::model::{Categories, Channel, Constraint, Distribution, Mechanism, Names, SecretGraph};
use crate::{Error, Result};
use std::sync::Arc;

/// A Pufferfish framework: secrets S, the pairs Q that must look alike, each at its own ε, and a finite class Θ of laws
/// that the data may have come from.
///
/// It is an ordinary secret graph in which every possible (secret, θ) is a secret with the law of the query as its
/// profile. A pair of Q becomes one edge for each θ under which both of its secrets are possible; there are no edges
/// between different θ. So the certifier, the linear programs and the report work on it unchanged.
///
/// # Guarantee
/// For every mechanism that certifies against [`Framework::graph`], every pair (s, s') of Q, every θ of the class and
/// every output: the odds of s against s' after the release are within e^ε of the odds before it.
///
/// Nothing is promised about laws outside the class. A mechanism serves all secrets with one channel, since whoever
/// releases the query does not know which secret is true, or is not to depend on it. Two releases of the same data
/// do not add up their ε in general.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, design, model::{Distribution, Names, SecretGraph}};
/// use lookalike::pufferfish::{Framework, Theta, Values};
/// // Four people who infect each other. The query is how many are ill; whether ana is ill is the secret.
/// let law = |weights: [u64; 5]| Distribution::from_weights(weights.map(Into::into).to_vec());
/// let mut pairs = SecretGraph::builder(Names::new("secret", ["ana is well", "ana is ill"])?);
/// pairs.edge(0, 1, "ln(3)".parse()?)?;
/// let flu = Theta::new("flu", vec![Some(law([8, 9, 20, 3, 0])?), Some(law([0, 3, 20, 9, 8])?)]);
/// let framework = Framework::new(pairs.build()?, Values::count(4)?, vec![flu])?;
/// let designed = design::design(&framework.problem()?, &design::Options::default())?;
/// assert!(certify(designed.mechanism).is_ok());
/// assert_eq!(framework.wasserstein()?.distance().to_string(), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
/// Kifer and Machanavajjhala, Pufferfish: A Framework for Mathematical Privacy Definitions (2014), definition 3.4.
#[derive(Debug, Clone)]
pub struct Framework {
    pairs: SecretGraph,
    values: Values,
    class: Vec<Theta>,
    graph: SecretGraph,
    profiles: Arc<[Distribution]>,
    /// For each θ and secret its place in the graph.
    places: Vec<Vec<Option<u32>>>,
}

impl Framework {
    /// The framework with these pairs of secrets, this domain of the query and this class.
    ///
    /// # Errors
    /// An empty class, two laws of one name, laws that do not fit the secrets or the domain, or no pair of which both
    /// secrets are possible under some law: then there is nothing to protect.
    pub fn new(pairs: SecretGraph, values: Values, class: Vec<Theta>) -> Result<Self> {
        if class.is_empty() {
            return Err(Error::input("the class of laws is empty, expected at least one that the data may come from"));
        }
        Names::new("law", class.iter().map(Theta::name))?;
        class.iter().try_for_each(|theta| fits(theta, &pairs, &values))?;
        let names = pairs.names();
        let (mut labels, mut profiles, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for theta in &class {
            let mut row = vec![None; names.len()];
            for (secret, law) in (0u32..).zip(theta.laws()) {
                let Some(law) = law else { continue };
                row[secret as usize] = Some(profiles.len() as u32);
                profiles.push(law.clone());
                labels.push(match class.len() {
                    1 => names.name(secret).to_owned(),
                    _ => format!("{} | {}", names.name(secret), theta.name()),
                });
            }
            places.push(row);
        }
        let graph = lift(&pairs, &places, labels)?;
        Ok(Framework { pairs, values, class, graph, profiles: profiles.into(), places })
    }

    /// The framework of joint laws over finitely many data sets ("points"), one a θ: `holds(s, x)` says whether secret
    /// s is true of point x, and `query(x)` is the place of the query's value there.
    ///
    /// # Errors
    /// As [`Framework::new`]; also a query beyond the domain, and a pair of which both secrets are true of a possible
    /// point: then neither is told from the other.
    pub fn from_joint(
        pairs: SecretGraph,
        values: Values,
        holds: impl Fn(usize, usize) -> bool,
        query: impl Fn(usize) -> usize,
        class: &[(&str, Distribution)],
    ) -> Result<Self> {
        for (name, joint) in class {
            let possible: Vec<usize> = (0..joint.len()).filter(|&point| !joint.numerator(point).is_zero()).collect();
            if let Some((pair, point)) = first_overlap(&pairs, &possible, &holds) {
                let [one, other] = pair.map(|secret| pairs.names().name(secret));
                return Err(Error::input(format!(
                    "{one:?} and {other:?} are both true of point {}, expected secrets that exclude each other",
                    point + 1
                ))
                .at(format_args!("law {name:?}")));
            }
        }
        let secrets = pairs.names().len();
        let theta = |(name, joint): &(&str, Distribution)| {
            Theta::from_joint(name, joint, secrets, &holds, values.len(), &query)
                .map_err(|error| error.at(format_args!("law {name:?}")))
        };
        let class = class.iter().map(theta).collect::<Result<_>>()?;
        Framework::new(pairs, values, class)
    }

    /// S and Q: the secrets, and the pairs that must look alike.
    pub fn pairs(&self) -> &SecretGraph {
        &self.pairs
    }

    /// The domain of the query.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Θ.
    pub fn class(&self) -> &[Theta] {
        &self.class
    }

    /// The graph over (secret, θ), for every θ under which the secret is possible.
    pub fn graph(&self) -> &SecretGraph {
        &self.graph
    }

    /// The law of the query for each secret of [`Framework::graph`].
    pub fn profiles(&self) -> &[Distribution] {
        &self.profiles
    }

    /// The place of a secret under the law number `theta` in [`Framework::graph`]; `None` where it is impossible.
    pub fn place(&self, theta: usize, secret: u32) -> Option<u32> {
        self.places[theta][secret as usize]
    }

    /// What a design needs: one channel over the query's values that serves all secrets and all laws.
    ///
    /// # Errors
    /// None that the constructor has not met.
    pub fn problem(&self) -> Result<Problem> {
        Problem::profiles(self.values.categories().clone(), self.graph.clone(), self.profiles.to_vec())?.shared()
    }

    /// The claim that this channel on the query's value is private.
    ///
    /// # Errors
    /// A channel of another size.
    pub fn mechanism(&self, outputs: Categories, channel: Channel) -> Result<Mechanism> {
        let inputs = self.values.categories().clone();
        Mechanism::shared(inputs, outputs, self.graph.clone(), self.profiles.clone(), channel)
    }

    /// Every pair of Q under every θ in which both are possible: the pair, its ε, the place of θ, and the two laws.
    pub(super) fn possible_pairs(&self) -> impl Iterator<Item = PossiblePair<'_>> {
        let of_class = self.class.iter().enumerate();
        of_class.flat_map(|(theta, laws)| {
            self.pairs.constraints().flat_map(move |constraint| {
                let members = constraint.members.iter().enumerate();
                members.flat_map(move |(at, &a)| {
                    constraint.members[at + 1..].iter().filter_map(move |&b| {
                        let laws = [laws.law(a)?, laws.law(b)?];
                        Some(PossiblePair { secrets: [a, b], theta, laws, constraint })
                    })
                })
            })
        })
    }
}

/// Two secrets that must look alike and are both possible under one θ.
pub(super) struct PossiblePair<'a> {
    pub(super) secrets: [u32; 2],
    pub(super) theta: usize,
    pub(super) laws: [&'a Distribution; 2],
    pub(super) constraint: Constraint<'a>,
}

fn fits(theta: &Theta, pairs: &SecretGraph, values: &Values) -> Result<()> {
    let wrong = |found: usize, what: &str, expected: usize| {
        Err(Error::input(format!("{found} {what}, expected {expected}")).at(format_args!("law {:?}", theta.name())))
    };
    let secrets = pairs.names().len();
    if theta.laws().len() != secrets {
        return wrong(theta.laws().len(), "secrets", secrets);
    }
    match theta.laws().iter().flatten().find(|law| law.len() != values.len()) {
        Some(law) => wrong(law.len(), "probabilities of the query's values", values.len()),
        None => Ok(()),
    }
}

/// The pairs of Q once for each θ, between those of their secrets that are possible there.
fn lift(pairs: &SecretGraph, places: &[Vec<Option<u32>>], labels: Vec<String>) -> Result<SecretGraph> {
    let nothing = || {
        Error::input(
            "no pair has both of its secrets possible under one law of the class, so nothing would be protected",
        )
    };
    if labels.is_empty() {
        return Err(nothing());
    }
    let mut builder = SecretGraph::builder(Names::new("secret", labels)?);
    let mut protected = false;
    for row in places {
        let possible =
            |members: &[u32]| members.iter().filter_map(|&secret| row[secret as usize]).collect::<Vec<u32>>();
        for edge in pairs.edges() {
            if let [a, b] = possible(&edge.ends())[..] {
                builder.edge(a, b, edge.epsilon().clone())?;
                protected = true;
            }
        }
        for group in pairs.groups() {
            let members = possible(group.members());
            if members.len() > 1 {
                builder.group(group.name(), members, group.epsilon().clone())?;
                protected = true;
            }
        }
    }
    if protected { builder.build() } else { Err(nothing()) }
}

/// A pair of Q and one of the points of which both of its secrets are true.
fn first_overlap(
    pairs: &SecretGraph,
    points: &[usize],
    holds: impl Fn(usize, usize) -> bool,
) -> Option<([u32; 2], usize)> {
    pairs.constraints().find_map(|constraint| {
        points.iter().find_map(|&point| {
            let mut both = constraint.members.iter().filter(|&&secret| holds(secret as usize, point));
            let (&one, &other) = (both.next()?, both.next()?);
            Some(([one, other], point))
        })
    })
}

#[cfg(test)]
#[path = "framework_tests.rs"]
mod tests;
