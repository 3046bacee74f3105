//! What a release promises, and to whom it adds up.

use super::noise_interval::NoiseInterval;
use super::releasable::Releasable;
use lookalike::account;
use lookalike::certify::Certified;
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Noise, Secrets};
use lookalike_formats::{MechanismFile, MechanismKind, Result};

/// A kind of mechanism that records are released through.
pub trait Released: MechanismKind {
    /// Refuses files of which no column is released, before anything is proved.
    ///
    /// # Errors
    /// A mechanism of places, which have two columns.
    fn check_column(_file: &MechanismFile<Self>) -> Result<()> {
        Ok(())
    }

    /// What releases records; for a kind that `check_column` refuses, places.
    ///
    /// # Errors
    /// What cannot be drawn from.
    fn releasable<'a>(certified: &'a Certified<Self>) -> Result<Box<dyn Releasable + 'a>>;
}

/// The mechanism of a release, for what is to be said of the promise.
#[derive(Debug, Clone)]
pub struct ReleasePromise<'a> {
    epsilon: &'a Epsilon,
    secrets: Secrets,
    adds_up: account::Secrets,
    channels: Option<&'a Mechanism>,
    noise: Option<&'a Noise>,
}

impl<'a> ReleasePromise<'a> {
    /// What a mechanism promises.
    pub fn of(mechanism: &'a impl MechanismKind) -> Self {
        ReleasePromise {
            epsilon: mechanism.claim(),
            secrets: mechanism.secrets(),
            adds_up: mechanism.adds_up(),
            channels: mechanism.as_channels(),
            noise: mechanism.as_noise(),
        }
    }

    /// The ε of one report; the largest where edges have their own.
    pub fn epsilon(&self) -> &'a Epsilon {
        self.epsilon
    }

    /// What it is about.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Whose reports add up, and how.
    pub fn rule(&self) -> account::Secrets {
        self.adds_up
    }

    /// The channels, where it is these.
    pub fn channels(&self) -> Option<&'a Mechanism> {
        self.channels
    }

    /// The noise, where numbers are released.
    pub fn noise(&self) -> Option<&'a Noise> {
        self.noise
    }

    /// How far released numbers are from the truth, at 95 %; nothing where none are released.
    ///
    /// # Errors
    /// Noise whose interval has 2^64 steps of its grid or more.
    pub fn interval(&self) -> Result<Option<NoiseInterval>> {
        self.noise.map(NoiseInterval::usual).transpose()
    }
}
