//! `lookalike upgrade`.

use crate::Answer;
use crate::certify::proved;
use crate::design::{check_output, write};
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use lookalike::exact::Epsilon;
use lookalike_engine::{ReadFile, StatedSecrets, note_input, upgrade};
use lookalike_formats::pufferfish::ChainFile;
use lookalike_formats::{AnyMechanism, MechanismFile, Proof, Result, Stored};
use serde_json::json;
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
        match upgrade(&self.mechanism, secrets)? {
            AnyMechanism::Finite(file) => self.written(*file, terminal),
            AnyMechanism::Oracle(file) => self.written(*file, terminal),
            AnyMechanism::Noise(file) => self.written(*file, terminal),
            AnyMechanism::Planar(file) => self.written(*file, terminal),
        }
    }

    fn written<M: Stored + Proof>(&self, file: MechanismFile<M>, terminal: &Terminal) -> Result<Answer> {
        let Some(certified) = proved(file.mechanism.clone(), "nothing written", terminal)? else {
            return Ok(Answer::No);
        };
        let file = MechanismFile { certificate: Some(file.mechanism.facts(certified.certificate())), ..file };
        write(&file, &self.output, terminal)?;
        if is_stdout(&self.output) {
            return Ok(Answer::Yes);
        }
        let object = json!({
            "secrets": file.secrets().word(),
            "epsilon": file.epsilon().to_f64(),
            "epsilon_text": file.epsilon().to_string(),
            "output": self.output,
        });
        terminal.answer(object, || format!("Wrote {}, which promises {}.\n", self.output.display(), file.promise()))?;
        Ok(Answer::Yes)
    }
}
