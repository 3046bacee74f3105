//! Data like those of the experiments, of people and homes that do not exist.

use lookalike_experiments::{Data, DataSet};
use std::fmt::Write;

/// So many lines of a file like `adult.data`, with its empty last line.
pub fn people(count: u32) -> String {
    let mut text = String::new();
    for at in 0..count {
        // Any mixture will do, as long as neighbours differ.
        let mixed = at.wrapping_mul(2_654_435_761) >> 16;
        let age = 17 + mixed % 40;
        let sex = if mixed.is_multiple_of(3) { "Female" } else { "Male" };
        let income = if mixed.is_multiple_of(5) { ">50K" } else { "<=50K" };
        let race = ["White", "Black", "Other"][mixed as usize / 3 % 3];
        let hours = 10 + mixed / 2 % 60;
        writeln!(
            text,
            "{age}, Private, {at}, HS-grad, 9, Divorced, ?, Unmarried, {race}, {sex}, 0, 0, {hours}, ?, {income}"
        )
        .unwrap();
    }
    text + "\n"
}

/// All of them.
pub fn invented() -> Data {
    let mut data = Data::default();
    for (set, text) in [
        (DataSet::Adult, people(100)),
        (DataSet::Activity, activities(40)),
        (DataSet::Electricity, hours(240)),
        (DataSet::Ordonez, days(12)),
        (DataSet::Tracks, tracks(12)),
    ] {
        data.parse(set, &text).unwrap();
    }
    data
}

/// A number below `below` for each place, without an order that shows.
fn mixed(at: u32, below: u32) -> u32 {
    (at.wrapping_mul(2_654_435_761) >> 16) % below
}

/// Trials in two rooms with a reading about every 10 seconds and a gap in each third trial.
pub fn activities(trials: u32) -> String {
    let mut text = "room,trial,sex,seconds,activity\n".to_owned();
    for trial in 0..trials {
        let (room, sex) = (1 + trial % 2, if trial % 4 < 2 { "F" } else { "M" });
        let mut activity = mixed(trial, 4);
        for reading in 0..60 {
            if mixed(trial * 60 + reading, 3) == 0 {
                activity = (activity + 1 + mixed(reading, 2)) % 4;
            }
            let seconds = f64::from(reading) * 9.75 + if trial % 3 == 0 && reading > 30 { 100.0 } else { 0.0 };
            writeln!(text, "{room},p{trial:02},{sex},{seconds},{}", activity + 1).unwrap();
        }
    }
    text
}

/// Hours of a home that uses little, and at times much.
pub fn hours(count: u32) -> String {
    let mut text = "DateTime,Consumption kWh,Off-peak,Mid-peak,On-peak\n".to_owned();
    for at in 0..count {
        let (day, hour) = (at / 24 + 1, (at + 1) % 24);
        let hundredths = 15 + mixed(at, 40) + if mixed(at, 13) == 0 { 150 } else { 0 };
        writeln!(text, "12/{day:02}/2011 {hour:02}:00:00,{}.{:02},1,0,0", hundredths / 100, hundredths % 100).unwrap();
    }
    text
}

/// Days of a person who sleeps, eats and reads by turns.
pub fn days(count: u32) -> String {
    let mut text = "Start time\tEnd time\tActivity\n----------\t--------\t--------\n".to_owned();
    for at in 0..count * 24 {
        let (day, hour, minute) = (1 + at / 24, at % 24, mixed(at, 20));
        let activity = ["Sleeping", "Eating", "Reading"][mixed(at, 3) as usize];
        let date = format!("2011-11-{day:02}");
        writeln!(text, "{date} {hour:02}:{minute:02}:00\t\t{date} {hour:02}:{:02}:00\t{activity}\t", minute + 15)
            .unwrap();
    }
    text
}

/// Trips of fifty fixes each about one place in Aracaju; the last fix of each fourth trip is far away.
pub fn tracks(count: u32) -> String {
    let mut text = "latitude,longitude,track_id,time\n".to_owned();
    for track in 1..=count {
        let mut ten_thousandths = [mixed(track, 600), mixed(track + count, 400)];
        for fix in 0..50 {
            for (axis, place) in ten_thousandths.iter_mut().enumerate() {
                *place += mixed(100 * track + 2 * fix + axis as u32, 9);
            }
            let degrees = |origin: f64, by: u32| origin + f64::from(by) / 1e4;
            let far = if fix == 49 && track.is_multiple_of(4) { -10.0 } else { 0.0 };
            let [north, east] = ten_thousandths;
            writeln!(
                text,
                "{:.4},{:.4},{track},2014-09-13 07:24:{fix:02}",
                degrees(-10.99 + far, north),
                degrees(-37.09, east)
            )
            .unwrap();
        }
    }
    text
}
