//! `lookalike export`.

mod common;

use common::{Folder, TWO, WARNER, example, keys};
use serde_json::json;

#[test]
fn a_device_file_has_its_own_channel_and_nothing_of_the_others() {
    let folder = Folder::new();
    let mechanism = folder.design_with(&example("commute/spec.toml"), &["--mechanism", "cluster"]);
    for (profile, channel) in [("A", 0), ("B", 0), ("C", 1), ("D", 1)] {
        let name = format!("{profile}.json");
        let run = folder.run(["export", "m.json", "--profile", profile, "-o", &name]).exits(0);
        let (device, text) = (folder.json(&name), folder.read(&name));
        assert_eq!(run.stdout, format!("Wrote {name} ({} bytes).\n", text.len()));
        assert_eq!(keys(&device), ["format", "version", "categories", "rows"]);
        assert_eq!((device["format"].as_str(), device["version"].as_u64()), (Some("lookalike-device"), Some(1)));
        assert_eq!(device["categories"], mechanism["categories"]);
        assert_eq!(device["rows"], mechanism["channels"][channel]["rows"]);
        for other in mechanism["profiles"].as_object().unwrap().keys() {
            assert!(!text.contains(&format!("\"{other}\"")), "{profile} sees {other}");
        }
        let foreign = mechanism["channels"][1 - channel]["rows"][0][0].to_string();
        assert!(!text.contains(&foreign) && !text.contains("9/20") && !text.contains("epsilon"));
    }
}

#[test]
fn a_channel_in_the_keep_form_is_exported_as_such() {
    let folder = Folder::new();
    let names: Vec<String> = (0..70).map(|at| format!("v{at}")).collect();
    let spec = json!({"epsilon": 1, "categories": names, "secrets": "values", "graph": {"shape": "complete"}});
    let mechanism = folder.design(&folder.write("spec.json", spec.to_string()));
    let device = folder.words("export m.json").exits(0).json();
    assert_eq!(keys(&device), ["format", "version", "categories", "keep", "redraw"]);
    assert_eq!(device["keep"], mechanism["channels"][0]["keep"]);
    assert_eq!(device["redraw"], mechanism["channels"][0]["redraw"]);
}

#[test]
fn without_a_file_the_device_goes_to_standard_output() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.words("export m.json --profile ana -o ana.json --json").exits(0);
    let text = folder.read("ana.json");
    assert_eq!(folder.words("export m.json --profile ana").exits(0).stdout, text);
    assert_eq!(folder.words("export m.json --profile ana -o -").exits(0).stdout, text);
    assert_eq!(folder.names(), ["ana.json", "m.json", "spec.toml"]);
}

#[test]
fn an_aware_mechanism_needs_a_profile_and_a_known_one() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.words("export m.json -o d.json").fails_with(&["--profile is missing", "aware"]);
    folder.words("export m.json --profile zoe -o d.json").fails_with(&["\"zoe\"", "m.json", "one of ana, bo"]);
    assert_eq!(folder.names(), ["m.json", "spec.toml"]);
}

#[test]
fn one_channel_for_all_needs_no_profile() {
    let folder = Folder::new();
    let mechanism = folder.design_toml(WARNER);
    let device = folder.words("export m.json").exits(0).json();
    assert_eq!(device["rows"], mechanism["channels"][0]["rows"]);
    let mechanism = folder.design_toml(&TWO.replace("[profiles]", "channel = \"shared\"\n[profiles]"));
    assert_eq!(mechanism["kind"], "shared");
    let device = folder.words("export m.json").exits(0).json();
    assert_eq!(device["rows"], mechanism["channels"][0]["rows"]);
    assert!(!device.to_string().contains("ana"));
}

#[test]
fn an_existing_device_file_is_replaced_only_when_told_to() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("d.json", "older");
    folder.words("export m.json -o d.json").fails_with(&["d.json: exists already", "--force"]);
    assert_eq!(folder.read("d.json"), "older");
    folder.words("export m.json -o d.json --force").exits(0);
    assert_eq!(folder.json("d.json")["format"], "lookalike-device");
}

#[test]
fn a_mechanism_that_is_not_private_is_not_exported() {
    let folder = Folder::new();
    let mut file = folder.design_toml(WARNER);
    file["channels"][0]["rows"] = json!([[1u64 << 53, 0], [0, 1u64 << 53]]);
    folder.write("m.json", file.to_string());
    let run = folder.words("export m.json -o d.json").exits(1).says(&["not exported", "not private", "output"]);
    assert_eq!((run.stdout.as_str(), folder.path("d.json").exists()), ("", false));
    let verdict = folder.words("export m.json -o d.json --json").exits(1).json();
    assert!(verdict["certified"] == false && verdict["witness"]["output"].is_string());
}
