//! Baselines: what hides whole groups of nodes, and what hides one node only.

use super::exact_search::check_length;
use super::walk::rounded_up;
use crate::exact::{Epsilon, Rational};
use crate::{Error, Result};
use num_bigint::BigInt;

/// Bits of ε in a scale.
const BITS: u64 = 128;

/// The scale of group differential privacy for a chain: T/ε, rounded up. It hides a change of all nodes at once, so it
/// protects against every correlation.
///
/// # Errors
/// A length outside 1 to 2^40.
///
/// # Example
/// ```
/// use lookalike::pufferfish::group_scale;
/// assert_eq!(group_scale(100, &"1/2".parse()?)?.to_string(), "200");
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn group_scale(length: u64, epsilon: &Epsilon) -> Result<Rational> {
    check_length(length)?;
    Ok(scale(length, epsilon))
}

/// The scale of group differential privacy for groups of these sizes that have nothing to do with one another: the
/// largest size over ε, rounded up.
///
/// # Guarantee
/// It protects each node where nodes of different groups are independent, whatever the correlations within a group.
///
/// # Errors
/// No group, or one without nodes.
pub fn groups_scale(sizes: &[u64], epsilon: &Epsilon) -> Result<Rational> {
    let largest = sizes.iter().max().ok_or_else(|| Error::input("no group, expected the size of each"))?;
    sizes.iter().try_for_each(|&size| check_length(size))?;
    Ok(scale(*largest, epsilon))
}

/// The scale of entry differential privacy: 1/ε, rounded up.
///
/// # Warning
/// It protects one node **only if nodes are independent**. In a chain the neighbours tell of the node what the noise
/// hides: with 100 nodes that never change, an adversary learns 100·ε. It is here to be compared with.
pub fn entry_scale(epsilon: &Epsilon) -> Rational {
    scale(1, epsilon)
}

/// card/ε, rounded up to 50 bits.
pub(super) fn scale(card: u64, epsilon: &Epsilon) -> Rational {
    rounded_up(&exact_ratio(card, epsilon).unwrap_or_else(|| {
        let mut bits = BITS;
        // A tiny ε needs more bits before it can be told from 0.
        while !epsilon.enclose(bits).is_positive() {
            bits *= 2;
        }
        Rational::from(BigInt::from(card)) / epsilon.enclose(bits + BITS).lower().to_rational()
    }))
}

/// card/ε where ε is a fraction.
fn exact_ratio(card: u64, epsilon: &Epsilon) -> Option<Rational> {
    let one = Epsilon::rational(BigInt::from(1).into()).expect("1 is an ε");
    Some(Rational::from(BigInt::from(card)) / epsilon.ratio(&one)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_group_decides_and_ln_is_rounded_up() {
        let epsilon = |text: &str| text.parse::<Epsilon>().unwrap();
        assert_eq!(groups_scale(&[3, 7, 2], &epsilon("1/3")).unwrap().to_string(), "21");
        assert_eq!(entry_scale(&epsilon("0.1")).to_string(), "10");
        assert!(groups_scale(&[], &epsilon("1")).is_err() && groups_scale(&[3, 0], &epsilon("1")).is_err());
        assert!(group_scale(0, &epsilon("1")).is_err());
        let scale = group_scale(5, &epsilon("ln(3)")).unwrap();
        // 5/ln 3 = 4.55119613313418696807120829…
        let number = |text| crate::exact::parse_rational(text).unwrap();
        assert!(scale > number("4.55119613313418") && scale < number("4.5511961331343"));
    }
}
