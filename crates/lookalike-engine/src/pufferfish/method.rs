//! The ways to find how much noise hides every moment of a sequence.

use super::ChainClass;
use super::query::Asked;
use lookalike::Sentence;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::Noise;
use lookalike::pufferfish::{
    Calibration, Chain, Contraction, ExactOptions, Gk16, SumDistance, approximate, approximate_of_box, contract,
    entry_scale, exact_loss, exact_loss_of_box, exact_of_box, exact_with, gk16, group_scale, moments, sum_distance,
};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};

/// How the noise is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The better of exact and contraction.
    Auto,
    /// Markov quilts with exact influences.
    Exact,
    /// Markov quilts by the spectral gap: fast for many states.
    Approximate,
    /// What each step of the chain forgets.
    Contraction,
    /// The influence matrix of Ghosh and Kleinberg.
    Gk16,
    /// How far one state moves a count or a sum; for short sequences.
    Wasserstein,
    /// As if all moments were one: protects against every correlation.
    Group,
    /// As if moments were independent: does NOT protect a moment of a chain.
    Entry,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 8] = [
        Method::Auto,
        Method::Exact,
        Method::Approximate,
        Method::Contraction,
        Method::Gk16,
        Method::Wasserstein,
        Method::Group,
        Method::Entry,
    ];

    /// The methods that are compared.
    pub const COMPARED: [Method; 6] =
        [Method::Exact, Method::Approximate, Method::Contraction, Method::Gk16, Method::Group, Method::Entry];

    /// The word by which a user asks for it.
    pub fn word(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Exact => "exact",
            Method::Approximate => "approximate",
            Method::Contraction => "contraction",
            Method::Gk16 => "gk16",
            Method::Wasserstein => "wasserstein",
            Method::Group => "group",
            Method::Entry => "entry",
        }
    }

    /// Its name in tables.
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

/// A scale σ: the noise for a query with the Lipschitz constant L has the scale L·σ.
#[derive(Debug, Clone)]
pub struct Found {
    /// The method; never [`Method::Auto`].
    pub method: Method,
    /// σ, rounded up.
    pub scale: Rational,
    /// What it rests on.
    pub how: How,
}

/// What a scale rests on.
#[derive(Debug, Clone)]
pub enum How {
    /// The best quilt of the worst moment; for a box the chain that needs nearly as much.
    Quilt(Calibration, Option<[Rational; 2]>),
    /// What each step forgets.
    Contraction(Contraction),
    /// The norm of the influence matrix.
    InfluenceMatrix(Gk16),
    /// How far one state moves the query.
    Distance(SumDistance),
    /// All moments at once.
    Group,
    /// One moment by itself, which is NOT private for a chain.
    Entry,
}

impl Found {
    /// Whether no quilt was any good, so that the whole sequence is hidden.
    pub fn fell_back(&self) -> bool {
        matches!(&self.how, How::Quilt(found, _) if found.quilt.left.is_none() && found.quilt.right.is_none())
    }
}

/// What is to be hidden: every moment of a sequence of this length.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Where the sequence may have come from.
    pub file: &'a ChainFile,
    /// T.
    pub length: u64,
    /// The promise.
    pub epsilon: &'a Epsilon,
    /// Who is told of progress and may stop the search.
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
            Method::Group => self.group(),
            Method::Entry => Ok(Found { method, scale: entry_scale(self.epsilon), how: How::Entry }),
        }
    }

    /// The noise of group privacy.
    ///
    /// # Errors
    /// A length outside 1 to 2^40.
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
                let found = exact_of_box(limits, self.length, self.epsilon, &self.options())?;
                let scale = found.calibration.scale.clone();
                Ok(Found { method, scale, how: How::Quilt(found.calibration, Some(found.worst)) })
            }
        }
    }

    fn approximate(&self) -> Result<Found> {
        let found = match &self.file.class {
            ChainClass::Chains(chains) => approximate(chains, self.length, self.epsilon)?,
            ChainClass::Box(limits) => approximate_of_box(limits, self.length, self.epsilon)?,
        };
        Ok(Found { method: Method::Approximate, scale: found.scale.clone(), how: How::Quilt(found, None) })
    }

    /// W/ε = L·σ, so that σ is W/(L·ε).
    fn wasserstein(&self, asked: &Asked) -> Result<Found> {
        let chosen = || Sentence::new().option("method").word("wasserstein");
        let ChainClass::Chains(chains) = &self.file.class else {
            return Err(Error::input("limits of transition probabilities, expected chains").at_option(chosen()));
        };
        let [weights] = &asked.weights[..] else {
            return Err(Error::input("a histogram, expected a count, a sum or a mean").at_option(chosen()));
        };
        let found = sum_distance(chains, weights, self.length)?;
        let scale = entry_scale(self.epsilon) * &found.distance / &asked.lipschitz;
        Ok(Found { method: Method::Wasserstein, scale, how: How::Distance(found) })
    }

    /// Bounds that hold for a box as soon as they hold for its corners.
    fn of_chains<T>(&self, bound: impl FnOnce(&[Chain]) -> lookalike::Result<T>) -> Result<T> {
        Ok(match &self.file.class {
            ChainClass::Chains(chains) => bound(chains)?,
            ChainClass::Box(limits) => bound(&limits.corners())?,
        })
    }

    /// The noise on each answer: it decays by 1/(L·σ) a unit.
    ///
    /// Its claim is about one moment alone, as if nothing told of it: ε' = 1/σ. A distance by which one state moves the answer
    /// itself is a sensitivity like any other, and there the claim is ε.
    ///
    /// # Errors
    /// What the library refuses: a query that nobody's state changes, or noise that is too wide.
    pub fn noise(&self, found: &Found, asked: &Asked) -> Result<Noise> {
        if let How::Distance(found) = &found.how {
            // The distance of all moments may be no multiple of that of one, nor of the grid.
            return Ok(found.noise(self.epsilon, asked.exponent)?);
        }
        let alone = Epsilon::rational(found.scale.recip())?;
        Ok(Noise::for_epsilon(alone, asked.lipschitz.clone(), asked.exponent)?)
    }

    /// The noise with the claim that a file makes: about any one moment, with the chains and what proves it; by the
    /// Wasserstein mechanism about numbers as far apart as a moment can move the answer, which is as much.
    ///
    /// # Errors
    /// Entry privacy, which hides no moment of a chain; noise for which no proof can be written down.
    pub fn claimed(&self, found: &Found, asked: &Asked) -> Result<Noise> {
        let noise = self.noise(found, asked)?;
        match &found.how {
            How::Distance(_) => Ok(noise),
            How::Entry => Err(Error::input(
                "entry privacy does not hide a moment of a chain, so that no file can promise it, expected another method (noise \
                 for numbers that stand by themselves: lookalike noise design)",
            )),
            _ => self.hiding(noise, &found.scale),
        }
    }

    /// The noise with its claim where a file could carry the proof, and else the noise alone, which the search shows to hide
    /// every moment; but for entry privacy, which hides none and is there to be compared with.
    ///
    /// # Errors
    /// As [`Question::noise`].
    pub fn provable(&self, found: &Found, asked: &Asked) -> Result<Noise> {
        match (&found.how, self.claimed(found, asked)) {
            (How::Entry, _) => self.noise(found, asked),
            (_, Err(error)) if error.is_inapplicable() => self.noise(found, asked),
            (_, claimed) => claimed,
        }
    }

    /// Noise of a scale σ for each moment, with the claim that it hides any one of them within ε.
    ///
    /// # Errors
    /// Noise for which no proof can be written down.
    pub fn hiding(&self, noise: Noise, scale: &Rational) -> Result<Noise> {
        let moments = moments(self.file.class.clone(), self.length, scale, self.epsilon, &self.options())?;
        Ok(noise.hiding(moments, self.epsilon.clone()))
    }

    /// What several releases of this noise lose together, from one sequence: the least of what is known.
    ///
    /// # Errors
    /// What the library refuses.
    pub fn together(&self, found: &Found, releases: u64) -> Result<Rational> {
        let releases = integer(releases);
        let sum = self.epsilon.enclose(96).upper().to_rational() * &releases;
        match &found.how {
            // The same query, by the same coupling of its values.
            How::Distance(_) => Ok(sum),
            // Entry privacy keeps no promise that could be added up.
            How::Entry => self.loss(&(releases / &found.scale)),
            _ => Ok(self.loss(&(releases / &found.scale))?.min(sum)),
        }
    }

    /// What noise that changes by e^rate with each moment lets one moment lose: the least of what is known. For
    /// several releases with scales σ_k the rate is Σ 1/σ_k.
    ///
    /// # Errors
    /// What the library refuses.
    pub fn loss(&self, rate: &Rational) -> Result<Rational> {
        let exact = match &self.file.class {
            ChainClass::Chains(chains) => exact_loss(chains, self.length, rate, &self.options())?,
            ChainClass::Box(limits) => exact_loss_of_box(limits, self.length, rate, &self.options())?,
        };
        let contraction = self.of_chains(|chains| contract(chains, self.length, self.epsilon))?;
        let whole = integer(self.length) * rate;
        Ok(exact.min(contraction.loss(rate)).min(whole))
    }
}

/// The one with less noise, the first of two alike.
pub fn better([one, other]: [Found; 2]) -> Found {
    if other.scale < one.scale { other } else { one }
}

fn integer(number: u64) -> Rational {
    Rational::from_integer(number.into())
}
