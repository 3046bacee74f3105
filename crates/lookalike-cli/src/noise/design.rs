//! `lookalike noise design`.

use super::claim::Claim;
use super::width::{Level, Width, significant};
use crate::Answer;
use crate::certify::proved;
use crate::design::{check_output, write};
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::Noise;
use lookalike_formats::{MechanismFile, Result};
use serde_json::{Value, json};
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
        let noise = self.claim.noise(terminal)?.expect("clap asks for both");
        let mut levels = vec![Level::usual()];
        levels.extend(self.confidence.clone().filter(|level| *level != Level::usual()));
        let widths = levels.iter().map(|level| Width::of(&noise, level)).collect::<Result<Vec<_>>>()?;
        let Some(certified) = proved(noise, "nothing written", terminal)? else {
            return Ok(Answer::No);
        };
        let file = MechanismFile::of_certified("discrete-laplace", &certified);
        if let Some(path) = &self.output {
            write(&file, path, terminal)?;
        }
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(self.text(&certified, &widths).trim_end());
        } else {
            terminal.answer(self.json(&file, &widths), || self.text(&certified, &widths))?;
        }
        Ok(Answer::Yes)
    }

    fn text(&self, certified: &Certified<Noise>, widths: &[Width]) -> String {
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
        widths.iter().for_each(|width| text += &(width.text() + "\n"));
        match &self.output {
            Some(path) if is_stdout(path) => text,
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
        }
    }

    fn json(&self, file: &MechanismFile<Noise>, widths: &[Width]) -> Value {
        let noise = &file.mechanism;
        json!({
            "mechanism": file.name,
            "epsilon": noise.epsilon().to_f64(),
            "epsilon_text": noise.epsilon().to_string(),
            "sensitivity": noise.sensitivity().to_string(),
            "grid": noise.grid().to_string(),
            "clamp": noise.clamp().map(|bounds| bounds.each_ref().map(ToString::to_string)),
            "steps": noise.steps().to_string(),
            "decay": noise.decay().to_string(),
            "scale": to_f64(&scale(noise), Direction::Nearest),
            "intervals": widths.iter().map(Width::json).collect::<Vec<_>>(),
            "certificate": file.certificate,
            "output": self.output,
        })
    }
}

/// 1/decay steps, in the unit of the values; for people only.
pub fn scale(noise: &Noise) -> Rational {
    let decay = Rational::from_float(noise.decay().to_f64()).expect("a decay is finite");
    noise.grid() / decay
}
