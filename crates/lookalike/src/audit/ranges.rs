//! Sets of symbols.

/// Symbols as ranges, the first and the last of each, ascending and apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ranges(Vec<[u64; 2]>);

impl Ranges {
    /// The symbols of any of these ranges.
    pub(super) fn new(mut ranges: Vec<[u64; 2]>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<[u64; 2]> = Vec::new();
        for [first, last] in ranges {
            match joined.last_mut() {
                Some(before) if first <= before[1].saturating_add(1) => before[1] = before[1].max(last),
                _ => joined.push([first, last]),
            }
        }
        Ranges(joined)
    }

    /// Whether a symbol is one of them.
    pub(super) fn has(&self, symbol: u64) -> bool {
        let at = self.0.partition_point(|range| range[1] < symbol);
        self.0.get(at).is_some_and(|range| range[0] <= symbol)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u64; 2]> {
        self.0.iter()
    }

    /// One by one.
    pub(super) fn symbols(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|&[first, last]| first..=last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_hold_what_they_were_made_of(given in prop::collection::vec((0u64..40, 0u64..5), 0..8)) {
            let given: Vec<[u64; 2]> = given.into_iter().map(|(first, more)| [first, first + more]).collect();
            let ranges = Ranges::new(given.clone());
            let expected = |symbol: &u64| given.iter().any(|range| (range[0]..=range[1]).contains(symbol));
            prop_assert_eq!(ranges.symbols().collect::<Vec<_>>(), (0..50).filter(expected).collect::<Vec<_>>());
            prop_assert!((0..50).all(|symbol| ranges.has(symbol) == expected(&symbol)));
            let ends: Vec<u64> = ranges.iter().flatten().copied().collect();
            prop_assert!(ends.chunks(2).zip(ends.chunks(2).skip(1)).all(|(one, next)| one[1] + 1 < next[0]), "apart");
        }
    }
}
