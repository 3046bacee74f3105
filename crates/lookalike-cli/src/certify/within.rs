//! `certify --profiles-within`: what if the profiles are not quite right.

use lookalike::certify::Achieved;
use lookalike::exact::{Direction, decimal};
use lookalike::model::Mechanism;
use lookalike_engine::Within;

/// For people.
pub fn text(within: &Within, mechanism: &Mechanism) -> String {
    let worst = within.facts(mechanism).worst;
    let ([more, less], claimed) = (&worst.edge, within.worst.claimed());
    let place = format!("{more:?} against {less:?} at output {:?}", worst.output);
    let confidence = within.confidence.as_ref().map_or_else(String::new, |text| format!(" ({text})"));
    let known = format!("If the true profiles lie within these limits{confidence}");
    match within.worst.achieved() {
        Achieved::Infinite => format!(
            "{known}, epsilon may be infinite: {place}, of {claimed} claimed.\nThe second may never have that output: the \
             lower limits of all that leads to it are 0. More records narrow the limits;\na mechanism that needs no \
             profiles, --mechanism k-rr, is not touched by them.\n",
        ),
        Achieved::Within(interval) => {
            let bound = decimal(&interval.upper().to_rational(), 5, Direction::Up);
            format!("{known}, epsilon is at most {bound}: {place}, of {claimed} claimed.\n")
        }
    }
}
