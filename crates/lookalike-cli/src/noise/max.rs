//! `lookalike noise max`.

use super::width::significant;
use crate::Answer;
use crate::formats::InputFormat;
use crate::outcome::warn;
use crate::terminal::Terminal;
use lookalike::exact::{Direction, Epsilon};
use lookalike::model::{Movement, Names};
use lookalike_engine::noise::{NoisyMaxRelease, NoisyMaxReleased};
use lookalike_engine::{Facts, Level, read_counts};
use lookalike_formats::{Error, Result, shown};
use std::path::{Path, PathBuf};

/// Release which of several counts is the largest, and nothing else
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike noise max votes.csv --name party --count votes --epsilon 1
  lookalike noise max visits.parquet --name place --count visits --epsilon 1/2 --together
  lookalike noise max --counts ana=3,bo=5,cleo=4 --epsilon ln(3)

Noise is added to every count, and the name of the largest sum is released. However many counts
there are, this costs epsilon once. The counts themselves are not covered, and asking again
costs epsilon again. The names are public: all that can be chosen must be there, also those that
nobody has chosen.")]
pub struct Max {
    /// A table with a row for each name: CSV, Parquet or Arrow
    #[arg(value_name = "COUNTS", required_unless_present = "counts")]
    table: Option<PathBuf>,
    /// The column with the names
    #[arg(long, value_name = "COLUMN", default_value = "name")]
    name: String,
    /// The column with the counts, whole numbers
    #[arg(long, value_name = "COLUMN", default_value = "count")]
    count: String,
    /// The counts themselves instead of a table: NAME=COUNT with commas between
    #[arg(long, value_name = "LIST", conflicts_with_all = ["table", "name", "count", "InputFormat"])]
    counts: Option<String>,
    /// How alike neighbours must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Epsilon,
    /// The most by which one person changes each count, a whole number; never taken from the data
    #[arg(long, value_name = "D", default_value_t = 1)]
    sensitivity: u64,
    /// One person changes all counts upward or all downward, as when people are added or removed: half the noise. A person
    /// who is there and moves from one count to another is then hidden at twice epsilon
    #[arg(long)]
    together: bool,
    /// How often the statement about the chosen count is to hold
    #[arg(long, value_name = "P", default_value = "0.95")]
    confidence: Level,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    format: InputFormat,
}

/// What `--together` does not say.
const TWICE: &str = "That is about a person who is there or not; one who moves from one count to another is hidden at twice \
                     epsilon.\n";

impl Max {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let counts = match (&self.table, &self.counts) {
            (Some(path), _) => {
                refuse_counts(path)?;
                self.format.check(path)?;
                let (format, csv) = (self.format.format(path), self.format.csv_options(path));
                read_counts(path, format, &csv, [&self.name, &self.count])?
            }
            (None, list) => listed(list.as_deref().unwrap_or_default()).map_err(|error| error.at("--counts"))?,
        };
        let (names, counts) = counts.into_iter().unzip();
        let request = NoisyMaxRelease {
            counts,
            names: Some(names),
            epsilon: self.epsilon.clone(),
            sensitivity: self.sensitivity,
            together: self.together,
            confidence: self.confidence.clone(),
            seed: self.seed,
        };
        let released = request.run()?;
        warn(&released.warnings(), terminal);
        terminal.answer(released.facts().json(), || self.text(&released))?;
        Ok(Answer::Yes)
    }

    fn text(&self, done: &NoisyMaxReleased) -> String {
        let (max, proof) = (done.certified.mechanism(), done.certified.certificate());
        let (way, moved) = match max.movement() {
            Movement::Together => ("all upward or all downward", TWICE),
            Movement::Anyhow => ("in any direction", ""),
        };
        format!(
            "Chosen: {}\n\
             Certified at epsilon {}: neighbours, whose counts differ by at most {} each, {way}, choose every name with\n\
             probabilities within e^epsilon of each other (noise of decay {}, {}).\n\
             At {} its count is at most {} below the largest of the {}.\n\
             {moved}Only the choice is covered: not the counts, nor a second question about them.\n",
            shown(done.name.as_deref().unwrap_or_default()),
            max.epsilon(),
            max.sensitivity(),
            proof.decay(),
            if *proof.steps() == 1.into() { "1 step".to_owned() } else { format!("{} steps", proof.steps()) },
            self.confidence,
            significant(&done.behind, Direction::Up),
            done.counts,
        )
    }
}

/// Refuses a file that is not there and whose name looks like counts, where `--counts` was forgotten, without showing it.
fn refuse_counts(path: &Path) -> Result<()> {
    let name = path.to_string_lossy();
    let is_list = name.contains(['=', ',']) || name.trim().parse::<f64>().is_ok();
    match is_list && !path.exists() {
        true => Err(Error::input(
            "COUNTS: no file of this name, which looks like counts (--counts takes counts themselves, like ana=3,bo=5)",
        )),
        false => Ok(()),
    }
}

/// `ana=3,bo=5`. Errors name places and no count.
fn listed(text: &str) -> Result<Vec<(String, i64)>> {
    let entry = |(at, part): (usize, &str)| {
        let found = part.rsplit_once('=').and_then(|(name, count)| Some((name.trim(), count.trim().parse().ok()?)));
        let wrong =
            || Error::input(format!("entry {}: expected a name and a whole number of 64 bits, like ana=3", at + 1));
        found.map(|(name, count)| (name.to_owned(), count)).ok_or_else(wrong)
    };
    let counts = text.split(',').enumerate().map(entry).collect::<Result<Vec<(String, i64)>>>()?;
    Names::new("name", counts.iter().map(|(name, _)| name))?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_listed_by_name() {
        let found = listed("ana=3, bo = 5,a=b=-4").unwrap();
        let found: Vec<(&str, i64)> = found.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(found, [("ana", 3), ("bo", 5), ("a=b", -4)]);
        for (text, expected) in [
            ("ana=777x", "entry 1: expected a name and a whole number of 64 bits, like ana=3"),
            ("ana=1,777", "entry 2: expected a name and a whole number of 64 bits, like ana=3"),
            ("", "entry 1: expected a name and a whole number of 64 bits, like ana=3"),
            ("ana=7.5", "entry 1: expected a name and a whole number of 64 bits, like ana=3"),
            ("ana=1,ana=777", "name \"ana\" occurs twice, at places 1 and 2"),
        ] {
            assert_eq!(listed(text).unwrap_err().to_string(), expected);
        }
        assert!(listed("=1").unwrap_err().to_string().contains("name"));
    }
}
