use super::*;

const EPSILON: &str = "epsilon = 1";
const CHAIN: &str = "shape = \"chain\"";

/// Checks the whole message of each wrong part.
fn messages(read: impl Fn(&str) -> Result<Spec>, cases: &[(&str, &str)]) {
    for (written, expected) in cases {
        assert_eq!(error(read(written)), *expected, "for {written}");
    }
}

#[test]
fn budgets_that_are_no_positive_number() {
    let form = "expected a form like 0.5, 1/2, ln(3), 2*ln(5/2) or 1/2*sqrt(2)";
    let not = |what: &str| format!("epsilon = {what:?} is not understood, {form}");
    let long = format!("\"{}\"", ["1e-900"; 2].join("*"));
    let cases = [
        ("0", "epsilon = 0, expected a number above 0"),
        ("-0.5", "epsilon = -1/2, expected a number above 0"),
        ("\"ln(1)\"", "epsilon = 0, expected a number above 0"),
        ("nan", &not("nan")),
        ("-inf", &not("-inf")),
        ("\"half\"", &not("half")),
        ("\"\"", &not("")),
        ("\"ln(x)\"", "epsilon: \"x\" is not a number, expected a form like 0.25, 1e-3 or 1/3"),
        ("\"ln(-1)\"", "epsilon: ln(-1) is not defined, expected a positive number"),
        ("1e10", "epsilon = 10000000000 is above 100000: nothing would be protected"),
        ("[1]", "epsilon: found a list, expected a number"),
        ("true", "epsilon: found true or false, expected a number"),
        ("1979-05-27", "found a date at line 1 column 11, expected a number or a text"),
        (&long, "epsilon has 1803 characters, expected at most 1000"),
    ];
    messages(|written| with(&format!("epsilon = {written}"), CHAIN), &cases);
    let cases = [
        ("0", "graph: edges: edge 1: epsilon = 0, expected a number above 0"),
        ("[]", "graph: edges: edge 1: epsilon: found a list, expected a number"),
    ];
    messages(|written| with(EPSILON, &format!("edges = [[\"ana\", \"bo\", {written}]]")), &cases);
}

#[test]
fn unknown_missing_and_repeated_keys() {
    let keys = "expected one of epsilon, categories, bins, secrets, normalize, profiles, profiles_file, limits, \
                limits_file, limits_basis, worst_case, graph, \
                objective, loss, channel, prior";
    let unknown = |key: &str| format!("key {key:?} is not known, {keys}");
    let twice = "not TOML: duplicate key at line 2 column 1";
    let cases = [
        ("", "epsilon is missing (for example epsilon = 0.5)"),
        ("epsilno = 1", &unknown("epsilno")),
        ("epsilon = 1\nnormalise = true", &unknown("normalise")),
        ("epsilon = 1", "categories is missing (a list of names; bins for a numeric column)"),
        (
            "epsilon = 1\ncategories = [\"no\", \"yes\"]",
            "profiles is missing (also profiles_file, or secrets = \"values\" for local privacy)",
        ),
        (
            "epsilon = 1\ncategories = [\"no\", \"yes\"]\nprofiles = { ana = 0.1, bo = 0.2 }",
            "graph is missing (a table of edges, groups or a shape: what must look alike)",
        ),
        ("epsilon = 1\nepsilon = 2", twice),
    ];
    messages(toml, &cases);
    assert_eq!(error(bits("", "bo = 0.2\nbo = 0.3")), "not TOML: duplicate key at line 8 column 1");
}

#[test]
fn texts_that_are_not_toml_or_json() {
    let quoted = "not TOML: string values must be quoted, expected literal string at line 1 column 11";
    messages(toml, &[("epsilon = half", quoted)]);
    let cases = [
        ("", "not JSON: EOF while parsing a value at line 1 column 0"),
        ("{\"epsilon\": 1, \"categories\": [\"no\"", "not JSON: EOF while parsing a list at line 1 column 34"),
        ("{\"epsilon\": NaN}", "not JSON: expected value at line 1 column 13"),
        ("{\"epsilon\": 1} x", "not JSON: trailing characters at line 1 column 16"),
        ("{\"epsilon\": 1, \"epsilon\": 2}", "a key occurs twice at line 1 column 24"),
        ("{\"epsilon\": 1, \"profiles\": {\"a\": 1, \"a\": 1}}", "a key occurs twice at line 1 column 39"),
        ("{\"epsilon\": null}", "epsilon: found null, expected a number"),
        ("[]", "found a list, expected a table"),
    ];
    messages(json, &cases);
}

#[test]
fn categories_and_bins_that_are_no_domain() {
    let both = "both categories and bins, expected one of them";
    let cases = [
        ("categories = []", "categories: no category, expected at least one"),
        ("categories = [\"a\", \"a\"]", "categories: category \"a\" occurs twice, at places 1 and 2"),
        ("categories = [\"a\", \"\"]", "categories: category 2 has an empty name"),
        ("categories = [\"a\", 1]", "categories: item 2: found a number, expected a text in quotes"),
        ("categories = \"a\"", "categories: found a text, expected a list"),
        ("bins = []", "no bin, expected at least one"),
        ("bins = [0, 2, 1]", "bins: edge 3 is 1, expected more than 2 before it"),
        ("bins = [0, inf]", "bins: edge 2: \"inf\" is not a number, expected a form like 0.25, 1e-3 or 1/3"),
        ("bins = [1e-1000]", "bins: edge 1: a fraction of 3323 bits, expected at most 3300 (round it)"),
        ("bins = [0, 1]\ncategories = [\"a\", \"b\"]", both),
    ];
    messages(|written| toml(&format!("epsilon = 1\n{written}")), &cases);
}

#[test]
fn profiles_that_are_no_distribution() {
    let number = "is not a number, expected a form like 0.25, 1e-3 or 1/3";
    let cases = [
        ("[0.5, 0.4999999]", "probabilities sum to 9999999/10000000, expected 1 (set normalize = true to rescale)"),
        ("[1.5, -0.5]", "probability 2 is -1/2, expected at least 0"),
        ("[0.5, 0.3, 0.2]", "3 probabilities, expected 2, one for each category"),
        ("[0.5]", "1 probabilities, expected 2, one for each category"),
        ("[]", "0 probabilities, expected 2, one for each category"),
        ("1.5", "3/2, expected a probability from 0 to 1"),
        ("-0.5", "-1/2, expected a probability from 0 to 1"),
        ("nan", &format!("\"nan\" {number}")),
        ("[0.5, inf]", &format!("probability 2: \"inf\" {number}")),
        ("[0.5, \"half\"]", &format!("probability 2: \"half\" {number}")),
        ("[0.5, [0.5]]", "probability 2: found a list, expected a number"),
        ("[\"1/0\", 1]", "probability 1: \"1/0\" divides by zero"),
        ("0x1", &format!("\"0x1\" {number}")),
        ("true", "found true or false, expected a list"),
        ("1e-600", "a common denominator of 1994 bits, expected at most 1650 (round the probabilities)"),
    ];
    for (written, expected) in cases {
        let message = error(bits("", &format!("bo = 0.5\nana = {written}")));
        assert_eq!(message, format!("profiles: profile \"ana\": {expected}"), "for {written}");
    }
    let scaled = |law: &str| error(bits("normalize = true", &format!("ana = {law}")));
    assert_eq!(scaled("[0, 0]"), "profiles: profile \"ana\": weights sum to 0, expected a positive sum to rescale");
    assert_eq!(scaled("[-1, 2]"), "profiles: profile \"ana\": probability 1 is -1, expected at least 0");
    assert_eq!(error(bits("", "")), "profiles: no profile, expected at least one");
    assert_eq!(error(bits("", "\"\" = 0.5")), "profiles: profile 1 has an empty name");
    let three = "epsilon = 1\ncategories = [\"a\", \"b\", \"c\"]\nprofiles = { ana = 0.5 }";
    assert_eq!(error(toml(three)), "profiles: profile \"ana\": found a number, expected a list");
    assert_eq!(error(bits("normalize = \"yes\"", "")), "normalize: found a text, expected true or false");
}

#[test]
fn more_than_one_kind_of_secrets() {
    let more = "more than one of secrets, profiles and profiles_file, expected one";
    let cases = [
        ("secrets = \"values\"", more),
        ("secrets = \"profiles\"", "secrets: \"profiles\", expected \"values\" (or [profiles] instead of secrets)"),
        ("secrets = true", "secrets: found true or false, expected a text in quotes"),
    ];
    messages(|written| with(&format!("epsilon = 1\n{written}"), CHAIN), &cases);
}

#[test]
fn graphs_with_wrong_edges() {
    let cases = [
        ("edges = [[\"ana\", \"zed\"]]", "edges: edge 1: \"zed\" is not known, expected one of ana, bo, cleo"),
        (
            "edges = [[\"ana\", \"bo\"], [\"ana\", \"ana\"]]",
            "edges: edge 2: edge from \"ana\" to itself, expected two different secrets",
        ),
        ("edges = [[\"ana\"]]", "edges: edge 1: 1 items, expected two names and perhaps an epsilon"),
        ("edges = [\"ana\", \"bo\"]", "edges: edge 1: found a text, expected a list"),
        ("edges = [[\"ana\", 3]]", "edges: edge 1: found a number, expected a text in quotes"),
        ("edges = \"ana\"", "edges: found a text, expected a list"),
        ("egdes = []", "key \"egdes\" is not known, expected one of edges, groups, shape, edges_file, within"),
        ("shape = \"ring\"", "shape: \"ring\", expected \"chain\", \"complete\" or \"star\""),
        ("shape = [\"chain\"]", "shape: found a list, expected a text in quotes"),
        ("within = 1", "within: only for secrets = \"values\", which have an order"),
    ];
    for (written, expected) in cases {
        assert_eq!(error(with(EPSILON, written)), format!("graph: {expected}"), "for {written}");
    }
    let many: String = (0..9).map(|at| format!("p{at} = 0.5\n")).collect();
    let spec =
        format!("epsilon = 1\ncategories = [\"no\", \"yes\"]\ngraph.edges = [[\"p0\", \"p9\"]]\n[profiles]\n{many}");
    let few = "graph: edges: edge 1: \"p9\" is not known, expected one of p0, p1, p2, p3, p4, p5, p6, p7, …";
    assert_eq!(error(toml(&spec)), few);
}

#[test]
fn graphs_with_wrong_groups() {
    let cases = [
        ("[\"ana\", \"zed\"]", "group \"e\": member 2: \"zed\" is not known, expected one of ana, bo, cleo"),
        ("[]", "group \"e\" is empty, expected at least two members"),
        ("[\"bo\", \"ana\", \"bo\"]", "group \"e\" names \"bo\" twice"),
        ("[\"ana\", 1]", "group \"e\": member 2: found a number, expected a text in quotes"),
        ("3", "group \"e\": found a number, expected a list"),
        ("{ epsilon = 1 }", "group \"e\": members is missing"),
        (
            "{ members = [\"ana\", \"bo\"], eps = 1 }",
            "group \"e\": key 2 is not known, expected one of members, epsilon",
        ),
        ("{ members = [\"ana\"], epsilon = 0 }", "group \"e\": epsilon = 0, expected a number above 0"),
    ];
    for (written, expected) in cases {
        let message = error(with(EPSILON, &format!("groups = {{ e = {written} }}")));
        assert_eq!(message, format!("graph: groups: {expected}"), "for {written}");
    }
    assert_eq!(error(with(EPSILON, "groups = [\"ana\", \"bo\"]")), "graph: groups: found a list, expected a table");
}

#[test]
fn graphs_that_protect_nothing() {
    let nothing = "graph: the graph has no edge, so nothing would be protected (expected edges, a group of two or \
                   more, or a shape)";
    let cases = [("", nothing), ("edges = []", nothing), ("groups = { alone = [\"ana\"] }", nothing)];
    messages(|graph| with(EPSILON, graph), &cases);
    assert_eq!(error(bits("", "ana = 0.5")), nothing, "one profile has nobody to look like");
}

#[test]
fn wrong_ranges_and_channels_of_values() {
    let cases = [
        ("within = 0", "graph: within: 0, expected at least 1"),
        ("within = 1.5", "graph: within: found the number 1.5, expected a whole number from 0 to 2^64 - 1"),
        ("within = -1", "graph: within: found the number -1, expected a whole number from 0 to 2^64 - 1"),
        ("within = \"1\"", "graph: within: found a text, expected a whole number"),
    ];
    messages(|graph| values("", graph), &cases);
    let shared = "channel = \"shared\" with secrets = \"values\": values share one channel anyway";
    assert_eq!(error(values("channel = \"shared\"", "within = 1")), shared);
}

#[test]
fn wrong_objectives_channels_and_weights() {
    let cases = [
        ("objective = \"best\"", "objective: \"best\", expected max-flip, expected-error, ordinal-error or loss"),
        ("objective = 1", "objective: found a number, expected a text in quotes"),
        ("objective = \"loss\"", "objective = \"loss\" needs a matrix: loss = [[0, 1], [1, 0]]"),
        (
            "objective = \"max-flip\"\nloss = [[0, 1], [1, 0]]",
            "a loss matrix with objective = \"max-flip\", expected objective = \"loss\"",
        ),
        ("loss = [[0, 1]]", "loss: a loss of 1 rows, expected 2 rows of 2 entries, one for each category"),
        ("loss = [[0, 1], [1]]", "loss: row 2: 1 entries, expected 2, one for each category"),
        ("loss = [[0, 1], [-1, 0]]", "loss: loss (2, 1) is -1, expected at least 0"),
        ("loss = [[0, true]]", "loss: row 1: entry 2: found true or false, expected a number"),
        ("channel = \"mine\"", "channel: \"mine\", expected \"aware\" or \"shared\""),
        ("prior = { zed = 1 }", "prior: \"zed\" is not known, expected one of ana, bo"),
        ("prior = { ana = -1 }", "prior: \"ana\": -1, expected at least 0"),
        ("prior = { ana = [1] }", "prior: \"ana\": found a list, expected a number"),
        ("prior = { ana = 0, bo = 0 }", "prior: weights sum to 0, expected a positive sum to rescale"),
        ("prior = [1, 2]", "prior: found a list, expected a table"),
    ];
    messages(|top| bits(top, "ana = 0.1\nbo = 0.2"), &cases);
}

#[test]
fn tables_with_wrong_columns_or_rows() {
    let read = |spec: &str, content: &str, place: &str| {
        let message = error(Spec::from_toml(spec, &Texts(&[("t.csv", content)])));
        let prefix = format!("{place}: t.csv: ");
        message.strip_prefix(&prefix).unwrap_or_else(|| panic!("no place in {message}")).to_owned()
    };
    let edges = |content: &str| {
        read(&format!("epsilon = 1\n{PROFILES}\n[graph]\nedges_file = \"t.csv\""), content, "graph: edges_file")
    };
    assert_eq!(edges("a\nana\n"), "column \"b\" is missing among the 1 of the header");
    assert_eq!(edges("a,b,eps\nana,bo,1\n"), "column \"eps\" is not known, expected a, b, epsilon");
    assert_eq!(edges("a,b,a\n"), "columns 1 and 3 have the same name, expected each once");
    assert_eq!(edges(""), "no column, expected at least one");
    assert_eq!(edges("a,b\nana,bo\nana\n"), "row 2: 1 fields, expected 2 as in the header");
    assert_eq!(edges("a,b\nana,zed\n"), "row 1: column \"b\": not known, expected one of ana, bo, cleo");
    assert_eq!(edges("a,b\nana,ana\n"), "row 1: edge from \"ana\" to itself, expected two different secrets");
    assert_eq!(
        edges("a,b,epsilon\nana,bo,0\n"),
        "row 1: column \"epsilon\": not an epsilon above 0, expected one like 0.5, 1/2 or ln(3)"
    );

    let profiles = |content: &str| {
        let spec = "epsilon = 1\ncategories = [\"no\", \"yes\"]\nprofiles_file = \"t.csv\"\ngraph.shape = \"chain\"";
        read(spec, content, "profiles_file")
    };
    let number = "row 1: column \"yes\": not a number, expected a form like 0.25, 1e-3 or 1/3";
    let law =
        "no probabilities, expected numbers of at least 0 that sum to 1 exactly (set normalize = true to rescale)";
    assert_eq!(profiles("profile,no\nana,1\n"), "column \"yes\" is missing among the 2 of the header");
    assert_eq!(profiles("no,yes\n1,0\n"), "column \"profile\" is missing among the 2 of the header");
    assert_eq!(profiles("profil,yes\nana,1\n"), "column \"profil\" is not known, expected profile, no, yes");
    assert_eq!(profiles("MARKER,310\n"), "column 1 is not known, expected profile, no, yes");
    assert_eq!(profiles("profile,No,yes\nana,1,0\n"), "column \"No\" is not known, expected profile, no, yes");
    assert_eq!(profiles("profile,no,yes\nana,0.5,0.5\nbo,0.5,0.6\n"), format!("row 2: {law}"));
    assert_eq!(profiles("profile,yes\nana,\n"), number);
    assert_eq!(profiles("profile,yes\nana,nan\n"), number);
    assert_eq!(profiles("profile,yes\nana,2\n"), format!("row 1: {law}"));
    assert_eq!(
        profiles("profile,yes\nana,1\nbo,1\nana,1\n"),
        "row 3: column \"profile\": the same as in row 1, expected each profile once"
    );
    assert_eq!(profiles("profile,yes\n,1\n"), "profile 1 has an empty name");
    assert_eq!(profiles("profile,yes\n"), "no profile, expected at least one");
}

#[test]
fn a_table_that_is_not_there() {
    let spec = format!("epsilon = 1\n{PROFILES}\n[graph]\nedges_file = \"none.csv\"");
    let expected = "graph: edges_file: none.csv: there are no tables here, expected all of it in the text itself";
    assert_eq!(error(toml(&spec)), expected);
}
