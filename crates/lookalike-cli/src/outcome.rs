//! Outcomes of jobs as this shell has them.

use crate::streams::is_stdout;
use crate::terminal::{Terminal, spelled};
use lookalike::Sentence;
use lookalike_engine::Facts;
use lookalike_formats::Result;
use std::path::Path;

/// Answers with facts and the file that was written. What went to standard output is not told there again.
pub fn answer(
    facts: &impl Facts,
    output: Option<&Path>,
    text: impl FnOnce() -> String,
    terminal: &Terminal,
) -> Result<()> {
    if output.is_some_and(is_stdout) {
        terminal.note(text().trim_end());
        return Ok(());
    }
    terminal.answer(facts.written(output), text)
}

/// Says what an outcome warns of.
pub fn warn(warnings: &[Sentence], terminal: &Terminal) {
    for warning in warnings {
        terminal.warn(&spelled(warning));
    }
}

/// The last line about a mechanism: where it is, or how to keep it. Nothing where it is on standard output.
pub fn kept_text(output: Option<&Path>) -> String {
    match output {
        Some(path) if is_stdout(path) => String::new(),
        Some(path) => format!("Wrote {}.\n", path.display()),
        None => "Nothing written: give -o FILE to keep the mechanism.\n".to_owned(),
    }
}
