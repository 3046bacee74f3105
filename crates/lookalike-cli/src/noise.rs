//! `lookalike noise`.

mod add;
mod choose;
mod claim;
mod design;
mod max;
mod width;

pub use claim::exponent;
pub use width::{decimals, short, significant, width_text};

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

subverbs!(NoiseVerb {
    Design(design::Design),
    Add(add::Add),
    Max(max::Max),
    Choose(choose::Choose),
});
