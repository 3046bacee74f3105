//! Which secret each draw of a run is of.

/// The secrets of a run in order: stretches, each a number of rounds over a list of secrets.
///
/// Within a round the secrets come in an order of its own, so that the place of a draw says nothing about its secret: a
/// mechanism that counts its answers or tells the time is not taken for one that tells secrets. The order depends on
/// the seed, the stretch and the round.
///
/// # Example
/// ```
/// use lookalike::audit::Schedule;
/// let schedule = Schedule::new(vec![(vec![0, 1, 2], 100), (vec![2, 0], 2)], 7);
/// let secrets: Vec<u32> = schedule.iter().collect();
/// assert_eq!(secrets.len(), 304);
/// let mut round = secrets[3..6].to_vec();
/// round.sort();
/// assert_eq!(round, [0, 1, 2]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    stretches: Vec<(Vec<u32>, u64)>,
    seed: u64,
}

impl Schedule {
    /// The schedule of these stretches.
    pub fn new(stretches: Vec<(Vec<u32>, u64)>, seed: u64) -> Self {
        let is_some = |(secrets, rounds): &(Vec<u32>, u64)| !secrets.is_empty() && *rounds > 0;
        Schedule { stretches: stretches.into_iter().filter(is_some).collect(), seed }
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
        const AT_ONCE: usize = 1 << 12;
        (0..self.len()).step_by(AT_ONCE).flat_map(|first| {
            let mut secrets = vec![0; (self.len() - first).min(AT_ONCE as u64) as usize];
            self.fill(first, &mut secrets);
            secrets
        })
    }

    /// Writes the secrets of the draws from number `first` on.
    ///
    /// # Panics
    /// If the schedule ends before the buffer does.
    pub fn fill(&self, mut first: u64, mut buffer: &mut [u32]) {
        for (number, (secrets, rounds)) in (0u64..).zip(&self.stretches) {
            let length = secrets.len() as u64 * rounds;
            if first < length {
                let (now, rest) = buffer.split_at_mut((length - first).min(buffer.len() as u64) as usize);
                self.fill_rounds(number, secrets, first, now);
                buffer = rest;
                first = length;
            }
            first -= length;
        }
        assert!(buffer.is_empty(), "the schedule has as many draws as were asked for");
    }

    /// The same within one stretch.
    fn fill_rounds(&self, stretch: u64, secrets: &[u32], first: u64, buffer: &mut [u32]) {
        let size = secrets.len();
        let (mut round, within) = (first / size as u64, (first % size as u64) as usize);
        let mut words = Words(self.seed ^ stretch.wrapping_mul(0xd134_2543_de82_ef95));
        let (head, whole) = buffer.split_at_mut((size - within).min(if within == 0 { 0 } else { buffer.len() }));
        if !head.is_empty() {
            let mut order = secrets.to_vec();
            words.shuffle(round, &mut order);
            head.copy_from_slice(&order[within..within + head.len()]);
            round += 1;
        }
        let mut rounds = whole.chunks_exact_mut(size);
        for order in &mut rounds {
            order.copy_from_slice(secrets);
            words.shuffle(round, order);
            round += 1;
        }
        let tail = rounds.into_remainder();
        let mut order = secrets.to_vec();
        words.shuffle(round, &mut order);
        tail.copy_from_slice(&order[..tail.len()]);
    }

    /// The different secrets, ascending.
    pub fn secrets(&self) -> Vec<u32> {
        let mut secrets: Vec<u32> = self.stretches.iter().flat_map(|(secrets, _)| secrets.iter().copied()).collect();
        secrets.sort_unstable();
        secrets.dedup();
        secrets
    }
}

/// SplitMix64.
struct Words(u64);

impl Words {
    /// Puts the secrets of a round into its order, from two places a word.
    ///
    /// All orders are equally likely up to 2^-32 of the number of secrets, far below what an audit can see.
    #[inline(always)]
    fn shuffle(&mut self, round: u64, order: &mut [u32]) {
        let mut state = self.0.wrapping_add(round.wrapping_mul(0xbf58_476d_1ce4_e5b9));
        let mut word = 0;
        for place in (1..order.len()).rev() {
            if (order.len() - place) % 2 == 1 {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                word = stirred(state);
            }
            let other = ((word & 0xffff_ffff) * (place as u64 + 1)) >> 32;
            word >>= 32;
            order.swap(place, other as usize);
        }
    }
}

#[inline(always)]
fn stirred(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_stretch_of_a_schedule_is_that_of_the_whole(
            stretches in prop::collection::vec((prop::collection::vec(0u32..5, 0..4), 0u64..4), 0..4),
            cut in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), seed in any::<u64>(),
        ) {
            let schedule = Schedule::new(stretches.clone(), seed);
            let all: Vec<u32> = schedule.iter().collect();
            prop_assert_eq!(all.len() as u64, schedule.len());
            prop_assert_eq!(all.is_empty(), schedule.is_empty());
            let [a, b] = [cut, other].map(|index| index.index(all.len() + 1));
            let mut buffer = vec![9; a.abs_diff(b)];
            schedule.fill(a.min(b) as u64, &mut buffer);
            prop_assert_eq!(&buffer[..], &all[a.min(b)..a.max(b)]);
            // Each round has every secret as often as the list does.
            let mut at = 0;
            for (secrets, rounds) in stretches {
                let mut expected = secrets.clone();
                expected.sort_unstable();
                for _ in 0..if secrets.is_empty() { 0 } else { rounds } {
                    let mut round = all[at..at + secrets.len()].to_vec();
                    round.sort_unstable();
                    prop_assert_eq!(&round, &expected);
                    at += secrets.len();
                }
            }
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        let schedule = Schedule::new(vec![(vec![0, 1, 2, 3], 240_000)], 11);
        let all: Vec<u32> = schedule.iter().collect();
        let mut counts = std::collections::BTreeMap::new();
        all.chunks(4).for_each(|round| *counts.entry(round.to_vec()).or_insert(0u32) += 1);
        assert_eq!(counts.len(), 24);
        // 10,000 each, with a standard deviation of 98; five of them are a false alarm in 70,000 seeds.
        assert!(counts.values().all(|&count| count.abs_diff(10_000) < 490), "{counts:?}");
        // And one round does not tell the next.
        let same = all.chunks(8).filter(|two| two[..4] == two[4..]).count();
        assert!(same.abs_diff(5_000) < 350, "{same}");
    }
}
