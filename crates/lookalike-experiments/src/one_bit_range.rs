//! What the solutions of problem (5) have in common: the range of each profile's output law over all of them.

use crate::proved::{certified, float};
use lookalike::design::{Problem, repair};
use lookalike::exact::Rational;
use lookalike::model::{Channel, Mechanism, TOTAL};
use lookalike_formats::Result;

/// For every profile the smallest and the largest probability of a one over all optimal mechanisms.
#[derive(Debug, Clone)]
pub(crate) struct OneBitRange {
    /// The smallest, all of them reached by one mechanism.
    pub(crate) least: Vec<Rational>,
    /// The largest, all of them reached by one mechanism.
    pub(crate) greatest: Vec<Rational>,
}

/// The range over all mechanisms with one symmetric flip of at most `largest_flip` a profile.
///
/// Such a flip moves q between p and p + (1 − 2p)t. An edge says q ≤ f(q') with `f(x) = min(E x, 1 − (1 − x)/E)`, both
/// ways. Solutions below given limits have a greatest one, since f increases: lower what breaks an edge until nothing
/// does. Exchanging the two outputs gives the least one. Both are made mechanisms, and certified.
///
/// # Errors
/// A problem without Bernoulli profiles.
pub(crate) fn one_bit_range(problem: &Problem, largest_flip: f64) -> Result<OneBitRange> {
    let ones: Vec<f64> = problem.profile_laws().iter().map(|law| float(&law.probability(1))).collect();
    let zeros: Vec<f64> = ones.iter().map(|p| 1.0 - p).collect();
    let greatest = greatest_laws(problem, &ones, largest_flip);
    let least: Vec<f64> = greatest_laws(problem, &zeros, largest_flip).iter().map(|q| 1.0 - q).collect();
    let exact = |laws: &[f64]| exact_laws(problem, &ones, laws, largest_flip);
    Ok(OneBitRange { least: exact(&least)?, greatest: exact(&greatest)? })
}

/// The greatest solution within reach of flips of at most t.
fn greatest_laws(problem: &Problem, ones: &[f64], t: f64) -> Vec<f64> {
    let mut laws: Vec<f64> = ones.iter().map(|p| p + (1.0 - 2.0 * p).max(0.0) * t).collect();
    // A limit travels at most once along every profile.
    for _ in 0..laws.len() {
        for edge in problem.graph().edges() {
            let exp = edge.epsilon().to_f64().exp();
            let f = |x: f64| (exp * x).min(1.0 - (1.0 - x) / exp);
            let [a, b] = edge.ends().map(|end| end as usize);
            laws[a] = laws[a].min(f(laws[b]));
            laws[b] = laws[b].min(f(laws[a]));
        }
    }
    laws
}

/// The exact output laws of the certified mechanism that has about these.
fn exact_laws(problem: &Problem, ones: &[f64], laws: &[f64], t: f64) -> Result<Vec<Rational>> {
    let channel = |(&p, &q): (&f64, &f64)| {
        let tilt = (1.0 - 2.0 * p).abs();
        let flip = if tilt > 0.0 { ((q - p).abs() / tilt).min(t) } else { 0.0 };
        let flipped = (flip * TOTAL as f64).round() as u64;
        Ok(Channel::from_weights([TOTAL - flipped, flipped, flipped, TOTAL - flipped], 2)?)
    };
    let channels = ones.iter().zip(laws).map(channel).collect::<Result<Vec<_>>>()?;
    let (categories, assignment) = (problem.categories(), (0..ones.len() as u32).collect());
    let profiles = problem.profile_laws().to_vec();
    let draft = Mechanism::aware(
        categories.clone(),
        categories.clone(),
        problem.graph().clone(),
        profiles,
        channels,
        assignment,
    )?;
    let proved = certified(repair(draft)?.mechanism)?;
    Ok(proved.mechanism().output_laws().iter().map(|law| law.probability(1)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proved::designed;
    use crate::settings::{bernoulli_chain, bernoulli_couplet};
    use lookalike::design::MechanismName;

    #[test]
    fn the_stated_solution_lies_in_the_range_and_the_costly_end_has_no_choice() {
        for (count, epsilon) in [(6, "0.2"), (6, "1"), (21, "0.5"), (21, "0.05")] {
            let problem = bernoulli_chain(count, &epsilon.parse().unwrap()).unwrap();
            let design = designed(&problem, MechanismName::SmoothOneBit).unwrap();
            let range = one_bit_range(&problem, design.objective.value).unwrap();
            for (secret, law) in design.mechanism().output_laws().iter().enumerate() {
                let q = float(&law.probability(1));
                let (least, greatest) = (float(&range.least[secret]), float(&range.greatest[secret]));
                assert!(
                    least - 1e-9 <= q && q <= greatest + 1e-9,
                    "{count} {epsilon} {secret}: {least} {q} {greatest}"
                );
            }
            // The path from the first profile sets the optimum: its law is that of the largest flip.
            assert!(float(&(&range.greatest[0] - &range.least[0])) < 1e-9);
            assert!((float(&range.least[0]) - design.objective.value).abs() < 1e-9);
        }
    }

    #[test]
    fn a_brute_force_over_flips_finds_no_solution_outside_the_range_and_reaches_both_ends() {
        let epsilon = "0.4".parse().unwrap();
        let ones = ["0.1", "0.7"].map(|p| lookalike::exact::parse_rational(p).unwrap());
        let problem = bernoulli_couplet(&ones, &epsilon).unwrap();
        let t = designed(&problem, MechanismName::SmoothOneBit).unwrap().objective.value + 0.05;
        let range = one_bit_range(&problem, t).unwrap();
        let (exp, steps) = (0.4f64.exp(), 1000);
        let mut found = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for (i, j) in (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j))) {
            let flip = |at: i32| t * f64::from(at) / f64::from(steps);
            let q = [0.1 + 0.8 * flip(i), 0.7 - 0.4 * flip(j)];
            let private = |a: f64, b: f64| a <= exp * b && b <= exp * a;
            if private(q[0], q[1]) && private(1.0 - q[0], 1.0 - q[1]) {
                for (found, q) in found.iter_mut().zip(q) {
                    *found = [found[0].min(q), found[1].max(q)];
                }
            }
        }
        for (secret, [least, greatest]) in found.into_iter().enumerate() {
            assert!((float(&range.least[secret]) - least).abs() < 1e-3);
            assert!((float(&range.greatest[secret]) - greatest).abs() < 1e-3);
        }
    }
}
