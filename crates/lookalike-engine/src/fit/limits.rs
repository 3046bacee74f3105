//! How wrong fitted profiles may be: limits for the spec, and the private file of exact ones.

use super::fitted::Fitted;
use lookalike::estimate::{LimitsBasis, outward_on_grid};
use lookalike::exact::{Direction, Rational, decimal};
use lookalike::model::{Distribution, Kind, Limits, Mechanism};
use lookalike_formats::{Domain, Error, FitOptions, LimitsFile, Result};
use lookalike_records::tables;
use std::path::Path;

/// The limits of profiles: exact ones for their owner, and public ones.
pub(super) struct FoundLimits {
    /// The limits that come from the counts alone.
    pub exact: Vec<[f64; 2]>,
    /// The same rounded outward to the grid; they contain the law.
    pub public: Limits,
}

/// The limits of profiles by their counts and laws.
pub(super) fn of(counts: &[&[u64]], laws: &[Distribution], options: &FitOptions) -> Result<Vec<FoundLimits>> {
    let exact = options.basis()?.limits(counts);
    let found = |(exact, law): (Vec<[f64; 2]>, &Distribution)| {
        let public = outward_on_grid(&exact, law, options.limits_grid)?;
        Ok(FoundLimits { exact, public })
    };
    exact.into_iter().zip(laws).map(found).collect()
}

impl Fitted {
    /// What the limits rest on, where a confidence can be stated.
    ///
    /// # Errors
    /// Why none can be stated: categories that come from the same records as the limits, for the rule has to be fixed beforehand; or
    /// records that are themselves released, for they and the limits are not independent.
    pub fn limits_basis(&self) -> std::result::Result<LimitsBasis, &'static str> {
        match (&self.options.domain, self.options.same_data) {
            (Domain::Found, _) => Err("the categories are those found in the same records"),
            (Domain::Quantiles(_), _) => Err("the bins were chosen by the same records"),
            (Domain::Known(_), true) => Err("the same records are released"),
            (Domain::Known(_), false) => Ok(self.options.basis().expect("options of a fit were checked")),
        }
    }

    /// The limits as CSV with the columns `profile`, `category`, `count`, `total`, `probability`, `lower`, `upper` and
    /// `confidence`. The limits are decimals, rounded outward; they are not for release.
    pub fn limits_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut write = |record: &[&str]| writer.write_record(record).expect("memory takes every record");
        write(&lookalike_formats::LIMIT_COLUMNS);
        let confidence = self.limits_basis().map_or(String::new(), |basis| basis.to_string());
        for profile in &self.profiles {
            let total = profile.total().to_string();
            for (place, (&count, &[lower, upper])) in profile.counts.iter().zip(&profile.limits).enumerate() {
                let probability = decimal(&profile.law.probability(place), 12, Direction::Nearest);
                let (lower, upper) = (limit(lower, Direction::Down), limit(upper, Direction::Up));
                let category = self.categories.names().name(place as u32);
                let count = count.to_string();
                write(&[&profile.name, category, &count, &total, &probability, &lower, &upper, &confidence]);
            }
        }
        String::from_utf8(writer.into_inner().expect("memory takes every record")).expect("made of texts")
    }
}

/// A limit with twelve digits that count, rounded outward.
fn limit(value: f64, outward: Direction) -> String {
    let exact = Rational::from_float(value).expect("a limit is finite");
    if value == 0.0 || value == 1.0 {
        return exact.to_string();
    }
    let leading_zeros = (-value.log10()).max(0.0) as u32;
    decimal(&exact, leading_zeros + 12, outward)
}

/// Reads the limits of a mechanism's profiles from a table with the columns `profile`, `category`, `lower`, `upper`, and
/// perhaps the others that `fit` writes: CSV, Parquet or Arrow, by the end of its name.
///
/// # Errors
/// A mechanism without profiles, a file that cannot be read, a profile or a category that the mechanism has not, or one
/// of the mechanism's that is missing or named twice.
pub fn read_limits(path: &Path, mechanism: &Mechanism) -> Result<LimitsFile> {
    if mechanism.kind() == Kind::Point {
        return Err(Error::input("limits of profiles, but the mechanism's secrets are values and have no profiles")
            .in_file(path));
    }
    let (profiles, categories) = (mechanism.graph().names(), mechanism.inputs().names());
    tables::read(path, |table| LimitsFile::from_rows(table, profiles, categories))
}
