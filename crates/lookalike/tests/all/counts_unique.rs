//! GM is the only mechanism with the least L_0 when nothing but privacy is demanded and every count is equally frequent.
//!
//! The proof, in fractions and for each n and α of the test. Where the truth is to be released most often, privacy away from
//! it is what limits: `P[i|j] ≥ α·P[i|j']`, j' the neighbour of j on the side of i. With multipliers μ_j of the rows
//! that solve `Σ_k α^|i−k|·μ_k = 1` for every i, those of privacy are sums `λ = Σ_k α^|j−k|·μ_k` over the counts beyond j.
//! If all μ are positive, so are all λ: then no mechanism has a larger sum of truths than Σ μ, and one that reaches it
//! has equality in every limit (complementary slackness). So `P[i|j] = α^|i−j|·d_i`, and the rows sum to 1 only for the
//! solution of `Σ_i α^|i−j|·d_i = 1`, which is one, since the matrix can be inverted.

use lookalike::counts::{Alpha, CountLoss, geometric, score};
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::Prior;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

/// The one solution of `Σ_k α^|i−k|·x_k = 1` for every i, by elimination; `None` where there are none or many.
fn solved(n: usize, alpha: &Rational) -> Option<Vec<Rational>> {
    let size = n + 1;
    let power = |d: usize| (0..d).fold(Rational::one(), |product, _| product * alpha);
    let mut rows: Vec<Vec<Rational>> =
        (0..size).map(|i| (0..size).map(|k| power(i.abs_diff(k))).chain([Rational::one()]).collect()).collect();
    for at in 0..size {
        let pivot = (at..size).find(|&row| !rows[row][at].is_zero())?;
        rows.swap(at, pivot);
        let first = rows[at][at].clone();
        rows[at].iter_mut().for_each(|entry| *entry /= &first);
        let eliminated = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != at) {
            let factor = row[at].clone();
            row.iter_mut().zip(&eliminated).for_each(|(entry, part)| *entry -= part * &factor);
        }
    }
    Some(rows.into_iter().map(|mut row| row.pop().expect("the right side")).collect())
}

proptest! {
    #[test]
    fn gm_is_the_only_optimum(n in 1usize..=12, numerator in 1u32..1000, more in 1u32..1000) {
        let alpha = Rational::new(numerator.into(), (numerator + more).into());
        let solution = solved(n, &alpha);
        prop_assert!(solution.is_some(), "one solution");
        let solution = solution.unwrap();
        prop_assert!(solution.iter().all(Signed::is_positive), "every limit counts");
        // The same numbers are the truths of the only optimum, and they are those of GM.
        let gm = geometric(n, &Alpha::new(alpha.clone()).unwrap()).unwrap();
        let near = Rational::new(1.into(), (1u64 << 40).into()) / (Rational::one() - &alpha);
        for j in 0..=n {
            for (i, truth) in solution.iter().enumerate() {
                let expected = (0..i.abs_diff(j)).fold(truth.clone(), |product, _| product * &alpha);
                let off = gm.channels()[0].probability(j, i) - expected;
                prop_assert!(off.abs() <= near, "P[{i}|{j}] is off by {}", to_f64(&off, Direction::Nearest));
            }
        }
        // And what it reaches is the bound.
        let sum = solution.iter().fold(Rational::zero(), |sum, part| sum + part);
        let size = Rational::from_integer((n + 1).into());
        let bound = (&size - sum) / Rational::from_integer(n.into());
        let off = score(&gm, &Prior::uniform(n + 1).unwrap(), CountLoss::L0).unwrap() - bound;
        prop_assert!(!off.is_negative() && off <= near * size, "{}", to_f64(&off, Direction::Nearest));
    }
}
