//! Windows of a chain: how many of some moments are spent in a state, when one of the moments must stay hidden.

use crate::graphs::Graph;

/// The denominator of the laws.
const TOTAL: f64 = (1u64 << 40) as f64;

/// The laws of the number of active moments in a window of a chain that stays in its state with probability `stay`, given that
/// one moment is active or is not; and the pairs of these two laws, one for each moment.
///
/// The chain begins with its stationary law, which is even. Each law is rounded to multiples of 2^−40; what is impossible stays so.
pub(crate) fn counts_in_a_window(length: usize, stay: f64, epsilon: &str) -> (Vec<Vec<u64>>, Graph) {
    let (mut profiles, mut graph) = (Vec::new(), Graph::default());
    for moment in 0..length {
        graph.edges.push((2 * moment as u32, 2 * moment as u32 + 1, epsilon.to_owned()));
        for active in [false, true] {
            let weights = law(length, stay, (moment, active)).into_iter();
            profiles.push(weights.map(|mass| if mass > 0.0 { ((mass * TOTAL) as u64).max(1) } else { 0 }).collect());
        }
    }
    (profiles, graph)
}

/// The law of the number of active moments, given the state of one of them.
fn law(length: usize, stay: f64, (known, state): (usize, bool)) -> Vec<f64> {
    // By the number of active moments so far and the state now.
    let mut masses = vec![[0.0; 2]; length + 1];
    (masses[0][0], masses[1][1]) = (0.5, 0.5);
    for moment in 0..length {
        if moment > 0 {
            let mut next = vec![[0.0; 2]; length + 1];
            for (count, &[idle, active]) in masses.iter().enumerate().take(moment + 1) {
                next[count][0] += stay * idle + (1.0 - stay) * active;
                next[count + 1][1] += stay * active + (1.0 - stay) * idle;
            }
            masses = next;
        }
        if moment == known {
            masses.iter_mut().for_each(|mass| mass[usize::from(!state)] = 0.0);
        }
    }
    let law: Vec<f64> = masses.iter().map(|[idle, active]| idle + active).collect();
    let total: f64 = law.iter().sum();
    law.into_iter().map(|mass| mass / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_forgets_at_once_counts_coins() {
        let (profiles, graph) = counts_in_a_window(3, 0.5, "1");
        assert_eq!((profiles.len(), graph.edges.len()), (6, 3));
        let share = |profile: &[u64]| -> Vec<f64> { profile.iter().map(|&mass| mass as f64 / TOTAL).collect() };
        assert_eq!(share(&profiles[0]), [0.25, 0.5, 0.25, 0.0]);
        assert_eq!(share(&profiles[5]), [0.0, 0.25, 0.5, 0.25]);
    }

    #[test]
    fn a_chain_that_never_moves_is_all_or_nothing() {
        let (profiles, _) = counts_in_a_window(4, 1.0, "1");
        assert!(profiles[0][0] > 0 && profiles[0][1..].iter().all(|&mass| mass == 0));
        assert!(profiles[1][4] > 0 && profiles[1][..4].iter().all(|&mass| mass == 0));
    }
}
