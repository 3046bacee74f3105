//! How much of each category survives a mechanism.

use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Mechanism, Prior};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::Zero;

/// Bits of each secret's share of a sum: no profile that anybody writes has a probability next to 2^−BITS.
const BITS: u32 = 1024;

/// For each category the probability that it is released unchanged, over all who have it: `Σ_s w_s P_s(x) A^s(x, x)` over
/// `Σ_s w_s P_s(x)`, to about the nearest double. `None` for a category that no profile with a weight has.
///
/// An expected error alone can be served by a channel that always says the most frequent value; here such a channel keeps
/// nothing of all others. Where profiles have limits, P_s is the profile itself.
///
/// # Panics
/// If the mechanism has other outputs than inputs, or the prior another number of secrets.
///
/// # Complexity
/// Secrets × categories.
///
/// # Example
/// ```
/// use lookalike::{design::survival, exact::parse_rational};
/// use lookalike::model::{Categories, Channel, Distribution, Mechanism, Names, Prior, SecretGraph, TOTAL};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"])?);
/// builder.complete(&"1".parse()?);
/// let law = |no: &str, yes: &str| Distribution::new(&[no, yes].map(|p| parse_rational(p).unwrap()));
/// let laws = vec![law("0.9", "0.1")?, law("0.8", "0.2")?];
/// let always_no = Channel::rows(vec![vec![TOTAL, 0], vec![TOTAL, 0]])?;
/// let mechanism = Mechanism::shared(bits.clone(), bits, builder.build()?, laws, always_no)?;
/// assert_eq!(survival(&mechanism, &Prior::uniform(2)?), [Some(1.0), Some(0.0)]); // an error of 15 % only
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn survival(mechanism: &Mechanism, prior: &Prior) -> Vec<Option<f64>> {
    let (size, secrets) = (mechanism.inputs().len(), mechanism.graph().names().len());
    assert_eq!(size, mechanism.outputs().len(), "survival compares an output with its input");
    assert_eq!(prior.len(), secrets, "a weight for each secret");
    let (mut all, mut kept) = (vec![BigInt::zero(); size], vec![BigInt::zero(); size]);
    for secret in 0..secrets {
        let (law, channel) = (mechanism.input_law(secret as u32), mechanism.channel(secret as u32));
        let weight = prior.weights().numerator(secret).to_big();
        let denominator = law.denominator().to_big();
        for x in 0..size {
            let mass = (&weight * law.numerator(x).to_big()) << BITS;
            let share = |of: BigUint| BigInt::from(of.div_floor(&denominator));
            kept[x] += share(&mass * BigUint::from(channel.weight(x, x)) / BigUint::from(channel.scale()));
            all[x] += share(mass);
        }
    }
    let shares = kept.into_iter().zip(all);
    shares.map(|(kept, all)| (!all.is_zero()).then(|| to_f64(&Rational::new(kept, all), Direction::Nearest))).collect()
}
