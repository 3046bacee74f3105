//! k-ary randomized response, Warner's for two categories: the local-DP baseline.

use super::problem::Parts;
use super::response::{Pair, Response};
use super::{Design, MechanismName, Problem};
use crate::Result;
use crate::exact::Natural;
use crate::model::Epsilon;

/// k-ary randomized response at the smallest ε of each component: keep with probability E/(E + d − 1), else any other
/// category evenly.
///
/// It looks at no profile: it makes every two *values* alike within ε, hence every two profiles (Theorem 9 of
/// Geumlek and Chaudhuri), and serves as the local-DP baseline. A component without an edge is released unchanged.
///
/// # Guarantee
/// ε-local differential privacy on each component that has an edge, at its smallest ε.
///
/// # Errors
/// None for a valid problem.
///
/// # Example
/// ```
/// use lookalike::{design, model::{Categories, SecretGraph}};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let design = design::randomized_response(&design::Problem::values(bits, builder.build()?)?)?;
/// assert_eq!(design.mechanism.channels()[0].probability(0, 0).to_string(), "3/4");
/// # Ok::<(), lookalike::Error>(())
/// ```
///
/// # Reference
/// Warner 1965; Kairouz, Oh and Viswanath 2014.
pub fn randomized_response(problem: &Problem) -> Result<Design> {
    let parts = problem.parts();
    let size = problem.categories().len();
    let smallest = smallest_epsilons(problem, &parts);
    let respond = |epsilon: &Option<&Epsilon>| {
        let mut response = Response::identity(size);
        if let Some(epsilon) = epsilon {
            // A value against another one: probability 1 against 0, at every output since redraw rows may differ.
            for output in 0..size {
                let (more, less, denominator) = (Natural::ONE, Natural::ZERO, Natural::ONE);
                response.protect(&Pair { more, less, denominator, output, epsilon });
            }
        }
        response.channel()
    };
    let channels = smallest.iter().map(respond).collect::<Result<Vec<_>>>()?;
    Design::new(MechanismName::RandomizedResponse, problem, problem.mechanism(parts, channels)?)
}

/// The smallest ε among the edges of each part; `None` where there is no edge.
fn smallest_epsilons<'a>(problem: &'a Problem, parts: &Parts) -> Vec<Option<&'a Epsilon>> {
    let mut smallest: Vec<Option<&Epsilon>> = vec![None; parts.count];
    for constraint in problem.graph().constraints() {
        let slot = &mut smallest[parts.of(&constraint)];
        if slot.is_none_or(|epsilon| constraint.epsilon < epsilon) {
            *slot = Some(constraint.epsilon);
        }
    }
    smallest
}
