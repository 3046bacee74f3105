//! `lookalike pufferfish`: chains from sequences, how much noise they need, and noisy answers.

use crate::tables;

use crate::common::{Folder, MARKER, example, golden, keys};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use std::sync::Arc;

const CHAIN: &str = "states = ['sit', 'walk']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n";

/// A folder with a chain and a short sequence of it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("chain.toml", CHAIN);
    folder.write("day.csv", "activity\n".to_owned() + &"sit\nsit\nwalk\nwalk\nsit\n".repeat(20));
    folder
}

fn activity(folder: &Folder) {
    let path = |name: &str| example(&format!("activity/{name}")).to_str().unwrap().to_owned();
    folder.write("days.csv", std::fs::read(path("days.csv")).unwrap());
    folder.write("day-of-300.csv", std::fs::read(path("day.csv")).unwrap());
}

#[test]
fn a_fit_says_what_was_seen_and_writes_the_chain() {
    let folder = Folder::new();
    activity(&folder);
    let line = "pufferfish fit days.csv --state activity --sequence day --states sit,stand,walk --confidence 0.95";
    let run = folder.words(&format!("{line} -o chain.toml")).exits(0);
    golden("pufferfish-fit.txt", &run.stdout);
    assert_eq!(run.stderr, "");
    golden("pufferfish-fit.toml", &folder.read("chain.toml"));
    let object = folder.words(&format!("{line} --json")).exits(0).json();
    assert_eq!((&object["moments"], &object["sequences"]), (&480.into(), &4.into()));
    assert_eq!(object["chain"], folder.read("chain.toml"));
    assert_eq!(folder.words(line).exits(0).stdout, folder.read("chain.toml"));
    // Four sequences of 120: the steps between them are none.
    let seen: u64 = object["seen"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(seen, 4 * 119);
}

#[test]
fn two_states_with_limits_are_all_chains_within_them() {
    let folder = folder();
    let line =
        "pufferfish fit day.csv --state activity --states sit,walk --confidence 0.9 --initial arbitrary -o box.toml";
    let run = folder.words(line).exits(0);
    assert!(run.stdout.contains("The file has all chains within the limits, which hold together at 90 %.\n"));
    assert!(folder.read("box.toml").contains("\n[leave]\nsit = [0."), "{}", folder.read("box.toml"));
    let of = |chain: &str| {
        let line = format!("pufferfish design {chain} --length 50 --epsilon 2 --query count --method exact --json");
        folder.words(&line).exits(0).json()["chosen"]["sigma"].as_f64().unwrap()
    };
    folder.words("pufferfish fit day.csv --state activity --public-states --initial arbitrary -o one.toml").exits(0);
    assert!(of("one.toml") < of("box.toml"), "the chain itself is one of those within the limits");
}

#[test]
fn parquet_is_read_and_the_rows_of_a_sequence_may_stand_anywhere() {
    let folder = folder();
    let column = |texts: &[&str]| -> ArrayRef { Arc::new(StringArray::from(texts.to_vec())) };
    let columns = [
        ("who", column(&["ana", "bo", "ana", "bo", "ana"])),
        ("activity", column(&["sit", "walk", "walk", "walk", "sit"])),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    tables::parquet(&folder.path("days.parquet"), &batch, 2, parquet::basic::Compression::SNAPPY);
    let line = "pufferfish fit days.parquet --state activity --sequence who --public-states --json";
    let object = folder.words(line).exits(0).json();
    assert_eq!(object["seen"], serde_json::json!([[0, 1], [1, 1]]));
}

#[test]
fn a_design_says_which_quilt_and_what_other_ways_cost() {
    let folder = folder();
    let line = "pufferfish design chain.toml --length 1000 --epsilon 1 --query histogram --method exact --releases 4";
    let run = folder.words(&format!("{line} -o m.json")).exits(0);
    golden("pufferfish-design.txt", &run.stdout);
    assert_eq!(run.stderr, "");
    let object = folder.words(&format!("{line} --json")).exits(0).json();
    let known = ["length", "epsilon", "epsilon_text", "query", "lipschitz", "chosen", "compared", "releases"];
    assert_eq!(keys(&object)[..8], known);
    let sigma = |method: &str| {
        let compared = object["compared"].as_array().unwrap();
        compared.iter().find(|row| row["method"] == method).unwrap()["sigma"].as_f64().unwrap()
    };
    // The library's own example.
    assert!((sigma("exact") - 12.84).abs() < 1e-4);
    assert!(sigma("entry") < sigma("exact") && sigma("exact") <= sigma("approximate"));
    assert!(sigma("approximate") <= sigma("group"));
    let together = object["epsilon_together"].as_f64().unwrap();
    assert!(together > 1.0 && together < 4.0, "{together}");
    // The file is noise, and its claim is about any one moment.
    let file = folder.json("m.json");
    assert_eq!((&file["mechanism"], &file["secrets"]["are"]), (&"pufferfish exact".into(), &"moments".into()));
    assert_eq!(file["certificate"]["epsilon"]["claimed"], 1.0);
    folder.words("certify m.json").exits(0);
}

#[test]
fn auto_takes_the_better_and_a_mean_is_divided() {
    let folder = folder();
    folder.write("numbers.toml", CHAIN.replace("'sit', 'walk'", "'0', '2'"));
    let design = |query: &str| {
        let line = format!("pufferfish design numbers.toml --length 100 --epsilon 1 --query {query} --json");
        folder.words(&line).exits(0).json()
    };
    let (sum, mean) = (design("sum"), design("mean"));
    assert_eq!((&sum["lipschitz"], &sum["chosen"]["method"]), (&"2".into(), &"contraction".into()));
    let scale = |object: &serde_json::Value| object["chosen"]["noise_scale"].as_f64().unwrap();
    assert!((scale(&sum) / 100.0 - scale(&mean)).abs() < 1e-9);
    let least = sum["compared"].as_array().unwrap().iter().filter(|row| row["private"] != false);
    let least = least.filter_map(|row| row["sigma"].as_f64()).fold(f64::INFINITY, f64::min);
    assert_eq!(sum["chosen"]["sigma"].as_f64().unwrap(), least);
    let error = "the states are no numbers, expected values = [...]";
    folder
        .words("pufferfish design chain.toml --length 9 --epsilon 1 --query mean")
        .fails_with(&["chain.toml: ", error]);
}

#[test]
fn where_no_quilt_helps_the_noise_is_that_of_group_privacy() {
    let folder = folder();
    folder.write("stuck.toml", "states = ['a', 'b']\ninitial = 'arbitrary'\ntransition = [[1, 0], [0, 1]]");
    for line in ["stuck.toml --epsilon 1", "chain.toml --epsilon 0.001 --method exact"] {
        let line = format!("pufferfish design {line} --length 10 --query histogram");
        let run = folder.words(&line).exits(0);
        assert!(
            run.stdout.contains("No quilt helps at this epsilon") && run.stdout.contains("group privacy"),
            "{line}"
        );
        let object = folder.words(&format!("{line} --json")).exits(0).json();
        let group = object["compared"].as_array().unwrap().iter().find(|row| row["method"] == "group").unwrap();
        let sigma = |row: &serde_json::Value| row["sigma"].as_f64().unwrap();
        assert!((sigma(&object["chosen"]) / sigma(group) - 1.0).abs() < 1e-9);
        assert_eq!(object["chosen"]["group_privacy"], true);
    }
    folder.write("stuck.toml", "states = ['a', 'b']\ninitial = 'stationary'\ntransition = [[1, 0], [0, 1]]");
    let line = "pufferfish design stuck.toml --length 10 --epsilon 1 --query histogram";
    folder.words(line).fails_with(&["stuck.toml: ", "more than one stationary law"]);
}

#[test]
fn the_wasserstein_mechanism_for_a_count_of_a_short_sequence() {
    let folder = folder();
    let line = "pufferfish design chain.toml --length 20 --epsilon 1 --query count:walk --method wasserstein";
    let object = folder.words(&format!("{line} --json")).exits(0).json();
    assert_eq!((&object["chosen"]["distance"], &object["chosen"]["sigma"]), (&4.0.into(), &4.0.into()));
    // 3/7 is on no grid: what one state moves the sum by is rounded up as a whole.
    folder.write("sevenths.toml", format!("{CHAIN}values = [0, '3/7']"));
    let sum = line.replace("chain.toml", "sevenths.toml").replace("count:walk", "sum");
    folder.words(&format!("{sum} -o m.json")).exits(0);
    let file = folder.json("m.json");
    assert_eq!((&file["sensitivity"], &file["epsilon"]), (&"12/7".into(), &"1".into()));
    folder.words("certify m.json").exits(0);
    let histogram = line.replace("count:walk", "histogram");
    folder.words(&histogram).fails_with(&["--method wasserstein: a histogram, expected a count, a sum or a mean"]);
}

#[test]
fn a_release_has_intervals_that_hold_and_says_what_is_public() {
    let folder = Folder::new();
    activity(&folder);
    folder
        .words("pufferfish fit days.csv --state activity --sequence day --states sit,stand,walk -o chain.toml")
        .exits(0);
    let line = "pufferfish release chain.toml day-of-300.csv --state activity --query histogram --epsilon 1 --seed 2";
    let run = folder.words(&format!("{line} -o private.csv")).exits(0);
    golden("pufferfish-release.txt", &run.stdout);
    run.says(&["seeded with 2: reproducible, hence not private"]);
    let object = folder.words(&format!("{line} --json")).exits(0).json();
    let truth = |state: &str| folder.read("day-of-300.csv").lines().filter(|line| line.ends_with(state)).count() as f64;
    let answers = object["answers"].as_array().unwrap();
    assert_eq!(folder.read("private.csv").lines().count(), 1 + answers.len());
    for answer in answers {
        let at = |key: &str| answer[key].as_f64().unwrap();
        let truth = truth(answer["name"].as_str().unwrap());
        assert!(at("at_least") <= truth && truth <= at("at_most"), "{answer}");
        assert!(at("at_least") >= 0.0 && at("at_most") <= 300.0);
    }
    assert!(object["group_noise_scale"].as_f64().unwrap() > 10.0 * object["noise_scale"].as_f64().unwrap());
    assert_eq!(folder.words(&format!("{line} --json")).exits(0).json(), object, "the same seed");
    let other = folder.words(&format!("{} --json", line.replace("--seed 2", ""))).exits(0);
    assert_ne!(other.json()["answers"], object["answers"]);
}

#[test]
fn intervals_hold_as_often_as_they_say() {
    let folder = folder();
    let held = (0..60).filter(|seed| {
        let line = format!("pufferfish release chain.toml day.csv --state activity --query count:walk --epsilon 1 --confidence 0.5 --seed {seed} --json");
        let answer = folder.words(&line).exits(0).json()["answers"][0].clone();
        (answer["at_least"].as_f64().unwrap()..=answer["at_most"].as_f64().unwrap()).contains(&40.0)
    });
    // Fewer than 15 of 60 at one half happen once in 10^5 sets of seeds.
    assert!(held.count() >= 15);
}

#[test]
fn several_sequences_need_the_noise_of_the_longest() {
    let folder = folder();
    let rows = |name: &str, count: usize| format!("{name},sit\n{name},walk\n").repeat(count / 2);
    folder.write("both.csv", format!("who,activity\n{}{}", rows("ana", 40), rows("bo", 8)));
    folder.write("long.csv", format!("who,activity\n{}", rows("ana", 40)));
    let scale = |file: &str, more: &str| {
        let line = format!(
            "pufferfish release chain.toml {file} --state activity --query count:walk --epsilon 1 --seed 1 --json {more}"
        );
        folder.words(&line).exits(0).json()["noise_scale"].as_f64().unwrap()
    };
    assert_eq!(scale("both.csv", "--sequence who"), scale("long.csv", "--sequence who"));
    assert!(scale("both.csv", "--method group") > scale("both.csv", "--sequence who --method group"));
}

#[test]
fn data_that_are_not_of_the_chain_are_named_by_row_and_not_by_value() {
    let folder = folder();
    let release = |file: &str| {
        folder.words(&format!(
            "pufferfish release chain.toml {file} --state activity --query histogram --epsilon 1 -o out.csv"
        ))
    };
    folder.write("other.csv", format!("activity\nsit\n{MARKER}\n"));
    let run = release("other.csv").fails_with(&["other.csv: row 2, column \"activity\": not one of the 2"]);
    assert!(!run.stderr.contains(MARKER));
    folder.write("empty.csv", "activity\n");
    release("empty.csv").fails_with(&["empty.csv: no rows, expected a sequence of states"]);
    folder.write("column.csv", "x\nsit\n");
    release("column.csv").fails_with(&["column.csv: column \"activity\": not found"]);
    folder.write("chain.toml", CHAIN.replace("0.4, 0.6", "1, 0"));
    release("day.csv").fails_with(&["day.csv: sequence 1, moment 4: no chain takes this step"]);
    folder.write("chain.toml", "states = ['sit', 'walk']\ninitial = 'arbitrary'\nchain = []");
    release("day.csv").fails_with(&["chain.toml: no chain, expected at least one"]);
    assert!(!folder.names().contains(&"out.csv".to_owned()));
}

#[test]
fn questions_that_cannot_be_answered() {
    let folder = folder();
    let release = |more: &str| folder.words(&format!("pufferfish release chain.toml day.csv --state activity {more}"));
    release("--query count --epsilon 1").fails_with(&["--query count: no state, expected count:STATE"]);
    release("--query count:run --epsilon 1").fails_with(&["state \"run\" is not known, expected one of sit, walk"]);
    release("--query median --epsilon 1").fails_with(&["\"median\", expected count:STATE, histogram, sum or mean"]);
    release("--query histogram --epsilon 1 --method entry").fails_with(&["does not protect a moment of a chain"]);
    release("--query histogram --epsilon 0").fails_with(&["epsilon = 0"]);
    let line = "pufferfish design chain.toml --length 0 --epsilon 1 --query histogram";
    folder.words(line).fails_with(&["chain.toml: a chain of 0 nodes, expected 1 to"]);
    let fit = |more: &str| folder.words(&format!("pufferfish fit day.csv --state activity {more}"));
    fit("").fails_with(&["no states, expected --states NAMES, --bins EDGES, or --public-states"]);
    fit("--states sit,walk,run").fails_with(&["nothing follows state \"run\"", "--smoothing 1/2"]);
    let smoothed = fit("--states sit,walk,run --smoothing 1/2").exits(0);
    assert!(smoothed.stdout.contains("\"1/3\", \"1/3\", \"1/3\""), "{}", smoothed.stdout);
    fit("--states sit,walk --smoothing -1").fails_with(&["smoothing = -1, expected at least 0"]);
    fit("--states sit,walk --sequence activity").fails_with(&["--state and --sequence both name \"activity\""]);
    folder.write("day.csv", "activity\nsit\nsit\nwalk\nwalk\nwalk\n");
    let absorbed = fit("--states sit,walk").exits(0);
    absorbed.says(&["1 step was never seen and has probability 0"]);
    folder.write("day.csv", "who,activity\na,sit\na,sit\nb,walk\nb,walk\n");
    fit("--states sit,walk --sequence who").fails_with(&["more than one stationary law", "--initial arbitrary"]);
    fit("--states sit,walk --sequence who --initial arbitrary").exits(0);
    fit("--states sit,walk --sequence who --initial first --confidence 0.9")
        .fails_with(&["--confidence and --initial: a box of chains with one initial law for all"]);
}

#[test]
fn the_noise_of_a_release_has_the_scale_sigma_at_every_epsilon() {
    let folder = folder();
    // At epsilon 1 a scale of sigma/epsilon would be the same.
    for (epsilon, sigma) in [("3", 2.60145), ("1/2", 30.7496)] {
        let release = |seed: u32| {
            let line = format!(
                "pufferfish release chain.toml day.csv --state activity --query count:sit --epsilon {epsilon} --method exact \
                 --confidence 0.3 --seed {seed} --json"
            );
            folder.words(&line).exits(0).json()
        };
        let ends =
            |object: &serde_json::Value| ["at_least", "at_most"].map(|end| object["answers"][0][end].as_f64().unwrap());
        // An answer whose interval was not cut at 0 or 100, which would hide its width.
        let is_whole = |object: &serde_json::Value| ends(object)[0] > 0.0 && ends(object)[1] < 100.0;
        let object = (1..40).map(release).find(is_whole).unwrap();
        let scale = object["noise_scale"].as_f64().unwrap();
        assert!((scale / sigma - 1.0).abs() < 1e-4, "{epsilon}: {scale}");
        assert_eq!(object["noise"]["sigma"].as_f64().unwrap(), scale, "one moment changes the count by 1");
        // The noise that was drawn: the least m with 2α^(m+1)/(1 + α) at most 0.7 for α = e^(−1/σ).
        let alpha = (-1.0 / scale).exp();
        let m = (0..).find(|&m| 2.0 * alpha.powi(m + 1) / (1.0 + alpha) <= 0.7).unwrap();
        let [least, most] = ends(&object);
        assert_eq!(most - least, 2.0 * f64::from(m), "{epsilon}");
    }
}
