//! `lookalike counts properties`.

use crate::Answer;
use crate::terminal::Terminal;
use lookalike::counts::{Finding, Properties};
use lookalike_engine::counts::CountProperties;
use lookalike_engine::{Facts, ReadFile};
use lookalike_formats::{MechanismFile, Result};
use std::path::PathBuf;

/// Say which of the seven properties a mechanism has, exactly
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike counts properties m.json
  lookalike counts properties m.json --demand WH,CM    # exit code 1 if one is missing

P[i|j] is the probability to release i for the true count j. Any mechanism over ordered categories will do, as long as
it has one channel and releases the same categories.")]
pub struct PropertiesVerb {
    /// The mechanism file
    mechanism: PathBuf,
    /// Exit with 1 unless the mechanism has these
    #[arg(long, value_name = "CODES", default_value = "none")]
    demand: Properties,
}

impl PropertiesVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mechanism = MechanismFile::read(&self.mechanism)?.mechanism;
        let found = CountProperties::of(&mechanism, self.demand).map_err(|error| error.in_file(&self.mechanism))?;
        let missing = found.missing();
        terminal.answer(found.facts().json(), || {
            // `WH  weak honesty  fails: P[1|1] is less than 1/(n+1) by 0.14737 (…)`.
            let line = |finding: &Finding| {
                let (code, name) = (finding.property.code(), finding.property.name());
                format!("{code:<2}  {name:<19}  {}\n", found.verdict(finding))
            };
            let mut text: String = found.findings.iter().map(line).collect();
            if !missing.is_empty() {
                text += &format!("MISSING: {missing}\n");
            }
            text
        })?;
        Ok(if missing.is_empty() { Answer::Yes } else { Answer::No })
    }
}
