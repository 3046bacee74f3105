//! An oracle through which people report, with its proof.

use super::candidates::{CandidateFacts, candidate_facts};
use crate::design::prove_design;
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::{Design, Problem, randomized_response};
use lookalike::exact::Epsilon;
use lookalike::local::{Auto, Protocol, auto, oracle};
use lookalike::model::{Categories, Mechanism, Oracle, SecretGraph};
use lookalike_formats::{Error, MechanismFile, MechanismKind, Result};
use serde::Serialize;
use serde_json::Value;

/// The oracle that is asked for.
pub struct OracleDesign {
    /// What people report.
    pub categories: Categories,
    /// The budget of a report.
    pub epsilon: Epsilon,
    /// The oracle; none for the one with the least variance.
    pub protocol: Option<Protocol>,
    /// Where the least variance decides: only oracles whose reports take at most so many bits.
    pub most_bits: Option<u64>,
    /// Whether all oracles are compared where one was asked for, which takes longer.
    pub compare: bool,
}

/// What came of it.
pub enum OracleDesigned {
    /// Every report is too long.
    Impossible {
        /// Why.
        reason: String,
    },
    /// The oracle with its proof.
    Found(Box<OracleFound>),
}

/// An oracle with its proof.
pub struct OracleFound {
    /// Which one.
    pub protocol: Protocol,
    /// The budget of a report.
    pub epsilon: Epsilon,
    /// How many categories there are.
    pub categories: usize,
    /// What it was compared with.
    pub auto: Option<Auto>,
    /// The mechanism.
    pub mechanism: OracleMechanism,
}

/// An oracle as a mechanism.
pub enum OracleMechanism {
    /// A channel, whose reports are categories.
    Channel(Box<Design>, Box<Certified<Mechanism>>),
    /// An encoding, whose reports support categories.
    Oracle(Box<Certified<Oracle>>),
}

/// What is said of an oracle, or of why there is none.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum OracleDesignFacts {
    /// Why there is none.
    Impossible {
        /// False.
        possible: bool,
        /// Why.
        reason: String,
    },
    /// The oracle.
    Found(Box<OracleFacts>),
}

/// What is said of an oracle.
#[derive(Debug, Clone, Serialize)]
pub struct OracleFacts {
    /// True.
    pub possible: bool,
    /// Its name.
    pub oracle: &'static str,
    /// The kind of its file.
    pub kind: &'static str,
    /// How many categories there are.
    pub categories: usize,
    /// ε of a report.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// All that were compared.
    pub candidates: Option<Vec<CandidateFacts>>,
    /// The proof.
    pub certificate: Option<Value>,
}

/// Up to so many categories k-ary randomized response is a channel between them, so that reports are categories. Beyond,
/// reading shares back through a channel takes long, and reports are numbers of categories.
const MOST_CHANNEL: usize = 512;

impl OracleDesign {
    /// The oracle with its proof, or why there is none.
    ///
    /// # Errors
    /// A limit of bits for an oracle that was asked for; what the library refuses.
    pub fn run(self) -> Result<OracleDesigned> {
        if let (Some(protocol), Some(_)) = (self.protocol, self.most_bits) {
            let sentence = Sentence::new().option("most-bits").text(" is for ").option("oracle").word("auto");
            return Err(Error::input(sentence.text(format!(", and {protocol} was asked for"))));
        }
        let compared =
            if self.compare || self.protocol.is_none() { Some(auto(&self.categories, &self.epsilon)?) } else { None };
        let protocol = match (self.protocol, &compared) {
            (Some(protocol), _) => protocol,
            (None, Some(auto)) => match auto.within(self.most_bits.unwrap_or(u64::MAX)) {
                Some(protocol) => protocol,
                None => return Ok(OracleDesigned::Impossible { reason: self.too_long(auto) }),
            },
            (None, None) => unreachable!("without a protocol all are compared"),
        };
        let (size, epsilon) = (self.categories.len(), self.epsilon.clone());
        let mechanism = self.mechanism(protocol)?;
        let found = OracleFound { protocol, epsilon, categories: size, auto: compared, mechanism };
        Ok(OracleDesigned::Found(Box::new(found)))
    }

    fn mechanism(self, protocol: Protocol) -> Result<OracleMechanism> {
        if protocol == Protocol::KRr && self.categories.len() <= MOST_CHANNEL {
            // Any two categories are to look alike.
            let mut builder = SecretGraph::builder(self.categories.names().clone());
            builder.complete(&self.epsilon);
            let design = randomized_response(&Problem::values(self.categories, builder.build()?)?)?;
            let certified = prove_design(design.mechanism.clone())?;
            return Ok(OracleMechanism::Channel(Box::new(design), Box::new(certified)));
        }
        let certified = prove_design(oracle(protocol, self.categories, self.epsilon)?)?;
        Ok(OracleMechanism::Oracle(Box::new(certified)))
    }

    fn too_long(&self, auto: &Auto) -> String {
        let shortest = auto.candidates.iter().min_by_key(|candidate| candidate.bits).expect("auto compares some");
        format!(
            "the shortest report, of {}, takes {} bits, and at most {} were asked for",
            shortest.protocol,
            shortest.bits,
            self.most_bits.unwrap_or(u64::MAX)
        )
    }
}

impl OracleDesigned {
    /// What is said of it.
    pub fn facts(&self) -> OracleDesignFacts {
        match self {
            OracleDesigned::Impossible { reason } => {
                OracleDesignFacts::Impossible { possible: false, reason: reason.clone() }
            }
            OracleDesigned::Found(found) => OracleDesignFacts::Found(Box::new(found.facts())),
        }
    }
}

impl OracleFound {
    /// The mechanism file of a channel.
    pub fn channel_file(design: &Design, certified: &Certified<Mechanism>) -> MechanismFile {
        MechanismFile::new(design.clone(), certified)
    }

    /// The mechanism file of an encoding.
    pub fn oracle_file(&self, certified: &Certified<Oracle>) -> MechanismFile<Oracle> {
        MechanismFile::of_certified(self.protocol.name(), certified)
    }

    fn facts(&self) -> OracleFacts {
        let (kind, certificate) = match &self.mechanism {
            OracleMechanism::Channel(design, certified) => {
                let file = Self::channel_file(design, certified);
                (file.mechanism.kind_name(), file.certificate)
            }
            OracleMechanism::Oracle(certified) => {
                let file = self.oracle_file(certified);
                (file.mechanism.kind_name(), file.certificate)
            }
        };
        OracleFacts {
            possible: true,
            oracle: self.protocol.name(),
            kind,
            categories: self.categories,
            epsilon: self.epsilon.to_f64(),
            epsilon_text: self.epsilon.to_string(),
            candidates: self.auto.as_ref().map(|auto| candidate_facts(auto, None)),
            certificate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_formats::CommandLine;

    fn design(size: u32, protocol: Option<Protocol>, most_bits: Option<u64>) -> Result<OracleDesigned> {
        let categories = Categories::new((0..size).map(|place| place.to_string())).unwrap();
        let epsilon = "1".parse().unwrap();
        OracleDesign { categories, epsilon, protocol, most_bits, compare: false }.run()
    }

    fn is_channel(size: u32) -> bool {
        match design(size, Some(Protocol::KRr), None).unwrap() {
            OracleDesigned::Found(found) => matches!(found.mechanism, OracleMechanism::Channel(..)),
            OracleDesigned::Impossible { .. } => panic!("randomized response is always possible"),
        }
    }

    #[test]
    fn randomized_response_is_a_channel_up_to_512_categories() {
        assert!(is_channel(512) && !is_channel(513));
    }

    #[test]
    fn reports_that_are_all_too_long_are_no_error() {
        assert!(matches!(design(100, None, Some(1)).unwrap(), OracleDesigned::Impossible { .. }));
        let OracleDesigned::Found(found) = design(100, None, Some(100)).unwrap() else { panic!("100 bits are enough") };
        assert!(found.auto.is_some());
        let error = design(100, Some(Protocol::Oue), Some(100)).err().unwrap().spelled(&CommandLine);
        assert_eq!(error, "--most-bits is for --oracle auto, and oue was asked for");
    }
}
