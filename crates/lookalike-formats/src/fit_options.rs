//! What is to be fitted, and how.

use crate::error::{Error, Result};
use lookalike::Sentence;
use lookalike::estimate::{HoldsFor, LimitsBasis};
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::model::Categories;

/// The options of a fit. [`FitOptions::new`] has the defaults of `lookalike fit`.
#[derive(Debug, Clone, PartialEq)]
pub struct FitOptions {
    /// The column with the profile: the user, the device.
    pub profile: String,
    /// The column with the value, or several that make one joint category, joined with `|`.
    pub values: Vec<String>,
    /// What a value can be.
    pub domain: Domain,
    /// The category that takes the place of a value that is none; without it such a value is an error.
    pub unknown: Option<String>,
    /// A column of roles: their records make one profile each, instead of those of a user.
    pub profile_by: Option<String>,
    /// What is added to the count of every category.
    pub pseudo_count: Rational,
    /// The fewest records of a profile.
    pub minimum: u64,
    /// What becomes of profiles with fewer.
    pub small: Small,
    /// The probability with which the two profiles of each pair lie within their limits, or all profiles at once.
    pub confidence: Rational,
    /// Whether the confidence is that of all profiles at once.
    pub simultaneous: bool,
    /// Limits in the spec are multiples of one part in so many.
    pub limits_grid: u32,
    /// Whether the spec has no limits: the promise then holds for the fitted profiles alone.
    pub trust_profiles: bool,
    /// Whether these records are those that will be released. Then the limits are not independent of them, and no confidence is stated.
    pub same_data: bool,
    /// Which profiles must look alike.
    pub graph: FitGraph,
    /// The budget; 1 with a remark if nobody has chosen.
    pub epsilon: Option<Epsilon>,
}

/// What a value can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// One of these.
    Known(Categories),
    /// A number, in this many bins with about equally many records each.
    Quantiles(u32),
    /// Whatever is found.
    Found,
}

/// What becomes of profiles with too few records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Small {
    /// They are an error.
    Refuse,
    /// They are left out.
    Drop,
    /// Their records make one profile of this name; one a group where there are groups.
    Pool(String),
}

/// Which profiles must look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FitGraph {
    /// Left to be filled in.
    Open,
    /// Every two.
    Complete,
    /// Each and the next one by name.
    Chain,
    /// Those with the same value in this column.
    GroupBy(String),
}

/// The fewest records of a profile unless told otherwise: fewer are hardly a profile, and nearly the records themselves.
pub const DEFAULT_MINIMUM: u64 = 10;

/// Limits in a spec are multiples of 1/1024 unless told otherwise: wider by a thousandth at most, and short fractions.
pub const DEFAULT_LIMITS_GRID: u32 = 1024;

/// The finest grid of limits. Their common denominator is at most this.
const MOST_LIMITS_GRID: u32 = 1 << 30;

impl FitOptions {
    /// Profiles by this column over these values, with a graph to be filled in.
    pub fn new(profile: impl Into<String>, values: Vec<String>, domain: Domain) -> Self {
        FitOptions {
            profile: profile.into(),
            values,
            domain,
            unknown: None,
            profile_by: None,
            pseudo_count: Rational::default(),
            minimum: DEFAULT_MINIMUM,
            small: Small::Refuse,
            confidence: parse_rational("0.95").expect("a number"),
            simultaneous: false,
            limits_grid: DEFAULT_LIMITS_GRID,
            trust_profiles: false,
            same_data: false,
            graph: FitGraph::Open,
            epsilon: None,
        }
    }

    /// The budget.
    pub fn budget(&self) -> Epsilon {
        self.epsilon.clone().unwrap_or_else(|| "1".parse().expect("an epsilon"))
    }

    /// How sure the limits are, and for whom, if nothing speaks against stating it.
    ///
    /// # Errors
    /// A confidence that is none.
    pub fn basis(&self) -> Result<LimitsBasis> {
        let holds_for = if self.simultaneous { HoldsFor::AllPairs } else { HoldsFor::EachPair };
        Ok(LimitsBasis::new(self.confidence.clone(), holds_for)?)
    }

    /// Refuses what cannot be meant, before anything is read.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(&self) -> Result<()> {
        let (zero, one) = (Rational::default(), Rational::from_integer(1.into()));
        if self.pseudo_count < zero {
            return Err(Error::input(format!("a pseudo-count of {}, expected at least 0", self.pseudo_count)));
        }
        // Below 1e-12 the limits are not computed reliably; and nobody is that sure.
        if self.confidence <= zero || &one - &self.confidence < parse_rational("1e-9").expect("a number") {
            let found = &self.confidence;
            return Err(Error::input(format!("a confidence of {found}, expected more than 0 and at most 0.999999999")));
        }
        if !(1..=MOST_LIMITS_GRID).contains(&self.limits_grid) {
            let found = Sentence::new().option("limits-grid").text(format!(" {}", self.limits_grid));
            return Err(Error::input(found.text(format!(", expected from 1 to {MOST_LIMITS_GRID}"))));
        }
        if let Some(name) = self.public_columns().find(|name| self.values.contains(name)) {
            return Err(Error::input(format!("column {name:?}: this is the value, expected another column")));
        }
        match (&self.domain, &self.unknown) {
            (Domain::Quantiles(0 | 1), _) => Err(Error::input("quantiles: expected at least 2")),
            (Domain::Quantiles(_), _) if self.values.len() != 1 => {
                Err(Error::input("quantiles of several columns, expected one"))
            }
            (Domain::Known(categories), Some(name)) if categories.names().place(name).is_none() => {
                let known: Vec<&str> = categories.names().iter().take(8).collect();
                let more = if categories.len() > known.len() { ", …" } else { "" };
                let known = known.join(", ");
                let found = Sentence::new().option("unknown").quoted(name);
                Err(Error::input(found.text(format!(" is not a category, expected error or one of {known}{more}"))))
            }
            (Domain::Known(_), _) | (_, None) => Ok(()),
            (_, Some(_)) => {
                let domain = Sentence::new().option("unknown").text(" needs ").option("categories").text(" or ");
                Err(Error::input(domain.option("bins").text(": else every value has its place")))
            }
        }
    }

    /// The columns whose content becomes public.
    fn public_columns(&self) -> impl Iterator<Item = &String> {
        let group = match &self.graph {
            FitGraph::GroupBy(column) => Some(column),
            _ => None,
        };
        [Some(&self.profile), self.profile_by.as_ref(), group].into_iter().flatten()
    }
}

impl Domain {
    /// The one that was asked for.
    ///
    /// # Errors
    /// None, more than one, or one that reveals the data without the word that the data is public.
    pub fn choose(
        categories: Option<&[String]>,
        bins: Option<Vec<Rational>>,
        quantiles: Option<u32>,
        public_data: bool,
        public_categories: bool,
    ) -> Result<Domain> {
        match (categories, bins, quantiles, public_categories) {
            (Some(names), None, None, false) => Ok(Domain::Known(Categories::new(names)?)),
            (None, Some(edges), None, false) => Ok(Domain::Known(Categories::from_bins(edges)?)),
            (None, None, Some(count), false) if public_data => Ok(Domain::Quantiles(count)),
            (None, None, Some(_), false) => {
                let need = Sentence::from("quantiles reveal values of the data: they need ").option("public-data");
                Err(Error::input(need.text(", the word that it is public"))
                    .hint(Sentence::from("or give edges of your own with ").option("bins")))
            }
            (None, None, None, true) => Ok(Domain::Found),
            (None, None, None, false) => {
                let given =
                    Sentence::from("what can a value be? Expected ").option("categories").text(" idle,busy or ");
                let found = given.option("bins").text(" 0,10,50; or ").option("public-categories");
                let quantiles = found.text(" to take those found in the data, or ").option("quantiles");
                let public = quantiles.text(" 5 ").option("public-data");
                Err(Error::input(public.text(", which both make values of the data public")))
            }
            _ => Err(Error::input("more than one of categories, bins, quantiles and public categories, expected one")),
        }
    }
}
