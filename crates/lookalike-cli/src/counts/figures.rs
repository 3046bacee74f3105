//! What is said of every mechanism over counts, for people.

use crate::terminal::figure;
use lookalike::counts::Property;
use lookalike_engine::counts::CountFigures;

/// The names of [`cells`].
pub fn header() -> impl Iterator<Item = &'static str> {
    Property::ALL.into_iter().map(Property::code).chain(["L_0", "L_1", "RMSE"])
}

/// `yes` or `–` for each property, and the errors.
pub fn cells(figures: &CountFigures) -> impl Iterator<Item = String> {
    let has = |property| if figures.properties.contains(property) { "yes" } else { "–" }.to_owned();
    Property::ALL.into_iter().map(has).chain([figures.l0, figures.l1, figures.rmse].map(figure))
}

/// `RH, RM, S`, or `none`.
pub fn properties_text(figures: &CountFigures) -> String {
    figures.properties.to_string().replace(',', ", ")
}
