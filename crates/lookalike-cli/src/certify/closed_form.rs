//! The proof of oracles and of noise.

use super::certified_text;
use lookalike::certify::{ClosedForm, OracleCertificate, OracleProof, PlanarForm};
use lookalike::exact::{Direction, Interval, decimal};
use lookalike::model::Secrets;
use lookalike_engine::{AnyProof, Proven};
use lookalike_formats::Proof;

/// The proof for people, or what is against the claim.
pub fn text(proof: &AnyProof) -> String {
    match proof {
        AnyProof::Channels(proven) => {
            verdict(proven, FALSE, |certificate| certified_text(&proven.mechanism, certificate))
        }
        AnyProof::Oracle(proven) => verdict(proven, FALSE, of_oracle),
        // A bound from a chain is an upper one: where it is too large, another proof might do.
        AnyProof::Noise(proven) if proven.mechanism.moments().is_some() => verdict(proven, "NOT PROVED", of_noise),
        AnyProof::Noise(proven) => verdict(proven, FALSE, of_noise),
        AnyProof::Unstated(proven) => verdict(proven, FALSE, of_unstated),
        AnyProof::Planar(proven) => verdict(proven, FALSE, of_planar),
    }
}

/// What is said of a claim that is false.
const FALSE: &str = "NOT PRIVATE";

fn verdict<M: Proof>(proven: &Proven<M>, refusal: &str, text: impl FnOnce(&M::Certificate) -> String) -> String {
    match &proven.verdict {
        Ok(certified) => text(certified.certificate()),
        Err(violation) => format!("{refusal}: {violation}\n"),
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
fn of_unstated(certificate: &ClosedForm) -> String {
    format!(
        "Certified, secrets unstated: {} within epsilon {}.\nA file of version 1 does not say what these numbers tell \
         of: of a person, or of a moment whose neighbours\ntell of it too, about which the loss is more. Nothing is \
         released by it; lookalike upgrade writes a file that says it.\n",
        certificate.secrets(),
        certificate.claimed(),
    )
}

/// The proof of noise on places, for people.
fn of_planar(certificate: &PlanarForm) -> String {
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
