//! How wrong fitted profiles may be: Clopper–Pearson limits, and the file of them.

use super::fitted::Fitted;
use super::profiles::Raw;
use lookalike::estimate::clopper_pearson;
use lookalike::exact::{Direction, Rational, decimal, parse_rational, to_f64};
use lookalike::model::{Categories, Kind, Mechanism};
use lookalike_formats::{Error, FitOptions, LimitsFile, Result};
use lookalike_records::tables;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The limits of every count, for each profile and category.
pub(super) fn of(profiles: &[Raw], categories: &Categories, options: &FitOptions) -> Vec<Vec<(f64, f64)>> {
    let cells = if options.simultaneous { profiles.len() * categories.len() } else { 1 };
    let error = Rational::from_integer(1.into()) - &options.confidence;
    // A smaller error widens the limits, so this is rounded to the safe side.
    let error = to_f64(&(error / Rational::from_integer(cells.into())), Direction::Down);
    let counts = |raw: &Raw| raw.counts.iter().map(|&count| (count, raw.total())).collect::<Vec<_>>();
    let distinct: BTreeSet<(u64, u64)> = profiles.iter().flat_map(counts).collect();
    let limits = |&(count, total): &(u64, u64)| ((count, total), clopper_pearson(count, total, error));
    let limits: HashMap<(u64, u64), (f64, f64)> = distinct.par_iter().map(limits).collect();
    profiles.iter().map(|raw| counts(raw).iter().map(|cell| limits[cell]).collect()).collect()
}

impl Fitted {
    /// The limits as CSV with the columns `profile`, `category`, `count`, `total`, `probability`, `lower`, `upper` and
    /// `confidence`. The limits are decimals, rounded outward.
    pub fn limits_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut write = |record: &[&str]| writer.write_record(record).expect("memory takes every record");
        write(&lookalike_formats::LIMIT_COLUMNS);
        let confidence = self.confidence_text();
        for profile in &self.profiles {
            let total = profile.total().to_string();
            for (place, (&count, &(lower, upper))) in profile.counts.iter().zip(&profile.limits).enumerate() {
                let probability = decimal(&profile.law.probability(place), 12, Direction::Nearest);
                let (lower, upper) = (limit(lower, Direction::Down), limit(upper, Direction::Up));
                let category = self.categories.names().name(place as u32);
                let count = count.to_string();
                write(&[&profile.name, category, &count, &total, &probability, &lower, &upper, &confidence]);
            }
        }
        String::from_utf8(writer.into_inner().expect("memory takes every record")).expect("made of texts")
    }

    /// `95 % each`, or `95 % together`.
    pub fn confidence_text(&self) -> String {
        format!("{} {}", self.confidence_percent(), if self.options.simultaneous { "together" } else { "each" })
    }

    /// `95 %`.
    pub fn confidence_percent(&self) -> String {
        let percent = &self.options.confidence * Rational::from_integer(100.into());
        let text = (0..9).map(|decimals| decimal(&percent, decimals, Direction::Down));
        let exact = text.into_iter().find(|text| parse_rational(text).is_ok_and(|number| number == percent));
        let text = exact.unwrap_or_else(|| decimal(&percent, 9, Direction::Down));
        format!("{text} %")
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
