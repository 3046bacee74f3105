//! What is asked of a mechanism that is there: whether its claim is true, what its releases add up to, what one device needs.

mod account;
mod certify;
mod claim;
mod delta;
mod export;
mod tupling;
mod upgrade;
mod within;

pub use account::{
    AccountFacts, AccountOutcome, AccountRequest, AccountRows, Accounted, Composed, ComposedFacts, Composing, RowFacts,
    Together, TogetherFacts,
};
pub use certify::{AgainstFacts, AnyProof, CertifyFacts, CertifyOutcome, CertifyRequest, ProofInWords};
pub use claim::{Attempt, FalseClaim, Proven, prove_claim};
pub use delta::{DeltaEnds, DeltaFacts};
pub use export::{DeviceForm, ExportFacts, ExportOutcome, ExportRequest};
pub use tupling::{
    TupledFacts, TuplingFacts, TuplingOutcome, TuplingRequest, dummy_law, read_dummy_law, uniform_dummies,
};
pub use upgrade::{StatedSecrets, UpgradeFacts, UpgradeOutcome, UpgradeRequest};
pub use within::{Within, WithinFacts};
