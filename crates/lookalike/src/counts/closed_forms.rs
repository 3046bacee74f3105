//! The four mechanisms with a closed form.

use super::{Alpha, explicit_fair, geometric, uniform, weakly_honest};
use crate::error::Result;
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
