//! What the order of rows tells, for every kind of mechanism: said on the terminal, and nowhere else.

use crate::common::{Folder, Random, TWO};
use std::cell::RefCell;

const COLOURS: [&str; 3] = ["red", "green", "blue"];

/// A column of so many rows; row i has the entry that `entry` names.
fn column(name: &str, rows: usize, entry: impl Fn(usize) -> String) -> String {
    (0..rows).fold(format!("{name}\n"), |text, row| text + &entry(row) + "\n")
}

/// 900 rows, the first third red, the second green, the last blue.
fn sorted() -> String {
    column("colour", 900, |row| COLOURS[row / 300].to_owned())
}

/// The same number of rows in a random order, by a fixed seed; one seed in a million would be warned of.
fn unsorted() -> String {
    let random = RefCell::new(Random(1));
    column("colour", 900, |_| COLOURS[random.borrow_mut().below(3) as usize].to_owned())
}

#[test]
fn rows_sorted_by_value_are_warned_of_for_values_and_oracles() {
    const WARNING: &str = "warning: the rows were sorted by value, so their order reveals it (--shuffle releases them";
    let folder = Folder::new();
    folder.write("sorted.csv", sorted());
    folder.write("unsorted.csv", unsorted());
    for oracle in ["k-rr", "oue", "olh"] {
        let line =
            format!("local design --categories red,green,blue --epsilon ln(3) --oracle {oracle} -o m.json --force");
        folder.words(&line).exits(0);
        let privatize = "privatize m.json sorted.csv --value colour -o out.csv --force";
        folder.words(&format!("{privatize} --quiet")).exits(0).says(&[WARNING]);
        let shuffled = folder.words(&format!("{privatize} --shuffle")).exits(0).stderr;
        assert!(!shuffled.contains("warning"), "{shuffled}");
        let random = folder.words(&privatize.replace("sorted", "unsorted")).exits(0).stderr;
        assert!(!random.contains("warning"), "{random}");
        // What may be kept or passed on says nothing of the input.
        let json = folder.words(&format!("{privatize} --json")).exits(0).says(&[WARNING]).stdout;
        assert!(!json.contains("sorted"), "{json}");
        assert!(!folder.read("out.csv").contains("sorted"));
    }
}

#[test]
fn order_is_seen_under_one_channel_for_all_profiles() {
    let folder = Folder::new();
    folder.design_toml(&TWO.replace("[profiles]", "channel = \"shared\"\n[profiles]"));
    let privatize = "privatize m.json data.csv --value load -o out.csv --force";
    folder.write("data.csv", column("load", 600, |row| ["idle", "busy"][row / 300].to_owned()));
    folder.words(privatize).exits(0).says(&["warning: the rows were sorted by value"]);
    folder.write("data.csv", column("load", 600, |row| ["idle", "busy"][row / 20 % 2].to_owned()));
    folder.words(privatize).exits(0).says(&["warning: rows of the same value stand together"]);
}

#[test]
fn profiles_that_take_turns_are_warned_of() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.csv", column("user,load", 600, |row| format!("{},idle", ["ana", "bo"][row % 2])));
    let privatize = "privatize m.json data.csv --profile user --value load -o out.csv --force";
    let run = folder.words(privatize).exits(0);
    let run = run.says(&["warning: the profile follows a pattern that comes round", "--shuffle"]);
    assert!(!run.stderr.contains("ana") && !run.stderr.contains("idle"), "{}", run.stderr);
    let shuffled = folder.words(&format!("{privatize} --shuffle")).exits(0).stderr;
    assert!(!shuffled.contains("warning"), "{shuffled}");
}

#[test]
fn numbers_and_places_in_order_are_warned_of() {
    let folder = Folder::new();
    folder.words("noise design --epsilon 1 --sensitivity 1 -o m.json").exits(0);
    folder.write("data.csv", column("income", 50, |row| (row * row).to_string()));
    folder
        .words("privatize m.json data.csv --value income -o out.csv")
        .exits(0)
        .says(&["the rows were sorted by value"]);
    // A boat that goes to and fro.
    let design = "geo design --origin 45.07,7.69 --extent 10km --epsilon ln(4)/200 -o places.json";
    folder.words(design).exits(0);
    let place = |row: usize| {
        let along = (row % 400).min(400 - row % 400);
        format!("{},{}", 45.07 + along as f64 * 1e-4, 7.69 + along as f64 * 1e-4)
    };
    folder.write("places.csv", column("latitude,longitude", 1000, place));
    let run = folder.words("geo privatize places.json places.csv -o places-out.csv").exits(0);
    run.says(&["rows of the same place stand together"]);
}

#[test]
fn counts_in_order_are_warned_of() {
    let folder = Folder::new();
    folder.words("counts design --n 4 --alpha 0.9 --mechanism gm -o m.json").exits(0);
    folder.write("data.csv", column("ill", 500, |row| (row / 100).to_string()));
    folder.words("privatize m.json data.csv --value ill -o out.csv").exits(0).says(&["the rows were sorted by value"]);
}
