//! The seven properties that a mechanism over counts may have.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A property of a mechanism over the counts 0 to n. `P[i|j]` is the probability to release i for the true count j.
///
/// The paper writes inputs as columns, so its "row" properties compare the inputs of one output. Here rows are inputs;
/// the names stay the paper's.
///
/// # Reference
/// Cormode, Kulkarni and Srivastava, Constrained Private Mechanisms for Count Data (2018), section IV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// RH: `P[i|i] ≥ P[i|j]`. A release is most likely when it is the truth.
    RowHonesty,
    /// RM: `P[i|j]` does not rise as the input j moves away from the output i.
    RowMonotonicity,
    /// CH: `P[j|j] ≥ P[i|j]`. The truth is the most likely release.
    ColumnHonesty,
    /// CM: `P[i|j]` does not rise as the output i moves away from the input j.
    ColumnMonotonicity,
    /// F: `P[i|i] = P[j|j]`. Every count is released truly equally often.
    Fairness,
    /// WH: `P[i|i] ≥ 1/(n+1)`. The truth is at least as likely as by guessing.
    WeakHonesty,
    /// S: `P[i|j] = P[n−i|n−j]`. Counting the others instead changes nothing.
    Symmetry,
}

use Property::{ColumnHonesty, ColumnMonotonicity, Fairness, RowHonesty, RowMonotonicity, Symmetry, WeakHonesty};

impl Property {
    /// All seven.
    pub const ALL: [Property; 7] =
        [RowHonesty, RowMonotonicity, ColumnHonesty, ColumnMonotonicity, Fairness, WeakHonesty, Symmetry];

    /// The short name: RH, RM, CH, CM, F, WH or S.
    pub fn code(self) -> &'static str {
        match self {
            RowHonesty => "RH",
            RowMonotonicity => "RM",
            ColumnHonesty => "CH",
            ColumnMonotonicity => "CM",
            Fairness => "F",
            WeakHonesty => "WH",
            Symmetry => "S",
        }
    }

    /// The name in words.
    pub fn name(self) -> &'static str {
        match self {
            RowHonesty => "row honesty",
            RowMonotonicity => "row monotonicity",
            ColumnHonesty => "column honesty",
            ColumnMonotonicity => "column monotonicity",
            Fairness => "fairness",
            WeakHonesty => "weak honesty",
            Symmetry => "symmetry",
        }
    }

    /// What it says of releases, in one sentence without its full stop.
    pub fn meaning(self) -> &'static str {
        match self {
            RowHonesty => "a release is most likely when it is the truth",
            RowMonotonicity => "a release gets no likelier as the truth moves away from it",
            ColumnHonesty => "the truth is the most likely release",
            ColumnMonotonicity => "releases get no likelier as they move away from the truth",
            Fairness => "every count is released truly equally often",
            WeakHonesty => "the truth is at least as likely as by guessing",
            Symmetry => "counting the others instead changes nothing",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A set of properties. Read from text: `WH,CM`, `all` or `none`.
///
/// # Example
/// ```
/// use lookalike::counts::{Properties, Property};
/// let asked: Properties = "wh, CM".parse()?;
/// assert!(asked.contains(Property::WeakHonesty) && !asked.contains(Property::Symmetry));
/// assert_eq!("F,RM".parse::<Properties>()?.closure().to_string(), "RH,RM,CH,F,WH");
/// assert!("WH,XY".parse::<Properties>().is_err());
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Properties(u8);

impl Properties {
    /// No property.
    pub const NONE: Properties = Properties(0);
    /// All seven.
    pub const ALL: Properties = Properties(0x7f);

    /// These properties.
    pub fn of(properties: &[Property]) -> Self {
        properties.iter().fold(Properties::NONE, |set, &property| set.with(property))
    }

    /// The set with one more.
    #[must_use]
    pub fn with(self, property: Property) -> Self {
        Properties(self.0 | 1 << property as u8)
    }

    /// The set without one.
    #[must_use]
    pub fn without(self, property: Property) -> Self {
        Properties(self.0 & !(1 << property as u8))
    }

    /// Whether the property is in the set.
    pub fn contains(self, property: Property) -> bool {
        self.0 & 1 << property as u8 != 0
    }

    /// Whether all of the other set are in this one.
    pub fn includes(self, other: Properties) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The properties in order.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |&property| self.contains(property))
    }

    /// These properties and all that follow from them: RM gives RH; CM gives CH, and CH gives WH; with F, RH and CH
    /// give each other.
    #[must_use]
    pub fn closure(self) -> Self {
        let mut set = self;
        // The rules are in such an order that one more round finds nothing.
        for (premises, conclusion) in [
            (&[RowMonotonicity][..], RowHonesty),
            (&[ColumnMonotonicity], ColumnHonesty),
            (&[Fairness, RowHonesty], ColumnHonesty),
            (&[Fairness, ColumnHonesty], RowHonesty),
            (&[ColumnHonesty], WeakHonesty),
        ] {
            if set.includes(Properties::of(premises)) {
                set = set.with(conclusion);
            }
        }
        set
    }

    /// As few of these properties as imply the others.
    #[must_use]
    pub(super) fn essential(self) -> Self {
        self.iter().fold(self, |set, property| {
            let rest = set.without(property);
            if rest.closure().contains(property) { rest } else { set }
        })
    }
}

impl FromStr for Properties {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "" | "none" => return Ok(Properties::NONE),
            "all" => return Ok(Properties::ALL),
            _ => {}
        }
        let property = |code: &str| {
            let found = Property::ALL.into_iter().find(|property| property.code().eq_ignore_ascii_case(code.trim()));
            found.ok_or_else(|| {
                Error::input(format!(
                    "property {:?}, expected some of RH, RM, CH, CM, F, WH and S with commas between, or all or none",
                    code.trim()
                ))
            })
        };
        text.split(',').try_fold(Properties::NONE, |set, code| Ok(set.with(property(code)?)))
    }
}

impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<&str> = self.iter().map(Property::code).collect();
        f.write_str(if codes.is_empty() { "none".to_owned() } else { codes.join(",") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> impl Iterator<Item = Properties> {
        (0..128).map(Properties)
    }

    #[test]
    fn text_is_read_back() {
        for set in every() {
            assert_eq!(set.to_string().parse::<Properties>().unwrap(), set);
        }
        let message = "RH,,S".parse::<Properties>().unwrap_err().to_string();
        assert_eq!(
            message,
            "property \"\", expected some of RH, RM, CH, CM, F, WH and S with commas between, or all or none"
        );
    }

    #[test]
    fn a_closure_grows_is_closed_and_keeps_order() {
        for set in every() {
            assert!(set.closure().includes(set));
            assert_eq!(set.closure().closure(), set.closure(), "{set}");
            for larger in every().filter(|larger| larger.includes(set)) {
                assert!(larger.closure().includes(set.closure()), "{larger} has all of {set}");
            }
        }
        for set in every() {
            // RH and CH give each other with F: one of the two must stay.
            assert_eq!(set.essential().closure(), set.closure(), "{set}");
            let fewest = set.essential();
            assert!(fewest.iter().all(|property| !fewest.without(property).closure().contains(property)), "{set}");
        }
        let closed = |text: &str| text.parse::<Properties>().unwrap().closure().to_string();
        assert_eq!(closed("F"), "F");
        assert_eq!(closed("CM"), "CH,CM,WH");
        assert_eq!(closed("F,CM"), "RH,CH,CM,F,WH");
    }
}
