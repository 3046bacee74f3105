//! Values that their profiles never have, in words and for machines.

use lookalike::design::{ImpossibleInputs, MechanismName, Problem};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::Mechanism;
use serde::Serialize;

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

/// Values that their profiles never have, and that a mechanism would not hide should they occur.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpossibleValuesFacts {
    /// How many there are.
    pub count: u64,
    /// The profile of one of them: of a mechanism the one that is kept most often, of a problem the first.
    pub profile: String,
    /// Its value.
    pub value: String,
    /// How likely it is kept, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<f64>,
}

impl ImpossibleValuesFacts {
    /// Those of a mechanism.
    pub fn of(mechanism: &Mechanism) -> Option<Self> {
        let found = ImpossibleInputs::of(mechanism)?;
        Some(ImpossibleValuesFacts {
            count: found.count,
            profile: mechanism.graph().names().name(found.secret).to_owned(),
            value: mechanism.inputs().names().name(found.input).to_owned(),
            kept: Some(to_f64(&found.kept, Direction::Nearest)),
        })
    }

    /// Those to be expected of a design by this mechanism.
    pub fn expected(problem: &Problem, mechanism: MechanismName) -> Option<Self> {
        let (count, profile, value) = expected(problem, mechanism)?;
        Some(ImpossibleValuesFacts { count, profile: profile.to_owned(), value: value.to_owned(), kept: None })
    }
}

/// The values that their profiles never have and that a design by this mechanism would not release by the profile's
/// output law: how many, and the profile and the value of the first.
fn expected(problem: &Problem, mechanism: MechanismName) -> Option<(u64, &str, &str)> {
    if !mechanism.keeps_impossible_inputs(problem) {
        return None;
    }
    let (count, secret, input) = problem.impossible_inputs()?;
    Some((count, problem.graph().names().name(secret), problem.categories().names().name(input)))
}

/// `expected` in one line.
pub fn expected_line(problem: &Problem, mechanism: MechanismName) -> Option<String> {
    let (count, profile, value) = expected(problem, mechanism)?;
    let (kind, which) = (problem.kind(), format!("profile {profile:?} never has {value:?}"));
    let all = if count == 1 { String::new() } else { format!(" (one of {count} such values)") };
    Some(format!(
        "{which}{all}: should it occur all the same, {mechanism} ({kind}) may release it nearly as it is ({WAY_OUT})"
    ))
}
