//! The operating system's generator.

use crate::Generator;

/// Asks the operating system for every word.
///
/// Words are not kept for later: a copy of the process would have the same ones, and release with them too.
///
/// # Example
/// ```
/// use lookalike_device::{OperatingSystem, Table};
/// let table = Table::read(include_bytes!("../vectors/keep.table"))?;
/// assert!(table.privatize(3, &mut OperatingSystem)? < table.outputs());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OperatingSystem;

impl Generator for OperatingSystem {
    type Error = getrandom::Error;

    fn word(&mut self) -> Result<u64, Self::Error> {
        getrandom::u64()
    }
}
