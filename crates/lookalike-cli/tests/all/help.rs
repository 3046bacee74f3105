//! Help, usage errors and exit codes.

use crate::common::{Folder, VERBS};

#[test]
fn every_verb_explains_itself_with_an_example_of_its_own() {
    let folder = Folder::new();
    for verb in VERBS {
        let help = folder.run([verb, "--help"]).exits(0).stdout;
        assert!(help.contains("Example"), "{help}");
        assert!(help.contains(&format!("  lookalike {verb} ")), "{help}");
        for option in ["--json", "--quiet", "--threads", "--force"] {
            assert!(help.contains(option), "{verb} lacks {option}:\n{help}");
        }
    }
}

#[test]
fn the_general_help_lists_every_verb_and_the_exit_codes() {
    let help = Folder::new().words("--help").exits(0).stdout;
    for verb in VERBS {
        assert!(help.contains(&format!("\n  {verb} ")), "{help}");
    }
    assert!(help.contains("Examples:\n  lookalike run plan.toml"), "{help}");
    assert!(help.contains("Exit codes: 0 done"), "{help}");
}

#[test]
fn usage_errors_exit_with_2_and_say_what_is_wrong() {
    let folder = Folder::new();
    folder.words("frobnicate").fails_with(&["unrecognized subcommand 'frobnicate'", "--help"]);
    folder.words("design").fails_with(&["<SPEC>"]);
    folder.words("certify m.json --no-such-option").fails_with(&["'--no-such-option'"]);
    folder.words("privatize m.json data.csv").fails_with(&["--output <FILE>"]);
    folder.words("design spec.toml --threads many").fails_with(&["'many'", "--threads <N>"]);
    folder.words("design spec.toml --threads 0").fails_with(&["--threads <N>", "1..=1024"]);
    folder.words("design spec.toml --threads 60000").fails_with(&["--threads <N>", "1..=1024"]);
    folder.words("privatize m.json data.csv -o out.csv --seed=-1").fails_with(&["--seed"]);
    folder.words("").exits(2).says(&["Usage: lookalike"]);
    assert!(folder.names().is_empty());
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = Folder::new().words("--version").exits(0).stdout;
    assert_eq!(version, format!("lookalike {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_has_no_colours_in_a_pipe() {
    for arguments in [&["--help"][..], &["design", "--help"], &["help", "certify"]] {
        let run = Folder::new().run(arguments).exits(0);
        assert!(!run.stdout.contains('\u{1b}') && run.stdout.contains("Usage: lookalike"));
    }
}
