//! A walk through the nodes of a chain in search of the one that needs the most noise.

use super::branch_and_bound::{Cost, Found, Objective, search};
use super::influence::{IMPOSSIBLE, number};
use super::logarithm::LOGARITHM_BITS;
use super::moments::{Runs, is_whole};
use super::nodes::{Nodes, Start};
use super::powers::{Enclosure, PowersOf};
use super::{Calibration, Quilt};
use crate::Result;
use crate::design::Watch;
use crate::exact::{Direction, Dyadic, Epsilon, Rational};
use crate::model::QuiltRun;

/// A search through all nodes of one chain, or of a set of chains with one bound.
pub(super) struct Walk<'a, P> {
    nodes: Nodes<P>,
    objective: Objective,
    watch: Watch<'a>,
    pub(super) searched: u64,
    /// The last quilt that was good: it is good for the next node, most often.
    guess: [u64; 2],
}

impl<'a, P: PowersOf> Walk<'a, P> {
    pub(super) fn new(nodes: Nodes<P>, objective: Objective, watch: Watch<'a>) -> Self {
        Walk { nodes, objective, watch, searched: 0, guess: [1, 1] }
    }

    /// The worst node where it is worse than the one that is known, and else that one.
    pub(super) fn worst(&mut self, chain: usize, known: Worst) -> Result<Worst> {
        match self.deep_inside()? {
            Some((node, before, found)) => {
                let known = if found.cost > known.found.cost { Worst { chain, node, found } } else { known };
                self.worst_of_first(before, chain, known)
            }
            None => {
                // Where a start is never forgotten the last node is the worst most often, and else the middle.
                let (last, mut worst) = (self.nodes.length, known);
                for node in [last, last.div_ceil(2)] {
                    let law = self.nodes.law(node);
                    worst = self.worse(chain, node, law.as_ref(), worst)?;
                }
                self.worst_of_first(last, chain, worst)
            }
        }
    }

    /// The worst of the first nodes, one after another.
    pub(super) fn worst_of_first(&mut self, last: u64, chain: usize, mut worst: Worst) -> Result<Worst> {
        let mut law = self.nodes.law(1);
        for node in 1..=last {
            // No node needs more than the empty quilt.
            if self.whole(node).cost <= worst.found.cost {
                break;
            }
            self.watch.step("searching quilts of nodes", node, Some(last))?;
            worst = self.worse(chain, node, law.as_ref(), worst)?;
            law = law.map(|law| self.nodes.next_law(&law));
        }
        Ok(worst)
    }

    /// A quilt for each moment that costs no more than `enough`, which is what the worst of them needs.
    pub(super) fn quilts(&mut self, enough: Cost) -> Result<Vec<QuiltRun>> {
        let (length, mut runs) = (self.nodes.length, Runs::default());
        if is_whole(self.whole(1).cost, enough) {
            return Ok(runs.finish(1, None));
        }
        let inside = self.deep_inside()?.filter(|(_, _, found)| found.cost <= enough);
        let before = inside.map_or(length, |(_, before, _)| before);
        let mut law = self.nodes.law(1);
        for node in 1..=before {
            self.watch.step("writing down the quilts of nodes", node, Some(before))?;
            let found = self.best(node, law.as_ref(), enough)?;
            self.guess = [found.left, found.right];
            runs.push(node, length, self.guess);
            law = law.map(|law| self.nodes.next_law(&law));
        }
        Ok(match inside {
            Some((_, before, found)) => runs.finish(before + 1, Some([found.left, found.right])),
            None => runs.all(),
        })
    }

    fn worse(&mut self, chain: usize, node: u64, law: Option<&Enclosure>, worst: Worst) -> Result<Worst> {
        let found = self.best(node, law, worst.found.cost)?;
        self.guess = [found.left, found.right];
        Ok(if found.cost > worst.found.cost { Worst { chain, node, found } } else { worst })
    }

    /// The empty quilt of a node.
    fn whole(&self, node: u64) -> Found {
        let length = self.nodes.length;
        let cost = self.objective.cost(length, Some(0));
        Found { cost, left: node, right: length - node + 1, influence: 0 }
    }

    /// The best quilt of one node, or one that costs no more than `enough`.
    fn best(&mut self, node: u64, law: Option<&Enclosure>, enough: Cost) -> Result<Found> {
        let place = self.nodes.place(node, law);
        let mut best = self.whole(node);
        let [left, right] = [self.guess[0].min(node), self.guess[1].min(self.nodes.length - node + 1)];
        self.searched += 1;
        let guessed = self.nodes.influence(&place, left, right);
        let cost = self.objective.cost(left + right - 1, guessed);
        if let Some(influence) = guessed
            && cost < best.cost
        {
            best = Found { cost, left, right, influence };
        }
        if best.cost <= enough {
            return Ok(best);
        }
        let ends = [node, self.nodes.length - node + 1];
        let Walk { nodes, objective, watch, searched, .. } = self;
        search(*objective, ends, best, enough, watch, searched, |a, b| nodes.influence(&place, a, b))
    }

    /// A quilt that serves all nodes after the first few, and a node for which there is no better one; how many nodes
    /// come before. None where the chain is too short for that, or never forgets its start.
    fn deep_inside(&mut self) -> Result<Option<(u64, u64, Found)>> {
        let length = self.nodes.length;
        let Some(before) = self.forgotten_after() else { return Ok(None) };
        let place = self.nodes.place_after(before);
        let Walk { nodes, objective, watch, searched, .. } = self;
        let nothing = Found { cost: objective.cost(length, Some(0)), left: length, right: length, influence: 0 };
        let influence = |a, b| nodes.influence(&place, a, b);
        let found = search(*objective, [length, length], nothing, Cost::NOTHING, watch, searched, influence)?;
        // Quilts without a left or a right node have at least this many nodes on their near side.
        let node = (before + 1 + length) / 2;
        let least = node.min(length - node + 1);
        Ok((objective.cost(least, Some(0)) >= found.cost).then_some((node, before, found)))
    }

    /// After how many nodes the law of a node no longer depends on the start, but for next to nothing.
    fn forgotten_after(&mut self) -> Option<u64> {
        if matches!(self.nodes.start, Start::Same(_)) {
            return Some(0);
        }
        let (ample, enough) = match self.objective {
            Objective::Scale { epsilon } => (epsilon >> 12, epsilon >> 30),
            Objective::Loss { .. } => (1 << (LOGARITHM_BITS - 12), 1 << (LOGARITHM_BITS - 30)),
        };
        let (mut before, mut last) = (1, i64::MAX);
        while before < self.nodes.length / 2 {
            let spread = self.spread_after(before);
            if spread <= enough || (last <= ample && spread > last / 2) {
                return Some(before);
            }
            (before, last) = (2 * before, spread);
        }
        None
    }

    /// How far ln Pr(X_i = x')/Pr(X_i = x) of nodes after these can lie apart.
    fn spread_after(&mut self, before: u64) -> i64 {
        let prior = self.nodes.place_after(before).prior;
        let states = self.nodes.parts.powers.states();
        let back = |place: usize| prior[place % states * states + place / states];
        let sums = (0..prior.len()).filter(|&place| prior[place] != IMPOSSIBLE).map(|place| prior[place] + back(place));
        sums.fold(0, i64::max)
    }
}

/// A node with the quilt that hides it best.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worst {
    pub(super) chain: usize,
    pub(super) node: u64,
    pub(super) found: Found,
}

impl Worst {
    pub(super) const NOBODY: Worst =
        Worst { chain: 0, node: 1, found: Found { cost: Cost::NOTHING, left: 1, right: 1, influence: 0 } };

    pub(super) fn calibration(
        &self,
        length: u64,
        epsilon: &Epsilon,
        objective: Objective,
        searched: u64,
    ) -> Calibration {
        let Worst { chain, node, found } = *self;
        let group = super::group::scale(length, epsilon);
        let whole = Quilt { left: None, right: None };
        let own = found.cost.is_finite().then(|| rounded_up(&objective.number(found.cost)));
        match own.filter(|scale| *scale < group) {
            Some(scale) => {
                let quilt = Quilt {
                    left: (found.left < node).then_some(found.left),
                    right: (found.right < length - node + 1).then_some(found.right),
                };
                let influence = number(found.influence).to_rational();
                Calibration { scale, chain, node, quilt, card: quilt.card(node, length), influence, searched }
            }
            None => {
                let influence = Rational::from_integer(0.into());
                Calibration { scale: group, chain, node, quilt: whole, card: length, influence, searched }
            }
        }
    }
}

/// To 50 bits: short in files, and by no more than a millionth of a millionth too large.
pub(super) fn rounded_up(number: &Rational) -> Rational {
    Dyadic::quotient(number.numer(), number.denom(), 50, Direction::Up).round(50, Direction::Up).to_rational()
}
