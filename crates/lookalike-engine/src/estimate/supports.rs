//! The reports of an oracle as counts of what they support.

use super::reports::NOT_RELEASED;
use lookalike::estimate::SupportTally;
use lookalike::model::{Oracle, Reports};
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, RecordSource, Texts, at_field, kept_arrays};
use rayon::prelude::*;
use std::ops::Range;

/// Reports that are read before they are counted: those of a whole batch may be far longer than their texts.
const PART: usize = 1 << 10;

/// What the reports in the first kept column support, for each code of the source's profile column; one tally where it
/// has none.
///
/// # Errors
/// Those of the source, and a text that is not a report of the oracle, by row and column and without the text: it may be
/// a value that was never released.
///
/// # Complexity
/// One pass, whose rows are counted on all cores; memory for a batch, and on each core for a count of each category for each code.
pub fn count_supports<'a>(
    source: &mut dyn RecordSource,
    oracle: &'a Oracle,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<SupportTally<'a>>> {
    let kept = source.schema().kept;
    let [field, ..] = &kept[..] else { return Err(Error::input("no column of reports, expected one")) };
    let mut tallies: Vec<SupportTally<'a>> = Vec::new();
    let mut batch = Batch::default();
    while source.read_batch(&mut batch)? {
        let columns = kept_arrays(&batch, &kept)?;
        // A share of the rows for each thread, which adds them up by itself.
        let share = batch.len().div_ceil(rayon::current_num_threads()).max(PART);
        let shares: Vec<Range<usize>> =
            (0..batch.len()).step_by(share).map(|first| first..batch.len().min(first + share)).collect();
        let counted = shares.into_par_iter().map(|rows| count_rows(oracle, &Texts::of(&columns[0]), &batch, rows));
        for counted in counted.collect::<Vec<_>>() {
            let at_row = |(row, message): Wrong| at_field(batch.first_row + row as u64 + 1, field.name(), &message);
            for (cohort, more) in counted.map_err(at_row)?.iter().enumerate() {
                tally(&mut tallies, oracle, cohort).merge(more);
            }
        }
        progress(source.bytes_read());
    }
    Ok(tallies)
}

/// A row without a report, and what is wrong there.
type Wrong = (usize, String);

/// What the reports in some rows of a batch support, by cohort.
fn count_rows<'a>(
    oracle: &'a Oracle,
    texts: &Texts<'_>,
    batch: &Batch,
    rows: Range<usize>,
) -> std::result::Result<Vec<SupportTally<'a>>, Wrong> {
    let mut tallies = Vec::new();
    for first in rows.clone().step_by(PART) {
        let part = first..rows.end.min(first + PART);
        let reports = read(oracle, texts, part.clone())?;
        let cohorts = match batch.profiles.get(part) {
            Some(cohorts) => by_cohort(oracle, &reports, cohorts),
            None => vec![(0, reports)],
        };
        for (cohort, reports) in cohorts {
            let added = tally(&mut tallies, oracle, cohort).add(&reports);
            added.map_err(|error| (first, error.to_string()))?;
        }
    }
    Ok(tallies)
}

/// The reports in some rows; or the first row that has none, with what is wrong there.
fn read(oracle: &Oracle, texts: &Texts<'_>, rows: Range<usize>) -> std::result::Result<Reports, Wrong> {
    let (mut reports, mut text) = (oracle.no_reports(), String::new());
    for row in rows {
        text.clear();
        if !texts.append(row, &mut text) {
            return Err((row, "null, expected a report (leave the row out)".to_owned()));
        }
        oracle.read(&text, &mut reports).map_err(|error| (row, format!("{error}{NOT_RELEASED}")))?;
    }
    Ok(reports)
}

/// The reports of each cohort.
fn by_cohort(oracle: &Oracle, reports: &Reports, cohorts: &[u32]) -> Vec<(usize, Reports)> {
    let mut places: Vec<usize> = (0..cohorts.len()).collect();
    places.sort_by_key(|&place| cohorts[place]);
    let part = |same: &[usize]| {
        let mut part = oracle.no_reports();
        same.iter().for_each(|&place| part.push(reports.get(place)));
        (cohorts[same[0]] as usize, part)
    };
    places.chunk_by(|&a, &b| cohorts[a] == cohorts[b]).map(part).collect()
}

/// The tally of a cohort, with new ones up to it.
fn tally<'t, 'a>(
    tallies: &'t mut Vec<SupportTally<'a>>,
    oracle: &'a Oracle,
    cohort: usize,
) -> &'t mut SupportTally<'a> {
    if tallies.len() <= cohort {
        tallies.resize(cohort + 1, SupportTally::new(oracle));
    }
    &mut tallies[cohort]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::model::{Categories, Encoding, TOTAL};
    use lookalike_formats::records::{Columns, CsvOptions};
    use lookalike_records::{CsvSource, Encoder, GrowingLabels};

    fn unary() -> Oracle {
        let categories = Categories::new(["a", "b", "c"]).unwrap();
        Oracle::new(categories, "1".parse().unwrap(), Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 }).unwrap()
    }

    /// The number of reports and the counts of each cohort, or the error.
    fn counted(text: &str, by: Option<&str>) -> std::result::Result<Vec<(u64, Vec<u64>)>, String> {
        let oracle = unary();
        let columns = Columns { profile: by.map(Into::into), values: vec![], keep: vec!["report".into()] };
        let cohort = by.map(|_| -> Encoder { Box::new(GrowingLabels::default()) });
        let input = Box::new(std::io::Cursor::new(text.to_owned()));
        let options = CsvOptions::default();
        let mut source = CsvSource::open(input, &options, &columns, cohort, None, None).unwrap();
        let tallies = count_supports(&mut source, &oracle, &mut |_| {}).map_err(|error| error.to_string())?;
        Ok(tallies.iter().map(|tally| (tally.reports(), tally.counts())).collect())
    }

    #[test]
    fn parts_and_cohorts_add_up() {
        // More rows than are read at once, in a pattern that no part begins alike.
        let rows = ["mon,100", "tue,110", "mon,011", "wed,000", "tue,010"];
        let count = 3 * PART + 7;
        let text: String = std::iter::once("day,report")
            .chain(rows.into_iter().cycle().take(count))
            .map(|row| format!("{row}\n"))
            .collect();
        let times = |at: usize| (count / 5 + usize::from(at < count % 5)) as u64;
        let expected = vec![
            (times(0) + times(2), vec![times(0), times(2), times(2)]),
            (times(1) + times(4), vec![times(1), times(1) + times(4), 0]),
            (times(3), vec![0; 3]),
        ];
        assert_eq!(counted(&text, Some("day")), Ok(expected.clone()));
        let all = [0, 1, 2].map(|x| expected.iter().map(|(_, counts)| counts[x]).sum::<u64>());
        assert_eq!(counted(&text, None), Ok(vec![(count as u64, all.to_vec())]));
        assert_eq!(counted("day,report\n", None), Ok(vec![]));
    }

    #[test]
    fn the_first_row_that_is_no_report_is_named_and_not_shown() {
        let good = "b,010\n".repeat(PART + 1);
        let text = format!("day,report\n{good}a,secret\nb,\n");
        let expected = format!(
            "row {}, column \"report\": not a report of this oracle, expected 3 digits 0 and 1 (records that another \
             mechanism released, or that were never released?)",
            PART + 2
        );
        assert_eq!(counted(&text, Some("day")), Err(expected.clone()));
        assert_eq!(counted(&text.replace("secret", ""), None), Err(expected));
    }
}
