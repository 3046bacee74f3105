//! What files and `--json` say about a design and its proof.

use crate::MechanismFile;
use lookalike::certify::{Achieved, Certificate, Certified};
use lookalike::design::{Design, ObjectiveValue};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::Mechanism;
use serde_json::{Value, json};

impl MechanismFile {
    /// The file of a design that has been certified.
    pub fn new(design: Design, certified: &Certified<Mechanism>) -> MechanismFile {
        MechanismFile {
            name: Some(design.name.to_string()),
            objective: Some(objective_json(&design.objective)),
            certificate: Some(certificate_json(&design.mechanism, certified.certificate())),
            mechanism: design.mechanism,
        }
    }
}

/// `name`, `value`, `lower_bound`, `gap`.
pub fn objective_json(objective: &ObjectiveValue) -> Value {
    json!({
        "name": objective.name,
        "value": objective.value,
        "lower_bound": objective.lower_bound,
        "gap": objective.gap(),
    })
}

/// `epsilon` of the worst edge (`claimed`, its exact text, and the true value between `lower` and `upper`, which is
/// null when infinite), `worst` edge and output, and the number of `edges`.
///
/// The bounds are doubles rounded outward.
pub fn certificate_json(mechanism: &Mechanism, certificate: &Certificate) -> Value {
    let worst = certificate.worst();
    let (lower, upper) = match worst.achieved() {
        Achieved::Infinite => (Value::Null, Value::Null),
        Achieved::Within(interval) => (
            to_f64(&interval.lower().to_rational(), Direction::Down).max(0.0).into(),
            to_f64(&interval.upper().to_rational(), Direction::Up).into(),
        ),
    };
    let names = mechanism.graph().names();
    json!({
        "epsilon": {
            "claimed": worst.claimed().to_f64(),
            "claimed_text": worst.claimed().to_string(),
            "lower": lower,
            "upper": upper,
        },
        "worst": {
            "edge": worst.secrets().map(|secret| names.name(secret)),
            "output": mechanism.outputs().names().name(worst.output()),
        },
        "edges": certificate.pairs(),
    })
}
