//! Bins with about equally many records each.

use super::tally::Tally;
use lookalike::exact::Rational;
use lookalike::model::Categories;
use lookalike_formats::{Error, Result};
use std::collections::BTreeMap;

/// Bins whose lower edges are quantiles of the numbers, and for each code of a number the place of its bin.
///
/// Edge j of k is the number at place ⌊jN/k⌋ among all N in order, from 0; the first is the least. Equal edges make one
/// bin, so there may be fewer than k.
pub(super) fn bins(tally: &Tally, count: u32) -> Result<(Categories, Vec<u32>)> {
    let mut records: BTreeMap<&Rational, u64> = BTreeMap::new();
    for (&(_, code), number) in &tally.users.counts {
        *records.entry(&tally.numbers[code as usize]).or_default() += number;
    }
    let (mut edges, mut before, mut next) = (Vec::new(), 0u128, 0u128);
    for (&number, &records) in &records {
        let upto = before + u128::from(records);
        let place = |edge: u128| edge * u128::from(tally.rows) / u128::from(count);
        if next < count.into() && place(next) < upto {
            edges.push(number.clone());
        }
        while next < count.into() && place(next) < upto {
            next += 1;
        }
        before = upto;
    }
    let categories = Categories::from_bins(edges)?;
    let bin = |number: &Rational| categories.bin_of(number).ok_or_else(|| Error::input("a number below all of them"));
    let places = tally.numbers.iter().map(bin).collect::<Result<_>>()?;
    Ok((categories, places))
}
