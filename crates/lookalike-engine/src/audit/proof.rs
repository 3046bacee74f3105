//! What is proved of the pairs that were tested.

use lookalike::audit::Test;
use lookalike::certify::{Achieved, Certificate, certify};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{Mechanism, SecretGraph};
use lookalike_formats::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The proof about each pair that was tested, for draws that come from the mechanism itself.
///
/// # Example
/// ```
/// use lookalike::audit::{Family, Seen, Test};
/// use lookalike::model::{Categories, Channel, Mechanism, SecretGraph, TOTAL};
/// use lookalike_engine::audit::Proofs;
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.chain(&"2".parse()?);
/// let coin = Channel::rows(vec![vec![3 * (TOTAL / 4), TOTAL / 4], vec![TOTAL / 4, 3 * (TOTAL / 4)]])?;
/// let mechanism = Mechanism::point(bits.clone(), bits, builder.build()?, coin)?;
/// let seen = [Seen { hits: 9, draws: 10 }; 2];
/// let test = Test { family: Family::Single, secrets: [0, 1], event: String::new(), seen, bound: 1.1, claimed: Some(2.0) };
/// // Within the claim, but more than ln 3, which is proved.
/// assert!(Proofs::new(&mechanism, std::slice::from_ref(&test))?.excess(&test) > 0.0);
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Proofs(BTreeMap<[u32; 2], Certificate>);

impl Proofs {
    /// Certifies each pair of these tests alone.
    ///
    /// # Errors
    /// A pair that need not look alike.
    ///
    /// # Complexity
    /// Different pairs × outputs, and a copy of the mechanism for each.
    pub fn new(mechanism: &Mechanism, tests: &[Test]) -> Result<Self> {
        let pairs: BTreeSet<[u32; 2]> = tests.iter().map(|test| ascending(test.secrets)).collect();
        Ok(Proofs(pairs.into_iter().map(|pair| Ok((pair, of_pair(mechanism, pair)?))).collect::<Result<_>>()?))
    }

    /// The proof about the pair of a test.
    ///
    /// # Panics
    /// If it is none of the tests that this was made for.
    pub fn of(&self, test: &Test) -> &Certificate {
        &self.0[&ascending(test.secrets)]
    }

    /// The true ε of the pair of a test, rounded up; infinite where no ε covers it.
    ///
    /// # Panics
    /// As [`Proofs::of`].
    pub fn upper(&self, test: &Test) -> f64 {
        match self.of(test).worst().achieved() {
            Achieved::Infinite => f64::INFINITY,
            Achieved::Within(proved) => to_f64(&proved.upper().to_rational(), Direction::Up),
        }
    }

    /// How much the bound of a test is above what is proved of its pair: where it is, what was drawn from is not what was
    /// proved.
    ///
    /// # Panics
    /// As [`Proofs::of`].
    pub fn excess(&self, test: &Test) -> f64 {
        test.bound - self.upper(test)
    }
}

fn ascending([one, other]: [u32; 2]) -> [u32; 2] {
    [one.min(other), one.max(other)]
}

/// The proof about one pair alone.
fn of_pair(mechanism: &Mechanism, [one, other]: [u32; 2]) -> Result<Certificate> {
    let names = mechanism.graph().names();
    let epsilon = mechanism.graph().epsilon_between(one, other).ok_or_else(|| {
        let [one, other] = [one, other].map(|secret| names.name(secret));
        Error::input(format!("{one:?} and {other:?} need not look alike in the mechanism"))
    })?;
    let mut builder = SecretGraph::builder(names.clone());
    builder.edge(one, other, epsilon.clone())?;
    let verdict = certify(mechanism.clone().with_graph(builder.build()?)?);
    Ok(verdict.map_or_else(|violation| violation.certificate().clone(), |certified| certified.certificate().clone()))
}
