//! What one device needs and nothing more: its own channel.

use super::claim::{FalseClaim, prove_claim};
use lookalike::Sentence;
use lookalike::model::{Kind, Mechanism};
use lookalike_formats::{DeviceTable, Error, Result, device_json, device_table, one_of};
use serde::Serialize;
use std::path::Path;

/// What a device reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceForm {
    /// The channel as JSON.
    Json,
    /// A table for the device library.
    Table,
}

/// An export that is asked for.
#[derive(Debug)]
pub struct ExportRequest {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// The profile of the device; not needed where one channel serves all.
    pub profile: Option<String>,
    /// What the device reads.
    pub form: DeviceForm,
}

/// What a device reads.
#[derive(Debug, Clone)]
pub struct ExportOutcome {
    /// The file of the device.
    pub bytes: Vec<u8>,
    /// The SHA-256 of a table, which whoever loads it compares.
    pub digest: Option<String>,
}

/// What is said of it.
#[derive(Debug, Clone, Serialize)]
pub struct ExportFacts {
    /// The file that was written.
    pub file: String,
    /// How long it is.
    pub bytes: usize,
    /// The SHA-256 of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl ExportRequest {
    /// The file of the device, or what is against the claim.
    ///
    /// # Errors
    /// A profile that the mechanism has not, or none where each has its own channel.
    pub fn run(self) -> Result<std::result::Result<ExportOutcome, FalseClaim>> {
        let certified = match prove_claim(self.mechanism) {
            Ok(certified) => certified,
            Err(violation) => return Ok(Err(violation)),
        };
        let mechanism = certified.mechanism();
        let secret = match (&self.profile, mechanism.kind()) {
            (Some(name), _) => mechanism.graph().names().place(name).ok_or_else(|| {
                let known = one_of(mechanism.graph().names().iter());
                let option = Sentence::new()
                    .option("profile")
                    .text(format!(" {name:?} is not a profile of the mechanism, expected {known}"));
                Error::input(option)
            })?,
            (None, Kind::Aware) => {
                let missing = Sentence::new()
                    .option("profile")
                    .text(" is missing: in an aware mechanism each profile has its own channel");
                return Err(Error::input(missing).hint(Sentence::new().option("profile").taking("NAME")));
            }
            (None, _) => 0,
        };
        Ok(Ok(match self.form {
            DeviceForm::Json => ExportOutcome { bytes: device_json(mechanism, secret).into_bytes(), digest: None },
            DeviceForm::Table => {
                let DeviceTable { bytes, digest } = device_table(&certified, secret)?;
                ExportOutcome { bytes, digest: Some(digest) }
            }
        }))
    }
}

impl ExportOutcome {
    /// All that is said of it; the path is that of its file.
    pub fn facts(&self, file: &Path) -> ExportFacts {
        ExportFacts { file: file.display().to_string(), bytes: self.bytes.len(), digest: self.digest.clone() }
    }
}
