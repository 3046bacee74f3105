//! Counts of small groups of the people of UCI Adult: the root mean squared error of what is released.

use crate::adult::{ATTRIBUTES, Adult};
use crate::experiment::{Chart, Finding, Outcome};
use crate::proved::{certified, float};
use crate::sampled_squares::{Draws, SampledSquares};
use crate::table::{Cell, Table};
use lookalike::certify::Certified;
use lookalike::counts::{CLOSED_FORMS, CountLoss, expected_loss};
use lookalike::exact::Rational;
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Axis, LineChart, Series, Style};

/// The sizes of groups; the slides name none.
const SIZES: [usize; 5] = [2, 4, 8, 16, 32];
const LARGEST: usize = SIZES[SIZES.len() - 1];
/// The range of α, which the slides call wide.
const ALPHAS: [&str; 11] = ["0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95", "0.99"];
/// The size of the curves over α, and the α of the curves over n and of the highlights.
const SIZE: usize = 8;
const ALPHA: &str = "0.9";
/// How often the count of each group is drawn, and from which seed.
const REPETITIONS: u64 = 10;
const SEED: u64 = 1;
/// The share of seeds that fail the check of the draws although all is well: at most one in a million.
const FALSE_ALARM: f64 = 1e-6;

/// The mechanisms for groups of one size at one α, in the order of [`CLOSED_FORMS`].
struct Design {
    n: usize,
    alpha: &'static str,
    proved: Vec<Certified<Mechanism>>,
}

/// An attribute of groups of one size, released at one α.
struct Setting {
    attribute: usize,
    n: usize,
    alpha: &'static str,
    groups: usize,
    releases: Vec<Release>,
}

/// What one mechanism does to the counts of a setting.
struct Release {
    /// The mean squared error over the groups, expected exactly.
    expected: Rational,
    drawn: SampledSquares,
}

impl Setting {
    fn of(adult: &Adult, attribute: usize, design: &Design, draws: &mut Draws) -> Result<Setting> {
        let counts = adult.counts(attribute, design.n);
        let prior = Prior::new(&frequencies(&counts, design.n))?;
        let mut release = |proved: &Certified<Mechanism>| {
            let expected = expected_loss(proved.mechanism(), &prior, CountLoss::L2)?;
            let drawn = draws.squares(proved, &counts, REPETITIONS, &expected)?;
            Ok(Release { expected, drawn })
        };
        let releases = design.proved.iter().map(&mut release).collect::<Result<_>>()?;
        Ok(Setting { attribute, n: design.n, alpha: design.alpha, groups: counts.len(), releases })
    }

    /// The squared error of a mechanism.
    fn error(&self, name: &str) -> &Rational {
        let at = CLOSED_FORMS.iter().position(|(known, _)| *known == name).expect("a constant");
        &self.releases[at].expected
    }

    /// The least squared error of these.
    fn least(&self, names: &[&str]) -> &Rational {
        names.iter().map(|name| self.error(name)).min().expect("some names")
    }
}

/// For groups of several sizes and a range of α: how far the released counts are off, expected exactly and drawn.
pub(crate) fn run(adult: &Adult) -> Result<Outcome> {
    let people = adult.people();
    if people < SIZES[SIZES.len() - 1] {
        return Err(Error::input(format!(
            "{people} people, expected enough for a group of {}",
            SIZES[SIZES.len() - 1]
        )));
    }
    let designs = SIZES.into_iter().flat_map(|n| ALPHAS.map(|alpha| design(n, alpha)));
    let (designs, mut draws) = (designs.collect::<Result<Vec<_>>>()?, Draws::new(SEED));
    let each = (0..ATTRIBUTES.len()).flat_map(|attribute| designs.iter().map(move |design| (attribute, design)));
    let settings = each.map(|(attribute, design)| Setting::of(adult, attribute, design, &mut draws));
    let settings = settings.collect::<Result<Vec<_>>>()?;
    let over_alpha = (0..ATTRIBUTES.len()).map(|attribute| chart_over_alpha(&settings, attribute));
    let over_n = (0..ATTRIBUTES.len()).map(|attribute| chart_over_n(&settings, attribute));
    Ok(Outcome {
        caption: format!(
            "The {people} people of UCI Adult in the order of the file, in groups of n; those left over at the end are in \
             no group. How many of each group have an attribute is released by GM, WM, EM and UM, each certified at α. \
             The root mean squared error is over all groups, in people: its square is the exact expectation. The table \
             also has that of {REPETITIONS} draws for each group, seeded with {SEED}."
        ),
        table: table(&settings),
        highlights: highlights(&settings),
        charts: over_alpha.chain(over_n).collect(),
        findings: findings(&settings),
        open: vec![
            "Which attributes, which sizes, and who is in a group with whom: shown are three attributes, sizes from 2 to 32 \
             and groups in the order of the file. All four mechanisms are symmetric, so that counting women, for one, \
             gives the same errors."
                .into(),
            "The slides' WM is the best with WH, and has CM in their table; the WM here has WH alone.".into(),
        ],
    })
}

fn design(n: usize, alpha: &'static str) -> Result<Design> {
    let privacy = alpha.parse()?;
    let proved = CLOSED_FORMS.into_iter().map(|(_, form)| certified(form(n, &privacy)?)).collect::<Result<_>>()?;
    Ok(Design { n, alpha, proved })
}

/// How many groups have each count from 0 to n.
fn frequencies(counts: &[u32], n: usize) -> Vec<Rational> {
    let mut groups = vec![0u64; n + 1];
    counts.iter().for_each(|&count| groups[count as usize] += 1);
    groups.into_iter().map(|groups| Rational::from_integer(groups.into())).collect()
}

/// The root to twelve decimals, rounded down: twice as many as are printed.
fn root(square: &Rational) -> Rational {
    let unit = Rational::from_integer(10i64.pow(12).into());
    Rational::from_integer((square * &unit * &unit).to_integer().sqrt()) / unit
}

fn table(settings: &[Setting]) -> Table {
    let names = CLOSED_FORMS.map(|(name, _)| name.to_lowercase());
    let drawn = names.each_ref().map(|name| format!("{name}_drawn"));
    let start = ["attribute", "n", "groups", "alpha"].map(str::to_owned);
    let mut table = Table::new(start.into_iter().chain(names).chain(drawn));
    for setting in settings {
        let start = [
            Cell::from(ATTRIBUTES[setting.attribute].name),
            setting.n.to_string().into(),
            setting.groups.to_string().into(),
            setting.alpha.into(),
        ];
        let exact = setting.releases.iter().map(|release| Cell::from(root(&release.expected)));
        let drawn = setting.releases.iter().map(|release| Cell::from(root(&release.drawn.mean())));
        table.row(start.into_iter().chain(exact).chain(drawn));
    }
    table
}

fn highlights(settings: &[Setting]) -> Table {
    let names = CLOSED_FORMS.map(|(name, _)| name.to_owned());
    let start = [format!("RMSE at α = {ALPHA}"), "n".to_owned(), "groups".to_owned()];
    let mut table = Table::new(start.into_iter().chain(names));
    for setting in settings.iter().filter(|setting| setting.alpha == ALPHA) {
        let name = ATTRIBUTES[setting.attribute].name;
        let start = [Cell::from(name), setting.n.to_string().into(), setting.groups.to_string().into()];
        table.row(start.into_iter().chain(setting.releases.iter().map(|release| Cell::from(root(&release.expected)))));
    }
    table
}

fn series<'a>(settings: impl Iterator<Item = &'a Setting> + Clone, x: impl Fn(&Setting) -> f64) -> Vec<Series> {
    let styles = [Style::Plain(0), Style::Plain(2), Style::Plain(3), Style::Baseline];
    let line = |(at, style): (usize, Style)| Series {
        name: CLOSED_FORMS[at].0.into(),
        points: settings.clone().map(|setting| (x(setting), float(&setting.releases[at].expected).sqrt())).collect(),
        style,
    };
    styles.into_iter().enumerate().map(line).collect()
}

fn chart_over_alpha(settings: &[Setting], attribute: usize) -> Chart {
    let here = settings.iter().filter(|setting| setting.attribute == attribute && setting.n == SIZE);
    let chart = LineChart {
        title: format!("{}: error in groups of {SIZE}", ATTRIBUTES[attribute].name),
        x: Axis::new("α; to the right there is more privacy").from_to(0.5, 1.0),
        y: Axis::new("root mean squared error, in people"),
        series: series(here, |setting| setting.alpha.parse().unwrap_or(f64::NAN)),
        marks: Vec::new(),
    };
    let suffix = if attribute == 0 { String::new() } else { ATTRIBUTES[attribute].short.to_owned() };
    Chart { suffix, chart: chart.into() }
}

fn chart_over_n(settings: &[Setting], attribute: usize) -> Chart {
    let here = settings.iter().filter(|setting| setting.attribute == attribute && setting.alpha == ALPHA);
    let chart = LineChart {
        title: format!("{}: error at α = {ALPHA}", ATTRIBUTES[attribute].name),
        x: Axis::new("n, the people of a group").from_to(0.0, LARGEST as f64),
        y: Axis::new("root mean squared error, in people"),
        series: series(here, |setting| setting.n as f64),
        marks: Vec::new(),
    };
    Chart { suffix: format!("{}-n", ATTRIBUTES[attribute].short), chart: chart.into() }
}

fn findings(settings: &[Setting]) -> Vec<Finding> {
    let all = settings.len();
    let count = |holds: &dyn Fn(&Setting) -> bool| settings.iter().filter(|setting| holds(setting)).count();
    let preferable = count(&|setting| setting.least(&["EM", "WM"]) <= setting.least(&["GM", "UM"]));
    let better = count(&|setting| setting.least(&["EM", "WM"]) < setting.least(&["GM", "UM"]));
    let meeting = count(&|setting| setting.error("WM") == setting.error("GM"));
    let fair = count(&|setting| setting.error("EM") <= setting.error("UM"));
    let geometric = count(&|setting| setting.error("GM") > setting.error("UM"));
    vec![
        Finding {
            statement: "EM and WM are generally preferable for a wide range of α.".into(),
            // "Generally" is read as nine of ten.
            holds: 10 * preferable >= 9 * all,
            evidence: format!(
                "one of them has the least error in {preferable} of {all} settings, less than GM and UM in {better}; WM is \
                 GM itself in {meeting}"
            ),
        },
        Finding {
            statement: "EM errs no more than guessing.".into(),
            holds: fair == all,
            evidence: format!("{fair} of {all} settings; GM errs more than guessing in {geometric}"),
        },
        draws(settings),
    ]
}

/// The check of all draws together: an expectation or a sampler that is wrong does not pass.
fn draws(settings: &[Setting]) -> Finding {
    let drawn = || settings.iter().flat_map(|setting| &setting.releases).map(|release| &release.drawn);
    let all = drawn().count();
    let near = drawn().filter(|drawn| drawn.is_near(FALSE_ALARM / all as f64)).count();
    let largest = drawn().map(|drawn| drawn.z().abs()).fold(0.0, f64::max);
    Finding {
        statement: "Counts that are drawn err as much as is expected.".into(),
        holds: near == all,
        evidence: format!(
            "{near} of {all} sums of squares; the farthest is {largest:.1} standard deviations off; at most one seed in a \
             million fails this by chance"
        ),
    }
}
