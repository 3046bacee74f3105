//! Whether sequences can have come from the chains of a file.

use super::ChainClass;
use super::chain_file::ChainFile;
use crate::error::{Error, Result};
use lookalike::Sentence;
use lookalike::pufferfish::{Chain, Initial};
use num_traits::{One, Zero};

impl ChainFile {
    /// Refuses sequences that no chain of the class can make: the guarantee would not be about them, since what a chain
    /// takes for impossible it does not hide.
    ///
    /// # Errors
    /// The sequence and the moment, both from 1, but not the states; a stationary law that is not unique.
    ///
    /// # Panics
    /// If a state is not one of the file.
    pub fn check_possible(&self, sequences: &[Vec<u32>]) -> Result<()> {
        let allowed = self.allowed()?;
        for (number, sequence) in sequences.iter().enumerate() {
            // The chain that gets farthest says where.
            let farthest =
                allowed.iter().map(|chain| chain.first_impossible(sequence)).max_by_key(|place| match place {
                    None => usize::MAX,
                    Some(place) => *place,
                });
            if let Some(Some(place)) = farthest {
                let what = if place == 0 { "begins with this state" } else { "takes this step" };
                let hint = Sentence::from("allow it in the chain file: ").verb_with("pufferfish fit", "smoothing");
                return Err(Error::input(format!(
                    "no chain {what}, so that what is promised about the chains would not hold for it"
                ))
                .hint(hint.text(" gives every step a probability"))
                .at(format_args!("sequence {}, moment {}", number + 1, place + 1)));
            }
        }
        Ok(())
    }

    fn allowed(&self) -> Result<Vec<Allowed>> {
        match &self.class {
            ChainClass::Chains(chains) => chains.iter().map(Allowed::of).collect(),
            ChainClass::Box(limits) => {
                let row = |[low, high]: &[_; 2]| (!One::is_one(low), !Zero::is_zero(high));
                let ((stay, leave), (stay_too, leave_too)) = (row(limits.up()), row(limits.down()));
                let first = match limits.initial() {
                    // Where the other is never left, the chain does not begin here.
                    Initial::Stationary => vec![stay || leave_too, leave || stay_too],
                    _ => vec![true; 2],
                };
                Ok(vec![Allowed { first, steps: vec![vec![stay, leave], vec![leave_too, stay_too]] }])
            }
        }
    }
}

/// Which states can be the first, and which can follow which.
struct Allowed {
    first: Vec<bool>,
    steps: Vec<Vec<bool>>,
}

impl Allowed {
    fn of(chain: &Chain) -> Result<Self> {
        let positive =
            |law: &lookalike::model::Distribution| law.numerators().map(|weight| !weight.is_zero()).collect();
        let first = match chain.initial() {
            Initial::Given(law) => positive(law),
            Initial::Stationary => positive(&chain.stationary()?),
            Initial::Arbitrary => vec![true; chain.states()],
        };
        Ok(Allowed { first, steps: chain.transition().iter().map(positive).collect() })
    }

    /// The place of the first state that cannot be there, given the one before it.
    fn first_impossible(&self, sequence: &[u32]) -> Option<usize> {
        let begins = sequence.first().is_none_or(|&state| self.first[state as usize]);
        let step = |pair: &[u32]| !self.steps[pair[0] as usize][pair[1] as usize];
        if begins { sequence.windows(2).position(step).map(|place| place + 1) } else { Some(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, sequences: &[&[u32]]) -> std::result::Result<(), String> {
        let sequences: Vec<Vec<u32>> = sequences.iter().map(|sequence| sequence.to_vec()).collect();
        ChainFile::from_toml(file).unwrap().check_possible(&sequences).map_err(|error| error.to_string())
    }

    #[test]
    fn one_chain_must_make_the_whole_sequence() {
        let two = "states = ['a', 'b']\ninitial = 'arbitrary'\n[[chain]]\ntransition = [[1, 0], [0.5, 0.5]]\n\
                   [[chain]]\ntransition = [[0.5, 0.5], [0, 1]]";
        assert_eq!(check(two, &[&[1, 0, 0], &[0, 1, 1], &[0], &[]]), Ok(()));
        // Each step is one of some chain, but no chain takes both.
        let error = check(two, &[&[0], &[0, 1, 0]]).unwrap_err();
        assert!(error.starts_with("sequence 2, moment 3: no chain takes this step"), "{error}");
    }

    #[test]
    fn a_start_that_cannot_be() {
        let one =
            |initial: &str| format!("states = ['a', 'b']\ninitial = {initial}\ntransition = [[1, 0], [0.5, 0.5]]");
        for initial in ["'stationary'", "[1, 0]"] {
            let error = check(&one(initial), &[&[1, 0]]).unwrap_err();
            assert!(error.starts_with("sequence 1, moment 1: no chain begins with this state"), "{error}");
        }
        assert_eq!(check(&one("'arbitrary'"), &[&[1, 0]]), Ok(()));
    }

    #[test]
    fn limits_forbid_only_at_their_ends() {
        let limits = |a: &str| format!("states = ['a', 'b']\ninitial = 'arbitrary'\n[leave]\na = {a}\nb = [0.5, 0.5]");
        assert_eq!(check(&limits("[0, 1]"), &[&[0, 0, 1, 1, 0]]), Ok(()));
        assert!(check(&limits("[0, 0]"), &[&[0, 0, 1]]).unwrap_err().contains("moment 3"));
        assert!(check(&limits("[1, 1]"), &[&[0, 0]]).unwrap_err().contains("moment 2"));
    }
}
