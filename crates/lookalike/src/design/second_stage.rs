//! Among the laws that flips of at most t reach, those with the least expected error.

use super::Watch;
use super::averaged::tie_plan;
use super::instance::Instance;
use super::laws_program::LawsProgram;
use super::max_flip::Cuts;
use super::proposal::solved;
use super::transport::capped_plan;
use crate::Result;
use crate::lp::{Answer, Program};
use rayon::prelude::*;

/// The second stage chooses among optima; it need not be as accurate as the optimum itself.
const TOLERANCE: f64 = 1e3;
/// Plan entries up to which every profile may have its whole plan in the program.
const MOST_ENTRIES: usize = 1_000_000;
/// An error this close to that of the plan is the plan's.
const CLOSE: f64 = 1e-7;
/// What the laws are least by is proven to this, all errors together being 1 at most.
const PROVEN: f64 = 1e-6;
/// A row may be missed by this much: repair takes care of it.
const MOST_MISSED: f64 = 1e-9;
/// Rounds after which the last laws are taken.
const MOST_ROUNDS: u32 = 8;

/// The rule where it could be followed to the end.
pub(super) const LEAST_ERROR: &str = "least expected error at the least largest flip";

/// The rule where it could not.
pub(super) const NOT_LEAST: &str = "near the profiles, not proven least, at the least largest flip";

/// The laws that were chosen, and by what rule.
pub(super) struct Chosen {
    pub(super) laws: Vec<f64>,
    pub(super) rounds: u32,
    pub(super) rule: &'static str,
}

/// The laws with the least expected error at the largest flip `flip`, from an answer that has it.
///
/// The error of a law under the cap is a flow: it can exceed the total variation, which is what the program counts at
/// first. Profiles for which it does get their whole plan as columns, until no error is understated.
///
/// # Errors
/// Cancellation by the caller. If there are more than [`MOST_ENTRIES`] the laws of the first stage stay, which are near the
/// profiles.
pub(super) fn second_stage(
    instance: &Instance,
    first: &Answer,
    flip: f64,
    cuts: &Cuts,
    watch: &Watch<'_>,
) -> Result<Chosen> {
    let mut chosen = Chosen { laws: instance.swept(&first.x), rounds: 0, rule: NOT_LEAST };
    // The laws of the first stage already show where a plan costs more than the total variation.
    let mut planned = vec![false; instance.count()];
    if fits(instance) {
        plan_more(instance, &chosen.laws, flip, &mut planned);
    }
    while chosen.rounds < MOST_ROUNDS {
        let program = program(instance, flip, cuts, &planned);
        let answer = solved(&program, "second stage", watch)?;
        let laws = instance.swept(&answer.x);
        chosen.rounds += 1;
        if plan_more(instance, &laws, flip, &mut planned) == 0 {
            // Rows that are missed by more are no laws to build on: there the first stage's stay.
            if answer.miss <= MOST_MISSED {
                chosen.laws = laws;
                chosen.rule = if answer.gap <= PROVEN { LEAST_ERROR } else { NOT_LEAST };
            }
            break;
        }
        if !fits(instance) {
            break;
        }
    }
    Ok(chosen)
}

/// Whether every profile may have its plan.
fn fits(instance: &Instance) -> bool {
    instance.count() * instance.size * instance.size <= MOST_ENTRIES
}

/// Adds the profiles whose error is understated by the total variation, or whose law is out of reach, to those that have their
/// plan in the program, and says how many those are.
fn plan_more(instance: &Instance, laws: &[f64], flip: f64, planned: &mut [bool]) -> usize {
    let understated = |&secret: &usize| {
        let (p, q) = (instance.law(secret), instance.law_in(laws, secret));
        !planned[secret] && capped_plan(p, q, flip).is_none_or(|plan| plan.moved > error(p, q) + CLOSE)
    };
    let more: Vec<usize> = (0..instance.count()).into_par_iter().filter(understated).collect();
    // Nearly all at once is cheaper than nearly all and then the rest.
    if 2 * more.len() > instance.count() {
        planned.fill(true);
    }
    more.iter().for_each(|&secret| planned[secret] = true);
    more.len()
}

/// The total variation between two laws.
fn error(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q).map(|(p, q)| (q - p).max(0.0)).sum()
}

/// Laws within the reach of flips of at most t as far as single outputs and the given cuts say it; profiles with a
/// plan are within reach by their plan.
fn program(instance: &Instance, flip: f64, cuts: &Cuts, planned: &[bool]) -> Program {
    let (size, weights) = (instance.size, instance.weights_to_one());
    let mut program = LawsProgram::of_laws(instance, 0.0).program;
    program.tolerate(TOLERANCE);
    for (secret, &planned) in planned.iter().enumerate() {
        let weight = weights[secret];
        for (y, &p) in instance.law(secret).iter().enumerate() {
            let lower = (p * (1.0 - (size - 1) as f64 * flip)).max(0.0);
            program.bound(instance.place(secret, y), lower, (p + flip * (1.0 - p)).min(1.0));
        }
        if planned {
            add_plan(&mut program, instance, secret, flip, weight);
        } else {
            for (y, &p) in instance.law(secret).iter().enumerate() {
                let part = program.column(weight, 0.0, 1.0);
                program.row([(instance.place(secret, y), -1.0), (part, 1.0)], -p, f64::INFINITY);
            }
        }
    }
    for (secret, set) in cuts.iter().filter(|(secret, set)| !planned[*secret as usize] && set.len() > 1) {
        let p = instance.law(*secret as usize);
        let mass: f64 = set.iter().map(|&output| p[output as usize]).sum();
        let most = mass + flip * set.len() as f64 * (1.0 - mass);
        let terms = set.iter().map(|&output| (instance.place(*secret as usize, output as usize), 1.0));
        if set.len() < size - 1 {
            program.row(terms.collect::<Vec<_>>(), f64::NEG_INFINITY, most);
        }
    }
    program
}

/// The plan of one profile as columns, each entry off the diagonal within t and at the profile's weight.
fn add_plan(program: &mut Program, instance: &Instance, secret: usize, flip: f64, weight: f64) {
    let (size, p) = (instance.size, instance.law(secret));
    let first = program.columns() as u32;
    for (x, &mass) in p.iter().enumerate() {
        for y in 0..size {
            let (cost, most) = if x == y { (0.0, mass) } else { (weight, (flip * mass).min(mass)) };
            program.column(cost, 0.0, most);
        }
    }
    tie_plan(program, instance, secret, first);
}
