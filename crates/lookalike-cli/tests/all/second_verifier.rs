//! The second verifier, a script of plain Python that shares no code with the certifier: both say the same of every
//! mechanism file that there is, and of thousands of changes to them.
//!
//! `LOOKALIKE_MUTATIONS` says how many; `make soak` asks for a million.

use crate::common::{Folder, Random, example};
use lookalike::exact::{Rational, parse_rational};
use lookalike_formats::{MechanismKind, Stated, of_kind};
use num_bigint::BigInt;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn verifier() -> PathBuf {
    root().join("verify/verify.py")
}

/// What `lookalike certify` would exit with.
fn certified(bytes: &[u8]) -> u8 {
    fn code<M: MechanismKind>(mechanism: M) -> u8 {
        if mechanism.prove().is_ok() { 0 } else { 1 }
    }
    let stated = std::str::from_utf8(bytes).ok().and_then(|text| Stated::from_json(text).ok());
    match stated {
        None => 2,
        Some(Stated::No(file)) => code(file.mechanism),
        Some(Stated::Yes(mechanism)) => of_kind!(mechanism, file => code(file.mechanism)),
    }
}

/// A verdict of the script: its exit code, that at an ε that is a little lower, and its text.
struct Second {
    code: u8,
    of_less: u8,
    text: String,
}

/// The verdicts of the script on many files, from one process.
fn seconds(files: &[Vec<u8>]) -> Vec<Second> {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_verifier.py");
    let mut python = Command::new("python3");
    let mut child = python.arg(driver).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3 runs");
    let mut input = child.stdin.take().unwrap();
    let verdicts = std::thread::scope(|scope| {
        scope.spawn(move || {
            for file in files {
                writeln!(input, "{}", file.len()).and_then(|()| input.write_all(file)).expect("the script reads on");
            }
        });
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let verdict = |line: std::io::Result<String>| {
            let line = line.unwrap();
            let mut parts = line.splitn(3, ' ');
            let mut next = || parts.next().unwrap();
            let (code, of_less) = (next().parse().unwrap(), next().parse().unwrap());
            Second { code, of_less, text: serde_json::from_str(next()).unwrap() }
        };
        lines.map(verdict).collect::<Vec<_>>()
    });
    assert!(child.wait().unwrap().success() && verdicts.len() == files.len(), "the script stopped early");
    verdicts
}

/// Whether two verdicts may stand beside each other: they are equal; or the claim is about moments or places, of which each
/// verifier rounds bounds by its own means, and the script proves what the certifier, which rounds more, misses by less than a
/// millionth, of places by less than a thousandth. The other way round never.
fn agree(first: u8, second: &Second, file: &[u8]) -> bool {
    let rounds = || {
        let file: Value = serde_json::from_slice(file).unwrap();
        let are = file["secrets"]["are"].as_str().map(str::to_owned);
        matches!(are.as_deref(), Some("moments" | "places")) || file["law"] == "planar-laplace"
    };
    first == second.code || ((first, second.code, second.of_less) == (1, 0, 1) && rounds())
}

#[track_caller]
fn hold(named: &[(String, Vec<u8>)]) -> BTreeMap<u8, usize> {
    let files: Vec<Vec<u8>> = named.iter().map(|(_, file)| file.clone()).collect();
    let mut codes = BTreeMap::new();
    for ((name, file), second) in named.iter().zip(seconds(&files)) {
        let first = certified(file);
        if !agree(first, &second, file) {
            let text = String::from_utf8_lossy(file);
            panic!("{name}: {first} by the certifier, {} by the script ({}):\n{text}", second.code, second.text);
        }
        *codes.entry(first).or_default() += 1;
    }
    codes
}

/// Every mechanism file below a folder of the repository, and those in its pages.
fn committed(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') && name != "working" {
            committed(&path, found);
        } else if name.ends_with(".json") {
            let bytes = fs::read(&path).unwrap();
            if bytes.windows(19).any(|part| part == b"lookalike-mechanism") {
                found.push((path.display().to_string(), bytes));
            }
        } else if name.ends_with(".md") {
            let page = fs::read_to_string(&path).unwrap();
            let blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
            let blocks = blocks.filter(|block| block.contains("\"lookalike-mechanism\""));
            found.extend(blocks.enumerate().map(|(at, block)| (format!("{name} {at}"), block.as_bytes().to_vec())));
        }
    }
}

/// What the command designs, of every kind.
const DESIGNS: &str = "\
design two.toml
design two.toml --channel shared
design two.toml --objective expected-error
design groups.toml
design groups.toml --mechanism cluster
design groups.toml --mechanism k-rr
design groups.toml --channel shared
design known.toml
design known.toml --channel shared
design bits.toml --mechanism one-bit-cluster
design bits.toml --mechanism smooth-one-bit
design pair.toml --mechanism two-profile
design values.toml
counts design --n 4 --alpha 9/10
counts design --n 5 --alpha 0.76 --mechanism em
local design --size 7 --epsilon 1 --oracle k-rr
local design --size 7 --epsilon 1 --oracle subset
local design --size 7 --epsilon ln(3) --oracle olh
local design --size 7 --epsilon 1 --oracle hadamard
local design --bins 0,10,50 --epsilon ln(3) --oracle oue
local design --size 7 --epsilon 1/2 --oracle sue
noise design --epsilon 1 --sensitivity 500 --clamp 0,500
noise design --epsilon ln(2) --sensitivity 0.3 --grid 1/1024
geo design --origin 57.2,19.5 --extent 10km --level ln(4) --radius 200m
geo design --origin=-33.9,151.2 --extent 300km --epsilon 0.1/km
geo design --origin 57.2,19.5 --cells 3x3 --step 800m --epsilon ln(2)/800m
geo design --origin 57.2,19.5 --cells 3x2 --step 800m --epsilon 1/800m --mechanism truncated
geo design --origin 57.2,19.5 --cells 3x3 --step 800m --level ln(2) --within 800m
pufferfish design fast.toml --length 300 --epsilon 1 --query histogram
pufferfish design fast.toml --length 6 --epsilon 1 --query count:a --method group
pufferfish design fast.toml --length 6 --epsilon 1 --query count:a --method wasserstein
pufferfish design zeros.toml --length 40 --epsilon 3 --query count:a --method exact
pufferfish design several.toml --length 30 --epsilon ln(20) --query count:a --method exact
pufferfish design limits.toml --length 40 --epsilon 1 --query count:on";

const INPUTS: [(&str, &str); 10] = [
    ("two.toml", crate::common::TWO),
    (
        "groups.toml",
        "epsilon = 'ln(2)'\ncategories = ['a', 'b', 'c']\n[profiles]\nana = [0.2, 0.3, 0.5]\nbo = ['1/3', '1/3', '1/3']\n\
         cleo = [0.5, 0.25, 0.25]\ndan = [0.6, 0.4, 0]\n[graph]\nedges = [['bo', 'cleo', '1/2'], ['cleo', 'dan', 'sqrt(2)/4']]\n\
         groups.all = { members = ['ana', 'bo', 'cleo'], epsilon = 1 }\n",
    ),
    (
        "known.toml",
        "epsilon = 0.75\ncategories = ['a', 'b', 'c']\n[profiles]\nana = [0.2, 0.3, 0.5]\nbo = [0.3, 0.3, 0.4]\n\
         cleo = [0.4, 0.25, 0.35]\n[limits]\nana = [[0.1, 0.3], [0.2, 0.4], [0.4, 0.6]]\n\
         bo = [[0.25, 0.35], [0, 1], ['1/3', 0.5]]\n\
         [limits_basis]\nconfidence = 0.95\nholds_for = 'each pair'\n[graph]\nedges = [['ana', 'bo', '1/2']]\n\
         groups.all = { members = ['ana', 'bo', 'cleo'], epsilon = 0.75 }\n",
    ),
    (
        "bits.toml",
        "epsilon = 0.5\ncategories = ['no', 'yes']\n[profiles]\na = 0.1\nb = 0.2\nc = 0.45\nd = 0.9\n[graph]\nshape = 'chain'\n",
    ),
    (
        "pair.toml",
        "epsilon = 0.5\ncategories = ['no', 'yes']\n[profiles]\na = 0.1\nb = 0.6\n[graph]\nshape = 'chain'\n",
    ),
    ("values.toml", "epsilon = 'ln(3)'\nbins = [0, 0.5, 10, 50]\nsecrets = 'values'\ngraph.within = 2\n"),
    (
        "fast.toml",
        "states = ['a', 'b', 'c']\ninitial = 'stationary'\ntransition = [[0.8, 0.15, 0.05], [0.2, 0.6, 0.2], [0.1, '1/4', 0.65]]\n",
    ),
    (
        "zeros.toml",
        "states = ['a', 'b', 'c']\ninitial = [1, 0, 0]\ntransition = [[0.5, 0.5, 0], [0.2, 0.3, 0.5], [0.5, 0.25, 0.25]]\n",
    ),
    (
        "several.toml",
        "states = ['a', 'b', 'c']\ninitial = 'arbitrary'\n[[chain]]\ntransition = [[0.5, 0.5, 0], [0.2, 0.3, 0.5], [0.5, 0.25, 0.25]]\n\
         [[chain]]\ninitial = 'stationary'\ntransition = [[0, 1, 0], [0.2, 0.3, 0.5], ['1/3', '1/3', '1/3']]\n",
    ),
    ("limits.toml", "states = ['off', 'on']\ninitial = 'arbitrary'\n[leave]\noff = [0.3, 0.5]\non = [0.4, 0.6]\n"),
];

fn designed() -> Vec<(String, Vec<u8>)> {
    let folder = Folder::new();
    for (name, text) in INPUTS {
        folder.write(name, text);
    }
    let one = |line: &str| {
        folder.words(&format!("{line} -o m.json --force")).exits(0);
        (line.to_owned(), fs::read(folder.path("m.json")).unwrap())
    };
    DESIGNS
        .lines()
        .map(one)
        .chain([older(), quilts(["stationary", "stationary"]), quilts(["arbitrary", "given"])])
        .collect()
}

/// Noise of version 1, which does not say its secrets.
fn older() -> (String, Vec<u8>) {
    let file = json!({
        "format": "lookalike-mechanism", "version": 1, "kind": "noise", "epsilon": "1", "law": "discrete-laplace",
        "decay": "1/5", "sensitivity": "5", "grid": "1",
    });
    ("version 1".to_owned(), file.to_string().into_bytes())
}

/// Quilts for chains with these starts: runs of all forms.
fn quilts(starts: [&str; 2]) -> (String, Vec<u8>) {
    let initial = |start: &str| if start == "given" { json!(["1/4", "3/4"]) } else { json!(start) };
    let chain = |start, a: [&str; 2], b: [&str; 2]| json!({ "initial": initial(start), "transition": [a, b] });
    let file = json!({
        "format": "lookalike-mechanism", "version": 2, "kind": "noise", "epsilon": "4",
        "secrets": {
            "are": "moments", "length": 30,
            "chains": [chain(starts[0], ["9/10", "1/10"], ["2/5", "3/5"]), chain(starts[1], ["1/2", "1/2"], ["2/5", "3/5"])],
            "proof": { "by": "quilts", "quilts": [
                [{ "from": 1, "to": 3, "right": 5 }, { "from": 4, "to": 8, "left": 3, "right": 5 }, { "from": 9, "left": 4, "right": 4 }],
                [{ "from": 1, "to": 20, "left": 2, "right": 2 }, { "from": 21, "to": 30, "left": 1 }],
            ] },
        },
        "law": "discrete-laplace", "decay": "1/6", "sensitivity": "1", "grid": "1",
    });
    (format!("quilts {starts:?}"), file.to_string().into_bytes())
}

/// All files that are tried.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = designed();
    for folder in ["docs", "examples", "fuzz", "crates", "schemas"] {
        committed(&root().join(folder), &mut files);
    }
    files
}

#[test]
fn both_verifiers_say_the_same_of_every_file() {
    let files = files();
    let codes = hold(&files);
    assert!(codes[&0] >= 55 && codes[&1] >= 3, "{codes:?} of {}", files.len());
}

/// What a number, a budget, a name or a count is changed into.
const TEXTS: [&str; 66] = [
    "0",
    "1",
    "2",
    "-1",
    "1/2",
    "1/3",
    "0.25",
    "1e-3",
    "3/0",
    "-0",
    "+1",
    ".5",
    "5.",
    "1e400",
    "ln(3)",
    "sqrt(2)",
    "2*ln(3)",
    "ln(4)/200",
    "-ln(0.9)",
    "1/2*sqrt(2)",
    "sqrt(2)/2",
    "ln(3)*2",
    "sqrt(2)*ln(3)",
    " 1",
    "1 ",
    "",
    "x",
    "1_0",
    "٣",
    "1E3",
    "0.5/7",
    "1/0.5",
    "1/2/3",
    "ln(1)",
    "sqrt(0)",
    "ln(0)",
    "1000000",
    "99999",
    "2^-10",
    "2*3",
    "ln(9)",
    "sqrt(8)",
    "sqrt(1/2)",
    "ln(3)/0",
    "-ln(3)",
    "--1",
    "exp(1)",
    "ln(2)*ln(2)",
    "1/-2",
    "ln(1/3)",
    "ln( 3 )",
    "ln(3",
    "LN(3)",
    "0x10",
    "1e-400",
    "1/8",
    "1048576",
    "1/1048576",
    "stationary",
    "arbitrary",
    "values",
    "profiles",
    "moments",
    "quilts",
    "each pair",
    "all pairs",
];

/// A change of a file: mostly of one place in it, at the border of what is proved, or of what is a file at all.
fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    if random.below(8) == 0 {
        return random.damage(bytes);
    }
    let mut file: Value = serde_json::from_slice(bytes).unwrap();
    for key in ["objective", "certificate"] {
        file.as_object_mut().unwrap().remove(key);
    }
    for _ in 0..1 + random.below(6) / 4 {
        match random.below(8) {
            0..=3 => move_units(&mut file, random),
            4 | 5 => scale_a_number(&mut file, random),
            _ => change_a_place(&mut file, random),
        }
    }
    file.to_string().into_bytes()
}

/// The places of a file for which something holds, as JSON pointers.
fn places(file: &Value, is_wanted: &dyn Fn(&Value) -> bool) -> Vec<String> {
    fn walk(value: &Value, at: &str, is_wanted: &dyn Fn(&Value) -> bool, found: &mut Vec<String>) {
        if is_wanted(value) {
            found.push(at.to_owned());
        }
        let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
        match value {
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(place, item)| walk(item, &format!("{at}/{place}"), is_wanted, found));
            }
            Value::Object(entries) => {
                entries.iter().for_each(|(key, item)| walk(item, &format!("{at}/{}", escaped(key)), is_wanted, found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(file, "", is_wanted, &mut found);
    found
}

fn chosen<'a, T>(items: &'a [T], random: &mut Random) -> &'a T {
    &items[random.below(items.len() as u64) as usize]
}

/// The place to change: each kind of place equally often, so that a long channel does not take all.
fn place(file: &Value, random: &mut Random, is_wanted: &dyn Fn(&Value) -> bool) -> Option<String> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for place in places(file, is_wanted) {
        let kind = place.split('/').map(|part| if part.parse::<u64>().is_ok() { "#" } else { part });
        kinds.entry(kind.collect::<Vec<_>>().join("/")).or_default().push(place);
    }
    let kinds: Vec<Vec<String>> = kinds.into_values().collect();
    (!kinds.is_empty()).then(|| chosen(chosen::<Vec<String>>(&kinds, random), random).clone())
}

/// Moves a few units from one weight of a row to another, or of laws a share; or changes a weight that stands alone.
fn move_units(file: &mut Value, random: &mut Random) {
    let is_row = |value: &Value| value.as_array().is_some_and(|row| row.len() > 1 && row.iter().all(Value::is_u64));
    let Some(row) = place(file, random, &is_row) else { return step_a_weight(file, random) };
    let row = file.pointer_mut(&row).unwrap().as_array_mut().unwrap();
    let (from, to) = (random.below(row.len() as u64) as usize, random.below(row.len() as u64) as usize);
    if random.below(8) == 0 {
        return row.swap(from, to);
    }
    let units = *chosen(&[1, 1, 1, 2, 3, 1_000, 1 << 20, 1 << 40, 1 << 50], random);
    let units = row[from].as_u64().unwrap().min(units);
    row[from] = (row[from].as_u64().unwrap() - units).into();
    row[to] = (row[to].as_u64().unwrap() + units).into();
}

fn step_a_weight(file: &mut Value, random: &mut Random) {
    let Some(place) = place(file, random, &Value::is_u64) else { return };
    let number = file.pointer_mut(&place).unwrap();
    let found = number.as_u64().unwrap();
    let power = 1u64 << random.below(54);
    let ways = [
        found + 1,
        found.saturating_sub(1),
        found + power,
        found.saturating_sub(power),
        found / 2,
        power,
        random.below(40),
    ];
    *number = (*chosen(&ways, random)).into();
}

/// Makes a number or a budget a little larger or smaller, in proportion.
fn scale_a_number(file: &mut Value, random: &mut Random) {
    let is_number =
        |value: &Value| value.as_str().is_some_and(|text| parse_rational(text).is_ok() || text.contains("ln("));
    let Some(place) = place(file, random, &is_number) else { return };
    let text = file.pointer_mut(&place).unwrap();
    let bits = *chosen(&[60, 53, 53, 40, 30, 20, 10, 5, 2, 1], random);
    let unit = Rational::new(1.into(), BigInt::from(1) << bits);
    let one = Rational::from_integer(1.into());
    let factor = if random.below(2) == 0 { one + unit } else { one - unit };
    let scaled = match parse_rational(text.as_str().unwrap()) {
        Ok(number) => (number * factor).to_string(),
        Err(_) => format!("{factor}*{}", text.as_str().unwrap()),
    };
    *text = scaled.into();
}

/// Drops, repeats, exchanges or replaces what stands at one place.
fn change_a_place(file: &mut Value, random: &mut Random) {
    let Some(at) = place(file, random, &|_| true).filter(|at| !at.is_empty()) else { return };
    let (parent, key) = at.rsplit_once('/').unwrap();
    let (found, elsewhere) = (file.pointer(&at).unwrap().clone(), place(file, random, &|_| true).unwrap());
    let elsewhere = file.pointer(&elsewhere).unwrap().clone();
    let new = match (&found, random.below(8)) {
        (Value::String(_), 0..=3) => (*chosen(&TEXTS, random)).into(),
        (Value::String(text), 4) => {
            String::from_utf8_lossy(&random.damage(format!("{text}*1/1").as_bytes())).into_owned().into()
        }
        (Value::Number(_), 0..=5) => return step_a_weight(file, random),
        (_, 6) => elsewhere,
        (_, 7) => {
            chosen(&[Value::Null, true.into(), json!([]), json!({}), 0.into(), json!(1.5), (-1).into()], random).clone()
        }
        _ => found.clone(),
    };
    let last = random.below(4);
    match file.pointer_mut(parent).unwrap() {
        Value::Array(items) => {
            let place: usize = key.parse().unwrap();
            let other = random.below(items.len() as u64) as usize;
            match last {
                _ if new != found => items[place] = new,
                0 => drop(items.remove(place)),
                1 => items.push(found),
                _ => items.swap(place, other),
            }
        }
        Value::Object(entries) => {
            let key = key.replace("~1", "/").replace("~0", "~");
            let name = *chosen(
                &[
                    "places",
                    "limits",
                    "outputs",
                    "bins",
                    "categories",
                    "epsilon",
                    "groups",
                    "edges",
                    "quilts",
                    "clamp",
                    "to",
                    "x",
                ],
                random,
            );
            match last {
                _ if new != found => drop(entries.insert(key, new)),
                0 => drop(entries.remove(&key)),
                1 => drop(entries.insert(name.to_owned(), found)),
                _ => {
                    entries.remove(&key);
                    entries.insert(name.to_owned(), elsewhere_or(&found, random));
                }
            }
        }
        _ => {}
    }
}

fn elsewhere_or(found: &Value, random: &mut Random) -> Value {
    if random.below(2) == 0 { found.clone() } else { json!([]) }
}

#[test]
fn both_verifiers_say_the_same_of_changed_files() {
    let count = std::env::var("LOOKALIKE_MUTATIONS").map_or(10_000, |text| text.parse().expect("a number"));
    let files: Vec<_> = files().into_iter().filter(|(_, file)| file.len() < 20_000 && certified(file) < 2).collect();
    let (mut codes, mut random) = (BTreeMap::new(), Random(1));
    for start in (0..count).step_by(10_000) {
        let one = |at: usize| {
            let (name, file) = chosen(&files, &mut random);
            (format!("change {at} of {name}"), changed(file, &mut random))
        };
        let changes: Vec<_> = (start..count.min(start + 10_000)).map(one).collect();
        for (code, found) in hold(&changes) {
            *codes.entry(code).or_insert(0) += found;
        }
    }
    // Changes that all make a file none would show nothing.
    assert!([0, 1].iter().all(|code| codes[code] * 20 > count), "{codes:?}");
}

#[test]
fn the_script_is_short_and_a_command_of_its_own() {
    let text = fs::read_to_string(verifier()).unwrap();
    let (one, two) = text.split_at(text.find("part two: noise on numbers").unwrap());
    let lines = |part: &str| part.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines(one) <= 400 && lines(two) <= 400, "{} and {} lines", lines(one), lines(two));
    let folder = Folder::new();
    folder.design(&example("commute/spec.toml"));
    let run = folder.words("certify m.json --script proof.py").exits(0);
    run.says(&["Wrote proof.py: python3 proof.py m.json"]).prints(&["Certified: "]);
    assert_eq!(folder.read("proof.py"), text);
    folder.words("certify m.json --script proof.py").fails_with(&["proof.py", "exists already"]);
    let python = |file: &str| {
        let output = Command::new("python3").args(["proof.py", file]).current_dir(folder.path("")).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, said) = python("m.json");
    let first = folder.words("certify m.json").exits(0).stdout;
    assert!(code == 0 && said.starts_with("Certified: ") && said.lines().count() == 1, "{said}");
    assert!(first.starts_with(said.split(" within ").next().unwrap()), "{first}");
    let less = folder.read("m.json").replacen("\"epsilon\": \"", "\"epsilon\": \"999999/1000000*", 1);
    folder.write("less.json", less);
    let (code, said) = python("less.json");
    assert!(code == 1 && said.starts_with("NOT PRIVATE: "), "{said}");
    folder.words("certify less.json").exits(1);
    assert_eq!((python("proof.py").0, python("none.json").0), (2, 2));
}

#[test]
fn limits_in_place_of_laws_are_bounded_as_by_every_law_within_them() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_verifier_regions.py");
    assert!(Command::new("python3").arg(script).status().unwrap().success());
}
