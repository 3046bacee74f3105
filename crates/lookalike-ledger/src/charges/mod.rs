//! Ledgers that are open: charging, recording, withdrawing, and what they tell.

mod charge;
mod charged_draw;
mod clock;
mod export;
mod ids;
mod ledger_file;
mod record;
mod status;
mod withdraw;
pub use charge::ChargeRequest;
pub use charge::ChargeTotals;
pub use charge::OverBudget;
pub use charged_draw::ChargedDraw;
pub use charged_draw::Charging;
pub use charged_draw::StandIn;
pub use clock::ClockCorrection;
pub use ids::IdColumns;
pub use ids::IdSource;
pub use ledger_file::LEDGER_VERSION;
pub use ledger_file::Ledger;
pub(crate) use ledger_file::now;
pub use status::LedgerStatus;
pub use status::ReleaseStatus;
pub use status::SubjectStatus;
