//! How much one moment of a chain loses behind noise, by what a claim names as its proof.

use super::influence::{Side, number};
use super::nodes::Nodes;
use super::powers::Powers;
use super::{States, saturation, step};
use crate::error::{Error, Result};
use crate::exact::{Dyadic, Epsilon, Rational};
use crate::model::{Chain, ChainClass, Moments, MomentsProof, QuiltRun};
use num_bigint::BigInt;
use num_traits::Zero;

/// Moments that may be looked at one by one: a claim must not keep its reader busy for ever.
const MOST_ONE_BY_ONE: u64 = 1 << 22;
/// The same, times the entries of a matrix of transition probabilities.
const MOST_WORK: u64 = 1 << 28;

/// An upper bound of what one moment loses behind noise that changes by e^rate with each moment; `None` where the proof of
/// the claim shows no bound.
///
/// # Guarantee
/// For every chain of the class, every moment i and all states x, x' that are possible there, and every output y of noise
/// that changes by at most e^(rate·n) when n moments change: `Pr(y | X_i = x) ≤ e^loss Pr(y | X_i = x')`.
///
/// By quilts: the near side of a quilt has `card` moments and the rest is independent of X_i given the quilt, so that
/// the loss is at most `e + rate·card` with the influence e of X_i on its quilt (theorem 4.3 of Song, Wang and Chaudhuri).
/// Any quilt gives a bound, whoever chose it. By contraction: [`step::weight`] and [`saturation::loss`].
///
/// # Errors
/// A chain that starts from its stationary law and has several; too many moments to look at one by one.
pub fn loss(moments: &Moments, rate: &Rational) -> Result<Option<Rational>> {
    match (moments.class(), moments.proof()) {
        (ChainClass::Chains(chains), MomentsProof::Quilts(quilts)) => {
            check_work(chains, quilts)?;
            let mut most = Rational::zero();
            for (place, (chain, runs)) in chains.iter().zip(quilts).enumerate() {
                let one = by_quilts(chain, moments.length(), runs, rate);
                let Some(one) = one.map_err(|error| error.at(format_args!("chain {}", place + 1)))? else {
                    return Ok(None);
                };
                most = most.max(one);
            }
            Ok(Some(most))
        }
        _ => {
            let coefficient = coefficient(moments.class());
            let linear = step::weight(&coefficient, moments.length()) * rate;
            let sharper = saturation::loss(&coefficient, rate);
            Ok(Some(sharper.map_or(linear.clone(), |sharper| sharper.min(linear))))
        }
    }
}

fn check_work(chains: &[Chain], quilts: &[Vec<QuiltRun>]) -> Result<()> {
    let runs = || quilts.iter().flatten();
    let one_by_one: u64 = runs().filter_map(|run| Some(run.last? - run.first + 1)).fold(0, u64::saturating_add);
    let states = chains[0].states() as u64;
    let most = (MOST_WORK / (states * states)).clamp(1 << 10, MOST_ONE_BY_ONE);
    if one_by_one > most {
        return Err(Error::input(format!("quilts for {one_by_one} moments one by one, expected at most {most}")));
    }
    Ok(())
}

/// Whether one moment loses at most ε at this rate, and an upper bound of what it loses.
///
/// For a contraction the largest rate that ε allows is compared, which is what a design is made from. The loss that is returned
/// is found by another search, and may be above ε by what that rounds.
///
/// # Errors
/// As [`loss`].
pub fn hides(moments: &Moments, rate: &Rational, epsilon: &Epsilon) -> Result<(bool, Option<Rational>)> {
    let lost = loss(moments, rate)?;
    let within = lost.as_ref().is_some_and(|lost| is_at_most(lost, epsilon));
    if within || !matches!(moments.proof(), MomentsProof::Contraction) {
        return Ok((within, lost));
    }
    let most = saturation::rate(&coefficient(moments.class()), epsilon);
    Ok((most.is_some_and(|most| *rate <= most), lost))
}

fn is_at_most(lost: &Rational, epsilon: &Epsilon) -> bool {
    // A loss beyond the largest ε that there is exceeds every claim.
    lost.is_zero() || Epsilon::rational(lost.clone()).is_ok_and(|lost| lost <= *epsilon)
}

/// c of the chain that forgets the least.
fn coefficient(class: &ChainClass) -> Dyadic {
    let of = |chains: &[Chain]| chains.iter().map(step::coefficient).max().expect("a class has a chain");
    match class {
        ChainClass::Chains(chains) => of(chains),
        // They stand for the whole box, see [`BinaryBox::corners`](crate::model::BinaryBox::corners).
        ChainClass::Box(limits) => of(&limits.corners()),
    }
}

/// The largest e + rate·card over the moments of one chain.
fn by_quilts(chain: &Chain, length: u64, runs: &[QuiltRun], rate: &Rational) -> Result<Option<Rational>> {
    let mut nodes = Nodes::of_chain(chain, length, States::Possible, Side::Above)?;
    let mut most = Rational::zero();
    for run in runs {
        let found = match run.last {
            None => of_all_after(&mut nodes, run),
            Some(last) => one_after_another(&mut nodes, run, last, rate)?,
        };
        let Some(Cost { influence, card }) = found else { return Ok(None) };
        most = most.max(cost(influence, card, rate));
    }
    Ok(Some(most))
}

/// The quilt of a moment: its influence in units of 2^−44, and how many moments stand on its near side.
struct Cost {
    influence: i64,
    card: u64,
}

fn cost(influence: i64, card: u64, rate: &Rational) -> Rational {
    number(influence).to_rational() + rate * BigInt::from(card)
}

/// One bound for all moments of a run without an end. The quilt may lack a side at an end of the chain; the near side is
/// then no larger, and the influence is taken over all shapes.
fn of_all_after(nodes: &mut Nodes<Powers>, run: &QuiltRun) -> Option<Cost> {
    match (run.left, run.right) {
        (Some(left), Some(right)) => {
            let influence = nodes.influence_after(run.first - 1, left, right)?;
            Some(Cost { influence, card: (left + right - 1).min(nodes.length) })
        }
        // Without a quilt the whole chain is the near side.
        (None, None) => Some(Cost { influence: 0, card: nodes.length }),
        _ => None,
    }
}

fn one_after_another(nodes: &mut Nodes<Powers>, run: &QuiltRun, last: u64, rate: &Rational) -> Result<Option<Cost>> {
    let (length, mut law) = (nodes.length, nodes.law(run.first));
    let mut worst: Option<Cost> = None;
    for node in run.first..=last {
        let to_the_end = length - node + 1;
        let left = run.left.filter(|&left| left < node).unwrap_or(node);
        let right = run.right.filter(|&right| right < to_the_end).unwrap_or(to_the_end);
        let place = nodes.place(node, law.as_ref());
        let Some(influence) = nodes.influence(&place, left, right) else { return Ok(None) };
        let found = Cost { influence, card: left + right - 1 };
        let is_worse = |worst: &Cost| cost(found.influence, found.card, rate) > cost(worst.influence, worst.card, rate);
        if worst.as_ref().is_none_or(is_worse) {
            worst = Some(found);
        }
        law = law.map(|law| nodes.next_law(&law));
    }
    Ok(worst)
}
