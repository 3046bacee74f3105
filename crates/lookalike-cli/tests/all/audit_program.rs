//! `lookalike audit` of programs in another language: honest, broken, dying, hanging and talking nonsense.

#![cfg(unix)]

use crate::common::{Folder, Run, WARNER, example};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// An audit of a Python script for the secrets `no` and `yes`, at a confidence that no honest program meets by chance.
fn python(folder: &Folder, options: &str, script: &str, arguments: &str) -> Run {
    let script = script.to_owned();
    let mut words: Vec<String> = vec!["audit".into(), "--secrets=no,yes".into(), "--confidence=0.999999".into()];
    words.extend(options.split_whitespace().map(str::to_owned));
    words.extend(["--".to_owned(), "python3".to_owned(), script]);
    words.extend(arguments.split_whitespace().map(str::to_owned));
    folder.run(words)
}

fn warner() -> String {
    example("audit/warner.py").to_str().unwrap().to_owned()
}

#[test]
fn an_honest_program_is_not_accused_and_one_that_is_off_by_ten_percent_is() {
    let folder = Folder::new();
    let honest = python(&folder, "--epsilon ln(3) --draws 1e5", &warner(), "").exits(0);
    assert!(honest.stdout.starts_with("No evidence against epsilon ln(3).\n"), "{}", honest.stdout);
    assert!(!honest.stdout.to_lowercase().contains("private"), "{}", honest.stdout);
    // A flip of 0.225 in place of 0.25.
    let broken = python(&folder, "--epsilon ln(3) --draws 1e5", &warner(), "0.775").exits(1);
    assert!(broken.stdout.starts_with("EVIDENCE AGAINST epsilon ln(3): it is at least 1."), "{}", broken.stdout);
    let silent = python(&folder, "--draws 1e5 --json", &warner(), "0.775").exits(0).json();
    assert_eq!((&silent["verdict"], &silent["source"]), (&json!("no claim"), &json!("program")));
    assert_eq!((&silent["claimed"], &silent["claimed_text"]), (&Value::Null, &Value::Null));
    let bound = silent["bound"].as_f64().unwrap();
    assert!(bound > 1.1 && bound < (0.775f64 / 0.225).ln(), "{silent}");
}

#[test]
fn delta_of_a_program_is_held_against_its_claim() {
    // 0.75 − e/4 = 0.0704…
    let folder = Folder::new();
    let claim = |delta: &str| format!("--draws 1e5 --delta-at 1 --delta {delta} --json");
    let fine = python(&folder, &claim("0.0705"), &warner(), "").exits(0).json();
    assert_eq!((&fine["measure"], &fine["claimed_text"]), (&json!("delta"), &json!("141/2000")));
    // 0.775 − 0.225 e = 0.1634…
    let wrong = python(&folder, &claim("0.0705"), &warner(), "0.775").exits(1).json();
    assert_eq!((&wrong["verdict"], &wrong["at_epsilon"]), (&json!("evidence against"), &json!("1")));
}

#[test]
fn a_program_that_starts_with_the_same_noise_each_time_is_caught() {
    let folder = Folder::new();
    let script = folder.write(
        "seeded.py",
        "import random, sys\nrandom.seed(1)\n\
         for line in sys.stdin:\n    s = line.strip()\n    \
         print(s if random.random() < 0.75 else {'no': 'yes', 'yes': 'no'}[s])\n",
    );
    let found = python(&folder, "--epsilon ln(3) --draws 20000 --json", script.to_str().unwrap(), "").exits(1).json();
    assert_eq!(found["event"], "the output is what it was at the same place after another start");
}

/// Programs that answer each line alone as they should, and are broken all the same: with the draws that show it, the
/// verdict, and a part of the event in words.
const DEPENDENT: [(&str, &str, &str, &str, &str); 5] = [
    (
        "one coin for two calls",
        "20000",
        "for number, s in enumerate(secrets()):\n    \
             if number % 2 == 0: coin = random.random() < 0.25\n    \
             print(opposite[s] if coin else s)\n",
        "evidence against",
        "a call for the ",
    ),
    (
        "the answer before, one time in four",
        "100000",
        "y = 'no'\n\
         for s in secrets():\n    \
             if random.random() < 0.75: y = s if random.random() < 0.75 else opposite[s]\n    \
             print(y)\n",
        "evidence against fresh noise",
        "a call for the ",
    ),
    (
        "an answer that is kept while the secret stays the same",
        "20000",
        "before = None\n\
         for s in secrets():\n    \
             if s != before: y = s if random.random() < 0.75 else opposite[s]\n    \
             before = s\n    \
             print(y)\n",
        "evidence against",
        "a call for the ",
    ),
    (
        "the secret as the XOR of two characters",
        "20000",
        "for s in secrets():\n    \
             word = [random.randrange(16) for _ in range(8)]\n    \
             word[5] = word[2] ^ (s == 'yes')\n    \
             print(''.join('%x' % digit for digit in word))\n",
        "evidence against",
        "characters 3 and 6 of the output ",
    ),
    (
        "noise by the secret and its count, the same at every start",
        "20000",
        "counts = {'no': 0, 'yes': 0}\n\
         for s in secrets():\n    \
             counts[s] += 1\n    \
             coin = random.Random(f'{s} {counts[s]}').random() < 0.25\n    \
             print(opposite[s] if coin else s)\n",
        "evidence against",
        "the output is not what the second secret got at the same count after another start",
    ),
];

#[test]
fn programs_whose_answers_depend_on_other_answers_are_caught() {
    let begin = "import random, sys\nopposite = {'no': 'yes', 'yes': 'no'}\n\
                 def secrets(): return (line.strip() for line in sys.stdin)\n";
    for (name, draws, script, verdict, event) in DEPENDENT {
        let folder = Folder::new();
        let script = folder.write("broken.py", format!("{begin}{script}"));
        let script = script.to_str().unwrap();
        let audit = |more: &str| python(&folder, &format!("--epsilon ln(3) --draws {draws}{more}"), script, "");
        let found = audit(" --json").exits(1).json();
        assert_eq!(found["verdict"], verdict, "{name}: {found}");
        assert!(found["event"].as_str().unwrap().contains(event), "{name}: {found}");
        let claimed = if verdict.ends_with("fresh noise") { "0" } else { "ln(3)" };
        assert_eq!(found["claimed_text"], claimed, "{name}: {found}");
    }
}

#[test]
fn what_one_answer_tells_of_another_is_said_in_words_of_its_own() {
    let folder = Folder::new();
    // Honest noise, on the line before.
    let script = folder.write(
        "late.py",
        "import random, sys\nbefore = 'no'\n\
         for line in sys.stdin:\n    s, before = before, line.strip()\n    \
         print(s if random.random() < 0.75 else {'no': 'yes', 'yes': 'no'}[s])\n",
    );
    let found = python(&folder, "--epsilon ln(3) --draws 40000", script.to_str().unwrap(), "").exits(1).stdout;
    let first = "EVIDENCE AGAINST FRESH NOISE: an output tells the secret of the call next to it, epsilon at least ";
    assert!(found.starts_with(first), "{found}");
    assert!(found.contains("\nFresh noise for each call would tell 0 of it"), "{found}");
    assert!(found.contains(": right before a call for the ") && found.contains("the later output is "), "{found}");
}

#[test]
fn a_program_is_held_to_the_outputs_and_the_claim_of_a_mechanism() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let audit = |program: &[&str]| {
        folder.run(["audit", "m.json", "--draws", "40000", "--confidence", "0.999999", "--"].iter().chain(program))
    };
    let honest = audit(&["python3", &warner()]).exits(0).stdout;
    assert!(honest.starts_with("No evidence against epsilon ln(3).\n") && !honest.contains("Certified"), "{honest}");
    assert!(audit(&["cat"]).exits(1).stdout.starts_with("EVIDENCE AGAINST epsilon ln(3)"));
    audit(&["sed", "-u", "17s/.*/SECRETMARKER/"])
        .fails_with(&["sed -u 17s/.*/SECRETMARKER/: line 17: the output is none of the mechanism's 2 outputs"]);
}

#[test]
fn programs_that_fail_are_named_with_the_line_and_the_way_out() {
    let folder = Folder::new();
    let run = |name: &str, script: &str| {
        let path = folder.write(name, format!("import sys, time\n{script}"));
        let path = path.to_str().unwrap().to_owned();
        python(&folder, "--draws 2000 --timeout 1", &path, "").exits(2)
    };
    let refused = |name: &str, script: &str, parts: &[&str]| {
        let run = run(name, script).says(parts).says(&[&format!("{name}: ")]);
        assert_eq!(run.stdout, "");
        // What the program itself had to say comes before.
        assert!(run.stderr.lines().last().unwrap().starts_with("error: python3 "), "{}", run.stderr);
    };
    let hundred = "for _ in range(100): print(sys.stdin.readline().strip())\n";
    refused("dies.py", &format!("{hundred}raise SystemExit(3)"), &["ended with status 3 after 100 of 1000 outputs"]);
    refused(
        "raises.py",
        &format!("{hundred}raise ValueError('mine')"),
        &["ValueError: mine", "status 1 after 100 of 1000"],
    );
    refused("few.py", hundred, &["ended after 100 of 1000 outputs, expected a line for each secret"]);
    refused("aborts.py", "import os\nos.abort()", &["was killed by signal 6 after 0 of 1000 outputs"]);
    let begun = Instant::now();
    refused(
        "hangs.py",
        "time.sleep(1000)",
        &["hangs: it neither read nor printed for 1 s after 0 of 1000 outputs", "--timeout"],
    );
    assert!(begun.elapsed() < Duration::from_secs(15));
    let all = "for line in sys.stdin: print(line.strip())\n";
    refused("many.py", &format!("{all}print('done')"), &["line 1001: more lines than the 1000 secrets"]);
    refused("endless.py", "while True: print('x' * 60)", &["line 1001: more lines than the 1000 secrets"]);
    refused("bytes.py", "sys.stdout.buffer.write(bytes(range(256)) * 9)", &["line 2: not UTF-8 text"]);
    refused("huge.py", "print('no')\nprint('x' * 10**8)", &["line 2: longer than 4096 bytes"]);
    folder.words("audit --secrets no,yes -- ./nowhere").fails_with(&["./nowhere: cannot be started: No such file"]);
    folder.write("plain.txt", "no program");
    folder
        .words("audit --secrets no,yes -- ./plain.txt")
        .fails_with(&["./plain.txt: cannot be started: Permission denied", "chmod +x"]);
}

#[test]
fn a_signal_ends_the_audit_and_the_program() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let pid = folder.path("pid");
        let script = format!(
            "import os, time\nopen('{0}.new', 'w').write(str(os.getpid()))\nos.rename('{0}.new', '{0}')\ntime.sleep(1000)",
            pid.display()
        );
        folder.write("hangs.py", script);
        let mut command = folder.command(["audit", "--secrets=no,yes", "--timeout=600", "--", "python3", "hangs.py"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        let waited = |done: &dyn Fn() -> bool| {
            while !done() {
                assert!(begun.elapsed() < Duration::from_secs(60), "{signal}");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        waited(&|| pid.exists());
        assert!(std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "stopped; nothing was written\n");
        let program = folder.read("pid");
        let stat = || std::fs::read_to_string(format!("/proc/{program}/stat"));
        waited(&|| stat().map_or(true, |stat| stat.contains(") Z ")));
    }
}
