//! `lookalike completions`.

use crate::terminal::{Terminal, print};
use crate::{Answer, Cli};
use clap::CommandFactory;
use clap_complete::Shell;
use lookalike_formats::Result;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lookalike completions bash > ~/.local/share/bash-completion/completions/lookalike")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self, _: &Terminal) -> Result<Answer> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lookalike", &mut script);
        print(&String::from_utf8_lossy(&script))?;
        Ok(Answer::Yes)
    }
}
