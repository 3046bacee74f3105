//! `lookalike pufferfish`.

mod report;
mod spec;
mod wasserstein;

use crate::Answer;
use crate::terminal::Terminal;
use lookalike_io::Result;

/// Secrets that correlations give away: sequences of states, and frameworks of secrets and laws
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish report chain.toml --length 1000 --epsilon 1 -o page.html
  lookalike pufferfish spec framework.toml -o spec.toml
  lookalike pufferfish wasserstein framework.toml -o m.json")]
pub struct Pufferfish {
    #[command(subcommand)]
    subverb: Subverb,
}

#[derive(clap::Subcommand)]
enum Subverb {
    Report(report::ReportVerb),
    Spec(spec::SpecVerb),
    Wasserstein(wasserstein::WassersteinVerb),
}

impl Pufferfish {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        match self.subverb {
            Subverb::Report(subverb) => subverb.run(terminal),
            Subverb::Spec(subverb) => subverb.run(terminal),
            Subverb::Wasserstein(subverb) => subverb.run(terminal),
        }
    }
}
