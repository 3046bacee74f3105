//! A mechanism over counts, with its proof.

use super::count_figures::{CountFigures, CountFiguresFacts};
use super::count_properties::CountProperties;
use super::count_question::{CountMechanism, CountObjectiveFacts, CountQuestion, CountSolution};
use crate::design::prove_design;
use crate::facts::{Facts, nearest};
use lookalike::certify::Certified;
use lookalike::counts::Method;
use lookalike::design::Watch;
use lookalike::exact::{Direction, Rational, decimal};
use lookalike::model::Mechanism;
use lookalike::{Sentence, Spelling};
use lookalike_formats::{MechanismFile, Result, certificate_json};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// The mechanism that is asked for.
pub struct CountDesign {
    /// What is asked of it.
    pub question: CountQuestion,
    /// Which one.
    pub kind: CountMechanism,
    /// The largest score that is acceptable for the loss.
    pub at_most: Option<Rational>,
}

/// What came of it.
pub enum CountDesigned {
    /// No mechanism is as asked for.
    Impossible(CountImpossible),
    /// The mechanism with its proof.
    Found(Box<CountFound>),
}

/// Why no mechanism is as asked for.
pub struct CountImpossible {
    /// Why, with a way out.
    pub reason: Sentence,
    /// The score of the mechanism that was found.
    pub score: Rational,
}

/// A mechanism with its proof.
pub struct CountFound {
    /// What was asked of it.
    pub question: CountQuestion,
    /// The mechanism, and how it was found.
    pub solution: CountSolution,
    /// The same with its proof.
    pub certified: Certified<Mechanism>,
    /// Its properties and errors.
    pub figures: CountFigures,
}

/// What is said of a refusal.
#[derive(Debug, Clone, Serialize)]
pub struct CountImpossibleFacts {
    /// False.
    pub possible: bool,
    /// Why, with a way out.
    pub reason: String,
    /// The score of the mechanism that was found.
    pub score: f64,
}

/// What is said of a mechanism.
#[derive(Debug, Clone, Serialize)]
pub struct CountDesignFacts {
    /// True.
    pub possible: bool,
    /// Its name in files.
    pub mechanism: &'static str,
    /// How many people a group has.
    pub n: usize,
    /// α.
    pub alpha: f64,
    /// The same, exactly.
    pub alpha_text: String,
    /// −ln α.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// How the optimum was found.
    pub method: Option<&'static str>,
    /// The score.
    pub objective: CountObjectiveFacts,
    /// The proof.
    pub certificate: Value,
    /// The file that was written.
    pub file: Option<String>,
    /// Its properties and errors.
    #[serde(flatten)]
    pub figures: CountFiguresFacts,
}

impl CountDesign {
    /// The mechanism with its proof, or why there is none.
    ///
    /// # Errors
    /// Those of [`CountQuestion::solution`].
    pub fn run(self, watch: &Watch<'_>) -> Result<CountDesigned> {
        let solution = self.question.solution(self.kind, watch)?;
        if let Some(reason) = self.refusal(&solution)? {
            return Ok(CountDesigned::Impossible(CountImpossible { reason, score: solution.score }));
        }
        CountFound::of(self.question, solution).map(|found| CountDesigned::Found(Box::new(found)))
    }

    /// Why the mechanism is not what was asked for, with a way out.
    fn refusal(&self, found: &CountSolution) -> Result<Option<Sentence>> {
        let CountQuestion { n, alpha, properties: asked, loss, .. } = &self.question;
        let title = self.kind.title();
        let optimal = || Sentence::new().option("mechanism").word("optimal");
        let properties = CountProperties::of(&found.mechanism, *asked)?;
        let missing = properties.missing();
        if let Some(finding) = properties.findings.iter().find(|finding| missing.contains(finding.property)) {
            let (code, name) = (finding.property.code(), finding.property.name());
            let verdict = properties.verdict(finding);
            let reason = format!("{title} for n = {n} and alpha {alpha} lacks {missing}: {code} {name} {verdict}; ");
            return Ok(Some(Sentence::from(reason).then(optimal()).text(format!(" finds the best with {asked}"))));
        }
        let Some(limit) = self.at_most.as_ref().filter(|&limit| found.score > *limit) else {
            return Ok(None);
        };
        let (score, limit) = (shown_above(&found.score), nearest(limit));
        let with = if asked.is_empty() { String::new() } else { format!(" with {asked}") };
        Ok(Some(match self.kind {
            CountMechanism::Optimal => Sentence::from(format!(
                "the best mechanism{with} for n = {n} and alpha {alpha} has the score {score} for {loss}, and at most \
                 {limit} was asked for; demand less, raise "
            ))
            .option("at-most")
            .text(" or lower alpha, which protects less"),
            _ => Sentence::from(format!(
                "{title} for n = {n} and alpha {alpha} has the score {score} for {loss}, and at most {limit} was asked \
                 for; "
            ))
            .then(optimal())
            .text(" finds the best"),
        }))
    }
}

impl CountFound {
    /// A solution with its proof.
    ///
    /// # Errors
    /// None for a solution of the question.
    pub(super) fn of(question: CountQuestion, solution: CountSolution) -> Result<Self> {
        let figures = CountFigures::of(&solution.mechanism, &question.prior)?;
        let certified = prove_design(solution.mechanism.clone())?;
        Ok(CountFound { question, solution, certified, figures })
    }

    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        MechanismFile {
            objective: Some(self.solution.objective(self.question.loss).json()),
            ..MechanismFile::of_certified(self.solution.kind.name(), &self.certified)
        }
    }

    /// What is said of it, and of the file that was written.
    pub fn facts(&self, file: Option<&Path>) -> CountDesignFacts {
        let alpha = &self.question.alpha;
        CountDesignFacts {
            possible: true,
            mechanism: self.solution.kind.name(),
            n: self.question.n,
            alpha: alpha.to_f64(),
            alpha_text: alpha.to_string(),
            epsilon: alpha.epsilon().to_f64(),
            epsilon_text: alpha.epsilon().to_string(),
            method: self.solution.method.map(Method::name),
            objective: self.solution.objective(self.question.loss),
            certificate: certificate_json(self.certified.mechanism(), self.certified.certificate()),
            file: file.map(|path| path.display().to_string()),
            figures: self.figures.facts(),
        }
    }
}

impl CountImpossible {
    /// What is said of it, as this shell spells it.
    pub fn facts(&self, spelling: &dyn Spelling) -> CountImpossibleFacts {
        let reason = self.reason.spelled(spelling).to_string();
        CountImpossibleFacts { possible: false, reason, score: nearest(&self.score) }
    }
}

/// With as many decimals as set it apart from a limit that people write, and not below the number.
fn shown_above(value: &Rational) -> String {
    decimal(value, 7, Direction::Up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;
    use lookalike::model::Prior;
    use lookalike_formats::CommandLine;

    fn designed(kind: CountMechanism, properties: &str, at_most: Option<&str>) -> CountDesigned {
        let question = CountQuestion {
            n: 4,
            alpha: "0.9".parse().unwrap(),
            properties: properties.parse().unwrap(),
            loss: "l0".parse().unwrap(),
            prior: Prior::uniform(5).unwrap(),
        };
        let at_most = at_most.map(|text| parse_rational(text).unwrap());
        CountDesign { question, kind, at_most }.run(&Watch::default()).unwrap()
    }

    fn reason(designed: &CountDesigned) -> Option<String> {
        match designed {
            CountDesigned::Impossible(why) => Some(why.facts(&CommandLine).reason),
            CountDesigned::Found(_) => None,
        }
    }

    #[test]
    fn what_lacks_a_property_is_refused_with_the_way_out() {
        let why = reason(&designed(CountMechanism::Geometric, "WH", None)).unwrap();
        assert!(why.starts_with("GM for n = 4 and alpha 9/10 lacks WH: WH weak honesty fails: P[1|1]"), "{why}");
        assert!(why.ends_with("; --mechanism optimal finds the best with WH"), "{why}");
        assert_eq!(reason(&designed(CountMechanism::WeaklyHonest, "WH", None)), None);
    }

    #[test]
    fn a_score_that_is_reached_is_no_refusal() {
        let CountDesigned::Found(found) = designed(CountMechanism::Uniform, "none", None) else { panic!() };
        let score = found.solution.score.to_string();
        assert_eq!(reason(&designed(CountMechanism::Uniform, "none", Some(&score))), None);
        let below = reason(&designed(CountMechanism::Uniform, "none", Some("0.9999999"))).unwrap();
        assert!(below.contains("at most 0.9999999 was asked for"), "{below}");
    }
}
