//! What a release promises, and to whom it adds up.

use super::repeated::secrets_of;
use lookalike::account;
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Noise, Oracle, Secrets};
use lookalike_formats::largest_epsilon;

/// The mechanism of a release, for what is to be said of the promise.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ReleasePromise<'a> {
    /// One between categories.
    Channels(&'a Mechanism),
    /// A frequency oracle.
    Oracle(&'a Oracle),
    /// Noise on numbers.
    Noise(&'a Noise),
}

impl<'a> ReleasePromise<'a> {
    /// The ε of one report; the largest where edges have their own.
    pub fn epsilon(&self) -> &'a Epsilon {
        match self {
            ReleasePromise::Channels(mechanism) => largest_epsilon(mechanism),
            ReleasePromise::Oracle(oracle) => oracle.epsilon(),
            ReleasePromise::Noise(noise) => noise.epsilon(),
        }
    }

    /// What it is about.
    pub fn secrets(&self) -> Secrets {
        match self {
            ReleasePromise::Channels(mechanism) => mechanism.secrets().clone(),
            ReleasePromise::Oracle(_) => Secrets::Values,
            ReleasePromise::Noise(noise) => noise.secrets(),
        }
    }

    /// Whose reports add up, and how.
    pub fn rule(&self) -> account::Secrets {
        match self {
            ReleasePromise::Channels(mechanism) => secrets_of(mechanism),
            ReleasePromise::Oracle(_) => account::Secrets::Points,
            ReleasePromise::Noise(noise) if noise.moments().is_some() => account::Secrets::Moments,
            ReleasePromise::Noise(_) => account::Secrets::Points,
        }
    }
}
