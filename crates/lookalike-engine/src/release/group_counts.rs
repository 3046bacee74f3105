//! Counts of groups straight from records.

use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::counts::neighbour_epsilons;
use lookalike::model::Mechanism;
use lookalike::sample::{RandomKey, Sampler};
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, Encode, RecordSource, escape_formula};
use std::borrow::Cow;

/// Tells the texts that match a predicate from all others: codes 1 and 0.
///
/// # Example
/// ```
/// use lookalike_engine::Matches;
/// use lookalike_records::Encode;
/// let ill = Matches::any_of(vec!["yes".to_owned(), "very".to_owned()]);
/// assert_eq!(["yes", "no", "very", ""].map(|text| ill.encode(text)), [Some(1), Some(0), Some(1), None]);
/// ```
#[derive(Debug, Clone)]
pub struct Matches(Vec<String>);

impl Matches {
    /// Matches these texts, byte by byte.
    pub fn any_of(texts: Vec<String>) -> Self {
        Matches(texts)
    }
}

impl Encode for Matches {
    fn encode(&self, text: &str) -> Option<u32> {
        (!text.is_empty()).then(|| self.0.iter().any(|known| known == text).into())
    }

    fn count(&self) -> usize {
        2
    }

    fn grows(&self) -> bool {
        true
    }

    fn hint(&self) -> Sentence {
        Sentence::new()
    }

    fn way_out_of_missing(&self) -> &'static str {
        " (whether it matches cannot be said: fill it in or leave the row out)"
    }
}

/// How many rows of each group match, for groups of at most n rows: names with counts, in the order of the names.
///
/// The source has the group as its profile and [`Matches`] as its values; `names` gives the groups' names once all is
/// read. The limit is on all rows of a group, which are public, and not on those that match, which are not.
///
/// # Errors
/// Those of the source, no record at all, and a group of more than n rows; the error names the first row that is one too
/// many, and neither the group nor a count.
pub fn count_groups(
    source: &mut dyn RecordSource,
    names: impl FnOnce() -> Vec<String>,
    n: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<(String, u32)>> {
    // All rows of each group, and those that match.
    let mut counts: Vec<[u32; 2]> = Vec::new();
    let mut batch = Batch::default();
    while source.read_batch(&mut batch)? {
        for (row, (&group, &matches)) in (batch.first_row + 1..).zip(batch.profiles.iter().zip(&batch.values)) {
            let group = group as usize;
            if counts.len() <= group {
                counts.resize(group + 1, [0; 2]);
            }
            let [all, matching] = &mut counts[group];
            if *all as usize >= n {
                let found =
                    format!("row {row}: one row more of its group than n = {n}, expected groups of at most {n} rows");
                let hint = Sentence::new().verb_with("counts design", "n");
                return Err(Error::input(found).hint(hint.text(" makes a mechanism for larger groups")));
            }
            (*all, *matching) = (*all + 1, *matching + matches);
        }
        progress(source.bytes_read());
    }
    // A name without a row can come from the dictionary of a Parquet file.
    let named = names().into_iter().zip(counts).filter(|(_, [all, _])| *all > 0);
    let mut groups: Vec<(String, u32)> = named.map(|(name, [_, matching])| (name, matching)).collect();
    groups.sort();
    if groups.is_empty() {
        return Err(Error::input("no records, expected at least one"));
    }
    Ok(groups)
}

/// Groups with what was released for them as CSV; names that a spreadsheet would take for a formula are escaped if that is
/// asked for, as [`escape_formula`] does it.
///
/// # Errors
/// None in memory.
pub fn releases_csv(header: [&str; 2], releases: &[(String, &str)], escape_formulas: bool) -> Result<String> {
    let failed = |_| Error::input("cannot write CSV");
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: [&str; 2]| {
        let cell = |text| if escape_formulas { escape_formula(text) } else { Cow::Borrowed(text) };
        writer.write_record(row.map(cell).iter().map(|cell| cell.as_bytes())).map_err(failed)
    };
    write(header)?;
    releases.iter().try_for_each(|(name, count)| write([name, *count]))?;
    let bytes = writer.into_inner().map_err(|error| Error::system("cannot write", error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// One draw for each group of [`count_groups`], in their order; the row of a draw is the place of its group.
///
/// # Errors
/// A count that the mechanism does not have.
pub fn release_counts<'a>(
    certified: &'a Certified<Mechanism>,
    groups: &[(String, u32)],
    key: &RandomKey,
) -> Result<Vec<(String, &'a str)>> {
    let counts: Vec<u32> = groups.iter().map(|(_, count)| *count).collect();
    let mut outputs = vec![0; counts.len()];
    Sampler::new(certified).privatize(key, 0, None, &counts, &mut outputs)?;
    let names = certified.mechanism().outputs().names();
    Ok(groups.iter().zip(outputs).map(|((group, _), output)| (group.clone(), names.name(output))).collect())
}

/// n, for a mechanism over the counts 0 to n whose claim is about every two neighbours.
///
/// # Errors
/// Another mechanism.
pub fn protected_counts(mechanism: &Mechanism) -> Result<usize> {
    neighbour_epsilons(mechanism).map(|epsilons| epsilons.len()).ok_or_else(|| {
        Error::input(
            "not a mechanism over counts, expected the categories \"0\" to \"n\" with every two neighbours joined \
             (counts design writes one)",
        )
    })
}
