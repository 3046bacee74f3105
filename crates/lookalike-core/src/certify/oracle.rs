//! Certifies frequency oracles: by their whole law where that is small, and by its closed form otherwise.

use super::{Certified, Inside, Provable, Violation};
use crate::exact::{Interval, Natural, Rational, enclose_ln, exceeds};
use crate::model::{Encoding, Epsilon, Oracle, Reports, TOTAL};
use std::cmp::Ordering;
use std::fmt;

/// What was proved of an oracle: how far apart two categories are at most, in any report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OracleCertificate {
    proof: OracleProof,
    /// The weights of a report under two categories, the larger first, with the largest ratio there is.
    weights: [Natural; 2],
    claimed: Epsilon,
}

/// How it was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OracleProof {
    /// The probability of each report was written out for every category and compared; this many reports.
    ExactLaw(u64),
    /// By the closed form of the largest ratio.
    ClosedForm,
}

impl fmt::Display for OracleProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OracleProof::ExactLaw(reports) => write!(f, "exact law of {reports} reports"),
            OracleProof::ClosedForm => f.write_str("closed form"),
        }
    }
}

impl OracleCertificate {
    /// How it was proved.
    pub fn proof(&self) -> OracleProof {
        self.proof
    }

    /// The ε that was claimed.
    pub fn claimed(&self) -> &Epsilon {
        &self.claimed
    }

    /// The largest likelihood ratio of any report between any two categories; `None` when it is infinite.
    pub fn ratio(&self) -> Option<Rational> {
        let [more, less] = &self.weights;
        (!less.is_zero()).then(|| Rational::new(more.to_big().into(), less.to_big().into()))
    }

    /// The true ε, as an enclosure narrower than 1e-12; `None` when it is infinite.
    pub fn achieved(&self) -> Option<Interval> {
        self.ratio().map(|ratio| enclose_ln(&ratio, 60).expect("a ratio of at least 1"))
    }
}

/// Laws with at most so many entries, reports times categories, are written out.
const LARGEST_LAW: u64 = 1 << 14;

/// Proves the claim of an oracle, or returns the witness against it.
///
/// # Guarantee
/// `Ok` exactly when `P(r | x) ≤ e^ε P(r | x')` for every report r and all categories x, x'. A law of at most 2^14 entries
/// is written out and compared entry by entry; otherwise the largest ratio has a closed form. For a report that supports
/// x and not x' it is, with weights out of T = 2^53:
///
/// | encoding | largest ratio, or its inverse where that is larger |
/// |---|---|
/// | unary | one·(T − other) / other·(T − one): the bits of x and x' differ in their laws, and no others |
/// | hash | keep·(g − 1) / (T − keep), for each function that separates x and x'; the function tells nothing |
/// | Hadamard | plus / (T − plus): half of the columns are on either side |
/// | subset | include·(d − k) / (T − include)·k: C(d−1, k−1) sets hold x, C(d−1, k) do not |
///
/// # Errors
/// A [`Violation`] with the ratio.
///
/// # Example
/// ```
/// use lookalike_core::{certify::{OracleProof, certify}, model::{Categories, Encoding, Oracle, TOTAL}};
/// let oracle = |plus| {
///     let categories = Categories::new(["red", "green", "blue"])?;
///     Oracle::new(categories, "ln(3)".parse()?, Encoding::Hadamard { plus })
/// };
/// let certified = certify(oracle(3 * (TOTAL / 4))?)?;
/// assert_eq!(certified.certificate().proof(), OracleProof::ExactLaw(4));
/// assert!(certify(oracle(3 * (TOTAL / 4) + 1)?).is_err()); // one unit of 2^-53 too much
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Provable for Oracle {
    type Certificate = OracleCertificate;

    fn proved(self, _: Inside) -> Result<Certified<Self>, Violation<OracleCertificate>> {
        let (proof, weights) = match self.all_reports(LARGEST_LAW / u64::from(self.size())) {
            Ok(reports) => (OracleProof::ExactLaw(reports.len() as u64), of_law(&self, &reports)),
            Err(_) => (OracleProof::ClosedForm, of_closed_form(&self)),
        };
        let certificate = OracleCertificate { proof, weights, claimed: self.epsilon().clone() };
        let [more, less] = &certificate.weights;
        if exceeds(more, self.epsilon(), less) {
            let ratio = certificate.ratio().map_or("a positive number to 0".to_owned(), |ratio| ratio.to_string());
            let text = format!("two categories, some report: ratio {ratio} exceeds e^({})", self.epsilon());
            return Err(Violation::new(certificate, text));
        }
        Ok(Certified::new(self, certificate))
    }
}

/// The largest ratio over all reports and pairs of categories.
///
/// # Panics
/// If the weights of the reports do not sum to the scale, for then they would not be the whole law.
fn of_law(oracle: &Oracle, reports: &Reports) -> [Natural; 2] {
    let mut sums = vec![Natural::ZERO; oracle.size() as usize];
    let mut worst = [Natural::ONE, Natural::ONE];
    for report in reports.iter() {
        let weights: Vec<Natural> = (0..oracle.size()).map(|x| oracle.weight(x, report)).collect();
        sums.iter_mut().zip(&weights).for_each(|(sum, weight)| *sum = sum.plus(weight));
        let order = |a: &&Natural, b: &&Natural| Natural::compare_products(a, &Natural::ONE, b, &Natural::ONE);
        let most = weights.iter().max_by(order).expect("two categories");
        let least = weights.iter().min_by(order).expect("two categories");
        // An infinite ratio stays the worst: nothing positive exceeds it.
        if Natural::compare_products(most, &worst[1], &worst[0], least) == Ordering::Greater {
            worst = [most.clone(), least.clone()];
        }
    }
    assert!(sums.iter().all(|sum| *sum == oracle.scale()), "the reports are not the whole law");
    worst
}

/// The largest ratio by the formulas above.
fn of_closed_form(oracle: &Oracle) -> [Natural; 2] {
    let product = |a: u64, b: u64| Natural::from(a).times(&b.into());
    let size = oracle.size();
    let [own, not] = match oracle.encoding() {
        Encoding::Unary { one, other } => [product(one, TOTAL - other), product(other, TOTAL - one)],
        Encoding::Hash { buckets, keep } => [product(keep, u64::from(buckets - 1)), (TOTAL - keep).into()],
        Encoding::Hadamard { plus } => [plus.into(), (TOTAL - plus).into()],
        Encoding::Subset { size: members, include } => {
            [product(include, u64::from(size - members)), product(TOTAL - include, members.into())]
        }
    };
    match Natural::compare_products(&own, &Natural::ONE, &not, &Natural::ONE) {
        Ordering::Less => [not, own],
        _ => [own, not],
    }
}

#[cfg(test)]
#[path = "oracle_tests.rs"]
mod tests;
