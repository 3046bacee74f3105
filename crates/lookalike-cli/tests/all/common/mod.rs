//! What the tests of the commands share: a folder, a run of the binary, and files to run it on.

pub mod facts;
pub mod page;

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The binary under test: each program of tests says which.
pub const BINARY: &str = crate::PROGRAM.1;

/// A text that stands for a private value: no message may show it.
pub const MARKER: &str = "SECRETMARKER";

/// The verbs.
pub const VERBS: [&str; 20] = [
    "run",
    "fit",
    "check",
    "design",
    "certify",
    "privatize",
    "estimate",
    "audit",
    "report",
    "export",
    "upgrade",
    "counts",
    "local",
    "tupling",
    "noise",
    "geo",
    "pufferfish",
    "account",
    "ledger",
    "completions",
];

/// How often a process is killed; `make soak` asks for more.
pub fn kills() -> usize {
    std::env::var("LOOKALIKE_KILLS").map_or(20, |text| text.parse().expect("LOOKALIKE_KILLS is a number"))
}

/// A plan whose spec is that of the workstation example: its profiles are known.
pub const PLAN: &str = "spec = \"spec.toml\"\nseed = 1\n\n[data]\nrecords = \"records.csv\"\nprofile = \"user\"\n\
                        value = \"load\"\n\n[output]\nfolder = \"out\"\n";

/// Writes that plan, with the spec and the records.
pub fn write_plan(folder: &Folder) {
    folder.write("plan.toml", PLAN);
    for name in ["spec.toml", "records.csv"] {
        folder.write(name, std::fs::read(example("workstations").join(name)).unwrap());
    }
}

/// A file of the examples.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Compares a text with a committed golden file; `UPDATE_GOLDEN=1` rewrites the file instead.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{name} is out of date (make golden rewrites it); it should read:\n{text}");
}

/// What a run of the binary left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The run, which must have ended with this exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// The run, which must have failed with one line of error that has each of these parts, and printed nothing.
    #[track_caller]
    pub fn fails_with(self, parts: &[&str]) -> Run {
        let run = self.exits(2);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
        run.says(parts)
    }

    /// The run, whose messages must have each of these parts.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Run {
        for part in parts {
            assert!(self.stderr.contains(part), "expected {part:?} in:\n{}", self.stderr);
        }
        self
    }

    /// The run, whose answer must have each of these parts.
    #[track_caller]
    pub fn prints(self, parts: &[&str]) -> Run {
        for part in parts {
            assert!(self.stdout.contains(part), "expected {part:?} in:\n{}", self.stdout);
        }
        self
    }

    /// The JSON object on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}

/// A folder of its own, in which the binary runs.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    #[track_caller]
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The names in the folder, hidden ones too, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The binary with these arguments, to be run in this folder.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(BINARY);
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// A run with these arguments.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        self.run_on(arguments, "")
    }

    /// A run with these arguments on a standard input.
    pub fn run_on<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>, input: impl Into<Vec<u8>>) -> Run {
        let command = self.command(arguments);
        let words: Vec<String> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        let output = assert_cmd::Command::from_std(command).write_stdin(input).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let run = Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        if crate::PROGRAM.0 == "lookalike" {
            facts::check(&words, run.code, &run.stdout);
        }
        run
    }

    /// A run of words without blanks in them.
    pub fn words(&self, line: &str) -> Run {
        self.run(line.split_whitespace())
    }

    /// Designs the mechanism `m.json` of a spec and returns the file.
    #[track_caller]
    pub fn design(&self, spec: &Path) -> Value {
        self.design_with(spec, &[])
    }

    /// The same with more options.
    #[track_caller]
    pub fn design_with(&self, spec: &Path, more: &[&str]) -> Value {
        let words = ["design", spec.to_str().unwrap(), "-o", "m.json", "--force"];
        self.run(words.iter().chain(more)).exits(0);
        self.json("m.json")
    }

    /// Designs the mechanism `m.json` of a TOML spec and returns the file.
    #[track_caller]
    pub fn design_toml(&self, spec: &str) -> Value {
        let path = self.write("spec.toml", spec);
        self.design(&path)
    }
}

/// Warner's randomized response at ln 3.
pub const WARNER: &str = "\
epsilon = \"ln(3)\"
categories = [\"no\", \"yes\"]
secrets = \"values\"
graph.shape = \"complete\"
";

/// Two profiles that need noise, over two loads.
pub const TWO: &str = "\
epsilon = 0.5
categories = [\"idle\", \"busy\"]
[profiles]
ana = [0.9, 0.1]
bo = [0.2, 0.8]
[graph]
edges = [[\"ana\", \"bo\"]]
";

/// Two people in turn, one idle and one busy, under the header `user,load`.
pub fn records(count: usize) -> String {
    let rows = ["ana,idle\n", "bo,busy\n"].into_iter().cycle().take(count);
    std::iter::once("user,load\n").chain(rows).collect()
}

/// The texts of a JSON list.
pub fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// The keys of a JSON object, in order.
pub fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A small generator of its own (splitmix64), so that random tests are the same for ever.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// The bytes with a few of them replaced, removed or repeated, and sometimes cut off.
    pub fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..1 + self.below(3) {
            // Cut off after its first byte, which is then removed.
            if bytes.is_empty() {
                break;
            }
            let at = self.below(bytes.len() as u64) as usize;
            match self.below(6) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, bytes[at]),
                2 => bytes[at] = b"0129-.,:\"[]{}e\n\r\0/"[self.below(18) as usize],
                3 => bytes[at] ^= 1 << self.below(8),
                4 => bytes[at] = self.below(256) as u8,
                _ if self.below(4) == 0 => bytes.truncate(at.max(1)),
                _ => {}
            }
        }
        bytes
    }
}
