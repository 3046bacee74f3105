//! `lookalike pufferfish spec`, `wasserstein` and `report`.

use crate::common;

use common::{Folder, example, golden};
use lookalike_engine::ReadFile;
use lookalike_formats::Spec;
use lookalike_formats::pufferfish::FrameworkFile;

const CHAIN: &str = "states = [\"sit\", \"walk\"]\ninitial = \"stationary\"\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n";

/// A framework over four values that two names cannot change.
const SAME: &str = "\
epsilon = 1
values = [0, 1]
secrets = [\"a\", \"b\"]
graph.shape = \"complete\"
[[theta]]
name = \"fair\"
given = { a = [0.5, 0.5], b = [0.5, 0.5] }
";

fn flu(name: &str) -> String {
    example("flu").join(name).to_str().unwrap().to_owned()
}

#[test]
fn the_flu_example_needs_half_the_noise_of_group_privacy() {
    let folder = Folder::new();
    let run = folder.run(["pufferfish", "wasserstein", &flu("framework.toml"), "-o", "m.json"]).exits(0);
    golden("pufferfish-wasserstein.txt", &run.stdout);
    let object = folder.run(["pufferfish", "wasserstein", &flu("framework.toml"), "--json"]).exits(0).json();
    assert_eq!((object["distance"].as_str(), object["group"]["distance"].as_str()), (Some("2"), Some("4")));
    assert_eq!((object["scale"].as_f64(), object["group"]["scale"].as_f64()), (Some(2.0), Some(4.0)));
    let learned = |key: &str| object["learned"][key].as_f64().unwrap();
    assert!(learned("prior") < learned("achieved") && learned("achieved") < learned("promised"), "{object}");
    folder.words("certify m.json").exits(0);
    folder.write("answers.csv", "ill\n2\n3\n");
    folder.words("privatize m.json answers.csv --value ill -o private.csv --seed 1").exits(0);
    assert_eq!(folder.read("private.csv").lines().count(), 3);
}

#[test]
fn a_framework_is_designed_certified_and_reported_as_a_spec() {
    let folder = Folder::new();
    for name in ["framework.toml", "two-seasons.toml"] {
        let run = folder.run(["pufferfish", "spec", &flu(name), "-o", "spec.toml", "--force"]).exits(0);
        assert!(run.stdout.starts_with("Wrote spec.toml: "), "{}", run.stdout);
        let framework = FrameworkFile::read(flu(name).as_ref()).unwrap().framework;
        let spec = Spec::read(&folder.path("spec.toml")).unwrap();
        assert_eq!(spec.problem.graph().pairs(), framework.graph().pairs());
        assert!(spec.unprotected.is_empty());
        folder.words("check spec.toml").exits(0);
        folder.design(&folder.path("spec.toml"));
        folder.words("certify m.json --spec spec.toml").exits(0);
        folder.words("report m.json --no-sweep --force").exits(0);
        let page = folder.read("report.html");
        assert!(page.contains("What an adversary can learn") && page.contains("ana is well"), "{name}");
        // One half may become e/(1 + e) at most, and one tenth e/(9 + e).
        for row in [
            "<td class=\"number\">50 %</td><td class=\"number\">73.11 %</td>",
            "10 %</td><td class=\"number\">23.2 %</td>",
        ] {
            assert!(page.contains(row), "{name}: {row}");
        }
    }
    // A mechanism for one law alone claims less than a spec with two.
    folder.run(["pufferfish", "spec", &flu("framework.toml"), "-o", "one.toml"]).exits(0);
    folder.design(&folder.path("one.toml"));
    folder.words("certify m.json --spec spec.toml").exits(1);
}

#[test]
fn the_spec_goes_to_standard_output_too() {
    let folder = Folder::new();
    let printed = folder.run(["pufferfish", "spec", &flu("two-seasons.toml")]).exits(0).stdout;
    golden("pufferfish-spec.toml", &printed);
    folder.run(["pufferfish", "spec", &flu("two-seasons.toml"), "--json"]).fails_with(&["--json and -o -"]);
}

#[test]
fn a_query_that_tells_nothing_needs_no_noise() {
    let folder = Folder::new();
    folder.write("same.toml", SAME);
    let run = folder.words("pufferfish wasserstein same.toml -o m.json").exits(1);
    assert!(run.stdout.starts_with("W = 0: the query has the same law"), "{}", run.stdout);
    assert_eq!(folder.names(), ["same.toml"]);
}

#[test]
fn mistakes_say_where_and_leave_nothing() {
    let folder = Folder::new();
    folder.write("names.toml", SAME.replace("[0, 1]", "[\"no\", \"yes\"]"));
    folder
        .words("pufferfish wasserstein names.toml -o m.json")
        .fails_with(&["names.toml", "named values, expected numbers"]);
    folder.write("sum.toml", SAME.replace("b = [0.5, 0.5]", "b = [0.5, 0.6]"));
    folder
        .words("pufferfish spec sum.toml -o spec.toml")
        .fails_with(&["sum.toml: theta 1: given: secret \"b\"", "11/10"]);
    folder.write("empty.toml", SAME.split("[[theta]]").next().unwrap());
    folder.words("pufferfish spec empty.toml -o spec.toml").fails_with(&["theta is missing"]);
    folder.words("pufferfish wasserstein same.toml --prior 2").fails_with(&["same.toml"]);
    folder.write("same.toml", SAME.replace("b = [0.5, 0.5]", "b = [0.4, 0.6]"));
    folder
        .words("pufferfish wasserstein same.toml --prior 2")
        .fails_with(&["a belief of 2, expected a number from 0 to 1"]);
    assert_eq!(folder.names(), ["empty.toml", "names.toml", "same.toml", "sum.toml"]);
}

#[test]
fn beliefs_of_a_report_are_chosen() {
    let folder = Folder::new();
    folder.design_toml(common::WARNER);
    folder.words("report m.json --no-sweep --prior 3/4,0.01").exits(0);
    let page = folder.read("report.html");
    // ln 3 turns odds of 3 into 9 and of 1/99 into 1/33.
    assert!(page.contains("<td class=\"number\">75 %</td><td class=\"number\">90 %</td>"), "{page}");
    assert!(page.contains("<td class=\"number\">1 %</td><td class=\"number\">2.95 %</td>"), "{page}");
    folder
        .words("report m.json --no-sweep --force --prior 2")
        .fails_with(&["a belief of 2, expected a number from 0 to 1"]);
    folder.words("noise design --epsilon 1 --sensitivity 1 -o n.json").exits(0);
    folder.words("report n.json -o n.html --prior 1/2").fails_with(&["--prior is shown for channels"]);
}

#[test]
fn a_page_about_a_chain_has_its_methods_and_pictures() {
    let folder = Folder::new();
    folder.write("chain.toml", CHAIN);
    let run = folder.words("pufferfish report chain.toml --length 100 --epsilon 1").exits(0);
    let page = folder.read("report.html");
    assert_eq!(run.stdout, format!("Wrote report.html ({} bytes).\n", page.len()));
    assert!(page.contains("<td>exact quilts</td><td class=\"number\">12.84</td>") && page.contains("NOT private here"));
    assert_eq!(page.matches("<svg").count(), 4);
    folder.words("pufferfish report chain.toml --length 100 --epsilon 1").fails_with(&["report.html", "--force"]);
    folder.words("pufferfish report chain.toml --length 0 --epsilon 1 -o p.html").fails_with(&["0 nodes"]);
    let never = folder.words("pufferfish report missing.toml --length 9 --epsilon 1 -o p.html");
    never.fails_with(&["missing.toml"]);
    assert_eq!(folder.names(), ["chain.toml", "report.html"]);
}
