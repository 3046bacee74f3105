//! The settings of Section 6.1 as problems.

use lookalike::design::Problem;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Categories, Channel, Distribution, Mechanism, Names, SecretGraph, TOTAL};
use lookalike_formats::Result;

/// Bernoulli-Couplet: two profiles with these probabilities of a one, joined by an edge.
///
/// # Errors
/// A probability outside 0..1.
pub fn bernoulli_couplet(ones: &[Rational; 2], epsilon: &Epsilon) -> Result<Problem> {
    let one = Rational::from_integer(1.into());
    let profiles = ones.iter().map(|p| Ok(Distribution::new(&[&one - p, p.clone()])?)).collect::<Result<Vec<_>>>()?;
    chain(["a", "b"], ["0", "1"], profiles, epsilon)
}

/// Bernoulli-Chain: `count` profiles whose probabilities of a one are evenly spaced on 0..1, each joined to the next.
///
/// # Errors
/// Fewer than two profiles.
pub fn bernoulli_chain(count: u32, epsilon: &Epsilon) -> Result<Problem> {
    let last = i64::from(count) - 1;
    let share = |ones: i64| Rational::new(ones.into(), last.max(1).into());
    let profile = |at: i64| Ok(Distribution::new(&[share(last - at), share(at)])?);
    let profiles = (0..=last).map(profile).collect::<Result<Vec<_>>>()?;
    chain((0..=last).map(|at| share(at).to_string()), ["0", "1"], profiles, epsilon)
}

/// Table 1, in tenths.
const CATEGORICAL_CHAIN: [(&str, [i64; 4]); 3] = [("P1", [2, 3, 4, 1]), ("P2", [3, 3, 3, 1]), ("P3", [4, 4, 1, 1])];

/// Categorical-Chain: the three profiles of Table 1 over four categories, each joined to the next.
///
/// # Errors
/// None: the profiles are fixed.
pub fn categorical_chain(epsilon: &Epsilon) -> Result<Problem> {
    let tenths = |tenths: [i64; 4]| tenths.map(|tenths| Rational::new(tenths.into(), 10.into()));
    let profile = |(_, law): &(_, [i64; 4])| Ok(Distribution::new(&tenths(*law))?);
    let profiles = CATEGORICAL_CHAIN.iter().map(profile).collect::<Result<Vec<_>>>()?;
    chain(CATEGORICAL_CHAIN.iter().map(|(name, _)| *name), ["1", "2", "3", "4"], profiles, epsilon)
}

fn chain<S: AsRef<str>, const N: usize>(
    names: impl IntoIterator<Item = S>,
    categories: [&str; N],
    profiles: Vec<Distribution>,
    epsilon: &Epsilon,
) -> Result<Problem> {
    let mut builder = SecretGraph::builder(Names::new("profile", names)?);
    builder.chain(epsilon);
    Ok(Problem::profiles(Categories::new(categories)?, builder.build()?, profiles)?)
}

/// The survey of the lecture: on one coin the answer is the truth, else that of a second coin. The truth is told with
/// probability 3/4, the opposite with 1/4; the claim is that the two answers look alike within ε.
///
/// # Errors
/// None: the channel is fixed.
pub fn survey(epsilon: &Epsilon) -> Result<Mechanism> {
    let answers = Categories::new(["no", "yes"])?;
    let mut builder = SecretGraph::builder(answers.names().clone());
    builder.complete(epsilon);
    let quarter = TOTAL / 4;
    let channel = Channel::rows(vec![vec![3 * quarter, quarter], vec![quarter, 3 * quarter]])?;
    Ok(Mechanism::point(answers.clone(), answers, builder.build()?, channel)?)
}

/// The ε of the plots: every multiple of 1/20 up to `last` twentieths, with its text.
pub(crate) fn twentieths(last: i64) -> impl Iterator<Item = (String, Epsilon)> {
    (1..=last).map(|at| {
        let value = Rational::new(at.into(), 20.into());
        let text = lookalike::exact::decimal(&value, 2, lookalike::exact::Direction::Nearest);
        (text, Epsilon::rational(value).expect("a positive number"))
    })
}
