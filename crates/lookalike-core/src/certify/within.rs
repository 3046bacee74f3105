//! The worst ε of a mechanism whose profiles are known up to limits only.

use super::Worst;
use super::finite::worst_of_each_epsilon;
use crate::error::Result;
use crate::exact::{Natural, Rational};
use crate::model::{Limits, Mechanism};
use std::cmp::Ordering;

/// The pair and output with the largest likelihood ratio that laws within limits can have.
///
/// `limits` holds for each secret and category the least and the largest probability: secret s has any law P with
/// `l ≤ P ≤ u` and `Σ P = 1`, each secret its own. They need not be those of the mechanism;
/// [`super::certify_within`] says whether its claim holds for them.
///
/// # Guarantee
/// For all such laws, every pair that must look alike and every output y, `q_s(y) / q_s'(y)` with `q_s = P A^s` is at
/// most the ratio of the result; some laws reach it. It is infinite when a law has an output that another may lack.
///
/// # Errors
/// Limits that do not fit the mechanism, limits of a profile that no law meets, or a mechanism whose secrets are values.
///
/// # Complexity
/// Per secret and output one sort of its channel's column, a fractional knapsack; per group the members twice.
pub fn within(mechanism: &Mechanism, limits: &[Vec<[Rational; 2]>]) -> Result<Worst> {
    let names = mechanism.graph().names();
    let of_profile = |(at, limits): (usize, &Vec<[Rational; 2]>)| {
        Limits::new(limits).map_err(|error| match at < names.len() {
            true => error.at(format!("profile {:?}", names.name(at as u32))),
            false => error,
        })
    };
    let found = limits.iter().enumerate().map(of_profile).collect::<Result<Vec<Limits>>>()?;
    mechanism.check_limits(&found)?;
    let worst = worst_of_each_epsilon(mechanism, &found).into_iter().reduce(|worst, next| {
        let ([more, less], [next_more, next_less]) = (&worst.probabilities, &next.probabilities);
        if Natural::compare_products(next_more, less, more, next_less) == Ordering::Greater { next } else { worst }
    });
    Ok(worst.expect("some output has a positive probability"))
}

#[cfg(test)]
#[path = "within_tests.rs"]
mod tests;
