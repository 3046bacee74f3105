//! The channels: what happens to each value.

use super::laws::MOST_CATEGORIES;
use super::{Page, words};
use crate::plot::HeatMap;
use lookalike::design::ImpossibleInputs;
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{Channel, Kind};
use maud::{Markup, html};

/// More maps than this tell a reader nothing new.
const MOST_MAPS: usize = 12;
/// The same for maps of many categories.
const MOST_LARGE_MAPS: usize = 4;
/// A value that is changed less often than this is as good as kept: it was given up for exactness.
const NEARLY: f64 = 1e-9;

/// A channel and who uses it.
struct Used<'a> {
    channel: &'a Channel,
    secrets: Vec<u32>,
    /// The least probability with which a value that one of them can have is kept.
    kept: f64,
}

pub(super) fn section(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let mut used = used(page);
    let mut without = |least: f64| -> Vec<u32> {
        let taken = used.extract_if(.., |one| page.is_square() && one.kept >= least);
        let mut secrets: Vec<u32> = taken.flat_map(|one| one.secrets).collect();
        secrets.sort_unstable();
        secrets
    };
    let (idle, nearly_idle) = (without(1.0), without(1.0 - NEARLY));
    let total = used.len();
    let most = if mechanism.inputs().len().max(mechanism.outputs().len()) <= 12 { MOST_MAPS } else { MOST_LARGE_MAPS };
    used.truncate(most);
    let is_drawn = mechanism.inputs().len().max(mechanism.outputs().len()) <= MOST_CATEGORIES;
    html! {
        section {
            h2 { "What happens to a value" }
            p {
                @match mechanism.kind() {
                    Kind::Aware => "Each device knows its profile and draws what it releases from its own table: ",
                    Kind::Shared => "One table serves everybody, so no device need know its profile: ",
                    _ => "One table serves everybody: ",
                }
                "the row is the true value, the columns what may be released."
                @if mechanism.kind() == Kind::Point {
                    " The rows are all that an observer can go by: those of a protected pair must be alike."
                }
            }
            @if ImpossibleInputs::are_released_by_law(mechanism) {
                p {
                    "The row of a value that the profile never has is the profile's own law of what is released: should the "
                    "value occur all the same, it shows nothing."
                }
            }
            @if !idle.is_empty() { (unchanged(page, "Released unchanged", &idle)) }
            @if !nearly_idle.is_empty() { (unchanged(page, "Changed less than once in a billion times", &nearly_idle)) }
            @if total > most {
                p { "The " (most) " noisiest of " (words::count(total as u64, "table")) ":" }
            }
            @if is_drawn {
                div class="tiles" { @for one in &used { figure { (map(page, one).svg()) } } }
            } @else if total > 0 {
                p { (kept(&used, mechanism.inputs().len())) }
            }
        }
    }
}

/// Who needs no table: they look alike already.
fn unchanged(page: &Page<'_>, how: &str, secrets: &[u32]) -> Markup {
    let names = page.mechanism().graph().names();
    html! {
        p {
            (how) ": "
            @if page.mechanism().kind() == Kind::Aware {
                (words::names(secrets.iter().map(|&secret| names.name(secret)), 20))
            } @else { "every value" }
            "."
        }
    }
}

/// The distinct channels with their secrets, the noisiest first.
fn used<'a>(page: &Page<'a>) -> Vec<Used<'a>> {
    let mechanism = page.certified.mechanism();
    let kept = |channel: &Channel, secrets: &[u32]| {
        let size = channel.inputs().min(channel.outputs());
        let profiles = mechanism.profiles();
        let is_possible = |x: &usize| {
            let has = |&secret: &u32| profiles.get(secret as usize).is_none_or(|law| !law.numerator(*x).is_zero());
            secrets.iter().any(has)
        };
        let least = (0..size).filter(is_possible).map(|x| channel.weight(x, x)).min().unwrap_or(0);
        if least == channel.scale() { 1.0 } else { (least as f64 / channel.scale() as f64).min(1.0 - f64::EPSILON) }
    };
    let mut used: Vec<Used<'a>> =
        mechanism.channels().iter().map(|channel| Used { channel, secrets: Vec::new(), kept: 0.0 }).collect();
    for (secret, &place) in (0u32..).zip(mechanism.assignment()) {
        used[place as usize].secrets.push(secret);
    }
    used.retain(|one| !one.secrets.is_empty());
    used.iter_mut().for_each(|one| one.kept = kept(one.channel, &one.secrets));
    used.sort_by(|one, other| one.kept.total_cmp(&other.kept));
    used
}

fn map(page: &Page<'_>, used: &Used<'_>) -> HeatMap {
    let (mechanism, channel) = (page.mechanism(), used.channel);
    let probability = |x: usize, y: usize| to_f64(&channel.probability(x, y), Direction::Nearest);
    let names = |categories: &lookalike::model::Categories| -> Vec<String> {
        categories.names().iter().map(|name| words::cut(name, 48)).collect()
    };
    HeatMap {
        title: title(page, used),
        row_label: "true".into(),
        column_label: "released".into(),
        rows: names(mechanism.inputs()),
        columns: names(mechanism.outputs()),
        values: (0..channel.inputs()).map(|x| (0..channel.outputs()).map(|y| probability(x, y)).collect()).collect(),
    }
}

/// Whose table it is. Isolates keep a name that runs from right to left from turning its neighbours around.
fn title(page: &Page<'_>, used: &Used<'_>) -> String {
    const MOST: usize = 3;
    if page.mechanism().kind() != Kind::Aware {
        return "Everybody".to_owned();
    }
    let names = page.mechanism().graph().names();
    let first =
        used.secrets.iter().take(MOST).map(|&secret| format!("\u{2068}{}\u{2069}", words::cut(names.name(secret), 24)));
    let first = first.collect::<Vec<_>>().join(", ");
    match used.secrets.len().saturating_sub(MOST) {
        0 => first,
        more => format!("{first} and {} more", words::grouped(more as u64)),
    }
}

/// The tables in words, where there are too many categories to draw.
fn kept(used: &[Used<'_>], inputs: usize) -> String {
    let least = used.iter().map(|one| one.kept).fold(1.0, f64::min);
    let most = used.iter().map(|one| one.kept).fold(0.0, f64::max);
    format!(
        "The tables have {inputs} rows, too many to draw. The value most often changed is kept with probability {}.",
        if most - least < 5e-5 { format!("{least:.4}") } else { format!("{least:.4} to {most:.4}, by table") }
    )
}
