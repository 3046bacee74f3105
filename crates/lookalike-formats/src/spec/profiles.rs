//! The profiles of a spec, inline or from a table of numbers.

use super::table;
use super::table::Table;
use crate::error::{Error, Result};
use crate::text::Tree;
use lookalike::Sentence;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Names};
use std::collections::HashMap;

type Profiles = (Names, Vec<Distribution>);

/// The longest common denominator, in bits: a fraction then has fewer than 1,000 characters, the most that are read.
pub(super) const LONGEST_DENOMINATOR: u64 = 1_650;

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

/// A table with a column `profile` and one column per category, in any order; for two categories the second is enough.
pub(super) fn from_rows(table: Table, categories: &Categories, normalize: bool) -> Result<Profiles> {
    table.only(["profile"].into_iter().chain(categories.names().iter()))?;
    let name_column = table.column("profile")?;
    let column = |name| Ok((table.column(name)?, name));
    let columns = match column(categories.names().name(0)) {
        Err(_) if categories.len() == 2 => vec![column(categories.names().name(1))?],
        _ => categories.names().iter().map(column).collect::<Result<Vec<_>>>()?,
    };
    let (mut names, mut laws) = (Vec::new(), Vec::new());
    let mut first_rows: HashMap<Box<str>, usize> = HashMap::new();
    table.each(|row| {
        let number = |&(at, column): &(usize, &str)| table::number(&row[at], column);
        let numbers = columns.iter().map(number).collect::<Result<Vec<_>>>()?;
        let numbers = match &numbers[..] {
            [second] if categories.len() == 2 => bernoulli(second.clone()).map_err(|_| no_law(normalize))?,
            _ => numbers,
        };
        laws.push(of_moderate_size(law(&numbers, normalize).map_err(|_| no_law(normalize))?)?);
        let name = Box::<str>::from(&row[name_column]);
        if let Some(first) = first_rows.insert(name.clone(), laws.len()) {
            let message = format!("the same as in row {first}, expected each profile once");
            return Err(Error::input(message).at(table::of("profile")));
        }
        names.push(name);
        Ok(())
    })?;
    Ok((Names::new("profile", names)?, laws))
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
pub fn distribution(numbers: &[Rational], categories: &Categories, normalize: bool) -> Result<Distribution> {
    if numbers.len() != categories.len() {
        return Err(Error::input(format!(
            "{} probabilities, expected {}, one for each category",
            numbers.len(),
            categories.len()
        )));
    }
    of_moderate_size(law(numbers, normalize)?)
}

fn law(numbers: &[Rational], normalize: bool) -> lookalike::Result<Distribution> {
    if normalize { Distribution::normalized(numbers) } else { Distribution::new(numbers) }
}

/// The numbers of a file are not shown: they may be counts that were never meant to be public.
fn no_law(normalize: bool) -> Error {
    match normalize {
        true => Error::input("no probabilities, expected numbers of at least 0 and one above 0"),
        false => Error::input("no probabilities, expected numbers of at least 0 that sum to 1 exactly")
            .hint(Sentence::from("set ").key("normalize").text(" to rescale")),
    }
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
