//! What an attack found, and what is said of it.

use super::proof::Proofs;
use super::question::Question;
use super::read_audit::AuditSource;
use super::verdict::Verdict;
use crate::facts::{down, up};
use lookalike::Sentence;
use lookalike::audit::{Audit, Family, Test};
use lookalike::certify::{Achieved, Certificate};
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
use lookalike_formats::Result;
use serde::Serialize;

/// What an attack found.
pub struct AuditOutcome {
    /// What was asked.
    pub question: Question,
    /// Its tests, draws and confidence.
    pub audit: Audit,
    /// The proofs about the pairs of the tests, where a mechanism of ours was drawn from.
    pub proofs: Option<Proofs>,
    /// What follows.
    pub verdict: Verdict,
    /// Which of the tests speaks for the whole.
    pub worst: usize,
    /// Where profiles have limits, the pairs that were drawn from the laws within them at which they are least alike, the worst one
    /// first.
    pub least_alike: Vec<[u32; 2]>,
    /// Where the draws came from.
    pub source: AuditSource,
    /// The seed of a run that can be repeated.
    pub seed: Option<u64>,
}

/// What is said of an attack.
#[derive(Debug, Clone, Serialize)]
pub struct AuditFacts<'a> {
    /// Such as `no evidence against`.
    pub verdict: &'static str,
    /// `epsilon` or `delta`: what the bounds are on.
    pub measure: &'static str,
    /// The ε at which δ is bounded; null for bounds on ε.
    pub at_epsilon: Option<String>,
    /// The lower bound that speaks for the whole.
    pub bound: f64,
    /// What is claimed there; null for nothing.
    pub claimed: Option<f64>,
    /// The same, exactly.
    pub claimed_text: Option<String>,
    /// What is proved of that pair, where a mechanism of ours was drawn from; null otherwise.
    pub certified: Option<CertifiedFacts>,
    /// The probability with which all bounds hold together.
    pub confidence: f64,
    /// The pair of secrets.
    pub pair: [&'a str; 2],
    /// The event, in words.
    pub event: &'a str,
    /// All tests.
    pub tests: Vec<TestFacts<'a>>,
    /// How many draws were made.
    pub draws: DrawsFacts,
    /// How many pairs were attacked.
    pub pairs: PairsFacts,
    /// Where profiles have limits and a mechanism of ours was drawn from: the pairs whose values came from the laws within the limits at
    /// which they are least alike, the worst one first. Null where values came from the profiles, or from elsewhere.
    pub least_alike: Option<Vec<[&'a str; 2]>>,
    /// Where the draws came from: `mechanism`, `program` or `records`.
    pub source: &'static str,
    /// The seed of a run that can be repeated; null without one.
    pub seed: Option<u64>,
}

/// What is proved of a pair; both are null where no ε covers it.
#[derive(Debug, Clone, Serialize)]
pub struct CertifiedFacts {
    /// The true ε is at least this.
    pub lower: Option<f64>,
    /// And at most this.
    pub upper: Option<f64>,
}

/// An event that was tested.
#[derive(Debug, Clone, Serialize)]
pub struct TestFacts<'a> {
    /// The kind of event.
    pub family: &'static str,
    /// The pair of secrets.
    pub pair: [&'a str; 2],
    /// The event, in words.
    pub event: &'a str,
    /// How often each of the two showed it.
    pub hits: [u64; 2],
    /// Out of how many draws.
    pub draws: [u64; 2],
    /// The lower bound that follows; 0 where the draws say nothing.
    pub bound: f64,
    /// What is claimed; null for nothing.
    pub claimed: Option<f64>,
}

/// How many draws were made.
#[derive(Debug, Clone, Serialize)]
pub struct DrawsFacts {
    /// To choose the tests.
    pub choosing: u64,
    /// To make them.
    pub testing: u64,
}

/// How many pairs there are.
#[derive(Debug, Clone, Serialize)]
pub struct PairsFacts {
    /// That were attacked.
    pub attacked: u64,
    /// That must look alike.
    pub all: u64,
}

impl AuditOutcome {
    /// What draws of something else say.
    pub(super) fn new(question: Question, audit: Audit, source: AuditSource, seed: Option<u64>) -> Self {
        let (verdict, worst) = Verdict::of(&audit, None);
        AuditOutcome { question, audit, proofs: None, verdict, worst, least_alike: Vec::new(), source, seed }
    }

    /// What draws of a mechanism of ours say: bounds on ε are held against its proofs.
    ///
    /// # Errors
    /// A pair that need not look alike.
    pub fn of_mechanism(
        question: Question,
        audit: Audit,
        mechanism: &Mechanism,
        seed: Option<u64>,
    ) -> Result<AuditOutcome> {
        let proofs = match question.delta_at() {
            None => Some(Proofs::new(mechanism, &audit.tests)?),
            Some(_) => None,
        };
        let (verdict, worst) = Verdict::of(&audit, proofs.as_ref());
        let (least_alike, source) = (Vec::new(), AuditSource::Mechanism);
        Ok(AuditOutcome { question, audit, proofs, verdict, worst, least_alike, source, seed })
    }

    /// Whether a claim is refuted, or what was drawn from is not what was proved.
    pub fn is_evidence(&self) -> bool {
        self.verdict.is_evidence()
    }

    /// What everybody should know of it.
    pub fn warnings(&self) -> Vec<Sentence> {
        let seeded =
            |seed| format!("seeded with {seed}: reproducible; for evidence draw afresh, without a seed").into();
        self.seed.map(seeded).into_iter().collect()
    }

    /// The test that speaks for the whole.
    pub fn worst(&self) -> &Test {
        &self.audit.tests[self.worst]
    }

    /// The proof about the pair of the test that speaks for the whole; none is about what one call tells of another.
    pub fn certificate(&self) -> Option<&Certificate> {
        let proofs = self.proofs.as_ref().filter(|_| self.worst().family != Family::Carried);
        proofs.map(|proofs| proofs.of(self.worst()))
    }

    /// What is said of it.
    pub fn facts(&self) -> AuditFacts<'_> {
        let (worst, question) = (self.worst(), &self.question);
        let named = |secrets: [u32; 2]| secrets.map(|secret| question.names().name(secret));
        let pair = |test: &Test| named(test.secrets);
        let tests = self.audit.tests.iter().map(|test| TestFacts {
            family: test.family.name(),
            pair: pair(test),
            event: &test.event,
            hits: test.seen.map(|seen| seen.hits),
            draws: test.seen.map(|seen| seen.draws),
            bound: test.bound,
            claimed: test.claimed,
        });
        let certified = self.certificate().map(|certificate| match certificate.worst().achieved() {
            Achieved::Infinite => CertifiedFacts { lower: None, upper: None },
            Achieved::Within(interval) => CertifiedFacts {
                lower: Some(down(&interval.lower().to_rational()).max(0.0)),
                upper: Some(up(&interval.upper().to_rational())),
            },
        });
        AuditFacts {
            verdict: self.verdict.name(),
            measure: if question.delta_at().is_some() { "delta" } else { "epsilon" },
            at_epsilon: question.delta_at().map(Epsilon::to_string),
            bound: worst.bound,
            claimed: worst.claimed,
            claimed_text: question.claim_of(worst),
            certified,
            confidence: self.audit.confidence,
            pair: pair(worst),
            event: &worst.event,
            tests: tests.collect(),
            draws: DrawsFacts { choosing: self.audit.chosen_on, testing: self.audit.tested_on },
            pairs: PairsFacts { attacked: question.pairs().len() as u64, all: question.all_pairs() },
            least_alike: (!self.least_alike.is_empty())
                .then(|| self.least_alike.iter().map(|secrets| named(*secrets)).collect()),
            source: match self.source {
                AuditSource::Mechanism => "mechanism",
                AuditSource::Program => "program",
                AuditSource::Records => "records",
            },
            seed: self.seed,
        }
    }
}
