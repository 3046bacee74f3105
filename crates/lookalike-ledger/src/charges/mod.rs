//! Ledgers that are open: charging, recording, withdrawing, and what they tell.

mod charge;
mod charged_draw;
mod clock;
mod export;
mod ids;
mod ledger_file;
mod record;
mod status;
mod status_facts;
mod withdraw;

pub use charge::{ChargeRequest, ChargeTotals, OverBudget};
pub use charged_draw::{ChargedDraw, Charging, ValueFreeDraw};
pub use clock::ClockCorrection;
pub use ids::{IdColumns, IdSource};
pub(crate) use ledger_file::now;
pub use ledger_file::{LEDGER_VERSION, Ledger};
pub use status::{LedgerStatus, ReleaseStatus, SubjectStatus};
pub use status_facts::{
    BudgetsFacts, LedgerFacts, PeriodicFacts, ReleaseChargesFacts, SpentFacts, SubjectFacts, SubjectSpentFacts,
    SumFacts,
};
