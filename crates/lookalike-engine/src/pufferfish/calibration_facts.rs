//! What is said of the noise that hides every moment.

use super::calibrated::{Basis, Calibrated};
use super::linear_query::LinearQuery;
use crate::facts::up;
use lookalike::model::Noise;
use serde::Serialize;

/// How much noise, and why.
#[derive(Debug, Clone, Serialize)]
pub struct CalibrationFacts {
    /// The method, as it is asked for.
    pub method: &'static str,
    /// σ, rounded up.
    pub sigma: f64,
    /// What it rests on.
    #[serde(flatten)]
    pub basis: BasisFacts,
}

/// What a scale rests on; numbers are bounds, rounded up.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum BasisFacts {
    /// The best quilt of the worst moment.
    Quilt {
        /// The moment that needs the most noise; the first is 1.
        moment: u64,
        /// The chain that does; the first is 1.
        chain: usize,
        /// How far away the moments stand that shield it.
        quilt: QuiltFacts,
        /// How many moments stand on the near side of the quilt.
        near: u64,
        /// By how much the moment changes the odds of its quilt, of ln.
        influence: f64,
        /// Whether no quilt is any good, so that the whole sequence is hidden.
        group_privacy: bool,
    },
    /// What each step forgets.
    Contraction {
        /// How much of what it was told a step passes on.
        passed_on: f64,
        /// For how many independent moments one stands.
        stands_for: f64,
    },
    /// The influence matrix.
    InfluenceMatrix {
        /// Its norm.
        norm: f64,
    },
    /// How far one state moves the answer.
    Distance {
        /// The distance.
        distance: f64,
        /// The moment whose state does.
        moment: u64,
    },
    /// All moments at once.
    Group {},
    /// One moment by itself.
    Entry {
        /// Never: it hides no moment of a chain.
        private: bool,
    },
}

/// Steps to the moments of a quilt on both sides; none where there is none.
#[derive(Debug, Clone, Serialize)]
pub struct QuiltFacts {
    /// So many steps before.
    pub before: Option<u64>,
    /// So many steps after.
    pub after: Option<u64>,
}

/// The noise on the answers to one question.
#[derive(Debug, Clone, Serialize)]
pub struct NoiseOnAnswersFacts {
    /// How much noise, and why.
    #[serde(flatten)]
    pub calibration: CalibrationFacts,
    /// The scale of the noise on each answer, rounded up.
    pub noise_scale: f64,
    /// How far all answers together are from the truth on average.
    pub expected_error: f64,
}

impl Calibrated {
    /// What is said of it.
    pub fn facts(&self) -> CalibrationFacts {
        let basis = match &self.basis {
            Basis::Quilt(basis, _) => BasisFacts::Quilt {
                moment: basis.node,
                chain: basis.chain + 1,
                quilt: QuiltFacts { before: basis.quilt.left, after: basis.quilt.right },
                near: basis.card,
                influence: up(&basis.influence),
                group_privacy: self.fell_back(),
            },
            Basis::Contraction(basis) => {
                BasisFacts::Contraction { passed_on: up(&basis.coefficient), stands_for: up(&basis.weight) }
            }
            Basis::InfluenceMatrix(basis) => BasisFacts::InfluenceMatrix { norm: up(&basis.norm) },
            Basis::Distance(basis) => BasisFacts::Distance { distance: up(&basis.distance), moment: basis.node },
            Basis::Group => BasisFacts::Group {},
            Basis::Entry => BasisFacts::Entry { private: false },
        };
        CalibrationFacts { method: self.method.word(), sigma: up(&self.scale), basis }
    }

    /// What is said of its noise on the answers to a question about so many moments.
    pub fn facts_for(&self, query: &LinearQuery, noise: &Noise, moments: u64) -> NoiseOnAnswersFacts {
        NoiseOnAnswersFacts {
            calibration: self.facts(),
            noise_scale: up(&query.noise_scale(self, moments)),
            expected_error: query.expected_error(noise, moments),
        }
    }
}
