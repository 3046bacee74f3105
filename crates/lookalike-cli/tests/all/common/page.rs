//! Pages that newcomers read: their `console` blocks, with what the commands in them print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command prints, standard error after standard output, in a folder with the examples.
pub fn run(command: &str, folder: &Path) -> String {
    let (name, binary) = crate::PROGRAM;
    let program = if command.starts_with("cargo run") { "cargo run --release --" } else { name };
    let line = command.replacen(program, &format!("'{binary}'"), 1);
    let output = Command::new("sh").arg("-c").arg(line).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// The page with every command of its console blocks followed by what it prints now.
fn executed(page: &str, folder: &Path) -> (String, usize) {
    let (mut text, mut inside, mut commands) = (String::new(), false, 0);
    for line in page.lines() {
        match (line, inside) {
            ("```console", false) => inside = true,
            ("```", true) => inside = false,
            _ => {}
        }
        if inside && !line.starts_with("```") && !line.starts_with("$ ") {
            continue;
        }
        text += line;
        text += "\n";
        if let (Some(command), true) = (line.strip_prefix("$ "), inside) {
            text += &run(command, folder);
            commands += 1;
        }
    }
    (text, commands)
}

/// Compares a page with what its commands print now, at least so many; `UPDATE_GOLDEN=1` rewrites it instead.
#[track_caller]
pub fn is_up_to_date(name: &str, least: usize, folder: &Path) {
    let path = root().join(name);
    let page = fs::read_to_string(&path).unwrap();
    let (now, commands) = executed(&page, folder);
    assert!(commands >= least, "{name} has its commands");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &now).unwrap();
    }
    assert!(
        now == page || std::env::var_os("UPDATE_GOLDEN").is_some(),
        "{name} is out of date; it should read:\n{now}"
    );
}
