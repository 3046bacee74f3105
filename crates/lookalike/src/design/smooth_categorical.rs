//! The Smooth Categorical mechanism (problem (6) of Geumlek and Chaudhuri), for any graph, objective and kind.

use super::averaged::{averaged, group};
use super::group::{few_enough, groups_fit};
use super::impossible_inputs::released_by_law;
use super::instance::{Alike, Instance};
use super::keep_coupling::keep_channels;
use super::limits_design;
use super::max_flip::LeastFlip;
use super::point::point;
use super::problem::Parts;
use super::proposal::{Binding, Means, Proposal};
use super::repair::repair;
use super::second_stage::LEAST_ERROR;
use super::{Algorithm, Design, Flips, MechanismName, Objective, Problem, Repaired, Solution, Watch, smooth_one_bit};
use crate::Result;
use crate::exact::{Natural, Rational, exceeds};
use crate::model::{Channel, Constraint, Kind, Loss, TOTAL};
use num_traits::Zero;
use rayon::prelude::*;

/// Profiles over two categories from which on shortest paths are used; below, the program's second stage is better.
const MANY: usize = 1000;
/// Columns of a linear program that is solved without being asked for.
const MOST_COLUMNS: usize = 30_000;
/// Entries of the rows of a shared channel's program that is solved without being asked for.
const MOST_SHARED_ENTRIES: usize = 20_000_000;
/// Members of a group from which on its profiles are eliminated one by one.
const LARGE_GROUP: usize = 16;

/// The mechanism with the least objective there is, for the problem's kind.
///
/// One channel a profile: each component is solved apart, as output laws within the constraints and the plans that
/// reach them; for the largest flip, at the largest over all components, which is the objective. One channel for all: its entries
/// are the unknowns. Where profiles have limits, the program is about the entries of all channels, with the largest and the least
/// probability of each output.
///
/// # Guarantee
/// The claim of every edge holds, after a repair that costs about the solver's last bits. The lower bound is proven.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
///
/// # Complexity
/// Some 20 to 30 factorizations a round; see the benchmarks.
///
/// # Reference
/// Geumlek and Chaudhuri (2019), problem (6).
pub fn smooth_categorical(problem: &Problem, algorithm: Option<Algorithm>, watch: Watch<'_>) -> Result<Design> {
    let algorithm = algorithm.unwrap_or_else(|| suggested(problem));
    if algorithm == Algorithm::Lattice && problem.limits().is_empty() {
        let name = MechanismName::SmoothCategorical;
        return Ok(Design { name, ..smooth_one_bit::watched(problem, Flips::Asymmetric, watch)? });
    }
    let instances = match problem.kind() {
        Kind::Aware => Instance::components(problem),
        _ => vec![Instance::whole(problem)],
    };
    let mut proposals = match (problem.kind(), problem.objective().loss()) {
        (_, None) if !problem.limits().is_empty() => by_largest_flip_within(problem, &instances, &watch)?,
        (Kind::Aware, None) => by_largest_flip(problem, &instances, &watch)?,
        _ => {
            let solve = |instance: &Instance| by_average(problem, instance, algorithm, &watch);
            instances.par_iter().map(solve).collect::<Result<Vec<Proposal>>>()?
        }
    };
    watch.step("repair", 0, None)?;
    let repaired = realized(problem, &instances, &mut proposals)?;
    let mechanism = released_by_law(repaired.mechanism)?;
    let mut design = Design::new(MechanismName::SmoothCategorical, problem, mechanism)?;
    design.objective.raise_bound(&combined_bound(problem.objective(), &proposals));
    // The weakest rule speaks for all.
    let tie_break = proposals.iter().filter_map(|proposal| proposal.tie_break).max_by_key(|rule| *rule != LEAST_ERROR);
    let hardest = proposals.into_iter().max_by(|a, b| a.bound.cmp(&b.bound)).expect("a component");
    design.solution = Solution {
        algorithm,
        rounds: hardest.rounds,
        tie_break,
        components: problem.components_apart(),
        binding: hardest.binding.secrets,
        binding_output: hardest.binding.output,
        repair_cost: repaired.cost,
        family_bound: None,
    };
    Ok(design)
}

/// The least largest flip over all components, and at that flip the least expected error in each of them.
fn by_largest_flip(problem: &Problem, instances: &[Instance], watch: &Watch<'_>) -> Result<Vec<Proposal>> {
    let first = |instance| {
        if is_private_already(problem, instance) { None } else { Some(LeastFlip::new(problem, instance, watch)) }
    };
    let firsts = instances.par_iter().map(|instance| first(instance).transpose()).collect::<Result<Vec<_>>>()?;
    let flip = firsts.iter().flatten().map(|first| first.flip).fold(0.0, f64::max);
    let second = |(first, instance): (Option<LeastFlip<'_>>, &Instance)| match first {
        Some(first) => first.with_least_error(flip, watch),
        None => unchanged(problem, instance),
    };
    firsts.into_par_iter().zip(instances).map(second).collect()
}

/// The same where profiles have limits, also for the channel that serves all.
fn by_largest_flip_within(problem: &Problem, instances: &[Instance], watch: &Watch<'_>) -> Result<Vec<Proposal>> {
    let first = |instance| match is_private_already(problem, instance) {
        true => None,
        false => Some(limits_design::LeastFlip::new(problem, instance, watch)),
    };
    let firsts = instances.par_iter().map(|instance| first(instance).transpose()).collect::<Result<Vec<_>>>()?;
    let flip = firsts.iter().flatten().map(limits_design::LeastFlip::least).fold(0.0, f64::max);
    let second = |(first, instance): (Option<limits_design::LeastFlip<'_>>, &Instance)| match first {
        Some(first) => first.with_least_error(flip, watch),
        None => unchanged(problem, instance),
    };
    firsts.into_par_iter().zip(instances).map(second).collect()
}

/// The least average loss of one component, or the channel that serves all.
fn by_average(problem: &Problem, instance: &Instance, algorithm: Algorithm, watch: &Watch<'_>) -> Result<Proposal> {
    match (problem.kind(), problem.objective().loss()) {
        _ if is_private_already(problem, instance) => unchanged(problem, instance),
        (_, Some(loss)) if !problem.limits().is_empty() => limits_design::averaged(problem, instance, loss, watch),
        (Kind::Aware, Some(Loss::ZeroOne)) if algorithm == Algorithm::Group && groups_fit(instance) => {
            group(problem, instance, watch)
        }
        (Kind::Aware, Some(loss)) => averaged(problem, instance, loss, watch),
        _ => point(problem, instance, watch),
    }
}

/// The algorithms that apply to a problem.
pub(super) fn algorithms(problem: &Problem) -> Vec<Algorithm> {
    let mut algorithms = vec![Algorithm::LinearProgram];
    if !problem.limits().is_empty() {
        return algorithms;
    }
    match problem.objective() {
        Objective::MaxFlip if problem.kind() == Kind::Aware && problem.categories().len() == 2 => {
            algorithms.push(Algorithm::Lattice);
        }
        Objective::ExpectedError if problem.kind() == Kind::Aware => algorithms.push(Algorithm::Group),
        _ => {}
    }
    algorithms
}

/// Whether the problem is small enough for the algorithm that its structure suggests; for larger ones a design may
/// take long, but can be asked for by name.
pub(super) fn fits(problem: &Problem) -> bool {
    let size = problem.categories().len();
    if !problem.limits().is_empty() {
        return limits_design::fits(problem);
    }
    let entries: usize =
        problem.graph().constraints().map(|constraint| 2 * constraint.members.len() * size * size).sum();
    let (columns, entries) = match (problem.kind(), problem.objective()) {
        (Kind::Aware, objective) => {
            let largest = problem.graph().components().iter().map(Vec::len).max().unwrap_or(0) * size;
            let has_plans = !matches!(objective.loss(), None | Some(Loss::ZeroOne | Loss::Ordinal));
            (if has_plans { largest * size } else { largest }, 0)
        }
        (Kind::Point, _) => (size * size, entries / size),
        _ => (size * size, entries),
    };
    suggested(problem) != Algorithm::LinearProgram || (columns <= MOST_COLUMNS && entries <= MOST_SHARED_ENTRIES)
}

/// The algorithm that the structure of a problem suggests: shortest paths for many profiles over two categories, the
/// elimination of profiles for expected error in groups, and else a linear program.
fn suggested(problem: &Problem) -> Algorithm {
    let (graph, aware) = (problem.graph(), problem.kind() == Kind::Aware);
    let members = graph.groups().iter().map(|group| group.members().len()).max().unwrap_or(0);
    match problem.objective() {
        _ if !problem.limits().is_empty() => Algorithm::LinearProgram,
        Objective::MaxFlip if aware && problem.categories().len() == 2 && graph.names().len() > MANY => {
            Algorithm::Lattice
        }
        Objective::ExpectedError if aware && members > LARGE_GROUP && all_groups_fit(problem) => Algorithm::Group,
        _ => Algorithm::LinearProgram,
    }
}

/// Whether each component has few enough constraints for the elimination of its profiles.
fn all_groups_fit(problem: &Problem) -> bool {
    let (graph, size) = (problem.graph(), problem.categories().len());
    let mut counts = vec![0usize; graph.names().len()];
    for constraint in graph.constraints() {
        counts[graph.first_of_component()[constraint.members[0] as usize] as usize] += 1;
    }
    counts.into_iter().all(|count| few_enough(count, size))
}

/// Whether the secrets of a component may be released as they are, and nothing is better.
fn is_private_already(problem: &Problem, instance: &Instance) -> bool {
    let laws = problem.profile_laws();
    let fits = |alike: &Alike| {
        let members: Vec<u32> = alike.members.iter().map(|&member| instance.secrets[member as usize]).collect();
        let constraint = Constraint { members: &members, epsilon: &alike.epsilon };
        (0..instance.size).all(|y| {
            let (most, least) = constraint.extremes(laws, y);
            let (more, less) = laws[most as usize].over_common_denominator(&laws[least as usize], y);
            !exceeds(&more, constraint.epsilon, &less)
        })
    };
    let free = |loss: &Loss| (0..instance.size).all(|x| loss.cost(x, x).is_zero());
    if !problem.limits().is_empty() {
        let fits = |alike: &Alike| is_private_within(problem, instance, alike);
        return problem.objective().loss().is_none_or(free) && instance.alike.iter().all(fits);
    }
    !laws.is_empty() && problem.objective().loss().is_none_or(free) && instance.alike.iter().all(fits)
}

/// Whether members may be released as they are, whatever their laws within their limits are. By the two with the largest upper limits and
/// the two with the least lower ones: nothing is claimed about two laws of one member.
fn is_private_within(problem: &Problem, instance: &Instance, alike: &Alike) -> bool {
    let limits = |member: u32| &problem.limits()[instance.secrets[member as usize] as usize];
    let exceeds_at = |y: usize| {
        let end = |member: u32, is_upper: bool| {
            let (lower, room) = (limits(member).lower(y), limits(member).room(y));
            (if is_upper { lower.plus(&room) } else { lower }, limits(member).denominator())
        };
        let compared = |one: u32, other: u32, is_upper: bool| {
            let ((part, whole), (its_part, its_whole)) = (end(one, is_upper), end(other, is_upper));
            Natural::compare_products(&part, &its_whole, &its_part, &whole)
        };
        let (mut most, mut least) = (alike.members.clone(), alike.members.clone());
        // The first two, in linear time.
        most.select_nth_unstable_by(1, |&one, &other| compared(other, one, true));
        least.select_nth_unstable_by(1, |&one, &other| compared(one, other, false));
        let pairs = most[..2].iter().flat_map(|&one| least[..2].iter().map(move |&other| (one, other)));
        pairs.filter(|(one, other)| one != other).any(|(one, other)| {
            let ((most, whole), (least, its_whole)) = (end(one, true), end(other, false));
            exceeds(&most.times(&its_whole), &alike.epsilon, &least.times(&whole))
        })
    };
    !(0..instance.size).any(exceeds_at)
}

/// The identity; with its rows written out for a profile that never has some input, so that these can get its law.
fn unchanged(problem: &Problem, instance: &Instance) -> Result<Proposal> {
    let identity = Channel::identity(instance.size)?;
    let channel = |secret: usize| {
        if problem.profile_laws()[instance.secrets[secret] as usize].numerators().all(|numerator| !numerator.is_zero())
        {
            return Ok(identity.clone());
        }
        let kept = |x: usize| (0..instance.size).map(|y| if y == x { TOTAL } else { 0 }).collect();
        Channel::rows((0..instance.size).map(kept).collect())
    };
    let means = match (problem.kind(), problem.objective().loss()) {
        (Kind::Aware, Some(Loss::ZeroOne)) if problem.limits().is_empty() => Means::Laws(instance.laws().to_vec()),
        (Kind::Aware, _) => Means::Channels((0..instance.count()).map(channel).collect::<Result<_>>()?),
        _ => Means::Channels(vec![identity]),
    };
    Ok(Proposal::new(means, Rational::zero(), 0, Binding::default()))
}

/// The mechanism that the proposals ask for, repaired.
fn realized(problem: &Problem, instances: &[Instance], proposals: &mut [Proposal]) -> Result<Repaired> {
    let size = problem.categories().len();
    let (mut channels, mut laws) = (vec![None; problem.graph().names().len()], Vec::new());
    for (instance, proposal) in instances.iter().zip(proposals) {
        match std::mem::replace(&mut proposal.means, Means::Channels(Vec::new())) {
            Means::Laws(numbers) => {
                laws.resize(channels.len() * size, 0.0);
                for (&secret, law) in instance.secrets.iter().zip(numbers.chunks_exact(size)) {
                    laws[secret as usize * size..][..size].copy_from_slice(law);
                }
            }
            Means::Channels(own) => {
                own.into_iter().zip(&instance.secrets).for_each(|(own, &at)| channels[at as usize] = Some(own));
            }
        }
    }
    if !laws.is_empty() {
        return keep_channels(problem, &laws);
    }
    let channels: Vec<Channel> = channels.into_iter().flatten().collect();
    repair(problem.mechanism(Parts::apart(channels.len()), channels)?)
}

/// The largest of the components' bounds for a largest flip, their sum for an average.
fn combined_bound(objective: &Objective, proposals: &[Proposal]) -> Rational {
    let bounds = proposals.iter().map(|proposal| proposal.bound.clone());
    match objective {
        Objective::MaxFlip => bounds.max().unwrap_or_else(Rational::zero),
        _ => bounds.sum(),
    }
}

#[cfg(test)]
#[path = "smooth_categorical_tests.rs"]
mod tests;
