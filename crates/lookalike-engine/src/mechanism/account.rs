//! What repeated releases add up to, and beyond the sum: ε at a chosen δ.

use super::claim::{FalseClaim, prove_claim};
use lookalike::Sentence;
use lookalike::account::loss::{Composition, EpsilonAtDelta, Statement, check_delta};
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Epsilon, EpsilonSum, Rational, to_f64};
use lookalike::model::Secrets;
use lookalike_formats::{AnyMechanism, Error, MechanismKind, Result, of_kind};
use serde::Serialize;

/// An account that is asked for.
#[derive(Debug)]
pub struct AccountRequest {
    /// The mechanism of each release.
    pub mechanism: AnyMechanism,
    /// How many releases there are; an account for each of these numbers.
    pub releases: Vec<u64>,
    /// How likely it may be that more is told; releases of moments have no use for it.
    pub delta: Rational,
}

/// What numbers of releases come to.
#[derive(Debug)]
pub struct AccountOutcome {
    /// What ε is about.
    pub secrets: Secrets,
    /// The δ.
    pub delta: Rational,
    /// For each number of releases.
    pub rows: AccountRows,
}

/// What each number of releases comes to.
#[derive(Debug)]
pub enum AccountRows {
    /// Releases that a theorem of composition covers at a δ.
    Composed {
        /// For each number.
        rows: Vec<Composed>,
        /// The names of the secrets, where they have a list.
        names: Vec<String>,
    },
    /// Releases from one sequence, about any one of its moments: they add up, and together they lose what one quilt, or one
    /// contraction, shows for all of them. At a δ no theorem says more.
    Moments(Vec<Together>),
}

/// What a number of releases comes to at a δ.
#[derive(Debug)]
pub struct Composed {
    /// How many.
    pub releases: u64,
    /// The sum of their ε.
    pub sum: EpsilonSum,
    /// What the account is about.
    pub statement: Statement,
    /// ε at δ.
    pub found: EpsilonAtDelta,
}

/// What a number of releases from one sequence comes to.
#[derive(Debug)]
pub struct Together {
    /// How many.
    pub releases: u64,
    /// The sum of their ε.
    pub sum: EpsilonSum,
    /// What they lose together at most.
    pub together: Rational,
}

/// What is said of an account.
#[derive(Debug, Clone, Serialize)]
pub struct AccountFacts {
    /// What ε is about, in a word.
    pub secrets: &'static str,
    /// The δ, exactly, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<String>,
    /// For each number of releases.
    pub releases: RowFacts,
}

/// What is said of the numbers of releases, by what covers them.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum RowFacts {
    /// A theorem of composition.
    Composed(Vec<ComposedFacts>),
    /// What a sequence loses.
    Moments(Vec<TogetherFacts>),
}

/// What is said of a number of releases at a δ.
#[derive(Debug, Clone, Serialize)]
pub struct ComposedFacts {
    /// How many.
    pub releases: u64,
    /// The sum of their ε, rounded up.
    pub sum: f64,
    /// The same as exact text.
    pub sum_text: String,
    /// ε at δ, rounded up; `None` when there is none.
    pub epsilon_at_delta: Option<f64>,
    /// The pair that needs it; `None` where the statement is about any pairs.
    pub pair: Option<[String; 2]>,
    /// How it was found.
    pub method: &'static str,
}

/// What is said of a number of releases from one sequence.
#[derive(Debug, Clone, Serialize)]
pub struct TogetherFacts {
    /// How many.
    pub releases: u64,
    /// The sum of their ε, rounded up.
    pub sum: f64,
    /// The same as exact text.
    pub sum_text: String,
    /// What they lose together at most, rounded up.
    pub together: f64,
    /// How it was found: `moments`.
    pub method: &'static str,
}

impl AccountRequest {
    /// Adds the releases up, or says what is against the claim.
    ///
    /// # Errors
    /// A δ that is none; noise on places, whose ε is for each metre; no release, or more than 10⁹.
    pub fn run(self) -> Result<std::result::Result<AccountOutcome, FalseClaim>> {
        check_delta(&self.delta)?;
        let secrets = self.mechanism.secrets();
        let epsilon = self.mechanism.epsilon().clone();
        let asked = Composing { epsilon: &epsilon, releases: &self.releases, delta: &self.delta };
        let rows = of_kind!(self.mechanism, file => prove_claim(file.mechanism).map(|proved| Accounted::rows(&proved, &asked)));
        Ok(match rows {
            Ok(rows) => Ok(AccountOutcome { secrets, rows: rows?, delta: self.delta }),
            Err(violation) => Err(violation),
        })
    }
}

/// A kind of mechanism whose releases are added up.
pub trait Accounted: MechanismKind {
    /// What each number of releases comes to.
    ///
    /// # Errors
    /// A kind of which no account is kept, and no release, or more than 10⁹.
    fn rows(proved: &Certified<Self>, asked: &Composing<'_>) -> Result<AccountRows>;
}

/// Numbers of releases that are to be added up.
#[derive(Debug, Clone, Copy)]
pub struct Composing<'a> {
    epsilon: &'a Epsilon,
    releases: &'a [u64],
    delta: &'a Rational,
}

impl Composing<'_> {
    /// By a theorem of composition, for secrets with these names.
    ///
    /// # Errors
    /// Those of the composition, and a δ that is none.
    pub fn composed(
        &self,
        names: Vec<String>,
        compose: impl Fn(u64) -> lookalike::Result<Composition>,
    ) -> Result<AccountRows> {
        let row = |&releases: &u64| {
            let mut composed = compose(releases).map_err(|error| Error::from(error).at_option(at_releases()))?;
            let (sum, statement) = (self.sum(releases), composed.statement());
            Ok(Composed { releases, sum, statement, found: composed.epsilon_at(self.delta)? })
        };
        Ok(AccountRows::Composed { rows: self.releases.iter().map(row).collect::<Result<_>>()?, names })
    }

    /// By what so many releases from one sequence lose together.
    ///
    /// # Errors
    /// Those of `lost`, and no release.
    pub fn of_sequence(&self, lost: impl Fn(&Rational) -> Result<Rational>) -> Result<AccountRows> {
        let row = |&releases: &u64| {
            if releases == 0 {
                return Err(Error::input("0 releases, expected at least 1").at_option(at_releases()));
            }
            let together = lost(&Rational::from_integer(releases.into()))?;
            Ok(Together { releases, sum: self.sum(releases), together })
        };
        Ok(AccountRows::Moments(self.releases.iter().map(row).collect::<Result<_>>()?))
    }

    fn sum(&self, releases: u64) -> EpsilonSum {
        let mut sum = EpsilonSum::zero();
        sum.add(self.epsilon, releases);
        sum
    }
}

fn at_releases() -> Sentence {
    Sentence::new().option("releases")
}

impl AccountOutcome {
    /// All that is said of it.
    pub fn facts(&self) -> AccountFacts {
        let secrets = self.secrets.word();
        match &self.rows {
            AccountRows::Composed { rows, names } => AccountFacts {
                secrets,
                delta: Some(self.delta.to_string()),
                releases: RowFacts::Composed(rows.iter().map(|row| row.facts(names)).collect()),
            },
            AccountRows::Moments(rows) => {
                let releases = RowFacts::Moments(rows.iter().map(Together::facts).collect());
                AccountFacts { secrets, delta: None, releases }
            }
        }
    }
}

impl Composed {
    fn facts(&self, names: &[String]) -> ComposedFacts {
        ComposedFacts {
            releases: self.releases,
            sum: self.sum.to_f64(Direction::Up),
            sum_text: self.sum.to_string(),
            epsilon_at_delta: self.found.epsilon.as_ref().map(|epsilon| to_f64(epsilon, Direction::Up)),
            pair: self.found.pair.map(|pair| pair.map(|secret| names[secret as usize].clone())),
            method: self.found.method.name(),
        }
    }
}

impl Together {
    fn facts(&self) -> TogetherFacts {
        TogetherFacts {
            releases: self.releases,
            sum: self.sum.to_f64(Direction::Up),
            sum_text: self.sum.to_string(),
            together: to_f64(&self.together, Direction::Up),
            method: "moments",
        }
    }
}

#[cfg(test)]
#[path = "account_tests.rs"]
mod tests;
