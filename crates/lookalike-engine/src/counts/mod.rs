//! Counts of a small group: mechanisms over them, compared and checked, and counts of records.

mod count_comparison;
mod count_design;
mod count_figures;
mod count_properties;
mod count_question;
mod counts_release;

pub use count_comparison::{ComparedCountFacts, CountComparison, CountsCompared, CountsComparedFacts};
pub use count_design::{
    CountDesign, CountDesignFacts, CountDesigned, CountFound, CountImpossible, CountImpossibleFacts,
};
pub use count_figures::{CountFigures, CountFiguresFacts};
pub use count_properties::{CellFacts, CountProperties, CountPropertiesFacts, PropertyFacts, PropertyViolationFacts};
pub use count_question::{CountMechanism, CountObjectiveFacts, CountQuestion, CountSolution};
pub use counts_release::{CountsRelease, CountsReleaseFacts, CountsReleased};
