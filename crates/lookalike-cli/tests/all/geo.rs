//! `lookalike geo`.

use crate::common::{Folder, example, golden, keys};
use serde_json::{Value, json};

const ORIGIN: &str = "--origin 57.2,19.5";
/// Places that are private: no message shows them.
const PRIVATE: [&str; 2] = ["57.2123", "19.5123"];

fn with_noise() -> Folder {
    let folder = Folder::new();
    folder.words(&format!("geo design {ORIGIN} --extent 10km --epsilon ln(4)/200 -o m.json")).exits(0);
    folder
}

fn with_cells(more: &str) -> Folder {
    let folder = Folder::new();
    let cells = "--cells 4x3 --step 800m --epsilon ln(2)/800m -o m.json";
    folder.words(&format!("geo design {ORIGIN} {cells} {more}")).exits(0);
    folder
}

fn trip(name: &str) -> String {
    example(&format!("places/{name}")).display().to_string()
}

/// The two columns of a table of places, header left out.
fn places(text: &str) -> Vec<[f64; 2]> {
    let row = |line: &str| {
        let mut fields = line.split(',').map(|field| field.parse().unwrap());
        [fields.next().unwrap(), fields.next().unwrap()]
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn noise_is_designed_and_says_what_it_promises() {
    let folder = Folder::new();
    let design = format!("geo design {ORIGIN} --extent 10km");
    golden("geo-design.txt", &folder.words(&format!("{design} --level ln(4) --radius 200m -o m.json")).exits(0).stdout);
    let object = folder.words(&format!("{design} --epsilon ln(4)/0.2km --json")).exits(0).json();
    let expected = [
        "mechanism",
        "epsilon_per_metre",
        "epsilon_text",
        "origin",
        "half_width",
        "grid",
        "resolution",
        "stretch",
        "moved",
        "certificate",
        "file",
    ];
    assert_eq!(keys(&object), expected);
    assert_eq!(object["epsilon_text"], "1/100*ln(2)");
    assert!((object["moved"]["mean"].as_f64().unwrap() - 288.54).abs() < 0.01, "{object}");
    // With a radius the rounding is counted in, so that a little more noise is needed.
    let counted = folder.words(&format!("{design} --level ln(4) --radius 200m --json")).exits(0).json();
    let (metre, radius) = (&object["epsilon_per_metre"], &counted["epsilon_per_metre"]);
    assert!(radius.as_f64() < metre.as_f64(), "{radius} {metre}");
    folder.words("certify m.json").exits(0);
    let coarse = folder.words(&format!("{design} --epsilon 5/km --grid 8 --json")).exits(0).json();
    assert_eq!(coarse["grid"], "8");
}

#[test]
fn a_claim_that_is_false_is_not_used() {
    let folder = with_noise();
    let mut file = folder.json("m.json");
    file["epsilon"] = json!("1/101*ln(2)");
    folder.write("false.json", file.to_string());
    folder.write("a.csv", "lat,lon\n57.2,19.5\n");
    for line in ["geo privatize false.json a.csv -o b.csv", "geo errors false.json", "geo map false.json -o map.svg"] {
        folder.words(line).exits(1).says(&["not private", "exceeds epsilon"]);
    }
    assert_eq!(folder.names(), ["a.csv", "false.json", "m.json"]);
}

#[test]
fn cells_are_designed_in_each_way_and_the_optimum_is_the_best() {
    let folder = Folder::new();
    let design = format!("geo design {ORIGIN} --cells 4x3 --step 800m --epsilon ln(2)/800m");
    golden("geo-cells.txt", &folder.words(&format!("{design} -o m.json")).exits(0).stdout);
    assert_eq!(
        folder.json("m.json")["places"],
        json!({ "origin": ["286/5", "39/2"], "columns": 4, "rows": 3, "step": "800" })
    );
    let value = |more: &str| {
        let object = folder.words(&format!("{design} --json {more}")).exits(0).json();
        assert_eq!(object["pairs"], 66, "{object}");
        object["objective"]["value"].as_f64().unwrap()
    };
    let optimal = value("");
    for other in ["--mechanism planar", "--mechanism truncated", "--spanner 1.3"] {
        assert!(value(other) > optimal + 1.0, "{other}");
    }
    let truncated = folder.words(&format!("{design} --mechanism truncated")).exits(0).stdout;
    assert!(truncated.contains("of epsilon: cut off at the edges"), "{truncated}");
    let object = folder.words(&format!("{design} --loss within:800m --json")).exits(0).json();
    assert_eq!(object["objective"]["name"], "within:800m");
    assert!(object["objective"]["value"].as_f64().unwrap() < 1.0);
}

#[test]
fn cells_that_are_coarse_for_epsilon_are_warned_of() {
    let folder = Folder::new();
    let design = format!("geo design {ORIGIN} --cells 3x2 --step 2km");
    let run = folder.words(&format!("{design} --epsilon 5/km")).exits(0);
    run.says(&["warning: cells of 2 km are coarse for this epsilon", "only 14.1422-alike"]);
    assert_eq!(folder.words(&format!("{design} --level 1 --radius 200m")).exits(0).stderr, "");
}

#[test]
fn pairs_within_a_radius_say_that_they_promise_less() {
    let folder = Folder::new();
    let design = format!("geo design {ORIGIN} --cells 4x3 --step 800m --level ln(2)");
    golden("geo-within.txt", &folder.words(&format!("{design} --within 800m -o m.json")).exits(0).stdout);
    assert_eq!(folder.json("m.json")["edges"].as_array().unwrap().len(), 17);
    // Of the same level the radius promises more, and costs more.
    let value = |more: &str| {
        let object = folder.words(&format!("{design} {more} --json")).exits(0).json();
        object["objective"]["value"].as_f64().unwrap()
    };
    assert!(value("--within 800m") < value("--radius 800m"));
}

#[test]
fn places_go_through_tables_and_geojson_and_a_seed_repeats_them() {
    let folder = with_noise();
    let (csv, geojson) = (trip("trip.csv"), trip("trip.geojson"));
    let run = folder.words(&format!("geo privatize m.json {csv} -o a.csv --seed 7")).exits(0);
    assert_eq!(run.stdout, "");
    let warnings =
        ["all 48 together 48 times", "seeded with 7", "Released 48 rows, each at epsilon 1/100*ln(2) for each metre"];
    run.says(&warnings);
    let first = folder.read("a.csv");
    assert!(first.starts_with("latitude,longitude\n") && first.lines().count() == 49);
    // By way of Parquet and Arrow nothing changes.
    for name in ["a.parquet", "a.arrow"] {
        folder.words(&format!("geo privatize m.json {csv} -o {name} --seed 7")).exits(0);
        // What was released lies in the region, so that it can go through again, and is read as it was written.
        folder.words(&format!("geo privatize m.json {name} -o again.csv --force --seed 8")).exits(0);
        folder.words("geo privatize m.json a.csv -o again2.csv --force --seed 8").exits(0);
        assert_eq!(folder.read("again.csv"), folder.read("again2.csv"), "{name}");
    }
    let run = folder.words(&format!("geo privatize m.json {geojson} -o a.geojson --seed 7 --keep boat")).exits(0);
    run.says(&[
        "the longest feature has 48 positions, which cost 48 times",
        "Released in clear, outside epsilon: boat.",
    ]);
    let feature = folder.json("a.geojson");
    assert_eq!(feature["properties"], json!({ "boat": "Seagull" }));
    let position = |place: &Value| [place[1].as_f64().unwrap(), place[0].as_f64().unwrap()];
    let released: Vec<[f64; 2]> = feature["geometry"]["coordinates"].as_array().unwrap().iter().map(position).collect();
    assert_eq!(released, places(&first), "the same draws as for the table");
    folder.words(&format!("geo privatize m.json {csv} -o other.csv --seed 8")).exits(0);
    assert!(folder.read("other.csv") != first);
}

#[test]
fn pipes_keep_and_shuffle_work_as_elsewhere() {
    let folder = with_noise();
    let table = "when,lat,lng\n1,57.2,19.5\n2,57.21,19.51\n3,57.22,19.52\n";
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let run = folder.run_on(words("geo privatize m.json - -o - --keep when --shuffle --seed 3"), table).exits(0);
    let mut kept: Vec<&str> = run.stdout.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
    kept.sort_unstable();
    assert_eq!(kept, ["1", "2", "3"]);
    run.says(&["Released in clear, outside epsilon: when."]);
    let line = r#"{"type":"Point","coordinates":[19.5,57.2]}"#;
    let run = folder.run_on(words("geo privatize m.json - --geojson lines -o -"), format!("{line}\n{line}\n")).exits(0);
    assert_eq!(run.stdout.lines().filter(|line| line.contains("\"Point\"")).count(), 2, "{}", run.stdout);
    folder.write("a.csv", table);
    let object = folder.words("geo privatize m.json a.csv -o b.csv --json").exits(0).json();
    assert_eq!(keys(&object), ["seeded", "released_in_clear", "rows", "epsilon_per_metre", "epsilon_text"]);
    folder.words("geo privatize m.json a.csv -o b.csv").fails_with(&["b.csv: exists already", "--force"]);
    folder.words("geo privatize m.json a.csv -o - --json").fails_with(&["--json and -o -"]);
}

#[test]
fn cells_release_middles_of_cells() {
    let folder = with_cells("--mechanism planar");
    let csv = trip("trip.csv");
    let run = folder.words(&format!("geo privatize m.json {csv} -o a.csv --seed 7")).exits(0);
    run.says(&[
        "Released 48 rows, each at epsilon 1/800*ln(2) for each metre, between cells of 800 m: two places d metres apart are \
         epsilon*(d + 1131.3709)-alike.",
    ]);
    let mut middles = folder.read("a.csv").lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    middles.sort();
    middles.dedup();
    assert!((2..=12).contains(&middles.len()), "{middles:?}");
}

#[test]
fn a_file_of_cells_is_read_for_what_it_claims_in_metres() {
    let folder = with_cells("--mechanism planar");
    let csv = trip("trip.csv");
    let mut file: serde_json::Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    // The same claims between cells that are said to be a hundredth as long are a hundred times as much for each metre.
    file["places"]["step"] = "8".into();
    folder.write("short.json", file.to_string());
    folder.words("certify short.json").exits(0).says(&["epsilon about 8.664e-2 for each metre", "cells of 8 m"]);
    // A claim of one pair is no claim about the others: not a row is released.
    file["places"]["step"] = "800".into();
    let edge = file["edges"][0].clone();
    file["edges"] = serde_json::json!([edge]);
    folder.write("one.json", file.to_string());
    folder.words("certify one.json").exits(0).says(&["for 1 of 66 pairs"]);
    folder.words(&format!("geo privatize one.json {csv} -o a.csv")).fails_with(&[
        "one.json",
        "is not claimed to look like cell \"0,0\"",
        "expected a claim that connects all cells",
    ]);
    assert!(!folder.path("a.csv").exists());
}

#[test]
fn a_remap_costs_less_at_the_same_claim() {
    let folder = with_cells("--mechanism planar");
    let object = folder.words("geo remap m.json -o better.json --json").exits(0).json();
    assert!(object["after"].as_f64().unwrap() < object["before"].as_f64().unwrap(), "{object}");
    let (before, after) = (folder.json("m.json"), folder.json("better.json"));
    assert_eq!((&before["edges"], &before["places"]), (&after["edges"], &after["places"]));
    folder.words("certify better.json").exits(0);
    let seen = trip("seen.csv");
    let text = folder.words(&format!("geo remap m.json --prior {seen} --loss squared")).exits(0).stdout;
    assert!(text.starts_with("Expected squared distance: ") && text.contains("certified"), "{text}");
    with_noise().words("geo remap m.json").fails_with(&["m.json: remap is for mechanisms between cells"]);
}

#[test]
fn errors_are_a_table_and_follow_the_prior() {
    let noise = with_noise();
    golden("geo-errors.txt", &noise.words("geo errors m.json").exits(0).stdout);
    noise.words("geo errors m.json --prior x.csv").fails_with(&["--prior is for cells"]);
    let cells = with_cells("");
    let mean =
        |more: &str| cells.words(&format!("geo errors m.json --json {more}")).exits(0).json()["moved"]["mean"].clone();
    cells.write("corner.csv", "lat,lon\n57.19,19.48\n57.1901,19.4801\n");
    assert!(mean("--data corner.csv").as_f64() > mean("").as_f64(), "the corner is moved farther");
    cells.words("geo errors m.json --data corner.csv").exits(0).says(&["as private as they are"]);
    cells.write("far.csv", "lat,lon\n57.2,19.5\n58,19.5\n");
    cells.words("geo errors m.json --prior far.csv").exits(0).says(&["1 of 2 places are outside the grid"]);
    cells.words("geo errors m.json --data far.csv").fails_with(&["far.csv: ", "some outside the grid"]);
}

#[test]
fn maps_are_pictures_and_those_of_tracks_are_private() {
    let folder = with_noise();
    folder.words("geo map m.json -o m.svg").exits(0);
    folder.words("geo map m.json --at 57.21,19.49 -o at.svg").exits(0);
    assert!(folder.read("m.svg").starts_with("<svg") && folder.read("m.svg").contains("half of all releases"));
    let csv = trip("trip.csv");
    let run = folder.words(&format!("geo map --track {csv} {csv} -o tracks.svg --json")).exits(0);
    assert_eq!(run.json()["file"], "tracks.svg");
    run.says(&["is private, and so is the picture"]);
    folder.words("geo map m.json --cell 1,1 -o x.svg").fails_with(&["--cell is for cells"]);
    folder.words("geo map m.json --at 0,0 -o x.svg").fails_with(&["--at: a place outside the region"]);
    let cells = with_cells("");
    cells.words("geo map m.json -o a.svg").exits(0);
    cells.words("geo map m.json --cell 0,2 -o b.svg").exits(0);
    assert!(cells.read("b.svg").contains("What is released for cell 0,2"));
    cells
        .words("geo map m.json --cell 4,0 -o x.svg")
        .fails_with(&["m.json: --cell: not a cell of the grid, expected one of 4x3"]);
    cells.words("geo map m.json --cell 1 -o x.svg").fails_with(&["--cell: no cell", "like 3,4"]);
}

#[test]
fn other_verbs_take_these_files_or_say_who_does() {
    let (noise, cells) = (with_noise(), with_cells(""));
    for folder in [&noise, &cells] {
        folder.write("a.csv", "lat,lon\n57.2,19.5\n");
        folder.words("privatize m.json a.csv -o b.csv").fails_with(&["m.json: this ", "lookalike geo privatize"]);
        folder.words("certify m.json").exits(0);
        folder.words("report m.json").exits(0);
        let audit = folder.words("audit m.json --draws 20000 --seed 1").exits(0).stdout;
        assert!(audit.starts_with("No evidence against"), "{audit}");
        folder.words("noise design --epsilon 1 --sensitivity 1 -o n.json").exits(0);
        folder
            .words("geo privatize n.json a.csv -o b.csv")
            .fails_with(&["n.json: ", "of the kind noise and not of places"]);
    }
    noise
        .words("report m.json -o b.html --audit x.json")
        .fails_with(&["--audit is shown for channels", "noise on places"]);
    assert!(noise.read("report.html").contains("Privacy report: places with noise"));
}

#[test]
fn designs_that_make_no_sense_are_refused_with_the_way_out() {
    let folder = Folder::new();
    for (line, parts) in [
        ("--origin 90,0 --extent 1km --epsilon 5/km", &["--origin and --extent", "too near a pole"][..]),
        ("--origin 145.07,7.69 --extent 1km --epsilon 5/km", &["beyond 90: expected LATITUDE,LONGITUDE"]),
        ("--origin 45,7 --extent 1km --epsilon 5", &["is it per kilometre? write 5/km"]),
        ("--origin 45,7 --extent 1km --epsilon -5/km", &["above 0"]),
        ("--origin 45,7 --extent 1deg --epsilon 5/km", &["degrees are no length"]),
        ("--origin 45,7 --extent 1mi --epsilon 5/km", &["1 mi is 1609.344 m"]),
        ("--origin 45,7 --extent -1km --epsilon 5/km", &["above 0"]),
        ("--origin 45,7 --extent 1km", &["--epsilon E for each metre, or --level L with --radius R"]),
        ("--origin 45,7 --extent 1km --level 1", &["how far apart? expected --radius R"]),
        ("--origin 45,7 --extent 1km --radius 200m", &["--level <L>"]),
        ("--origin 45,7 --extent 1km --level 1 --within 200m", &["--cells <CxR>"]),
        ("--origin 45,7 --extent 1km --epsilon 5/km --grid 3", &["power of two"]),
        ("--origin 45,7 --extent 1km --epsilon 5/km --loss squared", &["--loss is for cells"]),
        ("--origin 45,7 --epsilon 5/km", &["--extent <LENGTH>"]),
        ("--origin 45,7 --cells 3x3 --epsilon 5/km", &["--step <LENGTH>"]),
        ("--origin 45,7 --cells 3 --step 1km --epsilon 5/km", &["columns and rows like 10x8"]),
        ("--origin 45,7 --cells 99x99 --step 1km --epsilon 5/km", &["at most 1024"]),
        (
            "--origin 45,7 --cells 3x3 --step 1km --level 1 --within 200m",
            &["--within 200 m is shorter than the step of 1 km"],
        ),
        ("--origin 45,7 --cells 3x3 --step 1km --level 1 --within 1km --mechanism planar", &["--mechanism optimal"]),
        ("--origin 45,7 --cells 3x3 --step 1km --epsilon 5/km --spanner 0.5", &["expected at least 1"]),
        ("--origin 45,7 --cells 3x3 --step 1km --epsilon 5/km --mechanism best", &["optimal, planar or truncated"]),
        ("--origin 45,7 --cells 3x3 --step 1km --epsilon 5/km --loss l1", &["euclidean, squared or within:200m"]),
    ] {
        folder.words(&format!("geo design {line} -o m.json")).fails_with(parts);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn places_that_are_none_are_named_by_their_row_and_never_shown() {
    let folder = with_noise();
    let [latitude, longitude] = PRIVATE;
    let good = "57.2,19.5";
    let refuse = |text: String, parts: &[&str]| {
        folder.write("a.csv", text);
        let run = folder.words("geo privatize m.json a.csv -o b.csv").fails_with(parts);
        assert!(PRIVATE.iter().all(|place| !run.stderr.contains(place)), "{}", run.stderr);
    };
    refuse(format!("lat,lon\n{longitude},{latitude}\n"), &["a.csv: row 1", "seem to be swapped"]);
    refuse(format!("lat,lon\n{good}\n{latitude},NaN\n"), &["row 2, column \"lon\": not a number"]);
    refuse(format!("lat,lon\n{good}\n{latitude},\n"), &["row 2, column \"lon\": empty"]);
    refuse(format!("lat,lon\n{good}\n91,{longitude}\n"), &["row 2, column \"lat\": beyond 90 degrees"]);
    refuse(format!("lat,lon\n{good}\n{good}\n90,{longitude}\n"), &["row 3", "a pole, which has no longitude"]);
    refuse("lat,lon\n572123000,195123000\n".into(), &["degrees times 10^7"]);
    refuse("lat,lon\n0.9985430,0.3405539\n".into(), &["radians"]);
    refuse(format!("a,b\n{latitude},{longitude}\n"), &["no column for the latitude", "--latitude names it"]);
    refuse(format!("{latitude},{longitude}\n"), &["the first record has 2 fields (--columns names the columns"]);
    folder.words("geo privatize m.json a.csv -o b.csv --latitude y").fails_with(&["no column for the longitude"]);
    folder.write("a.csv", format!("lat,lon\n{good}\n"));
    folder.words("geo privatize m.json a.csv -o b.csv --keep lat").fails_with(&["private column"]);
    folder.words("geo privatize m.json a.csv -o b.geojson").fails_with(&["named as GeoJSON and the data are a table"]);
    let geojson = trip("trip.geojson");
    for (more, part) in [
        ("-o b.csv", "named as a table and the data are GeoJSON"),
        ("-o b.geojsonl", "another form of GeoJSON"),
        ("-o b.geojson.gz", "named as compressed"),
        ("-o b.geojson --trim", "--trim is about tables"),
        ("-o b.geojson --latitude y", "GeoJSON has none"),
        ("-o b.geojson --keep captain", "no feature has a property of this name"),
    ] {
        folder.words(&format!("geo privatize m.json {geojson} {more}")).fails_with(&[part]);
    }
    assert_eq!(folder.names(), ["a.csv", "m.json"]);
}
