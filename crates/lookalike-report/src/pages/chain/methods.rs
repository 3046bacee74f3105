//! What each way to hide a moment costs.

use super::ChainPage;
use lookalike::exact::{Direction, Rational, decimal};
use lookalike::pufferfish::{Calibration, entry_scale, group_scale};
use lookalike_formats::Result;

/// A row of the table.
pub(super) struct Method {
    pub(super) name: &'static str,
    /// None where the method does not apply.
    pub(super) scale: Option<Rational>,
    pub(super) note: String,
    /// Whether its noise hides every moment.
    pub(super) protects: bool,
}

/// The methods, those that protect first.
pub(super) fn all(page: &ChainPage<'_>, exact: &Calibration) -> Result<Vec<Method>> {
    let (length, epsilon) = (page.length, page.epsilon);
    let approximate = page.approximate(length).map(|found| (found.scale, "by the spectral gap".to_owned()));
    let contraction = page.contract(length).map(|found| {
        let passed_on = short(&found.coefficient);
        (found.scale, format!("each step passes on at most {passed_on} of what it was told"))
    });
    let matrix = page.influence_matrix().map(|found| {
        let norm = short(&found.norm);
        (found.scale, format!("the influence matrix has a norm of at most {norm}"))
    });
    let entry = "NOT private here: it protects only where moments are independent".to_owned();
    Ok(vec![
        method("exact quilts", Ok((exact.scale.clone(), "the best quilt of every moment".to_owned()))),
        method("approximate quilts", approximate),
        method("contraction", contraction),
        method("influence matrix (GK16)", matrix),
        method("group privacy", Ok((group_scale(length, epsilon)?, "hides all moments at once".to_owned()))),
        Method { protects: false, ..method("entry privacy", Ok((entry_scale(epsilon), entry))) },
    ])
}

/// A row; a method that does not apply says why.
fn method(name: &'static str, found: lookalike::Result<(Rational, String)>) -> Method {
    match found {
        Ok((scale, note)) => Method { name, scale: Some(scale), note, protects: true },
        Err(error) => Method { name, scale: None, note: error.to_string(), protects: true },
    }
}

/// Four decimals, rounded up, without zeros at the end.
fn short(number: &Rational) -> String {
    let text = decimal(number, 4, Direction::Up);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
