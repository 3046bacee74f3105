//! `lookalike pufferfish spec`.

use crate::Answer;
use crate::design::check_output;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, print};
use lookalike_engine::pufferfish::spec_facts;
use lookalike_engine::{Facts, ReadFile, note_input, write_atomically};
use lookalike_formats::Result;
use lookalike_formats::pufferfish::FrameworkFile;
use std::path::PathBuf;

/// Write a framework as a spec, for check, design, certify and report
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish spec framework.toml -o spec.toml
  lookalike design spec.toml -o m.json

A profile is the law of the query given a secret, one for each secret and law under which it is
possible. One channel serves all of them, and only profiles of the same law are a pair: what
certifies against the spec is private in the framework.")]
pub struct SpecVerb {
    /// The framework: secrets, pairs and laws, TOML or JSON
    framework: PathBuf,
    /// The spec to write; - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

impl SpecVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.framework);
        check_output(Some(&self.output), terminal)?;
        let file = FrameworkFile::read(&self.framework)?;
        let text = file.spec_toml();
        if is_stdout(&self.output) {
            print(&text)?;
            return Ok(Answer::Yes);
        }
        write_atomically(&self.output, terminal.force(), text.as_bytes())?;
        let facts = spec_facts(&file);
        terminal.answer(facts.written(Some(&self.output)), || {
            format!(
                "Wrote {}: {}, {} that must look alike, {}.\n",
                self.output.display(),
                count(facts.profiles as u64, "profile"),
                count(facts.pairs, "pair"),
                count(facts.values as u64, "value"),
            )
        })?;
        Ok(Answer::Yes)
    }
}
