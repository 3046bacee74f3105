//! Holds the import tables of ARCHITECTURE.md, and keeps floats out of the modules that decide privacy.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of a table in ARCHITECTURE.md, in order: a name, and those that it may import.
fn table(heading: &str) -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let heading = format!("| {heading} | may import |");
    let rows = text.lines().skip_while(|line| !line.starts_with(&heading)).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let imports = cells[2].split(',').map(|name| name.trim().to_owned()).filter(|name| name != "nothing");
            (cells[1].trim_matches('`').to_owned(), imports.collect())
        })
        .collect()
}

/// The tables of modules, and the folders that each is about.
fn tables() -> Vec<(String, Vec<PathBuf>)> {
    let of = |name: &str| (format!("module of `{name}`"), vec![root().join("crates").join(name).join("src")]);
    let pure = ("module".to_owned(), FOLDERS.map(|folder| root().join(folder)).to_vec());
    std::iter::once(pure).chain(SPLIT.map(of)).collect()
}

/// The crates between the library and the shells, in their order.
const SPLIT: [&str; 5] =
    ["lookalike-formats", "lookalike-records", "lookalike-ledger", "lookalike-engine", "lookalike-report"];

/// Where the modules are: what a sceptic reads, and what is built on it.
const FOLDERS: [&str; 2] = ["crates/lookalike-core/src", "crates/lookalike/src"];

/// All files of a folder and of those in it, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    walk(folder, &mut files);
    files.sort();
    files
}

/// The source files of both crates, each with the module it belongs to; test files are left out.
fn sources() -> Vec<(String, PathBuf, String)> {
    FOLDERS.iter().flat_map(|folder| sources_in(&root().join(folder))).collect()
}

fn sources_in(folder: &Path) -> Vec<(String, PathBuf, String)> {
    let files = files_in(folder);
    let source = |path: PathBuf| {
        let relative = path.strip_prefix(folder).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs").to_owned();
        let is_test = relative.components().any(is_of_tests);
        (!is_test && module != "lib").then(|| (module, path.clone(), code(&fs::read_to_string(&path).unwrap())))
    };
    files.into_iter().filter_map(source).collect()
}

/// Whether a file or folder of this name has tests.
fn is_of_tests(part: std::path::Component<'_>) -> bool {
    let part = part.as_os_str().to_str().unwrap().trim_end_matches(".rs");
    part == "tests" || part.starts_with("tests_") || part.ends_with("_tests")
}

/// The text before the tests, without comments.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let before_tests = before_tests.split("#[cfg(all(test, ").next().unwrap();
    let lines = before_tests.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// Every module of the root that a file names: after `crate::`, or after as many `super::` as the file is deep, also in braces.
/// The types of the root are those of `error`.
fn imports(code: &str, depth: usize) -> BTreeSet<String> {
    // What a macro names in its own crate is for whoever calls it.
    let mut found = named_after(&code.replace("$crate::", ""), "crate::");
    // More of them would be an error of the compiler; of a longer chain the last ones are no chain of their own.
    let (ups, longer) = ("super::".repeat(depth), "super::".repeat(depth + 1));
    found.extend(named_after(&code.replace(&longer, ""), &ups));
    found.remove("super");
    found.remove("");
    found
}

/// The first names of all paths after a prefix.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let name = |text: &str| {
        let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if ["Error", "Result", "Sentence", "Setting", "SettingValue", "Spelling"].contains(&name.as_str()) {
            "error".to_owned()
        } else {
            name
        }
    };
    let mut found = BTreeSet::new();
    for rest in code.split(prefix).skip(1) {
        match rest.strip_prefix('{') {
            None => {
                found.insert(name(rest));
            }
            Some(list) => {
                let mut depth = 0;
                let mut item = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => {
                            found.insert(name(item.trim()));
                            item.clear();
                        }
                        c => item.push(c),
                    }
                }
                found.insert(name(item.trim()));
            }
        }
    }
    found
}

/// How deep the module of a file is: 1 for `a.rs` and `a/mod.rs`, 2 for `a/b.rs`.
fn depth(folder: &Path, path: &Path) -> usize {
    let relative = path.strip_prefix(folder).unwrap();
    relative.components().count() - usize::from(relative.ends_with("mod.rs"))
}

#[test]
fn modules_import_only_what_the_tables_allow() {
    for (heading, folders) in tables() {
        let allowed: BTreeMap<String, BTreeSet<String>> = table(&heading).into_iter().collect();
        let mut modules = BTreeSet::new();
        for folder in &folders {
            for (module, path, code) in sources_in(folder) {
                let row = allowed.get(&module).unwrap_or_else(|| panic!("module {module} is not in the table"));
                for import in imports(&code, depth(folder, &path)).iter().filter(|import| **import != module) {
                    assert!(row.contains(import), "{}: {module} may not import {import}", path.display());
                }
                modules.insert(module);
            }
        }
        assert_eq!(modules, allowed.into_keys().collect(), "the table lists the modules that exist");
    }
}

#[test]
fn what_a_row_imports_stands_above_it_so_that_nothing_goes_in_circles() {
    let headings = tables().into_iter().map(|(heading, _)| heading).chain(["crate".to_owned()]);
    for heading in headings {
        let mut above = BTreeSet::new();
        let rows = table(&heading);
        assert!(rows.len() > 1, "{heading}");
        for (name, imports) in rows {
            assert!(imports.is_subset(&above), "{heading} {name}: {imports:?}, and above it are {above:?}");
            assert!(above.insert(name), "a row for each");
        }
    }
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    for (name, allowed) in table("crate") {
        let manifest = fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap();
        let product = manifest.split("[dependencies]").nth(1).unwrap().split("[dev-dependencies]").next().unwrap();
        let ours: BTreeSet<String> = product
            .lines()
            .filter(|line| line.starts_with("lookalike"))
            .map(|line| line.split(['.', ' ']).next().unwrap().to_owned())
            .collect();
        assert_eq!(ours, allowed, "{name}");
    }
}

#[test]
fn formats_open_no_file_and_ask_for_no_time() {
    let outside = ["std::fs", "std::env", "std::process", "std::net", "std::time", "File::", "std::io::stdin"];
    let ours = ["MechanismFile::", "FrameworkFile::", "ChainFile::", "LimitsFile::"];
    for (_, path, code) in sources_in(&root().join("crates/lookalike-formats/src")) {
        let code = ours.iter().fold(code, |code, ours| code.replace(ours, ""));
        for name in outside {
            assert!(!code.contains(name), "{} has {name}", path.display());
        }
    }
}

#[test]
fn the_reader_of_imports_sees_every_form() {
    let code =
        "use crate::exact::Rational;\nuse crate::{certify::certify, model::{A, B}};\nlet x = crate::design::f();";
    let expected = ["certify", "design", "exact", "model"].map(str::to_owned);
    assert_eq!(imports(code, 1), BTreeSet::from(expected));
    assert_eq!(imports("use crate::{Error, Result};", 2), BTreeSet::from(["error".to_owned()]));
    let ups = "use super::super::{geo::G, local};\nuse super::sibling;\nlet x = super::super::lp::f();";
    assert_eq!(imports(ups, 2), BTreeSet::from(["geo", "local", "lp"].map(str::to_owned)));
    assert_eq!(imports("use super::super::cousin::C;", 3), BTreeSet::new());
    assert_eq!(imports("use super::{a::A, b};", 1), BTreeSet::from(["a", "b"].map(str::to_owned)));
}

#[test]
fn no_float_type_is_named_where_privacy_is_decided() {
    // The way out of exact arithmetic is the one exception; nothing comes back in through it.
    let doors = ["exact/float.rs", "exact/epsilon.rs", "exact/epsilon_sum.rs", "exact/mod.rs"];
    for (module, path, code) in sources() {
        let is_door = doors.iter().any(|door| path.ends_with(door));
        if ["exact", "model", "chain", "certify"].contains(&module.as_str()) && !is_door {
            assert!(!code.contains("f64") && !code.contains("f32"), "{} names a float", path.display());
        }
        if path.ends_with("exact/epsilon.rs") || path.ends_with("exact/epsilon_sum.rs") {
            // ε and its sums are given away as doubles, and none is taken: no field but the cache, no argument.
            let lines: Vec<&str> = code.lines().filter(|line| line.contains("f64")).collect();
            let gives =
                |line: &&str| line.contains("-> f64") || line.contains("_f64") || line.contains("OnceLock<f64>");
            assert!(lines.iter().all(gives), "{lines:?}");
            assert!(!code.contains(": f64"), "no float comes in");
        }
    }
}

#[test]
fn the_certifier_stays_short_enough_to_be_read_in_one_go() {
    let sources = sources();
    let lines = |belongs: &dyn Fn(&Path) -> bool| {
        let files = sources.iter().filter(|(module, path, _)| module == "certify" && belongs(path));
        files.flat_map(|(_, _, code)| code.lines()).filter(|line| !line.trim().is_empty()).count()
    };
    // `within` and `delta` answer other questions and make nothing certified: what is sampled rests on the others.
    let proof = lines(&|path| !path.ends_with("within.rs") && !path.ends_with("delta.rs"));
    // The finite kinds alone are some 215, with the laws within limits that are a witness. `noise` proves two closed forms and says their numbers in some 60 more, and claims
    // about the moments of a chain in 45, `oracle` a closed form an encoding and the law written out in some 95, `planar` a
    // closed form for each metre in some 50.
    assert!(proof < 475, "the proof has {proof} lines of code");
    let all = lines(&|_| true);
    assert!(all < 665, "certify has {all} lines of code");
}

/// The rows of the tables of the trusted base: part, files and lines as they are stated.
fn stated_lines() -> Vec<(String, Vec<String>, String)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("## The trusted base").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let files = cells[2].split(',').map(|name| name.trim().to_owned()).collect();
        (cells[1].trim_matches('`').to_owned(), files, cells[3].to_owned())
    })
    .collect()
}

#[test]
fn the_lines_of_the_trusted_base_are_as_many_as_stated() {
    let core = root().join(FOLDERS[0]);
    let mut of_channels = 0;
    for (row, (part, files, stated)) in stated_lines().iter().enumerate() {
        let folder = if part == "device" { root().join("crates/lookalike-device/src") } else { core.join(part) };
        let lines = |name: &String| {
            let path = folder.join(name).with_extension("rs");
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            code(&text).lines().filter(|line| !line.trim().is_empty()).count()
        };
        let counted: usize = files.iter().map(lines).sum();
        let shown = |count: usize| {
            let tens = (count + 5) / 10 * 10;
            if tens < 1000 { tens.to_string() } else { format!("{},{:03}", tens / 1000, tens % 1000) }
        };
        assert_eq!(*stated, shown(counted), "ARCHITECTURE.md on {part}: {} ({counted} lines)", files.join(", "));
        if row < 5 {
            of_channels += counted;
        }
        if row == 4 {
            let sum = format!("about {} lines", shown(of_channels));
            let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
            assert!(text.contains(&sum), "ARCHITECTURE.md on channels between categories, expected {sum:?}");
        }
    }
    assert_eq!(stated_lines().len(), 12);
}

#[test]
fn proofs_in_comments_are_where_the_trusted_base_says() {
    let sample = root().join(FOLDERS[0]).join("sample");
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for (file, bound) in [("plane.rs", "2^-20 m"), ("exponential_coin.rs", "2^-44")] {
        let comments = fs::read_to_string(sample.join(file)).unwrap().replace('−', "-");
        assert!(text.contains(&format!("`sample/{file}`")) && text.contains(bound), "{file}");
        assert!(comments.contains(bound), "{file} has no bound of {bound}");
    }
}

/// The crates that may spell an option: shells, and programs of their own.
const SHELLS: [&str; 5] =
    ["lookalike-cli", "lookalike-device", "lookalike-experiments", "lookalike-python", "lookalike-terminal"];
/// Other files that may: the spelling itself, pages, which show commands on purpose, and plots, whose styles have names
/// with two hyphens.
const SHOW_COMMANDS: [&str; 2] = ["lookalike-formats/src/command_line.rs", "lookalike-report/src/"];

/// The options that a code spells: two hyphens with a name, also one to be filled in, or one with a letter and its value.
fn options_in(code: &str) -> Vec<&str> {
    let starts =
        |after: &str, first: &[char]| after.starts_with(|c: char| c.is_ascii_lowercase() || first.contains(&c));
    let is_option = |(at, _): &(usize, &str)| {
        let (before, after) = (code[..*at].chars().next_back(), &code[at + 1..]);
        let is_long = after.strip_prefix('-').is_some_and(|after| starts(after, &['{']));
        let mut rest = after.chars();
        let is_short = before.is_some_and(|before| " (\"`".contains(before))
            && rest.next().is_some_and(|c| c.is_ascii_lowercase())
            && rest.next() == Some(' ')
            && rest.next().is_some_and(|c| c.is_ascii_uppercase());
        (is_long && before != Some('-')) || is_short
    };
    let found = code.match_indices('-').filter(is_option);
    found.map(|(at, _)| code[at..].split_whitespace().next().unwrap()).collect()
}

#[test]
fn no_text_of_the_libraries_spells_an_option() {
    let crates = root().join("crates");
    let mut scanned = BTreeSet::new();
    for path in files_in(&crates) {
        let relative = path.strip_prefix(&crates).unwrap();
        let name = relative.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
        let is_source =
            relative.starts_with(Path::new(&name).join("src")) && path.extension().is_some_and(|e| e == "rs");
        let shown = SHOW_COMMANDS.iter().any(|shown| relative.to_str().unwrap().starts_with(shown));
        if is_source && !shown && !SHELLS.contains(&name.as_str()) && !relative.components().any(is_of_tests) {
            let text = fs::read_to_string(&path).unwrap();
            let code = code(text.split("#[cfg(test)]\npub(super) mod tests").next().unwrap());
            assert_eq!(options_in(&code), [""; 0], "{}: name the option in a Sentence", relative.display());
            scanned.insert(name);
        }
    }
    let libraries = ["lookalike-core", "lookalike"].into_iter().chain(SPLIT).filter(|name| *name != "lookalike-report");
    libraries.for_each(|name| assert!(scanned.contains(name), "{name}: {scanned:?}"));
}

/// A page that leads through files is worth nothing once they have moved.
#[test]
fn the_files_of_the_walk_are_there() {
    let text = fs::read_to_string(root().join("docs/walk.md")).unwrap();
    let files: Vec<String> =
        files_in(&root().join("crates")).iter().map(|path| path.display().to_string().replace("/src/", "/")).collect();
    let named: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs")).collect();
    assert!(named.len() > 40, "{}", named.len());
    for name in named {
        // `engine/…` stands for `lookalike-engine/src/…`, and `lookalike/…` for itself.
        let place = if name.starts_with("lookalike/") { format!("/{name}") } else { format!("-{name}") };
        let is_short = |file: &&String| file.ends_with(&place) || file.ends_with(&format!("/{name}"));
        assert!(files.iter().any(|file| is_short(&file)), "docs/walk.md names {name}, which is not there");
    }
}

#[test]
fn the_reader_of_options_sees_every_form() {
    let spelled = [("(\"--force\")", "--force"), ("(\"pass --{name} N\")", "--{name}"), ("\"x (-o FILE)\"", "-o")];
    for (code, option) in spelled {
        let found = options_in(code);
        assert!(found.len() == 1 && found[0].starts_with(option), "{code}: {found:?}");
    }
    for code in ["\"a -- b\"", "a - b", "\"---x\"", "\"arrow-stream\"", "\"1e-6 of\"", "\"--\"", "(-x.abs(), -y)"] {
        assert_eq!(options_in(code), [""; 0], "{code}");
    }
}
