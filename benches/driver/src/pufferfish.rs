//! Times the exact search of Markov quilts on walks over levels.

use crate::design::processor_seconds;
use crate::{Failure, Flags};
use lookalike::exact::{Direction, Epsilon, Rational, parse_rational, to_f64};
use lookalike::model::Distribution;
use lookalike::pufferfish::{Chain, Initial, Mixing, exact};

/// From the chain to the scale of the noise: the best of the repetitions, and the answer.
pub fn run(flags: &Flags) -> Result<(), Failure> {
    let walk = Walk {
        states: flags.number("states")?,
        reach: flags.number("reach")?,
        stay: parse_rational(flags.text("stay")?)?,
        pull: parse_rational(flags.text("pull")?)?,
    };
    let (length, epsilon): (u64, Epsilon) = (flags.number("length")?, flags.number("epsilon")?);
    let chain = walk.chain(flags.text("start")?)?;
    check_a_star(&chain, &epsilon, flags.number("a-star")?)?;
    let (mut best, mut answer) = (f64::INFINITY, None);
    for _ in 0..flags.number("repetitions")? {
        let start = processor_seconds();
        let found = exact(std::slice::from_ref(&chain), length, &epsilon)?;
        best = best.min(processor_seconds() - start);
        answer = Some(found);
    }
    let found = answer.ok_or("no repetition")?;
    let scale = to_f64(&found.scale, Direction::Nearest);
    println!(
        "{{\"records\": {length}, \"seconds\": {best:e}, \"value\": {scale:e}, \"node\": {}, \"card\": {}, \"searched\": {}}}",
        found.node, found.card, found.searched
    );
    Ok(())
}

/// A lazy walk over levels, of up to `reach` levels a step; the same as in `benches/peers/quilts_numpy.py`.
struct Walk {
    states: usize,
    reach: usize,
    /// The probability that no step is taken; steps beyond an end are none either.
    stay: Rational,
    /// The share of steps towards the middle.
    pull: Rational,
}

impl Walk {
    fn chain(&self, start: &str) -> Result<Chain, Failure> {
        let rows = (0..self.states).map(|level| self.row(level)).collect::<Result<Vec<_>, Failure>>()?;
        let initial = match start {
            "stationary" => Initial::Stationary,
            "first" => Initial::Given(point(self.states, 0)?),
            other => return Err(format!("--start {other:?}, expected stationary or first").into()),
        };
        Ok(Chain::new(initial, rows)?)
    }

    fn row(&self, level: usize) -> Result<Distribution, Failure> {
        let one = Rational::from_integer(1.into());
        let mut law = vec![Rational::default(); self.states];
        for up in [false, true] {
            let share = match (2 * level).cmp(&(self.states - 1)) {
                std::cmp::Ordering::Equal => Rational::new(1.into(), 2.into()),
                side if (side == std::cmp::Ordering::Less) == up => self.pull.clone(),
                _ => &one - &self.pull,
            };
            let step = (&one - &self.stay) * share / Rational::from_integer(self.reach.into());
            for distance in 1..=self.reach {
                let to = if up { Some(level + distance) } else { level.checked_sub(distance) };
                if let Some(to) = to.filter(|&to| to < self.states) {
                    law[to] = step.clone();
                }
            }
        }
        law[level] = one - law.iter().sum::<Rational>();
        Ok(Distribution::new(&law)?)
    }
}

/// The law that is sure of one state.
fn point(states: usize, state: usize) -> Result<Distribution, Failure> {
    let law: Vec<Rational> =
        (0..states).map(|other| Rational::from_integer(i32::from(other == state).into())).collect();
    Ok(Distribution::new(&law)?)
}

/// The row says a*; that it is so is not part of what is timed.
fn check_a_star(chain: &Chain, epsilon: &Epsilon, wanted: u64) -> Result<(), Failure> {
    let mixing = Mixing::of(chain)?;
    let found = mixing.a_star(epsilon).ok_or("a* is beyond 64 bits")?;
    if found == wanted {
        return Ok(());
    }
    let gap = to_f64(mixing.gap(), Direction::Nearest);
    Err(format!("a* = {found} with a gap of {gap}, expected {wanted}").into())
}
