//! What a proof says, and the type that only a proof can make.

use crate::exact::{Dyadic, Interval, Natural, Rational, enclose_ln};
use crate::model::Epsilon;
use std::fmt;

/// The facts found while certifying: how many pairs were decided, and the pair with the least slack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    pub(super) pairs: u64,
    pub(super) worst: Worst,
}

impl Certificate {
    /// How many pairs of secrets must look alike, each counted once.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The pair, and the output, closest to its claim or furthest beyond it.
    pub fn worst(&self) -> &Worst {
        &self.worst
    }
}

/// A pair of secrets at one output, and how far apart their laws are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worst {
    pub(super) secrets: [u32; 2],
    pub(super) output: u32,
    pub(super) claimed: Epsilon,
    /// The two probabilities over a common denominator, the larger first.
    pub(super) probabilities: [Natural; 2],
}

/// Bits of the achieved ε: a width of 2^−60, narrower than 1e-12 by far.
const ACHIEVED_BITS: u64 = 60;

impl Worst {
    /// The secrets: the first gives the output its larger probability.
    pub fn secrets(&self) -> [u32; 2] {
        self.secrets
    }

    /// The output.
    pub fn output(&self) -> u32 {
        self.output
    }

    /// What the mechanism claims for this pair.
    pub fn claimed(&self) -> &Epsilon {
        &self.claimed
    }

    /// The likelihood ratio of the output between the two secrets; `None` when it is infinite.
    pub fn ratio(&self) -> Option<Rational> {
        let [more, less] = &self.probabilities;
        (!less.is_zero()).then(|| Rational::new(more.to_big().into(), less.to_big().into()))
    }

    /// The true ε of this pair at this output, as an enclosure narrower than 1e-12.
    pub fn achieved(&self) -> Achieved {
        match self.ratio() {
            None => Achieved::Infinite,
            Some(ratio) => Achieved::Within(enclose_ln(&ratio, ACHIEVED_BITS).expect("a ratio of at least 1")),
        }
    }

    /// A lower bound on claimed − achieved, for ordering pairs with different claims; `None` is the worst.
    pub(super) fn slack(&self) -> Option<Dyadic> {
        match self.achieved() {
            Achieved::Infinite => None,
            Achieved::Within(epsilon) => Some(self.claimed.enclose(ACHIEVED_BITS).lower() - epsilon.upper()),
        }
    }
}

/// The true ε of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Achieved {
    /// It lies in this interval.
    Within(Interval),
    /// One secret can produce an output that the other cannot.
    Infinite,
}

/// A kind of mechanism whose claim can be proved. Sealed: what counts as a proof is said in this module and nowhere else. Each
/// implementation documents what it guarantees.
pub trait Provable: Sized {
    /// What the proof says.
    type Certificate;

    /// What [`certify`] does.
    #[doc(hidden)]
    fn proved(self, _: Inside) -> Result<Certified<Self>, Violation<Self::Certificate>>;
}

/// What nobody else can name, and so nobody else can implement [`Provable`].
pub struct Inside(());

/// Proves the claim of a mechanism, or returns the witness against it.
///
/// # Guarantee
/// `Ok` exactly when the claim holds; what that means for a kind of mechanism stands at its [`Provable`].
///
/// # Errors
/// A [`Violation`], with the facts that were found.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, exact::parse_rational, model::Noise};
/// let noise = Noise::for_epsilon("ln(3)".parse()?, parse_rational("2")?, 0)?;
/// assert_eq!(certify(noise)?.certificate().achieved().unwrap().to_string(), "ln(3)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify<M: Provable>(mechanism: M) -> Result<Certified<M>, Violation<M::Certificate>> {
    mechanism.proved(Inside(()))
}

/// A mechanism whose claim has been proved. There is no other way to get one than [`certify`].
#[derive(Debug, Clone)]
pub struct Certified<M: Provable> {
    mechanism: M,
    certificate: M::Certificate,
}

impl<M: Provable> Certified<M> {
    pub(super) fn new(mechanism: M, certificate: M::Certificate) -> Self {
        Certified { mechanism, certificate }
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &M {
        &self.mechanism
    }

    /// The facts of the proof.
    pub fn certificate(&self) -> &M::Certificate {
        &self.certificate
    }

    /// The mechanism as a mere claim again.
    pub fn into_mechanism(self) -> M {
        self.mechanism
    }
}

/// The claim is false: the witness is in the facts. For a finite mechanism that is the worst pair, which exceeds its
/// own ε.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation<C = Certificate>(Box<(C, String)>);

impl<C> Violation<C> {
    pub(super) fn new(certificate: C, text: String) -> Self {
        Violation(Box::new((certificate, text)))
    }

    /// The facts found, such as [`Certificate::worst`].
    pub fn certificate(&self) -> &C {
        &self.0.0
    }
}

impl<C> fmt::Display for Violation<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.1)
    }
}

impl<C: fmt::Debug> std::error::Error for Violation<C> {}
