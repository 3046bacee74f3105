//! Reading by path, saving, and bringing files up to date.

mod by_path;
mod upgrade;

pub use by_path::{ReadFile, SaveFile};
pub use upgrade::{StatedSecrets, upgrade};
