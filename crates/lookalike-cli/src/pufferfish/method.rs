//! The ways to find how much noise hides every moment.

use super::found::{Found, How};
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::pufferfish::{
    ExactOptions, Initial, approximate, contract, entry_scale, exact_loss, exact_with, gk16, group_scale, sum_distance,
};
use lookalike_io::pufferfish::{Asked, ChainClass, ChainFile};
use lookalike_io::{Error, Result};

/// How the noise is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// The better of exact and contraction
    Auto,
    /// Markov quilts with exact influences
    Exact,
    /// Markov quilts by the spectral gap: fast for many states
    Approximate,
    /// What each step of the chain forgets
    Contraction,
    /// The influence matrix of Ghosh and Kleinberg
    Gk16,
    /// How far one state moves a count or a sum; for short sequences
    Wasserstein,
    /// As if all moments were one: protects against every correlation
    Group,
    /// As if moments were independent: does NOT protect a moment of a chain
    Entry,
}

impl Method {
    /// The methods that are compared.
    pub const COMPARED: [Method; 6] =
        [Method::Exact, Method::Approximate, Method::Contraction, Method::Gk16, Method::Group, Method::Entry];

    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Exact => "exact quilts",
            Method::Approximate => "approximate quilts",
            Method::Contraction => "contraction",
            Method::Gk16 => "influence matrix (GK16)",
            Method::Wasserstein => "Wasserstein",
            Method::Group => "group privacy",
            Method::Entry => "entry privacy",
        }
    }
}

/// What is to be hidden: every moment of a sequence of this length.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub file: &'a ChainFile,
    pub length: u64,
    pub epsilon: &'a Epsilon,
    pub watch: Watch<'a>,
}

impl Question<'_> {
    /// The noise by a method; for `Auto` the better of two.
    ///
    /// # Errors
    /// A method that does not apply; what the library refuses.
    pub fn find(&self, method: Method, asked: &Asked) -> Result<Found> {
        match method {
            Method::Auto => Ok(better([self.find(Method::Exact, asked)?, self.find(Method::Contraction, asked)?])),
            Method::Exact => self.exact(),
            Method::Approximate => self.approximate(),
            Method::Contraction => {
                let found = self.of_chains(|chains| contract(chains, self.length, self.epsilon))?;
                Ok(Found { method, scale: found.scale.clone(), how: How::Contraction(found) })
            }
            Method::Gk16 => {
                let found = self.of_chains(|chains| gk16(chains, self.epsilon))?;
                Ok(Found { method, scale: found.scale.clone(), how: How::InfluenceMatrix(found) })
            }
            Method::Wasserstein => self.wasserstein(asked),
            Method::Group => Ok(self.group()?),
            Method::Entry => Ok(Found { method, scale: entry_scale(self.epsilon), how: How::Entry }),
        }
    }

    pub fn group(&self) -> Result<Found> {
        Ok(Found { method: Method::Group, scale: group_scale(self.length, self.epsilon)?, how: How::Group })
    }

    fn options(&self) -> ExactOptions<'_> {
        ExactOptions { watch: self.watch, ..ExactOptions::default() }
    }

    fn exact(&self) -> Result<Found> {
        let method = Method::Exact;
        match &self.file.class {
            ChainClass::Chains(chains) => {
                let found = exact_with(chains, self.length, self.epsilon, &self.options())?;
                Ok(Found { method, scale: found.scale.clone(), how: How::Quilt(found, None) })
            }
            ChainClass::Box(limits) => {
                let found = limits.exact(self.length, self.epsilon, &self.options())?;
                let scale = found.calibration.scale.clone();
                Ok(Found { method, scale, how: How::Quilt(found.calibration, Some(found.worst)) })
            }
        }
    }

    fn approximate(&self) -> Result<Found> {
        let found = match &self.file.class {
            ChainClass::Chains(chains) => approximate(chains, self.length, self.epsilon)?,
            ChainClass::Box(limits) => limits.approximate(self.length, self.epsilon)?,
        };
        Ok(Found { method: Method::Approximate, scale: found.scale.clone(), how: How::Quilt(found, None) })
    }

    /// W/ε = L·σ, so that σ is W/(L·ε).
    fn wasserstein(&self, asked: &Asked) -> Result<Found> {
        let ChainClass::Chains(chains) = &self.file.class else {
            return Err(Error::input("--method wasserstein: limits of transition probabilities, expected chains"));
        };
        let [weights] = &asked.weights[..] else {
            return Err(Error::input("--method wasserstein: a histogram, expected a count, a sum or a mean"));
        };
        let found = sum_distance(chains, weights, self.length)?;
        let scale = entry_scale(self.epsilon) * &found.distance / &asked.lipschitz;
        Ok(Found { method: Method::Wasserstein, scale, how: How::Distance(found) })
    }

    /// Bounds that hold for a box as soon as they hold for its corners.
    fn of_chains<T>(&self, bound: impl FnOnce(&[lookalike::pufferfish::Chain]) -> lookalike::Result<T>) -> Result<T> {
        Ok(match &self.file.class {
            ChainClass::Chains(chains) => bound(chains)?,
            ChainClass::Box(limits) => bound(&limits.corners())?,
        })
    }

    /// What several releases of this noise lose together, from one sequence: the least of what is known.
    ///
    /// # Errors
    /// What the library refuses.
    pub fn together(&self, found: &Found, releases: u64) -> Result<Rational> {
        let releases = integer(releases);
        let sum = self.epsilon.enclose(96).upper().to_rational() * &releases;
        // The same query, by the same coupling of its values.
        if matches!(found.how, How::Distance(_)) {
            return Ok(sum);
        }
        let rate = releases / &found.scale;
        let exact = match &self.file.class {
            ChainClass::Chains(chains) => exact_loss(chains, self.length, &rate, &self.options())?,
            ChainClass::Box(limits) => limits.exact_loss(self.length, &rate, &self.options())?,
        };
        let contraction = self.of_chains(|chains| contract(chains, self.length, self.epsilon))?;
        Ok(sum.min(exact).min(contraction.weight * &rate).min(integer(self.length) * rate))
    }

    /// The start of the chains in a word.
    pub fn start(&self) -> &'static str {
        let initial = match &self.file.class {
            ChainClass::Chains(chains) => chains[0].initial(),
            ChainClass::Box(limits) => limits.initial(),
        };
        match initial {
            Initial::Given(_) => "given",
            Initial::Stationary => "stationary",
            Initial::Arbitrary => "arbitrary",
        }
    }
}

/// The one with less noise, the first of two alike.
pub fn better([one, other]: [Found; 2]) -> Found {
    if other.scale < one.scale { other } else { one }
}

fn integer(number: u64) -> Rational {
    Rational::from_integer(number.into())
}
