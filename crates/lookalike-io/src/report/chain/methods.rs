//! What each way to hide a moment costs.

use super::ChainPage;
use crate::Result;
use lookalike::exact::{Direction, Rational, decimal};
use lookalike::pufferfish::{Calibration, approximate, contract, entry_scale, gk16, group_scale};

/// A row of the table.
pub(super) struct Method {
    pub(super) name: &'static str,
    /// None where the method does not apply.
    pub(super) scale: Option<Rational>,
    pub(super) note: String,
}

/// The methods, those that protect first.
pub(super) fn all(page: &ChainPage<'_>, exact: &Calibration) -> Result<Vec<Method>> {
    let (chains, length, epsilon) = (page.chains, page.length, page.epsilon);
    Ok(vec![
        Method {
            name: "exact quilts",
            scale: Some(exact.scale.clone()),
            note: "the best quilt of every moment".to_owned(),
        },
        of("approximate quilts", approximate(chains, length, epsilon).map(|found| found.scale), "by the spectral gap"),
        match contract(chains, length, epsilon) {
            Ok(found) => {
                let note = format!("a step contracts by {}", decimal(&found.coefficient, 4, Direction::Up));
                Method { name: "contraction", scale: Some(found.scale), note }
            }
            Err(error) => of("contraction", Err(error), ""),
        },
        of("influence matrix (GK16)", gk16(chains, epsilon).map(|found| found.scale), "its norm is below 1"),
        Method {
            name: "group privacy",
            scale: Some(group_scale(length, epsilon)?),
            note: "hides all moments at once".into(),
        },
        Method {
            name: "entry privacy",
            scale: Some(entry_scale(epsilon)),
            note: "NOT private here: it protects only where moments are independent".to_owned(),
        },
    ])
}

fn of(name: &'static str, scale: lookalike::Result<Rational>, note: &str) -> Method {
    match scale {
        Ok(scale) => Method { name, scale: Some(scale), note: note.to_owned() },
        Err(error) => Method { name, scale: None, note: format!("does not apply: {error}") },
    }
}
