//! Places: lengths and ε per metre, columns of places, GeoJSON.
//!
//! A place is a latitude and a longitude in decimal degrees of WGS 84, the latitude from −90 to 90 and the longitude from
//! −180 to 360: 190 and −170 are one longitude. [`ReleasePlaces`] is what places go through, in tables
//! ([`PlacesColumn`], [`PlaceColumns`]) and in GeoJSON ([`GeoJson`]) alike.
//!
//! Released degrees have at most seven decimals, about a centimetre. No error shows a place: rows, columns and features
//! are named. Where most places of a batch are wrong in one way, the error says what they look like.

mod cell_loss;
mod cells_design;
mod cells_remap;
mod collection;
mod degrees;
mod fault;
mod feature;
mod geojson;
mod geojson_input;
mod geojson_release;
mod moved;
mod names;
mod place_mechanism;
mod places;
mod places_column;
mod places_outcome;
mod planar_design;
mod promise;
mod suspicion;

pub use cell_loss::CellLoss;
pub use cells_design::{
    CellDesigner, CellsDesign, CellsDesignFacts, CellsDesigned, CellsMakingFacts, CellsObjectiveFacts,
};
pub use cells_remap::{CellsRemap, CellsRemapFacts, CellsRemapped, RemapObjectiveFacts};
pub use geojson::{GeoJson, GeoJsonForm, ReleasedFeatures};
pub use lookalike::sample::ReleasePlaces;
pub use moved::{ErrorsFacts, Moved, MovedFacts, QuantileFacts};
pub use names::PlaceNames;
pub use place_mechanism::PlaceMechanism;
pub use places::Places;
pub use places_column::{PlaceColumns, PlacesColumn, read_places};
pub use places_outcome::{PlacesOutcome, PlacesReleaseFacts, ReleasedPlaces};
pub use planar_design::{PlanarDesign, PlanarDesignFacts, PlanarDesigned};
pub use promise::{Promise, shown_epsilon};
