//! Which secret each draw of a run is of.

/// The secrets of a run in order: stretches, each a number of rounds over a list of secrets.
///
/// # Example
/// ```
/// use lookalike::audit::Schedule;
/// let schedule = Schedule::new(vec![(vec![0, 1, 2], 1), (vec![2, 0], 2)]);
/// let secrets: Vec<u32> = schedule.iter().collect();
/// assert_eq!(secrets, [0, 1, 2, 2, 0, 2, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    stretches: Vec<(Vec<u32>, u64)>,
}

/// Secrets that are copied at a time, at least.
const TILE: usize = 512;

impl Schedule {
    /// The schedule of these stretches.
    pub fn new(stretches: Vec<(Vec<u32>, u64)>) -> Self {
        Schedule {
            stretches: stretches.into_iter().filter(|(secrets, rounds)| !secrets.is_empty() && *rounds > 0).collect(),
        }
    }

    /// How many draws there are.
    pub fn len(&self) -> u64 {
        self.stretches.iter().map(|(secrets, rounds)| secrets.len() as u64 * rounds).sum()
    }

    /// Whether there is no draw.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// The secrets of all draws in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.stretches.iter().flat_map(|(secrets, rounds)| (0..*rounds).flat_map(|_| secrets.iter().copied()))
    }

    /// Writes the secrets of the draws from number `first` on.
    ///
    /// # Panics
    /// If the schedule ends before the buffer does.
    pub fn fill(&self, mut first: u64, mut buffer: &mut [u32]) {
        for (secrets, rounds) in &self.stretches {
            let length = secrets.len() as u64 * rounds;
            if first < length {
                let (now, rest) = buffer.split_at_mut((length - first).min(buffer.len() as u64) as usize);
                // Whole copies of a tile of several rounds are quicker than secrets one by one.
                let tile = secrets.repeat(TILE.div_ceil(secrets.len()) + 1);
                let (from, whole) = ((first % secrets.len() as u64) as usize, tile.len() - secrets.len());
                for part in now.chunks_mut(whole) {
                    part.copy_from_slice(&tile[from..from + part.len()]);
                }
                buffer = rest;
                first = length;
            }
            first -= length;
        }
        assert!(buffer.is_empty(), "the schedule has as many draws as were asked for");
    }

    /// The different secrets, ascending.
    pub fn secrets(&self) -> Vec<u32> {
        let mut secrets: Vec<u32> = self.stretches.iter().flat_map(|(secrets, _)| secrets.iter().copied()).collect();
        secrets.sort_unstable();
        secrets.dedup();
        secrets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_stretch_of_a_schedule_is_that_of_the_whole(
            stretches in prop::collection::vec((prop::collection::vec(0u32..5, 0..4), 0u64..4), 0..4),
            cut in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(),
        ) {
            let schedule = Schedule::new(stretches);
            let all: Vec<u32> = schedule.iter().collect();
            prop_assert_eq!(all.len() as u64, schedule.len());
            prop_assert_eq!(all.is_empty(), schedule.is_empty());
            let [a, b] = [cut, other].map(|index| index.index(all.len() + 1));
            let mut buffer = vec![9; a.abs_diff(b)];
            schedule.fill(a.min(b) as u64, &mut buffer);
            prop_assert_eq!(&buffer[..], &all[a.min(b)..a.max(b)]);
        }
    }
}
