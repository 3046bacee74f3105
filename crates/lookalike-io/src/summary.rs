//! What files and `--json` say about a design and its proof.

use crate::MechanismFile;
use lookalike::certify::{Achieved, Certificate, Certified};
use lookalike::design::Design;
use lookalike::exact::{Direction, to_f64};
use lookalike::model::Mechanism;
use serde_json::{Map, Value, json};

impl MechanismFile {
    /// The file of a design that has been certified.
    pub fn new(design: Design, certified: &Certified<Mechanism>) -> MechanismFile {
        MechanismFile {
            name: Some(design.name.to_string()),
            objective: Some(objective_json(&design)),
            certificate: Some(certificate_json(&design.mechanism, certified.certificate())),
            mechanism: design.mechanism,
        }
    }
}

/// `name`, `value`, `lower_bound`, `gap`, and what chose among equally good mechanisms: `tie_break`, perhaps null.
pub fn objective_json(design: &Design) -> Value {
    let objective = &design.objective;
    json!({
        "name": objective.name,
        "value": objective.value,
        "lower_bound": objective.lower_bound,
        "gap": objective.gap(),
        "tie_break": design.solution.tie_break,
    })
}

/// `algorithm`, `rounds`, `components`, `binding` (the `profiles` by name and the `output`, perhaps null, that set the
/// optimum), `repair_cost` and, where there is one, `family_bound`.
pub fn solution_json(design: &Design) -> Map<String, Value> {
    let (solution, mechanism) = (&design.solution, &design.mechanism);
    let name = |&secret: &u32| mechanism.graph().names().name(secret);
    let output = solution.binding_output.map(|output| mechanism.outputs().names().name(output));
    let mut object = Map::new();
    object.insert("algorithm".into(), solution.algorithm.name().into());
    object.insert("rounds".into(), solution.rounds.into());
    object.insert("components".into(), solution.components.into());
    let profiles: Vec<&str> = solution.binding.iter().map(name).collect();
    object.insert("binding".into(), json!({ "profiles": profiles, "output": output }));
    object.insert("repair_cost".into(), solution.repair_cost.into());
    if let Some(bound) = solution.family_bound {
        object.insert("family_bound".into(), bound.into());
    }
    object
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
