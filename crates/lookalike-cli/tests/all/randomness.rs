//! Where noise comes from: the operating system's generator, through one door, unless a seed was asked for.

use crate::common;

use common::{Folder, WARNER};
use std::fs;
use std::path::{Path, PathBuf};

/// The sources of the product: every Rust file under `crates/*/src`, without tests, as path and code.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            walk(&folder, &mut files);
        }
    }
    files.sort();
    let is_test = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.contains("tests") || path.components().any(|part| part.as_os_str() == "tests") || !name.ends_with(".rs")
    };
    let code = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let all: Vec<&str> = text.lines().collect();
        let opens_tests =
            |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].contains("mod ") && pair[1].ends_with('{');
        let end = all.windows(2).position(opens_tests).unwrap_or(all.len());
        let lines: Vec<&str> = all[..end].iter().map(|line| line.split("//").next().unwrap()).collect();
        let path = path.strip_prefix(&crates).unwrap().to_str().unwrap().replace('\\', "/");
        (path, lines.join("\n"))
    };
    files.into_iter().filter(|path| !is_test(path)).map(code).collect()
}

/// The files whose code has one of these words, in order.
fn files_with(words: &[&str]) -> Vec<String> {
    let has = |(_, code): &(String, String)| words.iter().any(|word| code.contains(word));
    sources().into_iter().filter(has).map(|(path, _)| path).collect()
}

#[test]
fn one_file_asks_the_operating_system_and_no_other_generator_is_made() {
    // A device has no other crate of ours, and asks by itself.
    assert_eq!(files_with(&["getrandom"]), ["lookalike-device/src/os.rs", "lookalike-records/src/files/os_random.rs"]);
    // The key of a run makes the words of its draws; a shuffle's temporary file is encrypted, and draws nothing.
    assert_eq!(
        files_with(&["ChaCha"]),
        ["lookalike-core/src/sample/random.rs", "lookalike-records/src/shuffle/bucket_file.rs"]
    );
    let others = [
        "thread_rng",
        "StdRng",
        "SmallRng",
        "OsRng",
        "SysRng",
        "fastrand",
        "from_entropy",
        "from_os_rng",
        "rand::",
        "Pcg",
        "Xoshiro",
        "SplitMix",
        "/dev/random",
        "/dev/urandom",
    ];
    assert_eq!(files_with(&others), Vec::<String>::new());
}

#[test]
fn a_key_is_fresh_or_made_of_a_seed_that_somebody_gave() {
    // Bytes of a key are fresh ones; an audit with a seed has a key for each of its two runs.
    let with_bytes = files_with(&["RandomKey::from_bytes"]);
    for (path, code) in sources().iter().filter(|(path, _)| with_bytes.contains(path)) {
        assert!(code.contains("os_random") || code.contains("seed.to_le_bytes()"), "{path} makes a key of other bytes");
    }
    // A key of a seed is that of an argument called so; but for experiments, which are to come out the same, and a
    // rehearsal, of which nothing is shown.
    for (path, code) in sources().iter().filter(|(path, _)| !path.starts_with("lookalike-experiments/")) {
        for rest in code.split("RandomKey::from_seed(").skip(1) {
            let argument = rest.split(')').next().unwrap();
            let is_rehearsal = path == "lookalike-engine/src/geo/places.rs" && argument == "0";
            assert!(argument == "seed" || is_rehearsal, "{path}: a key of the seed {argument}");
        }
    }
}

/// Records of which nearly none comes out as it was.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("spec.toml", WARNER);
    folder.words("design spec.toml -o m.json").exits(0);
    folder.write("records.csv", "value\n".to_owned() + &"yes\nno\n".repeat(200));
    folder
}

fn privatized(folder: &Folder, options: &str) -> String {
    folder.words(&format!("privatize m.json records.csv --value value {options} -o out.csv --force")).exits(0);
    folder.read("out.csv")
}

#[test]
fn runs_without_a_seed_differ_and_runs_with_one_do_not() {
    let folder = folder();
    let [one, two] = [(); 2].map(|()| privatized(&folder, ""));
    // 400 records at ln 3: the same by chance with a probability of (5/8)^400.
    assert_ne!(one, two);
    let [one, two, other] = ["--seed 5", "--seed 5", "--seed 6"].map(|seed| privatized(&folder, seed));
    assert_eq!(one, two);
    assert_ne!(one, other);
}

/// All that is random without a seed comes from `getrandom` of the C library: with one that always gives the same bytes,
/// runs are the same.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn with_a_generator_that_repeats_itself_runs_repeat_themselves() {
    let folder = folder();
    folder.write(
        "same.c",
        "#include <string.h>\n#include <sys/types.h>\n\
         ssize_t getrandom(void *bytes, size_t count, unsigned flags) { (void)flags; memset(bytes, VALUE, count); return count; }\n",
    );
    let run = |value: u8| {
        let library = folder.path(&format!("same{value}.so"));
        let mut compiler = std::process::Command::new("cc");
        compiler.args(["-shared", "-fPIC", &format!("-DVALUE={value}"), "-o"]).arg(&library).arg(folder.path("same.c"));
        assert!(compiler.status().expect("a C compiler, which building needs too").success());
        let mut command = std::process::Command::new(common::BINARY);
        command.args("privatize m.json records.csv --value value -o out.csv --force".split(' '));
        let output = command.current_dir(folder.path("")).env("LD_PRELOAD", &library).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder.read("out.csv")
    };
    let [one, two, other] = [7, 7, 8].map(run);
    assert_eq!(one, two);
    assert_ne!(one, other);
}
