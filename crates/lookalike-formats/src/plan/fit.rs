//! `[fit]`: how profiles are found in records.

use super::{PlanCsv, PlanData, file_name, one_or_more, owned_text, read_csv};
use crate::error::{Error, Result, Table};
use crate::fit_options::{Domain, FitGraph, FitOptions, Small};
use crate::records::Format;
use crate::text::{Fields, Tree};
use std::path::{Path, PathBuf};

/// `[fit]`.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFit {
    /// The file that profiles are found in.
    pub records: PathBuf,
    /// Whether the plan allows that these are the records that are released.
    pub same_data: bool,
    /// The format, where its name does not say it.
    pub format: Option<Format>,
    /// How CSV is read.
    pub csv: PlanCsv,
    /// How profiles are fitted, without the budget.
    pub options: FitOptions,
}

/// `[fit]`, whose keys are the options of `fit` with `_` for `-`, and where the records are.
pub static FIT: Table = Table { name: "fit", keys: &FIT_KEYS };

const FIT_KEYS: [&str; 27] = [
    "records",
    "same_data",
    "profile",
    "value",
    "categories",
    "bins",
    "quantiles",
    "public_data",
    "public_categories",
    "unknown",
    "profile_by",
    "group_by",
    "complete",
    "chain",
    "pseudo_count",
    "minimum",
    "drop_small",
    "pool_small",
    "confidence",
    "simultaneous",
    "limits_grid",
    "trust_profiles",
    "format",
    "delimiter",
    "columns",
    "trim",
    "record_limit",
];

/// What is not said is as in `[data]`, where the records are the same, or as `fit` has it.
pub(super) fn read(tree: &Tree, folder: &Path, data: &PlanData) -> Result<PlanFit> {
    let fields = Fields::with(tree, &FIT_KEYS)?;
    let records = fields.read("records", file_name)?.map(|name| folder.join(name));
    let own_csv = ["delimiter", "columns", "trim", "record_limit"].iter().any(|key| fields.get(key).is_some());
    let csv = if own_csv || records.is_some() { read_csv(&fields)? } else { data.csv.clone() };
    Ok(PlanFit {
        records: records.unwrap_or_else(|| data.records.clone()),
        same_data: fields.read("same_data", Tree::bool)?.unwrap_or(false),
        format: fields.read("format", |tree| tree.text()?.parse())?,
        csv,
        options: options(&fields, data)?,
    })
}

fn options(fields: &Fields<'_>, data: &PlanData) -> Result<FitOptions> {
    let is = |key: &str| Ok::<_, Error>(fields.read(key, Tree::bool)?.unwrap_or(false));
    let text = |key: &str| fields.read(key, owned_text);
    let names = |tree: &Tree| tree.each("name", |name| Ok(name.number_text()?.to_owned()));
    let bins = fields.read("bins", |tree| tree.each("edge", Tree::rational))?;
    let quantiles = fields.read("quantiles", |tree| {
        u32::try_from(tree.integer()?).map_err(|_| Error::input("more than can be, expected a number like 5"))
    })?;
    let parts = |tree: &Tree| {
        u32::try_from(tree.integer()?).map_err(|_| Error::input("more than can be, expected a number like 1024"))
    };
    let categories = fields.read("categories", names)?;
    let domain = Domain::choose(categories.as_deref(), bins, quantiles, is("public_data")?, is("public_categories")?);
    let domain = domain.map_err(|error| error.in_table(&FIT))?;
    let graph = match (text("group_by")?, is("complete")?, is("chain")?) {
        (Some(column), false, false) => FitGraph::GroupBy(column),
        (None, true, false) => FitGraph::Complete,
        (None, false, true) => FitGraph::Chain,
        (None, false, false) => FitGraph::Open,
        _ => return Err(Error::input("more than one of group_by, complete and chain, expected one")),
    };
    let small = match (text("pool_small")?, is("drop_small")?) {
        (Some(name), false) => Small::Pool(name),
        (None, true) => Small::Drop,
        (None, false) => Small::Refuse,
        (Some(_), true) => return Err(Error::input("both drop_small and pool_small, expected one of them")),
    };
    let profile = text("profile")?.unwrap_or_else(|| data.profile.clone());
    let values = fields.read("value", one_or_more)?.unwrap_or_else(|| data.value.clone());
    let default = FitOptions::new(profile, values, domain);
    Ok(FitOptions {
        unknown: fields.read("unknown", |tree| Ok(tree.number_text()?.to_owned()))?.filter(|name| name != "error"),
        profile_by: text("profile_by")?,
        pseudo_count: fields.read("pseudo_count", Tree::rational)?.unwrap_or_else(|| default.pseudo_count.clone()),
        minimum: fields.read("minimum", Tree::integer)?.unwrap_or(default.minimum),
        small,
        confidence: fields.read("confidence", Tree::rational)?.unwrap_or_else(|| default.confidence.clone()),
        simultaneous: is("simultaneous")?,
        limits_grid: fields.read("limits_grid", parts)?.unwrap_or(default.limits_grid),
        trust_profiles: is("trust_profiles")?,
        graph,
        ..default
    })
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::PlanFit;
    use crate::fit_options::{Domain, FitGraph, FitOptions, Small};
    use lookalike::model::Categories;
    use std::path::Path;

    fn fit(text: &str) -> Result<PlanFit, String> {
        let data = "[data]\nrecords = \"r.csv\"\nprofile = \"who\"\nvalue = \"load\"\ntrim = true\n";
        let plan = Plan::from_toml(&format!("epsilon = 1\n{data}[fit]\n{text}"), Path::new(""));
        plan.map(|plan| plan.fit.unwrap()).map_err(|error| error.to_string().replace("fit: ", ""))
    }

    #[test]
    fn what_is_not_said_is_as_in_data_or_as_fit_has_it() {
        let found = fit("categories = [\"a,b\", 7]\n").unwrap();
        let domain = Domain::Known(Categories::new(["a,b", "7"]).unwrap());
        assert_eq!(found.options, FitOptions::new("who", vec!["load".to_owned()], domain));
        assert!(found.csv.trim && found.records.ends_with("r.csv") && !found.same_data && found.format.is_none());
        let other = fit("records = \"old.parquet\"\nbins = [0, 0.5]\nprofile = \"user\"\n").unwrap();
        assert!(!other.csv.trim && other.records.ends_with("old.parquet") && other.options.profile == "user");
    }

    #[test]
    fn every_option_arrives() {
        let text = "quantiles = 4\npublic_data = true\ngroup_by = \"team\"\nprofile_by = \"role\"\nminimum = 3\n\
                    pseudo_count = 0.5\npool_small = \"rest\"\nconfidence = 0.9\nsimultaneous = true\n\
                    limits_grid = 64\ntrust_profiles = true\nformat = \"csv\"\n\
                    record_limit = 99\ndelimiter = \"tab\"\n";
        let PlanFit { options, csv, format, .. } = fit(text).unwrap();
        assert_eq!((options.graph, options.small), (FitGraph::GroupBy("team".into()), Small::Pool("rest".into())));
        assert_eq!((options.profile_by.as_deref(), options.minimum, options.simultaneous), (Some("role"), 3, true));
        assert_eq!((options.pseudo_count.to_string(), options.confidence.to_string()), ("1/2".into(), "9/10".into()));
        assert_eq!((csv.delimiter, csv.record_limit, format.is_some()), (Some(b'\t'), Some(99), true));
        assert!(
            matches!(options.domain, Domain::Quantiles(4))
                && (options.limits_grid, options.trust_profiles) == (64, true)
        );
    }

    #[test]
    fn contradictions_are_named() {
        for (text, expected) in [
            ("", "what can a value be? Expected categories idle,busy or bins 0,10,50; or public_categories to"),
            ("complete = true\nchain = true\ncategories = [1, 2]", "more than one of group_by, complete and chain"),
            ("drop_small = true\npool_small = \"x\"\ncategories = [1, 2]", "both drop_small and pool_small"),
            ("bins = [1]\ncategories = [1, 2]", "more than one of categories, bins, quantiles and public categories"),
            ("categories = \"idle\"", "categories: found a text, expected a list"),
        ] {
            let error = fit(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
