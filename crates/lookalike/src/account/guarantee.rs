//! What a mechanism promises, without how it keeps it.

use crate::exact::Epsilon;
use crate::model::{Budgets, Kind, Mechanism, Noise, Oracle, PlanarNoise, SecretGraph};
use crate::{Error, Result};
use std::fmt;

/// What the secrets of a release are: it decides which theorem covers the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Secrets {
    /// Laws that observations are drawn from: profiles, and the facts of a Pufferfish framework.
    Laws,
    /// The observations themselves: values, counts, numbers, places.
    Points,
    /// The states of a Markov chain, one a moment, behind noise found by quilts or contraction. The subject is the
    /// sequence.
    Moments,
}

impl fmt::Display for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Secrets::Laws => "profiles",
            Secrets::Points => "values",
            Secrets::Moments => "moments of a chain",
        })
    }
}

/// Which pairs of secrets look alike, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pairs {
    /// The edges and groups of a graph, each at its ε.
    Graph(SecretGraph),
    /// Every pair of a kind that has no list, at one ε: numbers at most `distance` apart, places a metre, moments.
    Every {
        /// What the secrets are, in words that are the same for mechanisms that can be added up.
        what: String,
        /// The ε of each pair.
        epsilon: Epsilon,
    },
}

/// What a mechanism promises: plain data.
///
/// # Example
/// ```
/// use lookalike::{account::{Guarantee, Secrets}, exact::parse_rational, model::Noise};
/// let noise = Noise::for_epsilon("1/2".parse()?, parse_rational("1")?, 0)?;
/// let guarantee = Guarantee::of_noise(&noise)?;
/// assert_eq!(guarantee.secrets(), Secrets::Points);
/// assert_eq!(guarantee.to_string(), "numbers at most 1 apart");
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarantee {
    secrets: Secrets,
    pairs: Pairs,
    /// The largest ε of any pair.
    epsilon: Epsilon,
}

/// How many names a text about a graph shows.
const NAMES_SHOWN: usize = 4;

impl Guarantee {
    /// From its parts, as a file has them.
    ///
    /// # Errors
    /// A kind of secrets without words for it.
    pub fn new(secrets: Secrets, pairs: Pairs) -> Result<Self> {
        let epsilon = match &pairs {
            Pairs::Graph(graph) => (*Budgets::of(graph).distinct().iter().max().expect("a graph has a pair")).clone(),
            Pairs::Every { what, .. } if what.trim().is_empty() => {
                return Err(Error::input("secrets without a name, expected words such as \"numbers at most 1 apart\""));
            }
            Pairs::Every { epsilon, .. } => epsilon.clone(),
        };
        Ok(Guarantee { secrets, pairs, epsilon })
    }

    /// Of channels between finite sets: laws for `aware` and `shared`, points for `point`. Where profiles have limits the sums
    /// hold for every law within them, for each release is within the ε of its pair whatever the laws are.
    ///
    /// # Errors
    /// None for mechanisms of today.
    pub fn of_mechanism(mechanism: &Mechanism) -> Result<Self> {
        let secrets = match mechanism.kind() {
            Kind::Aware | Kind::Shared => Secrets::Laws,
            Kind::Point => Secrets::Points,
        };
        Guarantee::new(secrets, Pairs::Graph(mechanism.graph().clone()))
    }

    /// Of a frequency oracle: its categories, all alike.
    ///
    /// # Errors
    /// None: an oracle has two categories or more.
    pub fn of_oracle(oracle: &Oracle) -> Result<Self> {
        let mut builder = SecretGraph::builder(oracle.categories().names().clone());
        builder.complete(oracle.epsilon());
        Guarantee::new(Secrets::Points, Pairs::Graph(builder.build()?))
    }

    /// Of noise on numbers: those at most Δ apart, before they are rounded to the grid.
    ///
    /// # Errors
    /// A claim about the moments of a chain: [`Guarantee::of_chain`] has a name for the chain, by which it is known again.
    pub fn of_noise(noise: &Noise) -> Result<Self> {
        if noise.moments().is_some() {
            return Err(Error::input("noise about the moments of a chain, expected a name for the chain"));
        }
        Guarantee::every(Secrets::Points, format!("numbers at most {} apart", noise.sensitivity()), noise.epsilon())
    }

    /// Of noise on places: ε a metre. What rounding to a grid adds is for the caller to count in.
    ///
    /// # Errors
    /// None.
    pub fn of_planar(noise: &PlanarNoise) -> Result<Self> {
        Guarantee::every(Secrets::Points, "places, a metre".to_owned(), noise.epsilon())
    }

    /// Of noise on a query about a sequence, found for a set of chains that has this name: the states of each moment.
    ///
    /// # Errors
    /// A name without a letter.
    pub fn of_chain(name: &str, epsilon: &Epsilon) -> Result<Self> {
        if name.trim().is_empty() {
            return Err(Error::input("chains without a name, expected one that says which chains they are"));
        }
        Guarantee::every(Secrets::Moments, format!("moments of {name}"), epsilon)
    }

    fn every(secrets: Secrets, what: String, epsilon: &Epsilon) -> Result<Self> {
        Guarantee::new(secrets, Pairs::Every { what, epsilon: epsilon.clone() })
    }

    /// What the secrets are.
    pub fn secrets(&self) -> Secrets {
        self.secrets
    }

    /// Which pairs look alike.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// The largest ε of an edge, a group, or a pair without a list.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }
}

/// What the secrets are, in words: `3 profiles: "ana", "bo", "cleo"`.
impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pairs {
            Pairs::Every { what, .. } => f.write_str(what),
            Pairs::Graph(graph) => {
                let count = graph.names().len();
                let mut names: Vec<String> = graph.names().iter().take(NAMES_SHOWN).map(|n| format!("{n:?}")).collect();
                if count > NAMES_SHOWN {
                    names.push("…".to_owned());
                }
                write!(f, "{count} {}: {}", self.secrets, names.join(", "))
            }
        }
    }
}

#[cfg(test)]
#[path = "guarantee_tests.rs"]
mod tests;
