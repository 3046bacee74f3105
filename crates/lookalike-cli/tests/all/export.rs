//! `lookalike export`.

use crate::common::{Folder, TWO, WARNER, example, keys};
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

/// The bytes of a file.
fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path(name)).unwrap()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Two pairs of people with a channel each.
const PEOPLE: &str = "epsilon = 0.5\ncategories = [\"idle\", \"light\", \"busy\"]\n[profiles]\n\
                      annabel = [0.2, 0.3, 0.5]\nboris = [0.5, 0.3, 0.2]\n\
                      cleopatra = [0.25, 0.35, 0.4]\ndmitri = [0.55, 0.4, 0.05]\n\
                      [graph]\nedges = [[\"annabel\", \"cleopatra\"], [\"boris\", \"dmitri\", 0.25]]\n";

#[test]
fn a_table_has_its_own_channel_and_nothing_of_the_others() {
    let folder = Folder::new();
    let spec = folder.write("spec.toml", PEOPLE);
    let mechanism = folder.design_with(&spec, &["--mechanism", "cluster"]);
    let names = ["annabel", "boris", "cleopatra", "dmitri"];
    let tables = names.map(|name| {
        let file = format!("{name}.table");
        let run = folder.run(["export", "m.json", "--profile", name, "-o", &file]).exits(0);
        let bytes = bytes(&folder, &file);
        let table = lookalike_device::Table::read(&bytes).unwrap();
        let digest: String = table.digest().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(run.stdout, format!("Wrote {file} ({} bytes).\nSHA-256 {digest}\n", bytes.len()));
        for hidden in names.iter().chain(&["profile", "1/5", "3/10", "11/20", "1/4"]) {
            assert!(!contains(&bytes, hidden.as_bytes()), "{name} sees {hidden}");
        }
        bytes
    });
    // Those who share a channel have the same bytes, so that these do not tell whose they are.
    assert_eq!(mechanism["channels"].as_array().unwrap().len(), 2);
    assert!(tables[0] == tables[2] && tables[1] == tables[3] && tables[0] != tables[1]);
    // What can be drawn is its own law, and none of the other's weights is among the numbers.
    for (bytes, channel) in [(&tables[0], 0), (&tables[1], 1)] {
        let table = lookalike_device::Table::read(bytes).unwrap();
        for (value, own) in (0..).zip(rows(&mechanism, channel)) {
            let drawn: Vec<u64> = (0..3).map(|output| table.drawn_weight(value, output).unwrap()).collect();
            assert_eq!(drawn, own);
        }
        let (own, others) = (rows(&mechanism, channel).concat(), rows(&mechanism, 1 - channel).concat());
        let foreign: Vec<u64> =
            others.into_iter().filter(|weight| *weight > 1 << 40 && !own.contains(weight)).collect();
        assert!(!foreign.is_empty());
        for weight in foreign {
            // Neither as a number, nor as the threshold of one of four columns, which has an output in its lowest byte.
            assert!(!contains(bytes, &weight.to_le_bytes()), "channel {channel} sees {weight}");
            let threshold = (weight << 13).to_le_bytes();
            assert!(weight >= 1 << 51 || !contains(bytes, &threshold[1..]), "channel {channel} sees {weight}");
        }
    }
}

/// The law of each value out of 2^53, for a channel of rows.
fn rows(mechanism: &serde_json::Value, channel: usize) -> Vec<Vec<u64>> {
    let numbers = |row: &serde_json::Value| row.as_array().unwrap().iter().map(|w| w.as_u64().unwrap()).collect();
    mechanism["channels"][channel]["rows"].as_array().unwrap().iter().map(numbers).collect()
}

#[test]
fn the_form_is_that_of_the_name_unless_it_is_told() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let json = folder.words("export m.json -o d.table --json").exits(0).json();
    assert_eq!(keys(&json), ["file", "bytes", "digest"]);
    let table = bytes(&folder, "d.table");
    assert!(table.starts_with(b"LKDEVICE"));
    folder.words("export m.json --form table -o d.bin").exits(0);
    assert_eq!(bytes(&folder, "d.bin"), table);
    folder.words("export m.json --form json -o text.table").exits(0);
    assert_eq!(folder.json("text.table")["format"], "lookalike-device");
    let piped = folder.command("export m.json --form table".split(' ')).output().unwrap();
    assert_eq!(piped.stdout, table);
    assert_eq!(String::from_utf8(piped.stderr).unwrap(), format!("SHA-256 {}\n", json["digest"].as_str().unwrap()));
    folder.words("export m.json --form yaml").fails_with(&["'yaml'", "json, table"]);
}

#[test]
fn a_table_of_a_mechanism_that_is_not_private_is_not_exported() {
    let folder = Folder::new();
    let mut file = folder.design_toml(WARNER);
    file["channels"][0]["rows"] = json!([[1u64 << 53, 0], [0, 1u64 << 53]]);
    folder.write("m.json", file.to_string());
    folder.words("export m.json -o d.table").exits(1).says(&["not exported", "not private"]);
    assert!(!folder.path("d.table").exists());
}
