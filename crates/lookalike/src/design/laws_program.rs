//! The rows that every design by linear program has in common: output laws within e^ε of each other.

use super::instance::Instance;
use crate::lp::{Answer, Program};

/// e^ε above which only repair has to see a constraint: e^ε times the smallest weight of a channel is about 1.
pub(super) const LARGEST_EXP: f64 = 1e15;

/// A program under construction with the rows of an instance's constraints.
pub(super) struct LawsProgram {
    pub(super) program: Program,
    arcs: Vec<(Arc, u32)>,
}

/// `value(more) ≤ factor · value(less)` at one output. Nodes are the secrets, then the groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arc {
    pub(super) more: u32,
    pub(super) less: u32,
    pub(super) output: u32,
    /// The constraint whose e^ε is the factor; `None` for the factor 1.
    pub(super) alike: Option<u32>,
}

/// An arc and its multiplier λ ≥ 0 in an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Multiplier {
    pub(super) arc: Arc,
    pub(super) value: f64,
}

/// A law's probability of one output as a sum of columns, the columns ascending.
pub(super) type Terms = Vec<(u32, f64)>;

impl LawsProgram {
    /// A column for each probability of each law, the laws on the simplex and within the constraints, pulled towards
    /// the profiles by `pull`. The laws' columns come first, see [`LawsProgram::law`].
    pub(super) fn of_laws(instance: &Instance, pull: f64) -> Self {
        let mut program = Program::new();
        for secret in 0..instance.count() {
            for &p in instance.law(secret) {
                let column = program.column(0.0, 0.0, 1.0);
                program.pull(column, pull, p);
                program.start(column, instance.started(p));
            }
        }
        for secret in 0..instance.count() {
            program.row((0..instance.size).map(|y| (instance.place(secret, y), 1.0)), 1.0, 1.0);
        }
        LawsProgram::constrained(program, instance, |secret, y| vec![(instance.place(secret, y), 1.0)])
    }

    /// The same with a column for the cumulated probabilities `q_0 + … + q_y`, of which the last is 1.
    ///
    /// No row is an equation then: Newton's systems are positive definite, and along ordered categories each column meets
    /// its neighbours only.
    pub(super) fn of_cumulated_laws(instance: &Instance) -> Self {
        let mut program = Program::new();
        let last = instance.size - 1;
        for secret in 0..instance.count() {
            let mut sum = 0.0;
            for (y, &p) in instance.law(secret).iter().enumerate() {
                sum += instance.started(p);
                let column = program.column(0.0, if y == last { 1.0 } else { 0.0 }, 1.0);
                program.start(column, sum.min(1.0));
            }
        }
        let law = |secret: usize, y: usize| {
            let below = (y > 0).then(|| (instance.place(secret, y - 1), -1.0));
            below.into_iter().chain([(instance.place(secret, y), 1.0)]).collect::<Terms>()
        };
        for secret in 0..instance.count() {
            for y in 1..instance.size {
                program.row(law(secret, y), 0.0, f64::INFINITY);
            }
        }
        LawsProgram::constrained(program, instance, law)
    }

    /// The program with the constraints on laws that are sums of its columns.
    ///
    /// An edge is two rows an output. A group has a column u for each output and `u/E ≤ q ≤ u` for each member.
    pub(super) fn constrained(program: Program, instance: &Instance, law: impl Fn(usize, usize) -> Terms) -> Self {
        let mut laws = LawsProgram::unconstrained(program);
        let mut node = instance.count() as u32;
        for (at, alike) in instance.alike.iter().enumerate().filter(|(_, alike)| alike.exp <= LARGEST_EXP) {
            let within = Some((at as u32, alike.exp));
            for output in 0..instance.size {
                let of = |secret: u32| (secret, law(secret as usize, output));
                if let [a, b] = alike.members[..] {
                    laws.arc(of(a), of(b), output, within);
                    laws.arc(of(b), of(a), output, within);
                    continue;
                }
                let started = |secret: &u32| {
                    let terms = law(*secret as usize, output);
                    terms.iter().map(|&(column, value)| value * laws.program.started(column)).sum::<f64>()
                };
                let least = alike.members.iter().map(started).fold(f64::INFINITY, f64::min);
                let most = alike.members.iter().map(started).fold(0.0, f64::max);
                let top = laws.program.column(0.0, 0.0, 1.0);
                laws.program.start(top, 0.5 * (most + (alike.exp * least).min(1.0)));
                let top = (node, vec![(top, 1.0)]);
                for &member in &alike.members {
                    laws.arc(of(member), top.clone(), output, None);
                    laws.arc(top.clone(), of(member), output, within);
                }
            }
            node += u32::from(alike.members.len() > 2);
        }
        laws
    }

    /// A program whose constraints its maker adds, arc by arc.
    pub(super) fn unconstrained(program: Program) -> Self {
        LawsProgram { program, arcs: Vec::new() }
    }

    /// `value(more) ≤ factor · value(less)` at an output.
    pub(super) fn arc(&mut self, more: (u32, Terms), less: (u32, Terms), output: usize, alike: Option<(u32, f64)>) {
        let factor = alike.map_or(1.0, |(_, exp)| exp);
        let row = self.program.row(difference(&more.1, &less.1, factor), f64::NEG_INFINITY, 0.0);
        let arc = Arc { more: more.0, less: less.0, output: output as u32, alike: alike.map(|(at, _)| at) };
        self.arcs.push((arc, row));
    }

    /// The multipliers of the arcs that matter in an answer.
    pub(super) fn multipliers(&self, answer: &Answer) -> Vec<Multiplier> {
        // Raising the upper end of a row lowers the optimum, so the rows' multipliers are not above 0.
        let of = |&(arc, row): &(Arc, u32)| Multiplier { arc, value: -answer.multipliers[row as usize] };
        self.arcs.iter().map(of).filter(|multiplier| multiplier.value > 0.0).collect()
    }
}

/// `more − factor·less`, each column once.
fn difference(more: &[(u32, f64)], less: &[(u32, f64)], factor: f64) -> Terms {
    let mut terms = Vec::with_capacity(more.len() + less.len());
    let (mut left, mut right) = (more.iter().peekable(), less.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return terms,
            (Some(&&(a, p)), Some(&&(b, q))) if a == b => {
                terms.push((a, p - factor * q));
                left.next();
                right.next();
            }
            (Some(&&(a, p)), other) if other.is_none_or(|&&(b, _)| a < b) => {
                terms.push((a, p));
                left.next();
            }
            (_, Some(&&(b, q))) => {
                terms.push((b, -factor * q));
                right.next();
            }
            (Some(_), None) => unreachable!("covered by the guard"),
        }
    }
}
