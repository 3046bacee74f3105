//! Reading mechanism files: strict, since a file is somebody's claim.

use super::{FORMAT, MechanismFile, VERSION};
use crate::spec::{epsilon, read_categories, read_profiles};
use crate::tree::{Fields, Tree};
use crate::{Error, Result};
use lookalike::exact::Epsilon;
use lookalike::model::{Categories, Channel, Distribution, Mechanism, Names, SecretGraph};
use std::path::Path;

impl MechanismFile {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, or content that is not a valid mechanism file; the error says where.
    pub fn read(path: &Path) -> Result<MechanismFile> {
        MechanismFile::from_json(&crate::read_text(path)?).map_err(|error| error.in_file(path))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Content that is not a valid mechanism file.
    pub fn from_json(text: &str) -> Result<MechanismFile> {
        let tree = Tree::from_json(text)?;
        let mut fields = Fields::of(&tree)?;
        fields.required("format", |tree| match tree.text()? {
            FORMAT => Ok(()),
            other => Err(Error::input(format!("{other:?}, expected {FORMAT:?}"))),
        })?;
        fields.required("version", |tree| match tree.integer()? {
            VERSION => Ok(()),
            newer => Err(Error::input(format!("{newer}, expected {VERSION} (a newer release may read this file)"))),
        })?;
        let name = fields.read("mechanism", |tree| Ok(tree.text()?.to_owned()))?;
        let kind = fields.required("kind", |tree| Ok(tree.text()?.to_owned()))?;
        let largest = fields.required("epsilon", epsilon)?;
        let mechanism = match kind.as_str() {
            "aware" => aware(&mut fields, &largest)?,
            "shared" => shared(&mut fields, &largest)?,
            "point" => point(&mut fields, &largest)?,
            other => {
                return Err(Error::input(format!("kind: {other:?}, expected \"aware\", \"shared\" or \"point\"")));
            }
        };
        let objective = fields.get("objective").map(to_value);
        let certificate = fields.get("certificate").map(to_value);
        fields.finish()?;
        Ok(MechanismFile { mechanism, name, objective, certificate })
    }
}

fn aware(fields: &mut Fields<'_>, largest: &Epsilon) -> Result<Mechanism> {
    let (inputs, outputs) = categories(fields)?;
    let (names, profiles) = profiles(fields, &inputs)?;
    let (channels, assignment) = fields.required("channels", |tree| {
        let mut assignment = vec![None; names.len()];
        let mut channels = Vec::new();
        for (at, entry) in tree.list()?.iter().enumerate() {
            let users = |tree: &Tree| {
                for name in tree.texts()? {
                    let secret = place(&names, name)?;
                    if assignment[secret as usize].replace(at as u32).is_some() {
                        return Err(Error::input(format!("profile {name:?} has two channels, expected one")));
                    }
                }
                Ok(())
            };
            let mut fields = Fields::of(entry)?;
            fields.required("profiles", users)?;
            channels.push(channel(fields).map_err(|error| error.at(format!("channel {}", at + 1)))?);
        }
        let assigned = assignment.iter().zip(names.iter()).map(|(channel, name)| {
            channel.ok_or_else(|| Error::input(format!("profile {name:?} has no channel, expected one")))
        });
        Ok((channels, assigned.collect::<Result<Vec<u32>>>()?))
    })?;
    let graph = graph(fields, names, largest)?;
    Ok(Mechanism::aware(inputs, outputs, graph, profiles, channels, assignment)?)
}

fn shared(fields: &mut Fields<'_>, largest: &Epsilon) -> Result<Mechanism> {
    let (inputs, outputs) = categories(fields)?;
    let (names, profiles) = profiles(fields, &inputs)?;
    let channel = fields.required("channels", only_channel)?;
    Ok(Mechanism::shared(inputs, outputs, graph(fields, names, largest)?, profiles, channel)?)
}

fn point(fields: &mut Fields<'_>, largest: &Epsilon) -> Result<Mechanism> {
    let (inputs, outputs) = categories(fields)?;
    let channel = fields.required("channels", only_channel)?;
    let graph = graph(fields, inputs.names().clone(), largest)?;
    Ok(Mechanism::point(inputs, outputs, graph, channel)?)
}

fn categories(fields: &mut Fields<'_>) -> Result<(Categories, Categories)> {
    let inputs = read_categories(fields)?;
    let outputs = fields.read("outputs", |tree| Ok(Categories::new(tree.texts()?)?))?;
    let outputs = outputs.unwrap_or_else(|| inputs.clone());
    Ok((inputs, outputs))
}

fn profiles(fields: &mut Fields<'_>, inputs: &Categories) -> Result<(Names, Vec<Distribution>)> {
    fields.required("profiles", |tree| read_profiles(tree, inputs, false))
}

fn only_channel(tree: &Tree) -> Result<Channel> {
    match tree.list()? {
        [entry] => channel(Fields::of(entry)?),
        other => Err(Error::input(format!("{} channels, expected 1 for this kind", other.len()))),
    }
}

fn channel(mut fields: Fields<'_>) -> Result<Channel> {
    let rows = fields.read("rows", |tree| tree.list()?.iter().map(Tree::integers).collect::<Result<Vec<_>>>())?;
    let keep = fields.read("keep", Tree::integers)?;
    let redraw = fields.read("redraw", Tree::integers)?;
    fields.finish()?;
    match (rows, keep, redraw) {
        (Some(rows), None, None) => Ok(Channel::rows(rows)?),
        (None, Some(keep), Some(redraw)) => Ok(Channel::keep(keep, redraw)?),
        _ => Err(Error::input("expected either rows, or keep and redraw")),
    }
}

/// The claim. An edge without its own ε has the file's, and none has more: the file's ε holds for the whole file.
fn graph(fields: &mut Fields<'_>, names: Names, largest: &Epsilon) -> Result<SecretGraph> {
    let mut builder = SecretGraph::builder(names);
    fields.read("edges", |tree| {
        for (at, entry) in tree.list()?.iter().enumerate() {
            let mut add = || {
                let mut fields = Fields::of(entry)?;
                let [a, b] = fields.required("pair", |tree| match tree.texts()?[..] {
                    [a, b] => Ok([place(builder.names(), a)?, place(builder.names(), b)?]),
                    _ => Err(Error::input("expected two names")),
                })?;
                let own = fields.read("epsilon", epsilon)?.unwrap_or_else(|| largest.clone());
                fields.finish()?;
                Ok(builder.edge(a, b, own)?)
            };
            add().map_err(|error: Error| error.at(format!("edge {}", at + 1)))?;
        }
        Ok(())
    })?;
    fields.read("groups", |tree| {
        for (at, entry) in tree.list()?.iter().enumerate() {
            let mut add = || {
                let mut fields = Fields::of(entry)?;
                let name = fields.required("name", Tree::text)?;
                let members = fields.required("members", |tree| {
                    tree.texts()?.into_iter().map(|member| place(builder.names(), member)).collect::<Result<Vec<_>>>()
                })?;
                let own = fields.read("epsilon", epsilon)?.unwrap_or_else(|| largest.clone());
                fields.finish()?;
                Ok(builder.group(name, members, own)?)
            };
            add().map_err(|error: Error| error.at(format!("group {}", at + 1)))?;
        }
        Ok(())
    })?;
    Ok(builder.build()?.capped(largest))
}

/// The place of a secret by its name.
fn place(names: &Names, name: &str) -> Result<u32> {
    names.place(name).ok_or_else(|| Error::input(format!("{name:?} is not one of the secrets of this file")))
}

/// A part of the file that is only passed on.
fn to_value(tree: &Tree) -> serde_json::Value {
    use serde_json::Value;
    match tree {
        Tree::Null => Value::Null,
        Tree::Bool(value) => Value::Bool(*value),
        Tree::Number(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        Tree::Text(text) => Value::from(text.as_str()),
        Tree::List(items) => items.iter().map(to_value).collect(),
        Tree::Table(entries) => entries.iter().map(|(key, value)| (key.clone(), to_value(value))).collect(),
    }
}
