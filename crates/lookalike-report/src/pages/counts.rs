//! A mechanism over counts: which properties it has, and how often it is wrong beside those with a closed form.

use super::{Page, trade_off, words};
use crate::plot::{Axis, LineChart, Mark, Series, Style};
use lookalike::certify::certify;
use lookalike::counts::{
    Alpha, CLOSED_FORMS, ClosedForm, CountLoss, Finding, Violation, check, neighbour_epsilons, score,
};
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::{Epsilon, Mechanism, Prior};
use maud::{Markup, html};
use rayon::prelude::*;

/// The curve over n has every size up to here, whatever that of the mechanism is.
const EVERY_SIZE: usize = 24;
/// Above it every fourth.
const STEP: usize = 4;
/// Curves for larger groups would take long.
const LARGEST: usize = 64;
/// The curve over α has the multiples of this part of 1.
const PARTS: i64 = 20;

/// Whether the page has this section.
///
/// Two categories "0" and "1" are bits as often as the counts of one person: then the objective tells.
pub(super) fn is_about(page: &Page<'_>) -> bool {
    let neighbours = neighbour_epsilons(page.mechanism()).map_or(0, |epsilons| epsilons.len());
    page.is_square() && (neighbours > 1 || neighbours == 1 && trade_off::is_of_counts(page))
}

pub(super) fn section(page: &Page<'_>) -> Markup {
    if !is_about(page) {
        return html! {};
    }
    let (Ok(findings), Ok(l0)) = (check(page.mechanism()), l0(page.mechanism())) else {
        return html! {};
    };
    let epsilons = neighbour_epsilons(page.mechanism()).unwrap_or_default();
    let n = epsilons.len();
    html! {
        section {
            h2 { "Counts" }
            p {
                "The values are counts: how many of n = " (n) " people have something. How often a wrong count is released, \
                 if every count is equally frequent and on a scale where guessing has 1, is the score L" sub { "0" } ": "
                strong { (decimals(l0)) } " for this mechanism."
            }
            (properties(&findings))
            @match curves(&epsilons, n) {
                Ok(curves) => (curves.figures(page, l0)),
                Err(reason) => p class="note" {
                    "There are no curves over n and α: " (reason) ". "
                    code { "lookalike counts compare" } " prints such numbers as a table."
                },
            }
        }
    }
}

/// The score L_0 for equally frequent counts.
fn l0(mechanism: &Mechanism) -> lookalike::Result<f64> {
    let prior = Prior::uniform(mechanism.inputs().len())?;
    Ok(to_f64(&score(mechanism, &prior, CountLoss::L0)?, Direction::Nearest))
}

fn decimals(value: f64) -> String {
    format!("{value:.5}")
}

fn properties(findings: &[Finding]) -> Markup {
    let short = |violation: &Violation| {
        let by = to_f64(&violation.by, Direction::Nearest);
        let by = if by < 5e-6 { "less than 0.00001".to_owned() } else { decimals(by) };
        let reference = violation.reference.map_or_else(|| "1/(n+1)".to_owned(), |cell| cell.to_string());
        format!("no: {} is less than {reference} by {by}", violation.cell)
    };
    html! {
        div class="scroll" {
            table {
                caption { "Properties, decided exactly. P[i|j] is the probability to release i for the true count j." }
                thead { tr { th { "property" } th { "what it says" } th { "holds" } } }
                tbody {
                    @for Finding { property, violation } in findings {
                        tr {
                            td { (property.name()) " (" (property.code()) ")" }
                            td { (property.meaning()) }
                            td { (violation.as_ref().map_or_else(|| "yes".to_owned(), short)) }
                        }
                    }
                }
            }
        }
    }
}

/// L_0 of the closed forms at one n and α.
struct Point {
    n: usize,
    alpha: Alpha,
    scores: Vec<f64>,
}

/// The points around a mechanism for groups of n at α.
struct Curves {
    n: usize,
    alpha: Alpha,
    over_n: Vec<Point>,
    over_alpha: Vec<Point>,
}

/// The curves, or why there are none.
fn curves(epsilons: &[&Epsilon], n: usize) -> Result<Curves, String> {
    if epsilons.iter().any(|epsilon| *epsilon != epsilons[0]) {
        return Err("neighbours have different budgets here, so there is no one α".into());
    }
    if n > LARGEST {
        return Err(format!("for groups of more than {LARGEST} they would take long"));
    }
    let alpha = Alpha::from_epsilon(epsilons[0].clone());
    let of_sizes: Vec<(usize, Alpha)> = sizes(n).into_iter().map(|n| (n, alpha.clone())).collect();
    let of_alphas: Vec<(usize, Alpha)> = alphas(&alpha)?.into_iter().map(|alpha| (n, alpha)).collect();
    let points = |places: Vec<(usize, Alpha)>| places.into_par_iter().map(point).collect::<Result<Vec<_>, _>>();
    Ok(Curves { n, alpha, over_n: points(of_sizes)?, over_alpha: points(of_alphas)? })
}

/// The sizes of the curve over n, that of the mechanism among them.
fn sizes(n: usize) -> Vec<usize> {
    let more = (EVERY_SIZE + STEP..n).step_by(STEP);
    let mut sizes: Vec<usize> = (1..=EVERY_SIZE).chain(more).collect();
    if !sizes.contains(&n) {
        sizes.push(n);
    }
    sizes
}

/// The α of the curve, that of the mechanism among them.
fn alphas(own: &Alpha) -> Result<Vec<Alpha>, String> {
    let parts = (1..PARTS).map(|part| Alpha::new(Rational::new(part.into(), PARTS.into())));
    let mut alphas = parts.collect::<lookalike::Result<Vec<_>>>().map_err(|error| error.to_string())?;
    if !alphas.contains(own) {
        alphas.push(own.clone());
    }
    alphas.sort_by(|one, other| one.to_f64().total_cmp(&other.to_f64()));
    Ok(alphas)
}

/// The scores of the closed forms, each certified.
fn point((n, alpha): (usize, Alpha)) -> Result<Point, String> {
    let score = |(name, form): &(&str, ClosedForm)| {
        let proved = form(n, &alpha).map(certify).map_err(|error| format!("{name}: {error}"))?;
        let proved = proved.map_err(|violation| format!("{name}: {violation}"))?;
        l0(proved.mechanism()).map_err(|error| error.to_string())
    };
    let scores = CLOSED_FORMS.iter().map(score).collect::<Result<_, String>>()?;
    Ok(Point { n, alpha, scores })
}

impl Curves {
    fn figures(&self, page: &Page<'_>, l0: f64) -> Markup {
        let farther = page.certified.certificate().pairs() > self.n as u64;
        html! {
            p {
                "Below, this mechanism stands beside four others for counts at the same α = "
                (self.alpha) ": GM, geometric noise cut off at 0 and n, which has the least L" sub { "0" }
                " without demands; WM, which has the least with WH; EM, which has the least with F; and UM, which guesses. \
                Each point is a mechanism of its own, proved."
                @if farther { " This mechanism also has budgets for counts that differ by more than one person; the four keep only what \
                    follows from neighbours." }
            }
            div class="figures" {
                figure { (self.chart_over_n(l0).svg()) }
                figure { (self.chart_over_alpha(l0).svg()) }
                (self.table("n", &format!("α = {}", self.alpha), &self.over_n, l0, |point| {
                    (point.n.to_string(), point.n <= STEP || point.n.is_multiple_of(STEP))
                }))
                (self.table("α", &format!("n = {}", self.n), &self.over_alpha, l0, |point| {
                    let tenths = Rational::from_integer(10.into());
                    (alpha_text(&point.alpha), point.alpha.exact().is_some_and(|alpha| (alpha * tenths).is_integer()))
                }))
            }
        }
    }

    fn chart_over_n(&self, l0: f64) -> LineChart {
        LineChart {
            title: format!("Wrong counts at α = {}", alpha_text(&self.alpha)),
            x: Axis::new("n, the people of a group"),
            y: Axis::new("L_0"),
            series: self.series(&self.over_n, l0, |point| point.n as f64),
            marks: vec![Mark { x: self.n as f64, label: format!("this mechanism: n = {}", self.n) }],
        }
    }

    fn chart_over_alpha(&self, l0: f64) -> LineChart {
        let alpha = alpha_text(&self.alpha);
        LineChart {
            title: format!("Wrong counts for groups of {}", self.n),
            x: Axis::new("α; to the right there is more privacy").from_to(0.0, 1.0),
            y: Axis::new("L_0").from_to(0.0, 1.0),
            series: self.series(&self.over_alpha, l0, |point| point.alpha.to_f64()),
            marks: vec![Mark { x: self.alpha.to_f64(), label: format!("this mechanism: α = {alpha}") }],
        }
    }

    fn series(&self, points: &[Point], l0: f64, x: fn(&Point) -> f64) -> Vec<Series> {
        let styles = [Style::Plain(4), Style::Plain(2), Style::Plain(3), Style::Baseline];
        let line = |(at, style): (usize, Style)| Series {
            name: CLOSED_FORMS[at].0.into(),
            points: points.iter().map(|point| (x(point), point.scores[at])).collect(),
            style,
        };
        let own = points.iter().filter(|point| self.is_own(point)).map(|point| (x(point), l0)).collect();
        let own = Series { name: "this mechanism".into(), points: own, style: Style::Ours };
        styles.into_iter().enumerate().map(line).chain([own]).collect()
    }

    /// Whether a point is at the n and α of the mechanism.
    fn is_own(&self, point: &Point) -> bool {
        (point.n, &point.alpha) == (self.n, &self.alpha)
    }

    /// Some of the points, that of the mechanism among them; `named` says what a point is called and whether it is listed.
    fn table(&self, what: &str, fixed: &str, points: &[Point], l0: f64, named: fn(&Point) -> (String, bool)) -> Markup {
        let listed = || points.iter().filter(|point| named(point).1 || self.is_own(point));
        html! {
            div class="scroll" {
                table {
                    caption { "L" sub { "0" } " over " (what) " at " (fixed) }
                    thead { tr {
                        th { (what) }
                        @for (name, _) in CLOSED_FORMS { th class="number" { (name) } }
                        th class="number" { "this one" }
                    } }
                    tbody { @for point in listed() { tr {
                        td { (named(point).0) }
                        @for score in &point.scores { td class="number" { (decimals(*score)) } }
                        td class="number" { @if self.is_own(point) { strong { (decimals(l0)) } } }
                    } } }
                }
            }
        }
    }
}

/// α to at most five decimals, or as it is written where these would make it 0 or 1.
fn alpha_text(alpha: &Alpha) -> String {
    let text = decimals(alpha.to_f64());
    match text.trim_end_matches('0').trim_end_matches('.') {
        "0" | "1" => words::cut(&alpha.to_string(), 24),
        shorter => shorter.to_owned(),
    }
}
