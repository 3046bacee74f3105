//! Runs the pages that newcomers read: the README's `console` blocks with their output, and the examples' commands.
//!
//! `UPDATE_GOLDEN=1` writes the outputs that the commands have now into the page.

use crate::common::page::{is_up_to_date, root, run};
use lookalike_engine::ReadFile;
use std::fs;
use std::path::Path;

#[test]
fn the_readme_shows_what_its_commands_print() {
    is_up_to_date("README.md", 6, with_examples().path());
}

#[test]
fn the_page_on_designs_shows_what_its_commands_print_about_its_spec() {
    let folder = with_examples();
    let page = fs::read_to_string(root().join("docs/design.md")).unwrap();
    let spec = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(folder.path().join("clinics.toml"), spec).unwrap();
    is_up_to_date("docs/design.md", 4, folder.path());
    has_every_option(&page, "design", folder.path());
}

#[test]
fn the_page_on_fitting_shows_what_its_commands_print() {
    let folder = with_examples();
    is_up_to_date("docs/fit.md", 4, folder.path());
    has_every_option(&fs::read_to_string(root().join("docs/fit.md")).unwrap(), "fit", folder.path());
}

/// Every option of the command is on its page.
fn has_every_option(page: &str, verb: &str, folder: &Path) {
    let help = run(&format!("lookalike {verb} --help"), folder);
    let options = help.split_whitespace().filter_map(|word| word.strip_prefix("--"));
    for option in options.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())) {
        let common = ["json", "quiet", "threads", "force", "help", "version"];
        assert!(common.contains(&option) || page.contains(&format!("`--{option}")), "--{option} is not on the page");
    }
}

#[test]
fn the_pages_on_plans_and_estimates_show_what_their_commands_print() {
    is_up_to_date("docs/run.md", 1, with_examples().path());
    let folder = with_examples();
    let page = fs::read_to_string(root().join("docs/estimate.md")).unwrap();
    let spec = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(folder.path().join("limits.toml"), spec).unwrap();
    is_up_to_date("docs/estimate.md", 14, folder.path());
}

#[test]
fn the_page_on_counts_shows_what_its_commands_print() {
    let folder = tempfile::tempdir().unwrap();
    is_up_to_date("docs/counts.md", 11, folder.path());
    let page = fs::read_to_string(root().join("docs/counts.md")).unwrap();
    for subverb in ["design", "compare", "properties", "release"] {
        has_every_option(&page, &format!("counts {subverb}"), folder.path());
    }
}

#[test]
fn the_page_on_noise_shows_what_its_commands_print() {
    let folder = with_examples();
    is_up_to_date("docs/noise.md", 12, folder.path());
    let page = fs::read_to_string(root().join("docs/noise.md")).unwrap();
    for subverb in ["design", "add", "max", "choose"] {
        has_every_option(&page, &format!("noise {subverb}"), folder.path());
    }
}

#[test]
fn the_page_on_frameworks_shows_what_its_commands_print() {
    let folder = with_examples();
    is_up_to_date("docs/pufferfish-frameworks.md", 6, folder.path());
    let page = fs::read_to_string(root().join("docs/pufferfish-frameworks.md")).unwrap();
    for subverb in ["spec", "wasserstein", "report"] {
        has_every_option(&page, &format!("pufferfish {subverb}"), folder.path());
    }
    let readme = fs::read_to_string(root().join("examples/flu/README.md")).unwrap();
    let block = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let empty = with_examples();
    block.lines().for_each(|command| drop(run(command, empty.path())));
}

#[test]
fn the_page_on_local_privacy_shows_what_its_commands_print() {
    let folder = tempfile::tempdir().unwrap();
    is_up_to_date("docs/local.md", 12, folder.path());
    let page = fs::read_to_string(root().join("docs/local.md")).unwrap();
    for subverb in ["compare", "design"] {
        has_every_option(&page, &format!("local {subverb}"), folder.path());
    }
}

#[test]
fn the_page_on_places_shows_what_its_commands_print() {
    let folder = with_examples();
    is_up_to_date("docs/geo.md", 14, folder.path());
    let page = fs::read_to_string(root().join("docs/geo.md")).unwrap();
    for subverb in ["design", "privatize", "remap", "errors", "map"] {
        has_every_option(&page, &format!("geo {subverb}"), folder.path());
    }
    let readme = fs::read_to_string(root().join("examples/places/README.md")).unwrap();
    let block = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let empty = with_examples();
    block.lines().for_each(|command| drop(run(command, empty.path())));
}

#[test]
fn the_page_on_the_ledger_shows_what_its_commands_print() {
    let folder = with_examples();
    is_up_to_date("docs/ledger.md", 6, folder.path());
}

#[test]
fn the_page_on_devices_shows_what_its_commands_print() {
    let folder = with_examples();
    is_up_to_date("docs/device.md", 2, folder.path());
    has_every_option(&fs::read_to_string(root().join("docs/device.md")).unwrap(), "export", folder.path());
}

#[test]
fn the_page_on_the_mechanism_file_shows_what_its_commands_print() {
    let folder = tempfile::tempdir().unwrap();
    is_up_to_date("docs/mechanism-file.md", 4, folder.path());
}

#[test]
fn the_page_on_dummies_shows_what_its_commands_print() {
    let folder = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(root().join("docs/tupling.md")).unwrap();
    let spec = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(folder.path().join("two.toml"), spec).unwrap();
    is_up_to_date("docs/tupling.md", 4, folder.path());
    has_every_option(&page, "tupling", folder.path());
}

#[test]
fn the_page_on_chains_shows_what_its_commands_print() {
    let folder = with_examples();
    let page = fs::read_to_string(root().join("docs/pufferfish.md")).unwrap();
    for (name, text) in [("activity.toml", 1), ("several.toml", 2), ("limits.toml", 3)] {
        let file = page.split("```toml\n").nth(text).unwrap().split("```").next().unwrap();
        fs::write(folder.path().join(name), file).unwrap();
    }
    is_up_to_date("docs/pufferfish.md", 6, folder.path());
    for subverb in ["fit", "design", "release"] {
        has_every_option(&page, &format!("pufferfish {subverb}"), folder.path());
    }
}

#[test]
fn the_page_on_audits_shows_what_its_commands_print_and_the_program_they_run() {
    let folder = with_examples();
    is_up_to_date("docs/audit.md", 7, folder.path());
    let page = fs::read_to_string(root().join("docs/audit.md")).unwrap();
    has_every_option(&page, "audit", folder.path());
    let program = fs::read_to_string(root().join("examples/audit/warner.py")).unwrap();
    assert!(page.contains(&format!("```python\n{program}```")), "the page shows the program as it is");
}

#[test]
fn the_two_commands_of_the_set_up_stand_first() {
    let page = fs::read_to_string(root().join("README.md")).unwrap();
    let block = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let commands: Vec<&str> = block.lines().map(|line| line.split('#').next().unwrap().trim()).collect();
    assert_eq!(commands, ["cargo run --release -- run examples/workstations/plan.toml", "make test"]);
    let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
    let last: Vec<&str> = ci.lines().rev().take(2).collect();
    assert_eq!(last, ["make test-more", "make test"], "CI runs the same, and then what not every machine has");
}

/// A folder with the examples, as in the root of the repository.
fn with_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    // What a run of an example left there is not part of it.
    for example in fs::read_dir(folder.path().join("examples")).unwrap() {
        let _ = fs::remove_dir_all(example.unwrap().path().join("out"));
    }
    folder
}

#[test]
fn the_commands_of_the_examples_work_as_written() {
    for example in ["workstations", "commute", "closest"] {
        let folder = with_examples();
        let page = fs::read_to_string(root().join("examples").join(example).join("README.md")).unwrap();
        let block = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
        block.lines().for_each(|command| drop(run(command, folder.path())));
        let records = fs::read_to_string(folder.path().join("examples").join(example).join("records.csv")).unwrap();
        let private = fs::read_to_string(folder.path().join("private.csv")).unwrap();
        assert_eq!(private.lines().count(), records.lines().count(), "{example}: a row for each row");
        assert!(private.lines().all(|line| !line.contains(',')), "{example}: one column");
    }
}

#[test]
fn the_commands_of_the_example_of_a_chain_work_as_written() {
    let folder = with_examples();
    let page = fs::read_to_string(root().join("examples/activity/README.md")).unwrap();
    let block = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().for_each(|command| drop(run(command, folder.path())));
    let private = fs::read_to_string(folder.path().join("private.csv")).unwrap();
    assert_eq!(private.lines().next(), Some("state,released"));
    assert_eq!(private.lines().count(), 4);
}

#[test]
fn the_commands_of_the_page_on_records_work_as_written() {
    let folder = with_examples();
    let page = fs::read_to_string(root().join("docs/records.md")).unwrap();
    let block = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().for_each(|command| drop(run(command, folder.path())));
    let begins = |file: &str, magic: &[u8]| fs::read(folder.path().join(file)).unwrap().starts_with(magic);
    assert!(begins("private.parquet", b"PAR1") && begins("with-time.arrow", b"ARROW1"));
    is_up_to_date("docs/records.md", 1, folder.path());
}

#[allow(missing_docs, dead_code, reason = "programs of their own")]
#[path = "../../../../examples/workstations/generate.rs"]
mod workstations;

#[allow(missing_docs, dead_code, reason = "programs of their own")]
#[path = "../../../../examples/commute/generate.rs"]
mod commute;

#[allow(missing_docs, dead_code, reason = "programs of their own")]
#[path = "../../../../examples/activity/generate.rs"]
mod activity;

#[allow(missing_docs, dead_code, reason = "programs of their own")]
#[path = "../../../../examples/places/generate.rs"]
mod places;

#[test]
fn the_generator_of_places_writes_the_committed_files() {
    for (file, text) in [("trip.csv", places::csv()), ("trip.geojson", places::geojson()), ("seen.csv", places::seen())]
    {
        let committed = fs::read_to_string(root().join("examples/places").join(file)).unwrap();
        assert!(text == committed, "{file}: run generate.rs and commit what it prints");
    }
}

#[test]
fn the_generator_of_activities_writes_the_committed_days() {
    for (file, text) in [("days.csv", activity::days()), ("day.csv", activity::day())] {
        let committed = fs::read_to_string(root().join("examples/activity").join(file)).unwrap();
        assert!(text == committed, "{file}: run generate.rs and commit what it prints");
    }
}

#[test]
fn the_generators_write_the_committed_records() {
    for (example, records) in [("workstations", workstations::records()), ("commute", commute::records())] {
        let committed = fs::read_to_string(root().join("examples").join(example).join("records.csv")).unwrap();
        assert!(records == committed, "{example}: run its generate.rs and commit what it prints");
        assert!(committed.len() <= 100_000, "{example}: at most 100 kB");
    }
    let committed = fs::read_to_string(root().join("examples/workstations/sample.csv")).unwrap();
    assert!(workstations::sample() == committed, "sample.csv: run generate.rs and commit what it prints");
    assert!(committed.len() <= 300_000, "sample.csv: at most 300 kB");
}

#[test]
fn the_generators_draw_from_the_profiles_of_the_specs() {
    let check = |example: &str, profiles: Vec<(&str, Vec<u64>)>| {
        let path = root().join("examples").join(example).join("spec.toml");
        let problem = lookalike_formats::Spec::read(&path).unwrap().problem;
        let spec = problem.graph().names().iter().zip(problem.profile_laws());
        let hundredths = |law: &lookalike::model::Distribution| -> Vec<u64> {
            law.probabilities()
                .map(|p| {
                    u64::try_from((p * lookalike::exact::Rational::from_integer(100.into())).to_integer()).unwrap()
                })
                .collect()
        };
        let spec: Vec<(&str, Vec<u64>)> = spec.map(|(name, law)| (name, hundredths(law))).collect();
        assert_eq!(spec, profiles, "{example}");
    };
    check("workstations", workstations::PROFILES.map(|(name, weights)| (name, weights.to_vec())).to_vec());
    check("commute", commute::PROFILES.map(|(name, weights)| (name, weights.to_vec())).to_vec());
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(|_| ()).unwrap() }
    }
}
