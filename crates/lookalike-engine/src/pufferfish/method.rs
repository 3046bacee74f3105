//! The ways to find how much noise hides every moment.

/// How the noise is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The better of exact and contraction.
    Auto,
    /// Markov quilts with exact influences.
    Exact,
    /// Markov quilts by the spectral gap: fast for many states.
    Approximate,
    /// What each step of the chain forgets.
    Contraction,
    /// The influence matrix of Ghosh and Kleinberg.
    Gk16,
    /// How far one state moves a count or a sum; for short sequences.
    Wasserstein,
    /// As if all moments were one: protects against every correlation.
    Group,
    /// As if moments were independent: does NOT protect a moment of a chain.
    Entry,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 8] = [
        Method::Auto,
        Method::Exact,
        Method::Approximate,
        Method::Contraction,
        Method::Gk16,
        Method::Wasserstein,
        Method::Group,
        Method::Entry,
    ];

    /// The methods that are compared.
    pub const COMPARED: [Method; 6] =
        [Method::Exact, Method::Approximate, Method::Contraction, Method::Gk16, Method::Group, Method::Entry];

    /// The word by which a user asks for it.
    pub fn word(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Exact => "exact",
            Method::Approximate => "approximate",
            Method::Contraction => "contraction",
            Method::Gk16 => "gk16",
            Method::Wasserstein => "wasserstein",
            Method::Group => "group",
            Method::Entry => "entry",
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Exact => "exact quilts",
            Method::Approximate => "approximate quilts",
            Method::Contraction => "contraction",
            Method::Gk16 => "influence matrix (GK16)",
            Method::Wasserstein => "Wasserstein",
            Method::Group => "group privacy",
            Method::Entry => "entry privacy",
        }
    }
}
