//! Inputs that a profile never has, should they occur all the same.
//!
//! A fitted profile has a zero wherever a value was not seen, so a record may well have an "impossible" value. Its row
//! is free: it is in no output law and in no objective. Released by the output law of the profile, such a record shows
//! nothing; released as it is, it may show the profile.

use super::rounding::largest_remainder;
use super::{MechanismName, Problem};
use crate::Result;
use crate::exact::{Epsilon, Rational, exceeds};
use crate::model::{Channel, Constraint, Distribution, Form, Kind, Limits, Mechanism, TOTAL};
use num_bigint::BigUint;
use rayon::prelude::*;

/// The mechanism in which every input that a profile never has is released by the profile's output law `q_s`, rounded
/// to whole weights by largest remainder.
///
/// If the profile was wrong and such an input does occur, the release has the law that was proved, to the last unit of
/// 2^−53. Output laws stay exactly as they are, and so do the claim, the proof and every objective. For designs that
/// give each profile a channel of its own; a channel of the form `keep` has no row to replace and stays.
pub(super) fn released_by_law(mechanism: Mechanism) -> Result<Mechanism> {
    if mechanism.kind() != Kind::Aware {
        return Ok(mechanism);
    }
    debug_assert_eq!(mechanism.channels().len(), mechanism.profiles().len(), "a channel for each profile");
    let channels = mechanism.profiles().par_iter().enumerate().map(|(secret, profile)| {
        let (channel, limits) = (mechanism.channel(secret as u32), mechanism.limits().get(secret));
        with_laws_for_rows(profile, limits, channel).unwrap_or_else(|| Ok(channel.clone()))
    });
    let (channels, outputs) = (channels.collect::<Result<Vec<_>>>()?, mechanism.outputs().clone());
    mechanism.with_channels(channels, outputs)
}

/// The channel with the output law in place of the rows of impossible inputs; `None` where there are none.
fn with_laws_for_rows(profile: &Distribution, limits: Option<&Limits>, channel: &Channel) -> Option<Result<Channel>> {
    let Form::Rows { weights, outputs } = channel.form() else { return None };
    never(profile, limits).next()?;
    let law = rounded(&channel.apply(profile));
    let mut weights = weights.to_vec();
    never(profile, limits).for_each(|x| weights[x * outputs..][..outputs].copy_from_slice(&law));
    Some(Channel::from_weights(weights, outputs))
}

/// The inputs that a profile never has: no law within its limits, where it has some.
fn never<'a>(profile: &'a Distribution, limits: Option<&'a Limits>) -> impl Iterator<Item = usize> + 'a {
    (0..profile.len()).filter(move |&x| match limits {
        Some(limits) => !limits.is_possible(x),
        None => profile.numerator(x).is_zero(),
    })
}

/// A law as whole weights out of 2^53.
fn rounded(law: &Distribution) -> Vec<u64> {
    let numerators: Vec<BigUint> = law.numerators().map(|numerator| numerator.to_big()).collect();
    largest_remainder(&numerators, &law.denominator().to_big())
}

/// Values that their profiles never have and that a mechanism would release otherwise than by the output law.
///
/// Profiles without an edge are not counted, since nothing is promised of them; nor are channels that hide every value
/// from every other at the ε of the profile's component, as k-ary randomized response does: their promise does not rest
/// on the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpossibleInputs {
    /// How many pairs of a profile and a value there are.
    pub count: u64,
    /// The profile of the pair whose value is kept most often; of equal ones the first.
    pub secret: u32,
    /// The value of that pair.
    pub input: u32,
    /// The probability with which that value would be released as it is.
    pub kept: Rational,
}

/// A row that is this many units of 2^−53 from the output law is the law: what rounding and repair leave.
const ROUNDING: u64 = 8;

impl ImpossibleInputs {
    /// Those of a mechanism; `None` where every such value is released by the output law, or nothing is impossible.
    ///
    /// Takes O(d²) steps for each profile that never has some value.
    ///
    /// # Example
    /// ```
    /// use lookalike::{design::{self, ImpossibleInputs, Options, Problem}, exact::parse_rational};
    /// use lookalike::model::{Categories, Distribution, Names, SecretGraph};
    /// let law = |no: &str, yes: &str| Distribution::new(&[no, yes].map(|p| parse_rational(p).unwrap()));
    /// let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"])?);
    /// builder.complete(&"1".parse()?);
    /// let bits = Categories::new(["no", "yes"])?;
    /// let problem = Problem::profiles(bits, builder.build()?, vec![law("1", "0")?, law("0.9", "0.1")?])?;
    /// let best = design::design(&problem, &Options::default())?;
    /// assert_eq!(ImpossibleInputs::of(&best.mechanism), None);
    /// let cluster = design::cluster(&problem)?;
    /// let found = ImpossibleInputs::of(&cluster.mechanism).expect("ana never has yes");
    /// assert_eq!((found.count, found.secret, found.input), (1, 0, 1));
    /// assert_eq!(found.kept, cluster.mechanism.channel(0).probability(1, 1));
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn of(mechanism: &Mechanism) -> Option<Self> {
        if mechanism.kind() == Kind::Point {
            return None;
        }
        let hidden = hidden_values(mechanism);
        let of_profile = |(secret, profile): (usize, &Distribution)| {
            let limits = mechanism.limits().get(secret);
            let secret = secret as u32;
            never(profile, limits).next()?;
            if hidden[secret as usize] {
                return None;
            }
            let channel = mechanism.channel(secret);
            let law = rounded(&channel.apply(profile));
            let kept = |x: usize| if x < channel.outputs() { channel.weight(x, x) } else { 0 };
            let shown: Vec<usize> = never(profile, limits).filter(|&x| !is_law(channel, x, &law)).collect();
            // Of equal ones the last is the maximum, so they are asked in reverse.
            let worst = shown.iter().rev().copied().max_by_key(|&x| kept(x))?;
            let kept = Rational::new(kept(worst).into(), channel.scale().into());
            Some(ImpossibleInputs { count: shown.len() as u64, secret, input: worst as u32, kept })
        };
        let found = mechanism.profiles().par_iter().enumerate().filter_map(of_profile);
        found.reduce_with(|one, other| {
            let count = one.count + other.count;
            let worse = if other.kept > one.kept { other } else { one };
            ImpossibleInputs { count, ..worse }
        })
    }

    /// Whether some profile never has some value, and every such value of every profile is released by the output law.
    pub fn are_released_by_law(mechanism: &Mechanism) -> bool {
        let limits = |secret: usize| mechanism.limits().get(secret);
        let is_short = |(secret, law): &(usize, &Distribution)| never(law, limits(*secret)).next().is_some();
        let mut with_zeros = mechanism.profiles().iter().enumerate().filter(is_short);
        let by_law = |(secret, profile): (usize, &Distribution)| {
            let channel = mechanism.channel(secret as u32);
            let law = rounded(&channel.apply(profile));
            never(profile, limits(secret)).all(|x| is_law(channel, x, &law))
        };
        with_zeros.next().is_some_and(|first| by_law(first) && with_zeros.all(by_law))
    }
}

/// Whether the row of an input is the output law, up to rounding.
fn is_law(channel: &Channel, x: usize, law: &[u64]) -> bool {
    let unit = channel.scale() / u128::from(TOTAL);
    let near = |(y, &weight): (usize, &u64)| {
        channel.weight(x, y).abs_diff(u128::from(weight) * unit) <= u128::from(ROUNDING) * unit
    };
    law.iter().enumerate().all(near)
}

/// For each secret whether its values are hidden whatever its profile is: nothing is promised of it, or its component
/// has one channel of which any two rows are within the smallest ε of the component.
fn hidden_values(mechanism: &Mechanism) -> Vec<bool> {
    let (assignment, first) = (mechanism.assignment(), mechanism.graph().first_of_component());
    let mut smallest: Vec<Option<&Epsilon>> = vec![None; assignment.len()];
    for Constraint { members, epsilon } in mechanism.graph().constraints() {
        let slot = &mut smallest[first[members[0] as usize] as usize];
        if slot.is_none_or(|least| epsilon < least) {
            *slot = Some(epsilon);
        }
    }
    let mut has_one_channel = vec![true; assignment.len()];
    for (&place, &first) in assignment.iter().zip(first) {
        has_one_channel[first as usize] &= place == assignment[first as usize];
    }
    let of_component = |at: usize| match smallest[at] {
        None => true,
        Some(epsilon) => has_one_channel[at] && is_locally_private(mechanism.channel(at as u32), epsilon),
    };
    let is_first = |at: usize| first[at] as usize == at;
    let components: Vec<bool> =
        (0..assignment.len()).into_par_iter().map(|at| is_first(at) && of_component(at)).collect();
    first.iter().map(|&first| components[first as usize]).collect()
}

/// Whether any two rows are within e^ε of each other at every output.
fn is_locally_private(channel: &Channel, epsilon: &Epsilon) -> bool {
    (0..channel.outputs()).all(|y| {
        let weights = || (0..channel.inputs()).map(|x| channel.weight(x, y));
        let (most, least) = (weights().max().unwrap_or(0), weights().min().unwrap_or(0));
        !exceeds(&most.into(), epsilon, &least.into())
    })
}

impl MechanismName {
    /// Whether a design of this name releases values that a profile never has otherwise than by the output law: because
    /// one channel serves several profiles, or both bits have one flip probability.
    pub fn keeps_impossible_inputs(self, problem: &Problem) -> bool {
        match self {
            // Hides every value from every other.
            MechanismName::RandomizedResponse => false,
            MechanismName::SmoothCategorical => problem.kind() == Kind::Shared,
            MechanismName::TwoProfile
            | MechanismName::OneBitCluster
            | MechanismName::Cluster
            | MechanismName::SmoothOneBit => true,
        }
    }
}

impl Problem {
    /// How many pairs of a profile with an edge and a value that it never has there are, and the first of them.
    pub fn impossible_inputs(&self) -> Option<(u64, u32, u32)> {
        let (mut found, mut has_edge) = (None, vec![false; self.graph().names().len()]);
        for constraint in self.graph().constraints() {
            constraint.members.iter().for_each(|&member| has_edge[member as usize] = true);
        }
        for (secret, profile) in self.profile_laws().iter().enumerate().filter(|(secret, _)| has_edge[*secret]) {
            for x in never(profile, self.limits().get(secret)) {
                let (count, ..) = found.get_or_insert((0, secret as u32, x as u32));
                *count += 1;
            }
        }
        found
    }
}

#[cfg(test)]
#[path = "impossible_inputs_tests.rs"]
mod tests;
