//! The profiles of a spec, inline or from a table of numbers.

use super::tables;
use crate::tree::Tree;
use crate::{Error, Result};
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Categories, Distribution, Names};
use std::path::Path;

type Profiles = (Names, Vec<Distribution>);

/// `ana = [0.2, 0.8]`, or for two categories `ana = 0.8`, the probability of the second.
pub(crate) fn from_table(tree: &Tree, categories: &Categories, normalize: bool) -> Result<Profiles> {
    let entries = tree.table()?;
    let names = Names::new("profile", entries.iter().map(|(name, _)| name))?;
    let law = |(name, tree): &(String, Tree)| {
        let numbers = match tree {
            Tree::List(items) => items.iter().map(Tree::rational).collect::<Result<Vec<_>>>(),
            single => single.rational().map(|p| vec![p]),
        };
        numbers
            .and_then(|numbers| distribution(numbers, categories, normalize))
            .map_err(|error| error.at(format!("profile {name:?}")))
    };
    let laws = entries.iter().map(law).collect::<Result<_>>()?;
    Ok((names, laws))
}

/// A table with a column `profile` and one column a category, in any order; for two categories the second is enough.
pub(super) fn from_csv(path: &Path, categories: &Categories, normalize: bool) -> Result<Profiles> {
    let table = tables::read(path)?;
    let read = || {
        let name_column = table.column("profile")?;
        let columns = match table.column(categories.names().name(0)) {
            Err(_) if categories.len() == 2 => vec![table.column(categories.names().name(1))?],
            _ => categories.names().iter().map(|name| table.column(name)).collect::<Result<Vec<_>>>()?,
        };
        let names = Names::new("profile", table.rows.iter().map(|row| row[name_column].as_str()))?;
        let law = |row: &Vec<String>| {
            let numbers = columns.iter().map(|&column| Ok(parse_rational(&row[column])?)).collect::<Result<Vec<_>>>();
            numbers
                .and_then(|numbers| distribution(numbers, categories, normalize))
                .map_err(|error| error.at(format!("profile {:?}", row[name_column])))
        };
        let laws = table.rows.iter().map(law).collect::<Result<_>>()?;
        Ok((names, laws))
    };
    read().map_err(|error: Error| error.in_file(path))
}

fn distribution(mut numbers: Vec<Rational>, categories: &Categories, normalize: bool) -> Result<Distribution> {
    if categories.len() == 2 && numbers.len() == 1 {
        let p = numbers.remove(0);
        numbers = vec![Rational::from_integer(1.into()) - &p, p];
    }
    if numbers.len() != categories.len() {
        return Err(Error::input(format!(
            "{} probabilities, expected {}, one for each category",
            numbers.len(),
            categories.len()
        )));
    }
    Ok(if normalize { Distribution::normalized(&numbers)? } else { Distribution::new(&numbers)? })
}
