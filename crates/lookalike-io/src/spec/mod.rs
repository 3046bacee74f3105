//! Spec files: what must look alike, as TOML or JSON.
//!
//! ```toml
//! epsilon = 0.5                       # nats; also "1/2", "ln(3)", "2*ln(3)"
//! categories = ["idle", "light", "busy", "full"]
//! objective = "max-flip"              # max-flip | expected-error | ordinal-error | loss
//! channel = "aware"                   # aware | shared
//!
//! [profiles]                          # or profiles_file = "profiles.csv"
//! ana = [0.2, 0.3, 0.4, 0.1]
//! bo  = ["3/10", 0.3, 0.3, 0.1]
//!
//! [graph]
//! edges = [["ana", "bo"]]
//! ```
//!
//! Every number is exact: 0.1 is 1/10. The whole format is described in `docs/spec.md`.

mod graph;
mod profiles;
mod tables;

pub(crate) use profiles::from_table as read_profiles;

use crate::tree::{Fields, Tree};
use crate::{Error, Result};
use lookalike::design::{Objective, Problem};
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Categories, Loss, Names, Prior};
use std::path::Path;

/// A spec that has been read and checked.
#[derive(Debug, Clone)]
pub struct Spec {
    /// What is to be designed.
    pub problem: Problem,
    /// Profiles without an edge: they are released unchanged. Empty for secrets that are values.
    pub unprotected: Vec<String>,
}

impl Spec {
    /// Reads a spec file: JSON when its name ends in `.json`, TOML otherwise. Files that it names are looked for
    /// beside it.
    ///
    /// # Errors
    /// A file that cannot be read, or any content that is not a valid spec; the error says where.
    pub fn read(path: &Path) -> Result<Spec> {
        let text = crate::read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let spec = if json { Spec::from_json(&text, folder) } else { Spec::from_toml(&text, folder) };
        spec.map_err(|error| error.in_file(path))
    }

    /// The spec in a TOML text; files that it names are looked for in `folder`.
    ///
    /// # Errors
    /// Content that is not a valid spec.
    pub fn from_toml(text: &str, folder: &Path) -> Result<Spec> {
        Spec::from_tree(&Tree::from_toml(text)?, folder)
    }

    /// The spec in a JSON text; files that it names are looked for in `folder`.
    ///
    /// # Errors
    /// Content that is not a valid spec.
    pub fn from_json(text: &str, folder: &Path) -> Result<Spec> {
        Spec::from_tree(&Tree::from_json(text)?, folder)
    }

    fn from_tree(tree: &Tree, folder: &Path) -> Result<Spec> {
        let mut fields = Fields::of(tree)?;
        let epsilon = fields.required("epsilon", epsilon)?;
        let categories = read_categories(&mut fields)?;
        let secrets = read_secrets(&mut fields, &categories, folder)?;
        let (names, profiles) = match secrets {
            Secrets::Values => (categories.names().clone(), None),
            Secrets::Profiles(names, profiles) => (names, Some(profiles)),
        };
        let graph =
            fields.required("graph", |tree| graph::read(tree, names.clone(), &epsilon, profiles.is_none(), folder))?;
        let unprotected = match profiles {
            None => Vec::new(),
            Some(_) => {
                let alone = graph.components().into_iter().filter(|component| component.len() == 1);
                alone.map(|component| names.name(component[0]).to_owned()).collect()
            }
        };
        let mut problem = match profiles {
            None => Problem::values(categories.clone(), graph)?,
            Some(profiles) => Problem::profiles(categories.clone(), graph, profiles)?,
        };
        if let Some(objective) = read_objective(&mut fields, categories.len())? {
            problem = problem.with_objective(objective);
        }
        if fields.read("channel", read_channel)?.unwrap_or(false) {
            problem = problem.shared()?;
        }
        if let Some(prior) = fields.read("prior", |tree| read_prior(tree, &names))? {
            problem = problem.with_prior(prior);
        }
        fields.finish()?;
        Ok(Spec { problem, unprotected })
    }
}

/// ε from a number or a text.
pub(crate) fn epsilon(tree: &Tree) -> Result<Epsilon> {
    Ok(tree.number_text()?.parse::<Epsilon>()?)
}

/// `categories`, or `bins` by their lower edges.
pub(crate) fn read_categories(fields: &mut Fields<'_>) -> Result<Categories> {
    let named = fields.read("categories", |tree| Ok(Categories::new(tree.texts()?)?))?;
    let binned = fields.read("bins", read_bins)?;
    match (named, binned) {
        (Some(categories), None) | (None, Some(categories)) => Ok(categories),
        (None, None) => Err(Error::input("categories is missing (a list of names; bins for a numeric column)")),
        (Some(_), Some(_)) => Err(Error::input("both categories and bins, expected one of them")),
    }
}

/// Bins from their lower edges.
fn read_bins(tree: &Tree) -> Result<Categories> {
    Ok(Categories::from_bins(tree.list()?.iter().map(Tree::rational).collect::<Result<_>>()?)?)
}

enum Secrets {
    Values,
    Profiles(Names, Vec<lookalike::model::Distribution>),
}

fn read_secrets(fields: &mut Fields<'_>, categories: &Categories, folder: &Path) -> Result<Secrets> {
    let values = fields.read("secrets", |tree| match tree.text()? {
        "values" => Ok(()),
        other => Err(Error::input(format!("{other:?}, expected \"values\" (or [profiles] instead of secrets)"))),
    })?;
    let normalize = fields.read("normalize", Tree::bool)?.unwrap_or(false);
    let inline = fields.read("profiles", |tree| profiles::from_table(tree, categories, normalize))?;
    let file =
        fields.read("profiles_file", |tree| profiles::from_csv(&folder.join(tree.text()?), categories, normalize))?;
    match (values, inline, file) {
        (Some(()), None, None) => Ok(Secrets::Values),
        (None, Some((names, laws)), None) | (None, None, Some((names, laws))) => Ok(Secrets::Profiles(names, laws)),
        (None, None, None) => {
            Err(Error::input("profiles is missing (also profiles_file, or secrets = \"values\" for local privacy)"))
        }
        _ => Err(Error::input("more than one of secrets, profiles and profiles_file, expected one")),
    }
}

fn read_objective(fields: &mut Fields<'_>, size: usize) -> Result<Option<Objective>> {
    let matrix = fields.read("loss", |tree| {
        let row = |row: &Tree| row.list()?.iter().map(Tree::rational).collect::<Result<Vec<Rational>>>();
        Ok(Loss::matrix(tree.list()?.iter().map(row).collect::<Result<_>>()?, size)?)
    })?;
    let name = fields.read("objective", Tree::text)?;
    Ok(Some(match (name, matrix) {
        (None, None) => return Ok(None),
        (Some("loss") | None, Some(loss)) => Objective::Loss(loss),
        (Some("loss"), None) => {
            return Err(Error::input("objective = \"loss\" needs a matrix: loss = [[0, 1], [1, 0]]"));
        }
        (Some(name), Some(_)) => {
            return Err(Error::input(format!(
                "a loss matrix with objective = {name:?}, expected objective = \"loss\""
            )));
        }
        (Some("max-flip"), None) => Objective::MaxFlip,
        (Some("expected-error"), None) => Objective::ExpectedError,
        (Some("ordinal-error"), None) => Objective::OrdinalError,
        (Some(other), None) => {
            return Err(Error::input(format!(
                "objective: {other:?}, expected max-flip, expected-error, ordinal-error or loss"
            )));
        }
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
        weights[place as usize] = weight.rational().map_err(|error| error.at(name))?;
    }
    Ok(Prior::new(&weights)?)
}

/// The place of a secret by its name.
fn place(names: &Names, name: &str) -> Result<u32> {
    names.place(name).ok_or_else(|| {
        let few: Vec<&str> = names.iter().take(8).collect();
        let more = if names.len() > few.len() { ", …" } else { "" };
        Error::input(format!("{name:?} is not known, expected one of {}{more}", few.join(", ")))
    })
}

#[cfg(test)]
mod tests;
