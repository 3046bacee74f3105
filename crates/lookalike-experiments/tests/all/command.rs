//! The command `lookalike-experiments`.

use crate::harness::page::{is_up_to_date, root, run};
use crate::harness::{Folder, MARKER, golden, keys, texts};

#[test]
fn the_list_names_every_experiment_in_a_line() {
    let folder = Folder::new();
    let list = folder.words("--list").exits(0).stdout;
    golden("list.txt", &list);
    let object = folder.words("--list --json").exits(0).json();
    let names: Vec<&str> =
        object["experiments"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, list.lines().map(|line| line.split_whitespace().next().unwrap()).collect::<Vec<_>>());
    assert_eq!(object["experiments"][11]["needs"], "adult");
    assert!(object["experiments"][0]["needs"].is_null());
    for wanted in ["figure-2a", "figure-2b", "figure-2c", "figure-3a", "figure-3b", "figure-3c", "figure-3d", "table-1"]
    {
        assert!(names.contains(&wanted), "{wanted}");
    }
    assert!(folder.names().is_empty(), "a list writes nothing");
}

#[test]
fn all_experiments_go_to_one_folder_with_one_page() {
    let folder = Folder::new();
    let run = folder.words("").exits(0);
    golden("all.txt", &run.stdout);
    assert_eq!(folder.names(), ["experiments"]);
    let files: Vec<String> = names_in(&folder, "experiments");
    let page = folder.read("experiments/index.html");
    let list = folder.words("--list").exits(0).stdout;
    let alone = list.lines().filter(|line| !line.ends_with(')'));
    for name in alone.map(|line| line.split_whitespace().next().unwrap()) {
        assert!(files.contains(&format!("{name}.csv")) && files.contains(&format!("{name}.svg")), "{name}: {files:?}");
        assert!(page.contains(&format!("<section id=\"{name}\">")), "{name}");
        let table = folder.read(&format!("experiments/{name}.csv"));
        let columns = table.lines().next().unwrap().split(',').count();
        assert!(table.lines().count() > 3 && columns >= 3, "{table}");
        assert!(folder.read(&format!("experiments/{name}.svg")).starts_with("<svg "));
    }
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").replace("http-equiv", "");
    assert!(!outside.contains("http") && !page.contains("<script"), "the page asks nobody for anything");
    // The files that the page links are there.
    for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(link.starts_with('#') || files.contains(&link.to_owned()), "{link}");
    }
}

#[test]
fn one_experiment_prints_its_numbers_and_has_a_page_of_its_own() {
    let folder = Folder::new();
    let run = folder.words("table-1 -o out").exits(0);
    assert!(run.stdout.contains("0.120847") && run.stdout.contains("Holds: "), "{}", run.stdout);
    assert_eq!(names_in(&folder, "out"), ["table-1.csv", "table-1.html", "table-1.svg"]);
    // Another one may stand beside it.
    folder.words("figure-2b -o out").exits(0);
    let object = folder.words("figure-2b -o out --force --json").exits(0).json();
    assert_eq!(keys(&object), ["folder", "files", "experiments"]);
    assert_eq!(texts(&object["files"]), ["figure-2b.html", "figure-2b.csv", "figure-2b.svg"]);
    let experiment = &object["experiments"][0];
    assert_eq!(keys(experiment), ["name", "title", "findings", "open", "table"]);
    assert_eq!(texts(&experiment["table"]["columns"])[..2], ["epsilon", "category_1"]);
    assert_eq!(experiment["table"]["rows"][0][0], "0.05");
    assert_eq!(experiment["table"]["rows"][0][1].as_f64(), Some(0.148102));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let folder = Folder::new();
    folder.words("figure-2c -o one --threads 1").exits(0);
    folder.words("figure-2c -o two").exits(0);
    for name in names_in(&folder, "one") {
        assert!(folder.read(&format!("one/{name}")) == folder.read(&format!("two/{name}")), "{name}");
    }
}

#[test]
fn what_is_there_is_replaced_only_with_force() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("out")).unwrap();
    for taken in ["figure-2b.html", "figure-2b.svg"] {
        folder.write(&format!("out/{taken}"), "mine");
        folder
            .words("figure-2b -o out")
            .fails_with(&[&format!("out/{taken}: exists already (pass --force to replace it)")]);
        assert_eq!(names_in(&folder, "out"), [taken], "nothing is written beside it");
        assert_eq!(folder.read(&format!("out/{taken}")), "mine");
        std::fs::remove_file(folder.path("out").join(taken)).unwrap();
    }
    folder.write("out/figure-2b.csv", "mine");
    folder.words("figure-2b -o out --force").exits(0);
    assert!(folder.read("out/figure-2b.csv").starts_with("epsilon,"));
}

#[test]
fn wrong_questions_are_refused_with_the_way_out() {
    let folder = Folder::new();
    folder
        .words("figure-4")
        .fails_with(&["experiment \"figure-4\" is not known, expected one of figure-2a, figure-2b, ", "notes"]);
    folder.words("figure-2a --list").fails_with(&["--list", "cannot be used with"]);
    folder.write("file", "");
    folder.words("figure-2b -o file").fails_with(&["file"]);
    assert_eq!(folder.names(), ["file"]);
}

/// Forty people in the format of adult.data; the sex of the third is this.
fn adult(third: &str) -> String {
    let line = |at: usize| {
        let (age, sex) = (20 + at, if at == 2 { third } else { ["Female", "Male"][at % 2] });
        let income = if at.is_multiple_of(3) { ">50K" } else { "<=50K" };
        format!("{age}, Private, 1, HS-grad, 9, Divorced, ?, Unmarried, White, {sex}, 0, 0, 40, ?, {income}\n")
    };
    (0..40).map(line).collect::<String>() + "\n"
}

#[test]
fn data_add_the_experiment_that_is_about_them() {
    let folder = Folder::new();
    folder.write("adult.data", adult("Male"));
    let run = folder.words("counts --adult adult.data -o out").exits(0);
    for part in ["counts: counts of small groups", "counts-adult: counts of small groups of UCI Adult", "sex: male"] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    let files = names_in(&folder, "out");
    for name in ["counts.html", "counts.csv", "counts-adult.csv", "counts-adult.svg", "counts-adult-sex-n.svg"] {
        assert!(files.contains(&name.to_owned()), "{files:?}");
    }
    let page = folder.read("out/counts.html");
    assert!(page.contains("<section id=\"counts-adult\">") && page.contains("The 40 people of UCI Adult"), "{page}");
    folder.words("counts-adult --adult adult.data -o alone").exits(0);
    assert_eq!(folder.read("alone/counts-adult.csv"), folder.read("out/counts-adult.csv"));
    // Without data the way to them is shown.
    let run = folder.words("counts -o without").exits(0);
    assert!(run.stdout.contains("with --adult FILE, the path of adult.data"), "{}", run.stdout);
    folder.words("counts-adult -o none").fails_with(&["counts-adult: needs the UCI Adult data: --adult FILE"]);
    assert!(!folder.path("none").exists());
}

#[test]
fn data_that_are_not_those_of_adult_are_refused_by_row_and_column() {
    let folder = Folder::new();
    folder.write("bad.data", adult(MARKER));
    let run = folder
        .words("counts --adult bad.data")
        .fails_with(&["bad.data: row 3, column \"sex\": not one of the 2 categories: Female and Male"]);
    assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    folder.write("short.data", "39, Private\n");
    folder
        .words("--adult short.data")
        .fails_with(&["short.data: row 1, line 1: the number of fields is 2, expected 15"]);
    folder.words("--adult none.data").fails_with(&["none.data: cannot read"]);
    folder.words("--adult .").fails_with(&[".: not a file, expected adult.data"]);
    folder.write("adult.data", adult("Male"));
    folder
        .words("figure-2a --adult adult.data")
        .fails_with(&["--adult: figure-2a is not about these data; counts, counts-adult and estimate-adult are"]);
    folder.words("--list --adult adult.data").fails_with(&["--adult", "cannot be used with"]);
    assert_eq!(folder.names(), ["adult.data", "bad.data", "short.data"], "nothing is written");
}

#[test]
fn sequences_add_the_experiment_that_is_about_them() {
    let folder = Folder::new();
    let hours = |first: &str| {
        let use_of = |hour: usize| format!("{}.{:02}", hour % 3 / 2, 20 + hour * 7 % 50);
        let row = |hour: usize| {
            format!("12/01/2011 {hour:02}:00:00,{}\n", if hour == 1 { first.into() } else { use_of(hour) })
        };
        "DateTime,Consumption kWh\n".to_owned() + &(1..24).map(row).collect::<String>()
    };
    folder.write("hours.csv", hours("0.3"));
    let run = folder.words("electricity --electricity hours.csv -o out").exits(0);
    for part in
        ["electricity: electricity use of a home", "one home", "group DP", "Open: ε holds for the chain as it is given"]
    {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    assert_eq!(names_in(&folder, "out"), ["electricity.csv", "electricity.html", "electricity.svg"]);
    folder.write("bad.csv", hours(MARKER));
    let run = folder
        .words("electricity --electricity bad.csv")
        .fails_with(&["bad.csv: row 1, column \"Consumption kWh\": not a number of at least 0"]);
    assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    folder
        .words("flu --electricity hours.csv")
        .fails_with(&["--electricity: flu is not about these data; electricity is"]);
    folder.words("ordonez --electricity hours.csv").fails_with(&["ordonez is not about these data"]);
    folder
        .words("ordonez")
        .fails_with(&["ordonez: needs the days of one person: --ordonez FILE names OrdonezA_ADLs.txt"]);
    folder.words("activity --activity none.csv").fails_with(&["none.csv: cannot read"]);
    assert!(!folder.path("experiments").exists(), "nothing is written");
}

#[test]
fn tracks_add_the_experiments_that_are_about_them() {
    let folder = Folder::new();
    let fixes = |third: &str| {
        let row = |at: usize| {
            let latitude = if at == 2 { third.into() } else { format!("-10.9{at:02}") };
            format!("{latitude},-37.0{},{},2014-09-13 07:24:32\n", 40 + at, at % 3)
        };
        "latitude,longitude,track_id,time\n".to_owned() + &(0..60).map(row).collect::<String>()
    };
    folder.write("fixes.csv", fixes("-27.6"));
    let run = folder.words("places-planar --tracks fixes.csv -o out").exits(0);
    for part in ["places-planar: places of trips", "Holds: Errors have the mean 2/ε", "1 of 60 fixes lie outside"] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    assert!(run.stdout.contains("M. O. Cruz") && run.stdout.contains("CC BY 4.0"), "{}", run.stdout);
    let files = names_in(&folder, "out");
    assert_eq!(
        files,
        [
            "places-planar-ratio.svg",
            "places-planar-track.svg",
            "places-planar.csv",
            "places-planar.html",
            "places-planar.svg"
        ]
    );
    assert!(folder.read("out/places-planar.html").contains("One track, each fix released"));
    folder.write("bad.csv", fixes(MARKER));
    let run = folder
        .words("places-grid --tracks bad.csv")
        .fails_with(&["bad.csv: row 3, column \"latitude\": not degrees from -90 to 90"]);
    assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    folder
        .words("flu --tracks fixes.csv")
        .fails_with(&["--tracks: flu is not about these data; places-planar and places-grid are"]);
    folder.words("places-grid").fails_with(&["places-grid: needs the position fixes of trips: --tracks FILE"]);
    assert!(!folder.path("experiments").exists(), "nothing is written");
}

fn names_in(folder: &Folder, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path(name)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_page_on_experiments_shows_what_its_commands_print_and_names_each() {
    let folder = Folder::new();
    is_up_to_date("docs/reproduce.md", 2, &folder.path(""));
    let page = std::fs::read_to_string(root().join("docs/reproduce.md")).unwrap();
    let list = run("lookalike-experiments --list", &folder.path(""));
    for name in list.lines().map(|line| line.split_whitespace().next().unwrap()) {
        assert!(page.contains(&format!("`{name}`")), "{name} is not in the table of the page");
    }
}

#[test]
fn data_are_not_replaced_by_what_is_made_of_them() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("out")).unwrap();
    let hours: String = (1..24).map(|hour| format!("12/01/2011 {hour:02}:00:00,{}.3\n", hour % 3 / 2)).collect();
    folder.write("out/electricity.csv", "DateTime,Consumption kWh\n".to_owned() + &hours);
    let before = folder.read("out/electricity.csv");
    let run = folder.words("electricity --electricity out/electricity.csv -o out --force").exits(2);
    run.says(&["electricity.csv", "what is read is never replaced"]);
    assert_eq!(folder.read("out/electricity.csv"), before);
}
