//! The ways to find how much noise hides every moment, as options.

use clap::builder::PossibleValue;
use lookalike_engine::pufferfish::Method;

/// `--method`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodOption(pub Method);

impl clap::ValueEnum for MethodOption {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [MethodOption; Method::ALL.len()] = {
            let mut all = [MethodOption(Method::Auto); Method::ALL.len()];
            let mut place = 0;
            while place < all.len() {
                all[place] = MethodOption(Method::ALL[place]);
                place += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = match self.0 {
            Method::Auto => "The better of exact and contraction",
            Method::Exact => "Markov quilts with exact influences",
            Method::Approximate => "Markov quilts by the spectral gap: fast for many states",
            Method::Contraction => "What each step of the chain forgets",
            Method::Gk16 => "The influence matrix of Ghosh and Kleinberg",
            Method::Wasserstein => "How far one state moves a count or a sum; for short sequences",
            Method::Group => "As if all moments were one: protects against every correlation",
            Method::Entry => "As if moments were independent: does NOT protect a moment of a chain",
        };
        Some(PossibleValue::new(self.0.word()).help(about))
    }
}
