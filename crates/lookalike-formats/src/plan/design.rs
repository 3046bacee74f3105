//! `[design]`: what is asked of the design beside its spec.

use crate::design_gap::MaxGap;
use crate::error::Result;
use crate::text::{Fields, Tree};

/// `[design]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanDesign {
    /// How far the design may be from the least noise there is; without it any design is taken, and a gap worth a word is told.
    pub max_gap: Option<MaxGap>,
}

pub(super) fn read(tree: &Tree) -> Result<PlanDesign> {
    let fields = Fields::with(tree, &["max_gap"])?;
    Ok(PlanDesign { max_gap: fields.read("max_gap", |tree| tree.number_text()?.parse())? })
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;
    use std::path::Path;

    fn plan(before: &str, design: &str) -> Result<Plan> {
        Plan::from_toml(&format!("{before}\n[data]\nrecords = \"r.csv\"\n{design}"), Path::new(""))
    }

    #[test]
    fn every_kind_of_plan_has_a_gap() {
        let fit = "epsilon = 1\n[fit]\nsame_data = true\ncategories = [1, 2]\ncomplete = true";
        for before in ["spec = \"spec.toml\"", fit, "epsilon = 1\ncategories = [1, 2]"] {
            assert_eq!(plan(before, "").unwrap().design, PlanDesign::default());
            let found = plan(before, "[design]\nmax_gap = 1e-6").unwrap().design;
            assert_eq!(found.max_gap, Some("1/1000000".parse().unwrap()));
        }
    }

    #[test]
    fn a_gap_that_is_none_is_named() {
        for (text, expected) in [
            ("max_gap = -1", "design: max_gap: a gap of -1, expected a number at least 0 such as 1e-6"),
            ("max_gap = true", "design: max_gap: found true or false, expected a number"),
            ("gap = 1", "design: key 1 is not known, expected one of max_gap"),
        ] {
            let error = plan("spec = \"s.toml\"", &format!("[design]\n{text}")).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
