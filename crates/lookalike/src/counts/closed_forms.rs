//! The four mechanisms with a closed form.

use super::{Alpha, Method, explicit_fair, geometric, uniform, weakly_honest};
use crate::Result;
use crate::model::Mechanism;

/// A mechanism for the counts of n people at an α.
pub type ClosedForm = fn(usize, &Alpha) -> Result<Mechanism>;

/// GM, WM, EM and UM: the least L_0 first, whatever n and α are, up to the rounding of weights to 2^−53.
///
/// # Example
/// ```
/// use lookalike::counts::{CLOSED_FORMS, CountLoss, score};
/// use lookalike::model::Prior;
/// let (n, alpha) = (4, "0.9".parse()?);
/// let l0 = |(_, form): &(_, fn(_, &_) -> _)| score(&form(n, &alpha)?, &Prior::uniform(n + 1)?, CountLoss::L0);
/// let scores = CLOSED_FORMS.iter().map(l0).collect::<lookalike::Result<Vec<_>>>()?;
/// assert!(scores.is_sorted());
/// assert_eq!(CLOSED_FORMS.map(|(name, _)| name), ["GM", "WM", "EM", "UM"]);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub const CLOSED_FORMS: [(&str, ClosedForm); 4] =
    [("GM", geometric), ("WM", weakly_honest), ("EM", explicit_fair), ("UM", uniform)];

/// What chose a closed form among the equally good ones of its kind, by its name; nothing for GM, which is the only
/// optimum, and for UM, which is none.
///
/// EM and WM have the least L_0 among fair and among weakly honest mechanisms, and others have it too.
///
/// # Example
/// ```
/// use lookalike::counts::{CLOSED_FORMS, closed_form_tie_break};
/// let rules = CLOSED_FORMS.map(|(name, _)| closed_form_tie_break(name).is_some());
/// assert_eq!(rules, [false, true, true, false]);
/// ```
pub fn closed_form_tie_break(name: &str) -> Option<&'static str> {
    match name {
        "WM" => Some(Method::WeaklyHonest.tie_break()),
        "EM" => Some(Method::ExplicitFair.tie_break()),
        _ => None,
    }
}
