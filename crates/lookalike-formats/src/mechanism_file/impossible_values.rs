//! Values that their profiles never have, in words and for machines.

use lookalike::design::{ImpossibleInputs, MechanismName, Problem};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::Mechanism;
use serde_json::{Value, json};

/// The way out, where there is one.
const WAY_OUT: &str = "smooth-categorical with channel aware releases such values by the profile's output law";

/// What would happen to values that their profiles never have, in one line; `None` where they are released by the
/// profile's output law, or where every value is hidden whatever the profile is.
///
/// Fitted profiles have a zero wherever a value was not seen, so such values do occur.
pub fn impossible_values(mechanism: &Mechanism) -> Option<String> {
    let ImpossibleInputs { count, secret, input, kept } = ImpossibleInputs::of(mechanism)?;
    let (profile, value) = (mechanism.graph().names().name(secret), mechanism.inputs().names().name(input));
    let kept = to_f64(&kept, Direction::Nearest);
    Some(match count {
        1 => format!(
            "profile {profile:?} never has {value:?}: should it occur all the same, it is kept with probability \
             {kept:.5} ({WAY_OUT})"
        ),
        _ => format!(
            "{count} values that their profiles never have are not hidden should they occur, such as {value:?} of \
             {profile:?}, which is kept with probability {kept:.5} ({WAY_OUT})"
        ),
    })
}

/// The same for machines: `count`, and `profile`, `value` and `kept` of the one that is kept most often; or null.
pub fn impossible_values_json(mechanism: &Mechanism) -> Value {
    ImpossibleInputs::of(mechanism).map_or(Value::Null, |found| {
        json!({
            "count": found.count,
            "profile": mechanism.graph().names().name(found.secret),
            "value": mechanism.inputs().names().name(found.input),
            "kept": to_f64(&found.kept, Direction::Nearest),
        })
    })
}

/// The values that their profiles never have and that a design by this mechanism would not release by the profile's
/// output law: how many, and the profile and the value of the first.
pub fn expected(problem: &Problem, mechanism: MechanismName) -> Option<(u64, &str, &str)> {
    if !mechanism.keeps_impossible_inputs(problem) {
        return None;
    }
    let (count, secret, input) = problem.impossible_inputs()?;
    Some((count, problem.graph().names().name(secret), problem.categories().names().name(input)))
}

/// [`expected`] in one line.
pub fn expected_line(problem: &Problem, mechanism: MechanismName) -> Option<String> {
    let (count, profile, value) = expected(problem, mechanism)?;
    let (kind, which) = (problem.kind(), format!("profile {profile:?} never has {value:?}"));
    let all = if count == 1 { String::new() } else { format!(" (one of {count} such values)") };
    Some(format!(
        "{which}{all}: should it occur all the same, {mechanism} ({kind}) may release it nearly as it is ({WAY_OUT})"
    ))
}
