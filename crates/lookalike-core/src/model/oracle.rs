//! Frequency oracles: local mechanisms whose report supports a set of categories.

use super::channel::TOTAL;
use super::report::{Report, Reports};
use super::{Categories, Epsilon, HashFamily};
use crate::error::{Error, Result};
use crate::exact::{Natural, Rational};
use num_bigint::BigInt;

/// How a report is drawn from a category x. Weights are out of 2^53.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// A bit for each category, each drawn for itself: the bit of x is 1 with weight `one`, any other with `other`.
    Unary {
        /// The weight of a 1 at x.
        one: u64,
        /// The weight of a 1 elsewhere.
        other: u64,
    },
    /// A function h drawn evenly from a [`HashFamily`], and a bucket: h(x) with weight `keep`, or else any other evenly.
    Hash {
        /// How many buckets, a prime number.
        buckets: u32,
        /// The weight of h(x).
        keep: u64,
    },
    /// A column of the Hadamard matrix of the least size K = 2^m > d: one in which row x + 1 has a +1 with weight
    /// `plus`, or else one with a −1; all columns of either sort evenly.
    Hadamard {
        /// The weight of the columns with +1.
        plus: u64,
    },
    /// A set of `size` categories: with weight `include` one that holds x, or else one that does not; all sets of either
    /// sort evenly. A set of one is k-ary randomized response.
    Subset {
        /// How many categories a set holds.
        size: u32,
        /// The weight of the sets that hold x.
        include: u64,
    },
}

impl Encoding {
    /// Their names in files.
    pub const NAMES: [&'static str; 4] = ["unary", "hash", "hadamard", "subset"];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Unary { .. } => "unary",
            Encoding::Hash { .. } => "hash",
            Encoding::Hadamard { .. } => "hadamard",
            Encoding::Subset { .. } => "subset",
        }
    }

    /// What it is made of, each number with its name in files.
    pub fn numbers(self) -> Vec<(&'static str, u64)> {
        match self {
            Encoding::Unary { one, other } => vec![("one", one), ("other", other)],
            Encoding::Hash { buckets, keep } => vec![("buckets", buckets.into()), ("keep", keep)],
            Encoding::Hadamard { plus } => vec![("plus", plus)],
            Encoding::Subset { size, include } => vec![("size", size.into()), ("include", include)],
        }
    }

    /// The encoding of this name, of numbers by theirs; none for another name.
    ///
    /// # Errors
    /// A number that cannot be read, or one of buckets or categories from 2^32 on.
    pub fn of_numbers<E: From<Error>>(
        name: &str,
        mut read: impl FnMut(&'static str) -> std::result::Result<u64, E>,
    ) -> std::result::Result<Option<Encoding>, E> {
        let small = |key: &'static str, number: u64| {
            u32::try_from(number).map_err(|_| Error::input(format!("{key}: {number}, expected a number below 2^32")))
        };
        Ok(Some(match name {
            "unary" => Encoding::Unary { one: read("one")?, other: read("other")? },
            "hash" => Encoding::Hash { buckets: small("buckets", read("buckets")?)?, keep: read("keep")? },
            "hadamard" => Encoding::Hadamard { plus: read("plus")? },
            "subset" => Encoding::Subset { size: small("size", read("size")?)?, include: read("include")? },
            _ => return Ok(None),
        }))
    }
}

/// A local mechanism that claims: any two categories look alike within ε, in one report.
///
/// A report *supports* a set of categories: those with a 1, those in the bucket, those whose row has +1, those in the
/// set. The own category is supported with one probability, any other with a smaller one, both known exactly
/// ([`Oracle::support`]); shares are read back from how many reports support a category.
///
/// # Example
/// ```
/// use lookalike_core::model::{Categories, Encoding, Oracle, TOTAL};
/// let categories = Categories::new(["red", "green", "blue"])?;
/// let oracle = Oracle::new(categories, "ln(3)".parse()?, Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 })?;
/// assert_eq!(oracle.support().map(|probability| probability.to_string()), ["1/2", "1/4"]);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Reference
/// Wang, Blocki, Li and Jha, Locally differentially private protocols for frequency estimation (2017): pure protocols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oracle {
    categories: Categories,
    epsilon: Epsilon,
    encoding: Encoding,
}

/// More categories would not leave room for the columns of the Hadamard matrix in 32 bits.
const MOST_CATEGORIES: usize = 1 << 31;

impl Oracle {
    /// The oracle of an encoding, with its claim; whether the claim is true is for the certifier.
    ///
    /// # Errors
    /// Fewer than two categories, a weight above 2^53, a number of buckets that is not prime, a set size that is not
    /// between 1 and d − 1, or weights for which the own category is not supported more often than any other.
    pub fn new(categories: Categories, epsilon: Epsilon, encoding: Encoding) -> Result<Self> {
        Oracle::check_size(&categories)?;
        let size = categories.len();
        let oracle = Oracle { categories, epsilon, encoding };
        let weights = match encoding {
            Encoding::Unary { one, other } => [one, other],
            Encoding::Hash { buckets, keep } => {
                HashFamily::new(buckets, size as u32)?;
                [keep, 0]
            }
            Encoding::Hadamard { plus } => [plus, 0],
            Encoding::Subset { size: members, include } => {
                if members == 0 || members as usize >= size {
                    return Err(Error::input(format!("sets of {members}, expected from 1 to {}", size - 1)));
                }
                [include, 0]
            }
        };
        if let Some(weight) = weights.into_iter().find(|weight| *weight > TOTAL) {
            return Err(Error::input(format!("a weight of {weight}, expected at most 2^53 = {TOTAL}")));
        }
        let [own, other] = oracle.support();
        if own <= other {
            return Err(Error::input(format!(
                "a report supports its own category with probability {own} and any other with {other}, expected less: \
                 nothing could be read back"
            )));
        }
        Ok(oracle)
    }

    /// Whether there are enough categories, and not too many.
    pub fn check_size(categories: &Categories) -> Result<()> {
        match categories.len() {
            2..=MOST_CATEGORIES => Ok(()),
            1 => Err(Error::input("1 category, expected at least 2: there is nothing to hide")),
            size => Err(Error::input(format!("{size} categories, expected at most {MOST_CATEGORIES}"))),
        }
    }

    /// The categories.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// The claim: any two categories look alike within this ε.
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// The encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// d.
    pub fn size(&self) -> u32 {
        self.categories.len() as u32
    }

    /// The same encoding with another claim.
    #[must_use]
    pub fn with_epsilon(self, epsilon: Epsilon) -> Oracle {
        Oracle { epsilon, ..self }
    }

    /// The probabilities p and q with which a report supports its own category and any other one, exactly.
    ///
    /// For hashes q = 1/g is over the function and the bucket together, since the function is drawn evenly from an exactly
    /// pairwise uniform family.
    pub fn support(&self) -> [Rational; 2] {
        let of = |weight: u64| Rational::new(weight.into(), TOTAL.into());
        let one_in = |count: u32| Rational::new(1.into(), count.into());
        match self.encoding {
            Encoding::Unary { one, other } => [of(one), of(other)],
            Encoding::Hash { buckets, keep } => [of(keep), one_in(buckets)],
            // Two rows agree in half of the columns, both where the first has +1 and where it has −1.
            Encoding::Hadamard { plus } => [of(plus), one_in(2)],
            // A set has size − [x is in it] places for the d − 1 others.
            Encoding::Subset { size, include } => {
                let own = of(include);
                let other = (Rational::from_integer(size.into()) - &own) / BigInt::from(self.size() - 1);
                [own, other]
            }
        }
    }

    /// The hash functions, where there are any.
    pub fn family(&self) -> Option<HashFamily> {
        match self.encoding {
            Encoding::Hash { buckets, .. } => Some(HashFamily::new(buckets, self.size()).expect("checked when made")),
            _ => None,
        }
    }

    /// K, the columns of the least Hadamard matrix with more than d rows; its first row, all +1, stands for nobody.
    pub fn columns(&self) -> u64 {
        (u64::from(self.size()) + 1).next_power_of_two()
    }

    /// An empty list of reports.
    pub fn no_reports(&self) -> Reports {
        let bits = (self.size() as usize).div_ceil(64);
        match self.encoding {
            Encoding::Unary { .. } => Reports::new(bits, 0),
            Encoding::Hash { .. } => Reports::new(1, 1),
            Encoding::Hadamard { .. } => Reports::new(0, 1),
            Encoding::Subset { size, .. } => Reports::new(0, size as usize),
        }
    }

    /// Whether a report supports a category.
    ///
    /// # Panics
    /// If it is no report of this oracle or the category is not below d.
    pub fn supports(&self, report: Report<'_>, x: u32) -> bool {
        let Report { words, codes } = report;
        match self.encoding {
            Encoding::Unary { .. } => words[x as usize / 64] >> (x % 64) & 1 == 1,
            Encoding::Hash { .. } => self.family().expect("a hash has one").bucket(words[0], x) == codes[0],
            Encoding::Hadamard { .. } => is_plus(x, codes[0]),
            Encoding::Subset { .. } => codes.binary_search(&x).is_ok(),
        }
    }

    /// The probability of a report for a true category x, over [`Oracle::scale`].
    ///
    /// This is the law of the mechanism: the certifier compares it, the sampler draws from it.
    pub fn weight(&self, x: u32, report: Report<'_>) -> Natural {
        let (own, size) = (self.supports(report, x), self.size());
        let product = |a: u64, b: u32| Natural::from(a).times(&u64::from(b).into());
        match self.encoding {
            Encoding::Unary { one, other } => {
                let chance = |y: u32| if y == x { one } else { other };
                let bit = |y: u32| if self.supports(report, y) { chance(y) } else { TOTAL - chance(y) };
                (0..size).fold(Natural::ONE, |product, y| product.times(&bit(y).into()))
            }
            Encoding::Hash { buckets, keep } if own => product(keep, buckets - 1),
            Encoding::Hash { keep, .. } => (TOTAL - keep).into(),
            Encoding::Hadamard { plus } => if own { plus } else { TOTAL - plus }.into(),
            Encoding::Subset { size: members, include } if own => product(include, size - members),
            Encoding::Subset { size: members, include } => product(TOTAL - include, members),
        }
    }

    /// Of a report that supports one category and not another: its probability where the first is true, that where the second is,
    /// and what both are out of. They are the same for any two categories.
    pub fn apart(&self) -> ([Natural; 2], Natural) {
        let product =
            |numbers: &[u64]| numbers.iter().fold(Natural::ONE, |product, &number| product.times(&number.into()));
        let size = u64::from(self.size());
        match self.encoding {
            // A 1 for the first and a 0 for the second.
            Encoding::Unary { one, other } => {
                ([product(&[one, TOTAL - other]), product(&[other, TOTAL - one])], product(&[TOTAL, TOTAL]))
            }
            // Two categories have different buckets with probability (g − 1)/g; another bucket has 1/(g − 1) of the rest.
            Encoding::Hash { buckets, keep } => {
                let others = u64::from(buckets - 1);
                let masses = [product(&[keep, others, others]), product(&[TOTAL - keep, others])];
                (masses, product(&[TOTAL, others, buckets.into()]))
            }
            // Of the columns with +1 in one row half have −1 in the other.
            Encoding::Hadamard { plus } => ([plus.into(), (TOTAL - plus).into()], product(&[TOTAL, 2])),
            // Of the sets with the first (d − k)/(d − 1) lack the second; of those without the second k/(d − 1) have the first.
            Encoding::Subset { size: members, include } => {
                let members = u64::from(members);
                let masses = [product(&[include, size - members]), product(&[TOTAL - include, members])];
                (masses, product(&[TOTAL, size - 1]))
            }
        }
    }

    /// What the weights of all reports sum to, for every category.
    pub fn scale(&self) -> Natural {
        let (total, size) = (Natural::from(TOTAL), self.size());
        match self.encoding {
            Encoding::Unary { .. } => (0..size).fold(Natural::ONE, |product, _| product.times(&total)),
            Encoding::Hash { buckets, .. } => {
                let functions = self.family().expect("a hash has one").functions();
                total.times(&u64::from(buckets - 1).into()).times(&functions.into())
            }
            Encoding::Hadamard { .. } => total.times(&(self.columns() / 2).into()),
            // C(d−1, k−1) sets hold x, and (d−k)/k times as many do not.
            Encoding::Subset { size: members, .. } => {
                let sets = num_integer::binomial(BigInt::from(size - 1), BigInt::from(members - 1));
                let sets = Natural::from(sets.to_biguint().expect("a number of sets"));
                total.times(&sets).times(&u64::from(size - members).into())
            }
        }
    }
}

/// Whether row x + 1 of the Hadamard matrix has a +1 in a column.
fn is_plus(x: u32, column: u32) -> bool {
    ((x + 1) & column).count_ones().is_multiple_of(2)
}

#[cfg(test)]
#[path = "oracle_tests.rs"]
mod tests;
