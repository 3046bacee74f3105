//! How wrong the profiles of a spec may be: limits, inline or from a table of numbers.

use super::profiles::LONGEST_DENOMINATOR;
use super::table::{self, Table};
use crate::error::{Error, Result};
use crate::text::{Fields, Tree};
use lookalike::estimate::LimitsBasis;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Categories, Distribution, Limits, Names};
use std::collections::BTreeSet;

/// The columns of a table of limits.
pub const LIMIT_COLUMNS: [&str; 8] =
    ["profile", "category", "count", "total", "probability", "lower", "upper", "confidence"];

/// The limits of profiles, from a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitsFile {
    /// For each profile and category, in their order, the least and the largest probability.
    pub limits: Vec<Vec<[Rational; 2]>>,
    /// What the table says of its confidence: `95 % for each pair`.
    pub confidence: Option<String>,
}

impl LimitsFile {
    /// A table with the columns `profile`, `category`, `lower`, `upper`, and perhaps the others that `fit` writes.
    ///
    /// # Errors
    /// A table that cannot be read, a profile or a category that is not known, or one that is missing or named twice.
    pub fn from_rows(table: Table, profiles: &Names, categories: &Names) -> Result<LimitsFile> {
        let mut limits: Vec<Vec<Option<[Rational; 2]>>> = vec![vec![None; categories.len()]; profiles.len()];
        let mut confidences = BTreeSet::new();
        table.only(LIMIT_COLUMNS)?;
        let [profile, category, lower, upper] =
            ["profile", "category", "lower", "upper"].map(|name| table.column(name));
        let (profile, category, lower, upper) = (profile?, category?, lower?, upper?);
        let confidence = table.column("confidence").ok();
        table.each(|row| {
            let at = table::place(profiles, &row[profile], "profile")?;
            let place = table::place(categories, &row[category], "category")?;
            let ends = [table::number(&row[lower], "lower")?, table::number(&row[upper], "upper")?];
            if limits[at as usize][place as usize].replace(ends).is_some() {
                let (profile, category) = (profiles.name(at), categories.name(place));
                return Err(Error::input(format!("profile {profile:?}, category {category:?} occurs twice")));
            }
            confidences.extend(confidence.map(|column| row[column].to_owned()));
            Ok(())
        })?;
        let profile = |(at, row): (u32, Vec<Option<[Rational; 2]>>)| {
            let cell = |(place, cell): (u32, Option<[Rational; 2]>)| {
                cell.ok_or_else(|| {
                    let (profile, category) = (profiles.name(at), categories.name(place));
                    Error::input(format!(
                        "profile {profile:?}, category {category:?}: missing, expected a row for each profile and \
                         category of the mechanism"
                    ))
                })
            };
            (0..).zip(row).map(cell).collect()
        };
        let limits = (0..).zip(limits).map(profile).collect::<Result<_>>()?;
        let only = confidences.pop_first().filter(|_| confidences.is_empty());
        Ok(LimitsFile { limits, confidence: only.filter(|text| is_level(text)) })
    }

    /// The laws within the limits of each profile.
    ///
    /// # Errors
    /// Limits that no law meets, by the name of the profile, and those of more digits than are read.
    pub fn laws(&self, profiles: &Names) -> Result<Vec<Limits>> {
        let of_profile = |(ends, name): (&Vec<[Rational; 2]>, &str)| {
            limits_of(ends).map_err(|error| error.at(format!("profile {name:?}")))
        };
        self.limits.iter().zip(profiles.iter()).map(of_profile).collect()
    }
}

/// Whether this is what `fit` writes of a confidence; another text is anybody's and is not shown.
fn is_level(text: &str) -> bool {
    // The first two as earlier releases wrote them, of each limit and of all together.
    let known = [" % each", " % together", " % for each pair", " % for all pairs"];
    let percent = known.iter().find_map(|end| text.strip_suffix(end));
    percent.is_some_and(|percent| parse_rational(percent).is_ok())
}

/// `ana = [[0.1, 0.3], [0.7, 0.9]]`: for each category the least and the largest probability. A profile that is not named is the one
/// law that it is.
pub(crate) fn from_table(
    tree: &Tree,
    categories: &Categories,
    profiles: &Names,
    laws: &[Distribution],
) -> Result<Vec<Limits>> {
    let mut limits: Vec<Limits> = laws.iter().map(Limits::of_law).collect();
    for (name, ends) in tree.table()? {
        let place = super::place(profiles, name)?;
        limits[place as usize] = of_list(ends, categories).map_err(|error| error.at(format!("profile {name:?}")))?;
    }
    Ok(limits)
}

/// The key of what limits rest on, in specs and in mechanism files.
pub(crate) const BASIS: &str = "limits_basis";

/// `{ confidence = 0.95, holds_for = "each pair" }`: what limits rest on, as somebody states it.
pub(crate) fn read_basis(tree: &Tree) -> Result<LimitsBasis> {
    let fields = Fields::with(tree, &["confidence", "holds_for"])?;
    let confidence = fields.required("confidence", Tree::rational)?;
    let holds_for = fields.required("holds_for", |tree| Ok(tree.text()?.parse()?))?;
    Ok(LimitsBasis::new(confidence, holds_for)?)
}

/// The laws within a list of two limits for each category.
pub(crate) fn of_list(tree: &Tree, categories: &Categories) -> Result<Limits> {
    let ends = |tree: &Tree| match &tree.each("limit", Tree::rational)?[..] {
        [lower, upper] => Ok([lower.clone(), upper.clone()]),
        other => Err(Error::input(format!("{} numbers, expected two, the lower and the upper limit", other.len()))),
    };
    let limits = tree.each("category", ends)?;
    if limits.len() != categories.len() {
        let (found, expected) = (limits.len(), categories.len());
        return Err(Error::input(format!("limits of {found} categories, expected {expected}")));
    }
    limits_of(&limits)
}

fn limits_of(ends: &[[Rational; 2]]) -> Result<Limits> {
    let limits = Limits::new(ends)?;
    match limits.denominator().to_big().bits() {
        0..=LONGEST_DENOMINATOR => Ok(limits),
        bits => Err(Error::input(format!(
            "a common denominator of {bits} bits, expected at most {LONGEST_DENOMINATOR} (round the limits outward)"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use crate::Spec;
    use crate::spec::Alone;
    use lookalike::exact::parse_rational;

    const SPEC: &str = "epsilon = 1\ncategories = [\"no\", \"yes\"]\n[graph]\nshape = \"complete\"\n\
        [profiles]\nana = [0.2, 0.8]\nbo = [0.5, 0.5]\n";

    #[test]
    fn limits_are_read_tightened_and_a_profile_without_them_is_one_law() {
        let text = format!("{SPEC}[limits]\nana = [[0.1, 0.3], [0.75, 1]]\n");
        let problem = Spec::from_toml(&text, &Alone).unwrap().problem;
        let ends = |texts: [&str; 2]| texts.map(|text| parse_rational(text).unwrap());
        assert_eq!(problem.limits().len(), 2);
        assert_eq!([0, 1].map(|x| problem.limits()[0].ends(x)), [ends(["0.1", "1/4"]), ends(["0.75", "0.9"])]);
        assert!(problem.limits()[1].is_point() && !problem.is_at_worst());
        let worst = Spec::from_toml(&format!("worst_case = true\n{text}"), &Alone).unwrap().problem;
        assert!(worst.is_at_worst());
        let alone = Spec::from_toml(&format!("worst_case = true\n{SPEC}"), &Alone).unwrap_err().to_string();
        assert_eq!(alone, "worst_case = true, and no profile has limits (limits or limits_file)");
        let points = format!("{SPEC}[limits]\nana = [[0.2, 0.2], [0.8, 0.8]]\n");
        assert!(Spec::from_toml(&points, &Alone).unwrap().problem.limits().is_empty(), "points are laws");
    }

    #[test]
    fn what_limits_rest_on_is_read_and_needs_limits() {
        let basis = "[limits_basis]\nconfidence = 0.95\nholds_for = \"all pairs\"\n";
        let text = format!("{SPEC}[limits]\nana = [[0.1, 0.3], [0.75, 1]]\n{basis}");
        let spec = Spec::from_toml(&text, &Alone).unwrap();
        assert_eq!(spec.limits_basis.unwrap().to_string(), "95 % for all pairs");
        let points = format!("{SPEC}[limits]\nana = [[0.2, 0.2], [0.8, 0.8]]\n{basis}");
        assert_eq!(Spec::from_toml(&points, &Alone).unwrap().limits_basis, None, "laws rest on nothing");
        let refused = |text: String| Spec::from_toml(&text, &Alone).unwrap_err().to_string();
        assert_eq!(
            refused(format!("{SPEC}{basis}")),
            "limits_basis, and no profile has limits (limits or limits_file)"
        );
        let wrong = refused(text.replace("0.95", "95"));
        assert_eq!(wrong, "limits_basis: a confidence of 95, expected more than 0 and less than 1");
        let wrong = refused(text.replace("all pairs", "everybody"));
        assert_eq!(wrong, "limits_basis: holds_for: \"everybody\", expected \"each pair\" or \"all pairs\"");
    }

    #[test]
    fn limits_that_do_not_fit_are_refused() {
        for (limits, expected) in [
            ("eve = [[0, 1], [0, 1]]", "limits: \"eve\" is not known, expected one of ana, bo"),
            ("ana = [[0, 1]]", "limits: profile \"ana\": limits of 1 categories, expected 2"),
            ("ana = [[0, 1, 1], [0, 1]]", "profile \"ana\": category 1: 3 numbers, expected two"),
            ("ana = [[0.3, 0.1], [0, 1]]", "profile \"ana\": category 1: its limits are not in order"),
            ("ana = [[0.6, 0.7], [0.6, 0.7]]", "the lower ones sum to more than 1"),
            ("ana = [[0.3, 0.5], [0.5, 0.7]]", "profile \"ana\": its law is not within its limits"),
        ] {
            let error = Spec::from_toml(&format!("{SPEC}[limits]\n{limits}\n"), &Alone).unwrap_err().to_string();
            assert!(error.contains(expected), "{limits}: {error}");
        }
        let values = "epsilon = 1\nsecrets = \"values\"\ncategories = [\"a\", \"b\"]\ngraph.shape = \"complete\"\n\
            limits.a = [[0, 1], [0, 1]]\n";
        let error = Spec::from_toml(values, &Alone).unwrap_err().to_string();
        assert!(error.contains("limits of profiles, but the secrets are values"), "{error}");
    }
}
