//! A chain from sequences of states that were seen.

use super::{Chain, Initial};
use crate::estimate::clopper_pearson;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::Distribution;
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// How often each state followed each other one, in one or many sequences.
///
/// **ε does not cover the fit.** Chains fitted from the very data that are to be protected carry facts about them, and the
/// guarantee holds for the chains as given. Fit from other data of the same kind, or from public data; or take a class of
/// chains so wide that it does not tell.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, pufferfish::{Initial, Transitions}};
/// let seen = Transitions::count(2, [vec![0, 0, 1, 0], vec![1, 1, 0]])?;
/// let chain = seen.chain(Initial::Stationary, &parse_rational("0")?)?;
/// assert_eq!(chain.transition()[0].probability(1).to_string(), "1/2");
/// assert_eq!(chain.transition()[1].probability(0).to_string(), "2/3");
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transitions {
    states: usize,
    /// Row by row.
    counts: Vec<u64>,
    /// How many sequences begin with each state.
    first: Vec<u64>,
}

/// Limits of every transition probability, which hold together with the given confidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfidenceBox {
    confidence: Rational,
    states: usize,
    limits: Vec<[Rational; 2]>,
}

/// More states would need more than half a gigabyte of counts.
const MOST_STATES: usize = 1 << 13;

impl Transitions {
    /// Counts the transitions within each sequence; none leads from one sequence to the next. States are numbers below
    /// `states`. Empty sequences say nothing.
    ///
    /// # Errors
    /// A state that is not below `states`; the error names the sequence and the place, not the state. No state at all, or
    /// more than 8,192.
    pub fn count<S: AsRef<[u32]>>(states: usize, sequences: impl IntoIterator<Item = S>) -> Result<Self> {
        if states == 0 || states > MOST_STATES {
            return Err(Error::input(format!("{states} states, expected 1 to {MOST_STATES}")));
        }
        let (mut counts, mut first) = (vec![0; states * states], vec![0; states]);
        for (number, sequence) in sequences.into_iter().enumerate() {
            let sequence = sequence.as_ref();
            if let Some(place) = sequence.iter().position(|&state| state as usize >= states) {
                return Err(Error::input(format!("not one of the {states} states")).at(format_args!(
                    "sequence {}, place {}",
                    number + 1,
                    place + 1
                )));
            }
            if let Some(&state) = sequence.first() {
                first[state as usize] += 1;
            }
            for pair in sequence.windows(2) {
                counts[pair[0] as usize * states + pair[1] as usize] += 1;
            }
        }
        Ok(Transitions { states, counts, first })
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// How often `to` came right after `from`.
    ///
    /// # Panics
    /// If a state is not below [`Transitions::states`].
    pub fn seen(&self, from: usize, to: usize) -> u64 {
        self.row(from)[to]
    }

    fn row(&self, from: usize) -> &[u64] {
        &self.counts[from * self.states..][..self.states]
    }

    /// How many sequences begin with each state.
    pub fn first(&self) -> &[u64] {
        &self.first
    }

    /// The chain whose transition probabilities are the shares seen, after `smoothing` was added to every count:
    /// `(n_xy + a)/(n_x + k·a)`, exactly. An `a` of 0 takes the shares as they are; 1/2 or 1 is usual.
    ///
    /// # Errors
    /// A negative smoothing. Without smoothing, a state that nothing ever followed: its row is not known. As
    /// [`Chain::new`].
    pub fn chain(&self, initial: Initial, smoothing: &Rational) -> Result<Chain> {
        let row = |from: usize| {
            shares(self.row(from), smoothing).map_err(|error| error.at(format_args!("state {}", from + 1)))?.ok_or_else(
                || {
                    Error::input(format!(
                        "nothing follows state {} in the sequences, so its transition probabilities are not known (add \
                     smoothing, or leave the state out)",
                        from + 1
                    ))
                },
            )
        };
        Chain::new(initial, (0..self.states).map(row).collect::<Result<_>>()?)
    }

    /// The law of the first state: the shares of the sequences that begin with each, smoothed likewise. One sequence says
    /// little of it; [`Initial::Stationary`] and [`Initial::Arbitrary`] need none.
    ///
    /// # Errors
    /// A negative smoothing, or no sequence and no smoothing.
    pub fn initial(&self, smoothing: &Rational) -> Result<Initial> {
        let law = shares(&self.first, smoothing)?
            .ok_or_else(|| Error::input("no sequence, so the law of the first state is not known (add smoothing)"))?;
        Ok(Initial::Given(law))
    }

    /// Limits of every transition probability that hold all together with at least this confidence, if the sequences come
    /// from one chain. A state that nothing followed has limits 0 and 1.
    ///
    /// The states that follow successive visits to x are independent draws from row x, but how many visits there are is
    /// random and depends on them. So the error is divided over the rows' entries (one entry for two states: the other is
    /// its complement) and over every number n of visits as 1/(n(n + 1)), which sums to 1: whatever n came out, its
    /// Clopper–Pearson limits hold. They are rounded outward.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1.
    pub fn limits(&self, confidence: &Rational) -> Result<ConfidenceBox> {
        let error = Rational::one() - confidence;
        if !confidence.is_positive() || !error.is_positive() {
            return Err(Error::input(format!("confidence = {confidence}, expected a number between 0 and 1")));
        }
        let entries_a_row = if self.states == 2 { 1 } else { self.states as u64 };
        let visits = |from: usize| self.row(from).iter().sum::<u64>();
        let rows = (0..self.states).filter(|&from| visits(from) > 0).count() as u64;
        let mut limits = Vec::with_capacity(self.counts.len());
        for from in 0..self.states {
            let visits = visits(from);
            if visits == 0 {
                limits.extend((0..self.states).map(|_| [Rational::zero(), Rational::one()]));
                continue;
            }
            let parts = BigInt::from(entries_a_row * rows) * visits * (visits + 1);
            let share = to_f64(&(&error / Rational::from_integer(parts)), Direction::Down);
            for &seen in self.row(from) {
                let (lower, upper) = clopper_pearson(seen, visits, share);
                let exact = |limit: f64| Rational::from_float(limit).expect("a limit is finite");
                limits.push([exact(lower), exact(upper)]);
            }
        }
        Ok(ConfidenceBox { confidence: confidence.clone(), states: self.states, limits })
    }
}

impl ConfidenceBox {
    /// The confidence with which all limits hold together.
    pub fn confidence(&self) -> &Rational {
        &self.confidence
    }

    /// The lower and the upper limit of the probability of going from one state to another.
    ///
    /// # Panics
    /// If a state does not exist.
    pub fn limits(&self, from: usize, to: usize) -> &[Rational; 2] {
        assert!(from < self.states && to < self.states, "states {from} and {to} of {}", self.states);
        &self.limits[from * self.states + to]
    }

    /// Whether a chain's transition probabilities all lie within.
    pub fn contains(&self, chain: &Chain) -> bool {
        let within = |(from, to): (usize, usize)| {
            let [lower, upper] = self.limits(from, to);
            let probability = chain.transition()[from].probability(to);
            *lower <= probability && probability <= *upper
        };
        chain.states() == self.states
            && (0..self.states).flat_map(|from| (0..self.states).map(move |to| (from, to))).all(within)
    }
}

/// Counts plus a constant, as shares; `None` where there is nothing.
fn shares(counts: &[u64], smoothing: &Rational) -> Result<Option<Distribution>> {
    if smoothing.is_negative() {
        return Err(Error::input(format!("smoothing = {smoothing}, expected at least 0")));
    }
    let weights: Vec<Rational> = counts.iter().map(|&count| smoothing + BigInt::from(count)).collect();
    if weights.iter().all(Zero::is_zero) {
        return Ok(None);
    }
    Distribution::normalized(&weights).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn number(text: &str) -> Rational {
        parse_rational(text).unwrap()
    }

    #[test]
    fn shares_are_exact_and_smoothing_fills_what_was_not_seen() {
        let seen = Transitions::count(3, [vec![0, 1, 0, 1, 2], vec![1, 0], vec![]]).unwrap();
        assert_eq!((seen.seen(0, 1), seen.seen(1, 0), seen.seen(2, 2)), (2, 2, 0));
        let error = seen.chain(Initial::Arbitrary, &number("0")).unwrap_err().to_string();
        assert!(error.starts_with("nothing follows state 3 in the sequences"), "{error}");
        let chain = seen.chain(seen.initial(&number("1/2")).unwrap(), &number("1/2")).unwrap();
        assert_eq!(chain.transition()[2].probability(0).to_string(), "1/3");
        assert_eq!(chain.transition()[1].probability(0).to_string(), "5/9", "(2 + 1/2)/(3 + 3/2)");
        let Initial::Given(first) = chain.initial() else { panic!("a law was given") };
        assert_eq!(first.probability(0).to_string(), "3/7", "(1 + 1/2)/(2 + 3/2)");
        let error = seen.chain(Initial::Arbitrary, &number("-1")).unwrap_err().to_string();
        assert_eq!(error, "state 1: smoothing = -1, expected at least 0");
    }

    #[test]
    fn a_state_beyond_the_last_is_refused_by_its_place() {
        let error = Transitions::count(2, [vec![0, 1], vec![0, 7]]).unwrap_err().to_string();
        assert_eq!(error, "sequence 2, place 2: not one of the 2 states");
        assert!(Transitions::count(0, [vec![]]).is_err());
        let nothing = Transitions::count(2, Vec::<Vec<u32>>::new()).unwrap();
        assert!(nothing.initial(&number("0")).unwrap_err().to_string().starts_with("no sequence"));
    }

    #[test]
    fn limits_are_wider_than_those_of_a_fixed_number_of_trials() {
        let sequence: Vec<u32> = (0..200).map(|moment| u32::from(moment % 5 == 0)).collect();
        let seen = Transitions::count(2, [sequence]).unwrap();
        let limits = seen.limits(&number("0.95")).unwrap();
        let visits = seen.seen(0, 0) + seen.seen(0, 1);
        let plain = clopper_pearson(seen.seen(0, 1), visits, 0.05);
        let [lower, upper] = limits.limits(0, 1);
        assert!(to_f64(lower, Direction::Up) < plain.0 && plain.1 < to_f64(upper, Direction::Down));
        assert!(lower.is_positive() && *upper < Rational::one());
        // Complements, up to the last rounding.
        let sum = lower + &limits.limits(0, 0)[1];
        assert!((sum - Rational::one()).abs() < number("1e-9"));
        assert!(limits.contains(&seen.chain(Initial::Stationary, &number("0")).unwrap()));
        let far = Distribution::new(&[number("0.01"), number("0.99")]).unwrap();
        assert!(!limits.contains(&Chain::new(Initial::Stationary, vec![far.clone(), far]).unwrap()));
    }

    #[test]
    fn a_state_without_visits_is_not_limited() {
        let limits = Transitions::count(3, [vec![0, 1, 0]]).unwrap().limits(&number("0.9")).unwrap();
        assert_eq!(*limits.limits(2, 1), [Rational::zero(), Rational::one()]);
        assert!(Transitions::count(2, [vec![0, 1]]).unwrap().limits(&number("1")).is_err());
    }

    #[test]
    fn the_box_holds_the_true_chain_as_often_as_it_says() {
        // A small generator of its own: states of a chain that stays with probability 3/4.
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word >> 33
        };
        let row = |stay: usize| {
            let weights: [u64; 2] = std::array::from_fn(|state| if state == stay { 3 } else { 1 });
            Distribution::from_weights(weights.map(Into::into).to_vec()).unwrap()
        };
        let truth = Chain::new(Initial::Arbitrary, vec![row(0), row(1)]).unwrap();
        let missed = (0..200)
            .filter(|_| {
                let mut state = 0;
                let sequence: Vec<u32> = (0..50)
                    .map(|_| {
                        state = if next() % 4 == 0 { 1 - state } else { state };
                        state
                    })
                    .collect();
                !Transitions::count(2, [sequence]).unwrap().limits(&number("0.5")).unwrap().contains(&truth)
            })
            .count();
        assert!(missed <= 100, "missed {missed} of 200 at a confidence of one half");
    }
}
