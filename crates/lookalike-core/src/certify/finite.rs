//! Certifies mechanisms with a finite channel: aware, shared and point. Profiles are laws, or all laws within limits.

use super::{Certificate, Certified, Inside, Provable, Violation, Worst};
use crate::error::Result;
use crate::exact::{Natural, exceeds};
use crate::model::{Budgets, Column, Distribution, Extremes, Limits, Mechanism, OutputLaws, SecretGraph};
use rayon::prelude::*;
use std::cmp::Ordering;

/// Proves the claim of a mechanism, or returns the witness against it.
///
/// # Guarantee
/// `Ok` exactly when for every edge and every pair inside a group, with its own ε, and for every output y,
/// `q_s(y) ≤ e^ε q_s'(y)` and the reverse, where `q_s = P_s A^s` is the exact output law. `0 ≤ e^ε·0` holds; a
/// positive probability against zero does not.
///
/// Where profiles have limits, this holds for every law P_s and P_s' within them, each on its own: decided as
/// `H_s(y) ≤ e^ε h_s'(y)` with the largest and the least probability of the output, two fractional knapsacks. Nothing is
/// claimed about two laws of one profile, and inputs that no law within the limits has are free.
///
/// # Errors
/// A [`Violation`] with the pair and output that exceed their ε the most.
///
/// # Complexity
/// Σ over edges and groups of members × outputs comparisons of integers, after one matrix product a secret, or with limits one
/// sort of the inputs a secret and output; outputs in parallel, one number per secret in memory for each that is at work.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, model::{Categories, Channel, Mechanism, SecretGraph, TOTAL}};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let graph = builder.build()?;
/// let warner = |up: u64| {
///     let (keep, flip) = (3 * (TOTAL / 4) + up, TOTAL / 4 - up);
///     let channel = Channel::rows(vec![vec![keep, flip], vec![flip, keep]]).unwrap();
///     Mechanism::point(bits.clone(), bits.clone(), graph.clone(), channel).unwrap()
/// };
/// assert!(certify(warner(0)).is_ok());
/// assert!(certify(warner(1)).is_err()); // one unit of 2^-53 too much
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Reference
/// Geumlek and Chaudhuri, Profile-Based Privacy for Locally Private Computations (2019), Definition 2.
impl Provable for Mechanism {
    type Certificate = Certificate;

    fn proved(self, _: Inside) -> std::result::Result<Certified<Self>, Violation<Certificate>> {
        verdict(&self, self.limits()).map(|certificate| Certified::new(self, certificate))
    }
}

/// Whether the claim of a mechanism holds for all laws within these limits, whatever its own profiles and limits are.
///
/// # Guarantee
/// As [`certify`](super::certify) decides it, with these limits in place of the profiles.
///
/// # Errors
/// Limits that do not fit the mechanism, or a mechanism whose secrets are values.
pub fn certify_within(mechanism: &Mechanism, limits: &[Limits]) -> Result<std::result::Result<Certificate, Violation>> {
    mechanism.check_limits(limits)?;
    Ok(verdict(mechanism, limits))
}

fn verdict(mechanism: &Mechanism, limits: &[Limits]) -> std::result::Result<Certificate, Violation> {
    let candidates = worst_of_each_epsilon(mechanism, limits);
    let worst = candidates.into_iter().min_by_key(Rank::of).expect("a graph has an edge and laws have an output");
    let broken = worst.is_broken();
    let certificate = Certificate { pairs: mechanism.graph().pairs(), worst };
    if broken {
        let text = describe(mechanism, &certificate.worst);
        return Err(Violation::new(certificate, text));
    }
    Ok(certificate)
}

/// For each distinct ε of the claim the pair and output with the largest likelihood ratio: if that one does not
/// exceed its ε, no other pair with the same ε does. Without limits each profile is one law.
pub(super) fn worst_of_each_epsilon(mechanism: &Mechanism, limits: &[Limits]) -> Vec<Worst> {
    let (laws, budgets) = (OutputLaws::within(mechanism, limits), Budgets::of(mechanism.graph()));
    let outputs = (0..mechanism.outputs().len()).into_par_iter();
    let of_outputs: Vec<Vec<Option<Found>>> =
        outputs.map(|output| worst_at(mechanism.graph(), &budgets, &laws.column(output), output as u32)).collect();
    let claims = budgets.distinct().iter().enumerate().filter_map(|(number, &claimed)| {
        let found = of_outputs.iter().filter_map(|found| found[number].as_ref());
        let Found { pair, output, probabilities, .. } = found.reduce(|a, b| if b.beats(a) { b } else { a })?.clone();
        Some(Worst { secrets: pair.secrets, output, claimed: claimed.clone(), probabilities })
    });
    claims.collect()
}

/// For each distinct ε the pair with the largest likelihood ratio at one output; `None` when nobody has the output.
fn worst_at(graph: &SecretGraph, budgets: &Budgets<'_>, column: &Column<'_>, output: u32) -> Vec<Option<Found>> {
    let mut worst: Vec<Option<Found>> = vec![None; budgets.distinct().len()];
    for (place, (constraint, &number)) in graph.constraints().zip(budgets.of_constraints()).enumerate() {
        let (pair, slot) = (column.extremes(&constraint), &mut worst[number as usize]);
        if slot.as_ref().is_some_and(|before| pair.is_surely_closer_than(&before.pair)) {
            continue;
        }
        let found = Found { pair, place, output, probabilities: column.over_common_denominator(pair.secrets) };
        if !found.probabilities[0].is_zero() && slot.as_ref().is_none_or(|before| found.beats(before)) {
            *slot = Some(found);
        }
    }
    worst
}

/// A pair of one constraint at one output.
#[derive(Clone)]
struct Found {
    pair: Extremes,
    /// The place of the constraint in the graph.
    place: usize,
    output: u32,
    probabilities: [Natural; 2],
}

impl Found {
    /// Whether the ratio is larger, with x/0 infinite; among equals the first constraint is named.
    fn beats(&self, other: &Found) -> bool {
        let ([more, less], [other_more, other_less]) = (&self.probabilities, &other.probabilities);
        match Natural::compare_products(more, other_less, other_more, less) {
            Ordering::Equal => self.place < other.place,
            order => order == Ordering::Greater,
        }
    }
}

impl Worst {
    /// The laws of the two secrets, within these limits, at which they are this far apart: at the first the output has its
    /// largest probability, at the second its least. The profiles themselves where there are no limits.
    ///
    /// # Panics
    /// If the mechanism or the limits are others than those that this was found for.
    pub fn laws(&self, mechanism: &Mechanism, limits: &[Limits]) -> [Distribution; 2] {
        let law = |end: usize| {
            let secret = self.secrets[end];
            let weight = |x: usize| mechanism.channel(secret).weight(x, self.output as usize);
            match limits.get(secret as usize) {
                Some(limits) => limits.extreme_laws(weight).into_iter().nth(end).expect("two laws"),
                None => mechanism.input_law(secret).into_owned(),
            }
        };
        [law(0), law(1)]
    }

    fn is_broken(&self) -> bool {
        let [more, less] = &self.probabilities;
        exceeds(more, &self.claimed, less)
    }
}

/// Orders pairs from worst to best: those that exceed their ε first, then by slack, which is only for show.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank(std::cmp::Reverse<bool>, Option<crate::exact::Dyadic>);

impl Rank {
    fn of(worst: &Worst) -> Rank {
        Rank(std::cmp::Reverse(worst.is_broken()), worst.slack())
    }
}

fn describe(mechanism: &Mechanism, worst: &Worst) -> String {
    let name = |secret: u32| mechanism.graph().names().name(secret);
    let [more, less] = worst.secrets;
    let ratio = worst.ratio().map_or("a positive number to 0".to_owned(), |ratio| ratio.to_string());
    format!(
        "edge ({:?}, {:?}), output {:?}: ratio {ratio} exceeds e^({})",
        name(more),
        name(less),
        mechanism.outputs().names().name(worst.output),
        worst.claimed
    )
}

#[cfg(test)]
#[path = "finite_tests.rs"]
mod tests;
