//! Which states are possible at which moment.

use super::powers::Enclosure;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Sets that are told apart: chains with many cycles of different lengths could have any number of them.
const MOST_SETS: usize = 1 << 16;

/// The sets of states that are possible at each moment from 1 on, and unions of them. Each set has a number.
pub struct Supports {
    /// One set a moment until one comes again; then unions.
    sets: Vec<Vec<bool>>,
    /// How many moments there are before a set comes again.
    moments: usize,
    /// The place of the set that comes again.
    again: usize,
}

impl Supports {
    /// From the possible first states on, by the steps that the matrix makes possible.
    pub fn new(first: Vec<bool>, step: &Enclosure, length: u64) -> Self {
        let next = |set: &Vec<bool>| -> Vec<bool> {
            let possible = |to: usize| (0..set.len()).any(|from| set[from] && step.upper[from * set.len() + to] > 0);
            (0..set.len()).map(possible).collect()
        };
        let mut places = HashMap::from([(first.clone(), 0)]);
        let mut sets = vec![first];
        // A set has one successor, so once one comes again all that follow do.
        let again = loop {
            if sets.len() as u64 > length {
                break sets.len() - 1;
            }
            if sets.len() >= MOST_SETS {
                // Where all states are taken for possible, a bound holds too, and may be larger.
                return Supports::always(vec![true; sets[0].len()]);
            }
            let after = next(&sets[sets.len() - 1]);
            match places.entry(after.clone()) {
                Entry::Occupied(place) => break *place.get(),
                Entry::Vacant(place) => {
                    place.insert(sets.len());
                    sets.push(after);
                }
            }
        };
        let moments = sets.len();
        Supports { sets, moments, again }
    }

    /// The same set at every moment.
    pub fn always(set: Vec<bool>) -> Self {
        Supports { sets: vec![set], moments: 1, again: 0 }
    }

    pub fn set(&self, number: usize) -> &[bool] {
        &self.sets[number]
    }

    /// The number of the set at a moment; the first moment is 1.
    pub fn at(&self, moment: u64) -> usize {
        let (place, moments, again) = (moment - 1, self.moments as u64, self.again as u64);
        (if place < moments { place } else { again + (place - again) % (moments - again) }) as usize
    }

    /// The numbers of the sets from a moment on.
    pub fn numbers_since(&self, moment: u64) -> std::ops::Range<usize> {
        self.again.min(self.at(moment))..self.moments
    }

    /// The number of the union of all sets from a moment on.
    pub fn since(&mut self, moment: u64) -> usize {
        let mut union = vec![false; self.sets[0].len()];
        for number in self.numbers_since(moment) {
            union.iter_mut().zip(&self.sets[number]).for_each(|(union, &possible)| *union |= possible);
        }
        self.sets.iter().position(|set| *set == union).unwrap_or_else(|| {
            self.sets.push(union);
            self.sets.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → 2 → 3 → 2 …: two moments on the way, then two states in turn.
    fn way() -> Supports {
        let mut step = Enclosure { states: 4, lower: vec![0; 16], upper: vec![0; 16] };
        [1, 6, 11, 14].into_iter().for_each(|place| step.upper[place] = 1);
        Supports::new(vec![true, false, false, false], &step, 1_000)
    }

    #[test]
    fn moments_far_ahead_are_known() {
        let supports = way();
        let only = |moment| supports.set(supports.at(moment)).iter().position(|&possible| possible).unwrap();
        assert_eq!([1, 2, 3, 4, 5, 6, 999, 1_000].map(only), [0, 1, 2, 3, 2, 3, 2, 3]);
    }

    #[test]
    fn unions_hold_all_that_is_still_to_come() {
        let mut supports = way();
        let mut since = |moment| {
            let number = supports.since(moment);
            supports.set(number).to_vec()
        };
        assert_eq!(since(1), [true; 4]);
        assert_eq!(since(2), [false, true, true, true]);
        for moment in [3, 4, 5, 1_000] {
            assert_eq!(since(moment), [false, false, true, true], "{moment}");
        }
    }
}
