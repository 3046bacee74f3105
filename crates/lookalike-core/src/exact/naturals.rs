//! Lists of integers without a heap cell a number.

use super::Natural;
use std::cmp::Ordering;

/// A list of non-negative integers, in the narrowest of three widths that holds them all.
///
/// Profiles and output laws are such lists, millions of them: profiles nearly always fit machine words, and what a
/// channel with whole rows makes of them fits two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naturals(List);

#[derive(Debug, Clone, PartialEq, Eq)]
enum List {
    Words(Box<[u64]>),
    Long(Box<[u128]>),
    Wide(Box<[Natural]>),
}

impl Naturals {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            List::Words(list) => list.len(),
            List::Long(list) => list.len(),
            List::Wide(list) => list.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at a place.
    ///
    /// # Panics
    /// If the place is not below [`Naturals::len`].
    pub fn get(&self, place: usize) -> Natural {
        match &self.0 {
            List::Words(list) => list[place].into(),
            List::Long(list) => list[place].into(),
            List::Wide(list) => list[place].clone(),
        }
    }

    /// Compares two numbers of the list.
    ///
    /// # Panics
    /// If a place is not below [`Naturals::len`].
    pub fn compare(&self, a: usize, b: usize) -> Ordering {
        match &self.0 {
            List::Words(list) => list[a].cmp(&list[b]),
            List::Long(list) => list[a].cmp(&list[b]),
            List::Wide(list) => list[a].cmp(&list[b]),
        }
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Natural> {
        (0..self.len()).map(|place| self.get(place))
    }

    /// The numbers as machine words when all of them fit.
    pub fn words(&self) -> Option<&[u64]> {
        match &self.0 {
            List::Words(words) => Some(words),
            _ => None,
        }
    }

    /// Collects the numbers at the places below `len`. `number` may be asked more than once for a place.
    pub fn collect(len: usize, number: impl Fn(usize) -> Natural) -> Self {
        let places = || (0..len).map(&number);
        if let Some(words) = places().map(|number| number.to_u64()).collect::<Option<_>>() {
            return Naturals(List::Words(words));
        }
        if let Some(long) = places().map(|number| number.to_u128()).collect::<Option<_>>() {
            return Naturals(List::Long(long));
        }
        Naturals(List::Wide(places().collect()))
    }
}

impl FromIterator<Natural> for Naturals {
    fn from_iter<T: IntoIterator<Item = Natural>>(numbers: T) -> Self {
        let numbers: Vec<Natural> = numbers.into_iter().collect();
        Naturals::collect(numbers.len(), |place| numbers[place].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_width_holds_the_same_numbers(seeds in prop::collection::vec((any::<u64>(), 0u32..300), 1..6)) {
            let numbers: Vec<Natural> =
                seeds.iter().map(|(digits, by)| Natural::from(BigUint::from(*digits) << by)).collect();
            let list: Naturals = numbers.iter().cloned().collect();
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), numbers.clone());
            prop_assert_eq!(list.words().is_some(), numbers.iter().all(|number| number.to_u64().is_some()));
            prop_assert_eq!(list.compare(0, list.len() - 1), numbers[0].cmp(&numbers[list.len() - 1]));
        }
    }
}
