//! Claims about the moments of a chain: which quilts, or which contraction, show that noise hides each of them.

use super::branch_and_bound::{Cost, Objective};
use super::influence::Side;
use super::nodes::Nodes;
use super::walk::Walk;
use super::{Chain, ChainClass, ExactOptions, exact_loss, exact_loss_of_box, exact_search};
use crate::chain::loss;
use crate::exact::{Epsilon, Rational};
use crate::model::{Moments, MomentsProof, QuiltRun};
use crate::{Error, Result};
use num_traits::Inv;

/// The moments of sequences of this length, with what shows that noise of scale σ for each moment hides them within ε.
///
/// A contraction is enough where it shows it. Else the quilts of every moment are looked for; they are written down, so that
/// whoever checks the claim need not search.
///
/// # Errors
/// Neither shows it: noise of a smaller scale than it takes, or, for all chains within limits, a scale that only quilts
/// that differ from chain to chain can show. And what [`exact_with`](super::exact_with) refuses.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::{Distribution, MomentsProof}};
/// use lookalike::pufferfish::{Chain, ChainClass, Initial, exact, moments};
/// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// // A step of 0 forgets nothing for certain, so that it takes quilts.
/// let chain = Chain::new(Initial::Stationary, vec![row(["1/2", "1/2"]), row(["1", "0"])])?;
/// let epsilon = "1".parse()?;
/// let scale = exact(&[chain.clone()], 300, &epsilon)?.scale;
/// let claim = moments(ChainClass::Chains(vec![chain.clone()]), 300, &scale, &epsilon, &Default::default())?;
/// assert!(matches!(claim.proof(), MomentsProof::Quilts(_)));
/// assert!(moments(ChainClass::Chains(vec![chain]), 300, &(scale / parse_rational("1.01")?), &epsilon, &Default::default()).is_err());
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn moments(
    class: ChainClass,
    length: u64,
    scale: &Rational,
    epsilon: &Epsilon,
    options: &ExactOptions<'_>,
) -> Result<Moments> {
    let rate = scale.clone().inv();
    let by_contraction = Moments::new(class, length, MomentsProof::Contraction)?;
    if loss::hides(&by_contraction, &rate, epsilon)?.0 {
        return Ok(by_contraction);
    }
    if let ChainClass::Chains(chains) = by_contraction.class() {
        let quilts = quilts_of_all(chains, length, epsilon, options)?;
        let by_quilts = Moments::new(by_contraction.class().clone(), length, MomentsProof::Quilts(quilts))?;
        if loss::hides(&by_quilts, &rate, epsilon)?.0 {
            return Ok(by_quilts);
        }
    }
    Err(Error::inapplicable(match by_contraction.class() {
        ChainClass::Chains(_) => {
            "no quilts of a chain and no contraction show that this noise hides every moment, expected noise of a larger scale"
        }
        ChainClass::Box(_) => {
            "a proof for all chains within limits is by contraction, and this noise is too little for one (its quilts differ \
             from chain to chain), expected noise of a larger scale, that of the method contraction"
        }
    }))
}

/// What releases from one sequence, behind noise that changes by e^rate with each moment in all, lose together about one
/// moment: the least of what is known, rounded up.
///
/// # Errors
/// As [`exact_loss`].
pub fn moments_lost(moments: &Moments, rate: &Rational, options: &ExactOptions<'_>) -> Result<Rational> {
    let length = moments.length();
    let searched = match moments.class() {
        ChainClass::Chains(chains) => exact_loss(chains, length, rate, options)?,
        ChainClass::Box(limits) => exact_loss_of_box(limits, length, rate, options)?,
    };
    let by_contraction = Moments::new(moments.class().clone(), length, MomentsProof::Contraction)?;
    let contracted = loss::loss(&by_contraction, rate)?.expect("a contraction always bounds the loss");
    Ok(searched.min(contracted).min(rate * Rational::from_integer(length.into())))
}

/// For each chain the quilts of its moments, each as good as the worst moment of all chains needs.
fn quilts_of_all(
    chains: &[Chain],
    length: u64,
    epsilon: &Epsilon,
    options: &ExactOptions<'_>,
) -> Result<Vec<Vec<QuiltRun>>> {
    let objective = Objective::scale(epsilon);
    let (worst, _) = exact_search::worst_of_all(chains, length, objective, options)?;
    let quilts = |chain| {
        let nodes = Nodes::of_chain(chain, length, options.states, Side::Above)?;
        Walk::new(nodes, objective, options.watch).quilts(worst.found.cost)
    };
    chains.iter().map(quilts).collect()
}

/// Moments one after another, each with a quilt.
#[derive(Default)]
pub(super) struct Runs(Vec<QuiltRun>);

impl Runs {
    /// The next moment has a quilt at these distances; those to an end of the chain and beyond mean that nothing stands there.
    pub(super) fn push(&mut self, node: u64, length: u64, [left, right]: [u64; 2]) {
        let to_the_end = length - node + 1;
        let serves = |run: &QuiltRun| {
            run.left.map_or(node, |own| own.min(node)) == left
                && run.right.map_or(to_the_end, |own| own.min(to_the_end)) == right
        };
        match self.0.last_mut().filter(|run| serves(run)) {
            Some(run) => run.last = Some(node),
            None => {
                let left = (left < node).then_some(left);
                let right = (right < to_the_end).then_some(right);
                self.0.push(QuiltRun { first: node, last: Some(node), left, right });
            }
        }
    }

    /// All moments from this one on have a quilt.
    pub(super) fn finish(mut self, first: u64, distances: Option<[u64; 2]>) -> Vec<QuiltRun> {
        let [left, right] = distances.map_or([None, None], |distances| distances.map(Some));
        self.0.push(QuiltRun { first, last: None, left, right });
        self.0
    }

    pub(super) fn all(self) -> Vec<QuiltRun> {
        self.0
    }
}

/// Whether the empty quilt, which hides the whole chain, is as good as any.
pub(super) fn is_whole(whole: Cost, enough: Cost) -> bool {
    !enough.is_finite() || whole <= enough
}

#[cfg(test)]
#[path = "moments_tests.rs"]
mod tests;
