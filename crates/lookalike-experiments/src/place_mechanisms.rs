//! The mechanisms for places on a grid that are held against each other, certified for all pairs.

use crate::proved::certified;
use lookalike::certify::Certified;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::geo::{Cells, expected_loss, optimal, planar, remap, truncated};
use lookalike::model::{Loss, Mechanism, Prior};
use lookalike_formats::Result;
use lookalike_report::plot::Style;

/// Which mechanism it is, by its place in what [`candidates`] returns; spanners follow.
pub(crate) const PLANAR: usize = 0;
pub(crate) const REMAPPED: usize = 1;
pub(crate) const TRUNCATED: usize = 2;
pub(crate) const OPTIMAL: usize = 3;

/// A certified mechanism, and what is known of it.
pub(crate) struct Candidate {
    pub proved: Certified<Mechanism>,
    /// Its expected loss under the prior it was made for.
    pub loss: Rational,
    /// What no mechanism costs less than, where that is proven.
    pub lower_bound: Option<f64>,
    /// The edges of its linear program.
    pub edges: Option<usize>,
    /// The decay of noise that is cut off.
    pub decay: Option<Epsilon>,
}

/// Planar noise brought to the grid, the same remapped, noise cut off at the edge, the optimum on all pairs, and the optima
/// on spanners of these dilations: all at ε, and certified for all pairs.
///
/// # Errors
/// Those of the designs.
pub(crate) fn candidates(
    cells: &Cells,
    epsilon: &Epsilon,
    (prior, loss): (&Prior, &Loss),
    dilations: &[&str],
) -> Result<Vec<Candidate>> {
    let candidate = |mechanism: Mechanism| -> Result<Candidate> {
        let loss = expected_loss(&mechanism, prior, loss)?;
        Ok(Candidate { proved: certified(mechanism)?, loss, lower_bound: None, edges: None, decay: None })
    };
    let noise = planar(cells, epsilon)?.mechanism;
    let remapped = remap(&noise, prior, loss)?.mechanism;
    let cut = truncated(cells, epsilon)?;
    let mut found = vec![candidate(noise)?, candidate(remapped)?];
    found.push(Candidate { decay: Some(cut.decay), ..candidate(cut.mechanism)? });
    for dilation in std::iter::once(&"1").chain(dilations) {
        let best = optimal(cells, epsilon, (prior, loss), &parse_rational(dilation)?, &Watch::default())?;
        // The bound of a spanner is one for mechanisms that keep its edges, not for all.
        let lower_bound = (*dilation == "1").then_some(best.lower_bound);
        found.push(Candidate { lower_bound, edges: Some(best.edges), ..candidate(best.mechanism)? });
    }
    Ok(found)
}

/// Names for readers, in the order of [`candidates`].
pub(crate) fn labels(dilations: &[&str]) -> Vec<String> {
    let start = ["planar noise", "planar noise, remapped", "cut-off noise", "optimum"].map(str::to_owned);
    start.into_iter().chain(dilations.iter().map(|dilation| format!("optimum on a {dilation}-spanner"))).collect()
}

/// The looks of their lines.
pub(crate) fn style(candidate: usize) -> Style {
    match candidate {
        PLANAR => Style::Baseline,
        OPTIMAL => Style::Ours,
        // Its like in number looks like the baseline.
        REMAPPED => Style::Plain(3),
        other => Style::Plain(other),
    }
}

/// Whether one loss is at most another, up to what the solver takes for equal.
pub(crate) fn is_at_most(loss: &Rational, other: &Rational) -> bool {
    let slack = Rational::new(1_000_000_001.into(), 1_000_000_000.into());
    *loss <= other * slack
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::geo::GeoLoss;

    #[test]
    fn every_candidate_is_proved_for_all_pairs_and_they_are_ordered() {
        let cells = Cells::new(3, 3, parse_rational("1").unwrap()).unwrap();
        let weights = [5, 1, 1, 2, 7, 1, 1, 1, 3].map(|weight| Rational::from_integer(weight.into()));
        let (prior, loss) = (Prior::new(&weights).unwrap(), GeoLoss::Euclidean.of(&cells).unwrap());
        for epsilon in ["0.3", "1", "3"] {
            let found = candidates(&cells, &epsilon.parse().unwrap(), (&prior, &loss), &["1.1", "1.5"]).unwrap();
            assert_eq!(found.len(), labels(&["1.1", "1.5"]).len());
            assert!(found.iter().all(|one| one.proved.certificate().pairs() == 36));
            assert!(found[REMAPPED].loss <= found[PLANAR].loss);
            for other in [REMAPPED, TRUNCATED, 4, 5] {
                assert!(is_at_most(&found[OPTIMAL].loss, &found[other].loss), "{epsilon} {other}");
            }
        }
        let one = Rational::from_integer(1.into());
        assert!(is_at_most(&one, &one) && !is_at_most(&Rational::new(1_000_001.into(), 1_000_000.into()), &one));
    }
}
