//! The categories that people report.

use lookalike::exact::{Rational, parse_rational};
use lookalike::model::Categories;
use lookalike_engine::read_text;
use lookalike_formats::{Error, Result};
use std::collections::HashMap;
use std::path::PathBuf;

/// The categories, in one of four ways.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Domain {
    /// The categories, with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    categories: Vec<String>,
    /// A file with one category per line; - for standard input
    #[arg(long, value_name = "FILE")]
    categories_file: Option<PathBuf>,
    /// So many categories, named 0, 1, 2 and so on
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(..=MOST_SIZE))]
    size: Option<u32>,
    /// Bins of a number by their lower edges, with commas between: 0,10,50 for 0..10, 10..50 and 50..
    #[arg(long, value_name = "EDGES", value_delimiter = ',', allow_hyphen_values = true, value_parser = parse_rational)]
    bins: Vec<Rational>,
}

/// More names would not fit in the memory of a small machine.
const MOST_SIZE: i64 = 10_000_000;

impl Domain {
    /// The categories.
    ///
    /// # Errors
    /// None at all, empty names, names that occur twice, edges that do not increase, or a file that cannot be read.
    pub fn categories(&self) -> Result<Categories> {
        if let Some(size) = self.size {
            let names = (0..size).map(|place| place.to_string());
            return Categories::new(names).map_err(|error| Error::from(error).at("--size"));
        }
        if let Some(path) = &self.categories_file {
            let text = read_text(path)?;
            let mut first_lines = HashMap::new();
            for (line, name) in (1..).zip(text.lines()) {
                // The file may be another one than was meant, so its lines are told by number.
                if let Some(first) = first_lines.insert(name, line) {
                    let message = format!("lines {first} and {line} are the same, expected each category once");
                    return Err(Error::input(message).in_file(path));
                }
            }
            return Categories::new(text.lines()).map_err(|error| Error::from(error).in_file(path));
        }
        if !self.bins.is_empty() {
            return Ok(Categories::from_bins(self.bins.clone())?);
        }
        Categories::new(&self.categories).map_err(|error| Error::from(error).at("--categories"))
    }
}
