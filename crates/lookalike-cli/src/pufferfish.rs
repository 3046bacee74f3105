//! `lookalike pufferfish`.

mod design;
mod fit;
mod found;
mod method;
mod query_noise;
mod release;
mod sequences;

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_io::Result;

/// Secrets that correlations give away: sequences of states, where each moment tells of its neighbours
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish fit other-days.csv --state activity --states sit,walk -o chain.toml
  lookalike pufferfish design chain.toml --length 1000 --epsilon 1 --query histogram
  lookalike pufferfish release chain.toml day.csv --state activity --query histogram --epsilon 1

Protected: the state at each moment, against everybody who knows the chain and sees the answer. Noise for one record
alone would be too little, since neighbours in time tell of it; noise for all of them is more than is needed.")]
pub struct Pufferfish {
    #[command(subcommand)]
    subverb: Subverb,
}

#[derive(clap::Subcommand)]
enum Subverb {
    Fit(fit::Fit),
    Design(design::Design),
    Release(release::Release),
}

impl Pufferfish {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        match self.subverb {
            Subverb::Fit(subverb) => subverb.run(terminal),
            Subverb::Design(subverb) => subverb.run(terminal),
            Subverb::Release(subverb) => subverb.run(terminal),
        }
    }
}
