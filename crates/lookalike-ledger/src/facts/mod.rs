//! What a ledger keeps, as values: names, budgets, releases and answers, and how they are written.

mod answer;
mod budgets;
mod content;
mod key;
mod names;
mod release;

pub use answer::LedgerAnswer;
pub(crate) use answer::replace;
pub use budgets::{LedgerBudgets, Period, time_text};
pub(crate) use content::{
    CHARGED, CLOCK_CORRECTED, Charged, ClockCorrected, MIGRATED, Migrated, OPENED, Opened, RECORDED, REGISTERED,
    Registered, WITHDRAWN, Withdrawn, WrittenGuarantee, read, written,
};
pub use key::LedgerKey;
pub(crate) use key::{from_hex, hex, where_it_is};
pub use names::SubjectNames;
pub use release::LedgerRelease;
