//! How the commands of Lookalike talk: answers, progress, signals, and command lines that are wrong.
//!
//! `lookalike` and `lookalike-experiments` are two programs with one way to speak, so what they share lies here.

// Inputs are opened by `lookalike_engine::open_input`, so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod interrupt;
pub mod terminal;
pub mod usage;

pub use interrupt::Interrupt;
pub use terminal::Terminal;

use std::process::ExitCode;

/// The answer of a verb that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Done, or yes.
    Yes,
    /// A well-formed question with a negative answer.
    No,
}

impl Answer {
    /// Runs what a command line asks for, from its first line to its exit code: 0 done or yes, 1 no, 2 what could not be done.
    /// [`interrupt::install`] comes first in `main`, before the command line is read.
    pub fn exit(
        options: terminal::Options,
        work: impl FnOnce(&Terminal) -> lookalike_formats::Result<Answer>,
    ) -> ExitCode {
        // What is read is never replaced, to the last line.
        let _inputs = lookalike_engine::InputGuard::new();
        let terminal = Terminal::new(options);
        let answer = work(&terminal);
        interrupt::over();
        match answer {
            Ok(Answer::Yes) => ExitCode::SUCCESS,
            Ok(Answer::No) => ExitCode::from(1),
            Err(error) => terminal.fail(&error),
        }
    }
}
