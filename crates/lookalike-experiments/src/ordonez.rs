//! The days of one person, from a table of activities with their starts and ends, as sequences of states.

use crate::calendar::{day, time};
use crate::sequences::{Group, Sequences, sampled};
use lookalike_formats::{Error, Result};
use std::collections::BTreeSet;

/// Lines before the table.
const HEADER: usize = 2;
const COLUMNS: [&str; 3] = ["Start time", "End time", "Activity"];
/// A node is the state every so many seconds.
const STEP: i64 = 60;
/// After so many seconds in which nothing is recorded a new sequence begins.
const GAP: i64 = 3600;
/// A file with more kinds of activities is another one.
const MOST_STATES: usize = 64;

/// One row; times in seconds.
struct Row<'a> {
    start: i64,
    end: i64,
    activity: &'a str,
}

/// The sequences of a text with two lines of header and start, end and activity between tabs.
///
/// An activity lasts until the next one starts, unless nothing is recorded for more than an hour after its end. Ends that
/// lie before their start, of which the file has three, are not known.
///
/// # Errors
/// A line that is no such row; the error names line and column, and no content.
pub(crate) fn parse(text: &str) -> Result<Sequences> {
    let rows = rows(text)?;
    let names: BTreeSet<&str> = rows.iter().map(|row| row.activity).collect();
    let names: Vec<&str> = names.into_iter().collect();
    if names.len() > MOST_STATES {
        return Err(Error::input(format!("{} kinds of activities, expected at most {MOST_STATES}", names.len())));
    }
    let sequence = |rows: &[Row<'_>]| {
        let state = |row: &Row<'_>| names.binary_search(&row.activity).expect("a known name") as u32;
        let changes: Vec<(f64, u32)> = rows.iter().map(|row| (row.start as f64, state(row))).collect();
        sampled(&changes, rows[rows.len() - 1].end as f64, STEP as f64)
    };
    let sequences = rows.chunk_by(|a, b| b.start - a.end <= GAP).map(sequence).collect();
    let states = names.iter().map(|&name| name.to_owned()).collect();
    Ok(Sequences { states, groups: vec![Group { name: "one person".into(), sequences }] })
}

fn rows(text: &str) -> Result<Vec<Row<'_>>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate().skip(HEADER).filter(|(_, line)| !line.trim().is_empty()) {
        let line_number = at + 1;
        let fields: Vec<&str> = line.split('\t').map(str::trim).filter(|field| !field.is_empty()).collect();
        let [start, end, activity]: [&str; 3] = fields.try_into().map_err(|fields: Vec<&str>| {
            Error::input(format!("{} fields, expected 3 between tabs", fields.len()))
                .at(format_args!("line {line_number}"))
        })?;
        let wrong = |column: usize, expected: &str| {
            Error::input(format!("not {expected}")).at(format_args!("line {line_number}, column {:?}", COLUMNS[column]))
        };
        let start = seconds(start).ok_or_else(|| wrong(0, "a time as YYYY-MM-DD HH:MM:SS"))?;
        let end = seconds(end).ok_or_else(|| wrong(1, "a time as YYYY-MM-DD HH:MM:SS"))?;
        let earliest = rows.first().map_or(start, |row| row.start);
        // A year of minutes is more than is meant.
        if rows.last().is_some_and(|row| row.start > start) || start.max(end) - earliest > 366 * 86_400 {
            return Err(wrong(0, "in ascending order within a year"));
        }
        rows.push(Row { start, end: end.max(start), activity });
    }
    if rows.is_empty() {
        return Err(Error::input("no activities"));
    }
    Ok(rows)
}

fn seconds(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(' ')?;
    let [year, month, day_of_month]: [&str; 3] = date.split('-').collect::<Vec<_>>().try_into().ok()?;
    let [hour, minute, second] = time(clock)?;
    Some(((day(year, month, day_of_month)? * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "Start time\tEnd time\tActivity\n----\t----\t----\n";

    #[test]
    fn an_activity_lasts_until_the_next_or_until_a_gap() {
        let rows = "2011-11-28 23:57:00\t\t2011-11-28 23:58:30\t\tSnack\t\t\n\
                    2011-11-28 23:59:30\t2011-11-28 20:00:00\tLunch \n\
                    2011-11-29 00:01:10\t2011-11-29 00:02:10\tSnack\n\
                    2011-11-29 02:00:00\t2011-11-29 02:00:59\tLunch\n\n";
        let found = parse(&format!("{HEADER}{rows}")).unwrap();
        assert_eq!(found.states, ["Lunch", "Snack"]);
        assert_eq!(found.groups[0].sequences, [vec![1, 1, 1, 0, 0, 1], vec![0]]);
    }

    #[test]
    fn what_is_not_the_file_is_refused_by_line_and_column_and_not_shown() {
        let good = "2011-11-28 02:00:00\t2011-11-28 03:00:00\tLunch\n";
        for (row, expected) in [
            (
                "SECRET\t2011-11-28 03:00:00\tLunch\n",
                "line 4, column \"Start time\": not a time as YYYY-MM-DD HH:MM:SS",
            ),
            (
                "2011-11-28 02:00:00\t2011-11-28 03:00\tLunch\n",
                "line 4, column \"End time\": not a time as YYYY-MM-DD HH:MM:SS",
            ),
            (
                "2011-11-28 01:00:00\t2011-11-28 03:00:00\tLunch\n",
                "line 4, column \"Start time\": not in ascending order within a year",
            ),
            ("2011-11-28 02:00:00\tLunch\n", "line 4: 2 fields, expected 3 between tabs"),
        ] {
            assert_eq!(parse(&format!("{HEADER}{good}{row}")).unwrap_err().to_string(), expected);
        }
        assert_eq!(parse(HEADER).unwrap_err().to_string(), "no activities");
    }
}
