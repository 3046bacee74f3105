//! Releases as plain data, and what lists of them add up to.

use super::{Account, Declared, Refusal, Standing, Theorem, Worst, rule};
use crate::exact::EpsilonSum;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Drawn {
    /// A fresh draw.
    #[default]
    Fresh,
    /// The earlier answer of the same mechanism to the same observation; a fresh draw where there is none.
    Again,
    /// The earlier answer to an equal value, of whatever observation.
    ByValue,
}

/// One release: what was released about whom, from what. Plain data; names may be hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The mechanism.
    pub mechanism: String,
    /// The number of its guarantee in the account.
    pub guarantee: usize,
    /// Whom it is about.
    pub subject: String,
    /// Which observation of the subject it was made from.
    pub observation: String,
    /// Where the answer comes from.
    pub drawn: Drawn,
    /// What the caller declares.
    pub declared: Declared,
}

/// What the releases about one subject add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// The subject.
    pub subject: String,
    /// How often each guarantee of the account was charged.
    pub times: Vec<u64>,
    /// The pair that has lost the most, and how much.
    pub worst: Worst,
    /// The theorems that this rests on.
    pub theorems: BTreeSet<Theorem>,
}

/// What the releases about several subjects add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Across {
    /// The bound.
    pub epsilon: EpsilonSum,
    /// The theorems that this rests on.
    pub theorems: BTreeSet<Theorem>,
}

/// How the secrets of several subjects came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Independently of each other.
    Independent,
    /// One tells about another, or nobody knows.
    Correlated,
}

/// A list of releases that no theorem covers, and the first release at which that shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its place in the list, from 0.
    pub place: usize,
    /// The reason.
    pub refusal: Refusal,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "release {}: {}", self.place + 1, self.refusal)
    }
}

impl std::error::Error for Refused {}

/// What releases add up to for each subject, subjects in the order of their first release.
///
/// The sum is taken pair by pair over every pair that the account protects, and the worst pair is named. It depends on
/// the list alone, and so does a refusal.
///
/// # Errors
/// The first release that no theorem covers.
///
/// # Panics
/// If a release names a guarantee that the account does not have.
///
/// # Example
/// ```
/// use lookalike::account::{Account, Declared, Drawn, Guarantee, Pairs, Release, Secrets, Theorem, sequential};
/// use lookalike::model::{Names, SecretGraph};
/// let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"])?);
/// builder.complete(&"1/2".parse()?);
/// let mut account = Account::default();
/// let guarantee = account.admit(Guarantee::new(Secrets::Laws, Pairs::Graph(builder.build()?))?).unwrap();
/// let declared = Declared { independent_observations: true, ..Declared::default() };
/// let release = |day: &str| Release {
///     mechanism: "m".into(),
///     guarantee,
///     subject: "device 7".into(),
///     observation: day.into(),
///     drawn: Drawn::Fresh,
///     declared,
/// };
/// let composed = sequential(&account, &[release("monday"), release("tuesday")]).unwrap();
/// assert_eq!(composed[0].worst.epsilon.to_string(), "1");
/// assert!(composed[0].theorems.contains(&Theorem::IndependentObservations));
/// let refused = sequential(&account, &[release("monday"), release("monday")]).unwrap_err();
/// assert_eq!(refused.place, 1);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn sequential(account: &Account, releases: &[Release]) -> Result<Vec<Composed>, Refused> {
    let mut histories: Vec<History<'_>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, release) in releases.iter().enumerate() {
        let at = *places.entry(&release.subject).or_insert(histories.len());
        if at == histories.len() {
            histories.push(History::new(&release.subject, account));
        }
        histories[at].enter(account, release).map_err(|refusal| Refused { place, refusal })?;
    }
    Ok(histories.into_iter().map(|history| history.composed(account)).collect())
}

/// What has been released about one subject.
struct History<'a> {
    subject: &'a str,
    times: Vec<u64>,
    /// The observations, each with the mechanisms that answered for it.
    observations: BTreeMap<&'a str, BTreeSet<&'a str>>,
    theorems: BTreeSet<Theorem>,
}

impl<'a> History<'a> {
    fn new(subject: &'a str, account: &Account) -> Self {
        let times = vec![0; account.guarantees().len()];
        History { subject, times, observations: BTreeMap::new(), theorems: BTreeSet::new() }
    }

    fn enter(&mut self, account: &Account, release: &'a Release) -> Result<(), Refusal> {
        let standing = self.standing(release);
        let secrets = account.guarantees()[release.guarantee].secrets();
        self.theorems.insert(rule(secrets, standing, release.declared)?);
        if standing != Standing::EarlierAnswer {
            self.times[release.guarantee] += 1;
            self.observations.entry(&release.observation).or_default().insert(&release.mechanism);
        }
        Ok(())
    }

    /// How a release stands to those before it.
    fn standing(&self, release: &Release) -> Standing {
        let answered = self.observations.get(release.observation.as_str());
        match release.drawn {
            Drawn::ByValue => Standing::AnswerToEqualValue,
            Drawn::Again if answered.is_some_and(|by| by.contains(release.mechanism.as_str())) => {
                Standing::EarlierAnswer
            }
            _ if self.observations.is_empty() => Standing::First,
            _ if answered.is_some() => Standing::SameObservation,
            _ => Standing::NewObservation,
        }
    }

    fn composed(self, account: &Account) -> Composed {
        let worst = account.worst(&self.times);
        Composed { subject: self.subject.to_owned(), times: self.times, worst, theorems: self.theorems }
    }
}

impl Composed {
    /// After any function of what was released, which may toss coins but does not look at anything private: the same.
    #[must_use]
    pub fn post_processed(mut self) -> Composed {
        self.theorems.insert(Theorem::PostProcessing);
        self
    }
}

/// What is told about the secret of any one subject by the releases about all: the largest sum of one of them.
///
/// The mechanisms need not be chosen in advance: the release about another subject, given what was released before it,
/// has the same law whatever this secret is. The paper states the rule for mechanisms that were fixed in advance.
///
/// # Errors
/// Secrets that are not independent of each other.
///
/// # Reference
/// Geumlek and Chaudhuri, Profile-based Privacy for Locally Private Computations (2019), Observations 5 and 15.
pub fn parallel(subjects: &[Composed], selection: Selection) -> Result<Across, Refusal> {
    if selection == Selection::Correlated && subjects.len() > 1 {
        return Err(Refusal::CorrelatedSelection);
    }
    let epsilon = subjects.iter().map(|subject| &subject.worst.epsilon).max().cloned().unwrap_or_default();
    Ok(Across { epsilon, theorems: theorems(subjects, Theorem::IndependentSecrets) })
}

/// What is told about the secrets of all subjects at once: the sum. Each of them may change to one that it looks like.
///
/// How the secrets came to be does not matter, since the statement is about all of them; what does is that the
/// observations of different subjects are independent given their secrets.
pub fn jointly(subjects: &[Composed]) -> Across {
    let mut epsilon = EpsilonSum::zero();
    subjects.iter().for_each(|subject| epsilon.add_sum(&subject.worst.epsilon));
    Across { epsilon, theorems: theorems(subjects, Theorem::SecretsTogether) }
}

/// The theorems of all subjects, and that of the step from one to several.
fn theorems(subjects: &[Composed], several: Theorem) -> BTreeSet<Theorem> {
    let each = subjects.iter().flat_map(|subject| &subject.theorems).copied();
    each.chain((subjects.len() > 1).then_some(several)).collect()
}

#[cfg(test)]
#[path = "release_tests.rs"]
mod tests;
