//! What people and machines see: answers on standard output, messages and progress on standard error.

use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};
use indicatif::{ProgressBar, ProgressStyle};
use lookalike::Sentence;
use lookalike_engine::check_stdout;
pub use lookalike_engine::{figure, small};
use lookalike_formats::{CommandLine, Error, Result, shown, shown_json, shown_lines};
use serde_json::Value;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// A sentence on lines of at most 115 characters, broken between words, and a line end behind it.
pub fn wrapped(text: &str) -> String {
    const WIDTH: usize = 115;
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split(' ') {
        let more = word.chars().count();
        let fits = width + 1 + more <= WIDTH;
        match width {
            0 => {}
            _ if fits => lines.push(' '),
            _ => lines.push('\n'),
        }
        width = if width > 0 && fits { width + 1 + more } else { more };
        lines += word;
    }
    lines + "\n"
}

/// Options that every verb has.
#[derive(clap::Args)]
pub struct Options {
    /// Print JSON on standard output: one object, or for a sweep an array
    #[arg(long, global = true)]
    json: bool,
    /// No messages and no progress
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Threads to use, by default all
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Replace output files that exist; what the command reads, and ledgers, never
    #[arg(long, global = true)]
    force: bool,
}

/// Where a verb talks.
pub struct Terminal {
    json: bool,
    quiet: bool,
    force: bool,
}

impl Terminal {
    /// Takes the options and sets the number of threads.
    pub fn new(options: Options) -> Self {
        if let Some(threads) = options.threads {
            // Fails only if a pool exists already, and this is the one place that makes one.
            let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        }
        Terminal { json: options.json, quiet: options.quiet, force: options.force }
    }

    /// Whether output files may be replaced.
    pub fn force(&self) -> bool {
        self.force
    }

    /// Whether the answer is to be JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Prints the answer: the object for machines, or the text for people.
    pub fn answer(&self, object: Value, text: impl FnOnce() -> String) -> Result<()> {
        if self.json { print(&shown_json(&lookalike_formats::json_text(&object))) } else { say(&text()) }
    }

    /// A message that is not part of the answer.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            tell(&shown_lines(message));
        }
    }

    /// Something the user should know; shown even when quiet.
    pub fn warn(&self, message: &str) {
        tell(&format!("warning: {}", shown_lines(message)));
    }

    /// Why a verb could not run, and the exit code that says so.
    pub fn fail(&self, error: &Error) -> ExitCode {
        if error.is_refusal() {
            tell(&format!("refused: {}", error.spelled(&CommandLine)));
            return ExitCode::from(1);
        }
        tell(&format!("error: {}", error.spelled(&CommandLine)));
        ExitCode::from(2)
    }

    /// A spinner while something is computed; nothing in a pipe.
    pub fn spinner(&self, message: &'static str) -> ProgressBar {
        let bar = self.bar(None, "{spinner} {msg} {elapsed}");
        bar.set_message(message);
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        bar
    }

    /// A progress bar over bytes; a counter where the length is not known; nothing in a pipe.
    pub fn bytes(&self, length: Option<u64>) -> ProgressBar {
        match length {
            Some(_) => self.bar(length, "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} eta {eta}"),
            None => self.bar(None, "{spinner} {bytes} {bytes_per_sec}"),
        }
    }

    /// A progress bar over draws; nothing in a pipe.
    pub fn draws(&self, total: u64) -> ProgressBar {
        self.bar(Some(total), "{bar:40} {human_pos}/{human_len} draws eta {eta}")
    }

    fn bar(&self, length: Option<u64>, template: &str) -> ProgressBar {
        if self.quiet || self.json || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        bar.set_style(ProgressStyle::with_template(template).expect("templates are constants"));
        bar
    }
}

/// A line to standard error. Nobody need listen: a reader that is gone or a full disk changes neither what a command does nor
/// its exit code.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Text for people to standard output: names in it are [`shown`], whatever characters they have.
pub fn say(text: &str) -> Result<()> {
    print(&shown_lines(text))
}

/// What a file would hold to standard output, as it is. A reader that has seen enough is not an error.
pub fn print(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// Bytes to standard output, in the same way.
pub fn print_bytes(bytes: &[u8]) -> Result<()> {
    check_stdout()?;
    let mut output = std::io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::system("cannot write to standard output", error))
        }
        _ => Ok(()),
    }
}

/// Rows shown of a long table.
const MOST_ROWS: usize = 40;

/// A table with the first column to the left and numbers to the right; long ones are cut, and say so.
pub fn table(header: &[&str], rows: impl ExactSizeIterator<Item = Vec<String>>) -> String {
    let count = rows.len();
    let more = if count > MOST_ROWS { format!("… and {} more\n", count - MOST_ROWS) } else { String::new() };
    whole_table(header, rows.take(MOST_ROWS)) + &more
}

/// [`table`] with every row.
pub fn whole_table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    // A line end in a name would make a line of its own, which may look like another row.
    table.load_style(UTF8_FULL_CONDENSED).set_header(header.iter().map(|name| shown(name)));
    table.add_rows(rows.map(|row| row.into_iter().map(|cell| shown(&cell).into_owned()).collect::<Vec<_>>()));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

/// A line for each profile that no edge protects; one line for all where they are many.
pub fn unprotected(names: &[String]) -> Vec<String> {
    const MOST: usize = 10;
    if names.len() <= MOST {
        return names.iter().map(|name| format!("profile {name:?} has no edge and is not protected")).collect();
    }
    let first = names.iter().take(3).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    vec![format!("{} profiles have no edge and are not protected: {first}, …; --json lists them", names.len())]
}

/// A sentence with options and verbs as they are typed.
pub fn spelled(sentence: &Sentence) -> String {
    sentence.spelled(&CommandLine).to_string()
}

pub use lookalike_engine::count;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_one_line_and_nothing_that_acts() {
        let row = || vec!["a\u{1b}[2J\n│ bo ┆ 1".to_owned(), "\u{202e}2\t".to_owned()];
        let text = table(&["na\nme", "n"], std::iter::once(row()));
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(
            text.contains("a\\u{1b}[2J\\n│ bo") && text.contains("\\u{202e}2\\t") && text.contains("na\\nme"),
            "{text}"
        );
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }

    #[test]
    fn many_unprotected_profiles_are_one_line() {
        let names = |count: usize| (0..count).map(|at| format!("u{at}")).collect::<Vec<_>>();
        assert_eq!(unprotected(&names(0)), [""; 0]);
        assert_eq!(unprotected(&names(1)), ["profile \"u0\" has no edge and is not protected"]);
        assert_eq!(unprotected(&names(10)).len(), 10);
        let all = "11 profiles have no edge and are not protected: \"u0\", \"u1\", \"u2\", …; --json lists them";
        assert_eq!(unprotected(&names(11)), [all]);
    }
}
