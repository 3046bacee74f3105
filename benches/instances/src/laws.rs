//! Profiles.

use crate::Random;

/// The denominator of profiles that are drawn from a law of laws.
const TOTAL: u64 = 1 << 30;

/// Profiles that are uniform over all laws on a grid, Dirichlet(1, …, 1): the gaps between uniform numbers, none of them 0.
pub(crate) fn dirichlet(random: &mut Random, count: usize, categories: usize) -> Vec<Vec<u64>> {
    let room = TOTAL - categories as u64;
    let profile = |_| {
        let mut cuts: Vec<u64> = (1..categories).map(|_| random.between(0, room)).collect();
        cuts.extend([0, room]);
        cuts.sort_unstable();
        cuts.windows(2).map(|pair| pair[1] - pair[0] + 1).collect()
    };
    (0..count).map(profile).collect()
}

/// Counts of records, as `fit` finds them: of some profiles few, with categories that never occur, profiles that equal
/// another, and profiles with one category only.
pub(crate) fn fitted(random: &mut Random, count: usize, categories: usize) -> Vec<Vec<u64>> {
    let laws = dirichlet(random, count, categories);
    let mut profiles: Vec<Vec<u64>> = Vec::new();
    for law in laws {
        let profile = match random.below(12) {
            0 if !profiles.is_empty() => random.pick(&profiles).clone(),
            1 => {
                let only = random.below(categories as u64) as usize;
                (0..categories).map(|at| if at == only { 50 } else { 0 }).collect()
            }
            _ => {
                let records = *random.pick(&[20u64, 50, 200, 1000]);
                let mut counts = vec![0; categories];
                for _ in 0..records {
                    let mut left = random.below(TOTAL);
                    let at = law.iter().position(|&mass| {
                        let found = left < mass;
                        left = left.saturating_sub(mass);
                        found
                    });
                    counts[at.unwrap_or(0)] += 1;
                }
                counts
            }
        };
        profiles.push(profile);
    }
    profiles
}

/// Profiles around one law, at most a hundredth apart: with a small ε nearly all constraints are nearly tight.
pub(crate) fn near_ties(random: &mut Random, count: usize, categories: usize) -> Vec<Vec<u64>> {
    let centre = dirichlet(random, 1, categories).remove(0);
    let profile = |_| centre.iter().map(|mass| mass + random.below(mass / 100 + 2)).collect();
    (0..count).map(profile).collect()
}

/// Profiles whose probabilities span nine powers of ten.
pub(crate) fn rare(random: &mut Random, count: usize, categories: usize) -> Vec<Vec<u64>> {
    let profile = |_| (0..categories).map(|_| 10u64.pow(random.below(10) as u32) * random.between(1, 9)).collect();
    (0..count).map(profile).collect()
}
