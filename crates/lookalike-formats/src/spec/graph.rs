//! The graph of a spec.

use super::budgets::Budgets;
use super::table::{Beside, Table, read_beside};
use super::{place, table};
use crate::error::{Error, Result};
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use lookalike::model::{GraphBuilder, Names, SecretGraph};

/// Reads `edges`, `groups`, `shape`, `edges_file` and, for ordered values, `within`: any of them, together.
pub(crate) fn read(
    tree: &Tree,
    names: Names,
    default: &Epsilon,
    are_values: bool,
    beside: &dyn Beside,
) -> Result<SecretGraph> {
    let fields = Fields::with(tree, &["edges", "groups", "shape", "edges_file", "within"])?;
    let mut builder = SecretGraph::builder(names);
    fields.read("edges", |tree| read_edges(tree, &mut builder, default))?;
    fields.read("groups", |tree| read_groups(tree, &mut builder, default))?;
    fields.read("shape", |tree| read_shape(tree, &mut builder, default))?;
    fields.read("edges_file", |tree| {
        read_beside(beside, tree.text()?, |table| read_edges_table(table, &mut builder, default))
    })?;
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
    Ok(builder.build()?)
}

/// `["ana", "bo"]`, or with its own budget `["ana", "bo", 0.25]`.
fn read_edges(tree: &Tree, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    let mut budgets = Budgets::default();
    tree.each("edge", |edge| {
        let (a, b, own) = match edge.list()? {
            [a, b] => (a, b, default.clone()),
            [a, b, own] => (a, b, budgets.read(own)?),
            other => {
                let found = other.len();
                return Err(Error::input(format!("{found} items, expected two names and perhaps an epsilon")));
            }
        };
        let (a, b) = (place(builder.names(), a.text()?)?, place(builder.names(), b.text()?)?);
        Ok(builder.edge(a, b, own)?)
    })?;
    Ok(())
}

/// `engineers = ["ana", "bo"]`, or with its own budget `engineers = { members = ["ana", "bo"], epsilon = 0.25 }`.
fn read_groups(tree: &Tree, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    let mut budgets = Budgets::default();
    for (name, group) in tree.table()? {
        let members = |tree: &Tree| tree.each("member", |member| place(builder.names(), member.text()?));
        let mut read = || match group {
            Tree::Table(_) => {
                let fields = Fields::with(group, &["members", "epsilon"])?;
                let own = budgets.of(&fields)?.unwrap_or_else(|| default.clone());
                Ok((fields.required("members", members)?, own))
            }
            list => Ok((members(list)?, default.clone())),
        };
        let (members, own) = read().map_err(|error: Error| error.at(format!("group {name:?}")))?;
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
pub fn read_edges_table(table: Table, builder: &mut GraphBuilder, default: &Epsilon) -> Result<()> {
    let mut budgets = Budgets::default();
    table.only(["a", "b", "epsilon"])?;
    let (a, b, own) = (table.column("a")?, table.column("b")?, table.column("epsilon").ok());
    table.each(|row| {
        let budget = match own.map(|column| &row[column]) {
            None | Some("") => default.clone(),
            Some(text) => budgets.parse(text).map_err(|_| {
                Error::input("not an epsilon above 0, expected one like 0.5, 1/2 or ln(3)").at(table::of("epsilon"))
            })?,
        };
        let place = |at: usize, column| table::place(builder.names(), &row[at], column);
        let (a, b) = (place(a, "a")?, place(b, "b")?);
        Ok(builder.edge(a, b, budget)?)
    })
}
