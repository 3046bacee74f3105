//! Times designs of mechanisms over counts, and proves how private a matrix of doubles is that somebody else designed.

use crate::design::processor_seconds;
use crate::{Failure, Flags};
use lookalike::certify::{Achieved, Certified, certify};
use lookalike::counts::{Alpha, CountLoss, Method, Optimal, Properties, categories, optimal, properties};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Interval, Rational, to_f64};
use lookalike::model::{Channel, Distribution, Mechanism, Prior, SecretGraph};
use std::path::Path;

/// Bits of ε = −ln α, as many as the certifier gives for what was achieved.
const BITS: u64 = 60;

/// From the question to a certified mechanism: the best of the repetitions, and the answer.
pub fn run(flags: &Flags) -> Result<(), Failure> {
    let question = Question {
        n: flags.number("n")?,
        alpha: flags.number("alpha")?,
        asked: flags.number("properties")?,
        loss: flags.number("loss")?,
    };
    let (mut best, mut answer) = (f64::INFINITY, None);
    for _ in 0..flags.number("repetitions")? {
        let start = processor_seconds();
        let found = question.answer()?;
        best = best.min(processor_seconds() - start);
        answer = Some(found);
    }
    let answer = answer.ok_or("no repetition")?;
    answer.check(question.asked)?;
    answer.report(question.n + 1, best);
    Ok(())
}

struct Question {
    n: usize,
    alpha: Alpha,
    asked: Properties,
    loss: CountLoss,
}

struct Answer {
    certified: Certified<Mechanism>,
    score: Rational,
    bound: Option<Rational>,
    method: Method,
}

impl Question {
    fn answer(&self) -> Result<Answer, Failure> {
        let prior = Prior::uniform(self.n + 1)?;
        let Optimal { mechanism, score, bound, method } =
            optimal(self.n, &self.alpha, self.asked, (&prior, self.loss), &Watch::default())?;
        Ok(Answer { certified: certify(mechanism)?, score, bound, method })
    }
}

impl Answer {
    /// Whether the mechanism has what was asked, which is not part of the proof of privacy.
    fn check(&self, asked: Properties) -> Result<(), Failure> {
        let found = properties(self.certified.mechanism())?;
        if found.includes(asked) {
            return Ok(());
        }
        Err(format!("a mechanism with {found}, expected {asked}").into())
    }

    fn report(&self, records: usize, seconds: f64) {
        let nearest = |value| to_f64(value, Direction::Nearest);
        // A closed form is its own bound.
        let (value, bound) = (nearest(&self.score), nearest(self.bound.as_ref().unwrap_or(&self.score)));
        let method = self.method.name();
        println!(
            "{{\"records\": {records}, \"seconds\": {seconds:e}, \"value\": {value:e}, \"bound\": {bound:e}, \
             \"algorithm\": \"{method}\"}}"
        );
    }
}

/// Prints the true ε of a matrix of doubles, rows being the counts 0 to n, and how far it is above −ln α.
pub fn true_epsilon(flags: &Flags) -> Result<(), Failure> {
    let (alpha, n): (Alpha, usize) = (flags.number("alpha")?, flags.number("n")?);
    let (achieved, is_kept) = achieved(&doubles(Path::new(flags.text("matrix")?))?, n, &alpha)?;
    let (epsilon, above) = match achieved {
        // As Python's JSON has it.
        Achieved::Infinite => ("Infinity".to_owned(), "Infinity".to_owned()),
        Achieved::Within(epsilon) => {
            let above = at_least(&(&epsilon - &alpha.epsilon().enclose(BITS)));
            (format!("{:e}", at_least(&epsilon)), format!("{above:e}"))
        }
    };
    println!("{{\"epsilon\": {epsilon}, \"above\": {above}, \"is_kept\": {is_kept}}}");
    Ok(())
}

/// What the certifier finds for the rows as they are, and whether they keep −ln α: doubles are taken exactly, those
/// below 0 as 0, and each row is divided by its sum.
///
/// Nothing is rounded to weights of 2^-53, which would itself move the ε of small entries: the rows are the laws of
/// profiles here, which may be any fractions, and the channel changes nothing.
fn achieved(matrix: &[f64], n: usize, alpha: &Alpha) -> Result<(Achieved, bool), Failure> {
    let size = n + 1;
    if matrix.len() != size * size {
        return Err(format!("a matrix of {} entries, expected {size} times {size}", matrix.len()).into());
    }
    let counts = categories(n)?;
    let mut graph = SecretGraph::builder(counts.names().clone());
    graph.chain(alpha.epsilon());
    let laws = matrix.chunks(size).map(law).collect::<Result<Vec<_>, _>>()?;
    let mechanism = Mechanism::shared(counts.clone(), counts, graph.build()?, laws, Channel::identity(size)?)?;
    Ok(match certify(mechanism) {
        Ok(certified) => (certified.certificate().worst().achieved(), true),
        Err(violation) => (violation.certificate().worst().achieved(), false),
    })
}

fn law(row: &[f64]) -> Result<Distribution, Failure> {
    let exactly = |&entry: &f64| {
        Rational::from_float(if entry < 0.0 { 0.0 } else { entry }).ok_or("an entry that is not a number")
    };
    Ok(Distribution::normalized(&row.iter().map(exactly).collect::<Result<Vec<_>, _>>()?)?)
}

/// The lower end.
fn at_least(interval: &Interval) -> f64 {
    to_f64(&interval.lower().to_rational(), Direction::Nearest)
}

fn doubles(path: &Path) -> Result<Vec<f64>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.as_chunks().0.iter().map(|&eight| f64::from_le_bytes(eight)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The true ε at α = 1/2, `None` where it is infinite, and whether ln 2 is kept.
    fn epsilon(matrix: &[f64]) -> (Option<f64>, bool) {
        match achieved(matrix, 1, &"0.5".parse().unwrap()).unwrap() {
            (Achieved::Within(epsilon), is_kept) => (Some(at_least(&epsilon)), is_kept),
            (Achieved::Infinite, is_kept) => (None, is_kept),
        }
    }

    #[test]
    fn the_true_epsilon_is_that_of_the_rows_divided_by_their_sums() {
        let near = |found: (Option<f64>, bool), expected: f64, is_kept: bool| {
            assert!((found.0.unwrap() - expected).abs() < 1e-12 && found.1 == is_kept, "{found:?}, not {expected}");
        };
        near(epsilon(&[3.0, 1.0, 0.25, 0.75]), 3f64.ln(), false);
        near(epsilon(&[2.0, 1.0, 0.25, 0.5]), 2f64.ln(), true);
        // Weights out of 2^53 would lose so small an entry.
        near(epsilon(&[1e-20, 1.0, 3e-20, 1.0]), 3f64.ln(), false);
    }

    #[test]
    fn what_is_below_0_is_0_and_0_opposite_to_more_is_infinite() {
        assert_eq!(epsilon(&[1.0, -1e-30, 0.5, 0.5]), (None, false));
        assert_eq!(epsilon(&[1.0, -1e-30, 1.0, 0.0]), (Some(0.0), true));
        let alpha = "0.5".parse().unwrap();
        assert!(achieved(&[f64::NAN; 4], 1, &alpha).is_err() && achieved(&[1.0; 3], 1, &alpha).is_err());
    }

    #[test]
    fn a_design_has_what_was_asked_and_a_close_bound() {
        let (alpha, asked) = ("0.9".parse().unwrap(), "WH,CM".parse().unwrap());
        let question = Question { n: 8, alpha, asked, loss: CountLoss::L1 };
        let answer = question.answer().unwrap();
        let gap = to_f64(&(&answer.score - answer.bound.as_ref().unwrap()), Direction::Up);
        assert!((0.0..1e-6).contains(&gap), "{gap}");
        assert!(answer.check(question.asked).is_ok());
        assert!(answer.check(Properties::ALL).is_err(), "the best for L_1 is not fair");
    }
}
