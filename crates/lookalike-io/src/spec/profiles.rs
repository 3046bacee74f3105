//! The profiles of a spec, inline or from a table of numbers.

use super::tables;
use crate::tree::Tree;
use crate::{Error, Result};
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Categories, Distribution, Names};
use std::path::Path;

type Profiles = (Names, Vec<Distribution>);

/// The longest common denominator, in bits: a fraction then has fewer than 1,000 characters, the most that are read.
const LONGEST_DENOMINATOR: u64 = 1_650;

/// `ana = [0.2, 0.8]`, or for two categories `ana = 0.8`, the probability of the second.
pub(crate) fn from_table(tree: &Tree, categories: &Categories, normalize: bool) -> Result<Profiles> {
    let entries = tree.table()?;
    let names = Names::new("profile", entries.iter().map(|(name, _)| name))?;
    let law = |(name, tree): &(String, Tree)| {
        let numbers = match tree {
            Tree::Number(_) | Tree::Text(_) if categories.len() == 2 => tree.rational().and_then(bernoulli),
            list => list.each("probability", Tree::rational),
        };
        numbers
            .and_then(|numbers| distribution(&numbers, categories, normalize))
            .map_err(|error| error.at(format!("profile {name:?}")))
    };
    let laws = entries.iter().map(law).collect::<Result<_>>()?;
    Ok((names, laws))
}

/// A table with a column `profile` and one column a category, in any order; for two categories the second is enough.
pub(super) fn from_file(path: &Path, categories: &Categories, normalize: bool) -> Result<Profiles> {
    tables::read(path, |table| {
        table.only(["profile"].into_iter().chain(categories.names().iter()))?;
        let name_column = table.column("profile")?;
        let columns = match table.column(categories.names().name(0)) {
            Err(_) if categories.len() == 2 => vec![table.column(categories.names().name(1))?],
            _ => categories.names().iter().map(|name| table.column(name)).collect::<Result<Vec<_>>>()?,
        };
        let (mut names, mut laws) = (Vec::new(), Vec::new());
        table.each(|row| {
            let number = |&column: &usize| Ok(parse_rational(&row[column])?);
            let numbers = match &columns[..] {
                [second] if categories.len() == 2 => number(second).and_then(bernoulli),
                all => all.iter().map(number).collect(),
            };
            let law = numbers.and_then(|numbers| distribution(&numbers, categories, normalize));
            laws.push(law.map_err(|error| error.at(format!("profile {:?}", &row[name_column])))?);
            names.push(Box::<str>::from(&row[name_column]));
            Ok(())
        })?;
        Ok((Names::new("profile", names)?, laws))
    })
}

/// Both probabilities from that of the second category.
fn bernoulli(second: Rational) -> Result<Vec<Rational>> {
    let (zero, one) = (Rational::default(), Rational::from_integer(1.into()));
    if second < zero || second > one {
        return Err(Error::input(format!("{second}, expected a probability from 0 to 1")));
    }
    Ok(vec![one - &second, second])
}

/// The law with these probabilities, or in proportion to them.
pub(crate) fn distribution(numbers: &[Rational], categories: &Categories, normalize: bool) -> Result<Distribution> {
    if numbers.len() != categories.len() {
        return Err(Error::input(format!(
            "{} probabilities, expected {}, one for each category",
            numbers.len(),
            categories.len()
        )));
    }
    of_moderate_size(if normalize { Distribution::normalized(numbers)? } else { Distribution::new(numbers)? })
}

/// Refuses a law whose fractions would be longer than what is read back.
pub(crate) fn of_moderate_size(law: Distribution) -> Result<Distribution> {
    match law.denominator().to_big().bits() {
        0..=LONGEST_DENOMINATOR => Ok(law),
        bits => Err(Error::input(format!(
            "a common denominator of {bits} bits, expected at most {LONGEST_DENOMINATOR} (round the probabilities)"
        ))),
    }
}
