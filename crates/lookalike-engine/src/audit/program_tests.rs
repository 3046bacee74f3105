use super::*;
use lookalike::audit::Output;
use std::time::Instant;

/// The outputs of a run, with the secrets they are of.
#[derive(Default)]
struct Shown(Vec<(u32, u64, String)>);

impl Collect<Text> for Shown {
    fn see(&mut self, secret: u32, place: u64, output: &Text) {
        self.0.push((secret, place, output.label()));
    }

    fn merge(&mut self, _: Self) {
        unreachable!("one collector")
    }
}

fn program(script: &str, seconds: f64) -> Program {
    let secrets = Names::new("secret", ["no", "yes"]).unwrap();
    Program::new(["sh", "-c", script].map(OsString::from).to_vec(), secrets, Duration::from_secs_f64(seconds)).unwrap()
}

fn asked(program: &Program, rounds: u64) -> lookalike::Result<Vec<(u32, u64, String)>> {
    program.run(Run::Choosing, &Schedule::new(vec![(vec![0, 1], rounds)], 7), &Shown::default).map(|shown| shown.0)
}

#[track_caller]
fn refused(script: &str, rounds: u64) -> String {
    let error = asked(&program(script, 10.0), rounds).unwrap_err();
    assert!(error.is_failed());
    let text = error.to_string();
    text.strip_prefix(&format!("sh -c {script}: ")).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn every_secret_gets_its_line_in_order() {
    let shown = asked(&program("cat", 10.0), 50_000).unwrap();
    assert_eq!(shown.len(), 100_000);
    let right = |(at, (secret, place, text)): (u64, &(u32, u64, String))| {
        *place == at && text == ["no", "yes"][*secret as usize]
    };
    assert!((0..).zip(&shown).all(right));
    assert_eq!(shown.iter().filter(|shown| shown.0 == 0).count(), 50_000);
}

#[test]
fn lines_may_end_in_both_ways_and_the_last_one_in_none() {
    let texts = |script| asked(&program(script, 10.0), 1).unwrap().into_iter().map(|shown| shown.2).collect::<Vec<_>>();
    assert_eq!(texts("cat > /dev/null; printf 'a\\r\\nb'"), ["a", "b"]);
    assert_eq!(texts("printf '\\n\\n'"), ["", ""], "an empty line is an output");
}

#[test]
fn a_program_need_not_read_what_it_does_not_need() {
    // The pipe breaks while 400,000 secrets are written.
    let shown = asked(&program("exec < /dev/null; yes maybe | head -n 400000", 10.0), 200_000).unwrap();
    assert!(shown.len() == 400_000 && shown.iter().all(|shown| shown.2 == "maybe"));
    let late = asked(&program("cat > /dev/null; yes maybe | head -n 400000; exit 3", 10.0), 200_000).unwrap();
    assert_eq!(late.len(), 400_000, "the status does not matter once all is answered");
}

#[test]
fn an_early_end_is_said_with_its_status_and_the_count() {
    let expected = "expected a line for each secret until its input ends";
    assert_eq!(refused("head -n 3; exit 7", 10), format!("ended with status 7 after 3 of 20 outputs, {expected}"));
    assert_eq!(refused("head -n 3", 10), format!("ended after 3 of 20 outputs, {expected}"));
    assert_eq!(refused("kill -9 $$", 10), format!("was killed by signal 9 after 0 of 20 outputs, {expected}"));
}

#[test]
fn lines_beyond_the_secrets_are_refused() {
    let message = "line 21: more lines than the 20 secrets, expected one for each (is something printed beside the \
                   outputs?)";
    assert_eq!(refused("cat; echo done", 10), message);
    assert_eq!(refused("cat > /dev/null; yes", 10), message);
}

#[test]
fn what_is_no_line_of_text_is_refused() {
    let bytes = refused("head -n 4; printf '\\377\\n'; cat", 10);
    assert_eq!(bytes, "line 5: not UTF-8 text, expected an output as text (print numbers as decimals)");
    let long = refused("head -n 4; head -c 10000000 /dev/zero", 10);
    assert_eq!(long, "line 5: longer than 4096 bytes, expected one output per line");
}

#[test]
fn a_program_that_hangs_is_ended_with_what_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    // The sleeper is a child of the shell and holds the pipes.
    let script = format!("head -n 2; sleep 1000 & echo $! > '{}'; wait", file.display());
    let begun = Instant::now();
    let error = asked(&program(&script, 0.5), 10).unwrap_err().to_string();
    assert!(
        error
            .ends_with("hangs: it neither read nor printed for 0.5 s after 2 of 20 outputs (`timeout` allows it more)"),
        "{error}"
    );
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_gone(&file);
}

/// The process whose number is in the file ends soon.
#[track_caller]
fn assert_gone(file: &std::path::Path) {
    let (begun, sleeper) = (Instant::now(), std::fs::read_to_string(file).unwrap().trim().to_owned());
    let gone = || std::fs::read_to_string(format!("/proc/{sleeper}/stat")).map_or(true, |stat| stat.contains(") Z "));
    while !gone() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the sleeper lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_a_program_leaves_behind_is_ended_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    // The shell ends before the sleeper, which holds its output.
    let held = format!("sleep 1000 & echo $! > '{}'; cat", file.display());
    let error = asked(&program(&held, 0.5), 1).unwrap_err().to_string();
    let expected = "ended after 2 of 2 outputs, and its output is held open by something it started, which printed nothing \
                    for 0.5 s (what it starts must end with it)";
    assert!(error.ends_with(expected), "{error}");
    assert_gone(&file);
    // It holds nothing, and all goes well.
    let silent = format!("sleep 1000 > /dev/null 2>&1 & echo $! > '{}'; cat", file.display());
    assert_eq!(asked(&program(&silent, 10.0), 1).unwrap().len(), 2);
    assert_gone(&file);
    let failing = format!("sleep 1000 > /dev/null 2>&1 & echo $! > '{}'; exit 3", file.display());
    let error = asked(&program(&failing, 10.0), 1).unwrap_err().to_string();
    assert!(error.contains("ended with status 3 after 0 of 2 outputs"), "{error}");
    assert_gone(&file);
}

#[test]
fn slow_is_not_hanging_as_long_as_something_moves() {
    let shown = asked(&program("while read -r line; do echo $line; sleep 0.2; done", 1.0), 5).unwrap();
    assert_eq!(shown.len(), 10);
}

#[test]
fn a_program_that_does_not_end_is_told_so() {
    let error = asked(&program("cat; sleep 1000", 0.5), 1).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "does not end: 2 of 2 outputs, and it still runs 0.5 s after its input ended (it must end then)"
        ),
        "{error}"
    );
    // With its output closed there is nothing to wait for.
    assert_eq!(asked(&program("cat; exec >&-; sleep 1000", 0.3), 1).unwrap().len(), 2);
}

#[test]
fn what_cannot_be_started_says_why() {
    let secrets = || Names::new("secret", ["no", "yes"]).unwrap();
    let started = |name: &str| {
        let program = Program::new(vec![name.into()], secrets(), Duration::from_secs(1)).unwrap();
        asked(&program, 1).unwrap_err().to_string()
    };
    let missing = started("no-such-program");
    assert!(missing.starts_with("no-such-program: cannot be started: No such file"), "{missing}");
    assert!(missing.ends_with("(a program that is not on the path needs its folder, as in ./noise)"), "{missing}");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\ncat\n").unwrap();
    assert!(started(script.to_str().unwrap()).contains("cannot be started: Permission denied"));
    assert!(Program::new(Vec::new(), secrets(), Duration::from_secs(1)).is_err());
    let broken = Names::new("secret", ["no", "y\nes"]).unwrap();
    let error = Program::new(vec!["cat".into()], broken, Duration::from_secs(1)).unwrap_err();
    assert_eq!(error.to_string(), "secret \"y\\nes\" has a line break, and a program is told one secret per line");
}

#[test]
fn an_output_that_the_mechanism_does_not_have_is_refused_without_showing_it() {
    let outputs = Names::new("output", ["no", "yes", "maybe", "never"]).unwrap();
    let one = |script: &str| asked(&program(script, 10.0).with_outputs(&outputs), 20);
    assert_eq!(one("cat").unwrap().len(), 40);
    let error = one("head -n 16; echo SECRETMARKER; cat").unwrap_err().to_string();
    assert!(error.ends_with("line 17: the output is none of the mechanism's 4 outputs"), "{error}");
}

#[test]
fn stopping_for_good_kills_the_program_and_lets_nobody_speak() {
    let program = program("sleep 1000", 600.0);
    let stopper = program.stopper();
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(asked(&program, 1).is_err()));
    // Until it has started.
    let id = loop {
        if let Some(id) = stopper.id() {
            break id;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    stopper.stop_for_good();
    assert!(ended.recv_timeout(Duration::from_millis(300)).is_err(), "nothing is said of it");
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
}
