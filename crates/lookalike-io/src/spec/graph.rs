//! The graph of a spec.

use super::{epsilon, place, tables};
use crate::tree::{Fields, Tree};
use crate::{Error, Result};
use lookalike::exact::Epsilon;
use lookalike::model::{GraphBuilder, Names, SecretGraph};
use std::path::Path;

/// Reads `edges`, `groups`, `shape`, `edges_file` and, for ordered values, `within`: any of them, together.
pub(super) fn read(
    tree: &Tree,
    names: Names,
    default: &Epsilon,
    are_values: bool,
    folder: &Path,
) -> Result<SecretGraph> {
    let mut fields = Fields::of(tree)?;
    let mut builder = SecretGraph::builder(names);
    fields.read("edges", |tree| read_edges(tree, &mut builder, default))?;
    fields.read("groups", |tree| read_groups(tree, &mut builder, default))?;
    fields.read("shape", |tree| read_shape(tree, &mut builder, default))?;
    fields.read("edges_file", |tree| read_edges_file(&folder.join(tree.text()?), &mut builder, default))?;
    fields.read("within", |tree| {
        if !are_values {
            return Err(Error::input("only for secrets = \"values\", which have an order"));
        }
        let distance = tree.integer()?;
        if distance == 0 {
            return Err(Error::input("0, expected at least 1"));
        }
        builder.within(u32::try_from(distance).unwrap_or(u32::MAX), default);
        Ok(())
    })?;
    fields.finish()?;
    Ok(builder.build()?)
}

/// `["ana", "bo"]`, or with its own budget `["ana", "bo", 0.25]`.
fn read_edges(tree: &Tree, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    for (at, edge) in tree.list()?.iter().enumerate() {
        let read = || match edge.list()? {
            [a, b] => Ok((a.text()?, b.text()?, default.clone())),
            [a, b, own] => Ok((a.text()?, b.text()?, epsilon(own)?)),
            other => Err(Error::input(format!("{} items, expected two names and perhaps an epsilon", other.len()))),
        };
        let add = |(a, b, own): (&str, &str, Epsilon)| {
            let (a, b) = (place(builder.names(), a)?, place(builder.names(), b)?);
            Ok(builder.edge(a, b, own)?)
        };
        read().and_then(add).map_err(|error| error.at(format!("edge {}", at + 1)))?;
    }
    Ok(())
}

/// `engineers = ["ana", "bo"]`, or with its own budget `engineers = { members = ["ana", "bo"], epsilon = 0.25 }`.
fn read_groups(tree: &Tree, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    for (name, group) in tree.table()? {
        let members = |tree: &Tree| {
            tree.texts()?.into_iter().map(|member| place(builder.names(), member)).collect::<Result<Vec<u32>>>()
        };
        let read = || match group {
            Tree::Table(_) => {
                let mut fields = Fields::of(group)?;
                let members = fields.required("members", members)?;
                let own = fields.read("epsilon", epsilon)?.unwrap_or_else(|| default.clone());
                fields.finish()?;
                Ok((members, own))
            }
            list => Ok((members(list)?, default.clone())),
        };
        let (members, own) = read().map_err(|error: Error| error.at(format!("{name:?}")))?;
        builder.group(name, members, own)?;
    }
    Ok(())
}

fn read_shape(tree: &Tree, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    match tree.text()? {
        "chain" => builder.chain(default),
        "complete" => builder.complete(default),
        "star" => builder.star(default),
        other => return Err(Error::input(format!("{other:?}, expected \"chain\", \"complete\" or \"star\""))),
    }
    Ok(())
}

/// A table with columns `a`, `b` and, where edges have their own budget, `epsilon`; an empty field is the default.
fn read_edges_file(path: &Path, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    let table = tables::read(path)?;
    let mut read = || {
        let (a, b, own) = (table.column("a")?, table.column("b")?, table.column("epsilon").ok());
        for (at, row) in table.rows.iter().enumerate() {
            let mut add = || {
                let budget = match own.map(|column| row[column].as_str()) {
                    None | Some("") => default.clone(),
                    Some(text) => text.parse()?,
                };
                let (a, b) = (place(builder.names(), &row[a])?, place(builder.names(), &row[b])?);
                Ok(builder.edge(a, b, budget)?)
            };
            add().map_err(|error: Error| error.at(format!("row {}", at + 1)))?;
        }
        Ok(())
    };
    read().map_err(|error: Error| error.in_file(path))
}
