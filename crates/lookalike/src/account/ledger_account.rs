//! What the releases about one subject add up to, pair by pair.

use super::pair_losses::PairLosses;
use super::{Guarantee, Pairs, Refusal, Secrets};
use crate::exact::EpsilonSum;
use crate::model::Names;
use std::sync::OnceLock;

/// The guarantees that count against one budget, by number from 0. All have the same secrets.
///
/// All protect the same pairs, each at an ε of its own. One that leaves out a pair of the others claims nothing about it, and
/// one with a pair more would have releases about that pair that were never counted: both are refused.
///
/// # Example
/// ```
/// use lookalike::{account::{Account, Guarantee, Pairs, Secrets}, model::{Names, SecretGraph}};
/// let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo", "cleo"])?);
/// builder.edge(0, 1, "1/2".parse()?)?;
/// builder.edge(1, 2, "ln(3)".parse()?)?;
/// let guarantee = Guarantee::new(Secrets::Laws, Pairs::Graph(builder.build()?))?;
/// let mut account = Account::default();
/// let number = account.admit(guarantee).unwrap();
/// let worst = account.worst(&[3]);
/// assert_eq!((number, worst.epsilon.to_string().as_str()), (0, "3*ln(3)"));
/// assert_eq!(worst.pair, Some(("bo".to_owned(), "cleo".to_owned())));
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Account {
    guarantees: Vec<Guarantee>,
    /// The distinct losses of the pairs, found when they are first asked for.
    losses: OnceLock<PairLosses>,
}

/// The pair that has lost the most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worst {
    /// The names of the pair; `None` where the pairs have no list, where nothing was released, and of a bound.
    pub pair: Option<(String, String)>,
    /// What its releases add up to.
    pub epsilon: EpsilonSum,
    /// Whether this is only an upper bound, taken where there are too many pairs to go through: the largest sum for one
    /// edge or group where all mechanisms have the same, else the sum of the largest ε of each release.
    pub is_bound: bool,
}

impl Account {
    /// Admits a guarantee, and gives its number. An account that refuses one stays as it was.
    ///
    /// # Errors
    /// Other secrets than those of the account, a pair of the account that this guarantee leaves out, and a pair that it
    /// has and the account has not.
    ///
    /// # Complexity
    /// Linear in the edges and members of groups of this guarantee and the first one; and in the pairs of classes of
    /// secrets that are in the same groups, up to a limit.
    pub fn admit(&mut self, guarantee: Guarantee) -> Result<usize, Refusal> {
        if let Some(first) = self.guarantees.first() {
            check_secrets(first, &guarantee)?;
            PairLosses::of(&[first, &guarantee])?;
            PairLosses::of(&[&guarantee, first]).map_err(Refusal::of_other_side)?;
        }
        self.guarantees.push(guarantee);
        self.losses = OnceLock::new();
        Ok(self.guarantees.len() - 1)
    }

    /// The guarantees by number.
    pub fn guarantees(&self) -> &[Guarantee] {
        &self.guarantees
    }

    /// The pair that loses the most by so many releases of each guarantee; zero without a release. Guarantees without
    /// a number have none.
    ///
    /// Exact: the largest sum over the pairs that the account protects, unless [`Worst::is_bound`] says that it is a bound.
    /// A subject has one law, so for laws the pair is the same in all releases. Points are the values themselves: those of two
    /// releases may differ and each be told from a neighbour of its own, so that the largest ε of each release add up, and
    /// there may be no one pair. It depends on how often what was released, and on nothing else.
    ///
    /// # Panics
    /// When there are more numbers than guarantees.
    ///
    /// # Complexity
    /// A sum for each distinct list of ε that a pair has in the guarantees. The lists are found at the first call, as in
    /// [`Account::admit`] for all guarantees, and kept.
    pub fn worst(&self, times: &[u64]) -> Worst {
        assert!(times.len() <= self.guarantees.len(), "{} numbers for {}", times.len(), self.guarantees.len());
        if times.iter().all(|&times| times == 0) {
            return Worst { pair: None, epsilon: EpsilonSum::zero(), is_bound: false };
        }
        let losses = self.losses.get_or_init(|| {
            let guarantees: Vec<&Guarantee> = self.guarantees.iter().collect();
            PairLosses::of(&guarantees).expect("each protects the pairs of the first")
        });
        let worst = losses.worst(times);
        match self.guarantees[0].secrets() {
            Secrets::Laws | Secrets::Moments => worst,
            Secrets::Points => {
                let epsilon = losses.any_pairs(times);
                Worst { pair: worst.pair.filter(|_| worst.epsilon == epsilon), epsilon, is_bound: false }
            }
        }
    }
}

/// Whether a guarantee is about the secrets of an account.
fn check_secrets(first: &Guarantee, next: &Guarantee) -> Result<(), Refusal> {
    let refused = |release: String| Err(Refusal::OtherSecrets { account: first.to_string(), release });
    if first.secrets() != next.secrets() {
        return refused(next.to_string());
    }
    match (first.pairs(), next.pairs()) {
        (Pairs::Graph(ours), Pairs::Graph(theirs)) => match other_name(ours.names(), theirs.names()) {
            None => Ok(()),
            Some(what) => refused(format!("{next} ({what})")),
        },
        (Pairs::Every { what: ours, .. }, Pairs::Every { what: theirs, .. }) if ours == theirs => Ok(()),
        _ => refused(next.to_string()),
    }
}

/// What differs between two lists of names, in any order.
fn other_name(ours: &Names, theirs: &Names) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let not_in =
        |names: &Names, others: &Names| names.iter().find(|name| others.place(name).is_none()).map(str::to_owned);
    let new = || not_in(theirs, ours).map(|name| format!("{name:?} is new"));
    let missing = || not_in(ours, theirs).map(|name| format!("{name:?} is missing"));
    new().or_else(missing)
}

#[cfg(test)]
#[path = "ledger_account_tests.rs"]
mod tests;
