//! What the documentation shows is read by the program.

use lookalike::certify::certify;
use lookalike_engine::Folder;
use lookalike_formats::{Alone, AnyMechanism, MechanismFile, MechanismKind, Spec, device_json, of_kind};
use std::path::Path;

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// The fenced blocks of a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn every_whole_spec_in_the_documentation_is_read() {
    let page = page("spec.md");
    let specs = blocks(&page, "toml").into_iter().filter(|block| block.lines().any(|line| line.starts_with("epsilon")));
    let read = specs.map(|spec| Spec::from_toml(spec, &Alone).unwrap_or_else(|error| panic!("{error} in {spec}")));
    assert!(read.count() >= 5, "the page shows specs");
}

#[test]
fn the_spec_in_json_is_the_one_in_toml() {
    let page = page("spec.md");
    let toml = Spec::from_toml(blocks(&page, "toml")[0], &Alone).unwrap();
    let json = Spec::from_json(blocks(&page, "json")[0], &Alone).unwrap();
    assert_eq!(toml.problem.graph(), json.problem.graph());
    assert_eq!(toml.problem.profile_laws(), json.problem.profile_laws());
}

#[test]
fn every_key_of_the_format_has_a_row() {
    let error = Spec::from_toml("unknown = 1", &Alone).unwrap_err().to_string();
    let keys = error.strip_prefix("key 1 is not known, expected one of ").unwrap();
    let page = page("spec.md");
    for key in keys.split(", ") {
        assert!(page.contains(&format!("\n| [`{key}`](#")), "no row for {key}");
    }
}

#[test]
fn the_mechanism_file_is_as_it_is_written_and_certified() {
    let page = page("mechanism-file.md");
    let shown = blocks(&page, "json");
    let file = MechanismFile::from_json(shown[0]).unwrap();
    assert_eq!(file.to_json(), shown[0]);
    assert!(certify(file.mechanism.clone()).is_ok());
    for other in &shown[1..5] {
        let mechanism = AnyMechanism::from_json(other).unwrap();
        assert!(mechanism.channels().is_none(), "an oracle, noise on numbers, on a sequence and on places");
        assert_eq!(mechanism.file().to_json(), *other);
        assert!(of_kind!(mechanism, file => file.mechanism.prove().is_ok()));
    }
    assert_eq!(device_json(&file.mechanism, 1), shown[5]);
}

#[test]
fn the_examples_for_a_certifier_are_true_at_equality_and_false() {
    let page = page("mechanism-file.md");
    let examples = blocks(page.split("## Examples for a certifier").nth(1).unwrap(), "json");
    assert_eq!(examples.len(), 9);
    for three in examples.chunks(3) {
        let verdict =
            |text: &&str| of_kind!(AnyMechanism::from_json(text).unwrap(), file => file.mechanism.prove().is_ok());
        assert_eq!(three.iter().map(verdict).collect::<Vec<_>>(), [true, true, false], "in {three:?}");
    }
}

#[test]
fn the_files_of_the_documentation_are_read() {
    let page = page("spec.md");
    let (profiles, edges) = (blocks(&page, "csv")[0], blocks(&page, "csv")[1]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("profiles.csv"), format!("{profiles}cleo,0.4,0.4,0.1,0.1\n")).unwrap();
    std::fs::write(folder.path().join("edges.csv"), edges).unwrap();
    let spec = "epsilon = 0.5\ncategories = [\"idle\", \"light\", \"busy\", \"full\"]\n\
                profiles_file = \"profiles.csv\"\n\
                graph.edges_file = \"edges.csv\"\n";
    let spec = Spec::from_toml(spec, &Folder(folder.path())).unwrap();
    let first = Spec::from_toml(blocks(&page, "toml")[0], &Alone).unwrap();
    assert_eq!(spec.problem.graph(), first.problem.graph());
    assert_eq!(spec.problem.profile_laws(), first.problem.profile_laws());
}

#[test]
fn sentences_that_were_false_do_not_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<_> =
        ["README.md", "SECURITY.md", "ARCHITECTURE.md", "BENCHMARKS.md"].map(|name| root.join(name)).into();
    for folder in ["docs", "docs/decisions"] {
        pages.extend(std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let pages = pages.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut read = 0;
    for path in pages {
        let text =
            std::fs::read_to_string(&path).unwrap().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        for sentence in [
            // The ledger and the account exist.
            "not a budget keeper yet",
            "nothing here keeps that account",
            "compositors: not here",
            // A peer's single calls beside our bulk rate.
            "11,220",
            // Laws of noise are irrational.
            "no tolerance, no floats",
            // A file about a chain promises moments.
            "its own claim is that of one moment by itself",
            "claims 1/sigma for one moment",
        ] {
            assert!(!text.contains(sentence), "{}: {sentence}", path.display());
        }
        read += 1;
    }
    assert!(read > 60, "{read} pages");
}
