//! Groups whose members give each other away: counts over households, wards, teams.

use super::quantiles::{Digits, widest};
use super::{Theta, wasserstein};
use crate::exact::{Natural, Rational};
use crate::model::{Distribution, Epsilon, Noise};
use crate::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Pow, Zero};

/// Groups that are independent of each other, each with exchangeable members: the law of how many members have a trait
/// says all, and everyone within a group is as likely to be among them.
///
/// The secret is whether one member has the trait, and the query counts them over all groups. With c the law of the count
/// of a group of n, the count given that a certain member has the trait has the law ∝ j·c(j), and given that they have it
/// not ∝ (n − j)·c(j).
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::Groups};
/// let flu = Distribution::new(&["0.1", "0.15", "0.5", "0.15", "0.1"].map(|text| parse_rational(text).unwrap()))?;
/// let households = Groups::new(vec![flu.clone(), flu])?;
/// assert_eq!(households.distance().to_string(), "2");
/// let noise = households.noise(&"1".parse()?, 0)?;
/// assert_eq!(noise.decay().to_string(), "1/2");
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), section 3.1.
#[derive(Debug, Clone)]
pub struct Groups {
    /// Distinct laws of the count of a group, each with the number of groups that have it.
    kinds: Vec<(Distribution, u64)>,
}

impl Groups {
    /// The groups with these laws of their counts: probability j is that of j members with the trait, so a group of n has
    /// n + 1 probabilities.
    ///
    /// # Errors
    /// No group, or a group without a member.
    pub fn new(laws: Vec<Distribution>) -> Result<Self> {
        let mut kinds: Vec<(Distribution, u64)> = Vec::new();
        for (place, law) in laws.into_iter().enumerate() {
            if law.len() < 2 {
                return Err(Error::input("a group without members, expected probabilities of 0, 1, … members")
                    .at(format_args!("group {}", place + 1)));
            }
            match kinds.iter_mut().find(|(known, _)| *known == law) {
                Some((_, count)) => *count += 1,
                None => kinds.push((law, 1)),
            }
        }
        if kinds.is_empty() {
            return Err(Error::input("no group, expected at least one"));
        }
        Ok(Groups { kinds })
    }

    /// W, whatever the other groups do as long as they are independent: the largest distance within one group.
    ///
    /// Adding the same independent number to two laws lets them be coupled as before, so no law of the other groups makes
    /// W larger; and if their counts were known it would be just this.
    pub fn distance(&self) -> Rational {
        whole(self.kinds.iter().filter_map(|(law, _)| apart(&given(law), |law| law)).max().unwrap_or(0))
    }

    /// W of the whole count, where the laws of the other groups are part of what is assumed: never more than
    /// [`Groups::distance`], and sometimes less, since the others' counts hide a member too.
    ///
    /// # Errors
    /// Exact numbers that would not fit memory.
    pub fn total_distance(&self) -> Result<Rational> {
        let members = |(law, count): &(Distribution, u64)| count.saturating_mul(law.len() as u64 - 1);
        let bits = |(law, count): &(Distribution, u64)| law.denominator().to_big().bits().saturating_mul(*count);
        let [places, digit] = [self.sum(members), self.sum(bits).saturating_add(64)];
        if u128::from(places) * u128::from(digit) > MOST_BITS {
            return Err(Error::inapplicable(format!(
                "the exact law of a count over {places} members would take {} MB, expected at most {} (the distance \
                 within one group serves any number of groups)",
                (u128::from(places) * u128::from(digit)) >> 23,
                MOST_BITS >> 23
            )));
        }
        let power = |(law, count): &(Distribution, u64)| Pow::pow(law.denominator().to_big(), *count);
        let most = self.kinds.iter().map(power).fold(BigUint::one(), |product, power| product * power);
        // The weights j and n − j of a member's group come on top of the denominators.
        let digits = Digits::holding(&(most * (places + 1)));
        let packed = |law: &Distribution| digits.pack(&weights(law));
        let mut widest = 0;
        for (place, (law, _)) in self.kinds.iter().enumerate() {
            let others = self
                .kinds
                .iter()
                .enumerate()
                .map(|(other, (law, count))| Pow::pow(packed(law), count - u64::from(other == place)));
            let others = others.fold(BigUint::one(), |product, power| product * power);
            let convolved = |law: Vec<BigUint>| digits.unpack(&(digits.pack(&law) * &others));
            widest = widest.max(apart(&given(law), convolved).unwrap_or(0));
        }
        Ok(whole(widest))
    }

    /// The least noise on a grid of 2^exponent for [`Groups::distance`].
    ///
    /// # Errors
    /// W = 0: no noise is needed. Also as [`Noise::for_epsilon`].
    pub fn noise(&self, epsilon: &Epsilon, exponent: i32) -> Result<Noise> {
        wasserstein::noise(epsilon, &self.distance(), exponent)
    }

    fn sum(&self, of: impl Fn(&(Distribution, u64)) -> u64) -> u64 {
        self.kinds.iter().map(of).fold(0, u64::saturating_add)
    }
}

impl Theta {
    /// One exchangeable group as a law of a framework: the first secret is that a member has not the trait, the second that
    /// they have it, and the query counts the members with the trait.
    ///
    /// # Errors
    /// A group without a member.
    pub fn of_group(name: &str, count: &Distribution) -> Result<Self> {
        if count.len() < 2 {
            return Err(Error::input("a group without members, expected probabilities of 0, 1, … members"));
        }
        let law = |weights: Vec<BigUint>| {
            let possible = weights.iter().any(|weight| !weight.is_zero());
            possible.then(|| Distribution::from_weights(weights.into_iter().map(Natural::from).collect())).transpose()
        };
        let [without, with] = given(count);
        Ok(Theta::new(name, vec![law(without)?, law(with)?]))
    }
}

/// Bits of a packed law: 64 MB.
const MOST_BITS: u128 = 1 << 29;

fn weights(law: &Distribution) -> Vec<BigUint> {
    law.numerators().map(|weight| weight.to_big()).collect()
}

/// The laws of a group's count given that a member has not the trait, and given that they have it.
fn given(law: &Distribution) -> [Vec<BigUint>; 2] {
    let size = law.len() - 1;
    let weighted = |factor: &dyn Fn(usize) -> usize| {
        weights(law).into_iter().enumerate().map(|(count, weight)| weight * factor(count)).collect()
    };
    [weighted(&|count| size - count), weighted(&|count| count)]
}

/// W between two laws after a change of both; `None` where one of them is impossible.
fn apart(laws: &[Vec<BigUint>; 2], change: impl Fn(Vec<BigUint>) -> Vec<BigUint>) -> Option<usize> {
    let possible = laws.iter().all(|law| law.iter().any(|weight| !weight.is_zero()));
    let [one, other] = laws;
    possible.then(|| widest(&change(one.clone()), &change(other.clone())))
}

fn whole(distance: usize) -> Rational {
    Rational::from_integer(BigInt::from(distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::exact::parse_rational;
    use crate::model::{Names, SecretGraph};
    use crate::pufferfish::{Framework, Values};
    use proptest::prelude::*;

    fn flu() -> Distribution {
        Distribution::new(&["0.1", "0.15", "0.5", "0.15", "0.1"].map(|text| parse_rational(text).unwrap())).unwrap()
    }

    #[test]
    fn the_flu_clique_has_the_published_laws_and_distance() {
        let theta = Theta::of_group("flu", &flu()).unwrap();
        let law = |secret| theta.law(secret).unwrap().probabilities().collect::<Vec<_>>();
        let published = |texts: [&str; 5]| texts.map(|text| parse_rational(text).unwrap()).to_vec();
        assert_eq!(law(0), published([".2", ".225", ".5", ".075", "0"]));
        assert_eq!(law(1), published(["0", ".075", ".5", ".225", ".2"]));
        let mut pairs = SecretGraph::builder(Names::new("secret", ["well", "ill"]).unwrap());
        pairs.edge(0, 1, "1".parse().unwrap()).unwrap();
        let framework = Framework::new(pairs.build().unwrap(), Values::count(4).unwrap(), vec![theta]).unwrap();
        assert_eq!(framework.wasserstein().unwrap().distance().to_string(), "2");
        assert_eq!(framework.span().unwrap().to_string(), "4", "what group privacy would hide");
        let groups = Groups::new(vec![flu()]).unwrap();
        assert_eq!(groups.distance(), groups.total_distance().unwrap());
        assert!(certify(groups.noise(&"1".parse().unwrap(), 0).unwrap()).is_ok());
    }

    #[test]
    fn other_groups_hide_a_member_too() {
        let law = |weights: [u64; 4]| Distribution::from_weights(weights.map(Into::into).to_vec()).unwrap();
        let one = Groups::new(vec![law([1, 1, 2, 3])]).unwrap();
        assert_eq!((one.distance(), one.total_distance().unwrap()), (whole(3), whole(3)));
        let two = Groups::new(vec![law([1, 1, 2, 3]), law([1, 1, 2, 3])]).unwrap();
        assert_eq!((two.distance(), two.total_distance().unwrap()), (whole(3), whole(2)));
        // Not always: near its ends the flu's law stays two apart, however many households there are.
        let households = Groups::new(vec![flu(); 30]).unwrap();
        assert_eq!(households.total_distance().unwrap(), whole(2));
    }

    #[test]
    fn a_group_that_is_sure_has_nothing_to_hide() {
        let sure = Distribution::from_weights(vec![Natural::ZERO, Natural::ZERO, Natural::ONE]).unwrap();
        let error = Groups::new(vec![sure]).unwrap().noise(&"1".parse().unwrap(), 0).unwrap_err();
        assert!(error.is_inapplicable() && error.to_string().starts_with("W = 0"), "{error}");
        let lone = Distribution::from_weights(vec![Natural::ONE]).unwrap();
        assert!(Groups::new(vec![lone]).unwrap_err().to_string().starts_with("group 1: a group without members"));
        assert!(Groups::new(vec![]).is_err());
    }

    proptest! {
        #[test]
        fn the_total_is_the_one_of_the_whole_joint_law(laws in prop::collection::vec(prop::collection::vec(0u64..4, 2..4), 1..4)) {
            prop_assume!(laws.iter().all(|law| law.iter().sum::<u64>() > 0));
            let law = |weights: &Vec<u64>| Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap();
            let groups = Groups::new(laws.iter().map(law).collect()).unwrap();
            // Brute force: convolve the conditional law of one group with the others', one product at a time.
            let mut expected = 0;
            for (place, own) in laws.iter().enumerate() {
                let laws_given = given(&law(own)).map(|conditional| {
                    laws.iter().enumerate().filter(|(other, _)| *other != place).fold(conditional, |sum, (_, other)| {
                        let mut convolved = vec![BigUint::ZERO; sum.len() + other.len() - 1];
                        for (i, a) in sum.iter().enumerate() {
                            for (j, &b) in other.iter().enumerate() {
                                convolved[i + j] += a * b;
                            }
                        }
                        convolved
                    })
                });
                expected = expected.max(apart(&laws_given, |law| law).unwrap_or(0));
            }
            prop_assert_eq!(groups.total_distance().unwrap(), whole(expected));
            prop_assert!(groups.total_distance().unwrap() <= groups.distance());
        }
    }
}
