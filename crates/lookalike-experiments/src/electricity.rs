//! The electricity use of a home as a sequence of levels.

use crate::calendar::{day, time};
use crate::sequences::{Group, Sequences};
use lookalike::exact::{Rational, parse_rational};
use lookalike_formats::{Error, Result};

const COLUMNS: [&str; 2] = ["DateTime", "Consumption kWh"];
/// Levels of 200 W, as in the paper; the last has all above.
const LEVELS: u32 = 51;
/// Levels in a kilowatt.
const LEVELS_A_KILOWATT: u32 = 5;
/// Hours that lie further apart begin a new sequence; where clocks are put forward, two hours lie between neighbours.
const GAP: i64 = 2;

/// The sequence of a text with the columns DateTime and Consumption kWh, one row an hour.
///
/// # Errors
/// Another header, or a field that is not what its column says; the error names row and column, and no content.
pub(crate) fn parse(text: &str) -> Result<Sequences> {
    let hours = hours(text)?;
    let levels = |hours: &[(i64, u32)]| hours.iter().map(|&(_, level)| level).collect();
    let sequences = hours.chunk_by(|a, b| b.0 - a.0 <= GAP).map(levels).collect();
    let states = (0..LEVELS).map(|level| format!("{} W", 200 * level)).collect();
    Ok(Sequences { states, groups: vec![Group { name: "one home".into(), sequences }] })
}

/// The number and the level of each hour.
fn hours(text: &str) -> Result<Vec<(i64, u32)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| Error::input("no header"))?.clone();
    let place = |name: &str| {
        let found = header.iter().position(|column| column == name);
        found.ok_or_else(|| Error::input(format!("no column {name:?} in the header")))
    };
    let [when, consumption] = [place(COLUMNS[0])?, place(COLUMNS[1])?];
    let mut hours: Vec<(i64, u32)> = Vec::new();
    for (row, record) in (1..).zip(reader.records()) {
        let record = record.map_err(|_| {
            Error::input(format!("another number of fields, expected {}", header.len())).at(format_args!("row {row}"))
        })?;
        let wrong = |column: usize, expected: &str| {
            Error::input(format!("not {expected}")).at(format_args!("row {row}, column {:?}", COLUMNS[column]))
        };
        let hour = hour(&record[when]).ok_or_else(|| wrong(0, "a full hour as MM/DD/YYYY HH:00:00"))?;
        let level = level(&record[consumption]).ok_or_else(|| wrong(1, "a number of at least 0"))?;
        if hours.last().is_some_and(|&(last, _)| last >= hour) {
            return Err(wrong(0, "in ascending order"));
        }
        hours.push((hour, level));
    }
    if hours.is_empty() {
        return Err(Error::input("no hours"));
    }
    Ok(hours)
}

/// The hour of `MM/DD/YYYY HH:00:00`. The hour that ends at midnight has the date of its own day.
fn hour(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(' ')?;
    let [month, day_of_month, year]: [&str; 3] = date.split('/').collect::<Vec<_>>().try_into().ok()?;
    let [hour, 0, 0] = time(clock)? else { return None };
    Some(24 * day(year, month, day_of_month)? + if hour == 0 { 24 } else { hour })
}

/// Used energy of an hour, in kWh, is the mean power of the hour in kW.
fn level(text: &str) -> Option<u32> {
    let power = parse_rational(text).ok().filter(|power| *power >= Rational::from_integer(0.into()))?;
    let level = (power * Rational::from_integer(LEVELS_A_KILOWATT.into())).floor().to_integer();
    Some(level.try_into().unwrap_or(u32::MAX).min(LEVELS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "DateTime,Consumption kWh,Off-peak\n";

    #[test]
    fn hours_follow_each_other_over_midnight_and_over_the_change_of_clocks() {
        let rows = "03/10/2012 23:00:00,0.19,1\n03/10/2012 00:00:00,0.2,1\n03/11/2012 01:00:00,0.6,1\n03/11/2012 03:00:00,1,1\n\
                    03/11/2012 06:00:00,99,1\n";
        let found = parse(&format!("{HEADER}{rows}")).unwrap();
        assert_eq!(found.groups[0].sequences, [vec![0, 1, 3, 5], vec![50]], "0.6 is the third level, exactly");
        assert_eq!(found.states.len(), 51);
    }

    #[test]
    fn what_is_not_the_file_is_refused_by_row_and_column_and_not_shown() {
        for (rows, expected) in [
            ("13/10/2012 23:00:00,1,1\n", "row 1, column \"DateTime\": not a full hour as MM/DD/YYYY HH:00:00"),
            ("03/10/2012 23:30:00,1,1\n", "row 1, column \"DateTime\": not a full hour as MM/DD/YYYY HH:00:00"),
            ("03/10/2012 23:00:00,SECRET,1\n", "row 1, column \"Consumption kWh\": not a number of at least 0"),
            ("03/10/2012 23:00:00,-1,1\n", "row 1, column \"Consumption kWh\": not a number of at least 0"),
            (
                "03/10/2012 23:00:00,1,1\n03/10/2012 22:00:00,1,1\n",
                "row 2, column \"DateTime\": not in ascending order",
            ),
            ("03/10/2012 23:00:00,1\n", "row 1: another number of fields, expected 3"),
            ("", "no hours"),
        ] {
            assert_eq!(parse(&format!("{HEADER}{rows}")).unwrap_err().to_string(), expected);
        }
        assert_eq!(parse("a,b\n1,2\n").unwrap_err().to_string(), "no column \"DateTime\" in the header");
    }
}
