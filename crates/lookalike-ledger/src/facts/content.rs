//! What entries say, as JSON.

use super::budgets::{LedgerBudgets, Period};
use super::key::{from_hex, hex};
use super::names::SubjectNames;
use crate::verbs::VERIFY;
use lookalike::Sentence;
use lookalike::account::{Guarantee, Pairs, Secrets};
use lookalike::exact::EpsilonSum;
use lookalike::model::{Names, SecretGraph};
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use serde::{Deserialize, Serialize};

/// The first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opened {
    /// Tells whether a key is that of the ledger.
    pub key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period_budget: Option<String>,
    /// How names are compared; absent where they are taken as they are written, byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
}

/// A release that was not in the ledger before: a mechanism on a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Registered {
    /// Its number, from 1 on.
    pub release: u32,
    pub name: String,
    pub fingerprint: String,
    pub guarantee: WrittenGuarantee,
}

/// Rows that went through a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Charged {
    pub release: u32,
    /// How many rows were charged, got an earlier answer, got a constant one, were withheld.
    pub charged: u64,
    pub earlier: u64,
    pub constant: u64,
    pub withheld: u64,
    pub independent_observations: bool,
    /// The theorems that the sums rest on.
    pub theorems: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The file was written anew in another format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Migrated {
    pub from: u32,
    pub to: u32,
}

/// Entries were dated by a clock that was ahead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockCorrected {
    /// The first of them; the last is the one before this.
    pub first: u64,
    /// What the last of them was dated.
    pub from: i64,
    /// The time that it was then.
    pub to: i64,
    pub note: String,
}

/// What was released with some entries was wrong and is withdrawn. Their charges stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Withdrawn {
    pub entries: Vec<u64>,
    pub note: String,
}

/// The `kind` of each.
pub(crate) const OPENED: &str = "opened";
pub(crate) const REGISTERED: &str = "registered";
pub(crate) const CHARGED: &str = "charged";
/// A release made elsewhere, entered by hand.
pub(crate) const RECORDED: &str = "recorded";
pub(crate) const MIGRATED: &str = "migrated";
pub(crate) const CLOCK_CORRECTED: &str = "clock corrected";
pub(crate) const WITHDRAWN: &str = "withdrawn";

/// What a mechanism promises: the edges and groups of a graph, or every pair of secrets without a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenGuarantee {
    secrets: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edges: Vec<(u32, u32, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<(String, Vec<u32>, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    every: Option<(String, String)>,
}

const SECRETS: [(Secrets, &str); 3] =
    [(Secrets::Laws, "laws"), (Secrets::Points, "points"), (Secrets::Moments, "moments")];

impl WrittenGuarantee {
    pub fn of(guarantee: &Guarantee) -> Self {
        let secrets = SECRETS.iter().find(|(secrets, _)| *secrets == guarantee.secrets()).expect("all are named").1;
        let empty = WrittenGuarantee {
            secrets: secrets.to_owned(),
            names: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
            every: None,
        };
        match guarantee.pairs() {
            Pairs::Every { what, epsilon } => {
                WrittenGuarantee { every: Some((what.clone(), epsilon.to_string())), ..empty }
            }
            Pairs::Graph(graph) => WrittenGuarantee {
                names: graph.names().iter().map(str::to_owned).collect(),
                edges: graph
                    .edges()
                    .iter()
                    .map(|edge| (edge.ends()[0], edge.ends()[1], edge.epsilon().to_string()))
                    .collect(),
                groups: graph
                    .groups()
                    .iter()
                    .map(|group| (group.name().to_owned(), group.members().to_vec(), group.epsilon().to_string()))
                    .collect(),
                ..empty
            },
        }
    }

    pub fn read(&self) -> Result<Guarantee> {
        let secrets = SECRETS.iter().find(|(_, name)| *name == self.secrets);
        let secrets = secrets.ok_or_else(|| Error::input(format!("secrets {:?} are not known", self.secrets)))?.0;
        if let Some((what, epsilon)) = &self.every {
            return Ok(Guarantee::new(secrets, Pairs::Every { what: what.clone(), epsilon: epsilon.parse()? })?);
        }
        let mut builder = SecretGraph::builder(Names::new("secret", &self.names)?);
        for (a, b, epsilon) in &self.edges {
            builder.edge(*a, *b, epsilon.parse()?)?;
        }
        for (name, members, epsilon) in &self.groups {
            builder.group(name, members.clone(), epsilon.parse()?)?;
        }
        Ok(Guarantee::new(secrets, Pairs::Graph(builder.build()?))?)
    }
}

impl Opened {
    pub fn new(mark: &Id, budgets: &LedgerBudgets, names: SubjectNames) -> Self {
        let (period, period_budget) = budgets.periodic.as_ref().map(|(p, b)| (p.to_string(), b.to_string())).unzip();
        let (key, budget) = (hex(mark), budgets.total.as_ref().map(ToString::to_string));
        Opened { key, budget, period, period_budget, names: names.written().map(str::to_owned) }
    }

    pub fn mark(&self) -> Option<Id> {
        from_hex(&self.key)
    }

    pub fn names(&self) -> Result<SubjectNames> {
        SubjectNames::read(self.names.as_deref())
    }

    pub fn budgets(&self) -> Result<LedgerBudgets> {
        let total = self.budget.as_deref().map(str::parse::<EpsilonSum>).transpose()?;
        let periodic = match (&self.period, &self.period_budget) {
            (Some(period), Some(budget)) => Some((period.parse::<Period>()?, budget.parse::<EpsilonSum>()?)),
            (None, None) => None,
            _ => return Err(Error::input("a period without its budget, or a budget without its period")),
        };
        Ok(LedgerBudgets { total, periodic })
    }
}

/// The text of an entry.
pub(crate) fn written(content: &impl Serialize) -> String {
    serde_json::to_string(content).expect("texts, numbers and lists of them have a JSON form")
}

/// Reads the text of an entry.
pub(crate) fn read<'a, T: Deserialize<'a>>(number: u64, text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        Error::input(Sentence::from(format!("entry {number} cannot be read ({error}): ")).verb(VERIFY))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarantees_and_budgets_come_back() {
        let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo", "cleo"]).unwrap());
        builder.edge(0, 2, "1/2".parse().unwrap()).unwrap();
        builder.group("g", vec![0, 1], "ln(3)".parse().unwrap()).unwrap();
        let graph = Guarantee::new(Secrets::Laws, Pairs::Graph(builder.build().unwrap())).unwrap();
        let chain = Guarantee::of_chain("heart rates", &"sqrt(2)".parse().unwrap()).unwrap();
        for guarantee in [graph, chain] {
            let text = written(&WrittenGuarantee::of(&guarantee));
            let again = read::<WrittenGuarantee>(1, &text).unwrap().read().unwrap();
            assert_eq!(written(&WrittenGuarantee::of(&again)), text);
            assert_eq!((again.secrets(), again.epsilon()), (guarantee.secrets(), guarantee.epsilon()));
        }
        let sum = |text: &str| text.parse::<EpsilonSum>().unwrap();
        let budgets = LedgerBudgets { total: Some(sum("ln(2) + 1")), periodic: Some((Period::Week, sum("1/3"))) };
        let opened = Opened::new(&[7; 16], &budgets, SubjectNames::FoldedCase);
        let again: Opened = read(1, &written(&opened)).unwrap();
        assert_eq!((again.budgets().unwrap(), again.mark()), (budgets, Some([7; 16])));
        assert_eq!(again.names().unwrap(), SubjectNames::FoldedCase);
        assert!(Opened { period_budget: None, ..opened.clone() }.budgets().is_err());
        assert!(Opened { names: Some("as I like".into()), ..opened }.names().is_err());
        assert!(read::<Opened>(3, "{").unwrap_err().to_string().starts_with("entry 3 cannot be read"));
    }
}
