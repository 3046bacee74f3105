//! `lookalike completions`.

use crate::common::{Folder, VERBS};
use std::process::Command;

#[test]
fn the_script_of_every_shell_knows_every_verb() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(["completions", shell]).exits(0).stdout;
        for verb in VERBS {
            assert!(script.contains(verb), "{shell} lacks {verb}");
        }
        assert!(script.contains("keep-profile"), "{shell} lacks the options of privatize");
    }
}

#[test]
fn the_bash_script_is_one_that_bash_accepts_and_it_completes_verbs() {
    let folder = Folder::new();
    let script = folder.words("completions bash").exits(0).stdout;
    let path = folder.write("lookalike.bash", script);
    let ask = "source \"$0\"; COMP_WORDS=(lookalike cer); COMP_CWORD=1; \
               _lookalike lookalike cer lookalike; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", ask]).arg(path).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "certify\n");
}

#[test]
fn an_unknown_shell_is_refused_with_the_known_ones() {
    Folder::new().words("completions tcsh").fails_with(&["'tcsh'", "possible values", "bash"]);
}
