//! `lookalike pufferfish report`.

use crate::Answer;
use crate::design::{check_output, stage};
use crate::interrupt::Interrupt;
use crate::streams::write_page;
use crate::terminal::Terminal;
use lookalike::design::{Progress, Watch};
use lookalike::exact::Epsilon;
use lookalike_engine::ReadFile;
use lookalike_formats::Result;
use lookalike_formats::pufferfish::ChainFile;
use lookalike_report::ChainPage;
use std::path::PathBuf;

/// Make a page about the noise that hides every moment of a sequence: how fast the chain forgets, and what that saves
///
/// One HTML file that needs nothing else: no network, no script.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  lookalike pufferfish report chain.toml --length 10000 --epsilon 1 -o page.html")]
pub struct ReportVerb {
    /// The chains that the sequence may have come from, TOML or JSON
    chain: PathBuf,
    /// How many moments the sequence has
    #[arg(long, value_name = "T")]
    length: u64,
    /// How alike any two states of a moment must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E")]
    epsilon: Epsilon,
    /// The page to write; - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

impl ReportVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(Some(&self.output), terminal)?;
        let file = ChainFile::read(&self.chain)?;
        let bar = terminal.spinner("searching quilts");
        let interrupt = Interrupt::new(&bar);
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let page = ChainPage { file: &file, length: self.length, epsilon: &self.epsilon };
        let page = page.page(Watch::default().on_progress(&progress))?;
        bar.finish_and_clear();
        interrupt.writing();
        write_page(&page.html, &self.output, terminal)?;
        Ok(Answer::Yes)
    }
}
