//! Profiles and edges from Parquet and Arrow.

use std::fs::File;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;

use super::Folder;
use lookalike_formats::{Result, Spec};

const FORMATS: [&str; 3] = ["parquet", "arrow", "arrows"];

fn error(spec: Result<Spec>) -> String {
    spec.map(|_| ()).unwrap_err().to_string()
}

/// Every pair of the graph with its ε, by name.
fn pairs(spec: &Spec) -> Vec<String> {
    let graph = spec.problem.graph();
    let count = graph.names().len() as u32;
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let text = |(a, b)| {
        let epsilon = graph.epsilon_between(a, b)?;
        Some(format!("{} {} {epsilon}", graph.names().name(a), graph.names().name(b)))
    };
    all.filter_map(text).collect()
}

fn law(spec: &Spec, profile: usize) -> Vec<String> {
    spec.problem.profile_laws()[profile].probabilities().map(|p| p.to_string()).collect()
}

/// Writes a table in the format of its name.
fn write(folder: &tempfile::TempDir, name: &str, columns: Vec<(&str, ArrayRef)>) {
    let records = RecordBatch::try_from_iter(columns).unwrap();
    let file = File::create(folder.path().join(name)).unwrap();
    if name.ends_with(".parquet") {
        let mut writer = ArrowWriter::try_new(file, records.schema(), None).unwrap();
        writer.write(&records).unwrap();
        writer.close().unwrap();
    } else if name.ends_with(".arrow") {
        let mut writer = FileWriter::try_new(file, &records.schema()).unwrap();
        writer.write(&records).unwrap();
        writer.finish().unwrap();
    } else {
        let mut writer = StreamWriter::try_new(file, &records.schema()).unwrap();
        writer.write(&records).unwrap();
        writer.finish().unwrap();
    }
}

fn texts(texts: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

/// A spec that names the tables `profiles` and `edges` of a format.
fn read(folder: &tempfile::TempDir, format: &str) -> Result<Spec> {
    let text = format!(
        "epsilon = 1\ncategories = [\"no\", \"yes\"]\nprofiles_file = \"profiles.{format}\"\n\
         graph.edges_file = \"edges.{format}\"\n"
    );
    Spec::from_toml(&text, &Folder(folder.path()))
}

#[test]
fn tables_of_every_format_and_type_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let decimals = Decimal128Array::from(vec![75, 10, 50]).with_precision_and_scale(4, 2).unwrap();
    let yes: [ArrayRef; 5] = [
        Arc::new(Float64Array::from(vec![0.75, 0.1, 0.5])),
        Arc::new(Float32Array::from(vec![0.75, 0.1, 0.5])),
        Arc::new(decimals),
        texts(&["3/4", "1/10", "0.50"]),
        Arc::new(["0.75", "0.1", "0.5"].into_iter().collect::<DictionaryArray<Int8Type>>()),
    ];
    for format in FORMATS {
        for yes in &yes {
            let names = texts(&["ana", "bo", "cleo"]);
            write(&folder, &format!("profiles.{format}"), vec![("yes", yes.clone()), ("profile", names)]);
            let own: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(0.1)]));
            let edges = vec![("a", texts(&["ana", "bo"])), ("b", texts(&["bo", "cleo"])), ("epsilon", own)];
            write(&folder, &format!("edges.{format}"), edges);
            let spec = read(&folder, format).unwrap();
            let laws: Vec<_> = (0..3).map(|profile| law(&spec, profile).join(" ")).collect();
            assert_eq!(laws, ["1/4 3/4", "9/10 1/10", "1/2 1/2"], "{format}");
            assert_eq!(pairs(&spec), ["ana bo 1", "bo cleo 1/10"], "{format}");
        }
    }
}

#[test]
fn whole_numbers_are_names_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = |numbers: &[i64]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
    let profiles = vec![("profile", numbers(&[7, 8])), ("yes", numbers(&[0, 1])), ("no", numbers(&[1, 0]))];
    write(&folder, "profiles.parquet", profiles);
    write(&folder, "edges.parquet", vec![("a", numbers(&[7])), ("b", numbers(&[8]))]);
    assert_eq!(pairs(&read(&folder, "parquet").unwrap()), ["7 8 1"]);
}

#[test]
fn wrong_tables_are_refused_by_file_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let names = || ("profile", texts(&["ana", "bo"]));
    let no_edges = || vec![("a", texts(&["ana"])), ("b", texts(&["bo"]))];
    let refused = |columns: Vec<(&str, ArrayRef)>, format: &str| {
        write(&folder, &format!("profiles.{format}"), columns);
        write(&folder, &format!("edges.{format}"), no_edges());
        let path = folder.path().join(format!("profiles.{format}"));
        error(read(&folder, format)).replace(&path.display().to_string(), "FILE")
    };
    for format in FORMATS {
        let number: ArrayRef = Arc::new(Float64Array::from(vec![0.5, f64::NAN]));
        let message = refused(vec![names(), ("yes", number)], format);
        assert!(message.starts_with("profiles_file: FILE: row 2: column \"yes\": not a number"), "{message}");
        let dates: ArrayRef = Arc::new(Date32Array::from(vec![1, 2]));
        let message = refused(vec![names(), ("yes", dates)], format);
        assert_eq!(message, "profiles_file: FILE: column \"yes\": found another type, expected text or numbers");
        let message = refused(vec![names(), ("yse", texts(&["1", "0"]))], format);
        assert_eq!(message, "profiles_file: FILE: column \"yse\" is not known, expected profile, no, yes");
        std::fs::write(folder.path().join(format!("profiles.{format}")), "profile,yes\nana,1\n").unwrap();
        assert!(error(read(&folder, format)).contains("damaged, cut short, or not "));
    }
}
