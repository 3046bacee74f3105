//! The named oracles at the least noise of their kind.

use super::weight::largest_weight;
use crate::estimate::SupportEstimator;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Categories, Encoding, Epsilon, HashFamily, Oracle, TOTAL, is_prime};
use crate::{Error, Result};
use num_bigint::BigInt;
use std::fmt;
use std::str::FromStr;

/// A frequency oracle of the literature. E is e^ε, d the number of categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// k-ary randomized response: x with E times the probability of any other. As a [`Encoding::Subset`] of one.
    KRr,
    /// Subset selection with the best set size, about d/(E + 1).
    Subset,
    /// Optimal local hashing, with the best prime number of buckets, about E + 1.
    Olh,
    /// Hadamard response, in its form with one row per category.
    Hadamard,
    /// Optimized unary encoding: the own bit is a fair coin, any other is 1 with probability 1/(E + 1).
    Oue,
    /// Symmetric unary encoding (basic RAPPOR): every bit is flipped with probability 1/(√E + 1).
    Sue,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 6] =
        [Protocol::KRr, Protocol::Subset, Protocol::Olh, Protocol::Hadamard, Protocol::Oue, Protocol::Sue];

    /// Its name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::KRr => "k-rr",
            Protocol::Subset => "subset",
            Protocol::Olh => "olh",
            Protocol::Hadamard => "hadamard",
            Protocol::Oue => "oue",
            Protocol::Sue => "sue",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let names = || Protocol::ALL.map(Protocol::name).join(", ");
        let found = Protocol::ALL.into_iter().find(|protocol| protocol.name() == text);
        found.ok_or_else(|| Error::input(format!("oracle {text:?} is not known, expected one of {}", names())))
    }
}

/// The oracle of a protocol that keeps any two categories within ε, with the least noise of its kind.
///
/// # Guarantee
/// The claim holds exactly, and would not with one unit of 2^-53 more weight on the truth.
///
/// # Errors
/// Fewer than two categories, or an ε so small that weights out of 2^53 leave nothing to read back.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, local::{Protocol, oracle}, model::{Categories, Encoding, TOTAL}};
/// let categories = Categories::new((0..100).map(|at| format!("c{at}")))?;
/// let oue = oracle(Protocol::Oue, categories, "ln(3)".parse()?)?;
/// assert_eq!(oue.encoding(), Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 });
/// assert!(certify(oue).is_ok());
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Erlingsson, Pihur and Korolova, RAPPOR (2014); Wang, Blocki, Li and Jha (2017): SUE, OUE, OLH; Acharya, Sun and Zhang,
/// Hadamard response (2019); Ye and Barg, Optimal schemes for discrete distribution estimation under locally differential
/// privacy (2018); Wang et al., Mutual information optimally local private discrete distribution estimation (2016).
pub fn oracle(protocol: Protocol, categories: Categories, epsilon: Epsilon) -> Result<Oracle> {
    Oracle::check_size(&categories)?;
    let encoding = match protocol {
        Protocol::KRr => subset(&categories, &epsilon, 1),
        Protocol::Subset => best_subset(&categories, &epsilon),
        Protocol::Olh => best_hash(&categories, &epsilon),
        Protocol::Hadamard => Encoding::Hadamard { plus: largest_weight(&epsilon, 1, 1) },
        Protocol::Oue => Encoding::Unary { one: TOTAL / 2, other: TOTAL - largest_weight(&epsilon, 1, 1) },
        Protocol::Sue => {
            // Both bits of a pair tell: each may cost half.
            let half = epsilon.scale(&Rational::new(BigInt::from(1), BigInt::from(2)))?;
            let one = largest_weight(&half, 1, 1);
            Encoding::Unary { one, other: TOTAL - one }
        }
    };
    let too_small = format!(
        "{protocol} at epsilon = {epsilon}: weights out of 2^53 leave nothing to read back, choose a larger epsilon"
    );
    Oracle::new(categories, epsilon, encoding).map_err(|_| Error::inapplicable(too_small))
}

/// The bits of a report, when every report is equally long.
pub(super) fn report_bits(oracle: &Oracle) -> u64 {
    let bits_below = |count: u128| u64::from((count - 1).checked_ilog2().map_or(0, |log| log + 1));
    let size = u64::from(oracle.size());
    match oracle.encoding() {
        Encoding::Unary { .. } => size,
        // The function and the bucket as one number: apart they could take a bit more.
        Encoding::Hash { buckets, .. } => {
            let functions = oracle.family().expect("a hash has one").functions();
            bits_below(u128::from(functions) * u128::from(buckets))
        }
        Encoding::Hadamard { .. } => bits_below(oracle.columns().into()),
        // A list of its members, or a bit for each category.
        Encoding::Subset { size: members, .. } => (u64::from(members) * bits_below(size.into())).min(size),
    }
}

/// What a report of an oracle is, in a sentence for people.
///
/// # Example
/// ```
/// use lookalike::{local::{Protocol, oracle, report_words}, model::Categories};
/// let oracle = oracle(Protocol::Subset, Categories::new(["a", "b", "c", "d"])?, "1/2".parse()?)?;
/// assert_eq!(report_words(&oracle), "A set of 1 of 4 values; those that hold the true one are more frequent.");
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn report_words(oracle: &Oracle) -> String {
    let values = oracle.size();
    match oracle.encoding() {
        Encoding::Unary { .. } => format!(
            "A bit for each of {values} values, each drawn for itself; the bit of the true value is more often 1 than any other."
        ),
        Encoding::Hash { buckets, .. } => format!(
            "A hash function, drawn without a look at the value, and one of its {buckets} buckets; that of the true value more \
             often than any other."
        ),
        Encoding::Hadamard { .. } => format!(
            "The number of one of {} columns of a Hadamard matrix; those in which the row of the true value has +1 are more \
             frequent.",
            oracle.columns()
        ),
        Encoding::Subset { size, .. } => {
            format!("A set of {size} of {values} values; those that hold the true one are more frequent.")
        }
    }
}

fn subset(categories: &Categories, epsilon: &Epsilon, size: u32) -> Encoding {
    Encoding::Subset { size, include: largest_weight(epsilon, categories.len() as u32 - size, size) }
}

fn hash(epsilon: &Epsilon, buckets: u32) -> Encoding {
    Encoding::Hash { buckets, keep: largest_weight(epsilon, buckets - 1, 1) }
}

/// The set size with the least variance: downhill from d/(E + 1), near which it lies.
fn best_subset(categories: &Categories, epsilon: &Epsilon) -> Encoding {
    let most = categories.len() as u32 - 1;
    let variance = |size: u32| noise(categories, epsilon, subset(categories, epsilon, size));
    let mut size = ((categories.len() as f64 / (exponential(epsilon) + 1.0)).round() as u32).clamp(1, most);
    let mut least = variance(size);
    for step in [-1i64, 1] {
        while let Ok(next @ 1..) = u32::try_from(i64::from(size) + step)
            && next <= most
            && variance(next) < least
        {
            (size, least) = (next, variance(next));
        }
    }
    subset(categories, epsilon, size)
}

/// The prime number of buckets with the least variance: one of the two around E + 1, between which it falls and rises.
fn best_hash(categories: &Categories, epsilon: &Epsilon) -> Encoding {
    let middle = (exponential(epsilon) + 1.0).clamp(2.0, f64::from(HashFamily::MOST_BUCKETS)) as u32;
    let below = (2..=middle).rev().find(|number| is_prime(*number)).unwrap_or(2);
    let above = (middle + 1..=HashFamily::MOST_BUCKETS).find(|number| is_prime(*number)).unwrap_or(below);
    let variance = |buckets: u32| noise(categories, epsilon, hash(epsilon, buckets));
    hash(epsilon, if variance(above) < variance(below) { above } else { below })
}

/// n·Var of a rare category's share; infinite where nothing can be read back.
fn noise(categories: &Categories, epsilon: &Epsilon, encoding: Encoding) -> f64 {
    let oracle = Oracle::new(categories.clone(), epsilon.clone(), encoding);
    oracle.map_or(f64::INFINITY, |oracle| SupportEstimator::new(&oracle).variance(0.0))
}

/// e^ε, infinite where doubles end. It only says where to look.
fn exponential(epsilon: &Epsilon) -> f64 {
    to_f64(&epsilon.exp(64).lower().to_rational(), Direction::Nearest)
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
