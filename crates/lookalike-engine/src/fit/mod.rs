//! Profiles from records: exact fractions of counts, with limits that say how wrong they may be.
//!
//! What is fitted becomes public with the spec and the mechanism: ε covers the records that are released later, not
//! what the profiles tell about the records they were fitted from.

mod fit_facts;
mod fitted;
mod granularity;
mod limits;
mod profiles;
mod quantiles;
mod spec_toml;
mod tally;

pub use fit_facts::{Coarser, FitFacts, ProfileFacts, WrittenFacts};
pub use fitted::{Fitted, FittedProfile};
pub use granularity::Granularity;
pub use limits::read_limits;
pub use lookalike_formats::{DEFAULT_MINIMUM, Domain, FitGraph, FitOptions, LimitsFile, Small};
pub(crate) use tally::Kept;

use lookalike::model::Categories;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_records::{Encoder, MemorySource, RecordSource, Records, open_source};
use std::path::Path;
use tally::Tally;

/// A fit, of records in a file or in columns.
pub struct FitRequest<'a> {
    /// The records.
    pub records: Records<'a>,
    /// How profiles are made of them.
    pub options: &'a FitOptions,
}

impl FitRequest<'_> {
    /// Fits the profiles of the records in a file. `progress` is told the bytes read so far.
    ///
    /// The result depends on how often each value occurs with each profile and on nothing else: not on the order of the
    /// records, nor on the format of the file.
    ///
    /// # Errors
    /// Options that contradict each other, records that cannot be read (by row and column, never by content), no records,
    /// profiles with too few of them, or a profile in two groups.
    ///
    /// # Complexity
    /// One pass. Memory is that of a batch and of one count for every pair of a profile and a value that occurs.
    pub fn run(self, progress: &mut dyn FnMut(u64)) -> Result<Fitted> {
        let options = self.options;
        options.check()?;
        match self.records {
            Records::File(file) => {
                let place = |error: Error| match file.path == Path::new("-") {
                    true => error.at("standard input"),
                    false => error.in_file(file.path),
                };
                let open = |columns: &Columns, profile: Encoder, value: Encoder, unknown: Option<u32>| {
                    open_source(&file.input(columns), Some(profile), value, unknown)
                };
                let tally = tally::tally(Box::new(open), file.csv.trim, options, progress).map_err(place)?;
                fitted(tally, options).map_err(place)
            }
            Records::Bytes(bytes) => {
                let open = |columns: &Columns, profile: Encoder, value: Encoder, unknown: Option<u32>| {
                    bytes.open_source(columns, Some(profile), value, unknown)
                };
                fitted(tally::tally(Box::new(open), bytes.csv.trim, options, progress)?, options)
            }
            Records::Memory(given) => {
                let open = |columns: &Columns, profile: Encoder, value: Encoder, unknown: Option<u32>| {
                    let source = MemorySource::open(given, columns, Some(profile), Some(value), unknown)?;
                    Ok(Box::new(source) as Box<dyn RecordSource + '_>)
                };
                fitted(tally::tally(Box::new(open), false, options, progress)?, options)
            }
        }
    }
}

fn fitted(tally: Tally, options: &FitOptions) -> Result<Fitted> {
    if tally.rows == 0 {
        return Err(Error::input("no records, expected at least one"));
    }
    let (categories, place_of_code) = domain(&tally, options)?;
    let level = |level| profiles::raw(level, &tally.groups, &place_of_code, categories.len());
    let coarse = tally.roles.as_ref().map(level);
    let users = level(&tally.users);
    let (profiles, fine) = match coarse {
        Some(roles) => (roles, Some(users)),
        None => (users, None),
    };
    Fitted::new(categories, profiles, fine, tally.rows, options)
}

/// The categories, and for each code of a value the place of its category.
fn domain(tally: &Tally, options: &FitOptions) -> Result<(Categories, Vec<u32>)> {
    match &options.domain {
        Domain::Known(categories) => Ok((categories.clone(), (0..categories.len() as u32).collect())),
        Domain::Quantiles(count) => quantiles::bins(tally, *count),
        Domain::Found => {
            // Entries of a dictionary that no record has are not found.
            let mut used: Vec<u32> = tally.users.counts.keys().map(|&(_, code)| code).collect();
            used.sort_unstable_by_key(|&code| &tally.texts[code as usize]);
            used.dedup();
            let categories = Categories::new(used.iter().map(|&code| &tally.texts[code as usize]))?;
            let mut places = vec![0; tally.texts.len()];
            used.iter().zip(0..).for_each(|(&code, place)| places[code as usize] = place);
            Ok((categories, places))
        }
    }
}

#[cfg(test)]
mod tests;
