//! Pufferfish in files: frameworks of secrets and laws, the chains that a sequence may have come from, sequences in
//! records, and what is asked of them.

mod calibrated;
mod calibration_facts;
mod calibration_problem;
mod chain_fit;
mod framework_noise;
mod linear_query;
mod method;
mod sequence_design;
mod sequence_release;
mod sequences;

pub use calibrated::{Basis, Calibrated};
pub use calibration_facts::{BasisFacts, CalibrationFacts, NoiseOnAnswersFacts, QuiltFacts};
pub use calibration_problem::{CalibrationProblem, better};
pub use chain_fit::{ChainFit, FirstState, FittedChain, FittedChainFacts, StateNames, WrittenChainFacts, outward};
pub use framework_noise::{
    FrameworkNoise, FrameworkNoiseFacts, FrameworkNoiseFound, NoiseOfFramework, SpecFacts, WassersteinFacts, spec_facts,
};
pub use linear_query::{LinearQuery, Query};
pub use lookalike_formats::pufferfish::{ChainClass, ChainFile, FrameworkFile};
pub use method::Method;
pub use sequence_design::{Compared, ComparedFacts, SequenceDesign, SequenceDesignFacts, SequenceDesigned};
pub use sequence_release::{
    ReleasedAnswer, ReleasedAnswerFacts, SequenceRelease, SequenceReleaseFacts, SequenceReleased, SequencesPublic,
};
pub use sequences::{StateEncoder, read_sequences};
