//! The whole path from a secret to a released value, played with made-up values.

use super::alias::AliasTable;
use super::{RandomKey, Sampler};
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::model::{Distribution, Kind, Mechanism, TOTAL};
use lookalike_device::{Column, Layout};
use num_bigint::BigUint;

/// Draws a value from the profile of a secret and releases it through the real [`Sampler`].
///
/// For audits and simulations: nobody's data are in it. A value is drawn from its profile rounded to whole 2^-53, which
/// no number of draws that fits a life can tell from the profile; where the secrets are the values themselves, nothing
/// is drawn. Values come from a quick generator that is not fit for cryptography, since they stand for the world and
/// not for the mechanism; the mechanism draws as it always does.
#[derive(Debug, Clone)]
pub struct Rehearsal {
    sampler: Sampler,
    layout: Layout,
    /// The tables of all profiles one after the other; none where the secrets are the values.
    profiles: Option<Vec<Column>>,
}

impl Rehearsal {
    /// The rehearsal of a certified mechanism.
    pub fn new(certified: &Certified<Mechanism>) -> Self {
        Self::of(certified, certified.mechanism().profiles())
    }

    /// The same where values are drawn from other laws than the profiles: what would be released if these were the true ones.
    ///
    /// # Errors
    /// Another number of laws than of profiles, or a law over another number of values; so for secrets that are values themselves, of
    /// which there are no laws.
    pub fn with_laws(certified: &Certified<Mechanism>, laws: &[Distribution]) -> Result<Self> {
        let mechanism = certified.mechanism();
        let (count, size) = (mechanism.profiles().len(), mechanism.inputs().len());
        if count == 0 || laws.len() != count || laws.iter().any(|law| law.len() != size) {
            return Err(Error::input(format!("{} laws, expected {count} over {size} values", laws.len())));
        }
        Ok(Self::of(certified, laws))
    }

    fn of(certified: &Certified<Mechanism>, laws: &[Distribution]) -> Self {
        let mechanism = certified.mechanism();
        let tables = || laws.iter().flat_map(|law| AliasTable::new(&weights(law)).into_columns());
        Rehearsal {
            sampler: Sampler::new(certified),
            layout: Layout::new(mechanism.inputs().len()),
            profiles: (mechanism.kind() != Kind::Point).then(|| tables().collect()),
        }
    }

    /// Writes to `outputs[i]` the code that is released for `secrets[i]`, draw number `first + i` of a key.
    ///
    /// # Errors
    /// As [`Sampler::privatize`].
    pub fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [u32]) -> Result<()> {
        let Some(columns) = &self.profiles else {
            return self.sampler.privatize(key, first, None, secrets, outputs);
        };
        let mut state = key.other_words().next().wrapping_add(first.wrapping_mul(STEP));
        let mut values = vec![0; secrets.len()];
        for (secrets, values) in secrets.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            // All words of a block before its lookups: neither then waits for the other.
            let mut words = [0; BLOCK];
            for word in &mut words {
                *word = stirred(state);
                state = state.wrapping_add(STEP);
            }
            for ((value, &secret), &word) in values.iter_mut().zip(secrets).zip(&words) {
                *value = self.layout.draw(columns, self.layout.table(secret as usize), word);
            }
        }
        self.sampler.privatize(key, first, Some(secrets), &values, outputs)
    }
}

/// Values that are drawn at a time.
const BLOCK: usize = 256;
/// SplitMix64 goes on by this.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's word at a state.
fn stirred(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// A law in whole 2^-53; what rounding down leaves goes to the likeliest value.
fn weights(law: &Distribution) -> Vec<u64> {
    let denominator = law.denominator().to_big();
    let weight =
        |numerator: BigUint| u64::try_from(numerator * TOTAL / &denominator).expect("a probability is at most 1");
    let mut weights: Vec<u64> = law.numerators().map(|numerator| weight(numerator.to_big())).collect();
    let left = TOTAL - weights.iter().sum::<u64>();
    let likeliest = (0..weights.len()).max_by_key(|&at| weights[at]).expect("a law has a value");
    weights[likeliest] += left;
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::exact::Rational;
    use crate::model::{Categories, Channel, Names, SecretGraph};

    fn thirds() -> Distribution {
        let third = |n: u64| Rational::new(n.into(), 3.into());
        Distribution::new(&[third(1), third(0), third(2)]).unwrap()
    }

    #[test]
    fn weights_are_the_law_to_the_last_unit() {
        let weights = weights(&thirds());
        assert_eq!(weights.iter().sum::<u64>(), TOTAL);
        assert_eq!((weights[0], weights[1]), (TOTAL / 3, 0));
    }

    #[test]
    fn what_is_released_follows_the_output_law_of_the_secret() {
        // The first profile is kept, the second one's values are moved by one place.
        let abc = Categories::new(["a", "b", "c"]).unwrap();
        let mut builder = SecretGraph::builder(Names::new("profile", ["p", "q"]).unwrap());
        builder.chain(&"5".parse().unwrap());
        let even = Distribution::new(&vec![Rational::new(1.into(), 3.into()); 3]).unwrap();
        let half = TOTAL / 2;
        let keep = Channel::rows(vec![vec![half, half, 0], vec![0, half, half], vec![half, 0, half]]).unwrap();
        let mixed = Channel::rows(vec![vec![half, half / 2, half / 2]; 3]).unwrap();
        let graph = builder.build().unwrap();
        let mechanism =
            Mechanism::aware(abc.clone(), abc, graph, vec![thirds(), even], vec![keep, mixed], vec![0, 1]).unwrap();
        let laws = mechanism.output_laws();
        let certified = certify(mechanism).unwrap();
        let rehearsal = Rehearsal::new(&certified);
        let secrets: Vec<u32> = (0..200_000).map(|at| at % 2).collect();
        let mut outputs = vec![0; secrets.len()];
        rehearsal.draw(&RandomKey::from_seed(5), 0, &secrets, &mut outputs).unwrap();
        for (secret, law) in laws.iter().enumerate() {
            for code in 0..3u32 {
                let count = secrets.iter().zip(&outputs).filter(|&(&s, &y)| (s as usize, y) == (secret, code)).count();
                let expected = crate::exact::to_f64(&law.probability(code as usize), crate::exact::Direction::Nearest);
                // Five standard errors in each of six cells: a false alarm in about 300,000 seeds, and this one is fixed.
                assert!(
                    (count as f64 / 1e5 - expected).abs() < 5.0 * (0.25f64 / 1e5).sqrt(),
                    "{secret} {code} {count}"
                );
            }
        }
        // Drawn from another law, the first secret has that one's outputs: it keeps its value or moves it by one place.
        let only = Distribution::new(&[0, 1, 0].map(|p| Rational::from_integer(p.into()))).unwrap();
        let other = Rehearsal::with_laws(&certified, &[only.clone(), only.clone()]).unwrap();
        let mut moved = vec![0; 1_000];
        other.draw(&RandomKey::from_seed(5), 0, &[0; 1_000], &mut moved).unwrap();
        assert!(moved.contains(&1) && moved.contains(&2) && !moved.contains(&0));
        let error = Rehearsal::with_laws(&certified, &[only]).unwrap_err().to_string();
        assert_eq!(error, "1 laws, expected 2 over 3 values");
        let mut again = vec![0; 1_000];
        rehearsal.draw(&RandomKey::from_seed(5), 70_000, &secrets[70_000..71_000], &mut again).unwrap();
        assert_eq!(again, outputs[70_000..71_000], "a draw depends on its number, not on the stretch it is drawn in");
    }
}
