//! What a release of each kind of mechanism reads, draws and writes.

use super::Privatize;
use crate::certify::proved;
use crate::streams::{NamedDraw, at_input};
use crate::terminal::Terminal;
use lookalike::account::Secrets as Rule;
use lookalike::certify::Certified;
use lookalike::exact::Epsilon;
use lookalike::model::{Categories, Mechanism, Noise, Oracle, Secrets};
use lookalike_engine::ledger::Charging;
use lookalike_engine::records::{
    Columns, Encoder, Input, NameRecords, RecordSource, category_encoder, open_columns, open_source,
};
use lookalike_engine::{NoiseColumn, OracleColumn, ReadFile, secrets_of};
use lookalike_formats::{AnyMechanism, Error, Result, largest_epsilon, one_of};
use std::sync::Arc;

/// A release that can begin.
pub struct Job {
    pub records: lookalike_engine::Job,
    pub epsilon: Epsilon,
    /// What it is about.
    pub secrets: Secrets,
    /// Where numbers are released.
    pub noise: Option<Box<Noise>>,
    /// Whose reports add up, and how.
    pub rule: Rule,
    /// The mechanism, where it is one between categories.
    pub channels: Option<Box<Mechanism>>,
}

impl Privatize {
    /// The release that was asked for; `None` with a warning when the mechanism is not private.
    pub fn job(&self, terminal: &Terminal) -> Result<Option<Job>> {
        const REFUSAL: &str = "nothing released";
        let mechanism = AnyMechanism::read(&self.mechanism)?;
        // Before a certificate is computed, which may take long: what is missing is said at once.
        let charging =
            self.charge.charging(&mechanism, &self.value, &self.profile, &self.data, &self.output, terminal)?;
        let is_charged = charging.is_some();
        let job = match mechanism {
            AnyMechanism::Finite(file) if file.places.is_some() => Err(Error::input(
                "this mechanism is between the cells of a grid of places: lookalike geo privatize releases places by it",
            )
            .in_file(&self.mechanism)),
            AnyMechanism::Finite(file) => {
                let Some(certified) = proved(file.mechanism, REFUSAL, terminal)? else { return Ok(None) };
                self.channels(&certified, charging).map(Some)
            }
            AnyMechanism::Oracle(file) => {
                proved(file.mechanism, REFUSAL, terminal)?.map(|certified| self.reports(&certified, charging)).transpose()
            }
            AnyMechanism::Noise(file) => {
                proved(file.mechanism, REFUSAL, terminal)?.map(|certified| self.numbers(&certified, charging)).transpose()
            }
            AnyMechanism::Planar(_) => Err(Error::input(
                "this is noise on places, which have two columns: lookalike geo privatize releases them",
            )
            .in_file(&self.mechanism)),
        }?;
        match job {
            Some(job) if is_charged != job.records.charging.is_some() => {
                Err(Error::input("this mechanism cannot be charged to a ledger"))
            }
            job => Ok(job),
        }
    }

    /// Records through channels between categories.
    fn channels(&self, certified: &Certified<Mechanism>, charging: Option<Arc<Charging>>) -> Result<Job> {
        let mechanism = certified.mechanism();
        let (unknown, epsilon) = (self.unknown(mechanism.inputs())?, largest_epsilon(mechanism).clone());
        let columns = Columns { profile: Some(self.profile.clone()), values: self.value.clone(), keep: self.kept() };
        let csv = self.formats.csv_options(&self.data);
        let input = Input {
            path: &self.data,
            format: self.formats.input(&self.data),
            csv: &csv,
            columns: &columns,
            charging: None,
        };
        let records = lookalike_engine::Job::channels(certified, &input, charging.as_ref(), unknown)?;
        let (secrets, rule) = (mechanism.secrets().clone(), secrets_of(mechanism));
        Ok(Job { records, epsilon, secrets, rule, noise: None, channels: Some(Box::new(mechanism.clone())) })
    }

    /// Records through a frequency oracle: a report each.
    fn reports(&self, certified: &Certified<Oracle>, charging: Option<Arc<Charging>>) -> Result<Job> {
        let oracle = certified.mechanism();
        let unknown = self.unknown(oracle.categories())?;
        let source = self.source(category_encoder(oracle.categories())?, unknown, charging.as_ref())?;
        let mut schema = source.schema();
        let mechanism = OracleColumn::new(certified, &schema.kept);
        schema.kept = mechanism.fields(&self.value.join("|"));
        let epsilon = oracle.epsilon().clone();
        let records = lookalike_engine::Job {
            source,
            mechanism: Charging::around(charging.as_ref(), mechanism),
            labels: vec![],
            schema,
            charging,
        };
        Ok(Job { records, epsilon, secrets: Secrets::Values, rule: Rule::Points, noise: None, channels: None })
    }

    /// Numbers with noise.
    fn numbers(&self, certified: &Certified<Noise>, charging: Option<Arc<Charging>>) -> Result<Job> {
        if self.unknown != "error" {
            return Err(Error::input(format!(
                "--unknown {}: noise takes any number and has no categories",
                self.unknown
            )));
        }
        let [name] = &self.value[..] else {
            return Err(Error::input(format!("--value {}: noise takes one column of numbers", self.value.join(","))));
        };
        let keep = std::iter::once(name.clone()).chain(self.kept()).collect();
        let columns = Columns { profile: None, values: Vec::new(), keep };
        let source = self.open(&columns, charging.as_ref(), |input| open_columns(input, None))?;
        let mut schema = source.schema();
        let mechanism = NoiseColumn::new(certified, &schema.kept).map_err(|error| at_input(error, &self.data))?;
        schema.kept = mechanism.fields();
        let noise = certified.mechanism().clone();
        let epsilon = noise.epsilon().clone();
        let mechanism = NamedDraw { mechanism, path: self.data.clone() };
        let records = lookalike_engine::Job {
            source,
            mechanism: Charging::around(charging.as_ref(), mechanism),
            labels: vec![],
            schema,
            charging,
        };
        let rule = if noise.moments().is_some() { Rule::Moments } else { Rule::Points };
        Ok(Job { records, epsilon, secrets: noise.secrets(), rule, noise: Some(Box::new(noise)), channels: None })
    }

    /// The code of the category that takes the place of unknown values.
    fn unknown(&self, inputs: &Categories) -> Result<Option<u32>> {
        match self.unknown.as_str() {
            "error" => Ok(None),
            name => Ok(Some(inputs.names().place(name).ok_or_else(|| {
                let (file, known) = (self.mechanism.display(), one_of(inputs.names().iter()));
                Error::input(format!("--unknown {name:?} is not a category of {file}, expected error or {known}"))
            })?)),
        }
    }

    /// The records as codes, which have no profile.
    fn source(
        &self,
        value: Encoder,
        unknown: Option<u32>,
        charging: Option<&Arc<Charging>>,
    ) -> Result<Box<dyn RecordSource>> {
        let columns = Columns { profile: None, values: self.value.clone(), keep: self.kept() };
        self.open(&columns, charging, |input| open_source(input, None, value, unknown))
    }

    fn open(
        &self,
        columns: &Columns,
        charging: Option<&Arc<Charging>>,
        open: impl FnOnce(&Input<'_>) -> Result<Box<dyn RecordSource>>,
    ) -> Result<Box<dyn RecordSource>> {
        let csv = self.formats.csv_options(&self.data);
        let charging = charging.map(|charging| charging.ids() as &dyn NameRecords);
        let input = Input { path: &self.data, format: self.formats.input(&self.data), csv: &csv, columns, charging };
        open(&input).map_err(|error| at_input(error, &self.data))
    }
}
