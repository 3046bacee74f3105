//! Which theorem covers the next release about a subject, or why none does.

use super::Secrets;
use crate::Sentence;
use std::fmt;

/// How the next release stands to those before it about the same subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Nothing has been released about the subject.
    First,
    /// An observation that has not been released.
    NewObservation,
    /// An observation that has been released, now by another mechanism, or with a fresh draw.
    SameObservation,
    /// The earlier answer to the same record, as it was.
    EarlierAnswer,
    /// The earlier answer to an equal value of another record.
    AnswerToEqualValue,
}

/// How a release was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Choice {
    /// Before any release.
    #[default]
    InAdvance,
    /// By what had been released before, and nothing else.
    ByReleases,
    /// By private data.
    ByPrivateData,
}

/// What the caller declares, and no data can prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Declared {
    /// Observations of a subject are independent draws from its law.
    pub independent_observations: bool,
    /// How the release was chosen.
    pub choice: Choice,
}

/// The theorem that a sum rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theorem {
    /// One release: its own guarantee.
    Single,
    /// Independent observations of one secret add (Geumlek and Chaudhuri, Observation 4).
    IndependentObservations,
    /// Secrets that are the values themselves: ε adds whatever is released (basic composition).
    PointMasses,
    /// A function of what was released tells nothing more (Observation 3).
    PostProcessing,
    /// Releases from one chain add (Song, Wang and Chaudhuri, Theorem 4.4).
    ///
    /// The loss of a node is the least of rising straight lines in Σ 1/σ_k, so it is concave from 0 on and the loss of all
    /// is at most the sum; the loss by contraction is concave too. For the sharper value of all releases together see
    /// [`compose_exact`](crate::pufferfish::compose_exact) and [`Contraction::loss`](crate::pufferfish::Contraction::loss).
    Quilts,
    /// Of secrets that were chosen independently, each is hidden as by the releases about it alone (Observation 5).
    IndependentSecrets,
    /// A statement about the secrets of several subjects at once: their sums add.
    SecretsTogether,
}

/// Why no theorem covers a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A second observation, of which nobody declared that it is independent of the first.
    UndeclaredObservation,
    /// The same observation again.
    SameObservation,
    /// An answer looked up by value: two records that share it were equal.
    AnswerByValue,
    /// A mechanism chosen by private data.
    ChosenByPrivateData,
    /// Subjects whose secrets are not independent of each other.
    CorrelatedSelection,
    /// Secrets other than those of the account.
    OtherSecrets {
        /// Those of the account.
        account: String,
        /// Those of the release.
        release: String,
    },
    /// A pair of the account that the release does not protect by an edge or a group. A chain of edges between the two
    /// would bound what is told by the sum along it; that is not counted.
    UnprotectedPair {
        /// One secret.
        first: String,
        /// The other.
        second: String,
    },
    /// A pair of the release that the account does not have: what earlier releases told about it was not counted.
    UncountedPair {
        /// One secret.
        first: String,
        /// The other.
        second: String,
    },
}

impl Refusal {
    /// A pair that a release protects and the account does not, found with the two in each other's places.
    pub(super) fn of_other_side(self) -> Self {
        match self {
            Refusal::UnprotectedPair { first, second } => Refusal::UncountedPair { first, second },
            other => other,
        }
    }
}

/// The theorem that covers the next release about a subject.
///
/// Depends on public things alone: never on the value or on the true profile.
///
/// # Why a choice by earlier releases is covered
/// The probability of a list of releases is a product along the list: of each release given those before it. What was
/// released before fixes the mechanism of the next step, and within that mechanism the factor changes by at most e^ε
/// between the secrets of a pair. So the product changes by at most e^(sum of the ε along the list), whatever the
/// list, and it is these ε that an account adds up. For laws each factor is that of a fresh observation, which given
/// the secret is independent of all before it; for points the observation is the secret itself. Releases about other
/// subjects may stand in the list and guide the choice: where secrets are independent, what such a release is, given
/// those before it, does not depend on this secret, and its factor cancels.
///
/// # Why the same observation is refused
/// Profiles a and b may have the same output law at every mechanism and still be told apart by two answers to one
/// observation. Let a be 0 or 2, evenly, and b always 1; let 0 be released as `no`, 2 as `yes`, and 1 as either, evenly.
/// One answer is the toss of a coin under both. Two answers that differ occur under b only.
///
/// # Errors
/// The reason why there is none.
///
/// # Example
/// ```
/// use lookalike::account::{Declared, Refusal, Secrets, Standing, Theorem, rule};
/// let independent = Declared { independent_observations: true, ..Declared::default() };
/// let next = |standing, declared| rule(Secrets::Laws, standing, declared);
/// assert_eq!(next(Standing::NewObservation, independent), Ok(Theorem::IndependentObservations));
/// assert_eq!(next(Standing::NewObservation, Declared::default()), Err(Refusal::UndeclaredObservation));
/// assert_eq!(next(Standing::SameObservation, independent), Err(Refusal::SameObservation));
/// assert_eq!(next(Standing::EarlierAnswer, Declared::default()), Ok(Theorem::PostProcessing));
/// ```
///
/// # Reference
/// Geumlek and Chaudhuri, Profile-based Privacy for Locally Private Computations (2019), Observations 3 to 5 and 13 to 15.
pub fn rule(secrets: Secrets, standing: Standing, declared: Declared) -> Result<Theorem, Refusal> {
    if declared.choice == Choice::ByPrivateData {
        return Err(Refusal::ChosenByPrivateData);
    }
    match (standing, secrets) {
        (Standing::First, _) => Ok(Theorem::Single),
        (Standing::EarlierAnswer, _) => Ok(Theorem::PostProcessing),
        (Standing::AnswerToEqualValue, _) => Err(Refusal::AnswerByValue),
        (Standing::NewObservation | Standing::SameObservation, Secrets::Points) => Ok(Theorem::PointMasses),
        (Standing::NewObservation | Standing::SameObservation, Secrets::Moments) => Ok(Theorem::Quilts),
        (Standing::SameObservation, Secrets::Laws) => Err(Refusal::SameObservation),
        (Standing::NewObservation, Secrets::Laws) if declared.independent_observations => {
            Ok(Theorem::IndependentObservations)
        }
        (Standing::NewObservation, Secrets::Laws) => Err(Refusal::UndeclaredObservation),
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Theorem::Single => "one release keeps what its own mechanism promises",
            Theorem::IndependentObservations => {
                "Observation 4 of Geumlek and Chaudhuri: releases of independent observations of one secret add up, pair by \
                 pair"
            }
            Theorem::PointMasses => {
                "basic composition: where the secrets are the values themselves, releases add up, also those of the same value"
            }
            Theorem::PostProcessing => {
                "Observation 3 of Geumlek and Chaudhuri: a function of what was released tells nothing more"
            }
            Theorem::Quilts => "Theorem 4.4 of Song, Wang and Chaudhuri: releases from one chain add up",
            Theorem::IndependentSecrets => {
                "Observation 5 of Geumlek and Chaudhuri: where secrets are independent of each other, what is told about one \
                 of them is what was released about it"
            }
            Theorem::SecretsTogether => {
                "a statement about the secrets of several subjects at once: given all of them the releases are independent, \
                 and their sums add up"
            }
        })
    }
}

impl Refusal {
    /// Why, and the way out, for a shell to spell.
    pub fn sentence(&self) -> Sentence {
        match self {
            Refusal::UndeclaredObservation => Sentence::from(
                "a second observation of a subject: epsilon adds up only where observations are independent draws from the \
                 subject's law, which no data can show. Declare it if it is so",
            )
            .hint(Sentence::new().option("independent-observations"))
            .text(", or release one observation a subject"),
            Refusal::SameObservation => Sentence::from(
                "the same observation again, by another mechanism or with a fresh draw: the two answers depend on each other \
                 through the observation, and no theorem bounds what they tell together about the subject's law. Give the \
                 earlier answer again, which is free, or release a new observation",
            ),
            Refusal::AnswerByValue => Sentence::from(
                "an answer looked up by value: records that share it are seen to have had equal values, which no theorem \
                 covers. Keep answers by record instead",
            ),
            Refusal::ChosenByPrivateData => Sentence::from(
                "a mechanism chosen by private data: the choice itself tells about the data, and no mechanism hides it. Choose \
                 in advance, or by what has been released",
            ),
            Refusal::CorrelatedSelection => Sentence::from(
                "subjects whose secrets were not chosen independently of each other: what is released about one tells about \
                 the other, and no theorem covers that. Treat them as one subject, with secrets that say what holds of both",
            ),
            Refusal::OtherSecrets { account, release } => Sentence::from(format!(
                "other secrets than those that this account counts: it counts {account}; the mechanism has {release}. No \
                 theorem here adds these up. Where they are about data that have nothing to do with each other, keep an \
                 account for each"
            )),
            Refusal::UncountedPair { first, second } => Sentence::from(format!(
                "this mechanism protects the pair {first:?} and {second:?}, which the account does not count: what other releases \
                 tell about it is not known. Keep an account for each graph, or design for the same pairs"
            )),
            Refusal::UnprotectedPair { first, second } => Sentence::from(format!(
                "the account protects the pair {first:?} and {second:?}, for which this mechanism claims nothing (a way over other \
                 pairs is not counted): one release may tell them apart. Design a mechanism whose graph has that pair"
            )),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
