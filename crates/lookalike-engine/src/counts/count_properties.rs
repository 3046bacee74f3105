//! Which properties a mechanism over counts has.

use crate::facts::nearest;
use crate::figures::small;
use lookalike::counts::{Cell, Finding, Properties, Property, Violation, check};
use lookalike::model::Mechanism;
use lookalike_formats::Result;
use serde::Serialize;

/// What was found of a mechanism, and what of it was demanded.
pub struct CountProperties<'a> {
    /// The mechanism.
    pub mechanism: &'a Mechanism,
    /// One for each property.
    pub findings: Vec<Finding>,
    /// What was demanded.
    pub demanded: Properties,
}

/// What is said of the properties.
#[derive(Debug, Clone, Serialize)]
pub struct CountPropertiesFacts {
    /// How many categories there are.
    pub categories: usize,
    /// One for each property.
    pub properties: Vec<PropertyFacts>,
    /// The codes of what was demanded.
    pub demanded: Vec<&'static str>,
    /// The codes of what is missing of it.
    pub missing: Vec<&'static str>,
}

/// What is said of one property.
#[derive(Debug, Clone, Serialize)]
pub struct PropertyFacts {
    /// Such as `WH`.
    pub code: &'static str,
    /// Such as `weak honesty`.
    pub name: &'static str,
    /// Whether the mechanism has it.
    pub holds: bool,
    /// Where it falls short the most, if it does.
    pub violation: Option<PropertyViolationFacts>,
}

/// Where a property falls short the most.
#[derive(Debug, Clone, Serialize)]
pub struct PropertyViolationFacts {
    /// The probability that is too small.
    pub cell: CellFacts,
    /// The probability that it should reach; none stands for 1/(n+1).
    pub reference: Option<CellFacts>,
    /// How much is missing.
    pub by: f64,
    /// The same, exactly.
    pub by_text: String,
}

/// A probability of a channel by its names.
#[derive(Debug, Clone, Serialize)]
pub struct CellFacts {
    /// What is true.
    pub input: String,
    /// What is released.
    pub output: String,
}

impl<'a> CountProperties<'a> {
    /// The properties of a mechanism over ordered categories.
    ///
    /// # Errors
    /// A mechanism with several channels, or one that releases other categories.
    pub fn of(mechanism: &'a Mechanism, demanded: Properties) -> Result<Self> {
        Ok(CountProperties { mechanism, findings: check(mechanism)?, demanded })
    }

    /// The demanded properties that fail.
    pub fn missing(&self) -> Properties {
        let fails = self.findings.iter().filter(|one| one.violation.is_some() && self.demanded.contains(one.property));
        fails.fold(Properties::NONE, |set, one| set.with(one.property))
    }

    /// Whether a property holds, and where it falls short: `fails: P[1|1] is less than 1/(n+1) by 0.14737 (…)`.
    pub fn verdict(&self, finding: &Finding) -> String {
        match &finding.violation {
            None => "holds".to_owned(),
            Some(violation) => format!("fails: {}", self.violation_text(violation)),
        }
    }

    /// The cell that falls short the most, by the names of its categories, and by how much.
    fn violation_text(&self, violation: &Violation) -> String {
        let cell = |cell: &Cell| {
            let CellFacts { input, output } = self.cell(cell);
            format!("P[{output}|{input}]")
        };
        let reference = violation.reference.as_ref().map_or_else(|| "1/(n+1)".to_owned(), cell);
        let by = small(nearest(&violation.by));
        format!("{} is less than {reference} by {by} ({})", cell(&violation.cell), violation.by)
    }

    fn cell(&self, cell: &Cell) -> CellFacts {
        CellFacts {
            input: self.mechanism.inputs().names().name(cell.input as u32).to_owned(),
            output: self.mechanism.outputs().names().name(cell.output as u32).to_owned(),
        }
    }

    /// What is said of them.
    pub fn facts(&self) -> CountPropertiesFacts {
        let codes = |set: Properties| set.iter().map(Property::code).collect();
        let violation = |violation: &Violation| PropertyViolationFacts {
            cell: self.cell(&violation.cell),
            reference: violation.reference.as_ref().map(|cell| self.cell(cell)),
            by: nearest(&violation.by),
            by_text: violation.by.to_string(),
        };
        let property = |finding: &Finding| PropertyFacts {
            code: finding.property.code(),
            name: finding.property.name(),
            holds: finding.violation.is_none(),
            violation: finding.violation.as_ref().map(violation),
        };
        CountPropertiesFacts {
            categories: self.mechanism.inputs().len(),
            properties: self.findings.iter().map(property).collect(),
            demanded: codes(self.demanded),
            missing: codes(self.missing()),
        }
    }
}
