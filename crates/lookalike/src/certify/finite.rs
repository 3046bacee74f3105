//! Certifies mechanisms with a finite channel: aware, shared and point.

use super::{Certificate, Certified, Violation, Worst};
use crate::exact::{Natural, exceeds};
use crate::model::{Epsilon, Mechanism};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Proves the claim of a mechanism, or returns the witness against it.
///
/// # Guarantee
/// `Ok` exactly when for every edge and every pair inside a group, with its own ε, and for every output y,
/// `q_s(y) ≤ e^ε q_s'(y)` and the reverse, where `q_s = P_s A^s` is the exact output law. `0 ≤ e^ε·0` holds; a
/// positive probability against zero does not.
///
/// # Errors
/// A [`Violation`] with the pair and output that exceed their ε the most.
///
/// # Complexity
/// Σ over edges and groups of members × outputs comparisons of integers, after one matrix product a secret.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, model::{Categories, Channel, Mechanism, SecretGraph, TOTAL}};
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
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Geumlek and Chaudhuri, Profile-Based Privacy for Locally Private Computations (2019), Definition 2.
pub fn certify(mechanism: Mechanism) -> Result<Certified<Mechanism>, Violation> {
    let candidates = worst_of_each_epsilon(&mechanism);
    let worst = candidates.into_iter().min_by_key(Rank::of).expect("a graph has an edge and laws have an output");
    let broken = worst.is_broken();
    let certificate = Certificate { pairs: mechanism.graph().pairs(), worst };
    if broken {
        let text = describe(&mechanism, &certificate.worst);
        return Err(Violation::new(certificate, text));
    }
    Ok(Certified::new(mechanism, certificate))
}

/// For each distinct ε of the claim the pair and output with the largest likelihood ratio: if that one does not
/// exceed its ε, no other pair with the same ε does.
fn worst_of_each_epsilon(mechanism: &Mechanism) -> Vec<Worst> {
    let laws = mechanism.output_laws();
    let outputs = mechanism.outputs().len();
    let mut places: HashMap<Epsilon, usize> = HashMap::new();
    let mut worst: Vec<Worst> = Vec::new();
    for constraint in mechanism.graph().constraints() {
        for output in 0..outputs {
            let (most, least) = constraint.extremes(&laws, output);
            let (more, less) = laws[most as usize].over_common_denominator(&laws[least as usize], output);
            if more.is_zero() {
                continue;
            }
            let place = *places.entry(constraint.epsilon.clone()).or_insert(worst.len());
            let further = worst.get(place).is_none_or(|found| is_further_apart(&[&more, &less], &found.probabilities));
            if further {
                let (claimed, probabilities) = (constraint.epsilon.clone(), [more, less]);
                let found = Worst { secrets: [most, least], output: output as u32, claimed, probabilities };
                if place == worst.len() { worst.push(found) } else { worst[place] = found }
            }
        }
    }
    worst
}

/// Whether more/less > found[0]/found[1], with x/0 infinite.
fn is_further_apart([more, less]: &[&Natural; 2], found: &[Natural; 2]) -> bool {
    Natural::compare_products(more, &found[1], &found[0], less) == Ordering::Greater
}

impl Worst {
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
