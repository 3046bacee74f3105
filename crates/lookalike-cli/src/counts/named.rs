//! The mechanisms by name.

use lookalike_engine::counts::CountMechanism;

/// A mechanism over counts, as it is called on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Named {
    /// Truncated geometric noise: the least L_0 without demands
    Gm,
    /// Explicit fair: the least L_0 among fair mechanisms; has all seven properties
    Em,
    /// Weakly honest: the least L_0 among those that beat a guess
    Wm,
    /// Uniform: every count equally often
    Um,
    /// The best for the properties, loss and prior asked for
    Optimal,
}

impl Named {
    /// The mechanism itself.
    pub fn kind(self) -> CountMechanism {
        match self {
            Named::Gm => CountMechanism::Geometric,
            Named::Em => CountMechanism::ExplicitFair,
            Named::Wm => CountMechanism::WeaklyHonest,
            Named::Um => CountMechanism::Uniform,
            Named::Optimal => CountMechanism::Optimal,
        }
    }
}
