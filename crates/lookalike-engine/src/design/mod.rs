//! What is asked of a design, what it will do, and whether a mechanism keeps what was asked for.

mod check_claim_covers;
mod design_facts;
mod design_request;
mod overrides;
mod problem_summary;
mod scores;
mod sweep;
mod trusting;
mod wanted;

pub use check_claim_covers::check_claim_covers;
pub use design_facts::{BaselineFacts, DesignFacts, EpsilonForFacts, KeptFacts, ProfileFacts};
pub use design_request::{DesignOutcome, DesignRequest, DesignWarning, EpsilonTarget, Reached, utilities};
pub use overrides::{ChannelScope, DesignChoices, DesignOverrides, prove_design};
pub use problem_summary::{CheckFacts, CheckRequest, ProblemSummary};
pub use scores::Scores;
pub use sweep::{SweepPointFacts, SweepRequest, SweptDesign};
pub use trusting::{Trusting, TrustingFacts};
pub use wanted::Wanted;
