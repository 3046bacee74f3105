//! What is asked: which pairs are attacked, and what is claimed for them.

use super::subject::Subject;
use lookalike::Sentence;
use lookalike::audit::{Family, Pair, Test, pairs};
use lookalike::certify::{Certified, delta_at};
use lookalike::exact::{Direction, Epsilon, Rational, decimal, to_f64};
use lookalike::model::{Mechanism, Names, SecretGraph};
use lookalike_formats::{Error, Result, one_of};

/// The most secrets that are drawn from: with more there would be too few draws for each.
const MOST_SECRETS: usize = 1_000;

/// The pairs to attack and what is claimed of them.
pub struct Question {
    graph: SecretGraph,
    pairs: Vec<Pair>,
    claim: Claim,
    delta_at: Option<Epsilon>,
}

/// What somebody says of every pair.
enum Claim {
    Nothing,
    /// The ε of each pair in the graph.
    Epsilon,
    Delta {
        upper: f64,
        text: String,
    },
}

impl Question {
    /// The pairs of a mechanism, the tightest one among them however many there are, and what its file claims; only the
    /// wanted ones, `ana,bo` each, if there are any.
    ///
    /// # Errors
    /// A wanted pair that the mechanism has not, or a δ that cannot be computed.
    pub fn of_mechanism(
        certified: &Certified<Mechanism>,
        delta_at: Option<&Epsilon>,
        wanted: &[String],
    ) -> Result<Self> {
        let mechanism = certified.mechanism();
        let (graph, only) = (mechanism.graph().clone(), only(mechanism.graph(), wanted)?);
        let claim = match (delta_at, &only) {
            (None, _) => Claim::Epsilon,
            (Some(epsilon), None) => Claim::delta_of(mechanism, epsilon)?,
            // Other pairs may have a larger delta, which says nothing of these.
            (Some(epsilon), Some(only)) => Claim::delta_of(&mechanism.clone().with_graph(only.clone())?, epsilon)?,
        };
        let worst = certified.certificate().worst().secrets();
        Ok(Question::new(graph, only, Some(worst), claim, delta_at))
    }

    /// The pairs of a mechanism of any kind, with what it claims.
    ///
    /// # Errors
    /// Those of [`Question::of_mechanism`] and of [`Question::of_secrets`].
    pub fn of_subject(subject: &Subject, delta_at: Option<&Epsilon>, wanted: &[String]) -> Result<Self> {
        match subject.certified() {
            Some(certified) => Question::of_mechanism(certified, delta_at, wanted),
            None => {
                let epsilon = delta_at.is_none().then(|| subject.epsilon());
                Question::of_secrets(&subject.secrets(), epsilon, delta_at, None, wanted)
            }
        }
    }

    /// Every two of these secrets, with what somebody claims of them.
    ///
    /// # Errors
    /// Fewer than two secrets, a name that occurs twice, or a wanted pair of others.
    pub fn of_secrets(
        names: &[String],
        epsilon: Option<&Epsilon>,
        delta_at: Option<&Epsilon>,
        delta: Option<&Rational>,
        wanted: &[String],
    ) -> Result<Self> {
        let listed = || Sentence::new().option("secrets");
        let names = Names::new("secret", names).map_err(|error| Error::from(error).at_option(listed()))?;
        if names.len() < 2 {
            return Err(Error::input("one secret, expected at least two, like no,yes").at_option(listed()));
        }
        let claim = match (epsilon, delta) {
            (Some(_), _) => Claim::Epsilon,
            (None, Some(delta)) => Claim::Delta { upper: to_f64(delta, Direction::Up), text: delta.to_string() },
            (None, None) => Claim::Nothing,
        };
        let mut builder = SecretGraph::builder(names);
        // Without a claim the graph only says which pairs there are.
        builder.complete(&epsilon.cloned().map_or_else(|| "1".parse(), Ok)?);
        let graph = builder.build()?;
        let only = only(&graph, wanted)?;
        Ok(Question::new(graph, only, None, claim, delta_at))
    }

    fn new(
        graph: SecretGraph,
        only: Option<SecretGraph>,
        first: Option<[u32; 2]>,
        claim: Claim,
        delta_at: Option<&Epsilon>,
    ) -> Self {
        let mut pairs = match only {
            None => pairs(&graph, MOST_SECRETS, first),
            Some(only) => pairs(&only, usize::MAX, None),
        };
        pairs.iter_mut().for_each(|pair| pair.claimed = claim.of(pair));
        Question { graph, pairs, claim, delta_at: delta_at.cloned() }
    }

    /// The secrets.
    pub fn names(&self) -> &Names {
        self.graph.names()
    }

    /// The pairs that are attacked.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How many pairs must look alike.
    pub fn all_pairs(&self) -> u64 {
        self.graph.pairs()
    }

    /// The ε at which δ is bounded.
    pub fn delta_at(&self) -> Option<&Epsilon> {
        self.delta_at.as_ref()
    }

    /// What is claimed for a pair: exactly, or for the delta of a mechanism nine digits, rounded up.
    pub fn claimed_text(&self, [a, b]: [u32; 2]) -> Option<String> {
        match &self.claim {
            Claim::Nothing => None,
            Claim::Epsilon => self.graph.epsilon_between(a, b).map(Epsilon::to_string),
            Claim::Delta { text, .. } => Some(text.clone()),
        }
    }

    /// What is claimed where a test looks, as people write it: nothing of what one call tells of another.
    pub fn claim_of(&self, test: &Test) -> Option<String> {
        let claimed = self.claimed_text(test.secrets);
        if test.family == Family::Carried { claimed.map(|_| "0".to_owned()) } else { claimed }
    }

    /// What is claimed for all pairs, where it is the same.
    pub fn common_claim(&self) -> Option<String> {
        let texts = self.pairs.iter().map(|pair| self.claimed_text(pair.secrets));
        texts.reduce(|one, other| if one == other { one } else { None }).flatten()
    }
}

/// The graph of the wanted pairs, `ana,bo` each, if there are any.
fn only(graph: &SecretGraph, wanted: &[String]) -> Result<Option<SecretGraph>> {
    let mut builder = SecretGraph::builder(graph.names().clone());
    for text in wanted {
        let [a, b] = secrets(graph.names(), text)?;
        let epsilon = graph.epsilon_between(a, b).ok_or_else(|| {
            Error::input("these need not look alike, so nothing is claimed for them").at_option(pair(text))
        })?;
        builder.edge(a, b, epsilon.clone()).map_err(|error| Error::from(error).at_option(pair(text)))?;
    }
    if wanted.is_empty() { Ok(None) } else { Ok(Some(builder.build()?)) }
}

/// The two names around a comma; names may have commas of their own.
fn secrets(names: &Names, text: &str) -> Result<[u32; 2]> {
    let around = |(at, _): (usize, &str)| Some([names.place(&text[..at])?, names.place(&text[at + 1..])?]);
    text.match_indices(',').find_map(around).ok_or_else(|| {
        Error::input(format!("expected two names with a comma, each {}", one_of(names.iter()))).at_option(pair(text))
    })
}

fn pair(text: &str) -> Sentence {
    Sentence::new().option("pair").word(text)
}

impl Claim {
    /// The δ of a mechanism at an ε: the fraction itself where it is short, else nine digits, rounded up.
    fn delta_of(mechanism: &Mechanism, epsilon: &Epsilon) -> Result<Claim> {
        const LONGEST: usize = 20;
        let delta = delta_at(mechanism, epsilon)?;
        let upper = delta.enclosure().upper().to_rational();
        let exact = delta.exact().map(|delta| delta.to_string()).filter(|text| text.len() <= LONGEST);
        let text = exact.unwrap_or_else(|| nine_digits(&upper));
        Ok(Claim::Delta { upper: to_f64(&upper, Direction::Up), text })
    }

    fn of(&self, pair: &Pair) -> Option<f64> {
        match self {
            Claim::Nothing => None,
            Claim::Epsilon => pair.claimed,
            Claim::Delta { upper, .. } => Some(*upper),
        }
    }
}

/// A number below 1 with nine digits after its first zeros, rounded up.
fn nine_digits(number: &Rational) -> String {
    let zeros = -to_f64(number, Direction::Up).log10().floor();
    decimal(number, 8 + zeros.max(1.0) as u32, Direction::Up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;

    #[test]
    fn a_small_delta_keeps_its_digits() {
        let shown = |text: &str| nine_digits(&parse_rational(text).unwrap());
        assert_eq!(shown("0.0704295428852"), "0.0704295429");
        assert_eq!(shown("0.12345678901"), "0.123456790");
        assert_eq!(shown("1.23456789012e-14"), "0.0000000000000123456790");
        assert_eq!(shown("0.99999999999"), "1.000000000");
    }
}
