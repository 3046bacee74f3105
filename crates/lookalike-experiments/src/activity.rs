//! The activities of older people as sequences of states.

use crate::sequences::{Group, Sequences, sampled};
use lookalike_formats::{Error, Result};

/// The activities 1 to 4.
const ACTIVITIES: [&str; 4] = ["sits on the bed", "sits on a chair", "lies", "walks"];
const COLUMNS: [&str; 5] = ["room", "trial", "sex", "seconds", "activity"];
/// Readings come at irregular moments, up to twenty a second: a node is the state every so many seconds.
const STEP: f64 = 10.0;
/// After so many seconds without a reading a new sequence begins.
const GAP: f64 = 60.0;

/// One row.
struct Reading {
    group: String,
    trial: String,
    seconds: f64,
    activity: u32,
}

/// The sequences of a text under the header room, trial, sex, seconds, activity: a group for each room and sex.
///
/// # Errors
/// Another header, or a field that is not what its column says; the error names row and column, and no content.
pub(crate) fn parse(text: &str) -> Result<Sequences> {
    let readings = readings(text)?;
    let mut groups: Vec<Group> = Vec::new();
    for trial in readings.chunk_by(|a, b| a.group == b.group && a.trial == b.trial) {
        let name = &trial[0].group;
        let at = groups.iter().position(|group| group.name == *name).unwrap_or_else(|| {
            groups.push(Group { name: name.clone(), sequences: Vec::new() });
            groups.len() - 1
        });
        groups[at].sequences.extend(sequences(trial));
    }
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Sequences { states: ACTIVITIES.map(str::to_owned).to_vec(), groups })
}

/// The sequences of one trial: the activity every [`STEP`], without the gaps.
fn sequences(trial: &[Reading]) -> impl Iterator<Item = Vec<u32>> {
    trial.chunk_by(|a, b| b.seconds - a.seconds <= GAP).map(|readings| {
        let changes: Vec<(f64, u32)> = readings.iter().map(|reading| (reading.seconds, reading.activity)).collect();
        sampled(&changes, changes[changes.len() - 1].0, STEP)
    })
}

fn readings(text: &str) -> Result<Vec<Reading>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| Error::input("no header"))?;
    if header != COLUMNS.as_slice() {
        return Err(Error::input(format!("another header, expected {}", COLUMNS.join(","))));
    }
    let mut readings: Vec<Reading> = Vec::new();
    for (row, record) in (1..).zip(reader.records()) {
        let record =
            record.map_err(|_| Error::input("another number of fields, expected 5").at(format_args!("row {row}")))?;
        let wrong = |column: usize, expected: &str| {
            Error::input(format!("not {expected}")).at(format_args!("row {row}, column {:?}", COLUMNS[column]))
        };
        let sex = match &record[2] {
            "F" => "women",
            "M" => "men",
            _ => return Err(wrong(2, "F or M")),
        };
        let seconds: f64 = record[3].parse().map_err(|_| wrong(3, "a number"))?;
        let group =
            format!("room {} {sex}", record[0].parse::<u8>().map_err(|_| wrong(0, "a whole number up to 255"))?);
        let activity: u32 = record[4].parse().map_err(|_| wrong(4, "1, 2, 3 or 4"))?;
        if !(1..=4).contains(&activity) {
            return Err(wrong(4, "1, 2, 3 or 4"));
        }
        let trial = record[1].to_owned();
        let before = readings.last().filter(|last| last.group == group && last.trial == trial);
        let earliest = before.map_or(0.0, |last| last.seconds);
        // A day is far more than a trial takes.
        if !(earliest..=86_400.0).contains(&seconds) {
            return Err(wrong(3, "in ascending order within a trial, from 0 to 86400"));
        }
        readings.push(Reading { group, trial, seconds, activity: activity - 1 });
    }
    if readings.is_empty() {
        return Err(Error::input("no readings"));
    }
    Ok(readings)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "room,trial,sex,seconds,activity\n";

    #[test]
    fn trials_are_sampled_and_gaps_begin_new_sequences() {
        let rows =
            "1,p01,M,0,1\n1,p01,M,9.5,2\n1,p01,M,10.5,3\n1,p01,M,70.5,4\n1,p01,M,131,1\n1,p02,F,0,4\n2,p01,M,0,2\n";
        let found = parse(&format!("{HEADER}{rows}1,p03,M,3,1\n")).unwrap();
        let groups: Vec<(&str, &[Vec<u32>])> =
            found.groups.iter().map(|group| (group.name.as_str(), group.sequences.as_slice())).collect();
        assert_eq!(
            groups,
            [
                ("room 1 men", &[vec![0, 1, 2, 2, 2, 2, 2, 2], vec![0], vec![0]][..]),
                ("room 1 women", &[vec![3]][..]),
                ("room 2 men", &[vec![1]][..]),
            ]
        );
        assert_eq!((found.groups[0].nodes(), found.groups[0].longest()), (10, 8));
        assert_eq!(found.groups[0].counts(4), [3, 1, 6, 0]);
    }

    #[test]
    fn what_is_not_the_file_is_refused_by_row_and_column_and_not_shown() {
        for (rows, expected) in [
            ("1,p01,M,0,1\n1,p01,M,SECRET,1\n", "row 2, column \"seconds\": not a number"),
            (
                "1,p01,M,5,1\n1,p01,M,4,1\n",
                "row 2, column \"seconds\": not in ascending order within a trial, from 0 to 86400",
            ),
            ("1,p01,M,NaN,1\n", "row 1, column \"seconds\": not in ascending order within a trial, from 0 to 86400"),
            ("1,p01,M,0,5\n", "row 1, column \"activity\": not 1, 2, 3 or 4"),
            ("1,p01,SECRET,0,1\n", "row 1, column \"sex\": not F or M"),
            ("SECRET,p01,F,0,1\n", "row 1, column \"room\": not a whole number up to 255"),
            ("1,p01,F,0\n", "row 1: another number of fields, expected 5"),
            ("", "no readings"),
        ] {
            assert_eq!(parse(&format!("{HEADER}{rows}")).unwrap_err().to_string(), expected);
        }
        assert_eq!(parse("a,b\n").unwrap_err().to_string(), format!("another header, expected {}", HEADER.trim_end()));
    }
}
