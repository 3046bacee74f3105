//! `lookalike fit`: profiles from records, and what is said of them.

use crate::common::{Folder, example, golden, keys, texts};
use serde_json::Value;
use std::sync::Arc;

/// The example's records with the role of each user.
fn with_roles() -> String {
    let records = std::fs::read_to_string(example("workstations/records.csv")).unwrap();
    let role = |user: &str| match user {
        "ana" | "bo" | "cleo" | "dan" => "engineer",
        "eve" | "finn" | "gus" | "hana" => "analyst",
        _ => "support",
    };
    let row = |(at, line): (usize, &str)| match at {
        0 => format!("{line},role\n"),
        _ => format!("{line},{}\n", role(line.split(',').nth(1).unwrap())),
    };
    records.lines().enumerate().map(row).collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("roles.csv", with_roles());
    folder
}

/// A table with its decimals cut to five: the last of twelve may differ from processor to processor.
fn cut(table: &str) -> String {
    let field = |field: &str| match field.split_once('.') {
        Some(("0", decimals)) => format!("0.{}", &decimals[..decimals.len().min(5)]),
        _ => field.to_owned(),
    };
    let row = |row: &str| row.split(',').map(field).collect::<Vec<_>>().join(",") + "\n";
    table.lines().map(row).collect()
}

const FIT: &str = "fit roles.csv --profile user --value load";

#[test]
fn the_summary_shows_profiles_limits_and_that_they_become_public() {
    let folder = folder();
    let run = folder.words(&format!(
        "{FIT} --categories idle,light,busy,full --group-by role --epsilon 1/2 -o spec.toml --limits limits.csv"
    ));
    golden("fit-groups.txt", &run.exits(0).stdout);
    golden("fit-groups.toml", &folder.read("spec.toml"));
    golden("fit-limits.csv", &cut(&folder.read("limits.csv")));
    folder.words("check spec.toml").exits(0);
}

#[test]
fn roles_show_the_utility_against_granularity() {
    let folder = folder();
    let run =
        folder.words(&format!("{FIT} --public-categories --profile-by role --complete --epsilon 0.5 -o spec.toml"));
    golden("fit-roles.txt", &run.exits(0).stdout);
    let object = folder.words(&format!("{FIT} --public-categories --profile-by role --json")).exits(0).json();
    let levels = object["granularity"].as_array().unwrap();
    let value = |level: &Value| level["value"].as_f64().unwrap();
    assert_eq!(levels.iter().map(|level| level["profiles"].as_u64().unwrap()).collect::<Vec<_>>(), [12, 3, 1]);
    assert!(value(&levels[0]) > value(&levels[1]) && value(&levels[1]) > value(&levels[2]));
    assert_eq!(object["granularity"][2]["column"], Value::Null);
}

#[test]
fn without_a_file_the_spec_is_on_standard_output_and_can_be_designed_at_once() {
    let folder = folder();
    let run = folder.words(&format!("{FIT} --public-categories --complete")).exits(0);
    assert!(run.stdout.starts_with("# Fitted from 2400 records."), "{}", run.stdout);
    assert!(
        run.stderr.starts_with("12 profiles over 4 categories from 2400 records; 166 to 225 records per profile.\n")
    );
    assert!(run.stderr.contains("These profiles and their limits become public"), "{}", run.stderr);
    let why = "No confidence of the limits is stated: the categories are those found in the same records.";
    assert!(run.stderr.contains(why), "{}", run.stderr);
    folder.write("spec.toml", &run.stdout);
    folder.words("design spec.toml -o m.json").exits(0);
    folder.words("certify m.json --spec spec.toml").exits(0);
    let quiet = folder.words(&format!("{FIT} --public-categories --complete --quiet -o -")).exits(0);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (run.stdout, ""));
}

#[test]
fn a_graph_to_fill_in_is_refused_until_it_is_filled_in() {
    let folder = folder();
    folder.words(&format!("{FIT} --public-categories -o spec.toml")).exits(0);
    let spec = folder.read("spec.toml");
    folder.words("check spec.toml").fails_with(&["the graph has no edge, so nothing would be protected"]);
    folder.write("filled.toml", spec + "edges = [[\"ana\", \"bo\"]]\n");
    folder.words("check filled.toml").exits(0);
}

#[test]
fn categories_that_a_profile_never_uses_are_shown() {
    let folder = Folder::new();
    folder.write("data.csv", "user,load\nana,idle\nana,idle\nbo,busy\nbo,idle\n");
    let fit =
        "fit data.csv --profile user --value load --categories idle,busy,off --minimum 2 --chain -o spec.toml --force";
    golden("fit-never.txt", &folder.words(fit).exits(0).stdout);
    let smooth = folder.words(&format!("{fit} --pseudo-count 1/2")).exits(0).stdout;
    assert!(!smooth.contains("Never used"), "{smooth}");
    assert!(folder.read("spec.toml").contains("bo  = [\"3/7\", \"3/7\", \"1/7\"]"), "{}", folder.read("spec.toml"));
}

#[test]
fn json_has_counts_fractions_and_limits() {
    let folder = folder();
    let object = folder.words(&format!("{FIT} --public-categories --group-by role --json")).exits(0).json();
    let expected = [
        "rows",
        "categories",
        "least_records",
        "most_records",
        "confidence",
        "simultaneous",
        "limits_basis",
        "no_confidence",
        "limits_grid",
        "trust_profiles",
        "epsilon",
        "profiles",
        "groups",
        "small",
        "file",
        "limits_file",
        "spec",
    ];
    assert_eq!(keys(&object), expected);
    let ana = &object["profiles"][0];
    assert_eq!(keys(ana), ["name", "records", "counts", "probabilities", "lower", "upper", "limits", "never"]);
    assert_eq!((ana["name"].as_str(), ana["records"].as_u64()), (Some("ana"), Some(207)));
    assert_eq!(texts(&ana["probabilities"]), ["8/23", "67/207", "22/207", "2/9"]);
    assert_eq!(texts(&object["groups"]["engineer"]), ["ana", "bo", "cleo", "dan"]);
    let file = folder.words(&format!("{FIT} --public-categories --group-by role --json -o spec.toml")).exits(0).json();
    assert_eq!((file["file"].as_str(), file.get("spec")), (Some("spec.toml"), None));
    assert_eq!(object["spec"].as_str(), Some(folder.read("spec.toml").as_str()));
}

/// The same records as Parquet, with a dictionary that has entries no row uses, and numbers with a fraction.
fn parquet(folder: &Folder) {
    use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
    let users = DictionaryArray::new(
        Int32Array::from(vec![1, 3, 1, 3]),
        Arc::new(StringArray::from(vec!["zoe", "ana", "", "bo"])),
    );
    let columns: [(&str, ArrayRef); 4] = [
        ("user", Arc::new(users)),
        ("hours", Arc::new(Float64Array::from(vec![0.1, 7.5, 0.3, 8.0]))),
        ("load", Arc::new(StringArray::from(vec!["idle", "busy", "busy", "busy"]))),
        ("team", Arc::new(Int32Array::from(vec![7, 7, 7, 7]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = std::fs::File::create(folder.path("data.parquet")).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    folder.write("data.csv", "user,hours,load,team\nana,0.1,idle,7\nbo,7.5,busy,7\nana,0.3,busy,7\nbo,8,busy,7\n");
}

#[test]
fn every_format_gives_the_same_spec() {
    let folder = Folder::new();
    parquet(&folder);
    for options in [
        "--value load --public-categories --group-by team",
        "--value hours --quantiles 3 --public-data --complete",
        "--value hours --bins 0,0.1,0.3,7.5 --chain",
        "--value load,team --public-categories --chain",
    ] {
        let fit = |file: &str| {
            let run = folder.words(&format!("fit {file} --profile user --minimum 2 {options}")).exits(0);
            assert!(!run.stdout.contains("zoe"), "an entry that no row uses is no profile");
            run.stdout
        };
        assert_eq!(fit("data.csv"), fit("data.parquet"), "{options}");
    }
    let csv = folder.read("data.csv");
    let words = "fit - --profile user --value load --public-categories --minimum 1".split(' ');
    let piped = folder.run_on(words, csv.as_bytes()).exits(0).stdout;
    assert_eq!(piped, folder.words("fit data.csv --profile user --value load --public-categories --minimum 1").stdout);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, csv.as_bytes()).unwrap();
    folder.write("data.csv.gz", gzip.finish().unwrap());
    let zipped = folder.words("fit data.csv.gz --profile user --value load --public-categories --minimum 1").exits(0);
    assert_eq!(piped, zipped.stdout);
}

#[test]
fn the_whole_path_from_records_to_released_records_works() {
    let folder = folder();
    let fit =
        format!("{FIT} --categories idle,light,busy,full --group-by role --epsilon 1/2 --limits limits.csv --force");
    folder.words(&format!("{fit} -o limited.toml")).exits(0);
    folder.words("design limited.toml -o limited.json").exits(0);
    folder.words(&format!("{fit} --trust-profiles -o spec.toml")).exits(0);
    folder.words("design spec.toml -o m.json").exits(0);
    let more = |file: &str| {
        let plain = folder.words(&format!("certify {file}")).exits(0).stdout;
        let within = folder.words(&format!("certify {file} --profiles-within limits.csv")).exits(0).stdout;
        (plain.clone(), within.strip_prefix(&plain).unwrap().to_owned())
    };
    let (known, if_not) = more("m.json");
    let known_so = "If the true profiles lie within these limits (95 % for each pair), epsilon is at most ";
    assert!(if_not.starts_with(&format!("{known_so}2.")) && !known.contains("Promised"), "{if_not}");
    // What is designed for the limits keeps its claim within them, and says how sure they are.
    let (limited, if_not) = more("limited.json");
    assert!(
        if_not.starts_with(&format!("{known_so}0.4")) || if_not.starts_with(&format!("{known_so}0.5:")),
        "{if_not}"
    );
    let limited = limited.replace('\n', " ");
    for part in [
        "which happens for any one pair, chosen beforehand, in at most 1 of 20 fits.",
        "That the limits hold with 95 % for each pair is stated by the file, and not proved.",
    ] {
        assert!(limited.contains(part), "{limited}");
    }
    let object = folder.words("certify m.json --profiles-within limits.csv --json").exits(0).json();
    assert_eq!(keys(&object["within"]), ["epsilon", "worst", "confidence"]);
    let [lower, upper] = ["lower", "upper"].map(|key| object["within"]["epsilon"][key].as_f64().unwrap());
    assert!(object["epsilon"]["upper"].as_f64().unwrap() < lower && lower <= upper && upper < 2.5);
    folder.words("privatize m.json roles.csv --profile user --value load --seed 1 -o private.csv").exits(0);
}
