//! Where the nodes of a small graph go: each component on a circle of its own, or on a line where it is a path.

use super::frame::{MARGIN, WIDTH};
use super::graph_picture::GraphPicture;
use super::text::{LINE, SIZE, clean, width};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The places of a picture's nodes and of their names.
pub(super) struct Layout {
    /// The nodes that are drawn, by component.
    pub drawn: Vec<usize>,
    /// For each node its place; nodes that are not drawn have none that counts.
    pub places: Vec<(f64, f64)>,
    /// For each node how far round its circle it is.
    pub turns: Vec<f64>,
    /// The names.
    pub labels: Vec<Label>,
    /// The lower end.
    pub bottom: f64,
}

/// The name of a node: where it begins, ends or has its middle.
pub(super) struct Label {
    pub node: usize,
    pub x: f64,
    pub y: f64,
    pub anchor: Anchor,
    pub room: f64,
}

/// Which part of a name is at its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    pub(super) fn class(self) -> &'static str {
        match self {
            Anchor::Start => "",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }

    /// Between the end of a leader and its name.
    pub(super) fn shift(self) -> f64 {
        match self {
            Anchor::Start => 3.0,
            Anchor::Middle => 0.0,
            Anchor::End => -3.0,
        }
    }
}

/// The widest that names beside a circle may become.
const MOST_NAME: f64 = 110.0;
/// From the circle to the names.
const LEADER: f64 = 11.0;
/// The most nodes of a path that are drawn on a line.
const MOST_ON_LINE: usize = 8;

/// A component with the room it needs.
struct Part {
    nodes: Vec<usize>,
    is_path: bool,
    /// Half the height of its circle.
    radius: f64,
    names: f64,
}

/// Components from left to right, in rows.
pub(super) fn lay_out(picture: &GraphPicture, top: f64) -> Layout {
    let count = picture.nodes.len();
    let mut layout = Layout {
        drawn: Vec::new(),
        places: vec![(0.0, 0.0); count],
        turns: vec![0.0; count],
        labels: Vec::new(),
        bottom: top,
    };
    let (mut x, mut y, mut below) = (MARGIN, top, top);
    for part in components(picture).into_iter().map(|nodes| Part::new(picture, nodes)) {
        let (width, height) = part.size();
        if x > MARGIN && x + width > WIDTH - MARGIN {
            (x, y) = (MARGIN, below);
        }
        if part.is_path {
            part.on_line(&mut layout, x, y)
        } else {
            part.on_circle(&mut layout, x, y)
        }
        layout.drawn.extend(&part.nodes);
        x += width + 6.0;
        below = below.max(y + height);
    }
    layout.bottom = below;
    layout
}

impl Part {
    fn new(picture: &GraphPicture, nodes: Vec<usize>) -> Part {
        let path = path_order(picture, &nodes).filter(|path| path.len() <= MOST_ON_LINE);
        let names =
            nodes.iter().map(|&node| width(&clean(&picture.nodes[node]), SIZE)).fold(0.0, f64::max).min(MOST_NAME);
        // Wide enough for the names of each side to stand below each other.
        let radius = (nodes.len() as f64 * LINE / 4.0).max(26.0);
        Part { is_path: path.is_some(), nodes: path.unwrap_or(nodes), radius, names }
    }

    fn size(&self) -> (f64, f64) {
        if self.is_path {
            return (self.spacing() * self.nodes.len() as f64, 3.0 * LINE);
        }
        (2.0 * (self.half_width() + LEADER + 4.0 + self.names), 2.0 * self.radius + 2.5 * LINE)
    }

    /// Half the width of its circle, which is flat where names need the room.
    fn half_width(&self) -> f64 {
        self.radius.min(WIDTH / 2.0 - MARGIN - LEADER - 6.0 - self.names)
    }

    /// Between the nodes of a path: room for their names where there is any.
    fn spacing(&self) -> f64 {
        (self.names + SIZE).max(44.0).min((WIDTH - 2.0 * MARGIN) / self.nodes.len() as f64)
    }

    fn on_line(&self, layout: &mut Layout, left: f64, top: f64) {
        let spacing = self.spacing();
        for (at, &node) in self.nodes.iter().enumerate() {
            let x = left + (at as f64 + 0.5) * spacing;
            layout.places[node] = (x, top + LINE);
            layout.labels.push(Label { node, x, y: top + 2.0 * LINE, anchor: Anchor::Middle, room: spacing - 4.0 });
        }
    }

    /// Nodes evenly on a circle, names in a column on either side.
    fn on_circle(&self, layout: &mut Layout, left: f64, top: f64) {
        let (width, height) = self.size();
        let middle = (left + width / 2.0, top + height / 2.0);
        let step = TAU / self.nodes.len() as f64;
        for (at, &node) in self.nodes.iter().enumerate() {
            // Half a step from the top, so that the two sides are alike.
            let turn = (at as f64 + 0.5) * step;
            let angle = turn - FRAC_PI_2;
            layout.turns[node] = turn;
            layout.places[node] = (middle.0 + self.half_width() * angle.cos(), middle.1 + self.radius * angle.sin());
        }
        let (right, left): (Vec<usize>, Vec<usize>) =
            self.nodes.iter().partition(|&&node| layout.turns[node] <= TAU / 2.0 + 1e-9);
        for (side, anchor, sign) in [(right, Anchor::Start, 1.0), (left, Anchor::End, -1.0)] {
            let mut side = side;
            side.sort_by(|&a, &b| layout.places[a].1.total_cmp(&layout.places[b].1));
            let x = middle.0 + sign * (self.half_width() + LEADER);
            let wanted: Vec<f64> = side.iter().map(|&node| layout.places[node].1).collect();
            for (&node, y) in side.iter().zip(spread(&wanted, top + LINE / 2.0, top + height - LINE / 2.0)) {
                layout.labels.push(Label { node, x, y, anchor, room: self.names });
            }
        }
    }
}

/// The ascending heights with a line between neighbours: pushed down where they are too close, then up from the end.
fn spread(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut heights = wanted.to_vec();
    for at in 0..heights.len() {
        let least = if at == 0 { top } else { heights[at - 1] + LINE };
        heights[at] = heights[at].max(least);
    }
    let mut most = bottom;
    for height in heights.iter_mut().rev() {
        *height = height.min(most);
        most = *height - LINE;
    }
    heights
}

/// The components with an edge, each in an order that keeps the members of a group together.
fn components(picture: &GraphPicture) -> Vec<Vec<usize>> {
    let count = picture.nodes.len();
    let mut root: Vec<usize> = (0..count).collect();
    let joined =
        picture.edges.iter().map(|edge| &edge.ends[..]).chain(picture.groups.iter().map(|group| &group.members[..]));
    for members in joined {
        for pair in members.windows(2) {
            let (one, other) = (root[pair[0]], root[pair[1]]);
            let (low, high) = (one.min(other), one.max(other));
            root.iter_mut().filter(|place| **place == high).for_each(|place| *place = low);
        }
    }
    let mut first_group = vec![usize::MAX; count];
    for (at, group) in picture.groups.iter().enumerate().rev() {
        group.members.iter().for_each(|&member| first_group[member] = at);
    }
    let mut components = Vec::new();
    for first in (0..count).filter(|&node| root[node] == node) {
        let mut nodes: Vec<usize> = (first..count).filter(|&node| root[node] == first).collect();
        if nodes.len() > 1 {
            nodes.sort_by_key(|&node| (first_group[node], node));
            components.push(nodes);
        }
    }
    components
}

/// The nodes of a component from end to end when it is a path of single edges.
fn path_order(picture: &GraphPicture, nodes: &[usize]) -> Option<Vec<usize>> {
    let inside = |node: &usize| nodes.contains(node);
    if picture.groups.iter().any(|group| group.members.iter().any(inside)) {
        return None;
    }
    let next = |node: usize| {
        let edges = picture.edges.iter().filter(move |edge| edge.ends.contains(&node));
        edges.map(move |edge| edge.ends[0] + edge.ends[1] - node)
    };
    if nodes.iter().any(|&node| next(node).count() > 2) {
        return None;
    }
    let start = *nodes.iter().find(|&&node| next(node).count() == 1)?;
    let mut path = vec![start];
    while let Some(node) = next(path[path.len() - 1]).find(|node| !path.contains(node)) {
        path.push(node);
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::super::graph_picture::{GraphEdge, GraphGroup};
    use super::*;
    use proptest::prelude::*;

    fn picture(nodes: usize, edges: &[[usize; 2]], groups: &[Vec<usize>]) -> GraphPicture {
        let edge = |&ends: &[usize; 2]| GraphEdge { ends, tightness: 0.5, hint: String::new() };
        let group = |members: &Vec<usize>| GraphGroup {
            members: members.clone(),
            tightness: 0.5,
            tightest: [members[0], members[1]],
            hint: String::new(),
        };
        GraphPicture {
            title: String::new(),
            nodes: (0..nodes).map(|at| format!("profile number {at}")).collect(),
            edges: edges.iter().map(edge).collect(),
            groups: groups.iter().map(group).collect(),
        }
    }

    #[test]
    fn a_short_path_is_a_line_and_everything_else_a_circle() {
        let chain = lay_out(&picture(4, &[[2, 0], [0, 3], [3, 1]], &[]), 0.0);
        assert_eq!(chain.drawn, [1, 3, 0, 2]);
        assert!(chain.drawn.windows(2).all(|pair| chain.places[pair[0]].0 < chain.places[pair[1]].0));
        assert!(chain.places.iter().all(|place| place.1 == chain.places[0].1));
        let ring = lay_out(&picture(3, &[[0, 1], [1, 2], [0, 2]], &[]), 0.0);
        assert!(ring.places[0].1 != ring.places[1].1);
    }

    proptest! {
        #[test]
        fn names_never_overlap_and_stay_inside(
            nodes in 2usize..40, ends in prop::collection::vec((0usize..40, 0usize..40), 1..60), size in 0usize..40,
        ) {
            let edges: Vec<[usize; 2]> = ends.iter().map(|&(a, b)| [a % nodes, b % nodes]).filter(|[a, b]| a != b).collect();
            let groups = if size > 1 { vec![(0..size.min(nodes)).collect()] } else { vec![] };
            let layout = lay_out(&picture(nodes, &edges, &groups), 0.0);
            let span = |label: &Label| match label.anchor {
                Anchor::Start => (label.x, label.x + label.room + 3.0),
                Anchor::Middle => (label.x - label.room / 2.0, label.x + label.room / 2.0),
                Anchor::End => (label.x - label.room - 3.0, label.x),
            };
            prop_assert_eq!(layout.labels.len(), layout.drawn.len());
            for (at, one) in layout.labels.iter().enumerate() {
                let (from, to) = span(one);
                prop_assert!(from >= 0.0 && to <= WIDTH && one.y >= 0.0 && one.y <= layout.bottom, "{from} {to} {}", one.y);
                for other in &layout.labels[at + 1..] {
                    let (from, to) = (from.max(span(other).0), to.min(span(other).1));
                    prop_assert!(from >= to || (one.y - other.y).abs() >= LINE - 0.01);
                }
            }
        }
    }
}
