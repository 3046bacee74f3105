//! Beyond the sum: what repeated independent releases tell, as ε at a chosen δ and as a trade-off curve.
//!
//! k releases of a mechanism that is within ε are within k·ε. That is the most that *any* sequence of outputs can tell,
//! and nearly all sequences tell much less. With output laws P and Q of two secrets, the loss of an output y is
//! ln(P(y)/Q(y)), that of a sequence of independent outputs the sum of theirs, and the least δ with
//! `P(S) ≤ e^ε Q(S) + δ` for every set S follows from its law:
//!
//! δ(ε) = Σ_y (P(y) − e^ε Q(y))⁺ = E_P[(1 − e^(ε − loss))⁺].
//!
//! | what | where |
//! |---|---|
//! | the law of the ratio, exactly: one release, or few | [`PrivacyLoss`] |
//! | one pair that dominates several | [`PrivacyLoss::dominating`] |
//! | the loss on a grid, for many: never below the truth | [`LossGrid`], [`GridCurve`] |
//! | k releases of a mechanism: the worst pair, ε at δ, δ at ε | [`compose`], [`Composition`] |
//! | the errors of anybody who tells secrets apart | [`TradeOff`] |
//!
//! # What is promised
//! **Laws** (profiles, and facts of a framework): one subject, whose secret is s or s', and k *independent* observations drawn
//! from the law of that secret, each released once. The laws of all that is released are the k-fold products of the
//! two output laws, so the loss of one pair, k times, is the whole truth; the worst pair is named
//! ([`Statement::OnePair`]). Observations that depend on each other are not covered, nor is the same observation again.
//!
//! **Points** (values, counts, numbers): the secrets are the k values themselves. They may differ from release to
//! release, and so may their neighbours, so each release may be told by another pair. A pair that dominates all of
//! them, k times, dominates any such sequence ([`Statement::AnyPairs`]; [`PrivacyLoss::dominating`] has the proof). The
//! same value each time, and the same observation again, are cases of it.
//!
//! No float decides anything here: probabilities are whole numbers, and where they are rounded it is towards more loss.

mod candidate;
mod composition;
mod convolution;
mod dominating;
mod fixed;
mod grid_curve;
mod known_pairs;
mod loss_grid;
mod pairs;
mod privacy_loss;
mod ratios;
#[cfg(test)]
mod tests_support;
mod trade_off;
mod transform;
mod types;

pub use composition::{
    Composition, DeltaAtEpsilon, EpsilonAtDelta, MOST_RELEASES, Method, Statement, check_delta, compose,
    compose_epsilon, compose_noise, compose_oracle,
};
pub use grid_curve::GridCurve;
pub use loss_grid::LossGrid;
pub use privacy_loss::{MOST_OUTCOMES, PrivacyLoss};
pub use trade_off::TradeOff;
