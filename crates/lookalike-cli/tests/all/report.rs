//! `lookalike report`.

use crate::common::{Folder, TWO, WARNER, example, keys};
use lookalike::audit::{Seen, epsilon_bound};
use serde_json::json;

#[test]
fn a_page_says_what_is_promised_proved_and_paid() {
    let folder = Folder::new();
    folder.design(&example("workstations/spec.toml"));
    let run = folder.words("report m.json").exits(0);
    let page = folder.read("report.html");
    assert_eq!(run.stdout, format!("Wrote report.html ({} bytes).\n", page.len()));
    for part in [
        "<h1>Privacy report: 12 profiles that must look alike, ε = 0.5</h1>",
        "no value is more than <strong>1.65 times</strong> as likely for one as for the other",
        "each of 18 protected pairs",
        "at most 0.500000",
        "would release <strong>64.5 %</strong> wrongly",
        "chosen: ε = 0.5",
        "Released unchanged: <bdi>ivy</bdi>, <bdi>jon</bdi>, <bdi>kim</bdi>, <bdi>lou</bdi>",
        "lookalike certify m.json",
        "<code>lookalike-mechanism</code>, version 2",
        "<td><bdi>cleo</bdi></td><td><code>3/25</code></td>",
    ] {
        assert!(page.contains(part), "expected {part:?}");
    }
    // Several pairs are as tight as can be; which is the tightest by the last bit is the solver's.
    let worst = folder.json("m.json")["certificate"]["worst"]["edge"].clone();
    let [one, other] = [&worst[0], &worst[1]].map(|name| format!("<bdi>{}</bdi>", name.as_str().unwrap()));
    let told = |a: &str, b: &str| page.contains(&format!("can hardly tell {a} from {b}"));
    assert!(told(&one, &other) || told(&other, &one), "{one} {other}");
}

#[test]
fn the_same_mechanism_gives_the_same_page_in_a_file_and_on_standard_output() {
    let folder = Folder::new();
    folder.design(&example("commute/spec.toml"));
    folder.words("report m.json -o a.html").exits(0);
    let shown = folder.words("report m.json -o -").exits(0).stdout;
    assert!(shown == folder.read("a.html") && shown.ends_with("</html>\n"));
    let object = folder.words("report m.json -o b.html --json").exits(0).json();
    assert_eq!(keys(&object), ["file", "bytes"]);
    assert_eq!((object["file"].as_str(), object["bytes"].as_u64()), (Some("b.html"), Some(shown.len() as u64)));
    folder.words("report m.json -o - --json").fails_with(&["--json and -o -"]);
}

#[test]
fn values_and_shared_channels_have_pages_of_their_own() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.words("report m.json").exits(0);
    let page = folder.read("report.html");
    assert!(page.contains("whether the true value was <bdi>no</bdi> or <bdi>yes</bdi>"), "{page}");
    assert!(page.contains("<strong>3 times</strong>") && page.contains("ε costs the same"));
    folder.design_toml(&TWO.replace("[profiles]", "channel = \"shared\"\n[profiles]"));
    folder.words("report m.json --force").exits(0);
    assert!(folder.read("report.html").contains("One table serves everybody, so no device need know its profile"));
}

#[test]
fn counts_are_compared_over_n_and_alpha() {
    let folder = Folder::new();
    folder.words("counts design --n 8 --alpha 0.9 --properties WH,CM -o m.json").exits(0);
    folder.words("report m.json").exits(0).says(&["counts, which have a section of their own"]);
    let page = folder.read("report.html");
    for part in [
        "<h2>Counts</h2>",
        "how many of n = 8 people have something",
        "<td>column monotonicity (CM)</td><td>releases get no likelier as they move away from the truth</td><td>yes</td>",
        "Wrong counts at α = 0.9</text>",
        "this mechanism: n = 8</text>",
        "Wrong counts for groups of 8</text>",
        "<td class=\"number\"><strong>0.96551</strong></td>",
    ] {
        assert!(page.contains(part), "expected {part:?}");
    }
    assert!(!page.contains("was not computed"));
    folder.design_toml(WARNER);
    folder.words("report m.json --force").exits(0);
    assert!(!folder.read("report.html").contains("<h2>Counts</h2>"));
}

#[test]
fn a_mechanism_that_is_not_private_has_no_page() {
    let folder = Folder::new();
    let mut file = folder.design_toml(WARNER);
    file["channels"][0]["rows"] = json!([[1u64 << 53, 0], [0, 1u64 << 53]]);
    folder.write("m.json", file.to_string());
    let run = folder.words("report m.json").exits(1).says(&["no report, since the mechanism is not private", "output"]);
    assert_eq!((run.stdout.as_str(), folder.names()), ("", vec!["m.json".to_owned(), "spec.toml".to_owned()]));
    let verdict = folder.words("report m.json --json").exits(1).json();
    assert!(verdict["certified"] == false && verdict["witness"]["output"].is_string());
    folder.words("report nothing.json").fails_with(&["nothing.json"]);
}

#[test]
fn an_existing_page_is_replaced_only_when_told_to() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("report.html", "older");
    folder.words("report m.json").fails_with(&["report.html: exists already", "--force"]);
    assert_eq!(folder.read("report.html"), "older");
    folder.words("report m.json --force").exits(0);
    assert!(folder.read("report.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn the_curve_is_left_out_with_a_reason() {
    let folder = Folder::new();
    let mut file = folder.design_toml(TWO);
    let without = |reason: &str, line: &str| {
        folder.words(line).exits(0).says(&["no curve over epsilon: ", reason]);
        let page = folder.read("report.html");
        assert!(!page.contains("chosen: ε") && page.contains("The curve over other ε was not computed"), "{reason}");
    };
    // Who leaves it out need not be told.
    assert_eq!(folder.words("report m.json --no-sweep").exits(0).stderr, "");
    assert!(folder.read("report.html").contains("The curve over other ε was not computed"));
    file["objective"]["name"] = json!("loss");
    folder.write("m.json", file.to_string());
    without("not in the file", "report m.json --force");
    file.as_object_mut().unwrap().remove("objective");
    folder.write("m.json", file.to_string());
    without("does not say", "report m.json --force");
    let profiles: Vec<String> =
        (0..800).map(|at| format!("u{at} = [0.{}, 0.2, 0.{}]", 3 + at % 2, 5 - at % 2)).collect();
    let spec = format!(
        "epsilon = 1\ncategories = [\"a\", \"b\", \"c\"]\n[graph]\nshape = \"chain\"\n[profiles]\n{}\n",
        profiles.join("\n")
    );
    folder.design_toml(&spec);
    without("times categories are 4797, more than 2000", "report m.json --force");
}

/// What `audit --json` prints about the survey's pair when the event was seen so often.
fn attack(hits: [u64; 2], verdict: &str) -> serde_json::Value {
    let test = |family: &str, hits: [u64; 2]| {
        let [one, other] = hits.map(|hits| Seen { hits, draws: 250_000 });
        json!({
            "family": family, "pair": ["yes", "no"], "event": "the output is \"yes\"", "hits": hits,
            "draws": [250_000, 250_000], "bound": epsilon_bound(one, other, 0.001 / 2.0),
            "claimed": 1.098_612_288_668_11,
        })
    };
    let tests = [test("single output", hits), test("length", [150_000, 100_000])];
    json!({
        "verdict": verdict, "measure": "epsilon", "at_epsilon": null, "bound": tests[0]["bound"],
        "claimed": 1.098_612_288_668_11, "claimed_text": "ln(3)",
        "certified": { "lower": 1.098_612_288_668_109, "upper": 1.098_612_288_668_11 },
        "confidence": 0.999, "pair": ["yes", "no"], "event": "the output is \"yes\"", "tests": tests,
        "draws": { "choosing": 500_000, "testing": 500_000 }, "pairs": { "attacked": 1, "all": 1 },
        "source": "mechanism", "seed": 7,
    })
}

/// Counts that are within the claim, and above it.
const WITHIN: [u64; 2] = [187_400, 62_600];
const ABOVE: [u64; 2] = [200_000, 50_000];

#[test]
fn an_attack_is_shown_beside_the_proof_as_one_bar() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("audit.json", attack(WITHIN, "no evidence against").to_string());
    folder.words("report m.json --no-sweep --audit audit.json").exits(0);
    let page = folder.read("report.html");
    for part in [
        "<h2>The attack</h2>",
        "<strong>No evidence against the claim. </strong>",
        "<bdi>yes</bdi> and <bdi>no</bdi> is at least <strong>1.0804</strong>",
        "<desc>ε: proved by the draws: at least 1.0804; the truth is somewhere here: 1.0804 to 1.0987; \
         certified: at most 1.0987; claimed: ln(3).</desc>",
        "A low bound proves nothing",
        "<td class=\"number\">187,400 of 250,000</td>",
    ] {
        assert!(page.contains(part), "expected {part:?}");
    }
    folder.write("audit.json", attack(ABOVE, "evidence against").to_string());
    folder.words("report m.json --no-sweep --force --audit audit.json").exits(0);
    let page = folder.read("report.html");
    assert!(page.contains("is at least <strong>1.3") && page.contains(", and only ln(3) is claimed"), "{page}");
    folder.words("report m.json --no-sweep --force").exits(0);
    assert!(!folder.read("report.html").contains("The attack"));
}

#[test]
fn a_file_of_an_attack_must_make_sense() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let good = attack(WITHIN, "no evidence against").to_string();
    for (from, to, message) in [
        ("\"measure\":\"epsilon\"", "\"measure\":\"delta\"", "measure: an audit of δ, expected one of ε"),
        ("\"yes\",\"no\"", "\"ana\",\"bo\"", "\"ana\" is not in the mechanism (was another one audited?)"),
        ("\"seed\":7", "\"seeds\":7", "key \"seeds\" is not known"),
        (",\"seed\":7", "", "seed is missing, expected what `lookalike audit --json` prints"),
        ("ln(3)", "ln(4)", "claimed: found ln(4), and the mechanism claims ε = ln(3) for this pair"),
        ("187400", "250001", "250001 hits in 250000 draws"),
        ("187400", "187300", "tests: test 1: bound: found 1.08"),
        ("\"source\":\"mechanism\"", "\"source\":\"program\"", "certified: expected null"),
        ("\"verdict\"", "verdict", "not JSON"),
    ] {
        assert!(good.contains(from), "{from} is not in {good}");
        folder.write("bad.json", good.replace(from, to));
        folder.words("report m.json --no-sweep --audit bad.json").fails_with(&["bad.json", message]);
    }
    folder.words("report m.json --no-sweep --audit none.json").fails_with(&["none.json: cannot read"]);
    assert_eq!(folder.names(), ["bad.json", "m.json", "spec.toml"]);
}

/// The same names and the same epsilon, another channel: its audit says nothing of this one.
#[test]
fn an_audit_of_another_design_is_refused() {
    let folder = Folder::new();
    // A channel at ln 2 with a claim of ln 3 keeps it.
    let noisier = folder.design_toml(&WARNER.replace("ln(3)", "ln(2)")).to_string().replace("ln(2)", "ln(3)");
    folder.write("noisier.json", noisier);
    let audit = folder.words("audit noisier.json --draws 1e5 --seed 1 --json").exits(0).stdout;
    folder.write("audit.json", audit);
    folder.words("report noisier.json --no-sweep --audit audit.json").exits(0);
    let other = Folder::new();
    other.design_toml(WARNER);
    other.write("audit.json", folder.read("audit.json"));
    other.words("report m.json --no-sweep --audit audit.json").fails_with(&[
        "audit.json: certified: at most 0.693",
        "and at most 1.0986",
        "follows from the mechanism (was another mechanism audited?)",
    ]);
    assert!(!other.names().contains(&"report.html".to_owned()));
}

#[test]
fn names_from_the_file_are_text_and_nothing_else() {
    let folder = Folder::new();
    let spec =
        TWO.replace("\"ana\"", "\"<script>alert(1)</script>\"").replace("ana =", "\"<script>alert(1)</script>\" =");
    folder.design_toml(&spec);
    folder.words("report m.json").exits(0);
    let page = folder.read("report.html");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script"));
}
