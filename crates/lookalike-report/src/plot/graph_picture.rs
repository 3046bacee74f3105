//! A small graph, with edges coloured by how tight they are.

use super::frame::{MARGIN, WIDTH, heading, name, picture, text};
use super::graph_layout::{Layout, lay_out};
use super::text::{LINE, SIZE, clean, coordinate as c, width};
use maud::{Markup, html};

/// A graph of at most a few dozen nodes. Groups are drawn as areas, not as all their pairs; nodes without an edge are
/// left out.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphPicture {
    /// What the picture says.
    pub title: String,
    /// The names of the nodes.
    pub nodes: Vec<String>,
    /// Single edges.
    pub edges: Vec<GraphEdge>,
    /// Nodes of which every two are joined.
    pub groups: Vec<GraphGroup>,
}

/// An edge of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdge {
    /// The two nodes.
    pub ends: [usize; 2],
    /// What is used of what is allowed, 0 to 1.
    pub tightness: f64,
    /// What is said when the edge is pointed at.
    pub hint: String,
}

/// A group of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphGroup {
    /// Its members, at least two.
    pub members: Vec<usize>,
    /// What its tightest pair uses of what is allowed, 0 to 1.
    pub tightness: f64,
    /// The tightest pair, drawn as an edge inside.
    pub tightest: [usize; 2],
    /// What is said when the group is pointed at.
    pub hint: String,
}

/// Steps of tightness: their upper ends and what the legend says.
pub(super) const STEPS: [(f64, &str); 5] =
    [(0.25, "below 25 %"), (0.5, "to 50 %"), (0.75, "to 75 %"), (0.99, "to 99 %"), (f64::INFINITY, "99 % and more")];

/// The step of a tightness.
pub(super) fn step(tightness: f64) -> usize {
    STEPS.iter().position(|(end, _)| tightness < *end).unwrap_or(STEPS.len() - 1)
}

impl GraphPicture {
    /// The picture as an `svg` element.
    pub fn svg(&self) -> Markup {
        let (heading, top) = heading(&self.title, MARGIN, WIDTH);
        let layout = lay_out(self, top + 4.0);
        let (legend, end) = legend(layout.bottom + 6.0);
        let body = html! {
            (heading)
            @for group in &self.groups { (area(group, &layout)) }
            @for label in &layout.labels {
                path class="leader" d=(segment(layout.places[label.node], (label.x, label.y))) {}
            }
            @for group in &self.groups { (line(group.tightest, group.tightness, &group.hint, &layout)) }
            @for edge in &self.edges { (line(edge.ends, edge.tightness, &edge.hint, &layout)) }
            @for &(x, y) in layout.drawn.iter().map(|&node| &layout.places[node]) {
                circle class="node" cx=(c(x)) cy=(c(y)) r="6" {}
            }
            @for label in &layout.labels {
                @let x = label.x + label.anchor.shift();
                (name(x, label.y + 4.5, label.anchor.class(), &self.nodes[label.node], label.room))
            }
            (legend)
        };
        picture((WIDTH, end + MARGIN), &self.title, &self.description(), body)
    }

    fn description(&self) -> String {
        let most = self.edges.iter().map(|edge| edge.tightness).chain(self.groups.iter().map(|group| group.tightness));
        let most = most.fold(0.0, f64::max);
        format!(
            "{} nodes, {} edges, {} groups; the tightest uses {:.0} % of what is allowed.",
            self.nodes.len(),
            self.edges.len(),
            self.groups.len(),
            100.0 * most
        )
    }
}

fn line(ends: [usize; 2], tightness: f64, hint: &str, layout: &Layout) -> Markup {
    let [from, to] = ends.map(|node| layout.places[node]);
    html! { path class={"edge t" (step(tightness))} d=(segment(from, to)) { title { (clean(hint)) } } }
}

fn segment(from: (f64, f64), to: (f64, f64)) -> String {
    format!("M{} {}L{} {}", c(from.0), c(from.1), c(to.0), c(to.1))
}

/// The area of a group: its members lie on a circle, so joining them in order goes around them.
fn area(group: &GraphGroup, layout: &Layout) -> Markup {
    let mut members = group.members.clone();
    members.sort_by(|&a, &b| layout.turns[a].total_cmp(&layout.turns[b]));
    let corners = members.iter().map(|&node| layout.places[node]);
    let path = corners.map(|(x, y)| format!("{} {}", c(x), c(y))).collect::<Vec<_>>().join("L");
    html! { path class={"area t" (step(group.tightness))} d={"M" (path) "Z"} { title { (clean(&group.hint)) } } }
}

fn legend(top: f64) -> (Markup, f64) {
    let (mut x, mut y) = (MARGIN, top + LINE);
    let mut placed = Vec::new();
    for (at, (_, label)) in STEPS.iter().enumerate() {
        let room = 30.0 + width(label, SIZE);
        if x > MARGIN && x + room > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LINE);
        }
        placed.push((at, x, y, label));
        x += room + SIZE;
    }
    let markup = html! {
        (text(MARGIN, top + 13.5, "soft", "Used of the claimed ε:"))
        @for (at, x, y, label) in &placed {
            path class={"edge t" (at)} d={"M" (c(*x)) " " (c(y + 9.0)) "h24"} {}
            (text(x + 30.0, y + 13.5, "", label))
        }
    };
    (markup, y + LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_an_area_and_not_all_its_pairs() {
        let picture = GraphPicture {
            title: "Who looks alike".into(),
            nodes: (0..12).map(|at| format!("n{at}")).collect(),
            edges: vec![GraphEdge { ends: [0, 11], tightness: 0.3, hint: "a & b".into() }],
            groups: vec![GraphGroup {
                members: (0..10).collect(),
                tightness: 1.0,
                tightest: [2, 3],
                hint: "all".into(),
            }],
        };
        let text = picture.svg().into_string();
        assert_eq!(text.matches("class=\"area t4\"").count(), 1);
        assert_eq!(text.matches("class=\"edge").count(), 2 + STEPS.len(), "the edge, the tightest pair and the legend");
        assert!(text.contains("a &amp; b") && text.matches("class=\"node\"").count() == 11, "n10 has no edge");
    }

    #[test]
    fn steps_have_their_lower_ends() {
        assert_eq!([0.0, 0.2499, 0.25, 0.5, 0.98, 0.99, 1.0].map(step), [0, 0, 1, 2, 3, 4, 4]);
    }
}
