//! What a wrong cell costs, for people.

use lookalike_engine::geo::CellLoss;

/// A value of the loss with its unit.
pub fn value(loss: &CellLoss, value: f64) -> String {
    match loss {
        CellLoss::Euclidean => format!("{value:.2} m"),
        CellLoss::Squared => format!("{value:.0} m²"),
        CellLoss::Within(_) => format!("{value:.5}"),
    }
}

/// What the expected loss is.
pub fn title(loss: &CellLoss) -> String {
    match loss {
        CellLoss::Euclidean => "Expected distance".to_owned(),
        CellLoss::Squared => "Expected squared distance".to_owned(),
        CellLoss::Within(radius) => format!("Share of releases farther than {radius} away"),
    }
}
