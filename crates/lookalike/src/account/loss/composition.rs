//! What many releases of one mechanism tell: ε at a chosen δ, δ at a chosen ε, and the trade-off curve.

use super::candidate::{Bound, Candidate};
use super::trade_off::TradeOff;
use super::{PrivacyLoss, known_pairs, pairs};
use crate::exact::{Epsilon, Excess, Rational, parse_rational};
use crate::model::{Kind, Mechanism, Noise, Oracle};
use crate::{Error, Result};
use num_traits::{Signed, Zero};
use rayon::prelude::*;

/// What is compared in a statement about k releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Statement {
    /// One secret against another that must look alike, the same two for all releases: k independent observations of a
    /// subject, whose law is the one or the other.
    OnePair,
    /// k values against k others, each with a neighbour of its own or the same: chosen in advance or by earlier releases.
    /// The same two values for all releases are a case of it.
    AnyPairs,
}

/// How a number was found. None is ever below the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// All outcomes of the pair that is said, exactly: no smaller number is enough.
    Exact,
    /// All outcomes, exactly, of one pair of laws that dominates every pair and both directions: enough whichever pairs
    /// are met, but no pair need reach it. With values whose pairs differ it may be a tenth above what the best list
    /// of pairs that is fixed in advance reaches.
    Dominating,
    /// Losses on a grid.
    Grid,
    /// From ε alone, as for the worst mechanism with that ε: losses on a grid.
    EpsilonAlone,
}

impl Method {
    /// A word for tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Dominating => "dominating pair",
            Method::Grid => "grid",
            Method::EpsilonAlone => "epsilon alone",
        }
    }
}

/// An ε that is enough for a δ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpsilonAtDelta {
    /// All pairs are (ε, δ)-indistinguishable with it. It is rounded up to a multiple of 2^−64 or less. `None` when
    /// there is no such ε.
    pub epsilon: Option<Rational>,
    /// The pair that needs it; `None` where the statement is about any pairs.
    pub pair: Option<[u32; 2]>,
    /// How it was found.
    pub method: Method,
}

/// A δ that is enough for an ε.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaAtEpsilon {
    /// All pairs are (ε, δ)-indistinguishable with it.
    pub delta: Rational,
    /// δ itself, where all outcomes were gone through; with [`Method::Dominating`] that of the dominating pair.
    pub excess: Option<Excess>,
    /// The pair that needs it; `None` where the statement is about any pairs.
    pub pair: Option<[u32; 2]>,
    /// How it was found.
    pub method: Method,
}

/// The most releases.
pub const MOST_RELEASES: u64 = 1_000_000_000;
/// More different pairs than these are taken together, as one that dominates them.
const MOST_PAIRS: usize = 256;
/// A number is near enough when halving the step twice lowers it by at most this part. The error falls with the square
/// of the step where many releases smooth it, so that a hundredth of this is left; with few releases it falls
/// with the step.
const ACCURACY: &str = "1/1000";

/// k releases of one mechanism.
///
/// Questions narrow the grid of the pair that decides, until halving its step twice changes the answer by at most 1/1000
/// of it, or it has 2^18 points. So a question takes `&mut self`, and a second one may be quicker.
///
/// # Guarantee
/// For [`Statement::OnePair`]: whatever is released, for any two secrets s, s' that an edge or a group joins and
/// every set S of sequences of k outputs, `Pr[S | s] ≤ e^ε Pr[S | s'] + δ`, if the k observations are independent draws
/// from the law of the secret. For [`Statement::AnyPairs`] the same for any two sequences of k values of which the i-th
/// are equal or neighbours, whatever they have to do with each other. That the number of releases is chosen as they go,
/// by what was released, changes nothing while it stays at most k: who sees k releases can leave out some.
///
/// # Example
/// ```
/// use lookalike::{account::loss::compose, exact::{Direction, decimal, parse_rational}};
/// use lookalike::model::{Categories, Channel, Mechanism, SecretGraph, TOTAL};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
/// let warner = Channel::rows(vec![vec![keep, flip], vec![flip, keep]])?;
/// let warner = Mechanism::point(bits.clone(), bits, builder.build()?, warner)?;
/// let mut hundred = compose(&warner, 100)?;
/// let found = hundred.epsilon_at(&parse_rational("1e-6")?)?.epsilon.unwrap();
/// assert_eq!(decimal(&found, 4, Direction::Up), "94.2899"); // the sum is 100·ln 3 = 109.8613
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Composition {
    releases: u64,
    statement: Statement,
    candidates: Vec<Candidate>,
    /// Whether the one candidate is a pair that dominates all and is none of them.
    dominates: bool,
}

/// k releases of channels between finite sets, of which the claims are true.
///
/// Of profiles the statement is [`Statement::OnePair`], of values [`Statement::AnyPairs`].
///
/// # Errors
/// No release, or more than 10⁹.
///
/// # Complexity
/// Pairs with equal laws, or equal losses, are gone through once. Between profiles more than 256 different pairs are
/// taken together as one that dominates them, and no pair is named. Where there are more than 400,000 ordered pairs of
/// different output laws times outputs, the largest ε of the graph stands for all of them ([`Method::EpsilonAlone`]), which
/// rests on the claims. So it does where profiles have limits: a largest and a least probability are no law, but whatever law
/// within them each release has, its pair is within ε.
pub fn compose(mechanism: &Mechanism, releases: u64) -> Result<Composition> {
    let statement = match mechanism.kind() {
        Kind::Point => Statement::AnyPairs,
        Kind::Aware | Kind::Shared => Statement::OnePair,
    };
    let known = if mechanism.limits().is_empty() { pairs::distinct(mechanism) } else { None };
    let Some(losses) = known else {
        let largest = mechanism.graph().epsilons().pop().expect("a graph has an edge").clone();
        return Ok(Composition { statement, ..compose_epsilon(&largest, releases)? });
    };
    let together = statement == Statement::AnyPairs || losses.len() > MOST_PAIRS;
    let mut dominates = false;
    let losses = match losses.len() {
        // A loss that is the only one is that of every pair and direction.
        2.. if together => {
            let dominating = PrivacyLoss::dominating(losses.iter().map(|(_, loss)| loss));
            // One that some pair has is reached by that pair, met again and again.
            dominates = !losses.iter().any(|(_, loss)| loss.is_as(&dominating));
            vec![(None, dominating)]
        }
        _ => losses.into_iter().map(|(pair, loss)| (Some(pair), loss)).collect(),
    };
    let composed = Composition::checked(statement, releases, |k| Candidate::of_losses(losses, k))?;
    Ok(Composition { dominates, ..composed })
}

/// k reports of a frequency oracle: any values against any others.
///
/// # Errors
/// No release, or more than 10⁹.
pub fn compose_oracle(oracle: &Oracle, releases: u64) -> Result<Composition> {
    let loss = known_pairs::of_oracle(oracle);
    Composition::checked(Statement::AnyPairs, releases, |k| Candidate::of_losses(vec![(None, loss)], k))
}

/// k numbers with noise: each at most Δ from the number it is compared with.
///
/// # Errors
/// No release, or more than 10⁹. A claim about the moments of a chain: releases from one sequence depend on each other
/// through it, and no theorem bounds what they tell at a δ; see [`moments_lost`](crate::pufferfish::moments_lost).
pub fn compose_noise(noise: &Noise, releases: u64) -> Result<Composition> {
    if noise.moments().is_some() {
        return Err(Error::inapplicable(
            "releases from one sequence depend on each other through it: no theorem bounds what they tell about a moment at a \
             delta, expected their loss together",
        ));
    }
    let steps = Rational::from_integer(noise.steps().into());
    let largest = noise.decay().scale(&steps).ok().zip(known_pairs::of_noise(noise));
    let Some((largest, enclosures)) = largest else {
        return compose_epsilon(noise.epsilon(), releases);
    };
    let candidate = |k| vec![Candidate::of_enclosures(enclosures, largest, Method::Grid, k)];
    Composition::checked(Statement::AnyPairs, releases, candidate)
}

/// k releases of anything that is within ε for each pair, whatever it is.
///
/// # Errors
/// No release, or more than 10⁹.
pub fn compose_epsilon(epsilon: &Epsilon, releases: u64) -> Result<Composition> {
    let candidate =
        |k| vec![Candidate::of_enclosures(known_pairs::of_epsilon(epsilon), epsilon.clone(), Method::EpsilonAlone, k)];
    Composition::checked(Statement::AnyPairs, releases, candidate)
}

impl Composition {
    fn checked(statement: Statement, releases: u64, make: impl FnOnce(u64) -> Vec<Candidate>) -> Result<Self> {
        if !(1..=MOST_RELEASES).contains(&releases) {
            return Err(Error::input(format!("{releases} releases, expected from 1 to {MOST_RELEASES}")));
        }
        Ok(Composition { releases, statement, candidates: make(releases), dominates: false })
    }

    /// k.
    pub fn releases(&self) -> u64 {
        self.releases
    }

    /// What is compared.
    pub fn statement(&self) -> Statement {
        self.statement
    }

    /// The least ε ≥ 0 that is proved to be enough for a δ: never below the truth, and never above k times the ε of the pair.
    ///
    /// # Errors
    /// A δ outside 0 to 1.
    pub fn epsilon_at(&mut self, delta: &Rational) -> Result<EpsilonAtDelta> {
        check_delta(delta)?;
        let (worst, bound) = self.settled(|candidate, curve| candidate.epsilon(curve, delta));
        let Candidate { pair, .. } = self.candidates[worst];
        Ok(EpsilonAtDelta { epsilon: bound.finite(), pair, method: self.method(worst) })
    }

    /// The least δ that is proved to be enough for an ε; 0 from k times the ε of every pair on.
    pub fn delta_at(&mut self, epsilon: &Epsilon) -> DeltaAtEpsilon {
        let (worst, bound) = self.settled(|candidate, curve| candidate.delta(curve, epsilon));
        let (candidate, method) = (&self.candidates[worst], self.method(worst));
        DeltaAtEpsilon {
            delta: bound.finite().expect("a probability"),
            excess: candidate.excess(epsilon),
            pair: candidate.pair,
            method,
        }
    }

    /// How the number of a candidate was found.
    fn method(&self, candidate: usize) -> Method {
        match self.candidates[candidate].method() {
            Method::Exact if self.dominates => Method::Dominating,
            method => method,
        }
    }

    /// Values of δ, each with an ε that is enough for it: those of δ that have one, in the order given. Grids stay
    /// as they are, so ask first about the δ that matters.
    ///
    /// # Errors
    /// A δ outside 0 to 1.
    pub fn curve(&self, deltas: &[Rational]) -> Result<Vec<[Rational; 2]>> {
        deltas.iter().try_for_each(check_delta)?;
        let largest = |delta: &Rational| {
            let bounds = self.candidates.iter().map(|candidate| candidate.epsilon(candidate.curve(), delta));
            Some([delta.clone(), bounds.max()?.finite()?])
        };
        Ok(deltas.par_iter().filter_map(largest).collect())
    }

    /// The trade-off curve from [`Composition::curve`] at some 50 values of δ between 0 and 1.
    pub fn trade_off(&self) -> TradeOff {
        let texts = (1..20)
            .map(|at| format!("{at}/20"))
            .chain((2..=15).flat_map(|at| [1, 3].map(|digit| format!("{digit}e-{at}"))));
        let deltas = texts.map(|text| parse_rational(&text).expect("a number")).chain([Rational::zero()]);
        let proved = self.curve(&deltas.collect::<Vec<_>>()).expect("from 0 to 1");
        TradeOff::of(proved.into_iter().map(|[delta, epsilon]| [epsilon, delta]))
    }

    /// The pair that needs the most, and how much, once its grid is narrow enough.
    fn settled(&mut self, ask: impl Fn(&Candidate, &super::candidate::Curve) -> Bound + Sync) -> (usize, Bound) {
        let accuracy = parse_rational(ACCURACY).expect("a number");
        let of = |candidate: &Candidate| ask(candidate, candidate.curve());
        let mut bounds: Vec<Bound> = self.candidates.par_iter().map(of).collect();
        loop {
            // Of equals the first.
            let worst = (0..bounds.len()).rev().max_by(|&one, &other| bounds[one].cmp(&bounds[other]));
            let worst = worst.expect("there is a pair");
            let candidate = &self.candidates[worst];
            let is_near =
                candidate.coarser().is_some_and(|coarser| ask(candidate, coarser).is_near(&bounds[worst], &accuracy));
            if is_near || !self.candidates[worst].refine() {
                return (worst, bounds.swap_remove(worst));
            }
            bounds[worst] = of(&self.candidates[worst]);
        }
    }
}

/// Whether this can be a δ.
///
/// # Errors
/// A number outside 0 to 1.
pub fn check_delta(delta: &Rational) -> Result<()> {
    if delta.is_negative() || *delta > Rational::from_integer(1.into()) {
        return Err(Error::input(format!("delta = {delta}, expected a number from 0 to 1")));
    }
    Ok(())
}

#[cfg(test)]
#[path = "composition_tests.rs"]
mod tests;
