//! The ways to find how much noise hides every moment of a sequence.

use super::ChainClass;
use super::calibrated::{Basis, Calibrated};
use super::linear_query::LinearQuery;
use super::method::Method;
use lookalike::Sentence;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::Noise;
use lookalike::pufferfish::{
    Chain, ExactOptions, approximate, approximate_of_box, contract, entry_scale, exact_loss, exact_loss_of_box,
    exact_of_box, exact_with, gk16, group_scale, moments, sum_distance,
};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Error, Result};

/// What is to be hidden: every moment of a sequence of this length.
#[derive(Clone, Copy)]
pub struct CalibrationProblem<'a> {
    /// Where the sequence may have come from.
    pub file: &'a ChainFile,
    /// T.
    pub length: u64,
    /// The promise.
    pub epsilon: &'a Epsilon,
    /// Who is told of progress and may stop the search.
    pub watch: Watch<'a>,
}

impl CalibrationProblem<'_> {
    /// The noise by a method; for `Auto` the better of two.
    ///
    /// # Errors
    /// A method that does not apply; what the library refuses.
    pub fn find(&self, method: Method, asked: &LinearQuery) -> Result<Calibrated> {
        match method {
            Method::Auto => Ok(better([self.find(Method::Exact, asked)?, self.find(Method::Contraction, asked)?])),
            Method::Exact => self.exact(),
            Method::Approximate => self.approximate(),
            Method::Contraction => {
                let found = self.of_chains(|chains| contract(chains, self.length, self.epsilon))?;
                Ok(Calibrated { method, scale: found.scale.clone(), basis: Basis::Contraction(found) })
            }
            Method::Gk16 => {
                let found = self.of_chains(|chains| gk16(chains, self.epsilon))?;
                Ok(Calibrated { method, scale: found.scale.clone(), basis: Basis::InfluenceMatrix(found) })
            }
            Method::Wasserstein => self.wasserstein(asked),
            Method::Group => self.group(),
            Method::Entry => Ok(Calibrated { method, scale: entry_scale(self.epsilon), basis: Basis::Entry }),
        }
    }

    /// Each of these methods by itself, and what is wrong with one that does not apply.
    ///
    /// # Errors
    /// What the library refuses, other than that a method does not apply.
    pub fn compare(
        &self,
        methods: impl IntoIterator<Item = Method>,
        asked: &LinearQuery,
    ) -> Result<Vec<(Method, Result<Calibrated>)>> {
        let one = |method: Method| match self.find(method, asked) {
            Err(error) if !error.is_inapplicable() => Err(error),
            found => Ok((method, found)),
        };
        methods.into_iter().map(one).collect()
    }

    /// The noise of group privacy.
    ///
    /// # Errors
    /// A length outside 1 to 2^40.
    pub fn group(&self) -> Result<Calibrated> {
        Ok(Calibrated { method: Method::Group, scale: group_scale(self.length, self.epsilon)?, basis: Basis::Group })
    }

    fn options(&self) -> ExactOptions<'_> {
        ExactOptions { watch: self.watch, ..ExactOptions::default() }
    }

    fn exact(&self) -> Result<Calibrated> {
        let method = Method::Exact;
        match &self.file.class {
            ChainClass::Chains(chains) => {
                let found = exact_with(chains, self.length, self.epsilon, &self.options())?;
                Ok(Calibrated { method, scale: found.scale.clone(), basis: Basis::Quilt(found, None) })
            }
            ChainClass::Box(limits) => {
                let found = exact_of_box(limits, self.length, self.epsilon, &self.options())?;
                let scale = found.calibration.scale.clone();
                Ok(Calibrated { method, scale, basis: Basis::Quilt(found.calibration, Some(found.worst)) })
            }
        }
    }

    fn approximate(&self) -> Result<Calibrated> {
        let found = match &self.file.class {
            ChainClass::Chains(chains) => approximate(chains, self.length, self.epsilon)?,
            ChainClass::Box(limits) => approximate_of_box(limits, self.length, self.epsilon)?,
        };
        Ok(Calibrated { method: Method::Approximate, scale: found.scale.clone(), basis: Basis::Quilt(found, None) })
    }

    /// W/ε = L·σ, so that σ is W/(L·ε).
    fn wasserstein(&self, asked: &LinearQuery) -> Result<Calibrated> {
        let chosen = || Sentence::new().option("method").word("wasserstein");
        let ChainClass::Chains(chains) = &self.file.class else {
            return Err(Error::input("limits of transition probabilities, expected chains").at_option(chosen()));
        };
        let [weights] = &asked.weights[..] else {
            return Err(Error::input("a histogram, expected a count, a sum or a mean").at_option(chosen()));
        };
        let found = sum_distance(chains, weights, self.length)?;
        let scale = entry_scale(self.epsilon) * &found.distance / &asked.lipschitz;
        Ok(Calibrated { method: Method::Wasserstein, scale, basis: Basis::Distance(found) })
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
    pub fn noise(&self, found: &Calibrated, asked: &LinearQuery) -> Result<Noise> {
        if let Basis::Distance(found) = &found.basis {
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
    pub fn claimed(&self, found: &Calibrated, asked: &LinearQuery) -> Result<Noise> {
        let noise = self.noise(found, asked)?;
        match &found.basis {
            Basis::Distance(_) => Ok(noise),
            Basis::Entry => Err(Error::input(
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
    /// As [`CalibrationProblem::noise`].
    pub fn provable(&self, found: &Calibrated, asked: &LinearQuery) -> Result<Noise> {
        match (&found.basis, self.claimed(found, asked)) {
            (Basis::Entry, _) => self.noise(found, asked),
            (_, Err(error)) if error.is_inapplicable() => self.noise(found, asked),
            (_, claimed) => claimed,
        }
    }

    /// The noise of a scale σ that a method found, for any query that one moment changes by at most `lipschitz`, with its claim
    /// about any one moment. That of entry privacy hides none, and claims nothing about one.
    ///
    /// # Errors
    /// As [`CalibrationProblem::hiding`], and noise that is too wide.
    pub fn noise_of(&self, method: Method, scale: &Rational, lipschitz: Rational, exponent: i32) -> Result<Noise> {
        let alone = Noise::for_epsilon(Epsilon::rational(scale.recip())?, lipschitz, exponent)?;
        if method == Method::Entry { Ok(alone) } else { self.hiding(alone, scale) }
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
    pub fn together(&self, found: &Calibrated, releases: u64) -> Result<Rational> {
        let releases = integer(releases);
        let sum = self.epsilon.enclose(96).upper().to_rational() * &releases;
        match &found.basis {
            // The same query, by the same coupling of its values.
            Basis::Distance(_) => Ok(sum),
            // Entry privacy keeps no promise that could be added up.
            Basis::Entry => self.loss(&(releases / &found.scale)),
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
pub fn better([one, other]: [Calibrated; 2]) -> Calibrated {
    if other.scale < one.scale { other } else { one }
}

fn integer(number: u64) -> Rational {
    Rational::from_integer(number.into())
}
