//! How many records of a release each profile has.

use std::fmt;

/// How many records each profile has, by its code. They are private: they are for the terminal of whoever has the records.
#[derive(Clone, Default)]
pub struct ProfileRows {
    /// The codes themselves, as long as they are few: a record alone needs no table of a million profiles.
    few: Vec<u32>,
    counts: Vec<u64>,
}

/// So many codes are kept before they are counted.
const FEW: usize = 1024;

impl ProfileRows {
    /// Counts the next records.
    pub fn see(&mut self, profiles: &[u32]) {
        if self.counts.is_empty() && self.few.len() + profiles.len() <= FEW {
            return self.few.extend_from_slice(profiles);
        }
        let few = std::mem::take(&mut self.few);
        [&few, profiles].into_iter().for_each(|profiles| self.count(profiles));
    }

    fn count(&mut self, profiles: &[u32]) {
        if profiles.is_empty() {
            return;
        }
        // A fold of numbers, since the largest of references is found by branches that nobody can foretell.
        let largest = profiles.iter().copied().fold(0, u32::max);
        if self.counts.len() <= largest as usize {
            self.counts.resize(largest as usize + 1, 0);
        }
        if largest as usize >= LANES.0 {
            return profiles.iter().for_each(|&profile| self.counts[profile as usize] += 1);
        }
        // A counter that is raised again at once has to wait for itself, so few profiles have several each.
        let mut lanes = [[0u32; LANES.1]; LANES.0];
        for some in profiles.chunks(LANES.1) {
            some.iter().enumerate().for_each(|(lane, &profile)| lanes[profile as usize][lane] += 1);
        }
        for (count, lanes) in self.counts.iter_mut().zip(&lanes) {
            *count += lanes.iter().map(|&count| u64::from(count)).sum::<u64>();
        }
    }

    /// The numbers of records of the profiles that have any, in the order of their codes.
    fn rows(&self) -> Vec<(u32, u64)> {
        let mut few = self.few.clone();
        few.sort_unstable();
        let runs = few.chunk_by(|one, other| one == other).map(|run| (run[0], run.len() as u64));
        let counted = (0..).zip(self.counts.iter().copied()).filter(|(_, rows)| *rows > 0);
        runs.chain(counted).collect()
    }

    /// The largest number of records of one profile; `None` where records have no profiles.
    pub fn most(&self) -> Option<u64> {
        self.rows().into_iter().map(|(_, rows)| rows).max()
    }

    /// The profiles that have a record.
    pub fn profiles(&self) -> impl Iterator<Item = u32> {
        self.rows().into_iter().map(|(profile, _)| profile)
    }
}

/// Below how many profiles each has so many counters in a batch.
const LANES: (usize, usize) = (512, 4);

impl PartialEq for ProfileRows {
    fn eq(&self, other: &Self) -> bool {
        self.rows() == other.rows()
    }
}

impl Eq for ProfileRows {}

/// Shows no count, since a message of a panic may end in a log.
impl fmt::Debug for ProfileRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProfileRows").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_over_batches() {
        let mut rows = ProfileRows::default();
        assert_eq!((rows.most(), rows.profiles().count()), (None, 0));
        rows.see(&[]);
        assert_eq!(rows.most(), None);
        rows.see(&[4, 1, 4]);
        rows.see(&[0, 4]);
        assert_eq!((rows.most(), rows.profiles().collect::<Vec<_>>()), (Some(3), vec![0, 1, 4]));
        assert_eq!(format!("{rows:?}"), "ProfileRows { .. }");
    }

    #[test]
    fn many_rows_and_many_profiles_are_counted_alike() {
        for profiles in [3, LANES.0 as u32, 5000] {
            let codes: Vec<u32> = (0..20_001).map(|row| row * row % profiles).collect();
            let (mut whole, mut parts) = (ProfileRows::default(), ProfileRows::default());
            whole.see(&codes);
            codes.chunks(77).for_each(|codes| parts.see(codes));
            let count = |profile: u32| codes.iter().filter(|&&code| code == profile).count() as u64;
            let most = (0..profiles).map(count).max();
            assert!(whole == parts && whole.most() == most, "{profiles}");
            assert_eq!(whole.rows().iter().map(|(_, rows)| rows).sum::<u64>(), 20_001);
        }
    }
}
