use super::*;

#[test]
fn other_formats_and_newer_versions_by_name() {
    let format = "\"lookalike-mechanism\"";
    assert_eq!(
        broken(AWARE, format, "\"lookalike-device\""),
        "format: \"lookalike-device\", expected \"lookalike-mechanism\""
    );
    assert_eq!(broken(AWARE, "\"format\": \"lookalike-mechanism\",", ""), "format is missing");
    assert_eq!(error("{}"), "format is missing");
    assert_eq!(broken(AWARE, format, "\"MARKER\""), "format: another one, expected \"lookalike-mechanism\"");
    assert_eq!(
        broken(AWARE, "\"version\": 2", "\"version\": 3, \"new\": 3"),
        "version: 3, expected 2 (a newer release may read this file)"
    );
    assert_eq!(broken(AWARE, "\"version\": 2", "\"version\": 0"), "version: 0, expected 2");
    assert_eq!(broken(AWARE, "\"version\": 2,", ""), "version is missing");
    assert_eq!(broken(AWARE, "\"version\": 2", "\"version\": \"2\""), "version: found a text, expected a whole number");
    let kinds = "aware, shared, point, unary, hash, hadamard, subset or noise";
    assert_eq!(broken(AWARE, "\"aware\"", "\"nosie\""), format!("kind: \"nosie\", expected {kinds}"));
}

#[test]
fn texts_that_are_not_json() {
    assert_eq!(error(""), "not JSON: EOF while parsing a value at line 1 column 0");
    assert_eq!(error(&AWARE[..242]), "not JSON: EOF while parsing an object at line 13 column 8");
    assert_eq!(error("[1]"), "found a list, expected a table");
    assert_eq!(
        broken(AWARE, "\"version\": 2", "\"version\": 2, \"version\": 2"),
        "a key occurs twice at line 3 column 25"
    );
    assert_eq!(broken(AWARE, "\"bo\": [\"1/3\"", "\"ana\": [\"1/3\""), "a key occurs twice at line 13 column 9");
    assert_eq!(broken(AWARE, "\"pair\"", "\"epsilon\": 1, \"pair\""), "a key occurs twice at line 19 column 15");
    for key in ["profiles", "edges", "channels"] {
        let again = format!("\"{key}\": {{}}, \"{key}\":");
        assert!(broken(AWARE, &format!("\"{key}\":"), &again).starts_with("a key occurs twice at line "));
    }
    let twice = AWARE.replacen("\"objective\"", "\"edges\": [], \"objective\"", 1);
    assert!(error(&twice).contains("a key occurs twice at line "));
    let deep = format!("{{\"format\": {}", "[".repeat(100_000));
    assert_eq!(error(&deep), "not JSON: recursion limit exceeded at line 1 column 138");
}

#[test]
fn unknown_and_missing_keys() {
    let keys = "format, version, mechanism, kind, epsilon, secrets, categories, bins, outputs, edges, groups, channels, \
                objective, certificate";
    assert_eq!(
        broken(AWARE, "\"mechanism\":", "\"name\":"),
        format!("key \"name\" is not known, expected one of {keys}, profiles, limits, limits_basis")
    );
    assert_eq!(
        broken(POINT, "\"edges\"", "\"profiles\""),
        format!("key \"profiles\" is not known, expected one of {keys}, places"),
        "values have no profiles"
    );
    assert_eq!(broken(AWARE, "\"epsilon\": \"1/2\",\n  \"sec", "\"sec"), "epsilon is missing");
    assert!(broken(AWARE, "\"secrets\": {\n    \"are\": \"profiles\"\n  },", "").starts_with("secrets is missing"));
    assert_eq!(
        broken(AWARE, "\"are\": \"profiles\"", "\"are\": \"values\""),
        "secrets: are: \"values\", expected \"profiles\" for this kind"
    );
    assert_eq!(broken(AWARE, "\"kind\": \"aware\",", ""), "kind is missing");
    let categories = "categories is missing (a list of names; bins for a numeric column)";
    assert_eq!(broken(AWARE, "\"categories\": [\"no\", \"yes\"],", ""), categories);
    assert_eq!(broken(POINT, "\"channels\"", "\"objective\""), "channels is missing");
    let shared = AWARE.replace("\"aware\"", "\"shared\"");
    assert_eq!(error(&shared), "channels: 2 channels, expected 1 for this kind");
    let profiles = shared.find("  \"profiles\": {").unwrap()..shared.find("  \"edges\"").unwrap();
    let mut without = shared.clone();
    without.replace_range(profiles, "");
    assert_eq!(error(&without), "profiles is missing");
    assert_eq!(
        broken(AWARE, "\"pair\"", "\"pairs\""),
        "edges: edge 1: key \"pairs\" is not known, expected one of pair, epsilon"
    );
    assert_eq!(broken(AWARE, "\"pair\": [\"ana\", \"bo\"],", ""), "edges: edge 1: pair is missing");
    assert_eq!(broken(AWARE, "\"name\": \"late\",", ""), "groups: group 1: name is missing");
    assert_eq!(broken(AWARE, "\"members\": [\"bo\", \"cleo\"],", ""), "groups: group 1: members is missing");
    assert_eq!(broken(AWARE, "\"profiles\": [\"ana\"],", ""), "channels: channel 1: profiles is missing");
    assert_eq!(
        broken(AWARE, "\"rows\"", "\"row\""),
        "channels: channel 1: key \"row\" is not known, expected one of profiles, rows, keep, redraw"
    );
    assert_eq!(
        broken(POINT, "\"edges\": []", "\"edges\": [], \"certificate\": 3"),
        "certificate: found a number, expected a table"
    );
}

#[test]
fn weights_that_are_no_row() {
    let rows = |by: &str| broken(AWARE, "[0, 9007199254740992]\n", &format!("{by}\n"));
    let whole = "expected a whole number from 0 to 2^64 - 1";
    let row = "channels: channel 1: rows: row 2: item";
    assert_eq!(rows("[-1, 9007199254740993]"), format!("{row} 1: found the number -1, {whole}"));
    assert_eq!(rows("[0, 9007199254740992.0]"), format!("{row} 2: found the number 9007199254740992.0, {whole}"));
    assert_eq!(rows("[1e3, 0]"), format!("{row} 1: found the number 1e+3, {whole}"));
    assert_eq!(rows("[0, 18446744073709551616]"), format!("{row} 2: found the number 18446744073709551616, {whole}"));
    assert_eq!(rows("[0, \"9007199254740992\"]"), format!("{row} 2: found a text, expected a whole number"));
    assert_eq!(
        rows("[1, 9007199254740992]"),
        "channels: channel 1: row 2: weights sum to 9007199254740993, expected 2^53 = 9007199254740992"
    );
    assert_eq!(rows("[9007199254740992]"), "channels: channel 1: row 2 has 1 weights, expected 2 as in row 1");
    assert_eq!(
        rows("[0, 9007199254740992], [0, 9007199254740992]"),
        "a channel of 3 inputs and 2 outputs, expected 2 and 2"
    );
    let keep = |part: &str, by: &str| broken(AWARE, part, by);
    assert_eq!(
        keep("[9007199254740992, 4503599627370496]", "[9007199254740993, 0]"),
        "channels: channel 2: keep weight 1 is 9007199254740993, expected at most 2^53"
    );
    assert_eq!(
        keep("\"redraw\": [9007199254740992, 0]", "\"redraw\": [1, 0]"),
        "channels: channel 2: redraw row: weights sum to 1, expected 2^53 = 9007199254740992"
    );
    assert_eq!(
        keep("\"redraw\": [9007199254740992, 0]", "\"redraw\": [9007199254740992]"),
        "channels: channel 2: 2 keep weights and 1 redraw weights, expected equally many and at least one"
    );
    let either = "channels: channel 2: expected either rows, or keep and redraw";
    assert_eq!(keep(",\n      \"redraw\": [9007199254740992, 0]", ""), either);
    assert_eq!(keep("\"redraw\": [9007199254740992, 0]", "\"rows\": []"), either);
}

#[test]
fn profiles_without_exactly_one_channel() {
    assert_eq!(
        broken(AWARE, "\"profiles\": [\"bo\", \"cleo\"]", "\"profiles\": [\"bo\"]"),
        "channels: profile \"cleo\" has no channel, expected one"
    );
    assert_eq!(
        broken(AWARE, "\"profiles\": [\"bo\", \"cleo\"]", "\"profiles\": [\"bo\", \"cleo\", \"ana\"]"),
        "channels: channel 2: profile \"ana\" has two channels, expected one"
    );
    assert_eq!(
        broken(AWARE, "\"profiles\": [\"ana\"]", "\"profiles\": [\"zed\"]"),
        "channels: channel 1: \"zed\" is not one of the secrets of this file"
    );
    assert_eq!(
        broken(AWARE, "\"profiles\": [\"ana\"]", "\"profiles\": \"ana\""),
        "channels: channel 1: profiles: found a text, expected a list"
    );
}

#[test]
fn claims_that_are_no_graph() {
    let edge = |by: &str| broken(AWARE, "[\"ana\", \"bo\"]", by);
    assert_eq!(edge("[\"ana\", \"zed\"]"), "edges: edge 1: pair: \"zed\" is not one of the secrets of this file");
    assert_eq!(
        edge("[\"ana\", \"ana\"]"),
        "edges: edge 1: edge from \"ana\" to itself, expected two different secrets"
    );
    assert_eq!(edge("[\"ana\"]"), "edges: edge 1: pair: 1 names, expected two");
    assert_eq!(edge("[\"ana\", 1]"), "edges: edge 1: pair: item 2: found a number, expected a text in quotes");
    let group = |by: &str| broken(AWARE, "\"members\": [\"bo\", \"cleo\"]", by);
    assert_eq!(
        group("\"members\": [\"bo\", \"zed\"]"),
        "groups: group 1: members: item 2: \"zed\" is not one of the secrets of this file"
    );
    assert_eq!(group("\"members\": [\"bo\", \"bo\"]"), "groups: group 1: group \"late\" names \"bo\" twice");
    assert_eq!(group("\"members\": []"), "groups: group 1: group \"late\" is empty, expected at least two members");
    assert_eq!(broken(AWARE, "\"1/3*ln(2)\"", "0"), "groups: group 1: epsilon = 0, expected a number above 0");
    assert_eq!(broken(AWARE, "\"epsilon\": \"1/2\"", "\"epsilon\": []"), "epsilon: found a list, expected a number");
    let nothing = "the graph has no edge, so nothing would be protected (expected edges, a group of two or more, \
                   or a shape)";
    assert_eq!(broken(POINT, "\"members\": [\"a\", \"b\", \"c\"]", "\"members\": [\"a\"]"), nothing);
}

#[test]
fn profiles_and_categories_that_are_none() {
    let bo = |by: &str| broken(AWARE, "\"bo\": [\"1/3\", \"2/3\"]", &format!("\"bo\": {by}"));
    assert_eq!(
        bo("[\"1/3\", \"1/3\"]"),
        "profiles: profile \"bo\": probabilities sum to 2/3, expected 1 (set normalize = true to rescale)"
    );
    assert_eq!(
        bo("[\"1/3\", \"1/3\", \"1/3\"]"),
        "profiles: profile \"bo\": 3 probabilities, expected 2, one for each category"
    );
    assert_eq!(bo("\"2/3\""), "profiles: profile \"bo\": found a text, expected a list", "no short form here");
    assert_eq!(
        bo("[\"x\", 1]"),
        "profiles: profile \"bo\": probability 1: \"x\" is not a number, expected a form like 0.25, 1e-3 or 1/3"
    );
    assert_eq!(
        broken(AWARE, "\"categories\"", "\"bins\": [0, 1], \"categories\""),
        "both categories and bins, expected one of them"
    );
    assert_eq!(
        broken(AWARE, "[\"no\", \"yes\"]", "[\"no\", \"no\"]"),
        "categories: category \"no\" occurs twice, at places 1 and 2"
    );
    assert_eq!(
        broken(AWARE, "\"edges\"", "\"outputs\": [\"one\"], \"edges\""),
        "a channel of 2 inputs and 2 outputs, expected 2 and 1"
    );
}
