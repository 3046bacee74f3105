//! A release, from what is asked to records that can be drawn.

use super::Charging;
use super::open_release::OpenRelease;
use super::releasable::{Reading, Releasable, Way};
use lookalike::Sentence;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_records::{
    Input, MemorySource, NameRecords, RecordSource, Records, at_input, open_chosen, open_columns, open_source,
};
use std::sync::Arc;

/// A release of records through a mechanism of any kind.
pub struct ReleaseRequest<'a> {
    /// What they go through.
    pub mechanism: Box<dyn Releasable + 'a>,
    /// Where they are.
    pub records: Records<'a>,
    /// What is released, and how.
    pub options: ReleaseOptions,
    /// The ledger that the rows are charged to.
    pub charging: Option<Arc<Charging>>,
}

/// What is released, and how.
#[derive(Debug, Clone, Default)]
pub struct ReleaseOptions {
    /// The columns of profiles and values, and those that are released in clear beside what is drawn.
    pub columns: Columns,
    /// Whether the profile is released in clear too.
    pub keep_profile: bool,
    /// The category that takes the place of unknown values; without one such a value is an error.
    pub unknown: Option<String>,
    /// Draws reproducibly, which is not private.
    pub seed: Option<u64>,
    /// Whether rows are released in a random order.
    pub shuffle: bool,
    /// Whether what gives a secret away is allowed.
    pub allow_unsafe: bool,
}

impl ReleaseOptions {
    /// Refuses what gives a secret away, before anything is read or charged.
    ///
    /// # Errors
    /// A private column or the profile in clear, a column twice, and a seed for what is charged.
    pub fn check(&self, is_charged: bool) -> Result<()> {
        check_kept(&self.columns)?;
        if self.seed.is_some() && is_charged && !self.allow_unsafe {
            let found = Sentence::new().option("seed").text(" with ").option("ledger");
            let why = ": what is drawn by a seed is not private, and would be charged as if it were: it needs ";
            return Err(Error::input(found.text(why).option("unsafe")));
        }
        if self.keep_profile && !self.allow_unsafe {
            let found = Sentence::new().option("keep-profile").text(" releases the secret itself: it needs ");
            return Err(Error::input(found.option("unsafe")));
        }
        Ok(())
    }

    /// The columns that are released in clear.
    pub fn in_clear(&self) -> Vec<String> {
        let profile = self.columns.profile.clone().filter(|_| self.keep_profile);
        profile.into_iter().chain(self.columns.keep.iter().cloned()).collect()
    }
}

impl<'a> ReleaseRequest<'a> {
    /// Opens the records: what remains is to draw, charge and write them.
    ///
    /// # Errors
    /// Records that cannot be opened, naming the file; columns that are missing or that the mechanism cannot take; and a
    /// ledger that cannot keep account of the mechanism.
    pub fn open(self) -> Result<OpenRelease<'a>> {
        let ReleaseRequest { mechanism, records, options, charging } = self;
        let promise = mechanism.promise();
        let asked = Columns { keep: options.in_clear(), ..options.columns.clone() };
        let reading = mechanism.reading(&asked, options.unknown.as_deref())?;
        let path = match &records {
            Records::File(file) => Some(file.path),
            Records::Bytes(_) | Records::Memory(_) => None,
        };
        let source = opened(records, &asked, reading, charging.as_deref()).map_err(|error| match path {
            Some(path) => at_input(error, path),
            None => error,
        })?;
        let mut schema = source.schema();
        let (name, path) = (options.columns.values.join("|"), path.map(ToOwned::to_owned));
        let (on_the_way, ledger) = (name.clone(), charging.as_ref());
        let drawn = mechanism.drawn(Way { schema: &schema, name: on_the_way, charging: ledger, path: path.clone() })?;
        schema.kept = drawn.kept;
        let (mechanism, labels) = (drawn.mechanism, drawn.labels);
        Ok(OpenRelease { source, mechanism, labels, schema, name, options, charging, promise, path })
    }
}

/// The source of records that are read as a mechanism takes them, and named where they are to be charged.
fn opened<'a>(
    records: Records<'a>,
    asked: &Columns,
    reading: Reading,
    charging: Option<&Charging>,
) -> Result<Box<dyn RecordSource + 'a>> {
    let mut columns = reading.columns(asked);
    match records {
        Records::File(file) => {
            // A file has a column of profiles whether or not it is of use here.
            columns.profile = columns.profile.filter(|_| matches!(&reading, Reading::Codes { profile: Some(_), .. }));
            let ids = charging.map(|charging| charging.ids() as &dyn NameRecords);
            let input = Input { charging: ids, ..file.input(&columns) };
            match reading {
                Reading::Codes { profile, value, unknown } => open_source(&input, profile, value, unknown),
                Reading::AsTheyAre => open_columns(&input, None),
                Reading::Chosen(mut choose) => open_chosen(&input, &mut choose),
            }
        }
        Records::Bytes(bytes) => {
            columns.profile = columns.profile.filter(|_| matches!(&reading, Reading::Codes { profile: Some(_), .. }));
            let kept = read_beside(&mut columns, charging);
            let source = match reading {
                Reading::Codes { profile, value, unknown } => bytes.open_source(&columns, profile, value, unknown)?,
                Reading::AsTheyAre => bytes.open_columns(&columns, None)?,
                Reading::Chosen(mut choose) => bytes.open_chosen(&columns, &mut choose)?,
            };
            Ok(named(source, kept, bytes.csv.trim, charging))
        }
        Records::Memory(given) => {
            let kept = read_beside(&mut columns, charging);
            let (profile, value, unknown) = match reading {
                Reading::Codes { profile, value, unknown } => (profile, Some(value), unknown),
                Reading::AsTheyAre | Reading::Chosen(_) => (None, None, None),
            };
            let source = Box::new(MemorySource::open(given, &columns, profile, value, unknown)?);
            Ok(named(source, kept, false, charging))
        }
    }
}

/// Reads what names records for a ledger beside the kept columns; how many these are.
fn read_beside(columns: &mut Columns, charging: Option<&Charging>) -> usize {
    let kept = columns.keep.len();
    if let Some(charging) = charging {
        columns.keep = charging.ids().beside(&columns.keep);
    }
    kept
}

/// A source that gives each record its name, where there is a ledger.
fn named<'a>(
    source: Box<dyn RecordSource + 'a>,
    kept: usize,
    trim: bool,
    charging: Option<&Charging>,
) -> Box<dyn RecordSource + 'a> {
    match charging {
        Some(charging) => charging.ids().named(source, kept, trim),
        None => source,
    }
}

/// Refuses to release private columns, or the profile, in clear; and a column twice.
pub(crate) fn check_kept(columns: &Columns) -> Result<()> {
    let hint = Sentence::new().option("keep-profile").text(" ").option("unsafe");
    check_in_clear(columns, Some(hint.text(" releases it all the same")))
}

/// The same with another way out for who wants to keep the profile.
///
/// # Errors
/// The first such column.
pub fn check_in_clear(columns: &Columns, hint: Option<Sentence>) -> Result<()> {
    let keep = &columns.keep;
    if let Some(name) = keep.iter().find(|name| columns.values.contains(name)) {
        return Err(Error::input("this is the private column, it cannot be released in clear").at_option(kept(name)));
    }
    let twice = |name: &&String| keep.iter().filter(|other| other == name).count() > 1;
    if let Some(name) = keep.iter().find(twice) {
        return Err(Error::input("named twice, expected once").at_option(kept(name)));
    }
    match columns.profile.as_ref().filter(|profile| keep.contains(profile)) {
        Some(profile) => {
            let error = Error::input("this is the profile, the secret itself").at_option(kept(profile));
            Err(hint.into_iter().fold(error, Error::hint))
        }
        None => Ok(()),
    }
}

/// The place of an error about a column that is to be released in clear.
pub(crate) fn kept(name: &str) -> Sentence {
    Sentence::new().option("keep").word(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gives_a_secret_away_is_asked_for_twice() {
        let columns = Columns { profile: Some("user".into()), values: vec!["load".into()], keep: vec!["day".into()] };
        let options = ReleaseOptions { columns, ..ReleaseOptions::default() };
        let keeping = ReleaseOptions { keep_profile: true, ..options.clone() };
        let seeded = ReleaseOptions { seed: Some(1), ..options.clone() };
        assert!(options.check(true).is_ok() && seeded.check(false).is_ok());
        for (refused, is_charged) in [(keeping, false), (seeded, true)] {
            assert!(refused.check(is_charged).unwrap_err().to_string().contains("needs `unsafe`"));
            assert!(ReleaseOptions { allow_unsafe: true, ..refused }.check(is_charged).is_ok());
        }
        let keep = |name: &str| {
            let columns = Columns { keep: vec![name.to_owned()], ..options.columns.clone() };
            ReleaseOptions { columns, ..options.clone() }.check(false).map_err(|error| error.to_string())
        };
        assert!(keep("load").unwrap_err().contains("private column"));
        assert!(keep("user").unwrap_err().contains("the secret itself"));
        assert!(keep("day").is_ok());
    }
}
