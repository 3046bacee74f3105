//! Profiles that are known up to limits: how sure they are, and what it costs not to trust them.

use super::laws::MOST_CATEGORIES;
use super::{Page, errors, words};
use crate::plot::{Axis, Bar, BarRow, Bars, Style};
use lookalike::certify::{Achieved, Certificate, certify_within};
use lookalike::design::{Design, survival};
use lookalike::exact::{Direction, Rational, decimal, to_f64};
use lookalike::model::{Limits, Mechanism, Prior};
use maud::{Markup, html};

/// What is compared with a mechanism whose profiles have limits.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    /// The least noisy mechanism that takes the profiles for right.
    pub(super) trusting: Design,
    /// The objective of local DP.
    pub(super) local: f64,
}

/// More bars than this are not drawn one by one.
const MOST_BARS: usize = 200;

/// How sure the profiles are: each probability with its limits, or of many how wide these are.
pub(super) fn limits(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let (limits, inputs) = (mechanism.limits(), mechanism.inputs().len());
    if limits.is_empty() {
        return html! {};
    }
    let float = |value: Rational| to_f64(&value, Direction::Nearest);
    let widths = limits.iter().flat_map(|limits| (0..inputs).map(|x| room(limits, x)));
    let (sum, most) = widths.fold((0.0, 0.0f64), |(sum, most), width| (sum + width, most.max(width)));
    let names = mechanism.graph().names();
    let is_small = limits.len() * inputs <= MOST_BARS && inputs <= MOST_CATEGORIES;
    let row = |(secret, limits): (usize, &Limits)| {
        let bar = |x: usize| {
            let interval = limits.ends(x).map(float);
            Bar { value: float(mechanism.profiles()[secret].probability(x)), interval: Some(interval.into()) }
        };
        BarRow { name: words::cut(names.name(secret as u32), 48), bars: (0..inputs).map(bar).collect() }
    };
    html! {
        p {
            "How sure the profiles are: the promise holds for every law within the limits of each profile. From the lower limit of "
            "a probability to the upper one it is " (format!("{:.4}", sum / (limits.len() * inputs) as f64)) " on average, and "
            (format!("{most:.4}")) " at most."
        }
        @if is_small {
            div class="figures" { figure {
                (Bars {
                    title: "The profiles, and how far the true ones may be from them".into(),
                    axis: Axis::new("probability"),
                    series: (0..inputs)
                        .map(|x| (words::cut(mechanism.inputs().names().name(x as u32), 24), Style::Plain(x)))
                        .collect(),
                    rows: limits.iter().enumerate().map(row).collect(),
                }
                .svg())
                figcaption { "Bars are the profiles; the lines reach from the lower limits to the upper ones." }
            } }
        }
    }
}

fn room(limits: &Limits, x: usize) -> f64 {
    let [least, most] = limits.ends(x);
    to_f64(&(most - least), Direction::Nearest)
}

/// What it costs to trust the profiles, not to, and to have no profiles, side by side.
pub(super) fn costs(page: &Page<'_>) -> Markup {
    let (Some(compared), true) = (page.compared, page.is_square()) else { return html! {} };
    let ours = page.file.objective.as_ref().and_then(|objective| objective.get("value")?.as_f64());
    let limits = page.mechanism().limits();
    let row = |name: &str, mechanism: &Mechanism, value: Option<f64>| Row {
        name: name.into(),
        value,
        wrong: errors::mean(mechanism),
        kept: kept(mechanism).into_iter().flatten().reduce(f64::min),
        within: certify_within(mechanism, limits).ok().map(|verdict| match verdict {
            Ok(certificate) => of(&certificate),
            Err(violation) => of(violation.certificate()),
        }),
    };
    let Compared { trusting, local } = compared;
    let rows = [
        row("the profiles taken for right", &trusting.mechanism, Some(trusting.objective.value)),
        row("these limits: this mechanism", page.mechanism(), ours),
        row("local DP, which needs no profiles", page.baseline, Some(*local)),
    ];
    html! {
        div class="scroll" {
            table {
                caption { "What it costs not to trust the profiles" }
                thead { tr {
                    th { "least noise for" }
                    th class="number" { "objective" }
                    th class="number" { "wrong values" }
                    th class="number" { "least kept of a category" }
                    th class="number" { "ε of the worst pair within the limits" }
                } }
                tbody {
                    @for row in &rows {
                        tr {
                            td { (row.name) }
                            td class="number" { (row.value.map_or_else(String::new, |value| format!("{value:.5}"))) }
                            td class="number" { (format!("{:.1} %", 100.0 * row.wrong)) }
                            td class="number" { (row.kept.map_or_else(String::new, |kept| format!("{:.1} %", 100.0 * kept))) }
                            td class="number" { (row.within.as_deref().unwrap_or_default()) }
                        }
                    }
                }
            }
        }
        p class="note" {
            "The last column is what each would promise for all laws within the limits, whatever it was designed for; figures of cost "
            "are at the profiles, all of which weigh the same."
        }
    }
}

struct Row {
    name: String,
    value: Option<f64>,
    wrong: f64,
    kept: Option<f64>,
    within: Option<String>,
}

/// The true ε of the worst pair, rounded up.
fn of(certificate: &Certificate) -> String {
    match certificate.worst().achieved() {
        Achieved::Infinite => "infinite".to_owned(),
        Achieved::Within(interval) => format!("at most {}", decimal(&interval.upper().to_rational(), 4, Direction::Up)),
    }
}

/// How much of each category is released unchanged.
fn kept(mechanism: &Mechanism) -> Vec<Option<f64>> {
    let uniform = Prior::uniform(mechanism.graph().names().len());
    uniform.map_or_else(|_| Vec::new(), |prior| survival(mechanism, &prior))
}

/// What each category keeps, beside what local DP would keep of it: an error alone does not say which values it hits.
pub(super) fn survivals(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    if mechanism.limits().is_empty() || !page.is_square() || mechanism.inputs().len() > MOST_CATEGORIES {
        return html! {};
    }
    let row = |(name, (ours, theirs)): (&str, (Option<f64>, Option<f64>))| {
        let bar = |share: Option<f64>| Bar::new(share.unwrap_or(0.0));
        BarRow { name: words::cut(name, 48), bars: vec![bar(ours), bar(theirs)] }
    };
    let both = kept(mechanism).into_iter().zip(kept(page.baseline));
    let bars = Bars {
        title: "How much of each category survives".into(),
        axis: Axis::new("share of its records that are released unchanged"),
        series: vec![
            ("this mechanism".into(), Style::Ours),
            ("local DP (randomized response)".into(), Style::Baseline),
        ],
        rows: mechanism.inputs().names().iter().zip(both).map(row).collect(),
    };
    html! { figure { (bars.svg()) } }
}
