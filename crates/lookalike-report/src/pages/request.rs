//! A page that is asked for, about a mechanism of any kind.

use super::posterior::usual_priors;
use super::trade_off::TradeOffPoint;
use super::{LedgerAt, Page, about};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::{Watch, randomized_response};
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::Mechanism;
use lookalike_engine::{Cohort, EstimateNames, all_reports, read_audit, read_estimates};
use lookalike_formats::{Error, MechanismFile, MechanismKind, Result, largest_epsilon};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// What a page is to show beside the mechanism.
#[derive(Debug, Clone, Default)]
pub struct PageRequest<'a> {
    /// What was estimated from privatized records.
    pub estimates: Option<PageEstimates<'a>>,
    /// What an attack found: what `audit` says as JSON.
    pub audit: Option<PathBuf>,
    /// What the releases of a ledger add up to.
    pub ledger: Option<LedgerAt>,
    /// What an adversary may believe before the release, as [`parse_prior`] reads it; 1/2 and 1/10 unless others are given.
    pub priors: Option<Vec<Rational>>,
    /// The curve over other ε.
    pub curve: Curve,
}

/// Where estimates come from.
#[derive(Debug, Clone)]
pub enum PageEstimates<'a> {
    /// A file: what `estimate` says as JSON.
    File(PathBuf),
    /// They are here, by cohort.
    Known(&'a [Cohort]),
}

/// The objective at other ε.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Curve {
    /// It is left out.
    #[default]
    None,
    /// A mechanism is designed at each of nine ε, where that does not take too long.
    Designed,
    /// It is known.
    Known(Vec<TradeOffPoint>),
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOutcome {
    /// It as HTML, which needs nothing else.
    pub html: String,
    /// What it leaves out, and what the releases that it shows add up to.
    pub notes: Vec<String>,
}

/// What is said of a page or a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageFacts {
    /// The file that was written.
    pub file: String,
    /// How long it is.
    pub bytes: usize,
}

impl PageFacts {
    /// Those of a text in a file.
    pub fn of(file: &Path, text: &str) -> Self {
        PageFacts { file: file.display().to_string(), bytes: text.len() }
    }
}

/// A kind of mechanism that there are pages about.
pub trait HasPage: MechanismKind {
    /// The page about a mechanism of this kind. The same inputs give the same bytes.
    ///
    /// # Errors
    /// Something that pages about this kind do not show, files that cannot be read or are about another mechanism, and a
    /// design that was stopped.
    fn page(
        file: &MechanismFile<Self>,
        certified: &Certified<Self>,
        request: &PageRequest<'_>,
        watch: Watch<'_>,
    ) -> Result<PageOutcome>;
}

/// A belief before a release, which is a number from 0 to 1.
///
/// # Errors
/// A text that is no such number.
pub fn parse_prior(text: &str) -> Result<Rational> {
    let belief = parse_rational(text)?;
    match Rational::default() <= belief && belief <= Rational::from_integer(1.into()) {
        true => Ok(belief),
        false => Err(Error::input(format!("a belief of {belief}, expected a number from 0 to 1"))),
    }
}

impl HasPage for Mechanism {
    fn page(
        file: &MechanismFile<Self>,
        certified: &Certified<Self>,
        request: &PageRequest<'_>,
        watch: Watch<'_>,
    ) -> Result<PageOutcome> {
        let mechanism = certified.mechanism();
        let (problem, estimates) = (about::solved_problem(file)?, request.estimates(mechanism)?);
        let audit = request.audit.as_ref().map(|path| read_audit(path, mechanism)).transpose()?;
        let account = request.ledger.as_ref().map(|ledger| ledger.open()?.status()).transpose()?;
        // Who has just released them is told by the release itself.
        let reports = match request.estimates {
            Some(PageEstimates::File(_)) => estimates.iter().map(|(_, estimate)| estimate.reports).sum(),
            _ => 0,
        };
        let repeated = all_reports(reports, mechanism.adds_up(), largest_epsilon(mechanism));
        let spent = account.as_ref().and_then(|account| account.spent.first());
        let spent =
            spent.map(|(worst, _)| format!("Up to epsilon {} spent about one subject of the ledger.", worst.epsilon));
        let notes = RefCell::new(repeated.into_iter().chain(spent).collect::<Vec<_>>());
        let note = |line: String| notes.borrow_mut().push(line);
        let trade_off = match &request.curve {
            Curve::None => Vec::new(),
            Curve::Known(points) => points.clone(),
            Curve::Designed => about::trade_off(file, certified, &problem, watch, &note)?,
        };
        let baseline = randomized_response(&problem)?;
        let compared = match &request.curve {
            Curve::None => None,
            Curve::Known(_) | Curve::Designed => about::compared(file, &problem, &baseline, watch, &note)?,
        };
        let page = Page {
            file,
            certified,
            baseline: &baseline.mechanism,
            trade_off: &trade_off,
            compared: compared.as_ref(),
            estimates: &estimates,
            audit: audit.as_ref(),
            account: account.as_ref(),
            priors: &request.priors.clone().unwrap_or_else(usual_priors),
        };
        let html = page.html();
        Ok(PageOutcome { html, notes: notes.into_inner() })
    }
}

impl PageRequest<'_> {
    /// What was estimated, by cohort.
    pub(super) fn estimates<'n>(&self, names: impl Into<EstimateNames<'n>>) -> Result<Cow<'_, [Cohort]>> {
        match &self.estimates {
            None => Ok(Cow::Borrowed(&[])),
            Some(PageEstimates::Known(cohorts)) => Ok(Cow::Borrowed(cohorts)),
            Some(PageEstimates::File(path)) => Ok(Cow::Owned(read_estimates(path, names)?)),
        }
    }

    /// Refuses what pages about other kinds than channels do not show.
    pub(super) fn refuse_what_is_of_channels(&self, what: &str) -> Result<()> {
        refuse(
            &[("audit", self.audit.is_some()), ("ledger", self.ledger.is_some()), ("prior", self.priors.is_some())],
            what,
        )
    }

    /// Refuses estimates too.
    pub(super) fn refuse_all(&self, what: &str) -> Result<()> {
        self.refuse_what_is_of_channels(what)?;
        refuse(&[("estimate", self.estimates.is_some())], what)
    }
}

fn refuse(options: &[(&'static str, bool)], what: &str) -> Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            let why = format!(" is shown for channels between categories, and this file is {what}");
            Err(Error::input(Sentence::new().option(option).text(why)))
        }
    }
}
