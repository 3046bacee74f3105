//! The stationary law of a chain, exactly.

use crate::error::{Error, Result};
use crate::exact::Rational;
use crate::model::Chain;
use crate::model::Distribution;
use num_bigint::BigInt;
use num_traits::Zero;

impl Chain {
    /// The law π with π = πP: a chain that starts from it has the same law at every moment. States that the chain
    /// leaves for good have probability 0.
    ///
    /// # Errors
    /// More than one such law, since two groups of states cannot be left; the error names a state of each.
    ///
    /// # Complexity
    /// O(d³) products of integers of up to d times the bits of a denominator, without greatest common divisors.
    ///
    /// # Example
    /// ```
    /// use lookalike_core::{exact::parse_rational, model::{Chain, Distribution, Initial}};
    /// let row = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
    /// let chain = Chain::new(Initial::Stationary, vec![row(["0.9", "0.1"]), row(["0.4", "0.6"])])?;
    /// assert_eq!(chain.stationary()?, row(["4/5", "1/5"]));
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    pub fn stationary(&self) -> Result<Distribution> {
        let class = match &self.closed_classes()[..] {
            [class] => class.clone(),
            [first, second, ..] => {
                return Err(Error::input(format!(
                    "the chain has more than one stationary law: it never leaves the states around state {}, nor those \
                     around state {}; expected one such group, or an initial law",
                    first[0] + 1,
                    second[0] + 1
                )));
            }
            [] => unreachable!("some group of states is never left"),
        };
        let balance = class.iter().map(|&state| self.balance(state, &class)).collect();
        let mut weights = vec![Rational::zero(); self.states()];
        for (&state, flow) in class.iter().zip(null_vector(balance)) {
            weights[state] =
                Rational::from_integer(flow * BigInt::from(self.transition()[state].denominator().to_big()));
        }
        Distribution::normalized(&weights)
    }

    /// The groups of states that reach one another and nothing else, each in ascending order.
    pub fn closed_classes(&self) -> Vec<Vec<usize>> {
        let reach: Vec<Vec<bool>> = (0..self.states()).map(|state| self.reachable(state)).collect();
        let recurrent = |state: usize| (0..self.states()).all(|other| !reach[state][other] || reach[other][state]);
        let first_of_class = |state: usize| reach[state].iter().position(|&reached| reached) == Some(state);
        let firsts = (0..self.states()).filter(|&state| recurrent(state) && first_of_class(state));
        firsts.map(|state| (0..self.states()).filter(|&other| reach[state][other]).collect()).collect()
    }

    /// Which states can follow this one, at once or later; itself included.
    fn reachable(&self, state: usize) -> Vec<bool> {
        let (mut reached, mut open) = (vec![false; self.states()], vec![state]);
        reached[state] = true;
        while let Some(state) = open.pop() {
            for (next, numerator) in self.transition()[state].numerators().enumerate() {
                if !numerator.is_zero() && !reached[next] {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        reached
    }

    /// A row of D(I − P) on a closed class, where D makes it whole.
    fn balance(&self, state: usize, class: &[usize]) -> Vec<BigInt> {
        let row = &self.transition()[state];
        let out = |&next: &usize| -BigInt::from(row.numerator(next).to_big());
        let mut balance: Vec<BigInt> = class.iter().map(out).collect();
        let own = class.iter().position(|&other| other == state).expect("a state is in its class");
        balance[own] += BigInt::from(row.denominator().to_big());
        balance
    }
}

/// The positive whole y with yM = 0, for an irreducible M = D(I − P), by Bareiss's elimination of columns.
///
/// Leading minors of such a matrix are positive, save the last, which is 0: no pivot is missing. Every division is
/// exact: the entries are minors of M, and with the last minor for y's last number the others are cofactors.
fn null_vector(mut m: Vec<Vec<BigInt>>) -> Vec<BigInt> {
    let size = m.len();
    let mut before = BigInt::from(1);
    for step in 0..size - 1 {
        let (done, rest) = m.split_at_mut(step + 1);
        let pivot_row = &done[step];
        let pivot = pivot_row[step].clone();
        for row in rest {
            let factor = std::mem::take(&mut row[step]);
            for (entry, above) in row[step + 1..].iter_mut().zip(&pivot_row[step + 1..]) {
                *entry = (&*entry * &pivot - &factor * above) / &before;
            }
            row[step] = factor;
        }
        before = pivot;
    }
    // What is left below the diagonal is the lower triangle of M = L·D·U, and yM = 0 where yL = 0 but in its last place.
    let mut y = vec![BigInt::zero(); size];
    y[size - 1] = before;
    for place in (0..size - 1).rev() {
        let sum: BigInt = (place + 1..size).map(|below| &m[below][place] * &y[below]).sum();
        y[place] = -sum / &m[place][place];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Natural;
    use crate::model::Initial;
    use proptest::prelude::*;

    fn chain(rows: &[Vec<u64>]) -> Chain {
        let law = |row: &Vec<u64>| Distribution::from_weights(row.iter().map(|&weight| weight.into()).collect());
        Chain::new(Initial::Stationary, rows.iter().map(|row| law(row).unwrap()).collect()).unwrap()
    }

    fn after_one_step(chain: &Chain, law: &Distribution) -> Vec<Rational> {
        let flow = |from: usize, to: usize| law.probability(from) * chain.transition()[from].probability(to);
        let states = 0..chain.states();
        states.clone().map(|to| states.clone().map(|from| flow(from, to)).sum()).collect()
    }

    #[test]
    fn states_that_are_left_for_good_have_no_probability() {
        let law = chain(&[vec![1, 1, 1], vec![0, 1, 2], vec![0, 3, 1]]).stationary().unwrap();
        assert_eq!(law.probabilities().map(|p| p.to_string()).collect::<Vec<_>>(), ["0", "9/17", "8/17"]);
    }

    #[test]
    fn two_groups_that_are_never_left_have_no_one_law() {
        let error = chain(&[vec![1, 0, 0], vec![1, 1, 1], vec![0, 0, 1]]).stationary().unwrap_err().to_string();
        assert!(error.starts_with("the chain has more than one stationary law"), "{error}");
        assert!(error.contains("around state 1, nor those around state 3"), "{error}");
    }

    #[test]
    fn fifty_one_dense_states_keep_their_law() {
        let rows: Vec<Vec<u64>> =
            (0..51).map(|i: u64| (0..51).map(|j: u64| 1 + (i * i * 31 + j * 17 + i * j * 7) % 97).collect()).collect();
        let chain = chain(&rows);
        let law = chain.stationary().unwrap();
        assert_eq!(after_one_step(&chain, &law), law.probabilities().collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn one_step_leaves_the_law_as_it_is(rows in (1usize..6).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(prop_oneof![Just(0u64), 1u64..100], d), d))) {
            prop_assume!(rows.iter().all(|row| row.iter().sum::<u64>() > 0));
            let chain = chain(&rows);
            match chain.stationary() {
                Ok(law) => prop_assert_eq!(after_one_step(&chain, &law), law.probabilities().collect::<Vec<_>>()),
                Err(_) => prop_assert!(chain.closed_classes().len() > 1),
            }
        }
    }

    #[test]
    fn a_chain_that_only_turns_round_is_uniform() {
        let law = chain(&[vec![0, 1, 0], vec![0, 0, 1], vec![1, 0, 0]]).stationary().unwrap();
        assert_eq!(law.numerators().collect::<Vec<_>>(), vec![Natural::ONE; 3]);
    }
}
