//! `lookalike pufferfish wasserstein`.

use crate::Answer;
use crate::certify::refuted;
use crate::design::{check_output, write};
use crate::noise::{exponent, significant, width_text};
use crate::outcome::{answer, kept_text, warn};
use crate::terminal::Terminal;
use lookalike::exact::{Direction, Rational, parse_rational};
use lookalike_engine::noise::scale;
use lookalike_engine::pufferfish::{FrameworkNoise, FrameworkNoiseFound, NoiseOfFramework};
use lookalike_engine::{Facts, ReadFile, note_input};
use lookalike_formats::Result;
use lookalike_formats::pufferfish::FrameworkFile;
use std::path::PathBuf;

/// Noise as wide as the secrets can move the query: prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish wasserstein framework.toml
  lookalike pufferfish wasserstein framework.toml -o m.json
  lookalike privatize m.json answers.csv --value ill -o private.csv

W is the largest distance by which the answer has to be moved to turn its law under one secret of
a pair into its law under the other. Group differential privacy hides a change of everything at
once and so needs at least as much noise.
Exit code 1 when W = 0: then the query tells nothing about the secrets, and nothing is written.")]
pub struct WassersteinVerb {
    /// The framework: secrets, pairs and laws, TOML or JSON; the values of its query are numbers
    framework: PathBuf,
    /// Round to multiples of this power of two, like 1/1024, 0.25 or 2^-10
    #[arg(long, value_name = "G", default_value = "1", value_parser = exponent)]
    grid: i32,
    /// Say what an adversary learns who believes this of a secret before the release
    #[arg(long, value_name = "P", default_value = "1/2", value_parser = parse_rational)]
    prior: Rational,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl WassersteinVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.framework);
        check_output(self.output.as_deref(), terminal)?;
        let file = FrameworkFile::read(&self.framework)?;
        let request = FrameworkNoise {
            framework: &file.framework,
            framework_at: Some(&self.framework),
            exponent: self.grid,
            prior: self.prior.clone(),
        };
        let noise = match request.run()? {
            Ok(noise) => noise,
            Err(found) => return refuted(&found, "nothing written", terminal),
        };
        let found = match &noise {
            NoiseOfFramework::Noise(found) => found,
            NoiseOfFramework::Needless { reason } => {
                terminal.answer(noise.facts().json(), || format!("W = 0: {reason}; nothing written.\n"))?;
                return Ok(Answer::No);
            }
        };
        warn(&found.warnings, terminal);
        if let Some(path) = &self.output {
            write(&found.file(), path, terminal)?;
        }
        answer(&noise.facts(), self.output.as_deref(), || self.text(found), terminal)?;
        Ok(Answer::Yes)
    }

    fn text(&self, found: &FrameworkNoiseFound<'_>) -> String {
        let (farthest, noise) = (found.wasserstein.farthest(), found.certified.mechanism());
        let name = |secret: u32| found.framework.pairs().names().name(secret);
        let mut text = format!(
            "W = {}: the farthest that the secrets move the query.\n\
             The farthest pair: {:?} and {:?}, under the law {:?}.\n\
             Discrete Laplace noise on a grid of {}, certified at epsilon {}: decay {} a step, a scale of {}.\n",
            farthest.distance,
            name(farthest.secrets[0]),
            name(farthest.secrets[1]),
            found.framework.class()[farthest.theta].name(),
            noise.grid(),
            noise.epsilon(),
            noise.decay(),
            significant(&scale(noise), Direction::Nearest),
        );
        text += &format!(
            "Group differential privacy hides a change of {} and would need a scale of {}.\n",
            found.group.sensitivity(),
            significant(&scale(&found.group), Direction::Nearest),
        );
        let by_epsilon = found.wasserstein.by_epsilon();
        if by_epsilon.len() > 1 {
            let each =
                by_epsilon.iter().map(|(epsilon, farthest)| format!("{} at epsilon {epsilon}", farthest.distance));
            text += &format!("W for each epsilon: {}.\n", each.collect::<Vec<_>>().join(", "));
        }
        let [one, other] = found.learned.secrets.map(name);
        text += &format!("Belief in {one:?} rather than {other:?}: {}.\n", found.learned);
        text += &(width_text(&found.width) + "\n");
        text + &kept_text(self.output.as_deref())
    }
}
