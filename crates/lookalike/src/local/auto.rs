//! Chooses the oracle with the least noise.

use super::protocol::{Protocol, oracle, report_bits};
use crate::estimate::SupportEstimator;
use crate::model::{Categories, Epsilon, Oracle};
use crate::{Error, Result};

/// What the choice was made from.
#[derive(Debug, Clone)]
pub struct Auto {
    /// The oracle with the least variance; of equals the one with the shorter report.
    pub oracle: Oracle,
    /// Its protocol.
    pub protocol: Protocol,
    /// All that were compared, in the order of [`Protocol::ALL`]; without those that cannot be used, at an ε next to 0.
    pub candidates: Vec<Candidate>,
}

/// One oracle that was compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The protocol.
    pub protocol: Protocol,
    /// n·Var of the estimated share of a rare category.
    pub variance: f64,
    /// The bits of a report, when every report is equally long.
    pub bits: u64,
}

/// The oracle with the least variance of a rare category's share, which is what most categories are when d is large.
///
/// Variances are those of the very weights that are drawn. Subset selection with the best size has the least of all, and
/// the longest reports; the table of candidates shows what a shorter report costs. A set of one is k-ary randomized
/// response and is called that.
///
/// # Errors
/// As [`oracle`], when no protocol can be used.
///
/// # Example
/// ```
/// use lookalike::{local::{Protocol, auto}, model::Categories};
/// let categories = |count: u32| Categories::new((0..count).map(|at| format!("c{at}")));
/// assert_eq!(auto(&categories(4)?, &"2".parse()?)?.protocol, Protocol::KRr);
/// assert_eq!(auto(&categories(100)?, &"1".parse()?)?.protocol, Protocol::Subset);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn auto(categories: &Categories, epsilon: &Epsilon) -> Result<Auto> {
    let make = |protocol| Ok((protocol, oracle(protocol, categories.clone(), epsilon.clone())?));
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for result in Protocol::ALL.map(make) {
        result.map_or_else(|error: Error| refused.push(error), |usable| made.push(usable));
    }
    if made.is_empty() {
        return Err(refused.swap_remove(0));
    }
    let candidates: Vec<Candidate> = made.iter().map(|(protocol, oracle)| Candidate::of(*protocol, oracle)).collect();
    let best = best(&candidates, u64::MAX).expect("there is one");
    let (protocol, oracle) = made.into_iter().find(|(protocol, _)| *protocol == best).expect("it was compared");
    Ok(Auto { oracle, protocol, candidates })
}

impl Auto {
    /// The protocol with the least variance among those whose reports take at most so many bits; `None` when all take
    /// more.
    ///
    /// # Example
    /// ```
    /// use lookalike::{local::{Protocol, auto}, model::Categories};
    /// let auto = auto(&Categories::new((0..1_000).map(|at| at.to_string()))?, &"1".parse()?)?;
    /// let expected = [(u64::MAX, Some(Protocol::Subset)), (64, Some(Protocol::Olh)), (10, Some(Protocol::Hadamard)), (9, None)];
    /// expected.into_iter().for_each(|(bits, best)| assert_eq!(auto.within(bits), best));
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn within(&self, bits: u64) -> Option<Protocol> {
        best(&self.candidates, bits)
    }
}

/// The least variance, and of equals the shorter report.
fn best(candidates: &[Candidate], most_bits: u64) -> Option<Protocol> {
    let order = |a: &&Candidate, b: &&Candidate| a.variance.total_cmp(&b.variance).then(a.bits.cmp(&b.bits));
    candidates.iter().filter(|candidate| candidate.bits <= most_bits).min_by(order).map(|best| best.protocol)
}

impl Candidate {
    fn of(protocol: Protocol, oracle: &Oracle) -> Self {
        let bits = report_bits(oracle);
        Candidate { protocol, variance: SupportEstimator::new(oracle).variance(0.0), bits }
    }
}

#[cfg(test)]
#[path = "auto_tests.rs"]
mod tests;
