//! UM, the uniform mechanism.

use super::{Alpha, domain, rounding};
use crate::model::{Mechanism, TOTAL};
use crate::{Error, Result};

/// UM: every count from 0 to n is released equally often, whatever the truth. It has all seven properties, L_0 = 1, and
/// tells nothing.
///
/// Unless n + 1 is a power of two, 2^53 cannot be shared out evenly; what is left over, fewer than n + 1 units of 2^−53,
/// goes to the truth.
///
/// # Errors
/// A bad n, or an α within (n+1)²·2^−53 of 1, where even these units would tell too much.
///
/// # Example
/// ```
/// use lookalike::counts::{Properties, properties, uniform};
/// let mechanism = uniform(3, &"0.9".parse()?)?;
/// assert_eq!(mechanism.channels()[0].probability(0, 3).to_string(), "1/4");
/// assert_eq!(properties(&mechanism)?, Properties::ALL);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn uniform(n: usize, alpha: &Alpha) -> Result<Mechanism> {
    domain::check_size(n)?;
    let even = TOTAL / (n as u64 + 1);
    let truth = TOTAL - n as u64 * even;
    let weights = (0..(n + 1) * (n + 1)).map(|at| if at % (n + 2) == 0 { truth } else { even }).collect();
    let mechanism = domain::mechanism(n, alpha, weights)?;
    if !rounding::is_private(&mechanism, alpha) {
        return Err(Error::inapplicable(format!(
            "alpha = {alpha} is too near to 1 for weights of 2^-53 over {} counts; a smaller alpha has room",
            n + 1
        )));
    }
    Ok(mechanism)
}
