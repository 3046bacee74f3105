//! The records of a file, counted.

use lookalike::exact::{Rational, parse_rational};
use lookalike_formats::records::Columns;
use lookalike_formats::{Domain, Error, FitGraph, FitOptions, Result};
use lookalike_records::{Batch, Bins, Encode, Encoder, GrowingLabels, Labels, RecordSource, Texts};
use std::collections::HashMap;

/// How often each value occurs with each user, and with each role where there are roles.
#[derive(Default)]
pub(super) struct Tally {
    pub rows: u64,
    pub users: Level,
    pub roles: Option<Level>,
    /// The groups by their codes.
    pub groups: Vec<String>,
    /// The values by their codes, where they were found in the data.
    pub texts: Vec<String>,
    /// The same as numbers, for quantiles.
    pub numbers: Vec<Rational>,
}

/// Counts by the codes of profile and value.
#[derive(Default)]
pub(super) struct Level {
    pub names: Vec<String>,
    pub counts: HashMap<(u32, u32), u64>,
    pub groups: HashMap<u32, Membership>,
}

/// The group of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    /// One, first found in this row.
    One(u32, u64),
    /// Two, found in these rows.
    Two([u64; 2]),
}

/// Opens the records with these columns, and these encoders of profiles, of values, and of those that are none.
pub(super) type Open<'o, 's> =
    dyn FnOnce(&Columns, Encoder, Encoder, Option<u32>) -> Result<Box<dyn RecordSource + 's>> + 'o;

/// Counts records, in one pass and in memory for every pair of a profile and a value that occurs. White space around the
/// texts of roles and groups is no part of them if `trim` says so.
pub(super) fn tally(
    open: Box<Open<'_, '_>>,
    trim: bool,
    options: &FitOptions,
    progress: &mut dyn FnMut(u64),
) -> Result<Tally> {
    let (users, roles, groups) = (GrowingLabels::default(), GrowingLabels::default(), GrowingLabels::default());
    let values = GrowingLabels::default();
    let columns = Wanted::of(options);
    let (encoder, unknown) = encoder(options, &values)?;
    let input_columns = Columns { profile: Some(options.profile.clone()), values: columns.values, keep: columns.keep };
    let mut source = open(&input_columns, Box::new(users.clone()), encoder, unknown)?;
    let mut tally = Tally { roles: options.profile_by.as_ref().map(|_| Level::default()), ..Tally::default() };
    let mut batch = Batch::default();
    while source.read_batch(&mut batch)? {
        let column = |place| Kept { batch: &batch, place, name: &input_columns.keep[place], trim };
        let kept = |place: Option<usize>| place.map(column);
        let role_codes = kept(columns.role).map(|kept| kept.codes(&roles, None)).transpose()?;
        let group_codes = kept(columns.group).map(|kept| kept.codes(&groups, None)).transpose()?;
        let number_codes =
            kept(columns.number).map(|kept| kept.codes(&values, Some(&mut tally.numbers))).transpose()?;
        let value_codes = number_codes.as_ref().unwrap_or(&batch.values);
        for (at, (&user, &value)) in batch.profiles.iter().zip(value_codes).enumerate() {
            let row = batch.first_row + at as u64 + 1;
            let group = group_codes.as_ref().map(|codes| codes[at]);
            tally.users.count(user, value, group, row);
            if let (Some(roles), Some(codes)) = (&mut tally.roles, &role_codes) {
                roles.count(codes[at], value, group, row);
            }
        }
        tally.rows += batch.len() as u64;
        progress(source.bytes_read());
    }
    tally.users.names = users.names();
    if let Some(level) = &mut tally.roles {
        level.names = roles.names();
    }
    (tally.groups, tally.texts) = (groups.names(), values.names());
    Ok(tally)
}

impl Level {
    fn count(&mut self, profile: u32, value: u32, group: Option<u32>, row: u64) {
        *self.counts.entry((profile, value)).or_default() += 1;
        if let Some(group) = group {
            let known = self.groups.entry(profile).or_insert(Membership::One(group, row));
            if let Membership::One(first, first_row) = *known
                && first != group
            {
                *known = Membership::Two([first_row, row]);
            }
        }
    }
}

/// The columns to read beside the profile, and where they stand among the kept ones.
struct Wanted {
    values: Vec<String>,
    keep: Vec<String>,
    role: Option<usize>,
    group: Option<usize>,
    number: Option<usize>,
}

impl Wanted {
    fn of(options: &FitOptions) -> Self {
        let mut wanted = Wanted { values: options.values.clone(), keep: vec![], role: None, group: None, number: None };
        wanted.role = options.profile_by.as_ref().map(|name| wanted.place(name));
        if let FitGraph::GroupBy(name) = &options.graph {
            wanted.group = Some(wanted.place(name));
        }
        if let (Domain::Quantiles(_), Some(name)) = (&options.domain, options.values.first()) {
            // A kept column has any type of number; a source wants a value that it can match, and gets one.
            wanted.number = Some(wanted.place(name));
            wanted.values = vec![options.profile.clone()];
        }
        wanted
    }

    fn place(&mut self, name: &str) -> usize {
        self.keep.push(name.to_owned());
        self.keep.len() - 1
    }
}

/// How values are matched, and the code of those that are not.
fn encoder(options: &FitOptions, values: &GrowingLabels) -> Result<(Encoder, Option<u32>)> {
    let Domain::Known(categories) = &options.domain else {
        let found: Encoder = match options.domain {
            Domain::Found => Box::new(values.clone()),
            _ => Box::new(GrowingLabels::default()),
        };
        return Ok((found, None));
    };
    let names = categories.names();
    let unknown = options.unknown.as_ref().and_then(|name| names.place(name));
    let encoder: Encoder = match categories.bins() {
        Some(_) => Box::new(Bins::new(categories.clone())),
        None => Box::new(Labels::new(names.iter().map(str::to_owned))?),
    };
    Ok((encoder, unknown))
}

/// A kept column of a batch.
pub(crate) struct Kept<'a> {
    pub batch: &'a Batch,
    /// Its place among the kept columns.
    pub place: usize,
    pub name: &'a str,
    /// Whether white space around texts is dropped.
    pub trim: bool,
}

impl Kept<'_> {
    /// The code of every row; a new text must be a number where `numbers` are wanted.
    pub(crate) fn codes(&self, labels: &GrowingLabels, mut numbers: Option<&mut Vec<Rational>>) -> Result<Vec<u32>> {
        let mut code = |at: usize, text: Option<&str>| {
            let wrong = |what: &str| {
                let row = self.batch.first_row + at as u64 + 1;
                Error::input(format!("row {row}, column {:?}: {what}", self.name))
            };
            let expected = if numbers.is_some() { "a number" } else { "a name" };
            let text = text.ok_or_else(|| wrong(&format!("null, expected {expected}")))?;
            let text = if self.trim || numbers.is_some() { text.trim() } else { text };
            let code = labels.encode(text).ok_or_else(|| wrong(&format!("empty, expected {expected}")))?;
            if let Some(numbers) = numbers.as_deref_mut().filter(|numbers| numbers.len() == code as usize) {
                numbers.push(parse_rational(text).map_err(|_| wrong("not a number, expected one for quantiles"))?);
            }
            Ok(code)
        };
        let rows = 0..self.batch.len();
        let Some(array) = self.batch.arrays().get(self.place) else {
            let field = |row: usize| self.batch.kept(row).nth(self.place).unwrap_or_default();
            let not_text = |at: usize| {
                let row = self.batch.first_row + at as u64 + 1;
                move |_| Error::input(format!("row {row}, column {:?}: not UTF-8 text", self.name))
            };
            return rows.map(|row| code(row, Some(std::str::from_utf8(&field(row)).map_err(not_text(row))?))).collect();
        };
        let (texts, mut text) = (Texts::of(array), String::new());
        let read = |row: usize| {
            text.clear();
            let found = texts.append(row, &mut text);
            code(row, found.then_some(&text[..]))
        };
        rows.map(read).collect()
    }
}
