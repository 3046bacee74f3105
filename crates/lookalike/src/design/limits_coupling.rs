//! What profiles with limits ask of each other, inside the interior point method: arcs between ends, and Newton's equations in them.

use super::claim_arcs::{ClaimArcs, End};
use super::instance::Instance;
use super::laws_program::{Arc, LARGEST_EXP, Multiplier};
use super::limits_block::Block;
use super::limits_newton::Elimination;
use crate::lp::PositiveDefinite;

/// `scale · more ≤ least · less` between two ends.
struct Link {
    arc: Arc,
    more: u32,
    less: u32,
    scale: f64,
    least: f64,
}

/// The arcs at all outputs, with their slacks and multipliers.
pub(super) struct Coupling {
    links: Vec<Link>,
    pub(super) slack: Vec<f64>,
    pub(super) omega: Vec<f64>,
    /// Where the ends of each block begin; after them come the numbers between ends.
    pub(super) first: Vec<usize>,
    /// The numbers between ends.
    pub(super) between: Vec<f64>,
    system: PositiveDefinite,
    /// Where blocks and links go in the system.
    targets: Vec<u32>,
}

impl Coupling {
    /// The arcs of an instance's claim among blocks whose ends are these, strictly within; `None` when memory runs out.
    pub(super) fn new(instance: &Instance, blocks: &[Block], ends: &[Vec<f64>], target: f64) -> Option<Self> {
        let (size, secrets) = (instance.size, instance.count());
        let mut first = vec![0];
        blocks.iter().for_each(|block| first.push(first[first.len() - 1] + block.count()));
        let profiles = first[secrets];
        let place = |end: End, y: usize| match end {
            End::Most(secret) => first[secret as usize] + y * blocks[secret as usize].ends,
            End::Least(secret) => {
                let ends = blocks[secret as usize].ends;
                first[secret as usize] + y * ends + ends - 1
            }
            End::Between(at) => profiles + at as usize * size + y,
        };
        let (mut links, mut between) = (Vec::new(), Vec::new());
        let mut numbers = 0;
        for (at, alike) in instance.alike.iter().enumerate().filter(|(_, alike)| alike.exp <= LARGEST_EXP) {
            let claim = ClaimArcs::of(alike, numbers);
            let of = |end: End, y: usize| {
                let (End::Most(secret) | End::Least(secret) | End::Between(secret)) = end;
                ends[secret as usize][place(end, y) - first[secret as usize]]
            };
            let range: Vec<[f64; 2]> = (0..size)
                .map(|y| {
                    let all = |end: fn(u32) -> End| alike.members.iter().map(move |&member| of(end(member), y));
                    let high = all(End::Most).fold(0.0, f64::max);
                    [high, (alike.exp * all(End::Least).fold(1.0, f64::min)).min(1.0)]
                })
                .collect();
            between.extend(
                claim.between.iter().flat_map(|share| range.iter().map(move |[low, high]| low + share * (high - low))),
            );
            numbers += claim.between.len() as u32;
            for arc in &claim.arcs {
                let (scale, alike) = if arc.is_alike { (1.0 / alike.exp, Some(at as u32)) } else { (1.0, None) };
                links.extend((0..size).map(|y| Link {
                    arc: Arc { more: arc.more.node(secrets), less: arc.less.node(secrets), output: y as u32, alike },
                    more: place(arc.more, y) as u32,
                    less: place(arc.less, y) as u32,
                    scale,
                    least: 1.0,
                }));
            }
        }
        let mut places = Vec::new();
        for (block, &first) in blocks.iter().zip(&first) {
            for k in 0..block.count() {
                places.extend((0..=k).map(|j| ((first + k) as u32, (first + j) as u32)));
            }
        }
        places.extend(
            links.iter().flat_map(|link| [(link.more, link.more), (link.more, link.less), (link.less, link.less)]),
        );
        let (system, targets) = PositiveDefinite::new(profiles + between.len(), &places)?;
        let mut coupling = Coupling { slack: Vec::new(), omega: Vec::new(), links, first, between, system, targets };
        coupling.slack = coupling.rooms(&coupling.all(ends, &coupling.between));
        coupling.omega = coupling.slack.iter().map(|slack| target / slack).collect();
        Some(coupling)
    }

    /// The ends of all blocks and the numbers between them, one after the other.
    pub(super) fn all(&self, ends: &[Vec<f64>], between: &[f64]) -> Vec<f64> {
        ends.iter().flatten().chain(between).copied().collect()
    }

    /// The part of a block.
    pub(super) fn part<'v>(&self, values: &'v [f64], block: usize) -> &'v [f64] {
        &values[self.first[block]..self.first[block + 1]]
    }

    /// How far each arc is from binding.
    pub(super) fn rooms(&self, ends: &[f64]) -> Vec<f64> {
        self.links
            .iter()
            .map(|link| link.least * ends[link.less as usize] - link.scale * ends[link.more as usize])
            .collect()
    }

    /// For each end the sum of the multipliers of its arcs, positive where it is to be small.
    pub(super) fn sums(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.first[self.first.len() - 1] + self.between.len()];
        for (link, multiplier) in self.links.iter().zip(multipliers) {
            sums[link.more as usize] += link.scale * multiplier;
            sums[link.less as usize] -= link.least * multiplier;
        }
        sums
    }

    /// Factors the equations in the ends of all blocks.
    pub(super) fn factorize(&mut self, eliminations: &[Elimination]) -> bool {
        self.system.clear();
        let mut target = self.targets.iter();
        let mut add = |system: &mut PositiveDefinite, value: f64| {
            system.add(*target.next().expect("a target for each value"), value)
        };
        for elimination in eliminations {
            let count = (elimination.stiffness.len() as f64).sqrt().round() as usize;
            for (k, row) in elimination.stiffness.chunks_exact(count).enumerate() {
                row[..=k].iter().for_each(|&value| add(&mut self.system, value));
            }
        }
        for (link, (omega, slack)) in self.links.iter().zip(self.omega.iter().zip(&self.slack)) {
            let theta = omega / slack;
            add(&mut self.system, theta * link.scale * link.scale);
            add(&mut self.system, -theta * link.scale * link.least);
            add(&mut self.system, theta * link.least * link.least);
        }
        self.system.factorize()
    }

    /// Solves the equations that were factored.
    pub(super) fn solve(&mut self, right: &mut [f64]) {
        self.system.solve(right);
    }

    /// What the change of each multiplier is for changes of slacks, given what it is for none.
    pub(super) fn answers(&self, wanted: &[f64], slack: &[f64]) -> Vec<f64> {
        let theta = self.omega.iter().zip(&self.slack).map(|(omega, slack)| omega / slack);
        wanted.iter().zip(theta).zip(slack).map(|((wanted, theta), slack)| wanted - theta * slack).collect()
    }

    /// The multipliers that matter, of the arcs as they are meant.
    pub(super) fn multipliers(&self, omega: &[f64], unit: f64) -> Vec<Multiplier> {
        let of = |(link, omega): (&Link, &f64)| Multiplier { arc: link.arc, value: omega * link.scale * unit };
        self.links.iter().zip(omega).map(of).filter(|multiplier| multiplier.value > 0.0).collect()
    }
}
