//! Spec files: what must look alike, as TOML or JSON.
//!
//! ```toml
//! epsilon = 0.5                       # nats; also "1/2", "ln(3)", "2*ln(3)"
//! categories = ["idle", "light", "busy", "full"]
//! objective = "max-flip"              # max-flip | expected-error | ordinal-error | loss
//! channel = "aware"                   # aware | shared
//!
//! [profiles]                          # or profiles_file = "profiles.csv" / ".parquet"
//! ana = [0.2, 0.3, 0.4, 0.1]
//! bo  = ["3/10", 0.3, 0.3, 0.1]
//!
//! [graph]
//! edges = [["ana", "bo"]]
//! ```
//!
//! Every number is exact: 0.1 is 1/10. The whole format is described in `docs/spec.md`.

mod budgets;
mod graph;
mod limits;
mod profiles;
pub mod table;

pub(crate) use budgets::Budgets;
pub(crate) use graph::read as read_graph;
pub use graph::read_edges_table;
pub(crate) use limits::{BASIS, of_list as read_limits, read_basis};
pub use limits::{LIMIT_COLUMNS, LimitsFile};
pub use profiles::distribution as read_law;
pub(crate) use profiles::{from_table as read_profiles, of_moderate_size};
pub(crate) use table::read_beside;
pub use table::{Alone, Beside, Rows, Table};

use crate::error::{Error, Result};
use crate::text::{Fields, Tree};
use lookalike::design::{Objective, Problem};
use lookalike::estimate::LimitsBasis;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Limits, Loss, Names, Prior};

/// The keys of a spec.
pub(crate) const KEYS: [&str; 16] = [
    "epsilon",
    "categories",
    "bins",
    "secrets",
    "normalize",
    "profiles",
    "profiles_file",
    "limits",
    "limits_file",
    BASIS,
    "worst_case",
    "graph",
    "objective",
    "loss",
    "channel",
    "prior",
];

/// The keys of a plan that a spec does not have; a spec may have them too, and pays no attention.
pub(crate) const PLAN_KEYS: [&str; 6] = ["data", "design", "fit", "estimate", "output", "seed"];

/// A spec that has been read and checked.
#[derive(Debug, Clone)]
pub struct Spec {
    /// What is to be designed.
    pub problem: Problem,
    /// Profiles without an edge: they are not protected. Empty for secrets that are values.
    pub unprotected: Vec<String>,
    /// What the limits of the profiles rest on, as the spec states it; nothing is decided by it. `None` without limits.
    pub limits_basis: Option<LimitsBasis>,
}

impl Spec {
    /// The spec in a TOML text; the tables that it names are `beside` it, or there are none: [`Alone`].
    ///
    /// # Errors
    /// Content that is not a valid spec.
    pub fn from_toml(text: &str, beside: &dyn Beside) -> Result<Spec> {
        Spec::from_tree(&Tree::from_toml(text)?, beside)
    }

    /// The spec in a JSON text; the tables that it names are `beside` it, or there are none: [`Alone`].
    ///
    /// # Errors
    /// Content that is not a valid spec.
    pub fn from_json(text: &str, beside: &dyn Beside) -> Result<Spec> {
        Spec::from_tree(&Tree::from_json(text)?, beside)
    }

    fn from_tree(tree: &Tree, beside: &dyn Beside) -> Result<Spec> {
        // A plan is a spec too, which says more.
        let fields = Fields::of(tree)?;
        fields.only_beside(&KEYS, &PLAN_KEYS)?;
        let epsilon = Budgets::default().of(&fields)?.ok_or_else(|| missing("epsilon", "for example epsilon = 0.5"))?;
        let categories = read_categories(&fields)?;
        let secrets = read_secrets(&fields, &categories, beside)?;
        let (names, profiles) = match secrets {
            Secrets::Values => (categories.names().clone(), None),
            Secrets::Profiles(names, profiles) => (names, Some(profiles)),
        };
        let graph = fields
            .read("graph", |tree| graph::read(tree, names.clone(), &epsilon, profiles.is_none(), beside))?
            .ok_or_else(|| missing("graph", "a table of edges, groups or a shape: what must look alike"))?;
        let unprotected = match profiles {
            None => Vec::new(),
            Some(_) => {
                let alone = graph.components().into_iter().filter(|component| component.len() == 1);
                alone.map(|component| names.name(component[0]).to_owned()).collect()
            }
        };
        let limits = read_profile_limits(&fields, &categories, &names, profiles.as_deref(), beside)?;
        let has_limits = limits.is_some();
        let limits_basis = fields.read(BASIS, read_basis)?;
        if limits_basis.is_some() && !has_limits {
            return Err(Error::input("limits_basis, and no profile has limits (limits or limits_file)"));
        }
        let mut problem = match profiles {
            None => Problem::values(categories.clone(), graph)?,
            Some(profiles) => Problem::profiles(categories.clone(), graph, profiles)?,
        };
        if let Some(limits) = limits {
            problem = problem.within(limits)?;
        }
        if fields.read("worst_case", Tree::bool)?.unwrap_or(false) {
            if !has_limits {
                return Err(Error::input("worst_case = true, and no profile has limits (limits or limits_file)"));
            }
            problem = problem.at_worst();
        }
        if let Some(objective) = read_objective(&fields, categories.len())? {
            problem = problem.with_objective(objective)?;
        }
        if fields.read("channel", read_channel)?.unwrap_or(false) {
            problem = problem.shared()?;
        }
        if let Some(prior) = fields.read("prior", |tree| read_prior(tree, &names))? {
            problem = problem.with_prior(prior)?;
        }
        let limits_basis = limits_basis.filter(|_| !problem.limits().is_empty());
        Ok(Spec { problem, unprotected, limits_basis })
    }
}

fn missing(key: &str, hint: &str) -> Error {
    Error::input(format!("{key} is missing ({hint})"))
}

/// `categories`, or `bins` by their lower edges.
pub(crate) fn read_categories(fields: &Fields<'_>) -> Result<Categories> {
    let named = fields.read("categories", |tree| Ok(Categories::new(tree.texts()?)?))?;
    let edges = fields.read("bins", |tree| tree.each("edge", Tree::rational))?;
    match (named, edges) {
        (Some(categories), None) => Ok(categories),
        (None, Some(edges)) => Ok(Categories::from_bins(edges)?),
        (None, None) => Err(missing("categories", "a list of names; bins for a numeric column")),
        (Some(_), Some(_)) => Err(Error::input("both categories and bins, expected one of them")),
    }
}

enum Secrets {
    Values,
    Profiles(Names, Vec<lookalike::model::Distribution>),
}

fn read_secrets(fields: &Fields<'_>, categories: &Categories, beside: &dyn Beside) -> Result<Secrets> {
    let values = fields.read("secrets", |tree| match tree.text()? {
        "values" => Ok(()),
        other => Err(Error::input(format!("{other:?}, expected \"values\" (or [profiles] instead of secrets)"))),
    })?;
    let normalize = fields.read("normalize", Tree::bool)?.unwrap_or(false);
    let inline = fields.read("profiles", |tree| profiles::from_table(tree, categories, normalize))?;
    let file = fields.read("profiles_file", |tree| {
        read_beside(beside, tree.text()?, |table| profiles::from_rows(table, categories, normalize))
    })?;
    match (values, inline, file) {
        (Some(()), None, None) => Ok(Secrets::Values),
        (None, Some((names, laws)), None) | (None, None, Some((names, laws))) => Ok(Secrets::Profiles(names, laws)),
        (None, None, None) => Err(missing("profiles", "also profiles_file, or secrets = \"values\" for local privacy")),
        _ => Err(Error::input("more than one of secrets, profiles and profiles_file, expected one")),
    }
}

/// `limits` or `limits_file`: how wrong the profiles may be.
fn read_profile_limits(
    fields: &Fields<'_>,
    categories: &Categories,
    names: &Names,
    profiles: Option<&[lookalike::model::Distribution]>,
    beside: &dyn Beside,
) -> Result<Option<Vec<Limits>>> {
    let Some(laws) = profiles else {
        let is_named = fields.get("limits").or(fields.get("limits_file")).is_some();
        let refused = || Error::input("limits of profiles, but the secrets are values");
        return if is_named { Err(refused()) } else { Ok(None) };
    };
    let inline = fields.read("limits", |tree| limits::from_table(tree, categories, names, laws))?;
    let file = fields.read("limits_file", |tree| {
        let read = |table| LimitsFile::from_rows(table, names, categories.names())?.laws(names);
        read_beside(beside, tree.text()?, read)
    })?;
    match (inline, file) {
        (Some(_), Some(_)) => Err(Error::input("both limits and limits_file, expected one of them")),
        (inline, file) => Ok(inline.or(file)),
    }
}

fn read_objective(fields: &Fields<'_>, size: usize) -> Result<Option<Objective>> {
    let matrix = fields.read("loss", |tree| {
        let row = |row: &Tree| match row.each("entry", Tree::rational)? {
            entries if entries.len() == size => Ok(entries),
            other => Err(Error::input(format!("{} entries, expected {size}, one for each category", other.len()))),
        };
        Ok(Loss::matrix(tree.each("row", row)?, size)?)
    })?;
    let name = fields.read("objective", Tree::text)?;
    Ok(Some(match (name, matrix) {
        (None, None) => return Ok(None),
        (Some(Objective::LOSS) | None, Some(loss)) => Objective::Loss(loss),
        (Some(Objective::LOSS), None) => {
            return Err(Error::input("objective = \"loss\" needs a matrix: loss = [[0, 1], [1, 0]]"));
        }
        (Some(name), Some(_)) => {
            return Err(Error::input(format!(
                "a loss matrix with objective = {name:?}, expected objective = \"loss\""
            )));
        }
        (Some(name), None) => match Objective::of_name(name) {
            Some(objective) => objective,
            None => {
                let known = Objective::names_text();
                return Err(Error::input(format!("objective: {name:?}, expected {known}")));
            }
        },
    }))
}

/// Whether the channel is to be shared.
fn read_channel(tree: &Tree) -> Result<bool> {
    match tree.text()? {
        "aware" => Ok(false),
        "shared" => Ok(true),
        other => Err(Error::input(format!("{other:?}, expected \"aware\" or \"shared\""))),
    }
}

/// Weights by name; a secret that is not named has weight 1.
fn read_prior(tree: &Tree, names: &Names) -> Result<Prior> {
    let mut weights = vec![Rational::from_integer(1.into()); names.len()];
    for (name, weight) in tree.table()? {
        let place = place(names, name)?;
        let weight = weight.rational().map_err(|error| error.at(format!("{name:?}")))?;
        if weight < Rational::default() {
            return Err(Error::input(format!("{name:?}: {weight}, expected at least 0")));
        }
        weights[place as usize] = weight;
    }
    Ok(Prior::new(&weights)?)
}

/// The place of a secret by its name.
pub(crate) fn place(names: &Names, name: &str) -> Result<u32> {
    names.place(name).ok_or_else(|| Error::input(format!("{name:?} is not known, expected one of {}", few(names))))
}

/// The first names, for errors.
fn few(names: &Names) -> String {
    let few: Vec<&str> = names.iter().take(8).collect();
    let more = if names.len() > few.len() { ", …" } else { "" };
    few.join(", ") + more
}

#[cfg(test)]
mod tests;
