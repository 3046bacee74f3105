//! `lookalike upgrade`.

use crate::Answer;
use crate::certify::accepted;
use crate::design::{check_output, write};
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use lookalike::exact::Epsilon;
use lookalike_engine::{ReadFile, StatedSecrets, UpgradeRequest, note_input};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{Result, json_of};
use std::path::PathBuf;

/// Write a mechanism file of version 1 anew, so that it says which secrets its epsilon is about
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike upgrade old.json -o new.json
  lookalike upgrade noise.json --secrets numbers -o new.json
  lookalike upgrade noise.json --chain chain.toml --length 300 --epsilon 1 -o new.json

What the kind of a file tells is taken from it. Noise of version 1 does not tell: say that the secret is the number itself, or a
moment of a chain, which is then proved. Nothing is drawn differently, and what cannot be proved is not written.")]
pub struct Upgrade {
    /// The mechanism file
    mechanism: PathBuf,
    /// What the secrets are, where the file does not tell: numbers, or counts for categories 0, 1, 2 and so on
    #[arg(long, value_name = "SECRETS", conflicts_with = "chain")]
    secrets: Option<StatedSecrets>,
    /// The secrets are moments of the chains in this file
    #[arg(long, value_name = "FILE", requires = "length", requires = "epsilon")]
    chain: Option<PathBuf>,
    /// With --chain: how many moments a sequence has
    #[arg(long, value_name = "T", requires = "chain")]
    length: Option<u64>,
    /// With --chain: the promise about any one moment
    #[arg(long, value_name = "E", requires = "chain")]
    epsilon: Option<Epsilon>,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

impl Upgrade {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.mechanism);
        check_output(Some(&self.output), terminal)?;
        let secrets = match (&self.chain, self.length, &self.epsilon) {
            (Some(path), Some(length), Some(epsilon)) => {
                let class = ChainFile::read(path)?.class;
                Some(StatedSecrets::Moments { class: Box::new(class), length, epsilon: epsilon.clone() })
            }
            _ => self.secrets.clone(),
        };
        let request = UpgradeRequest { path: self.mechanism, secrets };
        let Some(upgraded) = accepted(request.run()?, "nothing written", terminal)? else { return Ok(Answer::No) };
        let file = upgraded.mechanism.file();
        write(file, &self.output, terminal)?;
        if !is_stdout(&self.output) {
            let text = || format!("Wrote {}, which promises {}.\n", self.output.display(), file.promise());
            terminal.answer(json_of(&upgraded.facts(&self.output)), text)?;
        }
        Ok(Answer::Yes)
    }
}
