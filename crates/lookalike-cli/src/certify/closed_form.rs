//! The proof of oracles and of noise.

use super::{facts_json, refusal_json};
use crate::Answer;
use crate::terminal::Terminal;
use lookalike::certify::{ClosedForm, OracleCertificate, OracleProof, PlanarForm};
use lookalike::exact::{Direction, Interval, decimal};
use lookalike::model::{Noise, Secrets};
use lookalike_formats::{AnyMechanism, Proof, Result};

/// Proves the claim, or shows why it is false.
pub fn answer(mechanism: AnyMechanism, terminal: &Terminal) -> Result<Answer> {
    match mechanism {
        AnyMechanism::Finite(file) => verdict(file.mechanism, terminal, FALSE, |_| String::new()),
        AnyMechanism::Oracle(file) => verdict(file.mechanism, terminal, FALSE, of_oracle),
        // A bound from a chain is an upper one: where it is too large, another proof might do.
        AnyMechanism::Noise(file) if file.mechanism.moments().is_some() => {
            verdict(file.mechanism, terminal, "NOT PROVED", of_noise)
        }
        AnyMechanism::Noise(file) => verdict(file.mechanism, terminal, FALSE, of_noise),
        AnyMechanism::Planar(file) => verdict(file.mechanism, terminal, FALSE, of_planar),
    }
}

/// What is said of a claim that is false.
const FALSE: &str = "NOT PRIVATE";

fn verdict<M: Proof>(
    mechanism: M,
    terminal: &Terminal,
    refusal: &str,
    text: fn(&M::Certificate) -> String,
) -> Result<Answer> {
    match mechanism.clone().prove() {
        Ok(certified) => {
            let object = facts_json(mechanism.facts(certified.certificate()), None);
            terminal.answer(object, || text(certified.certificate()))?;
            Ok(Answer::Yes)
        }
        Err(violation) => {
            terminal.answer(refusal_json(&mechanism, &violation), || format!("{refusal}: {violation}\n"))?;
            Ok(Answer::No)
        }
    }
}

/// The proof of an oracle for people: what it is, and how it was made.
pub fn of_oracle(certificate: &OracleCertificate) -> String {
    let how = match certificate.proof() {
        OracleProof::ExactLaw(reports) => format!("by the whole law, {reports} reports compared for every category"),
        OracleProof::ClosedForm => "by the closed form of the largest ratio".to_owned(),
    };
    format!(
        "Certified: any two categories within epsilon {}, {how}.\nTrue epsilon {} of {} claimed.\n",
        certificate.claimed(),
        certificate.achieved().map_or("infinite".to_owned(), |interval| at_most(&interval)),
        certificate.claimed(),
    )
}

fn of_noise(certificate: &ClosedForm) -> String {
    let steps =
        format!("{} grid {}", certificate.steps(), if *certificate.steps() == 1.into() { "step" } else { "steps" });
    match certificate.secrets() {
        secrets @ Secrets::Moments { .. } => format!(
            "Certified: {secrets} within epsilon {}, by the chain in the file.\nOne moment moves the number by at most {steps}. \
             With what its neighbours tell of it a moment loses\n{}.\n",
            certificate.claimed(),
            certificate.achieved().map_or("all".to_owned(), |epsilon| at_most(&epsilon.enclose(64))),
        ),
        secrets => format!(
            "Certified: {secrets} within epsilon {}, by the closed form of the law.\nNeighbours are at most {steps} \
             apart, and each step costs {}: true epsilon {}.\n",
            certificate.claimed(),
            certificate.decay(),
            certificate.achieved().map_or("infinite".to_owned(), |epsilon| epsilon.to_string()),
        ),
    }
}

/// The proof of noise of version 1, which does not say what its numbers are.
pub fn unstated(noise: Noise, terminal: &Terminal) -> Result<Answer> {
    match noise.clone().prove() {
        Ok(certified) => {
            let mut object = facts_json(noise.facts(certified.certificate()), None);
            object["secrets"] = Secrets::Unstated.word().into();
            terminal.answer(object, || {
                format!(
                    "Certified, secrets unstated: {} within epsilon {}.\nA file of version 1 does not say what these numbers tell \
                     of: of a person, or of a moment whose neighbours\ntell of it too, about which the loss is more. Nothing is \
                     released by it; lookalike upgrade writes a file that says it.\n",
                    certified.certificate().secrets(),
                    certified.certificate().claimed(),
                )
            })?;
            Ok(Answer::Yes)
        }
        Err(violation) => {
            terminal.answer(refusal_json(&noise, &violation), || format!("NOT PRIVATE: {violation}\n"))?;
            Ok(Answer::No)
        }
    }
}

/// The proof of noise on places, for people.
pub fn of_planar(certificate: &PlanarForm) -> String {
    format!(
        "Certified: places d metres apart within epsilon {} times (d + {}), by the closed form of the law.\nA metre on the \
         ground is at most {} metres in the plane, and rounding to the grid adds at most {} m.\n",
        certificate.claimed(),
        decimal(certificate.resolution(), 4, Direction::Up),
        decimal(certificate.stretch(), 9, Direction::Up),
        decimal(certificate.resolution(), 4, Direction::Up),
    )
}

/// The upper end, with twelve digits, rounded up.
pub fn at_most(interval: &Interval) -> String {
    format!("at most {}", decimal(&interval.upper().to_rational(), 12, Direction::Up))
}
