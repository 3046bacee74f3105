//! `lookalike noise`.

mod add;
mod choose;
mod claim;
mod design;
mod max;
mod width;

pub use claim::exponent;
pub use width::{decimals, short, significant, width_text};

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_formats::Result;

/// Exact noise on numbers, and choices among counts or scores
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike noise add 1207 --epsilon 1/2 --sensitivity 1
  lookalike noise design --epsilon 1 --sensitivity 500 --clamp 0,500 -o m.json
  lookalike privatize m.json records.csv --value income -o private.csv
  lookalike noise max votes.csv --name party --count votes --epsilon 1
  lookalike noise choose scores.csv --epsilon 1 --sensitivity 2 -o m.json

Sensitivity and bounds are yours to know: taken from the data they would tell of it.")]
pub struct NoiseVerb {
    #[command(subcommand)]
    subverb: Subverb,
}

#[derive(clap::Subcommand)]
enum Subverb {
    Design(design::Design),
    Add(add::Add),
    Max(max::Max),
    Choose(choose::Choose),
}

impl NoiseVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        match self.subverb {
            Subverb::Design(subverb) => subverb.run(terminal),
            Subverb::Add(subverb) => subverb.run(terminal),
            Subverb::Max(subverb) => subverb.run(terminal),
            Subverb::Choose(subverb) => subverb.run(terminal),
        }
    }
}
