//! Chain files: the states of a sequence and the Markov chains that it may have come from, as TOML or JSON.
//!
//! ```toml
//! states = ["idle", "walk"]                # or bins = [0, 10], the lower edges of a number
//! initial = "stationary"                   # stationary | arbitrary | a list of probabilities
//! transition = [[0.9, 0.1], ["2/5", 0.6]]  # a row a state: how likely each state comes next
//! ```
//!
//! Several chains are tables `[[chain]]` with a `transition`, and where they differ a `name` and an `initial`. For two
//! states a table `[leave]` says between which limits the probability of leaving each of them lies. The whole format is
//! described in `docs/pufferfish.md`.

use crate::error::{Error, Result};
use crate::spec::of_moderate_size;
use crate::text::{Fields, Tree};
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Names};
use lookalike::pufferfish::{BinaryBox, Chain, ChainClass, Initial};

const KEYS: [&str; 8] = ["states", "bins", "values", "initial", "normalize", "transition", "chain", "leave"];

/// The states of a sequence, and the class Θ of chains that it may have come from.
#[derive(Debug, Clone)]
pub struct ChainFile {
    /// The states, in order.
    pub states: Names,
    /// The chains.
    pub class: ChainClass,
    /// The lower edges, where the states are bins of a number.
    pub bins: Option<Vec<Rational>>,
    /// The number that each state stands for, where the file says it.
    pub values: Option<Vec<Rational>>,
    /// The names of the chains of a list, where the file gives them; else empty.
    pub names: Vec<String>,
}

impl ChainFile {
    /// These states and chains, and nothing more.
    pub fn new(states: Names, class: ChainClass) -> Self {
        ChainFile { states, class, bins: None, values: None, names: Vec::new() }
    }

    /// The chains in a TOML text.
    ///
    /// # Errors
    /// Content that is no chain file.
    ///
    /// # Example
    /// ```
    /// use lookalike_formats::pufferfish::ChainClass;
    /// use lookalike_formats::pufferfish::ChainFile;
    /// let file = ChainFile::from_toml("states = ['off', 'on']\ninitial = 'arbitrary'\n[leave]\noff = [0.1, 0.3]\non = [0.2, 0.2]")?;
    /// assert!(matches!(file.class, ChainClass::Box(_)));
    /// # Ok::<(), lookalike_formats::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        ChainFile::from_tree(&Tree::from_toml(text)?)
    }

    /// The chains in a JSON text.
    ///
    /// # Errors
    /// Content that is no chain file.
    pub fn from_json(text: &str) -> Result<Self> {
        ChainFile::from_tree(&Tree::from_json(text)?)
    }

    fn from_tree(tree: &Tree) -> Result<Self> {
        let fields = Fields::with(tree, &KEYS)?;
        let (states, bins) = read_states(&fields)?;
        let normalize = fields.read("normalize", Tree::bool)?.unwrap_or(false);
        let initial = fields.read("initial", |tree| read_initial(tree, normalize))?;
        let given = ["transition", "chain", "leave"].map(|key| fields.get(key).is_some());
        let (class, names) = match given {
            [true, false, false] => {
                let initial = initial.ok_or_else(missing_initial)?;
                let rows = fields.required("transition", |tree| read_rows(tree, normalize))?;
                (ChainClass::Chains(vec![Chain::new(initial, rows)?]), Vec::new())
            }
            [false, true, false] => {
                let (names, chains) =
                    fields.required("chain", |tree| read_chains(tree, initial.as_ref(), normalize))?;
                (ChainClass::Chains(chains), names)
            }
            [false, false, true] => {
                let initial = initial.ok_or_else(missing_initial)?;
                let class = fields.required("leave", |tree| read_leave(tree, &states, initial))?;
                (ChainClass::Box(class), Vec::new())
            }
            [false, false, false] => {
                return Err(Error::input(
                    "transition is missing (a row of probabilities a state; several chains are tables [[chain]], limits \
                     for two states are a table [leave])",
                ));
            }
            _ => return Err(Error::input("more than one of transition, chain and leave, expected one of them")),
        };
        let values = fields.read("values", |tree| tree.each("value", Tree::rational))?;
        let file = ChainFile { states, class, bins, values, names };
        file.check()?;
        Ok(file)
    }

    /// The domain of the data: named states or bins.
    pub fn categories(&self) -> Categories {
        let made = match &self.bins {
            Some(edges) => Categories::from_bins(edges.clone()),
            None => Categories::new(self.states.iter()),
        };
        made.expect("the names are checked")
    }

    /// What a chain of the list is called: its name, or its place from 1.
    pub fn chain_name(&self, place: usize) -> String {
        self.names.get(place).map_or_else(|| format!("chain {}", place + 1), |name| format!("chain {name:?}"))
    }

    fn check(&self) -> Result<()> {
        let states = self.states.len();
        if let Some(values) = self.values.as_ref().filter(|values| values.len() != states) {
            return Err(Error::input(format!("{} values, expected {states}, one a state", values.len())).at("values"));
        }
        let wrong = |chains: &[Chain]| chains.iter().position(|chain| chain.states() != states);
        match &self.class {
            ChainClass::Chains(chains) if chains.is_empty() => {
                Err(Error::input("no chain, expected at least one that the data may have come from"))
            }
            ChainClass::Chains(chains) => match wrong(chains) {
                None => Ok(()),
                Some(place) => {
                    let rows = chains[place].states();
                    let error = Error::input(format!("{rows} rows, expected {states}, one a state"));
                    Err(error.at("transition").at(self.chain_name(place)))
                }
            },
            ChainClass::Box(_) => Ok(()),
        }
    }
}

fn missing_initial() -> Error {
    Error::input(
        "initial is missing (\"stationary\" where the sequence began long before it was written down, \"arbitrary\" where \
         nothing is known of its first state, or a list of probabilities)",
    )
}

/// `states`, or `bins` by their lower edges.
fn read_states(fields: &Fields<'_>) -> Result<(Names, Option<Vec<Rational>>)> {
    let named = fields.read("states", |tree| Ok(Names::new("state", tree.texts()?)?))?;
    let edges = fields.read("bins", |tree| tree.each("edge", Tree::rational))?;
    match (named, edges) {
        (Some(states), None) => Ok((states, None)),
        (None, Some(edges)) => Ok((Categories::from_bins(edges.clone())?.names().clone(), Some(edges))),
        (None, None) => Err(Error::input("states is missing (a list of names; bins for a numeric column)")),
        (Some(_), Some(_)) => Err(Error::input("both states and bins, expected one of them")),
    }
}

pub(crate) fn read_initial(tree: &Tree, normalize: bool) -> Result<Initial> {
    match tree {
        Tree::Text(text) if text == "stationary" => Ok(Initial::Stationary),
        Tree::Text(text) if text == "arbitrary" => Ok(Initial::Arbitrary),
        Tree::List(_) => Ok(Initial::Given(read_law(tree, normalize)?)),
        Tree::Text(text) => Err(Error::input(format!(
            "found {text:?}, expected \"stationary\", \"arbitrary\" or a list of probabilities"
        ))),
        other => Err(Error::input(format!(
            "found {}, expected \"stationary\", \"arbitrary\" or a list of probabilities",
            other.kind()
        ))),
    }
}

pub(crate) fn read_rows(tree: &Tree, normalize: bool) -> Result<Vec<Distribution>> {
    tree.each("row", |row| read_law(row, normalize))
}

fn read_law(tree: &Tree, normalize: bool) -> Result<Distribution> {
    let numbers = tree.each("probability", Tree::rational)?;
    let law = if normalize { Distribution::normalized(&numbers)? } else { Distribution::new(&numbers)? };
    of_moderate_size(law)
}

/// `[[chain]]`: all of them have names, or none has.
fn read_chains(tree: &Tree, initial: Option<&Initial>, normalize: bool) -> Result<(Vec<String>, Vec<Chain>)> {
    let mut names = Vec::new();
    let chains = tree.each("table", |tree| {
        let fields = Fields::with(tree, &["name", "initial", "transition"])?;
        names.extend(fields.read("name", Tree::text)?.map(str::to_owned));
        let own = fields.read("initial", |tree| read_initial(tree, normalize))?;
        let initial = own.or_else(|| initial.cloned()).ok_or_else(missing_initial)?;
        let rows = fields.required("transition", |tree| read_rows(tree, normalize))?;
        Ok(Chain::new(initial, rows)?)
    })?;
    match names.len() {
        0 => Ok((names, chains)),
        given if given == chains.len() => {
            Names::new("chain", &names)?;
            Ok((names, chains))
        }
        given => Err(Error::input(format!("{given} of {} chains have a name, expected all or none", chains.len()))),
    }
}

/// `[leave]`: for each of two states the limits of the probability that the next one is the other.
fn read_leave(tree: &Tree, states: &Names, initial: Initial) -> Result<BinaryBox> {
    if states.len() != 2 {
        return Err(Error::input(format!(
            "limits of leaving for {} states, expected two (list chains as [[chain]] instead)",
            states.len()
        )));
    }
    let fields = Fields::with(tree, &[states.name(0), states.name(1)])?;
    let limits = |state: u32| {
        fields.required(states.name(state), |tree| match &tree.each("limit", Tree::rational)?[..] {
            [lower, upper] => Ok([lower.clone(), upper.clone()]),
            other => Err(Error::input(format!("{} numbers, expected two, the lower and the upper limit", other.len()))),
        })
    };
    Ok(BinaryBox::new(initial, limits(0)?, limits(1)?)?)
}

#[cfg(test)]
#[path = "chain_file_tests.rs"]
mod tests;
