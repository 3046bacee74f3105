//! The optimal mechanism for any set of properties, loss and prior.

use super::remap::remapped_geometric;
use super::rounding::rounded;
use super::{
    Alpha, CountLoss, Properties, Property, chain, check, domain, entries, explicit_fair, loss, score, weakly_honest,
};
use crate::design::Watch;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Mechanism, Prior};
use crate::{Error, Result};

/// The mechanism with the least score among those with some properties, and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimal {
    /// The mechanism; private at exactly ε, and with all the properties.
    pub mechanism: Mechanism,
    /// Its score L_p.
    pub score: Rational,
    /// No mechanism with the properties has a lower score. `None` for closed forms, which are optimal up to the
    /// rounding of their weights.
    pub bound: Option<Rational>,
    /// How it was found.
    pub method: Method,
}

/// How an optimal mechanism was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// GM with each output replaced by the best count given it.
    RemappedGeometric,
    /// WM in closed form.
    WeaklyHonest,
    /// EM in closed form.
    ExplicitFair,
    /// A linear program with three columns a count, for L_0.
    ChainProgram,
    /// A linear program with a column for each entry.
    LinearProgram,
}

impl Method {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Method::RemappedGeometric => "GM with the best remap",
            Method::WeaklyHonest => "WM in closed form",
            Method::ExplicitFair => "EM in closed form",
            Method::ChainProgram => "linear program over truth, less and more",
            Method::LinearProgram => "linear program over all entries",
        }
    }

    /// Which of several optima it is, where there may be several.
    pub fn tie_break(self) -> &'static str {
        match self {
            Method::RemappedGeometric => "the remap nearest to GM's output",
            Method::WeaklyHonest => "symmetric and row monotone, inner outputs in proportion",
            Method::ExplicitFair => "every row a permutation of the same numbers",
            Method::ChainProgram => "least mass on the longer side, outputs in proportion, symmetric if the problem is",
            Method::LinearProgram => "least squared error (for l2: least often wrong), symmetric if the problem is",
        }
    }
}

/// The mechanism over the counts 0 to n that is private at α, has the properties, and has the least score for the prior
/// and loss.
///
/// - If the best of all private mechanisms, GM with its best remap, has the properties, it is the answer: no program.
/// - For L_0 and a uniform prior, WM and EM are optimal among the weakly honest and the fair.
/// - For L_0 otherwise a program with three columns a count (see `chain.rs`), kept if its bound proves it optimal.
/// - Otherwise a linear program over the entries, or over half of them where symmetry is demanded or free (it is free
///   for a symmetric prior: the average with the mirror image costs the same).
///
/// # Errors
/// A bad n, a prior over another number of counts, an α next to 1, a program that does not fit the memory, or the caller's wish
/// to stop.
///
/// # Example
/// ```
/// use lookalike::counts::{CountLoss, Method, optimal, properties};
/// use lookalike::{design::Watch, exact::{Direction, to_f64}, model::Prior};
/// let found = optimal(4, &"0.9".parse()?, "CM".parse()?, (&Prior::uniform(5)?, CountLoss::L0), &Watch::default())?;
/// assert_eq!(found.method, Method::ChainProgram);
/// assert!((to_f64(&found.score, Direction::Nearest) - 0.96543).abs() < 5e-6);
/// assert!(properties(&found.mechanism)?.includes("CM,CH,WH,S".parse()?));
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn optimal(
    n: usize,
    alpha: &Alpha,
    properties: Properties,
    (prior, loss): (&Prior, CountLoss),
    watch: &Watch<'_>,
) -> Result<Optimal> {
    domain::check_size(n)?;
    if prior.len() != n + 1 {
        return Err(Error::input(format!(
            "a prior over {} counts, expected {}: those from 0 to n",
            prior.len(),
            n + 1
        )));
    }
    let mut question = Question { n, alpha, asked: properties.closure(), prior, loss };
    if let Some(closed) = question.closed_form()? {
        return Ok(closed);
    }
    if is_symmetric(prior) {
        question.asked = question.asked.with(Property::Symmetry);
    }
    match question.by_chain(watch) {
        Ok(Some(proven)) => Ok(proven),
        Err(error) if !error.is_inapplicable() => Err(error),
        _ => question.by_entries(watch),
    }
}

/// What is asked for; the properties are closed.
struct Question<'a> {
    n: usize,
    alpha: &'a Alpha,
    asked: Properties,
    prior: &'a Prior,
    loss: CountLoss,
}

impl Question<'_> {
    /// The optimum without a program, where there is a closed form.
    fn closed_form(&self) -> Result<Option<Optimal>> {
        let Question { n, alpha, asked, prior, loss } = *self;
        let has = |mechanism: &Mechanism| Ok::<_, Error>(check::properties(mechanism)?.includes(asked));
        let geometric = remapped_geometric(n, alpha, prior, loss)?;
        if has(&geometric)? {
            return self.found(geometric, None, Method::RemappedGeometric).map(Some);
        }
        if loss != CountLoss::L0 || !is_uniform(prior) {
            return Ok(None);
        }
        if asked.contains(Property::Fairness) {
            return self.found(explicit_fair(n, alpha)?, None, Method::ExplicitFair).map(Some);
        }
        let weakly_honest = weakly_honest(n, alpha)?;
        if asked.contains(Property::WeakHonesty) && has(&weakly_honest)? {
            return self.found(weakly_honest, None, Method::WeaklyHonest).map(Some);
        }
        Ok(None)
    }

    /// The optimum for L_0 by the small program, where its bound proves it.
    fn by_chain(&self, watch: &Watch<'_>) -> Result<Option<Optimal>> {
        if self.loss != CountLoss::L0 {
            return Ok(None);
        }
        let (target, bound) = chain::solve(self.n, self.alpha, self.asked, self.prior, watch)?;
        let mechanism = rounded(&target, self.alpha, self.asked)?;
        self.found(mechanism, Some(bound), Method::ChainProgram).map(|found| Some(found).filter(Optimal::is_proven))
    }

    /// The optimum by the program over all entries.
    fn by_entries(&self, watch: &Watch<'_>) -> Result<Optimal> {
        let (target, bound) = entries::solve(self.n, self.alpha, self.asked, (self.prior, self.loss), watch)?;
        self.found(rounded(&target, self.alpha, self.asked)?, Some(bound), Method::LinearProgram)
    }

    fn found(&self, mechanism: Mechanism, bound: Option<Rational>, method: Method) -> Result<Optimal> {
        let score = score(&mechanism, self.prior, self.loss)?;
        Ok(Optimal { mechanism, score, bound: bound.map(|bound| bound * loss::scale(self.n)), method })
    }
}

/// How far above its bound a score still counts as optimal.
const PROVEN_GAP: f64 = 1e-7;

impl Optimal {
    fn is_proven(&self) -> bool {
        let gap = self.bound.as_ref().map(|bound| to_f64(&(&self.score - bound), Direction::Up));
        gap.is_some_and(|gap| gap <= PROVEN_GAP)
    }
}

fn is_uniform(prior: &Prior) -> bool {
    (1..prior.len()).all(|j| prior.weights().numerator(j) == prior.weights().numerator(0))
}

fn is_symmetric(prior: &Prior) -> bool {
    let (weights, last) = (prior.weights(), prior.len() - 1);
    (0..=last / 2).all(|j| weights.numerator(j) == weights.numerator(last - j))
}
