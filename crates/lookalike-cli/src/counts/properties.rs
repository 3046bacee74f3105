//! `lookalike counts properties`.

use crate::Answer;
use crate::design::nearest;
use crate::terminal::{Terminal, small};
use lookalike::counts::{Cell, Finding, Properties, Property, Violation, check};
use lookalike::model::Mechanism;
use lookalike_engine::ReadFile;
use lookalike_formats::{Error, MechanismFile, Result};
use serde_json::{Value, json};
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
        let findings = check(&mechanism).map_err(|error| Error::from(error).in_file(&self.mechanism))?;
        let missing = missing(&findings, self.demand);
        let codes = |set: Properties| set.iter().map(Property::code).collect::<Vec<_>>();
        let object = json!({
            "categories": mechanism.inputs().len(),
            "properties": findings.iter().map(|finding| finding_json(&mechanism, finding)).collect::<Vec<_>>(),
            "demanded": codes(self.demand),
            "missing": codes(missing),
        });
        terminal.answer(object, || {
            let mut text: String = findings.iter().map(|finding| line(&mechanism, finding)).collect();
            if !missing.is_empty() {
                text += &format!("MISSING: {missing}\n");
            }
            text
        })?;
        Ok(if missing.is_empty() { Answer::Yes } else { Answer::No })
    }
}

/// The demanded properties that fail.
pub fn missing(findings: &[Finding], demand: Properties) -> Properties {
    let fails = findings.iter().filter(|finding| finding.violation.is_some() && demand.contains(finding.property));
    fails.fold(Properties::NONE, |set, finding| set.with(finding.property))
}

/// `WH  weak honesty  fails: P[1|1] is less than 1/(n+1) by 0.14737 (…)`.
pub fn line(mechanism: &Mechanism, finding: &Finding) -> String {
    let (code, name) = (finding.property.code(), finding.property.name());
    let verdict = match &finding.violation {
        None => "holds".to_owned(),
        Some(violation) => format!("fails: {}", violation_text(mechanism, violation)),
    };
    format!("{code:<2}  {name:<19}  {verdict}\n")
}

/// The cell that falls short the most, by the names of its categories, and by how much.
fn violation_text(mechanism: &Mechanism, violation: &Violation) -> String {
    let cell = |cell: &Cell| {
        let [output, input] = names(mechanism, cell);
        format!("P[{output}|{input}]")
    };
    let reference = violation.reference.as_ref().map_or_else(|| "1/(n+1)".to_owned(), cell);
    let by = small(nearest(&violation.by));
    format!("{} is less than {reference} by {by} ({})", cell(&violation.cell), violation.by)
}

/// What is released and what is true.
fn names<'a>(mechanism: &'a Mechanism, cell: &Cell) -> [&'a str; 2] {
    [mechanism.outputs().names().name(cell.output as u32), mechanism.inputs().names().name(cell.input as u32)]
}

fn finding_json(mechanism: &Mechanism, finding: &Finding) -> Value {
    let cell = |cell: &Cell| {
        let [output, input] = names(mechanism, cell);
        json!({ "input": input, "output": output })
    };
    let violation = finding.violation.as_ref().map(|violation| {
        json!({
            "cell": cell(&violation.cell),
            "reference": violation.reference.as_ref().map(cell),
            "by": nearest(&violation.by),
            "by_text": violation.by.to_string(),
        })
    });
    json!({
        "code": finding.property.code(),
        "name": finding.property.name(),
        "holds": finding.violation.is_none(),
        "violation": violation,
    })
}
