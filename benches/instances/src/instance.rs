//! One design to be made, as plain numbers.

/// A design: profiles or values, who must look alike, and what counts as good.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// What it is, in words without blanks; unique in the set.
    pub name: String,
    /// Which channels are wanted.
    pub channels: Channels,
    /// What is to be least.
    pub objective: Objective,
    /// How many categories there are.
    pub categories: usize,
    /// Whole weights of the categories, one list for each profile; empty where the categories are the secrets.
    pub profiles: Vec<Vec<u64>>,
    /// Pairs that must look alike, with ε as a decimal.
    pub edges: Vec<(u32, u32, String)>,
    /// Groups of which every two must look alike, with ε as a decimal.
    pub groups: Vec<(Vec<u32>, String)>,
    /// How much each secret counts; empty where all count the same.
    pub prior: Vec<u64>,
}

/// Which channels are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    /// One for each profile.
    Aware,
    /// One for all profiles.
    Shared,
    /// One between values.
    Point,
}

/// What is to be least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// The largest probability of a wrong output, then the expected error.
    MaxFlip,
    /// The expected error.
    ExpectedError,
    /// The expected distance along ordered categories.
    Ordinal,
    /// The expected squared distance, as a loss matrix.
    Squared,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Objective; 4] =
        [Objective::MaxFlip, Objective::ExpectedError, Objective::Ordinal, Objective::Squared];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Objective::MaxFlip => "max-flip",
            Objective::ExpectedError => "expected-error",
            Objective::Ordinal => "ordinal-error",
            Objective::Squared => "squared",
        }
    }

    /// What releasing y for x costs; for [`Objective::MaxFlip`] what the second stage counts.
    pub fn cost(self, x: usize, y: usize) -> u64 {
        let distance = x.abs_diff(y) as u64;
        match self {
            Objective::MaxFlip | Objective::ExpectedError => u64::from(x != y),
            Objective::Ordinal => distance,
            Objective::Squared => distance * distance,
        }
    }
}

impl Channels {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Channels::Aware => "aware",
            Channels::Shared => "shared",
            Channels::Point => "point",
        }
    }
}

impl Instance {
    /// How many secrets there are.
    pub fn secrets(&self) -> usize {
        if self.profiles.is_empty() { self.categories } else { self.profiles.len() }
    }
}
