//! What a solver proposes for one component.

use super::Watch;
use super::instance::Instance;
use super::laws_program::{Arc, Multiplier};
use super::rounding::round_row;
use crate::exact::Rational;
use crate::lp::{self, Answer, Failure, Program};
use crate::model::Channel;
use crate::{Error, Result};
use rayon::prelude::*;

/// Multipliers this small beside the weights do not set the optimum.
const DUST: f64 = 1e-6;

/// Channels for the secrets of a component, what is proven about them, and what set the optimum.
pub(super) struct Proposal {
    /// What the secrets get.
    pub(super) means: Means,
    /// No mechanism of the kind has a lower objective over this component.
    pub(super) bound: Rational,
    /// How many programs were solved.
    pub(super) rounds: u32,
    /// What chose among optima.
    pub(super) tie_break: Option<&'static str>,
    /// What set the optimum.
    pub(super) binding: Binding,
}

/// How a proposal is to be carried out.
pub(super) enum Means {
    /// A channel for each secret, or one for all.
    Channels(Vec<Channel>),
    /// Output laws, d numbers for each secret; any coupling that errs as seldom as possible will do.
    Laws(Vec<f64>),
}

/// What set an optimum.
#[derive(Default)]
pub(super) struct Binding {
    /// The secrets whose constraint did: along a path, or the two ends of the most costly constraint.
    pub(super) secrets: Vec<u32>,
    /// The output at which they do, where it is one.
    pub(super) output: Option<u32>,
}

impl Proposal {
    /// The proposal with channels of these rows, one matrix per secret.
    pub(super) fn of_rows(rows: Vec<Vec<Vec<f64>>>, bound: Rational, rounds: u32, binding: Binding) -> Result<Self> {
        let channel = |rows: Vec<Vec<f64>>| Channel::rows(rows.iter().map(|row| round_row(row)).collect());
        let channels = rows.into_par_iter().map(channel).collect::<Result<Vec<_>>>()?;
        Ok(Proposal::new(Means::Channels(channels), bound, rounds, binding))
    }

    /// The proposal with these means.
    pub(super) fn new(means: Means, bound: Rational, rounds: u32, binding: Binding) -> Self {
        Proposal { means, bound, rounds, tie_break: None, binding }
    }

    /// The same with the rule that chose among optima.
    pub(super) fn with_tie_break(self, rule: &'static str) -> Self {
        Proposal { tie_break: Some(rule), ..self }
    }
}

impl Binding {
    /// The two secrets of the constraint with the largest multiplier, and the output at which it binds; nothing where
    /// all multipliers are the solver's dust. Between members of a group there are two arcs, through its node.
    pub(super) fn of(instance: &Instance, multipliers: &[Multiplier]) -> Self {
        let largest = |arcs: &mut dyn Iterator<Item = &Multiplier>| {
            arcs.max_by(|a, b| a.value.total_cmp(&b.value)).map(|multiplier| multiplier.arc)
        };
        let weight = instance.costs().into_iter().fold(0.0, f64::max);
        let Some(top) = largest(&mut multipliers.iter().filter(|multiplier| multiplier.value > DUST * weight)) else {
            return Binding::default();
        };
        let is_group = |node: u32| node as usize >= instance.count();
        let other = |more: bool, node: u32| {
            let meets = |arc: &Arc| if more { arc.less == node } else { arc.more == node };
            let there = |multiplier: &&Multiplier| multiplier.arc.output == top.output && meets(&multiplier.arc);
            let found = largest(&mut multipliers.iter().filter(there));
            found.map(|arc| if more { arc.more } else { arc.less })
        };
        let more = if is_group(top.more) { other(true, top.more) } else { Some(top.more) };
        let less = if is_group(top.less) { other(false, top.less) } else { Some(top.less) };
        let mut secrets: Vec<u32> =
            [more, less].into_iter().flatten().map(|at| instance.secrets[at as usize]).collect();
        secrets.dedup();
        Binding { secrets, output: Some(top.output) }
    }
}

/// The program's answer, as good as the solver could make it.
pub(super) fn solved(program: &Program, stage: &'static str, watch: &Watch<'_>) -> Result<Answer> {
    lp::solve(program, watch.solver(), &|step| watch.wish(stage, step)).map_err(|failure| match failure {
        Failure::Stopped => Error::stopped(),
        Failure::TooLarge => {
            Error::inapplicable(format!("{failure} ({} columns, {} rows)", program.columns(), program.rows()))
        }
    })
}
