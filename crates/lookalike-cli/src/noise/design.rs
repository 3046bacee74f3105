//! `lookalike noise design`.

use super::claim::Claim;
use super::width::{significant, width_text};
use crate::Answer;
use crate::certify::refuted;
use crate::design::{check_output, write};
use crate::outcome::{answer, kept_text, warn};
use crate::terminal::Terminal;
use lookalike::exact::Direction;
use lookalike_engine::Level;
use lookalike_engine::noise::{NoiseDesign, NoiseDesigned, scale};
use lookalike_formats::Result;
use std::path::PathBuf;

/// Design noise for numbers, prove it, and write it to a file
#[derive(clap::Args)]
#[command(
    mut_arg("epsilon", |arg| arg.required(true)),
    mut_arg("sensitivity", |arg| arg.required(true)),
    after_help = "\
Examples:
  lookalike noise design --epsilon 1/2 --sensitivity 1 -o m.json          # counts
  lookalike noise design --epsilon 1 --sensitivity 500 --clamp 0,500 -o m.json
  lookalike noise design --epsilon 1 --sensitivity 0.3 --grid 1/1024      # what would it cost?
  lookalike privatize m.json records.csv --value income -o private.csv    # a column

Whole numbers of grid steps are added, so that the last bits of a sum tell nothing. The
sensitivity is that of values before they are rounded: on a grid of G it is D/G steps, rounded up.
The sensitivity and the bounds of the clamp are arguments: taken from the data they would tell
of it. Where any two values must look alike, the sensitivity is the distance between the bounds.")]
pub struct Design {
    #[command(flatten)]
    claim: Claim,
    /// Also say how far a release may be at this level, beside 95 %
    #[arg(long, value_name = "P")]
    confidence: Option<Level>,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let claim = self.claim.request().expect("clap asks for both");
        let designed = match (NoiseDesign { claim, confidence: self.confidence.clone() }).run()? {
            Ok(designed) => designed,
            Err(found) => return refuted(&found, "nothing written", terminal),
        };
        warn(&designed.warnings, terminal);
        if let Some(path) = &self.output {
            write(&designed.file(), path, terminal)?;
        }
        answer(&designed.facts(), self.output.as_deref(), || self.text(&designed), terminal)?;
        Ok(Answer::Yes)
    }

    fn text(&self, designed: &NoiseDesigned) -> String {
        let certified = &designed.certified;
        let (noise, steps) = (certified.mechanism(), certified.certificate().steps().to_string());
        let apart = if steps == "1" { "1 grid step".to_owned() } else { format!("{steps} grid steps") };
        let mut text = format!(
            "Discrete Laplace noise for a sensitivity of {} on a grid of {}, certified at epsilon {}.\n\
             Neighbours are at most {apart} apart after rounding: decay {} a step, a scale of {}.\n",
            noise.sensitivity(),
            noise.grid(),
            noise.epsilon(),
            noise.decay(),
            significant(&scale(noise), Direction::Nearest),
        );
        designed.widths.iter().for_each(|width| text += &(width_text(width) + "\n"));
        text + &kept_text(self.output.as_deref())
    }
}
