//! Noise on columns of numbers, through `lookalike privatize`.

use crate::{common, tables};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, Int64Type};
use arrow_array::*;
use arrow_schema::DataType;
use common::Folder;
use lookalike::certify::certify;
use lookalike::exact::parse_rational;
use lookalike::model::Noise;
use lookalike::sample::{NoiseSampler, RandomKey};
use std::sync::Arc;

/// A folder with noise at epsilon 1 and sensitivity 1 on a grid of 2^exponent, and the same noise in the library.
fn with_noise(exponent: i32, more: &str) -> (Folder, NoiseSampler) {
    let folder = Folder::new();
    let line = format!("noise design --epsilon 1 --sensitivity 1 --grid 2^{exponent} {more} -o m.json");
    folder.words(&line).exits(0);
    let noise = Noise::for_epsilon("1".parse().unwrap(), parse_rational("1").unwrap(), exponent).unwrap();
    (folder, NoiseSampler::new(&certify(noise).unwrap()))
}

fn write(folder: &Folder, column: ArrayRef) {
    let records = RecordBatch::try_from_iter_with_nullable([("x", column, true)]).unwrap();
    tables::parquet(&folder.path("data.parquet"), &records, 2, parquet::basic::Compression::SNAPPY);
}

fn release(folder: &Folder, data: &str, output: &str) -> common::Run {
    folder.words(&format!("privatize m.json {data} --value x --seed 4 --force -o {output}"))
}

#[test]
fn whole_numbers_have_the_noise_of_the_library_from_every_type() {
    let (folder, sampler) = with_noise(0, "");
    let mut expected = [0; 3];
    sampler.add(&RandomKey::from_seed(4), 0, &[3, -700, 3], &mut expected).unwrap();
    let text: String = expected.iter().map(|number| format!("{number}\n")).collect();
    folder.write("data.csv", "x,y\n3,a\n-7e2,b\n3.2,c\n");
    release(&folder, "data.csv", "out.csv").exits(0);
    assert_eq!(folder.read("out.csv"), format!("x\n{text}"));
    let columns: [ArrayRef; 6] = [
        Arc::new(Int64Array::from(vec![3, -700, 3])),
        Arc::new(Int32Array::from(vec![3, -700, 3])),
        Arc::new(StringArray::from(vec!["3", "-700", "2.5"])),
        Arc::new(["3", "-700.00", "3"].into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(Decimal128Array::from(vec![300, -70_000, 349]).with_precision_and_scale(7, 2).unwrap()),
        Arc::new(LargeStringArray::from(vec!["3", "-700", "3"])),
    ];
    for column in columns {
        write(&folder, column.clone());
        release(&folder, "data.parquet", "out.csv").exits(0);
        assert_eq!(folder.read("out.csv"), format!("x\n{text}"), "{}", column.data_type());
        release(&folder, "data.parquet", "out.parquet").exits(0);
        let batch = &tables::read(&folder.path("out.parquet"))[0];
        assert_eq!(batch.column(0).as_primitive::<Int64Type>().values(), &expected[..], "{}", column.data_type());
        assert!(!batch.schema().field(0).is_nullable());
    }
}

#[test]
fn floats_have_the_noise_of_the_library_and_are_the_numbers_they_store() {
    let (folder, sampler) = with_noise(-30, "");
    for (column, values) in [
        (Arc::new(Float64Array::from(vec![0.1, -7.3, 1e5])) as ArrayRef, [0.1, -7.3, 1e5]),
        (Arc::new(Float32Array::from(vec![0.1, -7.3, 1e5])) as ArrayRef, [0.1f32.into(), (-7.3f32).into(), 1e5]),
    ] {
        let mut expected = [0.0; 3];
        sampler.add_reals(&RandomKey::from_seed(4), 0, &values, &mut expected).unwrap();
        write(&folder, column);
        release(&folder, "data.parquet", "out.parquet").exits(0);
        let batch = &tables::read(&folder.path("out.parquet"))[0];
        assert_eq!(batch.column(0).as_primitive::<Float64Type>().values(), &expected[..]);
        assert!(expected.iter().all(|real| (real * 2f64.powi(30)).fract() == 0.0), "on the grid");
    }
    // A text is the decimal that it spells, and is read back as the same grid point as a double next to it.
    folder.write("data.csv", "x\n0.1\n-7.3\n100000\n");
    release(&folder, "data.csv", "out.csv").exits(0);
    let mut expected = [0.0; 3];
    sampler.add_reals(&RandomKey::from_seed(4), 0, &[0.1, -7.3, 1e5], &mut expected).unwrap();
    let found: Vec<f64> = folder.read("out.csv").lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_column_of_floats_on_a_grid_of_1_stays_one_of_floats() {
    let (folder, _) = with_noise(0, "");
    write(&folder, Arc::new(Float64Array::from(vec![0.5, 1.0])));
    release(&folder, "data.parquet", "out.parquet").exits(0);
    assert_eq!(tables::read(&folder.path("out.parquet"))[0].column(0).data_type(), &DataType::Float64);
}

#[test]
fn the_report_says_how_far_a_number_may_be_from_its_value() {
    let (folder, _) = with_noise(0, "");
    folder.write("data.csv", "x,day\n12,mon\n7,tue\n");
    let line = "privatize m.json data.csv --value x --keep day --seed 4 -o out.csv";
    let run = folder.words(line).exits(0);
    run.says(&[
        "Released 2 rows at epsilon 1 for numbers at most 1 apart.\n",
        "\nAt 95 % a release is within 3 of its value if that is a whole number, \
                and within 3.5 of any other.\nReleased in clear, outside epsilon: day.\n",
    ]);
    assert!(folder.read("out.csv").ends_with(",tue\n"));
    let object = folder.words(&format!("{line} --force --json")).exits(0).json();
    assert_eq!(object["interval"], serde_json::json!({"confidence": 0.95, "steps": 3, "on_grid": 3.0, "rounded": 3.5}));
    let keep = "privatize m.json data.csv --value x --profile day --keep-profile --unsafe --force -o out.csv";
    folder.words(keep).exits(0).says(&["Released in clear, outside epsilon: day."]);
    assert!(folder.read("out.csv").starts_with("x,day\n"), "what is said to be released is");
}

#[test]
fn what_is_no_number_is_named_by_row_and_column_and_nothing_is_written() {
    let (folder, _) = with_noise(-3, "");
    let fails = |data: &str, message: &str| {
        let run = release(&folder, data, "out.csv").fails_with(&[&format!("{data}: "), message]);
        assert!(!run.stderr.contains("777"), "a value is shown: {}", run.stderr);
        assert!(!folder.names().contains(&"out.csv".to_owned()));
    };
    let third = |what: &str| format!("row 3, column \"x\": {what}, expected");
    for (value, message) in [("777x", "not a number"), ("nan", "not a number"), ("inf", "not a number"), ("", "empty")]
    {
        folder.write("data.csv", format!("x,y\n777,a\n777,b\n{value},c\n"));
        fails("data.csv", &third(message));
    }
    let columns: [(ArrayRef, String); 7] = [
        (Arc::new(Int64Array::from(vec![Some(777), Some(777), None])), third("null")),
        (Arc::new(Float64Array::from(vec![Some(777.0), Some(777.0), None])), third("null")),
        (Arc::new(Float64Array::from(vec![777.0, 777.0, f64::NAN])), third("not a finite number")),
        (Arc::new(Float32Array::from(vec![777.0, 777.0, f32::INFINITY])), third("not a finite number")),
        (Arc::new(StringArray::from(vec![Some("777"), Some("777"), None])), third("null")),
        (Arc::new(["777", "777", "777x"].into_iter().collect::<DictionaryArray<Int8Type>>()), third("not a number")),
        (Arc::new(BooleanArray::from(vec![true])), "column \"x\": the type is Boolean, expected whole".to_owned()),
    ];
    for (column, message) in columns {
        write(&folder, column);
        fails("data.parquet", &message);
    }
    folder.write("data.csv", "x\n1\n");
    let run = |more: &str| folder.words(&format!("privatize m.json data.csv -o out.csv {more}"));
    run("--value x --unknown 3").fails_with(&["--unknown 3: noise takes any number"]);
    run("--value x,y").fails_with(&["--value x,y: noise takes one column of numbers"]);
    run("--value y").fails_with(&["data.csv", "\"y\""]);
}

#[test]
fn numbers_are_clamped_and_kept_within_64_bits() {
    let (folder, sampler) = with_noise(0, "--clamp -5,5");
    folder.write("data.csv", "x\n1e30\n-1e30\n4\n");
    release(&folder, "data.csv", "out.csv").exits(0);
    let mut expected = [0; 3];
    sampler.add(&RandomKey::from_seed(4), 0, &[5, -5, 4], &mut expected).unwrap();
    let found: Vec<i64> = folder.read("out.csv").lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert_eq!(found, expected);
    let (folder, sampler) = with_noise(0, "");
    folder.write("data.csv", "x\n1e30\n-1e30\n");
    release(&folder, "data.csv", "out.csv").exits(0);
    let mut expected = [0; 2];
    sampler.add(&RandomKey::from_seed(4), 0, &[i64::MAX, i64::MIN], &mut expected).unwrap();
    let found: Vec<i64> = folder.read("out.csv").lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert_eq!(found, expected);
}

#[test]
fn zero_noise_is_as_frequent_as_the_law_says_over_many_batches() {
    // (1 − α)/(1 + α) at α = e^−1. By Hoeffding's inequality a fair sampler is further off once in 10^9 runs.
    let rows = 150_000;
    let (folder, sampler) = with_noise(0, "");
    folder.write("data.csv", format!("x\n{}", "41\n".repeat(rows)));
    for threads in [1, 2] {
        folder
            .words(&format!("privatize m.json data.csv --value x --seed 6 --threads {threads} --force -o out.csv"))
            .exits(0);
        let found: Vec<i64> = folder.read("out.csv").lines().skip(1).map(|line| line.parse().unwrap()).collect();
        let mut expected = vec![0; rows];
        sampler.add(&RandomKey::from_seed(6), 0, &vec![41; rows], &mut expected).unwrap();
        assert!(found == expected, "row i has the noise of row i, whatever the batches");
        let zeros = found.iter().filter(|&&number| number == 41).count() as f64 / rows as f64;
        let (alpha, slack) = ((-1f64).exp(), ((2e9f64).ln() / (2.0 * rows as f64)).sqrt());
        assert!((zeros - (1.0 - alpha) / (1.0 + alpha)).abs() < slack, "{zeros}");
    }
}
