//! `lookalike privatize`: what comes out.

use crate::common::{Folder, TWO, example, keys, records, texts};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use std::io::{Read, Write};

/// A folder with the mechanism of the two profiles and 1,000 records of theirs.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.csv", records(1000));
    folder
}

const RUN: &str = "privatize m.json data.csv --profile user --value load -o out.csv";

fn is_load(line: &str) -> bool {
    ["idle", "busy"].contains(&line)
}

#[test]
fn only_the_privatized_column_comes_out() {
    let folder = Folder::new();
    folder.design(&example("workstations/spec.toml"));
    let data = example("workstations/records.csv");
    let arguments = ["privatize", "m.json", data.to_str().unwrap(), "--profile", "user", "--value", "load"];
    let run = folder.run(arguments.into_iter().chain(["-o", "out.csv"])).exits(0);
    // No value of a profile, no count in what is released; the rest is for whoever has the records.
    let said = "Released 2400 rows at epsilon 1/2 for pairs of profiles.\nUp to 225 reports of one profile: epsilon 225/2 in sum \
                if an observer can link them and they are independent given the profile.\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", said));
    let text = folder.read("out.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    assert_eq!((header, rows.lines().count()), ("load", 2400));
    assert!(rows.lines().all(|row| ["idle", "light", "busy", "full"].contains(&row)));
}

#[test]
fn kept_columns_follow_in_clear_and_are_named_as_such() {
    let folder = folder();
    folder.write("data.csv", "day,user,load,room\nmon,ana,idle,\"a,b\"\ntue,bo,busy,\n");
    let run = folder.run(RUN.split(' ').chain(["--keep", "room,day"])).exits(0);
    assert!(run.stderr.ends_with("Released in clear, outside epsilon: room, day.\n"), "{}", run.stderr);
    let text = folder.read("out.csv");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "load,room,day");
    assert!(is_load(rows[1].strip_suffix(",\"a,b\",mon").unwrap()) && is_load(rows[2].strip_suffix(",,tue").unwrap()));
    let json = folder.run(RUN.split(' ').chain(["--keep", "room,day", "--force", "--json"])).exits(0).json();
    assert_eq!(texts(&json["released_in_clear"]), ["room", "day"]);
}

#[test]
fn the_private_column_and_the_profile_are_not_kept() {
    let folder = folder();
    let before = folder.names();
    for (option, parts) in [
        ("--keep load", &["--keep load", "private column"][..]),
        ("--keep user", &["--keep user", "the secret itself", "--keep-profile --unsafe"]),
        ("--keep-profile", &["--keep-profile", "needs --unsafe"]),
        ("--keep day,day", &["--keep day", "twice"]),
        ("--keep day", &["column \"day\": not found among the 2 columns of the first record", "--columns"]),
    ] {
        folder.words(&format!("{RUN} {option}")).fails_with(parts);
    }
    assert_eq!(folder.names(), before);
    let json = folder.words(&format!("{RUN} --keep-profile --unsafe --json")).exits(0).json();
    assert_eq!(texts(&json["released_in_clear"]), ["user"]);
    assert!(folder.read("out.csv").starts_with("load,user\n"));
}

#[test]
fn json_has_the_promised_keys() {
    let folder = folder();
    let json = folder.words(&format!("{RUN} --json")).exits(0).json();
    assert_eq!(keys(&json), ["rows", "seeded", "epsilon", "epsilon_text", "secrets", "released_in_clear"]);
    assert_eq!(
        (json["rows"].as_u64(), json["seeded"].as_bool(), json["epsilon"].as_f64()),
        (Some(1000), Some(false), Some(0.5))
    );
    assert_eq!(json["released_in_clear"].as_array().map(Vec::len), Some(0));
    folder.words(&RUN.replace("out.csv", "-")).exits(0);
    for stdout in ["-", "/dev/stdout"] {
        folder.words(&format!("{} --json", RUN.replace("out.csv", stdout))).fails_with(&["--json and -o -"]);
    }
}

#[test]
fn seeded_runs_are_equal_whatever_the_threads_and_say_so() {
    let folder = folder();
    // Three batches of 65,536 rows at most.
    folder.write("data.csv", records(150_000));
    let mut texts = Vec::new();
    for threads in ["1", "2"] {
        let run = folder.words(&format!("{RUN} --seed 7 --force --threads {threads}")).exits(0);
        assert!(run.stderr.contains("reproducible, hence not private"), "{}", run.stderr);
        texts.push(folder.read("out.csv"));
    }
    assert_eq!(texts[0], texts[1]);
    assert_eq!(folder.words(&format!("{RUN} --seed 7 --force --json")).exits(0).json()["seeded"], true);
    assert_eq!(folder.read("out.csv"), texts[0]);
    folder.words(&format!("{RUN} --seed 8 --force")).exits(0);
    assert_ne!(folder.read("out.csv"), texts[0]);
}

#[test]
fn runs_without_a_seed_differ() {
    // 1,000 rows, each kept with probability 0.67: two runs agree by chance once in 2^840 times.
    let folder = folder();
    let texts = [0, 1].map(|_| {
        let run = folder.words(&format!("{RUN} --force")).exits(0);
        assert!(!run.stderr.contains("eeded"));
        folder.read("out.csv")
    });
    assert_ne!(texts[0], texts[1]);
}

#[test]
fn the_law_of_the_output_is_the_one_that_design_prints() {
    let folder = folder();
    folder.write("data.csv", records(200_000));
    folder.words(&format!("{RUN} --seed 1")).exits(0);
    let profiles = folder.words("design spec.toml --json").exits(0).json()["profiles"].clone();
    let text = folder.read("out.csv");
    for (at, (profile, input)) in [("ana", "idle"), ("bo", "busy")].into_iter().enumerate() {
        assert_eq!(profiles[at]["name"], profile);
        let keep = profiles[at]["keep_probability"].as_f64().unwrap();
        let kept = text.lines().skip(1 + at).step_by(2).filter(|row| *row == input).count();
        let (expected, deviation) = (1e5 * keep, (1e5 * keep * (1.0 - keep)).sqrt());
        // Five standard deviations, twice: of all seeds about one in a million fails, and this one does not.
        assert!((kept as f64 - expected).abs() < 5.0 * deviation, "{profile}: kept {kept}, expected {expected}");
    }
}

#[test]
fn rows_sorted_by_profile_are_warned_of_and_shuffled_on_request() {
    let folder = folder();
    let rows = |name: &str, load: &str| (0..500).map(|at| format!("{name},{load},{at}\n")).collect::<String>();
    folder.write("data.csv", format!("user,load,id\n{}{}", rows("ana", "idle"), rows("bo", "busy")));
    folder.words(&format!("{RUN} --quiet")).exits(0).says(&["warning: the rows were sorted by profile", "--shuffle"]);
    let run = folder.words(&format!("{RUN} --shuffle --seed 1 --keep id --force")).exits(0);
    assert!(!run.stderr.contains("sorted"), "{}", run.stderr);
    let text = folder.read("out.csv");
    let ids: Vec<&str> = text.lines().skip(1).map(|row| row.split_once(',').unwrap().1).collect();
    let in_order: Vec<String> = (0..1000).map(|at| (at % 500).to_string()).collect();
    assert_ne!(ids, in_order);
    let sorted = |mut ids: Vec<u32>| {
        ids.sort();
        ids
    };
    assert_eq!(
        sorted(ids.iter().map(|id| id.parse().unwrap()).collect()),
        sorted((0..1000).map(|at| at % 500).collect())
    );
}

#[test]
fn unknown_values_take_the_place_that_was_named() {
    let folder = folder();
    // Without noise an unknown value comes out as the category that stands for it.
    folder.design_toml(&TWO.replace("[graph]", "cleo = [0.5, 0.5]\n[graph]"));
    folder.write("data.csv", "user,load\ncleo,asleep\ncleo,idle\n");
    folder.words(RUN).fails_with(&["data.csv: row 1, column \"load\": not one of the 2 categories", "--unknown"]);
    folder.words(&format!("{RUN} --unknown busy")).exits(0);
    assert_eq!(folder.read("out.csv"), "load\nbusy\nidle\n");
    folder
        .words(&format!("{RUN} --unknown asleep --force"))
        .fails_with(&["--unknown \"asleep\" is not a category, expected one of idle, busy"]);
}

#[test]
fn several_columns_make_one_joint_category() {
    let folder = Folder::new();
    folder.design_toml(&TWO.replace("\"idle\", \"busy\"", "\"low|on\", \"high|off\""));
    folder.write("data.csv", "cpu,user,fan\nlow,ana,on\nhigh,bo,off\n");
    folder.words("privatize m.json data.csv --profile user --value cpu,fan -o out.csv").exits(0);
    let text = folder.read("out.csv");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!((rows[0], rows.len()), ("cpu|fan", 3));
    assert!(rows[1..].iter().all(|row| ["low|on", "high|off"].contains(row)));
    folder
        .words("privatize m.json data.csv --profile user --value cpu,fan --keep fan -o no.csv")
        .fails_with(&["--keep fan"]);
    folder.write("data.csv", "cpu,user,fan\nlow,ana,off\n");
    let run = folder.words("privatize m.json data.csv --profile user --value cpu,fan -o no.csv");
    run.fails_with(&["row 1, columns \"cpu\", \"fan\": not one of the 2 categories"]);
}

#[test]
fn numbers_go_into_bins() {
    let folder = Folder::new();
    let spec = TWO.replace("categories = [\"idle\", \"busy\"]", "bins = [0, 0.5]");
    folder.design_toml(&spec.replace("[graph]", "cleo = [0.5, 0.5]\n[graph]"));
    folder.write("data.csv", "user,load\ncleo,0\ncleo,0.4999999999999999999999\ncleo,0.5\ncleo,1e9\n");
    folder.words(RUN).exits(0);
    assert_eq!(folder.read("out.csv"), "load\n0..1/2\n0..1/2\n1/2..\n1/2..\n");
    folder.write("data.csv", "user,load\ncleo,0\ncleo,-0.1\n");
    folder.words(&format!("{RUN} --force")).fails_with(&["row 2, column \"load\""]);
}

#[test]
fn headers_delimiters_and_blanks_are_as_told() {
    let folder = folder();
    folder.write("data.csv", "mon\tana\tidle\ntue\tbo\tbusy\n");
    folder.words(&format!("{RUN} --delimiter tab --columns day,user,load --keep day")).exits(0);
    let text = folder.read("out.csv");
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows.len() == 2 && rows[0].ends_with("\tmon") && rows[1].ends_with("\ttue"), "no header in, none out");
    folder.write("data.csv", "user , load\n ana,idle \nbo ,  busy\n");
    folder.words(&format!("{RUN} --force")).fails_with(&["column \"user\": not found"]);
    folder.words(&format!("{RUN} --force --trim")).exits(0);
    assert!(folder.read("out.csv").lines().skip(1).all(is_load));
    folder.words(&format!("{RUN} --force --delimiter ab")).fails_with(&["'ab'", "one character, or tab"]);
}

#[test]
fn gzip_is_read_as_it_comes_and_written_by_name() {
    let folder = folder();
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(records(1000).as_bytes()).unwrap();
    folder.write("data.csv.gz", packed.finish().unwrap());
    folder.words(&format!("{RUN} --seed 5")).exits(0);
    folder.words("privatize m.json data.csv.gz --profile user --value load -o out.csv.gz --seed 5").exits(0);
    let (mut text, file) = (String::new(), std::fs::File::open(folder.path("out.csv.gz")).unwrap());
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    assert_eq!(text, folder.read("out.csv"));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = folder();
    folder.words(&format!("{RUN} --seed 5")).exits(0);
    let arguments = "privatize m.json - --profile user --value load -o - --seed 5".split(' ');
    let run = folder.run_on(arguments, records(1000)).exits(0).says(&["Released 1000 rows", "seeded with"]);
    assert_eq!(run.stdout, folder.read("out.csv"));
}

#[test]
fn one_channel_for_all_needs_no_profile_column() {
    let folder = Folder::new();
    folder.design_toml(&TWO.replace("[profiles]", "channel = \"shared\"\n[profiles]"));
    folder.write("data.csv", "load\nidle\nbusy\n");
    folder.words("privatize m.json data.csv --value load -o out.csv").exits(0);
    assert_eq!(folder.read("out.csv").lines().count(), 3);
}
