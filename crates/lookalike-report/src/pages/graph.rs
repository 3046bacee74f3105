//! Who must look alike, and which pairs set the noise.

use super::errors::first;
use super::tightness::Tightness;
use super::{MOST_SECRETS, Page, words};
use crate::plot::{Axis, Bar, BarRow, Bars, GraphEdge, GraphGroup, GraphPicture, Style};
use maud::{Markup, html};

/// More edges than this are a hairball.
const MOST_EDGES: usize = 100;
/// Rows of the table of the tightest.
const MOST_ROWS: usize = 10;

pub(super) fn section(page: &Page<'_>, tightness: &[Tightness]) -> Markup {
    let graph = page.mechanism().graph();
    let joined = graph.components().iter().filter(|part| part.len() > 1).map(Vec::len).sum::<usize>();
    let is_small = joined <= MOST_SECRETS && graph.edges().len() <= MOST_EDGES && graph.groups().len() <= 12;
    html! {
        section {
            h2 { "Who must look alike" }
            p {
                (words::count(joined as u64, page.secret())) " in " (parts(graph.edges().len(), graph.groups().len()))
                ". A pair that uses all of its budget decides how much noise is needed; one that uses little would look alike "
                "anyway."
            }
            div class="figures wide" {
                @if is_small { figure { (picture(page, tightness).svg()) } }
                @else { (summary(page, tightness)) }
                (tightest(page, tightness))
            }
        }
    }
}

fn parts(edges: usize, groups: usize) -> String {
    let (edges, groups) = (words::count(edges as u64, "edge"), words::count(groups as u64, "group"));
    match (edges.starts_with("0 "), groups.starts_with("0 ")) {
        (true, _) => groups,
        (_, true) => edges,
        _ => format!("{edges} and {groups}"),
    }
}

fn picture(page: &Page<'_>, tightness: &[Tightness]) -> GraphPicture {
    let graph = page.mechanism().graph();
    let (of_edges, of_groups) = tightness.split_at(graph.edges().len());
    let used = |tightness: &Tightness| {
        let [one, other] = tightness.pair.map(|secret| words::cut(graph.names().name(secret), 30));
        format!("{one} and {other}: {} used", percent(tightness.share()))
    };
    let edge = |(edge, tightness): (&lookalike::model::Edge, &Tightness)| GraphEdge {
        ends: edge.ends().map(|end| end as usize),
        tightness: tightness.share(),
        hint: used(tightness),
    };
    let group = |(group, tightness): (&lookalike::model::Group, &Tightness)| GraphGroup {
        members: group.members().iter().map(|&member| member as usize).collect(),
        tightness: tightness.share(),
        tightest: tightness.pair.map(|secret| secret as usize),
        hint: format!("group {}: tightest pair {}", words::cut(group.name(), 30), used(tightness)),
    };
    // Only what is drawn needs a name.
    GraphPicture {
        title: "How much of its budget each pair or group uses".into(),
        nodes: graph.names().iter().map(|name| words::cut(name, 48)).collect(),
        edges: graph.edges().iter().zip(of_edges).map(edge).collect(),
        groups: graph.groups().iter().zip(of_groups).map(group).collect(),
    }
}

/// How many edges and groups use how much of their budget.
fn summary(page: &Page<'_>, tightness: &[Tightness]) -> Markup {
    const ENDS: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 0.99, f64::INFINITY];
    const NAMES: [&str; 5] = ["below 25 %", "25 to 50 %", "50 to 75 %", "75 to 99 %", "99 % and more"];
    if tightness.len() < 5 {
        return html! {};
    }
    let within = |at: usize| tightness.iter().filter(|one| (ENDS[at]..ENDS[at + 1]).contains(&one.share())).count();
    let row = |at: usize| BarRow { name: NAMES[at].into(), bars: vec![Bar::new(within(at) as f64)] };
    let groups = if page.mechanism().graph().groups().is_empty() { "" } else { " and groups" };
    let bars = Bars {
        title: format!("Edges{groups} by how much of their budget is used"),
        axis: Axis::new(format!("number of edges{groups}")),
        series: vec![("number".into(), Style::Ours)],
        rows: (0..NAMES.len()).map(row).collect(),
    };
    html! {
        figure {
            (bars.svg())
            figcaption { "Too many to draw." @if !groups.is_empty() { " A group counts by its tightest pair." } }
        }
    }
}

/// The tightest edges and groups, where there are more than can be seen at a glance.
fn tightest(page: &Page<'_>, tightness: &[Tightness]) -> Markup {
    let graph = page.mechanism().graph();
    // What differs in the last bits of a float is equally tight.
    let rank = |one: &Tightness| (one.share() * 1e9).round();
    let order = first(tightness.len(), MOST_ROWS, |a, b| rank(&tightness[b]).total_cmp(&rank(&tightness[a])));
    let has_groups = !graph.groups().is_empty();
    let group = |at: usize| match at.checked_sub(graph.edges().len()).map(|at| &graph.groups()[at]) {
        Some(group) => html! { (words::name(group.name())) " (" (words::grouped(group.members().len() as u64)) ")" },
        None => html! {},
    };
    let epsilons: Vec<_> = graph.constraints().map(|constraint| constraint.epsilon).collect();
    html! {
        div class="scroll" {
            table {
                caption {
                    @if tightness.len() > MOST_ROWS {
                        "The " (MOST_ROWS) " tightest of " (words::grouped(tightness.len() as u64))
                    } @else if has_groups { "The tightest first; a group by its tightest pair" }
                    @else { "The tightest first" }
                }
                thead { tr {
                    th { "pair" } @if has_groups { th { "group" } } th { "at output" }
                    @for head in ["true ε", "claimed ε", "used"] { th class="number" { (head) } }
                } }
                tbody {
                    @for at in order {
                        @let one = &tightness[at];
                        tr {
                            td { (words::names(one.pair.iter().map(|&secret| graph.names().name(secret)), 2)) }
                            @if has_groups { td { (group(at)) } }
                            td { (words::name(page.mechanism().outputs().names().name(one.output))) }
                            td class="number" { (format!("{:.5}", one.achieved.min(one.claimed))) }
                            td class="number" { (words::epsilon(epsilons[at])) }
                            td class="number" { (percent(one.share())) }
                        }
                    }
                }
            }
        }
    }
}

/// A share, never shown as the whole unless it is next to it.
fn percent(share: f64) -> String {
    format!("{:.0} %", (100.0 * share).floor().max(if share > 0.999_999 { 100.0 } else { 0.0 }))
}
