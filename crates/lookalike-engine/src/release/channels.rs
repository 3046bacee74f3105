//! Records through channels between categories.

use super::Charging;
use super::promise::ReleasePromise;
use super::releasable::{Drawn, Reading, Releasable, Way};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::model::{Categories, Mechanism};
use lookalike::sample::Sampler;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result, one_of};
use lookalike_records::{profile_encoder, value_encoder};

/// A certified mechanism between categories, to release records through.
pub struct Channels<'a> {
    certified: &'a Certified<Mechanism>,
    sampler: Option<&'a Sampler>,
}

impl<'a> Channels<'a> {
    /// With a sampler of its own.
    pub fn new(certified: &'a Certified<Mechanism>) -> Self {
        Channels { certified, sampler: None }
    }

    /// With the sampler of this mechanism that was made before, since making one takes long.
    pub fn with_sampler(certified: &'a Certified<Mechanism>, sampler: &'a Sampler) -> Self {
        Channels { certified, sampler: Some(sampler) }
    }
}

impl Releasable for Channels<'_> {
    fn reading(&self, _: &Columns, unknown: Option<&str>) -> Result<Reading> {
        let mechanism = self.certified.mechanism();
        let (value, unknown) = value_encoder(mechanism, unknown_code(unknown, mechanism.inputs())?)?;
        Ok(Reading::Codes { profile: profile_encoder(mechanism)?, value, unknown })
    }

    fn drawn<'a>(self: Box<Self>, way: Way<'_>) -> Result<Drawn<'a>>
    where
        Self: 'a,
    {
        let mechanism = match self.sampler {
            Some(sampler) => Charging::around(way.charging, sampler),
            None => Charging::around(way.charging, Sampler::new(self.certified)),
        };
        let labels = self.certified.mechanism().outputs().names().iter().map(str::to_owned).collect();
        Ok(Drawn { mechanism, labels, kept: way.schema.kept.clone() })
    }

    fn promise<'a>(&self) -> Option<ReleasePromise<'a>>
    where
        Self: 'a,
    {
        Some(ReleasePromise::of(self.certified.mechanism()))
    }
}

/// The code of the category that takes the place of unknown values; none where such a value is an error.
///
/// # Errors
/// A name that is none of the categories.
pub fn unknown_code(name: Option<&str>, categories: &Categories) -> Result<Option<u32>> {
    let code = |name: &str| {
        categories.names().place(name).ok_or_else(|| {
            let (found, known) = (Sentence::new().option("unknown").quoted(name), one_of(categories.names().iter()));
            Error::input(found.text(format!(" is not a category, expected {known}")))
        })
    };
    name.map(code).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_for_unknown_values_is_one_of_the_mechanism() {
        let categories = Categories::new(["idle", "busy"]).unwrap();
        let code = |name| unknown_code(name, &categories);
        assert_eq!((code(None).unwrap(), code(Some("busy")).unwrap()), (None, Some(1)));
        let error = code(Some("off")).unwrap_err().to_string();
        assert_eq!(error, "`unknown \"off\"` is not a category, expected one of idle, busy");
    }
}
