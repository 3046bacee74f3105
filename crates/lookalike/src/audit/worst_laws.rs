//! The laws within limits at which secrets are least alike.

use super::pairs::Pair;
use crate::model::{Distribution, Mechanism, OutputLaws};

/// A law for each profile of a mechanism with limits, for an attack.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstLaws {
    /// The law of each profile.
    pub laws: Vec<Distribution>,
    /// The pairs whose two laws are those at which they are least alike, the worst pair first.
    pub pairs: Vec<[u32; 2]>,
}

/// Laws within the limits of a mechanism at which as many of these pairs as possible are least alike, each at one output: the pair that
/// comes nearest to its claim, or exceeds it the most, then the next one of which neither secret has a law yet, and so on. A profile
/// in none of them keeps its own law.
///
/// A claim is about every law within the limits, so that whatever laws there are, no attack should succeed; what is likeliest to show
/// that a claim is too small is the worst pair at its worst laws. A single pair has its own, whatever the others need.
///
/// # Complexity
/// Secrets × outputs sorts of the values, and pairs × outputs.
pub fn worst_laws(mechanism: &Mechanism, pairs: &[Pair]) -> WorstLaws {
    let limits = mechanism.limits();
    let mut laws = mechanism.profiles().to_vec();
    let mut found = Vec::new();
    if !limits.is_empty() {
        let all = OutputLaws::of(mechanism);
        let mut apart: Vec<Apart> =
            pairs.iter().map(|pair| Apart { excess: f64::NEG_INFINITY, secrets: pair.secrets, output: 0 }).collect();
        for output in 0..mechanism.outputs().len() {
            let column = all.column(output);
            let (most, least) = (column.floors(), column.least_floors());
            for (pair, apart) in pairs.iter().zip(&mut apart) {
                let [one, other] = pair.secrets;
                for secrets in [[one, other], [other, one]] {
                    let ratio = most[secrets[0] as usize] as f64 / least[secrets[1] as usize] as f64;
                    // An output that neither has says nothing.
                    let excess = ratio.ln() - pair.claimed.unwrap_or(0.0);
                    if excess > apart.excess {
                        *apart = Apart { excess, secrets, output };
                    }
                }
            }
        }
        apart.sort_by(|a, b| b.excess.total_cmp(&a.excess));
        let mut is_taken = vec![false; laws.len()];
        for Apart { secrets, output, .. } in apart {
            let [more, less] = secrets.map(|secret| secret as usize);
            if is_taken[more] || is_taken[less] {
                continue;
            }
            for (end, secret) in [more, less].into_iter().enumerate() {
                let channel = mechanism.channel(secret as u32);
                let extremes = limits[secret].extreme_laws(|x| channel.weight(x, output));
                laws[secret] = extremes.into_iter().nth(end).expect("two laws");
                is_taken[secret] = true;
            }
            found.push(secrets);
        }
    }
    WorstLaws { laws, pairs: found }
}

/// How far two secrets can be apart at an output, the first one's probability against the second one's.
struct Apart {
    /// Beyond what is claimed; infinite where only the first one has the output.
    excess: f64,
    secrets: [u32; 2],
    output: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use crate::model::{Categories, Channel, Limits, Names, SecretGraph, TOTAL};

    #[test]
    fn the_worst_pair_has_its_worst_laws_and_others_what_is_left() {
        let bits = Categories::new(["no", "yes"]).unwrap();
        let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b", "c"]).unwrap());
        builder.complete(&"2".parse().unwrap());
        let graph = builder.build().unwrap();
        let law = |no: u64| Distribution::from_weights(vec![no.into(), (8 - no).into()]).unwrap();
        let laws = vec![law(4), law(4), law(4)];
        let (keep, flip) = (3 * (TOTAL / 4), TOTAL / 4);
        let channel = Channel::rows(vec![vec![keep, flip], vec![flip, keep]]).unwrap();
        let ends = |texts: [&str; 2]| texts.map(|text| parse_rational(text).unwrap());
        let limits = |no: [&str; 2]| Limits::new(&[ends(no), ends(["0", "1"])]).unwrap();
        let mechanism = Mechanism::shared(bits.clone(), bits, graph, laws, channel).unwrap();
        assert_eq!(worst_laws(&mechanism, &[]), WorstLaws { laws: vec![law(4); 3], pairs: vec![] });
        let wide = vec![limits(["1/8", "5/8"]), limits(["1/2", "1/2"]), limits(["3/8", "7/8"])];
        let mechanism = mechanism.within(wide).unwrap();
        let pairs = super::super::pairs(mechanism.graph(), 1_000, None);
        let found = worst_laws(&mechanism, &pairs);
        // 1/8 and 7/8 of no: the channel makes 5/16 and 11/16 of them.
        assert_eq!(found.laws, [law(1), law(4), law(7)]);
        assert_eq!(found.pairs.len(), 1);
        assert!(found.pairs[0] == [0, 2] || found.pairs[0] == [2, 0]);
    }
}
