//! What is attacked when it is a mechanism of ours.

use lookalike::audit::Text;
use lookalike::certify::Certified;
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Names};
use lookalike::sample::RandomKey;
use lookalike_formats::{MechanismKind, Result, largest_epsilon};

/// A kind of mechanism that can be attacked by its draws.
pub trait Attacked: MechanismKind {
    /// The mechanism, ready to be drawn from.
    ///
    /// # Errors
    /// A mechanism of which no draws tell what its claim is about.
    fn subject(certified: Certified<Self>) -> Result<Subject>;
}

/// A mechanism whose claim is proved, ready to be drawn from.
pub struct Subject(Drawn);

enum Drawn {
    /// Channels between categories, whose outputs are known beforehand.
    Channels(Box<Certified<Mechanism>>),
    /// What is drawn is told apart by its text.
    Texts { epsilon: Epsilon, secrets: Vec<String>, source: Box<dyn DrawTexts> },
}

/// What draws texts: what would be written to a file.
pub trait DrawTexts: Send + Sync {
    /// Draws for each secret, by its place among those of the subject.
    ///
    /// # Errors
    /// As those of the samplers.
    fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [Text]) -> lookalike::Result<()>;
}

impl Subject {
    /// Channels between categories.
    pub fn channels(certified: Certified<Mechanism>) -> Subject {
        Subject(Drawn::Channels(Box::new(certified)))
    }

    /// Whatever draws for these secrets, of which every two are claimed to be within ε.
    pub fn of_texts(epsilon: Epsilon, secrets: Vec<String>, source: impl DrawTexts + 'static) -> Subject {
        Subject(Drawn::Texts { epsilon, secrets, source: Box::new(source) })
    }

    /// What is claimed of every pair.
    pub fn epsilon(&self) -> &Epsilon {
        match &self.0 {
            Drawn::Channels(certified) => largest_epsilon(certified.mechanism()),
            Drawn::Texts { epsilon, .. } => epsilon,
        }
    }

    /// The secrets: profiles or categories, or for noise two numbers or places that are neighbours.
    pub fn secrets(&self) -> Vec<String> {
        match &self.0 {
            Drawn::Channels(certified) => certified.mechanism().graph().names().iter().map(str::to_owned).collect(),
            Drawn::Texts { secrets, .. } => secrets.clone(),
        }
    }

    /// The names of the outputs, where they are known beforehand.
    pub fn outputs(&self) -> Option<&Names> {
        self.certified().map(|certified| certified.mechanism().outputs().names())
    }

    /// The channels with their proof, where it is these.
    pub fn certified(&self) -> Option<&Certified<Mechanism>> {
        match &self.0 {
            Drawn::Channels(certified) => Some(certified),
            Drawn::Texts { .. } => None,
        }
    }

    /// Draws for each secret what would be written to a file; channels have a way of their own.
    ///
    /// # Errors
    /// As those of the samplers.
    pub fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [Text]) -> lookalike::Result<()> {
        match &self.0 {
            Drawn::Channels(_) => Ok(()),
            Drawn::Texts { source, .. } => source.draw(key, first, secrets, outputs),
        }
    }
}
