//! `lookalike pufferfish`.

mod calibrated_text;
mod design;
mod fit;
mod method;
mod release;
mod report;
mod sequences;
mod spec;
mod wasserstein;

/// Secrets that correlations give away: sequences of states, and frameworks of secrets and laws
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish fit other-days.csv --state activity --states sit,walk -o chain.toml
  lookalike pufferfish design chain.toml --length 1000 --epsilon 1 --query histogram
  lookalike pufferfish release chain.toml day.csv --state activity --query histogram --epsilon 1
  lookalike pufferfish report chain.toml --length 1000 --epsilon 1 -o page.html
  lookalike pufferfish wasserstein framework.toml -o m.json

Sequences: each moment tells of its neighbours in time. Protected is the state at each moment,
against everybody who knows the chain and sees the answer. Noise for one record alone would be
too little, noise for all of them is more than is needed.
Frameworks: you say which secrets must look alike and which laws the data may have come from.")]
pub struct Pufferfish {
    #[command(subcommand)]
    subverb: Subverb,
}

subverbs!(Pufferfish {
    Fit(fit::Fit),
    Design(design::Design),
    Release(release::Release),
    Report(report::ReportVerb),
    Spec(spec::SpecVerb),
    Wasserstein(wasserstein::WassersteinVerb),
});
