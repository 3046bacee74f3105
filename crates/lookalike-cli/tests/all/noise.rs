//! `lookalike noise`: numbers, and the largest of several counts.

use crate::tables;

use crate::common::{Folder, golden, keys};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use lookalike::certify::certify;
use lookalike::exact::parse_rational;
use lookalike::model::{Movement, Noise, NoisyMax};
use lookalike::sample::{NoiseSampler, NoisyMaxSampler, RandomKey};
use std::sync::Arc;

/// A fair sampler fails a test with this bound once in 10^9 runs, by Hoeffding's inequality; the seeds are fixed.
fn slack(draws: usize) -> f64 {
    ((2e9f64).ln() / (2.0 * draws as f64)).sqrt()
}

#[test]
fn a_design_says_what_it_costs_and_how_far_it_reaches() {
    let folder = Folder::new();
    let run = folder.words("noise design --epsilon 1/2 --sensitivity 1 --confidence 0.99 -o m.json").exits(0);
    golden("noise-design.txt", &run.stdout);
    assert_eq!(run.stderr, "");
    let file = folder.json("m.json");
    assert_eq!((&file["kind"], &file["mechanism"]), (&"noise".into(), &"discrete-laplace".into()));
    let line = "noise design --epsilon ln(3) --sensitivity 3/4 --grid 0.25 --clamp -5,5 --confidence 0.5 --json";
    let object = folder.words(line).exits(0).json();
    for (key, expected) in [("steps", "3"), ("decay", "1/3*ln(3)"), ("grid", "1/4"), ("sensitivity", "3/4")] {
        assert_eq!(object[key], expected, "{key}");
    }
    assert_eq!(object["clamp"], serde_json::json!(["-5", "5"]));
    assert_eq!(object["intervals"].as_array().unwrap().len(), 2);
    let narrow = &object["intervals"][1];
    // P(|Z| > 1) = 2α²/(1 + α) = 0.5681… and P(|Z| > 2) = 0.3939… at α = 3^(-1/3).
    assert_eq!((&narrow["steps"], &narrow["on_grid"]), (&2.into(), &0.5.into()));
    assert_eq!(narrow["rounded"], 0.625);
    assert_eq!(folder.names(), ["m.json"]);
}

#[test]
fn a_design_to_standard_output_is_the_file_and_nothing_else() {
    let folder = Folder::new();
    let run = folder.words("noise design --epsilon 1 --sensitivity 2 -o -").exits(0).says(&["certified at epsilon 1"]);
    folder.words("noise design --epsilon 1 --sensitivity 2 -o m.json").exits(0);
    assert_eq!(run.stdout, folder.read("m.json"));
    folder.words("noise design --epsilon 1 --sensitivity 2 -o - --json").fails_with(&["--json and -o -"]);
}

#[test]
fn one_percent_less_than_the_claim_is_refused_everywhere() {
    for (line, claimed, lowered) in [
        ("--epsilon 1/2 --sensitivity 1", "1/2", "0.495"),
        ("--epsilon ln(3) --sensitivity 0.3 --grid 1/4", "ln(3)", "99/100*ln(3)"),
        ("--epsilon 2 --sensitivity 500 --clamp 0,500 --grid 8", "2", "1.98"),
    ] {
        let folder = Folder::new();
        folder.words(&format!("noise design {line} -o m.json")).exits(0);
        folder.words("certify m.json").exits(0);
        let claim = |epsilon: &str| format!("\"kind\": \"noise\",\n  \"epsilon\": \"{epsilon}\"");
        let text = folder.read("m.json");
        assert!(text.contains(&claim(claimed)), "{text}");
        folder.write("less.json", text.replace(&claim(claimed), &claim(lowered)));
        let run = folder.words("certify less.json").exits(1);
        assert!(run.stdout.starts_with("NOT PRIVATE: "), "{}", run.stdout);
        let run = folder.words("noise add 1 --mechanism less.json").exits(1);
        assert_eq!(run.stdout, "");
        run.says(&["nothing released, since the mechanism is not private", "exceed epsilon"]);
        folder.write("data.csv", "x\n1\n");
        folder.words("privatize less.json data.csv --value x -o out.csv").exits(1).says(&["nothing released"]);
        assert!(!folder.names().contains(&"out.csv".to_owned()));
    }
}

#[test]
fn a_question_that_wastes_noise_is_told_the_way_out() {
    let folder = Folder::new();
    let coarse = folder.words("noise design --epsilon 1 --sensitivity 0.3").exits(0);
    coarse.says(&["warning: a grid of 1 is coarse", "1 step apart", "70 % of epsilon is lost; --grid 1/16 loses less"]);
    assert_eq!(folder.words("noise design --epsilon 1 --sensitivity 0.3 --grid 1/16").exits(0).stderr, "");
    let wide = folder.words("noise add 3 --epsilon 1 --sensitivity 10 --clamp 0,4").exits(0);
    wide.says(&["warning: a sensitivity of 10 between bounds that are 4 apart", "--sensitivity 4"]);
}

#[test]
fn bad_questions_are_refused() {
    let folder = Folder::new();
    let design = |more: &str| folder.words(&format!("noise design -o m.json {more}"));
    design("--epsilon 1").fails_with(&["--sensitivity <D>"]);
    design("--sensitivity 1").fails_with(&["--epsilon <E>"]);
    design("--epsilon 0 --sensitivity 1").fails_with(&["epsilon = 0, expected a number above 0"]);
    design("--epsilon -1 --sensitivity 1").fails_with(&["epsilon = -1"]);
    design("--epsilon 1 --sensitivity 0").fails_with(&["sensitivity = 0, expected a number above 0"]);
    design("--epsilon 1 --sensitivity -2").fails_with(&["sensitivity = -2"]);
    design("--epsilon 1 --sensitivity much").fails_with(&["\"much\" is not a number"]);
    design("--epsilon 1 --sensitivity 1 --grid 0.1").fails_with(&["a grid of 1/10, expected a power of two"]);
    design("--epsilon 1 --sensitivity 1 --grid 2^x").fails_with(&["\"2^x\" is not a power of two"]);
    design("--epsilon 1 --sensitivity 1 --grid 2^-2000").fails_with(&["a grid of 2^-2000, expected"]);
    design("--epsilon 1 --sensitivity 1 --grid 2^-60").fails_with(&["more than 2^44 grid steps", "coarser grid"]);
    design("--epsilon 1 --sensitivity 1 --clamp 5,0").fails_with(&["--clamp: bounds 5 and 0, expected the lower one"]);
    design("--epsilon 1 --sensitivity 1 --clamp 5").fails_with(&["expected a lower and an upper bound"]);
    design("--epsilon 1 --sensitivity 1 --confidence 95").fails_with(&["95, expected a number between 0 and 1"]);
    let add = |more: &str| folder.words(&format!("noise add {more}"));
    add("1").fails_with(&["no noise, expected --mechanism FILE, or --epsilon E and --sensitivity D"]);
    add("--epsilon 1 --sensitivity 1").fails_with(&["<VALUE>"]);
    add("1 --mechanism nowhere.json").fails_with(&["nowhere.json: cannot read"]);
    add("1 --mechanism m.json --epsilon 1 --sensitivity 1").fails_with(&["cannot be used with"]);
    folder.words("counts design --n 2 --alpha 1/2 -o counts.json").exits(0);
    add("1 --mechanism counts.json").fails_with(&["counts.json: kind: \"point\", expected \"noise\""]);
    assert_eq!(folder.names(), ["counts.json"]);
}

#[test]
fn values_that_cannot_be_released_are_named_by_their_place_only() {
    let folder = Folder::new();
    let add = |more: &str| folder.words(&format!("noise add --epsilon 1 --sensitivity 1 {more}"));
    for value in ["777x", "nan", "inf", "7/0", "7,77"] {
        let run = add(&format!("1 {value}")).fails_with(&["value 2: not a number, expected one like 12"]);
        assert!(!run.stderr.contains(value), "{}", run.stderr);
    }
    let off =
        add("--on-grid 3 777.5").fails_with(&["value 2: not a multiple of the grid, 1, though --on-grid says so"]);
    assert!(!off.stderr.contains("777"), "{}", off.stderr);
    add("--on-grid 3 --clamp 0,5/2").fails_with(&["--on-grid: the bound 5/2 is not a multiple of the grid, 1"]);
    add("--on-grid 3 -4 0.25e1 --grid 1/2").exits(0);
}

/// What the library releases for numbers, in steps.
fn of_library(noise: Noise, values: &[&str], seed: u64) -> Vec<i64> {
    let rounded = values.iter().map(|text| noise.round(&parse_rational(text).unwrap()).try_into().unwrap());
    let (steps, mut outputs): (Vec<i64>, _) = (rounded.collect(), vec![0; values.len()]);
    let sampler = NoiseSampler::new(&certify(noise).unwrap());
    sampler.add_steps(&RandomKey::from_seed(seed), 0, &steps, &mut outputs).unwrap();
    outputs
}

fn noise(epsilon: &str, sensitivity: &str, exponent: i32) -> Noise {
    Noise::for_epsilon(epsilon.parse().unwrap(), parse_rational(sensitivity).unwrap(), exponent).unwrap()
}

#[test]
fn a_seed_gives_the_noise_of_the_library_with_an_interval_and_without_the_truth() {
    let folder = Folder::new();
    let values = ["123456", "-123456.5", "0.1e3", "1/3", "2.5"];
    let line = format!("noise add {} --epsilon 1/50 --sensitivity 1 --seed 11", values.join(" "));
    let run = folder.words(&line).exits(0).says(&["warning: seeded with 11: reproducible, hence not private"]);
    golden("noise-add.txt", &run.stdout);
    assert!(!run.stdout.contains("123456"), "{}", run.stdout);
    let object = folder.words(&format!("{line} --json")).exits(0).json();
    assert_eq!(keys(&object), ["values", "epsilon", "epsilon_text", "secrets", "interval", "seeded"]);
    let expected = of_library(noise("1/50", "1", 0), &values, 11);
    let half = object["interval"]["rounded"].as_f64().unwrap();
    for (found, expected) in object["values"].as_array().unwrap().iter().zip(expected) {
        assert_eq!(found["released"], expected);
        let ends = [&found["at_least"], &found["at_most"]].map(|end| end.as_f64().unwrap());
        assert_eq!(ends, [expected as f64 - half, expected as f64 + half]);
    }
    // The same through a file, on quarters.
    folder.words("noise design --epsilon 1 --sensitivity 3/4 --grid 1/4 -o m.json").exits(0);
    let line = "noise add 0.1 -7.125 1e2 --mechanism m.json --seed 12 --json";
    let object = folder.words(line).exits(0).json();
    let expected = of_library(noise("1", "3/4", -2), &["0.1", "-7.125", "1e2"], 12);
    for (found, expected) in object["values"].as_array().unwrap().iter().zip(expected) {
        assert_eq!(found["released"], 0.25 * expected as f64);
    }
}

#[test]
fn without_a_seed_no_two_runs_are_the_same() {
    let folder = Folder::new();
    let run = || folder.words("noise add 0 0 0 --epsilon 1e-9 --sensitivity 1").exits(0);
    assert_ne!(run().stdout, run().stdout);
    assert_eq!(run().stderr, "");
}

#[test]
fn clamped_values_are_released_as_their_bounds() {
    let folder = Folder::new();
    let add = |value: &str| {
        let line = format!("noise add {value} --epsilon 1 --sensitivity 8 --clamp -3.5,4.5 --grid 1/2 --seed 5 --json");
        folder.words(&line).exits(0).json()["values"][0]["released"].clone()
    };
    assert_eq!((add("1e300"), add("-99")), (add("4.5"), add("-3.5")));
    assert_ne!(add("1e300"), add("4"));
}

#[test]
fn intervals_hold_their_value_as_often_as_the_law_says() {
    // At α = 1/3: P(|Z| > 1) = 1/6, so that 60 % takes ± 1, which is neither P(|Z| > 0) = 1/2 nor P(|Z| > 2) = 1/18.
    // 0.3 is rounded to 0, and half a step more holds as often; 0.5 is rounded to 1, and is also held by Z = −2.
    let draws = 4_000;
    let folder = Folder::new();
    for (value, more, beyond) in [("0", "--on-grid", 1.0 / 6.0), ("0.3", "", 1.0 / 6.0), ("0.5", "", 1.0 / 9.0)] {
        let values = format!("{value} ").repeat(draws);
        let line =
            format!("noise add {values} --epsilon ln(3) --sensitivity 1 --confidence 0.6 --seed 9 --json {more}");
        let object = folder.words(&line).exits(0).json();
        assert_eq!(object["interval"]["steps"], 1);
        let value: f64 = value.parse().unwrap();
        let misses = |one: &&serde_json::Value| {
            let [at_least, at_most] = [&one["at_least"], &one["at_most"]].map(|end| end.as_f64().unwrap());
            value < at_least || at_most < value
        };
        let share = object["values"].as_array().unwrap().iter().filter(misses).count() as f64 / draws as f64;
        assert!((share - beyond).abs() < slack(draws), "{value}: {share}");
    }
}

#[test]
fn the_largest_count_is_chosen_with_the_noise_of_the_library() {
    let folder = Folder::new();
    folder.write("votes.csv", "party,note,votes\nred,x,10\ngreen,y,12\nblue,z,11\n");
    let counts: ArrayRef = Arc::new(Int64Array::from(vec![10, 12, 11]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["red", "green", "blue"]));
    let records = RecordBatch::try_from_iter([("votes", counts), ("party", names)]).unwrap();
    tables::parquet(&folder.path("votes.parquet"), &records, 3, parquet::basic::Compression::SNAPPY);
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..8 {
        for (more, movement) in [("--together", Movement::Together), ("", Movement::Anyhow)] {
            let max = NoisyMax::for_epsilon("1/2".parse().unwrap(), 1, movement).unwrap();
            let sampler = NoisyMaxSampler::new(&certify(max).unwrap());
            // In the order of the names, whatever that of the table is.
            let expected = sampler.select(&RandomKey::from_seed(seed), 0, &[11, 12, 10]).unwrap();
            let expected = ["blue", "green", "red"][expected];
            for counts in [
                "votes.csv --name party --count votes",
                "votes.parquet --name party --count votes",
                "--counts red=10,green=12,blue=11",
            ] {
                let line = format!("noise max {counts} --epsilon 1/2 --seed {seed} --json {more}");
                let object = folder.words(&line).exits(0).json();
                assert_eq!(object["chosen"], expected, "{line}");
                assert_eq!(object["decay"], if more.is_empty() { "1/4" } else { "1/2" });
            }
            chosen.insert(expected);
        }
    }
    assert!(chosen.len() > 1, "noise as wide as the differences chooses several");
    let run = folder.words("noise max --counts red=1,green=1000,blue=2 --epsilon 1 --sensitivity 2 --seed 1").exits(0);
    golden("noise-max.txt", &run.stdout);
    assert!(!run.stdout.contains("1000"), "{}", run.stdout);
    let together = folder.words("noise max --counts red=1,green=9 --epsilon 1 --together --seed 1").exits(0);
    together.prints(&[
        "all upward or all downward, choose every name",
        "That is about a person who is there or not; one who moves from one count to another is hidden at twice epsilon.\n",
    ]);
}

#[test]
fn counts_that_cannot_be_compared_are_named_by_row_only() {
    let folder = Folder::new();
    let max = |more: &str| folder.words(&format!("noise max --epsilon 1 {more}"));
    folder.write("text.csv", "name,count\nana,1\nbo,777x\n");
    let run = max("text.csv").fails_with(&["text.csv: row 2, column \"count\": not a whole number of 64 bits"]);
    assert!(!run.stderr.contains("777"), "{}", run.stderr);
    folder.write("twice.csv", "name,count\nana,777\nana,1\n");
    max("twice.csv").fails_with(&["twice.csv: row 2, column \"name\": the same as in row 1"]);
    folder.write("empty.csv", "name,count\n");
    max("empty.csv").fails_with(&["empty.csv: no counts, expected at least one row"]);
    max("text.csv --count votes")
        .fails_with(&["text.csv: column \"votes\": not found among the 2 columns of the first record"]);
    max("nowhere.csv").fails_with(&["nowhere.csv: cannot read"]);
    max("").fails_with(&["<COUNTS>"]);
    max("--counts ana=777,bo").fails_with(&["--counts: entry 2: expected a name and a whole number"]);
    max("text.csv --counts ana=1").fails_with(&["cannot be used with"]);
    max("--counts ana=1 --sensitivity 0").fails_with(&["sensitivity = 0"]);
    max("--counts ana=1 --sensitivity 1.5").fails_with(&["--sensitivity"]);
}

/// Equals go to the first, so the order must not come from the counts: a table sorted by count would tell of them.
#[test]
fn the_order_of_the_rows_decides_nothing() {
    let folder = Folder::new();
    folder.write("up.csv", "name,count\na,5\nb,5\nc,4\n");
    folder.write("down.csv", "name,count\nc,4\nb,5\na,5\n");
    let chosen = |file: &str, seed: u32| {
        let run = folder.words(&format!("noise max {file} --name name --count count --epsilon 1 --seed {seed}"));
        run.exits(0).stdout.lines().next().unwrap().to_owned()
    };
    let all: Vec<String> = (0..30).map(|seed| chosen("up.csv", seed)).collect();
    assert_eq!((0..30).map(|seed| chosen("down.csv", seed)).collect::<Vec<_>>(), all);
    assert!(all.iter().any(|line| *line != all[0]), "noise decides");
}
