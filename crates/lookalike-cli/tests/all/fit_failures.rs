//! `lookalike fit` and `certify --profiles-within` when something is wrong: messages to act on, and nothing written.

use crate::common::{Folder, MARKER, TWO, WARNER, golden};

const DATA: &str = "user,load,hours,team\nana,idle,1,x\nbo,busy,2,x\nana,busy,3,x\nbo,busy,4,y\ncleo,idle,5,y\n";

/// Each command with the message it ends in; nothing but the message may come of it.
fn messages(folder: &Folder, commands: &[&str]) -> String {
    let before = folder.names();
    let message = |command: &&str| {
        let run = folder.words(command).exits(2);
        assert_eq!(run.stdout, "", "{command}");
        assert!(!run.stderr.contains(MARKER), "{command}: {}", run.stderr);
        format!("$ lookalike {}\n{}", command.trim_end(), run.stderr)
    };
    let text = commands.iter().map(message).collect();
    assert_eq!(folder.names(), before, "nothing is written");
    text
}

#[test]
fn every_mistake_has_a_message_to_act_on() {
    let folder = Folder::new();
    folder.write("data.csv", DATA);
    folder.write("nothing.csv", "");
    folder.write("header.csv", "user,load\n");
    folder.write("gap.csv", format!("user,load\nana,idle\n,{MARKER}\n"));
    folder.write("value.csv", format!("user,load\nana,idle\nana,{MARKER}\n"));
    folder.write("bare.csv", format!("{MARKER},{MARKER}\nana,idle\n"));
    folder.write("old.toml", "older");
    let fit = |rest: &str| format!("fit {rest}");
    let load = |rest: &str| format!("fit data.csv --profile user --value load {rest}");
    let commands = [
        load(""),
        load("--quantiles 3"),
        load("--quantiles 3 --public-data --minimum 1"),
        load("--public-data --public-categories"),
        load("--categories idle,busy --bins 0,1"),
        load("--categories idle,idle"),
        load("--bins 3,1"),
        load("--bins 0,x"),
        load("--categories idle --minimum 1"),
        load("--categories idle --unknown off"),
        load("--public-categories --unknown idle"),
        fit("data.csv --profile usr --value load --public-categories"),
        fit("data.csv --profile user --value lod --categories idle,busy"),
        fit("bare.csv --profile user --value load --public-categories"),
        fit("missing.csv --profile user --value load --public-categories"),
        fit("nothing.csv --profile user --value load --public-categories"),
        fit("header.csv --profile user --value load --public-categories"),
        fit("gap.csv --profile user --value load --public-categories"),
        fit("value.csv --profile user --value load --categories idle,busy"),
        fit("data.csv --profile user --value user --public-categories"),
        load("--public-categories"),
        load("--public-categories --minimum 9 --drop-small"),
        load("--public-categories --minimum 2 --pool-small ana"),
        load("--public-categories --minimum 3 --pool-small rest --group-by load"),
        load("--public-categories --minimum 1 --group-by team"),
        load("--public-categories --minimum 1 --group-by hours"),
        load("--public-categories --minimum 1 --group-by user"),
        load("--public-categories --group-by role"),
        load("--public-categories --profile-by role"),
        load("--public-categories --minimum 2 --pool-small rest --pseudo-count -1"),
        load("--public-categories --confidence 95"),
        load("--public-categories --epsilon 0"),
        load("--public-categories --minimum 1 --chain --complete"),
        load("--public-categories --minimum 1 -o old.toml"),
        load("--public-categories --minimum 1 -o new.toml --limits old.toml"),
        load("--public-categories --minimum 1 -o new.toml --limits new.toml"),
        load("--public-categories --minimum 1 --limits -"),
        load("--public-categories --minimum 1 --json -o -"),
        load("--public-categories --format parquet --trim"),
    ];
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    golden("fit-mistakes.txt", &messages(&folder, &commands));
    assert_eq!(folder.read("old.toml"), "older");
}

#[test]
fn limits_that_do_not_fit_the_mechanism_are_refused() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    let fine = "profile,category,lower,upper\nana,idle,0.8,1\nana,busy,0,0.2\nbo,idle,0.1,0.3\nbo,busy,0.7,0.9\n";
    folder.write("fine.csv", fine);
    let changes = [
        ("missing.csv", fine.replace("bo,busy,0.7,0.9\n", "")),
        ("profile.csv", fine.replace("bo,idle", "cleo,idle")),
        ("category.csv", fine.replace("bo,idle", "bo,full")),
        ("twice.csv", fine.to_owned() + "bo,busy,0.7,0.9\n"),
        ("number.csv", fine.replace("0.8,1", "0.8,one")),
        ("order.csv", fine.replace("0.8,1", "1,0.8")),
        ("law.csv", fine.replace("0,0.2", "0.3,0.4")),
        ("column.csv", fine.replace("upper", "most")),
        ("short.csv", fine.replace("bo,busy,0.7,0.9\n", "bo,bu")),
        ("empty.csv", String::new()),
    ];
    for (name, text) in &changes {
        folder.write(name, text);
    }
    let mut commands: Vec<String> =
        changes.iter().map(|(name, _)| format!("certify m.json --profiles-within {name}")).collect();
    commands.push("certify m.json --profiles-within nowhere.csv".into());
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let mut text = messages(&folder, &commands);
    folder.design_toml(WARNER);
    text += &messages(&folder, &["certify m.json --profiles-within fine.csv"]);
    golden("within-mistakes.txt", &text);
}

#[test]
fn limits_do_not_change_the_verdict() {
    let folder = Folder::new();
    let mut file = folder.design_toml(TWO);
    // The profiles themselves as limits: the worst within them is the tightest pair itself.
    folder.write(
        "exact.csv",
        "profile,category,lower,upper\nana,idle,0.9,0.9\nana,busy,0.1,0.1\nbo,idle,0.2,0.2\nbo,busy,0.8,0.8\n",
    );
    let object = folder.words("certify m.json --profiles-within exact.csv --json").exits(0).json();
    assert_eq!(object["within"]["epsilon"], object["epsilon"]);
    assert_eq!(object["within"]["worst"], object["worst"]);
    assert_eq!(object["within"]["confidence"], serde_json::Value::Null);
    // A claim that is false stays false, whatever the limits.
    file["groups"] = serde_json::json!([]);
    file["edges"][0]["epsilon"] = "1/10".into();
    file["epsilon"] = "1/10".into();
    folder.write("m.json", file.to_string());
    let run = folder.words("certify m.json --profiles-within exact.csv").exits(1).stdout;
    assert!(
        run.starts_with("NOT PRIVATE: edge (")
            && run.contains("\nIf the true profiles lie within these limits, epsilon is at most 0.5"),
        "{run}"
    );
    // Limits that allow an output to be impossible.
    let unchanged = TWO.replace("[0.2, 0.8]", "[0.85, 0.15]");
    folder.write("spec.toml", unchanged);
    folder.words("design spec.toml -o m.json --force").exits(0);
    folder.write("wide.csv", "profile,category,lower,upper\nana,idle,0,1\nana,busy,0,1\nbo,idle,0,1\nbo,busy,0,1\n");
    let run = folder.words("certify m.json --profiles-within wide.csv").exits(0).stdout;
    assert!(run.contains("\nIf the true profiles lie within these limits, epsilon may be infinite: "), "{run}");
    let object = folder.words("certify m.json --profiles-within wide.csv --json").exits(0).json();
    assert_eq!(object["within"]["epsilon"]["upper"], serde_json::Value::Null);
}

/// Before, `./x` passed for another file than `x`, and only the later one was left.
#[test]
fn limits_in_the_place_of_the_spec_are_refused_in_every_form_of_the_path() {
    let folder = Folder::new();
    folder.write("data.csv", DATA);
    std::fs::create_dir(folder.path("inner")).unwrap();
    for (output, limits) in [("new", "new"), ("new", "./new"), ("inner/../new", "new")] {
        let run = folder.words(&format!(
            "fit data.csv --profile user --value load --public-categories --complete -o {output} --limits {limits} --force"
        ));
        run.fails_with(&["-o and --limits name the same file, expected two"]);
        assert!(!folder.path("new").exists());
    }
}
