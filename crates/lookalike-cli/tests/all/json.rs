//! What `--json` prints, `schemas/facts.schema.json` and `docs/json.md` are the same vocabulary.
//!
//! Every other test holds what it asks for to the schema too ([`crate::common::facts::check`]).

use crate::common::facts::{error, schema, verb_of};
use crate::common::{Folder, TWO, example, records};
use crate::private_files;
use crate::private_values::verbs;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Command lines that answer in JSON, with all keys that there are; `EXAMPLES` is the folder of the examples. They are run in
/// order in one folder, with the files of [`private_files::folder`] and those of [`folder`].
const LINES: &[&str] = &[
    "run plan.toml",
    "run limited.toml",
    "run trusted.toml",
    "certify limited/m.json",
    "fit people.csv --profile user --value load --public-categories --trust-profiles",
    "fit people.csv --profile user --value load --categories idle,busy -o fitted.toml --limits limits.csv",
    "fit people.csv --profile user --value load --categories idle,busy,never --profile-by role",
    "fit people.csv --profile user --value count --bins 0,2",
    "check spec.toml",
    "check never.toml",
    "design spec.toml",
    "design never.toml -o never.json",
    "design spec.toml --sweep 0.1..1:2",
    "design spec.toml --epsilon-for expected-error=0.1",
    "design spec.toml --epsilon-for width=0.2 --reports 1000",
    "design onebit.toml --mechanism smooth-one-bit --flips symmetric",
    "certify m.json --profiles-within within.csv --delta-at 0.25",
    "certify m.json --spec strict.toml",
    "certify lie.json",
    "certify noise.json",
    "certify oracle.json",
    "certify places.json",
    "certify less.json",
    "privatize m.json data.csv --profile user --value load --keep-profile --unsafe -o a.csv --seed 1",
    "privatize noise.json counts.csv --value count -o b.csv --seed 1",
    "privatize m.json once.csv --profile user --value load -o c.csv --ledger l.ledger --subject user",
    "privatize lie.json data.csv --profile user --value load -o never.csv",
    "estimate m.json reports.csv --value load --by day",
    "estimate m.json reports.csv --value load --trust profiles",
    "estimate m.json odd.csv --value load --trust profiles",
    "privatize oracle.json data.csv --value load -o oracles.csv --seed 1",
    "estimate oracle.json oracles.csv --value load",
    "estimate m.json --predict 1000",
    "design within.toml -o within.json",
    "estimate within.json reports.csv --value load",
    "audit within.json --draws 1000 --seed 1",
    "audit m.json --draws 1000 --seed 1",
    "audit warner.json --draws 1000 --seed 1 --delta-at 1/2",
    "audit --secrets ana,bo,cy --epsilon 1 --records people.csv --secret user --value load",
    "report m.json --no-sweep",
    "export m.json --profile ana -o ana.table",
    "upgrade old.json --secrets numbers -o new.json",
    "counts design --n 2 --alpha 0.9 -o best.json",
    "counts design --n 2 --alpha 0.9 --at-most 0.01",
    "counts compare --n 2 --alpha 0.9",
    "counts properties counts.json --demand WH,F",
    "counts release counts.json people.csv --group day --where load=busy -o d.csv --seed 1",
    "local design --size 9 --epsilon 1",
    "local design --size 1000 --epsilon 1 --most-bits 9",
    "local compare --size 9 --epsilon 1",
    "tupling warner.json --epsilon 0.5",
    "noise design --epsilon 1 --sensitivity 1 --clamp 0,9",
    "noise add 1 2 --epsilon 1 --sensitivity 1 --seed 1",
    "noise max --counts a=1,b=2 --epsilon 1 --seed 1",
    "noise choose scores.csv --epsilon 1 --sensitivity 1",
    "geo design --origin 45.07,7.69 --extent 20km --epsilon ln(4)/200",
    "geo design --origin 45.07,7.69 --cells 2x2 --step 500m --epsilon ln(2)/500m",
    "geo privatize places.json places.csv -o e.csv --seed 1",
    "geo privatize places.json place.geojson -o f.geojson --seed 1",
    "geo errors places.json",
    "geo remap cells.json",
    "geo map places.json -o map.svg",
    "pufferfish fit days.csv --state load --states idle,busy --confidence 0.95",
    "pufferfish design chain.toml --length 20 --epsilon 1 --query count:busy --releases 2",
    "pufferfish design chain.toml --length 20 --epsilon 1 --query count:busy --method exact -o sequence.json",
    "pufferfish design forgets.toml --length 20 --epsilon 1 --query count:busy",
    "pufferfish design chain.toml --length 6 --epsilon 1 --query count:busy --method wasserstein",
    "pufferfish release chain.toml days.csv --state load --query histogram --epsilon 1 --method exact --seed 1",
    "pufferfish release chain.toml short.csv --state load --query count:busy --epsilon 1 --method wasserstein --seed 1",
    "pufferfish release forgets.toml days.csv --state load --query histogram --epsilon 1 --method gk16 --seed 1",
    "pufferfish release chain.toml days.csv --state load --query histogram --epsilon 1 --seed 1",
    "pufferfish wasserstein EXAMPLES/flu/framework.toml",
    "pufferfish wasserstein same.toml",
    "pufferfish spec EXAMPLES/flu/framework.toml -o flu.toml",
    "pufferfish report chain.toml --length 20 --epsilon 1 -o chain.html",
    "account warner.json --releases 1,10 --delta 1e-6",
    "account sequence.json --releases 2",
    "ledger init new.ledger --budget 2 --period day --period-budget 1",
    "ledger record new.ledger warner.json data.csv --subject user --made",
    "ledger status new.ledger",
    "ledger status l.ledger --subject ana",
    "ledger verify l.ledger",
    "ledger verify damaged.ledger",
    "ledger export l.ledger -o entries.jsonl",
    "ledger withdraw l.ledger --entries 3 --note x",
    "ledger backup l.ledger copy.ledger",
    "ledger migrate version-1.ledger",
];

/// A verb whose answer takes more than a line: another test, of ledgers that are dated ahead, holds it to the schema.
const ELSEWHERE: [&str; 1] = ["ledger correct-clock"];

/// Keys that Python alone shows: `release` refuses entry privacy.
const UNSEEN: [&str; 1] = ["CalibrationFacts.private"];

/// Records of three people in two roles.
fn people() -> String {
    let row = |at: usize| {
        let (user, role) = [("ana", "x"), ("bo", "x"), ("cy", "y")][at % 3];
        format!("{user},{role},{},{},{}\n", ["idle", "busy"][at / 3 % 2], at % 5, at / 2)
    };
    std::iter::once("user,role,load,count,day\n".to_owned()).chain((0..60).map(row)).collect()
}

fn folder() -> Folder {
    let folder = private_files::folder();
    let plan = "spec = 'spec.toml'\nseed = 1\n[data]\nrecords = 'many.csv'\nprofile = 'user'\nvalue = 'load'\n[output]\nfolder = 'out'\n";
    let head = |epsilon: &str, categories: &str| format!("epsilon = {epsilon}\ncategories = {categories}\n");
    let fitted =
        "epsilon = 1\nseed = 1\n[fit]\nrecords = 'people.csv'\ncategories = ['idle', 'busy']\ncomplete = true\n";
    let data = "[data]\nrecords = 'many.csv'\nprofile = 'user'\nvalue = 'load'\n";
    let files = [
        ("plan.toml", plan.to_owned()),
        ("limited.toml", format!("{fitted}{data}[output]\nfolder = 'limited'\n")),
        ("trusted.toml", format!("{fitted}trust_profiles = true\n{data}[output]\nfolder = 'trusted'\n")),
        ("many.csv", records(40)),
        ("people.csv", people()),
        ("once.csv", records(2)),
        ("strict.toml", TWO.replace("0.5\n", "0.1\n")),
        (
            "never.toml",
            head("0.1", "['idle', 'busy', 'full']")
                + "channel = 'shared'\nprofiles = { ana = [0.5, 0.5, 0], bo = [0, 0.5, 0.5] }\ngraph.edges = [['ana', 'bo']]\n",
        ),
        (
            "onebit.toml",
            head("0.2", "['no', 'yes']") + "profiles = { ana = 0.2, bo = 0.5, cy = 0.7 }\ngraph.shape = 'complete'\n",
        ),
        (
            "within.csv",
            "profile,category,lower,upper,confidence\nana,idle,0.8,0.95,0.95\nana,busy,0.05,0.2,0.95\n\
             bo,idle,0.15,0.25,0.95\nbo,busy,0.75,0.85,0.95\n"
                .to_owned(),
        ),
        (
            "within.toml",
            head("1", "['idle', 'busy']")
                + "profiles = { ana = 0.2, bo = 0.5 }\nlimits = { ana = [[0.7, 0.9], [0.1, 0.3]] }\ngraph.shape = 'complete'\n",
        ),
        ("counts.csv", "count\n3\n4\n".to_owned()),
        ("reports.csv", format!("load,day\n{}", "idle,mon\nbusy,tue\nbusy,mon\n".repeat(100))),
        ("odd.csv", format!("load\n{}busy\nbusy\n", "idle\n".repeat(900))),
        ("days.csv", format!("load\n{}", "idle\nidle\nbusy\nidle\n".repeat(50))),
        ("short.csv", "load\nidle\nbusy\nbusy\n".to_owned()),
        (
            "forgets.toml",
            "states = ['idle', 'busy']\ninitial = 'stationary'\ntransition = [[0.6, 0.4], [0.5, 0.5]]\n".to_owned(),
        ),
        (
            "same.toml",
            "epsilon = 1\nvalues = [0, 1]\nsecrets = ['a', 'b']\ngraph.shape = 'complete'\n[[theta]]\nname = 'fair'\n\
             given = { a = [0.5, 0.5], b = [0.5, 0.5] }\n"
                .to_owned(),
        ),
        ("place.geojson", json!({ "type": "LineString", "coordinates": [[7.69, 45.07], [7.7, 45.08]] }).to_string()),
        ("less.json", folder.read("noise.json").replacen("\"epsilon\": \"1\"", "\"epsilon\": \"1/2\"", 1)),
    ];
    for (name, text) in files {
        folder.write(name, text);
    }
    // Nobody is hidden.
    let mut lie = folder.json("m.json");
    for channel in lie["channels"].as_array_mut().unwrap() {
        channel["rows"] = json!([[1u64 << 53, 0], [0, 1u64 << 53]]);
    }
    folder.write("lie.json", lie.to_string());
    let ledgers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledgers");
    for name in ["version-1.ledger", "version-1.ledger.key"] {
        std::fs::copy(ledgers.join(name), folder.path(name)).unwrap();
    }
    // One byte of an entry is another one.
    folder.words("ledger init damaged.ledger --budget 2").exits(0);
    let mut bytes = std::fs::read(folder.path("damaged.ledger")).unwrap();
    let budget = bytes.windows(12).position(|window| window == b"\"budget\":\"2\"").unwrap();
    bytes[budget + 10] = b'9';
    folder.write("damaged.ledger", bytes);
    folder
}

/// The answers, each with its verb and exit code.
fn answers() -> Vec<(String, i32, Value)> {
    let folder = folder();
    let answer = |line: &&str| {
        let line = line.replace("EXAMPLES", example("").to_str().unwrap());
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let run = folder.run(words.iter().map(String::as_str).chain(["--json", "--force"]));
        let code = run.code.unwrap();
        assert!(code == 0 || code == 1, "{line}: {}", run.stderr);
        (verb_of(&words).expect("a verb of the schema"), code, run.json())
    };
    LINES.iter().map(answer).collect()
}

#[test]
fn every_verb_answers_in_the_vocabulary_of_the_schema() {
    let answers = answers();
    let known: BTreeSet<String> = schema().json()["properties"].as_object().unwrap().keys().cloned().collect();
    let mut asked: BTreeSet<String> = answers.iter().map(|(verb, ..)| verb.clone()).collect();
    asked.extend(ELSEWHERE.map(str::to_owned));
    assert_eq!(asked, known, "every verb of the schema is asked for");
    let mut all = verbs();
    all.remove("completions");
    assert_eq!(known, all, "every verb but completions answers in JSON");

    let mut seen = BTreeSet::new();
    for (verb, code, answer) in &answers {
        assert_eq!(error(verb, *code, answer), None, "{verb}");
        both_ways(verb, *code, answer);
        let verb = if schema().error_at(&format!("/properties/{verb}"), answer).is_none() { verb } else { "certify" };
        see(&schema().json()["properties"][verb], verb, answer, &mut seen);
    }
    let names = schema().json()["$defs"].as_object().unwrap().keys();
    let unseen: BTreeSet<String> = names.flat_map(|name| keys_of(name)).filter(|key| !seen.contains(key)).collect();
    let mut expected: BTreeSet<String> = UNSEEN.map(str::to_owned).into();
    for verb in ELSEWHERE {
        let mut names = BTreeSet::new();
        needed(&schema().json()["properties"][verb], &mut names);
        expected.extend(names.iter().flat_map(|name| keys_of(name)));
    }
    assert_eq!(unseen, expected, "keys of the schema that no answer has");
}

/// The schema refuses the answer with a key too many in any of its objects, and with one that it requires too few.
fn both_ways(verb: &str, code: i32, answer: &Value) {
    for place in objects(answer) {
        let mut more = answer.clone();
        entries(&mut more, &place).insert("surprise".to_owned(), Value::Null);
        // The members of a group go by their names.
        if place.ends_with("/groups") {
            continue;
        }
        assert!(error(verb, code, &more).is_some(), "{verb}: the schema has room for any key at {place:?}");
    }
    let keys: Vec<String> = answer.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
    let needed = keys.iter().filter(|key| {
        let mut less = answer.clone();
        less.as_object_mut().unwrap().remove(*key);
        error(verb, code, &less).is_some()
    });
    assert!(keys.is_empty() || needed.count() > 0, "{verb}: the schema asks for no key");
}

/// The places of all objects in a value, as pointers.
fn objects(value: &Value) -> Vec<String> {
    let below = |key: String, value: &Value| objects(value).into_iter().map(move |place| format!("/{key}{place}"));
    match value {
        Value::Object(entries) => {
            let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
            let inner = entries.iter().flat_map(|(key, value)| below(escaped(key), value));
            std::iter::once(String::new()).chain(inner).collect()
        }
        Value::Array(items) => items.iter().enumerate().flat_map(|(at, item)| below(at.to_string(), item)).collect(),
        _ => Vec::new(),
    }
}

fn entries<'a>(value: &'a mut Value, place: &str) -> &'a mut Map<String, Value> {
    value.pointer_mut(place).unwrap().as_object_mut().unwrap()
}

/// Notes each key of the schema that a valid value has: `DesignFacts.epsilon`.
fn see(part: &Value, name: &str, value: &Value, seen: &mut BTreeSet<String>) {
    if let Some(place) = part["$ref"].as_str() {
        let name = place.rsplit('/').next().unwrap();
        return see(&schema().json()["$defs"][name], name, value, seen);
    }
    if let Some(one) = part["anyOf"].as_array() {
        let fits = |one: &&Value| fits(one, value);
        return see(one.iter().find(fits).expect("a valid value"), name, value, seen);
    }
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                if let Some(property) = part["properties"].get(key) {
                    seen.insert(format!("{name}.{key}"));
                    see(property, name, value, seen);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| see(&part["items"], name, item, seen)),
        _ => {}
    }
}

/// Whether a value is valid by a part of the schema.
fn fits(part: &Value, value: &Value) -> bool {
    schema().error_by(part, value).is_none()
}

/// The keys of a definition, as [`see`] notes them.
fn keys_of(name: &str) -> Vec<String> {
    own_keys(&schema().json()["$defs"][name]).into_iter().map(|key| format!("{name}.{key}")).collect()
}

/// The keys of a definition, of whichever form.
fn own_keys(part: &Value) -> BTreeSet<String> {
    let forms = part["anyOf"].as_array().into_iter().flatten().flat_map(own_keys);
    let properties = part["properties"].as_object().into_iter().flatten().map(|(key, _)| key.clone());
    forms.chain(properties).collect()
}

/// The definitions that a part of the schema needs, itself and through others.
fn needed(part: &Value, all: &mut BTreeSet<String>) {
    match part {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value.as_str().filter(|_| key == "$ref") {
                    Some(place) => {
                        let name = place.rsplit('/').next().unwrap().to_owned();
                        if all.insert(name.clone()) {
                            needed(&schema().json()["$defs"][&name], all);
                        }
                    }
                    None => needed(value, all),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| needed(item, all)),
        _ => {}
    }
}

/// The words in backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(|word| word.rsplit('.').next().unwrap().to_owned()).collect()
}

#[test]
fn the_page_lists_the_keys_of_the_schema_and_no_others() {
    let page = std::fs::read_to_string(example("../docs/json.md")).unwrap();
    let page = page.split("## What changed").next().unwrap();
    let definitions = schema().json()["$defs"].as_object().unwrap();
    // What is said of a struct begins where it is named and ends where another one is, or a heading.
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut of: Vec<String> = Vec::new();
    for line in page.lines() {
        let named: Vec<String> = quoted(line).into_iter().filter(|word| definitions.contains_key(word)).collect();
        if line.starts_with('#') {
            of.clear();
        } else if !named.is_empty() {
            of = named;
        }
        for name in &of {
            *said.entry(name.clone()).or_default() += &format!("{line}\n");
        }
    }
    let (mut described, mut wrong) = (BTreeSet::<String>::new(), Vec::new());
    for (name, text) in &said {
        let mut all = BTreeSet::from([name.clone()]);
        needed(&definitions[name], &mut all);
        let keys: BTreeSet<String> = all.iter().flat_map(|name| own_keys(&definitions[name])).collect();
        let (words, rows) =
            (quoted(text), text.lines().filter(|line| line.starts_with("| `") && !line.contains("Facts`")));
        let listed = rows.flat_map(|line| quoted(line.split('|').nth(1).unwrap()));
        let unknown = listed.filter(|key| !keys.contains(key));
        wrong.extend(unknown.map(|key| format!("lists {key:?} for {name}, which the schema does not have")));
        let missing = own_keys(&definitions[name]).into_iter().filter(|key| !words.contains(key));
        wrong.extend(missing.map(|key| format!("does not say what {key:?} of {name} is")));
        described.extend(all.into_iter().filter(|other| own_keys(&definitions[other]).is_subset(&words)));
    }
    let undescribed = definitions.keys().filter(|name| !described.contains(*name));
    wrong.extend(undescribed.map(|name| format!("does not describe {name}")));
    assert!(wrong.is_empty(), "docs/json.md\n{}", wrong.join("\n"));
}

/// What a shell says is a struct of the engine or of the report.
#[test]
fn no_shell_makes_json_by_hand() {
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let shells = ["lookalike-cli/src", "lookalike-python/src"].map(|shell| sources(&crates.join(shell)));
    let sources: Vec<PathBuf> =
        shells.concat().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    assert!(sources.len() > 100, "{}", sources.len());
    let makes = |path: &&PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        text.split("#[cfg(test)]").next().unwrap().contains("json!(")
    };
    let makers: Vec<&PathBuf> = sources.iter().filter(makes).collect();
    assert!(makers.is_empty(), "{makers:?}");
}

/// A changed answer is one that this test can see.
#[test]
fn a_key_more_a_key_less_and_another_type_are_seen() {
    let good = json!({ "file": "a.html", "bytes": 1 });
    assert_eq!(error("report", 0, &good), None);
    for wrong in [
        json!({ "file": "a.html" }),
        json!({ "file": "a.html", "bytes": "1" }),
        json!({ "file": "a", "bytes": 1, "b": 2 }),
    ] {
        assert!(error("report", 0, &wrong).is_some(), "{wrong}");
    }
}
