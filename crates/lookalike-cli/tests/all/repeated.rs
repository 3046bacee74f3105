//! What the reports of one profile add up to, plans that promise a budget, and releases that change nothing.

use crate::common::{Folder, TWO, WARNER, records};

/// Two profiles that look alike as they are.
const ALIKE: &str = "\
epsilon = 1
categories = [\"idle\", \"busy\"]
[profiles]
ana = [0.5, 0.5]
bo = [0.4, 0.6]
[graph]
edges = [[\"ana\", \"bo\"]]
";

const RUN: &str = "privatize m.json data.csv --profile user --value load -o out.csv --force";

/// Rows of two users, in an order that has no pattern to speak of.
const ROWS: &str = "user,load,room\nana,idle,a\nana,busy,b\nbo,busy,a\nana,idle,a\nbo,idle,c\nana,busy,d\n";

#[test]
fn the_largest_number_of_reports_is_added_up_on_the_terminal_alone() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.csv", ROWS);
    let line = "Released 6 rows at epsilon 0.5 for pairs of profiles.\nUp to 4 reports of one profile: epsilon 2 in sum if an observer can link";
    let line = line.replace("0.5", "1/2");
    folder.words(RUN).exits(0).says(&[&line]);
    let json = folder.words(&format!("{RUN} --json")).exits(0);
    assert!(!json.stdout.contains("sum") && !json.stdout.contains('4'), "{}", json.stdout);
    // One report each has nothing to add up.
    folder.write("data.csv", "user,load\nana,idle\nbo,busy\n");
    assert!(!folder.words(RUN).exits(0).stderr.contains("in sum"));
}

#[test]
fn rows_that_name_nobody_have_the_sum_of_all() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("data.csv", "load\nno\nyes\nno\n");
    let run = folder.words("privatize m.json data.csv --value load -o out.csv").exits(0);
    run.says(&["reports of one person add up, all 3 to epsilon 3*ln(3), if an observer can link them."]);
}

#[test]
fn a_report_has_the_rule_and_the_terminal_the_sum_of_the_reports_that_it_shows() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.csv", ROWS);
    folder.words(&format!("{RUN} --seed 1")).exits(0);
    let estimate = folder.words("estimate m.json out.csv --value load --json").exits(0).stdout;
    folder.write("estimate.json", estimate);
    let run = folder.words("report m.json --no-sweep --estimate estimate.json").exits(0);
    run.says(&["reports of one profile add up, all 6 to epsilon 3, if an observer can link them"]);
    let page = folder.read("report.html");
    assert!(page.contains("ten by ε = 5, a hundred by ε = 50"), "the rule");
    assert!(!page.contains("all 6 to") && !page.contains("Up to 4"), "no count of anybody's");
}

#[test]
fn subjects_of_a_ledger_are_counted_by_it() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.words("ledger init a.ledger --budget 10").exits(0);
    let charge = |rows: &str| {
        folder.write("data.csv", rows);
        folder
            .words("privatize m.json data.csv --value load --ledger a.ledger --subject user -o out.csv --force")
            .exits(0)
    };
    charge("user,load\nana,no\nbo,yes\nana,yes\n")
        .says(&["Up to 2 releases by this mechanism about one subject: epsilon 2*ln(3) in sum."]);
    // Earlier runs count too.
    charge("user,load\nana,no\nbo,no\n")
        .says(&["Up to 3 releases by this mechanism about one subject: epsilon 3*ln(3) in sum."]);
}

/// A plan over these rows, with more keys in `[data]`.
fn plan(folder: &Folder, spec: &str, more: &str) {
    folder.write("data.csv", ROWS);
    let data = "[data]\nrecords = \"data.csv\"\nprofile = \"user\"\nvalue = \"load\"\n";
    folder.write("plan.toml", format!("{spec}{data}{more}\n"));
}

#[test]
fn a_plan_whose_data_exceed_its_budget_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    for spec in [TWO.to_owned(), TWO.replace("[profiles]", "channel = \"shared\"\n[profiles]")] {
        plan(&folder, &spec, "budget = 1.99");
        let before = folder.names();
        let run = folder.words("run plan.toml").exits(1);
        assert!(
            run.stderr.starts_with("refused: plan.toml: data: budget: the plan promises epsilon 199/100"),
            "{}",
            run.stderr
        );
        let run = run.says(&["up to 4 of one, which add up to epsilon 2", "raise the budget"]);
        assert_eq!(run.stdout, "");
        assert!(folder.names() == before || std::fs::read_dir(folder.path("out")).unwrap().next().is_none());
        // Equality is within the budget.
        plan(&folder, &spec, "budget = 2");
        folder.words("run plan.toml --force").exits(0);
        std::fs::remove_dir_all(folder.path("out")).unwrap();
    }
}

#[test]
fn the_budget_may_be_about_the_subjects_of_a_column() {
    let folder = Folder::new();
    plan(&folder, TWO, "budget = 1\nsubject = \"room\"");
    folder.words("run plan.toml").exits(1).says(&["for all reports of one subject, and there are up to 3 of one"]);
    plan(&folder, TWO, "budget = \"3/2\"\nsubject = \"room\"");
    folder.words("run plan.toml").exits(0);
    plan(&folder, TWO, "subject = \"room\"");
    folder.words("run plan.toml --force").fails_with(&["plan.toml: data: subject is there to be counted for a budget"]);
    plan(&folder, TWO, "budget = 1\nsubject = \"floor\"");
    folder.words("run plan.toml --force").fails_with(&["data.csv: column \"floor\": not found"]);
    plan(&folder, &WARNER.replace("\"no\", \"yes\"", "\"idle\", \"busy\""), "budget = 1");
    folder.words("run plan.toml --force").fails_with(&["budget: values have no profile (subject = \"COLUMN\""]);
}

#[test]
fn a_release_that_changes_nothing_says_so_first_and_why_the_promise_holds() {
    let folder = Folder::new();
    folder.design_toml(ALIKE);
    folder.write("data.csv", ROWS);
    let run = folder.words(RUN).exits(0);
    let first = "No value was changed: the profiles that must look alike do so within epsilon as they are";
    assert!(run.stderr.starts_with(first), "{}", run.stderr);
    assert_eq!(folder.read("out.csv"), "load\nidle\nbusy\nbusy\nidle\nidle\nbusy\n");
    let json = folder.words(&format!("{RUN} --json")).exits(0).stdout;
    assert!(!json.contains("changed"), "{json}");
    plan(&folder, ALIKE, "");
    let run = folder.words("run plan.toml").exits(0);
    assert!(run.stdout.starts_with(first), "{}", run.stdout);
    assert!(!folder.read("out/report.html").contains("No value was changed"));
    // Noise that is there, and that changed something.
    folder.design_toml(TWO);
    folder.write("data.csv", records(1000));
    let run = folder.words(&format!("{RUN} --seed 1")).exits(0);
    assert!(!run.stderr.contains("No value was changed"), "{}", run.stderr);
    // Noise that is there, and changed nothing: of these seeds one keeps a single row.
    folder.write("data.csv", "user,load\nana,idle\n");
    let kept = (0..20).map(|seed| folder.words(&format!("{RUN} --seed {seed}")).exits(0).stderr);
    assert!(kept.into_iter().any(|said| said.contains("No value was changed: by chance")));
}
