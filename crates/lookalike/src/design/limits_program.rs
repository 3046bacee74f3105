//! The program of channels whose claim holds for every law within the limits of each profile.
//!
//! An edge asks `H_s(y) ≤ E h_s'(y)`, with the largest and the least `Σ_x P_x A^s(x, y)` over the laws P within the limits of s
//! and of s'. Each is a fractional knapsack: all of l is packed, and `1 − Σ l` is left for what weighs most, up to the room
//! `u − l`. By duality H is large enough exactly when some λ and s ≥ 0 have
//!
//! `s_x ≥ A(x, y) − λ` and `(1 − Σ l) λ + Σ l_x A(x, y) + Σ (u_x − l_x) s_x ≤ H`,
//!
//! and h is small enough exactly when some λ and s ≥ 0 have
//!
//! `s_x ≥ λ − A(x, y)` and `(1 − Σ l) λ + Σ l_x A(x, y) − Σ (u_x − l_x) s_x ≥ h`.
//!
//! So the columns are the entries of the channels, and H and h with their λ and s. Profiles meet in H and h alone. What the
//! rows `s_x ≥ ±(A − λ)` cost, beside the row of H or h, is a law within the limits: the worst one, which the bound needs.

use super::Problem;
use super::claim_arcs::{ClaimArcs, End};
use super::dual_bound::WorstLaws;
use super::floats::quotient;
use super::instance::{Alike, Instance};
use super::laws_program::{LARGEST_EXP, LawsProgram};
use super::point::{average_law, masses};
use crate::exact::{Direction, Natural, to_f64};
use crate::lp::{Answer, Program};
use crate::model::{Kind, Limits, Loss};

/// How far columns start from the rows that hold them.
const START: f64 = 0.01;
/// How many times less accurate than other designs these may be, 3e-9 of their value: the last digits took most of the steps.
const TOLERANCE: f64 = 30.0;

/// A program under construction: the entries of one channel after the other come first, row after row.
pub(super) struct LimitsProgram<'a> {
    problem: &'a Problem,
    pub(super) instance: &'a Instance,
    pub(super) laws: LawsProgram,
    /// For each secret and output H and h; empty for a secret that nobody must look like.
    knapsacks: Vec<Vec<[Knapsack; 2]>>,
    /// For each secret its largest expected loss, where that is the objective; else empty.
    losses: Vec<Knapsack>,
}

/// A largest or a least probability of an output.
struct Knapsack {
    column: u32,
    row: u32,
    /// The inputs with some room, each with its row.
    rooms: Vec<(usize, u32)>,
}

impl<'a> LimitsProgram<'a> {
    /// The rows of an instance's claim, nothing at a cost yet.
    pub(super) fn new(problem: &'a Problem, instance: &'a Instance) -> Self {
        let size = instance.size;
        let mut program = Program::new();
        let even = instance.surely_private();
        let mut limited = LimitsProgram {
            problem,
            instance,
            laws: LawsProgram::unconstrained(Program::new()),
            knapsacks: Vec::new(),
            losses: Vec::new(),
        };
        for row in 0..limited.count() * size {
            let is_possible = limited.is_possible(row / size, row % size);
            for y in 0..size {
                // A row that no law uses is chosen afterwards.
                let column = program.column(0.0, 0.0, if is_possible { 1.0 } else { 0.0 });
                program.start(column, if row % size == y { 1.0 - (size - 1) as f64 * even } else { even });
            }
            if is_possible {
                program.row((0..size).map(|y| ((row * size + y) as u32, 1.0)), 1.0, 1.0);
            }
        }
        program.tolerate(TOLERANCE);
        limited.laws = LawsProgram::unconstrained(program);
        let mut is_bound = vec![false; instance.count()];
        instance.alike.iter().flat_map(|alike| &alike.members).for_each(|&member| is_bound[member as usize] = true);
        for (secret, is_bound) in is_bound.into_iter().enumerate() {
            let outputs = if is_bound { 0..size } else { 0..0 };
            let knapsacks = outputs.map(|y| [1.0, -1.0].map(|sign| limited.add_end(secret, y, sign))).collect();
            limited.knapsacks.push(knapsacks);
        }
        let mut between = 0;
        for (at, alike) in instance.alike.iter().enumerate().filter(|(_, alike)| alike.exp <= LARGEST_EXP) {
            limited.add_claim(at as u32, alike, &mut between);
        }
        limited
    }

    /// The limits of a secret.
    fn limits(&self, secret: usize) -> &'a Limits {
        &self.problem.limits()[self.instance.secrets[secret] as usize]
    }

    fn is_shared(&self) -> bool {
        self.problem.kind() == Kind::Shared
    }

    /// How many channels there are.
    fn count(&self) -> usize {
        if self.is_shared() { 1 } else { self.instance.count() }
    }

    /// The secrets that a channel serves.
    fn served(&self, channel: usize) -> std::ops::Range<usize> {
        if self.is_shared() { 0..self.instance.count() } else { channel..channel + 1 }
    }

    /// Whether some law of a secret that the channel serves has the input.
    fn is_possible(&self, channel: usize, x: usize) -> bool {
        self.served(channel).any(|secret| self.limits(secret).is_possible(x))
    }

    /// Whether some profile that the channel serves has the input, or some law within the limits where the worst counts: only then
    /// it is in the objective.
    fn is_counted(&self, channel: usize, x: usize) -> bool {
        if self.problem.is_at_worst() {
            return self.is_possible(channel, x);
        }
        self.served(channel).any(|secret| self.instance.law(secret)[x] > 0.0)
    }

    fn entry(&self, secret: usize, x: usize, y: usize) -> u32 {
        let channel = if self.is_shared() { 0 } else { secret };
        ((channel * self.instance.size + x) * self.instance.size + y) as u32
    }

    /// H for the sign 1, h for −1.
    fn add_end(&mut self, secret: usize, y: usize, sign: f64) -> Knapsack {
        let (size, even) = (self.instance.size, self.instance.surely_private());
        let kept = 1.0 - size as f64 * even;
        let values: Vec<(u32, f64)> =
            (0..size).map(|x| (self.entry(secret, x, y), even + if x == y { kept } else { 0.0 })).collect();
        self.add_knapsack(secret, &values, sign)
    }

    /// The largest mean of columns under the laws of a secret for the sign 1, the least for −1; each column with about its start.
    fn add_knapsack(&mut self, secret: usize, values: &[(u32, f64)], sign: f64) -> Knapsack {
        let limits = self.limits(secret);
        let total = limits.denominator();
        let share = |part: &Natural| quotient(part, &total);
        let lower: Vec<f64> = (0..values.len()).map(|x| share(&limits.lower(x))).collect();
        let room: Vec<f64> = (0..values.len()).map(|x| share(&limits.room(x))).collect();
        let spare = share(&limits.spare());
        let low = values.iter().map(|value| value.1).fold(f64::INFINITY, f64::min);
        let program = &mut self.laws.program;
        let column = program.column(0.0, 0.0, 1.0);
        let mut end = 2.0 * sign * START + low * spare;
        let mut terms: Vec<(u32, f64)> =
            values.iter().zip(&lower).map(|(value, lower)| (value.0, sign * lower)).collect();
        terms.push((column, -sign));
        let mut rooms = Vec::new();
        if spare > 0.0 {
            let threshold = program.column(0.0, 0.0, 1.0);
            program.start(threshold, low);
            terms.push((threshold, sign * spare));
            for x in (0..values.len()).filter(|&x| room[x] > 0.0) {
                let above = program.column(0.0, 0.0, 1.0);
                let started = if sign > 0.0 { values[x].1 - low } else { 0.0 };
                program.start(above, (started + START).min(1.0));
                terms.push((above, room[x]));
                end += room[x] * started;
                let terms = [(values[x].0, sign), (threshold, -sign), (above, -1.0)];
                rooms.push((x, program.row(terms, f64::NEG_INFINITY, 0.0)));
            }
        }
        end += values.iter().zip(&lower).map(|(value, lower)| value.1 * lower).sum::<f64>();
        program.start(column, end.clamp(0.0, 1.0));
        Knapsack { column, row: program.row(terms, f64::NEG_INFINITY, 0.0), rooms }
    }

    fn add_claim(&mut self, at: u32, alike: &Alike, between: &mut u32) {
        let claim = ClaimArcs::of(alike, *between);
        let secrets = self.instance.count();
        for y in 0..self.instance.size {
            let column = |limited: &Self, end: usize, member: u32| limited.knapsacks[member as usize][y][end].column;
            let (most, least) = (0, 1);
            let started = |end: usize| {
                alike
                    .members
                    .iter()
                    .map(move |&member| (end, member))
                    .map(|(end, member)| self.laws.program.started(column(self, end, member)))
            };
            let high = started(most).fold(0.0, f64::max);
            let low = started(least).fold(1.0, f64::min);
            let top = (alike.exp * low).clamp(high, 1.0);
            let tops: Vec<u32> = (claim.between.iter())
                .map(|share| {
                    let column = self.laws.program.column(0.0, 0.0, 1.0);
                    self.laws.program.start(column, high + share * (top - high));
                    column
                })
                .collect();
            for arc in &claim.arcs {
                let of = |end: End| {
                    let column = match end {
                        End::Most(member) => column(self, most, member),
                        End::Least(member) => column(self, least, member),
                        End::Between(number) => tops[(number - *between) as usize],
                    };
                    (end.node(secrets), vec![(column, 1.0)])
                };
                let within = arc.is_alike.then_some((at, alike.exp));
                let (more, less) = (of(arc.more), of(arc.less));
                self.laws.arc(more, less, y, within);
            }
        }
        *between += claim.between.len() as u32;
    }

    /// Each entry costs its loss, weighted by how often the profile has the input.
    pub(super) fn set_costs(&mut self, loss: &Loss) {
        let (size, costs) = (self.instance.size, self.instance.costs());
        let shared = self.is_shared().then(|| masses(self.instance));
        for row in 0..self.count() * size {
            let (channel, x) = (row / size, row % size);
            let mass = match &shared {
                Some(masses) => masses[x],
                None => costs[channel] * self.instance.law(channel)[x],
            };
            for y in 0..size {
                let cost = mass * to_f64(&loss.cost(x, y), Direction::Nearest);
                self.laws.program.set_cost((row * size + y) as u32, cost);
            }
        }
    }

    /// Each secret costs its largest expected loss, at its own worst law.
    pub(super) fn set_worst_costs(&mut self, loss: &Loss) {
        let size = self.instance.size;
        let costs = if self.is_shared() { self.instance.weights_to_one() } else { self.instance.costs() };
        let cost = |x: usize, y: usize| to_f64(&loss.cost(x, y), Direction::Nearest);
        // Every column is a probability or a share of one.
        let most = (0..size * size).map(|at| cost(at / size, at % size)).fold(f64::MIN_POSITIVE, f64::max);
        let mut values = Vec::new();
        for row in 0..self.count() * size {
            let (column, x) = (self.laws.program.column(0.0, 0.0, 1.0), row % size);
            let entries = (0..size).map(|y| ((row * size + y) as u32, cost(x, y) / most));
            let started = entries.clone().map(|(entry, share)| share * self.laws.program.started(entry)).sum::<f64>();
            self.laws.program.start(column, (started + START).min(1.0));
            self.laws.program.row(entries.chain([(column, -1.0)]), f64::NEG_INFINITY, 0.0);
            values.push((column, started));
        }
        for (secret, weight) in costs.into_iter().enumerate() {
            let first = if self.is_shared() { 0 } else { secret * size };
            let knapsack = self.add_knapsack(secret, &values[first..first + size], 1.0);
            self.laws.program.set_cost(knapsack.column, weight * most);
            self.losses.push(knapsack);
        }
    }

    /// The largest wrong entry becomes the only cost; returns its column.
    pub(super) fn cap_flips(&mut self) -> u32 {
        let size = self.instance.size;
        let flip = self.laws.program.column(1.0, 0.0, 1.0);
        self.laws.program.start(flip, 1.5 * self.instance.surely_private());
        let rows: Vec<usize> =
            (0..self.count() * size).filter(|&row| self.is_counted(row / size, row % size)).collect();
        for row in rows {
            for y in (0..size).filter(|&y| y != row % size) {
                let terms = [((row * size + y) as u32, 1.0), (flip, -1.0)];
                self.laws.program.row(terms, f64::NEG_INFINITY, 0.0);
            }
        }
        flip
    }

    /// The rows of the channels in an answer, those that no law uses by the law of the output.
    pub(super) fn channels(&self, answer: &Answer) -> Vec<Vec<Vec<f64>>> {
        let size = self.instance.size;
        let channel = |at: usize| {
            let row = |x: usize| answer.x[(at * size + x) * size..][..size].to_vec();
            let mut rows: Vec<Vec<f64>> = (0..size).map(row).collect();
            let law = if self.is_shared() {
                average_law(self.instance, &rows)
            } else {
                let p = self.instance.law(at);
                (0..size).map(|y| (0..size).map(|x| p[x] * rows[x][y]).sum()).collect()
            };
            for x in (0..size).filter(|&x| !self.is_possible(at, x)) {
                rows[x].clone_from(&law);
            }
            rows
        };
        (0..self.count()).map(channel).collect()
    }

    /// The worst laws in an answer.
    pub(super) fn worst_laws<'b>(&'b self, answer: &'b Answer) -> impl WorstLaws + 'b {
        Answered { program: self, answer }
    }
}

/// A program with an answer.
struct Answered<'b> {
    program: &'b LimitsProgram<'b>,
    answer: &'b Answer,
}

impl WorstLaws for Answered<'_> {
    fn at_output(&self, secret: usize, y: usize) -> [Vec<f64>; 2] {
        let size = self.program.instance.size;
        let law = |end: usize| match self.program.knapsacks[secret].get(y) {
            Some(knapsacks) => knapsacks[end].law(self.answer, size),
            None => vec![0.0; size],
        };
        [law(0), law(1)]
    }

    fn costliest(&self, secret: usize) -> Option<Vec<f64>> {
        self.program.losses.get(secret).map(|knapsack| knapsack.law(self.answer, self.program.instance.size))
    }
}

impl Knapsack {
    fn law(&self, answer: &Answer, size: usize) -> Vec<f64> {
        let (mut law, whole) = (vec![0.0; size], answer.multipliers[self.row as usize]);
        self.rooms.iter().for_each(|&(x, row)| law[x] = answer.multipliers[row as usize] / whole);
        law
    }
}
